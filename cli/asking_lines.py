"""`reqap-kg ask --batch`: each line of a file is answered as `ask --json` answers it, in its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ..engine.knowledge import KnowledgeGraph
from ..errors import NotUnderstood, ReqapError, UsageError
from ..texts.words import counted
from .batch import lines_or_errors
from .common import time_of
from .printing.console import say
from .printing.failing import kind_of

_ANSWERED: Final = "answered"
_NOTHING: Final = "without an answer"
_FAULTY: Final = "no question that can be asked"


@dataclass
class AskedLines:
    """The questions of a batch, with so many events of each answer (None: all), and what became of them."""

    known: KnowledgeGraph
    batch: Path
    now: str | None
    most_events: int | None = 1000
    _codes: Counter[int] = field(default_factory=Counter[int])
    _became: Counter[str] = field(default_factory=Counter[str])

    def answers(self) -> Iterator[dict[str, Any]]:
        """One object for each line, in order; that of a line that is no question, or fails, says why in `text`."""
        for number, row in lines_or_errors(self.batch, empty=True):
            if isinstance(row, UsageError):
                yield self._failed(number, None, row)
                continue
            try:
                yield {"id": row.get("id", number), **self._answered(number, row)}
            except ReqapError as bad:
                yield self._failed(row.get("id", number), row.get("question"), bad)

    def told(self) -> int:
        """Says how many lines had an answer; the exit code: 0, or that of the lines that could not be asked."""
        if self._became.total() > self._became[_ANSWERED]:
            parts = (f"{self._became[name]:,} {name}" for name in (_ANSWERED, _NOTHING, _FAULTY) if self._became[name])
            say(f"{counted(self._became.total(), 'line')}: {', '.join(parts)}", err=True)
        return max(self._codes, default=0)

    def _answered(self, number: int, row: dict[str, Any]) -> dict[str, Any]:
        question = row.get("question")
        if not isinstance(question, str):
            raise UsageError(f"{self.batch}:{number}: no question; expected {{id, question, now?, context?}}")
        at = row.get("now") or self.now
        now = time_of(str(at) if at else None)
        try:
            found = self.known.ask(question, now=now, most_events=self.most_events, context=row.get("context"))
            more: dict[str, Any] = {}
        except NotUnderstood as bad:
            found, more = self.known.refused(question, bad, now=now), {"understood": False}
        self._became[_NOTHING if found.answer_type == "none" else _ANSWERED] += 1
        return found.as_json() | more

    def _failed(self, name: object, question: object, bad: ReqapError) -> dict[str, Any]:
        reason, code = kind_of(bad)
        self._codes[code] += 1
        self._became[_FAULTY] += 1
        said = str(bad)
        return {"id": name, "question": question, "answer": [], "answer_type": "none", "reason": reason, "text": said,
                "error": said, "warnings": [said], "understood": isinstance(question, str)}  # fmt: skip
