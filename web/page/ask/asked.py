"""What an address asks: a question, the turns that it comes after, a tree that was given for it; and such addresses.

    /?q=and+in+2023%3F&after=How+often+did+I+run+in+2024%3F

The address says all of it, so that it shows the same whenever it is opened. A turn of which a tree was run stands as
its question, and the tree on the next line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import QueryParams

from ....errors import UsageError
from ....operators.syntax.limits import MAX_LENGTH
from ....planner.patterns.limits import check_question

MOST_TURNS: Final = 8
"""Earlier turns that an address tells of; the first ones are left out."""
MOST_CHANGES: Final = 12
"""Changes that can be taken back one by one."""
_LONGEST_ADDRESS: Final = 7_000
_LONGEST_NAME: Final = 40
_EARLIEST, _LATEST = 1900, 2200


@dataclass(frozen=True)
class Said:
    """One turn: a question, and the tree that was given for it, if one was."""

    question: str
    tree: str | None = None

    @classmethod
    def read(cls, text: str) -> Said:
        """From how `after` has it."""
        question, _, tree = text.partition("\n")
        return cls(question.strip(), tree.strip() or None)

    def __str__(self) -> str:
        return self.question if self.tree is None else f"{self.question}\n{self.tree}"


@dataclass(frozen=True)
class Asked:
    """What is asked after which turns. `at` is when it was answered, which parts of a page say so that they are of the
    same answer; `sure` are events of which somebody said that they count, in that order; `was` are the trees that
    answered it before somebody changed or decided something ("": that of the words), the latest last; `show` is the tab
    that is open; `by` is what a large answer is asked about ("all": nothing)."""

    said: Said
    after: tuple[Said, ...] = ()
    at: datetime | None = None
    sure: tuple[str, ...] = ()
    was: tuple[str, ...] = ()
    show: str = ""
    by: str = ""

    @classmethod
    def of(cls, given: QueryParams) -> Asked | None:
        """What an address asks; None where it asks nothing. Raises UsageError for what is too long or no time."""
        question, tree = " ".join(given.get("q", "").split()), given.get("tree", "").strip() or None
        if not question and tree is None:
            return None
        check_question(question)
        after = tuple(Said.read(text) for text in given.getlist("after") if text.strip())[-MOST_TURNS:]
        for said in (*after, Said(question, tree)):
            check_question(said.question, "an earlier question")
            if said.tree is not None and len(said.tree) > MAX_LENGTH:
                raise UsageError(f"a tree has at most {MAX_LENGTH:,} characters")
        sure = tuple(name for name in given.getlist("sure") if name.isalnum() and len(name) <= _LONGEST_NAME)
        was = tuple(text.strip() for text in given.getlist("was") if len(text) <= MAX_LENGTH)[-MOST_CHANGES:]
        show, by = (given.get(name, "")[:_LONGEST_NAME] for name in ("show", "by"))
        return cls(Said(question, tree), after, _moment(given.get("at")), sure, was, show, by)

    @property
    def chain(self) -> tuple[Said, ...]:
        """All turns, this one last."""
        return (*self.after, self.said)

    def address(self, **more: str) -> str:
        """Where it is asked; `more` parameters are added."""
        return f"/?{_encoded(self, more)}"

    def part(self, name: str, **more: str) -> str:
        """Where a part of its page is."""
        at = {"at": self.at.isoformat(timespec="minutes")} if self.at is not None else {}
        return f"/parts/ask/{name}?{_encoded(self, {**at, **more})}"

    def file(self, name: str) -> str:
        """Where a file of it is."""
        return self.part("").replace("/parts/ask/?", f"/{name}?")

    def with_tree(self, tree: str) -> Asked:
        """The same question answered by another tree, in the place of what it was answered by."""
        return replace(self._changed, said=Said(self.said.question, tree), show="")

    def with_sure(self, name: str) -> Asked:
        """The same where an event counts of which that was not sure."""
        return replace(self._changed, sure=(*self.sure, name))

    @property
    def _changed(self) -> Asked:
        return replace(self, was=(*self.was, self.said.tree or "")[-MOST_CHANGES:])

    @property
    def plain(self) -> Asked:
        """What is asked, without what was looked at."""
        return replace(self, at=None, show="", by="")

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """The same as the fields of a form."""
        return tuple(parse_qsl(_encoded(self, {})))

    def next(self, question: str, tree: str | None = None) -> Asked:
        """What is asked after it."""
        return Asked(Said(question, tree), self.chain[-MOST_TURNS:])

    def page(self, show: str) -> str:
        """Where it is asked with a tab open."""
        return replace(self, show=show, at=None).address()

    @property
    def before(self) -> Asked | None:
        """What was asked before: with what was changed or decided last as it was, or the turn before; None for the
        first."""
        if self.was:
            tree = self.was[-1] or None
            sure = self.sure[:-1] if tree == self.said.tree else self.sure  # the same tree: an event was decided
            return replace(self.plain, said=Said(self.said.question, tree), sure=sure, was=self.was[:-1])
        return Asked(self.after[-1], self.after[:-1]) if self.after else None


@dataclass(frozen=True)
class Link:
    """Words that lead somewhere, and a number beside them."""

    text: str
    href: str
    number: str = ""


def alone(question: str) -> str:
    """Where a question is asked that comes after nothing."""
    return Asked(Said(question)).address()


def _encoded(asked: Asked, more: Mapping[str, str]) -> str:
    own = [("q", asked.said.question), *([("tree", asked.said.tree)] if asked.said.tree is not None else [])]
    last = [*(("sure", name) for name in asked.sure), *more.items()]
    last += [(name, value) for name, value in (("show", asked.show), ("by", asked.by)) if value and name not in more]
    was, after = [("was", tree) for tree in asked.was], [("after", str(said)) for said in asked.after]
    while True:  # what comes first is forgotten first
        text = urlencode([*own, *after, *was, *last])
        if len(text) <= _LONGEST_ADDRESS or not (was or after):
            return text
        was, after = (was[1:], after) if was else (was, after[1:])


def _moment(text: str | None) -> datetime | None:
    """A moment as `at` has it. Raises UsageError."""
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text).replace(tzinfo=None)
    except ValueError as bad:
        raise UsageError("at is to be a date and time") from bad
    if not _EARLIEST <= found.year <= _LATEST:
        raise UsageError(f"at is to be of the years {_EARLIEST} to {_LATEST}")
    return found


def number_in(given: QueryParams, name: str, *, most: int) -> int:
    """A count that an address says, 0 without one. Raises UsageError."""
    text = given.get(name, "0")
    if not text.isdecimal() or len(text) > len(str(most)) or int(text) > most:
        raise UsageError(f"{name} is to be a number from 0 to {most:,}")
    return int(text)


def path_in(given: QueryParams, name: str) -> tuple[int, ...]:
    """A way down a tree, "0.1.0": which child each time. Raises UsageError."""
    text = given.get(name, "")
    parts: Sequence[str] = text.split(".") if text else ()
    if len(text) > _LONGEST_ADDRESS or not all(part.isdecimal() and len(part) < 4 for part in parts):
        raise UsageError(f"{name} is to be numbers with dots between them")
    return tuple(int(part) for part in parts)
