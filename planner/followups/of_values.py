"""What is asked of a value that was answered or named: "how often that one?", "which song most?"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .events import Events, Spoken
from .text import Part, Read, Reader
from .words import Edit, appended, edited

_BEFORE = re.compile(r"(?i)\b(by|of|from)\s+$")
_DOING = re.compile(r"(?i)^(?:did|do|have|had) (?:i|we) (?:ever )?\S+(?: (?:to|for|at|on)\b)?")


class OfValues:
    """Puts what was answered or named by a value into new questions."""

    def __init__(self, reader: Reader, events: Events) -> None:
        self._reader = reader
        self._events = events

    def of(self, template: str, spoken: Spoken, filters: str) -> Iterator[str]:
        """A template with verb, value and noun of what was spoken of; none where one of them is not there."""
        if not template:
            return
        verb = self._verb(spoken)
        if "{verb}" in template and not verb:
            return
        value = next(self._events.values(spoken), "")
        noun = self._noun(spoken)
        if ("{value}" in template and not value) or ("{noun}" in template and not noun):
            return
        has_own = "{own}" in template and re.search(r"(?i)\b(by|of) ", template.split("{own}")[0]) is not None
        for own in self.owns(spoken) if "{own}" in template and not has_own else ("",):
            text = template.replace("{own}", own).replace("{verb}", verb).replace("{value}", value)
            yield re.sub(r"\s+", " ", text.replace("{noun}", noun).replace("{filters}", filters)).strip() + "?"

    def kept(self, rest: str, read: Read, spoken: Spoken) -> Iterator[str]:
        """'How many episodes did I watch?' after one about those of a series: of this one."""
        if not self._events.shares_class(read, spoken.read):
            return
        nouns = [p for p in read.of("naming") if any("Class" in a.kinds for a in p.meanings)]
        filters = " ".join(p.words for p in spoken.filters)
        for own in self.owns(spoken):
            if nouns and own and self._reader.read(own) is not None:
                text = edited(rest, [Edit(nouns[0].end, nouns[0].end, f" {own}")])
                yield appended(text, filters)

    def _verb(self, spoken: Spoken) -> str:
        """'did I listen to' of "which artist did I listen to most in 2024"."""
        found = _DOING.match(spoken.tail)
        return found[0] if found else ""

    def _noun(self, spoken: Spoken) -> str:
        naming = [p for p in spoken.read.of("naming") if any("Class" in a.kinds for a in p.meanings)]
        return self._reader.singular(naming[0].words) if naming else ""

    def owns(self, spoken: Spoken) -> Iterator[str]:
        """'by Radiohead': the values that the question before named, with what stands before them; else nothing."""
        named = [p for p in spoken.read.of("naming") if _is_value(p)]
        for part in named[-1:]:
            before = _BEFORE.search(spoken.read.text[: part.begin])
            for word in dict.fromkeys((before[1] if before else "by", "by", "of")):
                yield f"{word} {part.words}"
        if not named:
            yield ""


def _is_value(part: Part) -> bool:
    """Whether words are a value of the data, rather than a kind of events that is also one."""
    kinds = {kind for a in part.meanings for kind in a.kinds}
    return "Value" in kinds and not kinds & {"Class", "Concept", "Verb", "Person"}
