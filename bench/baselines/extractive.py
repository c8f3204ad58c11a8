"""A reader without a language model: it counts, adds up, compares or picks a value of what was retrieved.

Values are those of the record's own keys; where it has none, the words that the bundled reader (or the one configured)
marks in its text. It reads only what it is given, as a language model in its place would.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

from ...errors import ConfigError
from ...extraction.documents import documents
from ...retrieval.context import RetrieveContext
from ...store.words import stems
from .passages import Passage
from .said import column_of
from .tables import LABEL
from .wording import Wanted, Wording

TAKEN: Final = 0.5
"""The score from which on the search takes a record."""
_MOST_READ: Final = 24
"""Texts that are read for a value, best first."""
_FEW: Final = 10
"""Records that are read where the search would take none."""
_FOLDS: Final[Mapping[str, Callable[[Sequence[float]], float]]] = {"sum": sum, "avg": fmean, "max": max, "min": min}
_KEYS: Final = {"who": ("participants", "recipient", "sender"), "where": ("place", "location", "city")}
"""What a question word asks for, as keys are called."""
_PARTS: Final[Mapping[Wanted, Callable[[Passage], Any]]] = {
    Wanted.DATE: lambda passage: passage.day and passage.day.isoformat(),
    Wanted.TIME: lambda passage: passage.values.get("start_time") and passage.start.strftime("%H:%M"),
    Wanted.YEAR: lambda passage: passage.day and passage.day.year,
    Wanted.MONTH: lambda passage: passage.day and passage.day.strftime("%B"),
    Wanted.WEEKDAY: lambda passage: passage.day and passage.day.strftime("%A"),
}
"""The part of a record's time that is asked for."""
Valued = tuple[Passage, Any]


@dataclass(frozen=True)
class ExtractiveReader:
    """Reads passages; the context holds the model that marks words of texts."""

    context: RetrieveContext

    def answer(self, wording: Wording, passages: Sequence[Passage]) -> list[Any]:
        """The values of an answer, best first; none where nothing that was retrieved fits."""
        fitting = [passage for passage in passages if wording.covers(passage.day)]
        taken = [passage for passage in fitting if passage.score >= TAKEN]
        if wording.wanted is Wanted.TRUTH:
            return [bool(taken)]
        if wording.wanted is Wanted.COUNT:
            different = {str(value) for _, value in self._values(wording, taken)} if wording.distinct else set()
            return [len(different or taken)]
        kept = taken or fitting[:_FEW]
        if wording.wanted is Wanted.AMOUNT:
            return self._amount(wording, kept)
        if wording.wanted in _PARTS:
            parts = ((passage, _PARTS[wording.wanted](passage)) for passage in kept)
            return _chosen(wording, [(passage, part) for passage, part in parts if part])
        if wording.by:
            measured = ((passage, self._held(passage, wording.by)) for passage in kept)
            ranked = [(value, passage) for passage, value in measured if isinstance(value, int | float)]
            best = sorted(ranked, key=lambda entry: entry[0], reverse=wording.fold != "min")[:1]
            return [value for _, passage in best for _, value in self._values(wording, [passage])[:1]]
        return _chosen(wording, self._values(wording, kept))

    def _amount(self, wording: Wording, kept: Sequence[Passage]) -> list[Any]:
        names = list(_names(wording.noun))
        held = (next((v for name in names if (v := self._held(passage, name)) is not None), None) for passage in kept)
        values = [value for value in held if value is not None]
        numbers = [float(value) for value in values if isinstance(value, int | float)]
        if not numbers:
            return []
        fold = _FOLDS.get(wording.fold)
        found = fold(numbers) if fold is not None else numbers[0]
        return [round(found / _SECONDS.get(wording.unit, 1), 4)]

    def _held(self, passage: Passage, noun: str) -> Any:
        """The value of the record's own key of that name; None where it has none."""
        column = column_of(noun, passage.table.columns, self.context.vocabulary) if noun else None
        return passage.values.get(column) if column is not None else None

    def _values(self, wording: Wording, kept: Sequence[Passage]) -> list[Valued]:
        """What each passage says of what is asked for: by its keys, else by its words."""
        for noun in _KEYS.get(wording.noun) or _names(wording.noun):
            held = [(passage, value) for passage in kept if (value := self._held(passage, noun)) is not None]
            if held:
                listed = ((passage, value if isinstance(value, list) else [value]) for passage, value in held)
                return [(passage, item) for passage, items in listed for item in items]
        named = [
            passage for passage in kept if set(stems(passage.table.name.replace("_", " "))) & set(stems(wording.noun))
        ]
        if named:  # what is asked for are the records themselves: films, say
            return [(passage, passage.values[LABEL]) for passage in named]
        return self._read((_KEYS.get(wording.noun) or wording.noun.split() or ("",))[0], kept)

    def _read(self, key: str, kept: Sequence[Passage]) -> list[Valued]:
        """The words of texts that the configured model marks for a key; none where no model is there."""
        if not key or self.context.readers is None:
            return []
        texts = documents([passage.event for passage in kept[:_MOST_READ]], self.context.graph)
        asked = [(passage, texts[passage.event]) for passage in kept[:_MOST_READ] if passage.event in texts]
        try:
            spans = self.context.readers.extractor.tag([(key, document) for _, document in asked])
        except ConfigError:
            return []
        found = zip(asked, spans, strict=True)
        return [(passage, document.text[s[0].start : s[0].end]) for (passage, document), s in found if s]


_SECONDS: Final = {"minutes": 60, "hours": 3600}


def _names(noun: str) -> Iterator[str]:
    """What the words after "which" may call a key: several words first, those that stand first before others."""
    words = noun.split()
    for length in (3, 2, 1):
        yield from (" ".join(words[at : at + length]) for at in range(len(words) - length + 1))


def _chosen(wording: Wording, values: Sequence[Valued]) -> list[Any]:
    """The commonest or rarest value, that of the first or last record, else that of the best one."""
    if not values:
        return []
    if wording.most or wording.least:
        counted = Counter(value for _, value in values).most_common()
        return [counted[-1 if wording.least else 0][0]]
    if wording.order:
        pick = min if wording.order == "first" else max
        return [pick(values, key=lambda entry: entry[0].start)[1]]
    return [values[0][1]]
