"""What the tools take and give, as types: arguments are validated by them, schemas made from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field

from ...operators.syntax.limits import MAX_LENGTH
from ...planner.patterns.limits import LONGEST_QUESTION

MOST_TURNS: Final = 50
MOST_PLANS: Final = 10
MOST_ASKED: Final = 1_000
LONGEST_TURN: Final = 4_000
LONGEST_QUERY: Final = 100_000
LONGEST_IRI: Final = 4_000

Plain = str | int | float | bool
Question = Annotated[
    str,
    Field(min_length=1, max_length=LONGEST_QUESTION, description="A question in English, of at most 120 words."),
]


class Arguments(BaseModel):
    """What a call says: nothing but what is named here."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, use_attribute_docstrings=True)


class EarlierTurn(Arguments):
    """An earlier question, with what it was answered."""

    question: Annotated[str, Field(max_length=LONGEST_TURN)]
    answer: Annotated[str, Field(max_length=LONGEST_TURN)] | None = None


class Ask(Arguments):
    """A question, after the turns of a conversation."""

    question: Question
    context: Annotated[list[EarlierTurn], Field(max_length=MOST_TURNS)] | None = None
    """Earlier questions of this conversation that the question leans on ("and in 2023?"), the oldest first."""

    @property
    def turns(self) -> list[dict[str, Any]] | None:
        """The context as the engine takes it."""
        return [turn.model_dump(exclude_none=True) for turn in self.context] if self.context else None


class Plan(Arguments):
    """A question whose trees are wanted."""

    question: Question
    top: Annotated[int, Field(ge=1, le=MOST_PLANS)] = 1
    """How many trees that it may become, the likeliest first."""


class RunTree(Arguments):
    """A tree to be run."""

    tree: Annotated[str, Field(min_length=1, max_length=MAX_LENGTH)]
    """An operator tree, such as APPLY(l=RETRIEVE(query="workouts"), fct=len)."""


class Sparql(Arguments):
    """A query."""

    query: Annotated[str, Field(min_length=1, max_length=LONGEST_QUERY)]
    """A SELECT, ASK or CONSTRUCT query; the prefixes of describe_data need no declaration."""


class DescribeData(Arguments):
    """Nothing is to be said."""


class EvidenceOf(Arguments):
    """Events to be looked up."""

    events: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=LONGEST_IRI)]], Field(min_length=1, max_length=MOST_ASKED)
    ]
    """IRIs of events, as ask, run_tree and sparql give them."""


class Result(BaseModel):
    """What a tool gives: what is not known, or not given away, is left out."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    def as_json(self) -> dict[str, Any]:
        """The structured content."""
        return self.model_dump(mode="json", exclude_none=True)


class Event(Result):
    """One event. What is given of it is set by its owner."""

    iri: str
    type: str | None = None
    source: str | None = None
    source_id: str | None = None
    start: str | None = None
    end: str | None = None
    label: str | None = None
    text: str | None = None
    basis: str | None = None
    """`records`, or `told` for a text or an entry that tells of what was asked for."""


class Groups(Result):
    """Rows of an answer with several columns."""

    columns: list[str]
    rows: list[list[Plain | None]]
    more: bool
    """Whether there are more rows than these."""


class Choice(Result):
    """A narrower answer: what it is called, how many events it has, and the tree for run_tree."""

    label: str
    count: int
    tree: str


class Part(Result):
    """The answer of one thing that a question asks."""

    values: list[Plain]
    """The values, best first; none where there is no answer."""
    more_values: bool
    """Whether there are more values than these."""
    answer_type: str
    """number, date, datetime, time, duration, month, weekday, text, boolean, table, events or none."""
    unit: str | None = None
    groups: Groups | None = None
    """The groups of a table."""
    read_as: str | None = None
    """How the question was read, in plain English: to be checked against what was meant."""
    tree: str
    """The operator tree that was run."""
    sparql: str
    """The query that it became."""


class Answer(Part):
    """An answer with its evidence."""

    text: str
    """The answer in a sentence, or why there is none."""
    resolved: str | None = None
    """The self-contained question that was answered, where the one asked leans on earlier ones."""
    reason: str | None = None
    """Why there is no answer: not_understood, asks_why, no_such_data or nothing_matches."""
    offered: str | None = None
    """A nearby question that has an answer."""
    score: float
    """The plan's, between 0 and 1."""
    probability: float
    """How likely it is the right answer, between 0 and 1."""
    doubt: list[str]
    """What is not sure of it; none where it is sure."""
    warnings: list[str]
    notes: list[str]
    """How phrases were read."""
    basis: str
    """`records`, or `told` where texts count, too."""
    events: list[Event]
    """Events that the answer rests on."""
    more_events: bool
    """Whether it rests on more events than these."""
    too_many: str | None = None
    """What may be asked where the answer has too many events."""
    narrower: list[Choice] | None = None
    also: list[Part] | None = None
    """The answers of what else the question asks."""


class Tree(Result):
    """A tree that a question may become."""

    tree: str
    read_as: str
    answer_type: str
    unit: str | None = None
    planner: str
    score: float
    probability: float
    doubt: list[str]
    notes: list[str]
    also: list[Tree] | None = None
    """The trees of what else the question asks."""


class Trees(Result):
    """Trees that a question may become, the likeliest first."""

    trees: list[Tree]
    reason: str | None = None
    """Why there is none."""
    text: str | None = None
    """The same in a sentence."""
    offered: str | None = None
    """A nearby question that has a tree."""


class Rows(Result):
    """What a query gave."""

    form: str
    """select, ask or construct."""
    columns: list[str]
    """Variables of a SELECT; subject, predicate, object of a CONSTRUCT."""
    rows: list[list[Plain | None]]
    more: bool
    """Whether there are more rows than these."""
    truth: bool | None = None
    """What an ASK gave."""
    notes: list[str]
    warnings: list[str]


class Attribute(Result):
    """An attribute that events of a kind have."""

    name: str
    """What EXTRACT calls it."""
    property: str
    """What SPARQL calls it."""
    types: list[str]
    unit: str | None = None


class Kind(Result):
    """A kind of events."""

    name: str
    """What RETRIEVE calls it."""
    type: str
    """Its class in SPARQL."""
    events: int
    first: str | None = None
    last: str | None = None
    attributes: list[Attribute]


class Source(Result):
    """An export that was imported."""

    name: str
    format: str
    imported: str
    records: int
    events: int


class Example(Result):
    """A question, with what answers it."""

    question: str
    answered_by: str


class Description(Result):
    """What is in the store."""

    now: str
    """The time of asking, to which "last month" and date.today() refer."""
    kinds: list[Kind]
    sources: list[Source]
    prefixes: dict[str, str]
    trees: list[Example]
    queries: list[Example]


class Events(Result):
    """What is told of events."""

    events: list[Event]
    unknown: list[str]
    """IRIs that no event has."""
    more: bool
    """Whether more were asked for than one call gives."""


@dataclass(frozen=True)
class Given:
    """The content, with the IRIs of the events in it, and how many rows or values it has."""

    content: Result
    events: tuple[str, ...] = ()
    rows: int = 0
