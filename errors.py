"""The one error tree.

    ReqapError                    anything this package raises on purpose
    ├── UsageError                a wrong option, path or value (exit 2)
    ├── ConfigError               the configuration file is wrong (exit 2)
    ├── LocatedError              a text that people write is wrong; carries line, column, what was expected
    │   ├── MappingError          a map in Turtle (RML)
    │   ├── RuleError             a pattern or rule in Turtle
    │   ├── LexiconError          a lexicon in Turtle
    │   ├── DomainError           a domain's folder, or a file of it (exit 2)
    │   ├── TreeSyntaxError       an operator tree in text form
    │   └── QueryError            SPARQL that does not parse or is not allowed
    ├── DataError                 a logical source cannot supply what a map asks for
    ├── SourceError               an export as a whole cannot be read (exit 1)
    │   ├── UnknownFormat         no reader recognises the content
    │   ├── HostileInput          a limit on size, depth or path was passed
    │   └── ReaderFault           a reader of ours failed at it in a way that nobody foresaw
    ├── StoreError                the store cannot be opened or written
    │   ├── StoreBusy             another process holds it
    │   └── QueryStopped          a query was given up
    │       ├── QueryTimeout      it passed its time limit
    │       ├── QueryTooLarge     it took more memory than one query may
    │       └── QueryRefused      a remote store does not evaluate it
    ├── WorkerLost                a worker process died over the same item again and again
    ├── TreeTypeError             an operator tree is not well typed
    ├── ModelUnreachable          the language model's address does not answer, or not as one
    ├── TooLarge                  a tree would hold more rows than a limit allows
    └── NotUnderstood             nobody reads the question (exit 4)
        └── Declined              it was read, and is declined for a reason of its own (exit 4)
            ├── AsksWhy           it asks for a cause, which no export tells (exit 4)
            └── NoSuchData        the data has nothing of that kind (exit 3)

A single bad record is not an exception: readers yield `sources.base.BadRecord` values.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


class ReqapError(Exception):
    """Root of everything this package raises on purpose."""


class UsageError(ReqapError):
    """A wrong option, path or value."""


class ConfigError(ReqapError):
    """The configuration file is wrong."""


@dataclass(frozen=True)
class Place:
    """Where in a text: 1-based line and column, and the file if there is one."""

    line: int
    column: int
    path: str | None = None

    def __str__(self) -> str:
        prefix = f"{self.path}:" if self.path else "line "
        return f"{prefix}{self.line}:{self.column}" if self.path else f"{prefix}{self.line}, column {self.column}"


class LocatedError(ReqapError):
    """A text that people write is wrong.

    `place` says where, `expected` what would have been right, `nearest` the closest known name if a name is unknown.
    """

    def __init__(
        self, message: str, *, place: Place | None = None, expected: str | None = None, nearest: str | None = None
    ) -> None:
        self.message = message
        self.place = place
        self.expected = expected
        self.nearest = nearest
        parts = [f"{place}: {message}" if place else message]
        if expected:
            parts.append(f"expected {expected}")
        if nearest:
            parts.append(f"did you mean {nearest}?")
        super().__init__("; ".join(parts))


class MappingError(LocatedError):
    """A map in Turtle (RML) is wrong."""


class RuleError(LocatedError):
    """A pattern or rule in Turtle is wrong."""


class LexiconError(LocatedError):
    """A lexicon in Turtle, or an entry of it, is wrong."""


class DomainError(LocatedError):
    """The folder of a domain, or a file in it, is wrong."""


class TreeSyntaxError(LocatedError):
    """An operator tree in text form does not parse."""


class QueryError(LocatedError):
    """SPARQL that does not parse, or that is not allowed here."""


class DataError(ReqapError):
    """A logical source cannot supply what a map asks for (missing file, malformed data)."""


class SourceError(ReqapError):
    """An export as a whole cannot be read."""


class UnknownFormat(SourceError):
    """No reader recognises the content of a file."""


class HostileInput(SourceError):
    """A limit on size, depth or path was passed."""


class ReaderFault(SourceError):
    """A reader of ours failed at a file in a way that nobody foresaw: a fault to report, never the file's alone."""


class StoreError(ReqapError):
    """The store cannot be opened or written."""


class NoStore(StoreError):
    """Nothing was imported yet at `directory`."""

    def __init__(self, directory: Path, address: str | None = None) -> None:
        where = address or directory
        super().__init__(f"no store at {where}; import something first: reqap-kg ingest PATH --store {where}")
        self.directory = directory


class StoreBusy(StoreError):
    """Another process holds the store."""


class QueryStopped(StoreError):
    """A query was given up. Nothing can stop its thread, which runs on until it ends or the process does."""


class QueryTimeout(QueryStopped):
    """A query passed its time limit."""


class QueryTooLarge(QueryStopped):
    """A query took more memory than one query may."""


class QueryRefused(QueryStopped):
    """A remote store does not evaluate a query."""


class OutputError(ReqapError):
    """What a command prints cannot be written: the disk that standard output goes to is full."""


class WorkerLost(ReqapError):
    """A worker process died over the same item again and again; `code` is how it ended, if that is known."""

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        self.code = code


class TreeTypeError(ReqapError):
    """An operator tree is not well typed; `node` is the operator that the compiler could not say, if it was one."""

    node: object | None = None


class ModelUnreachable(ReqapError):
    """The address of a language model does not answer in time, or answers something that is no completion."""


class TooLarge(ReqapError):
    """A tree would hold more rows than a limit allows."""


class NotUnderstood(ReqapError):
    """Nobody reads the question; `words` are the parts that were not understood.

    The message is a sentence for people. `details` are what stood against each proposal, for who writes rules or
    prompts. `reading` says in words how the question may be read, where that is too much in doubt to be answered.
    """

    reason = "not_understood"
    """The code that `ask --json` gives as the reason why there is no answer."""

    def __init__(
        self, message: str, *, words: tuple[str, ...] = (), details: tuple[str, ...] = (), reading: str = ""
    ) -> None:
        super().__init__(message)
        self.words = words
        self.details = details
        self.reading = reading


class Declined(NotUnderstood):
    """The question was read and is declined for a reason of its own: no such day, two possible dates."""


class AsksWhy(Declined):
    """The question asks for a cause, which no export tells."""

    reason = "asks_why"


class NoSuchData(Declined):
    """The question is about a kind of thing, or an attribute, of which the data has nothing."""

    reason = "no_such_data"
