"""Names that the profile does not know, by capitals and by where they stand: after a title, after "with", in a list."""

from __future__ import annotations

import re
from typing import Final

from .mention_scan import Found
from .profile import COMPANY_WORDS, FAMILY_TITLES, TITLES, Word, is_no_name, is_relation, word_set

_JOIN: Final = re.compile(r"\s*(?:,\s*+(?:and|&|\+)?|&|\+|\sand\s|\se\s|\sund\s|\set\s|\sy\s)\s*", re.IGNORECASE)
_US: Final = word_set("us me i myself we moi mich eu yo")
_WITH: Final = word_set("with w met meet meeting saw see seeing visited visiting mit com con avec date")
_PLACED: Final = word_set("in at from to on near of into via around through towards for by the")
_BOUGHT: Final = re.compile(
    r"\b(?:book(?:ed|ing)?|order(?:ed)?|fl(?:y|ew|ying)|flight|account|insur\w+|interview\w*|paid|pay|polic\w+|stay\w*|switch\w*|"
    r"deal\w*|integrat\w+|work\w*|compare\w*|replac\w+|fill\w*|serv\w+|top\w*|made|start\w*|paired|along|up|go|goes|went)\s*$",
    re.IGNORECASE,
)
_THEIRS: Final = word_set("""
birthday bday party wedding house place flat home hen stag leaving bbq engagement baby shower graduation funeral
christening do recital concert gig school
""")


def unknown_in(text: str, words: list[Word], found: list[Found]) -> list[Found]:
    """People whom nobody of the profile is; `found` is what is read already."""
    return _Strangers(text, words, found).read()


class _Strangers:
    """The capitalised runs of a text, and the reasons to take them for people."""

    def __init__(self, text: str, words: list[Word], found: list[Found]) -> None:
        self.text, self.words = text, words
        self.taken = {at for each in found for at in range(each.first, each.last + 1)}
        self.people = {each.last for each in found if each.names or each.mine is None}
        self.starts = {each.first for each in found if each.names or each.mine is None}
        self.runs = self._capital_runs()

    def read(self) -> list[Found]:
        chosen: dict[int, Found] = {}
        for first, last in self.runs:
            score = self._score(first, last)
            if score:
                chosen[first] = self._found(first, last, score)
        for row in self._rows():
            if any(first in self.starts or first in chosen or self._us(first) for first, _ in row):
                for first, last in row:
                    if first not in self.starts and not self._us(first):
                        chosen.setdefault(first, self._found(first, last, 0.5))
        return [chosen[first] for first in sorted(chosen)]

    def _found(self, first: int, last: int, score: float) -> Found:
        name = " ".join(self.text[self.words[first].start : self.words[last].end].split())
        return Found(first, last, (name,), score=score)

    def _capital_runs(self) -> list[tuple[int, int]]:
        """Runs of capitalised words that may be a name, titles included."""
        runs: list[tuple[int, int]] = []
        at = 0
        while at < len(self.words):
            last = at
            if self._may_name(at) or self._is_title(at):
                while last + 1 < len(self.words) and self._goes_on(last) and self._may_name(last + 1):
                    last += 1
                if self._may_name(last) and not (self._is_title(at) and last == at) and last - at < 4:
                    runs.append((at, last))
            at = last + 1
        return [run for run in runs if not self._company(*run)]

    def _goes_on(self, at: int) -> bool:
        gap = self.text[self.words[at].after : self.words[at + 1].start]
        return gap in (" ", "-") or (gap in (". ", ".") and (self._is_title(at) or len(self.words[at].plain) == 1))

    def _is_title(self, at: int) -> bool:
        word = self.words[at]
        return word.plain in TITLES and at not in self.taken and (word.capital or word.plain in FAMILY_TITLES)

    def _may_name(self, at: int) -> bool:
        word = self.words[at]
        written = self.text[word.start : word.end]
        if at in self.taken or not word.capital or is_no_name(word.plain) or word.plain in TITLES:
            return False
        if word.plain.startswith("i'") or self._placed(at):
            return False
        return not (len(written) > 2 and written.isupper()) and not is_relation(word.plain)

    def _placed(self, at: int) -> bool:
        """Whether a preposition of places stands before."""
        return (
            at > 0
            and self.words[at - 1].plain in _PLACED
            and self.text[self.words[at - 1].after : self.words[at].start] == " "
        )

    def _company(self, first: int, last: int) -> bool:
        around = range(first, min(last + 2, len(self.words)))
        return any(
            self.words[at].plain in COMPANY_WORDS and self.words[at].capital and (at <= last or self._goes_on(at - 1))
            for at in around
        )

    def _score(self, first: int, last: int) -> float:
        """How sure the place in the text makes that a run is a person; 0 where it says nothing."""
        if self._is_title(first):
            return 0.8
        before = self.words[first - 1] if first else None
        gap = self.text[before.after : self.words[first].start] if before else "|"
        if before and before.plain in _WITH and not gap.strip(" /"):
            return 0.0 if _BOUGHT.search(self.text, max(0, before.start - 24), before.start) else 0.6
        following = self.words[last + 1].plain if last + 1 < len(self.words) else ""
        if self.words[last].possessive and (
            following in _THEIRS or re.match(r"\d+(?:st|nd|rd|th)\b", self.text[self.words[last].after :].lstrip())
        ):
            return 0.6
        return 0.0

    def _us(self, at: int) -> bool:
        return self.words[at].plain in _US

    def _rows(self) -> list[list[tuple[int, int]]]:
        """Lists of names, known and unknown, and "us" among them."""
        items = sorted(
            [*self.runs, *((at, at) for at in range(len(self.words)) if self._us(at)), *self._known_spans()],
        )
        rows: list[list[tuple[int, int]]] = []
        for item in items:
            if rows and _JOIN.fullmatch(self.text, self.words[rows[-1][-1][1]].after, self.words[item[0]].start):
                rows[-1].append(item)
            else:
                rows.append([item])
        return [row for row in rows if len(row) > 1 and self._listed(row) and not self._possessive_within(row)]

    def _listed(self, row: list[tuple[int, int]]) -> bool:
        """Whether the last two are joined by "and" or the like: commas alone also part clauses."""
        gap = self.text[self.words[row[-2][1]].after : self.words[row[-1][0]].start]
        return bool(gap.strip(" ,"))

    def _known_spans(self) -> list[tuple[int, int]]:
        starts, lasts = sorted(self.starts), sorted(self.people)
        return list(zip(starts, lasts, strict=True))

    def _possessive_within(self, row: list[tuple[int, int]]) -> bool:
        return any(self.words[last].possessive for _, last in row[:-1])
