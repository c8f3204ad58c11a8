"""What the API takes and gives, as types: requests are validated by them, responses described."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Final, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from ...config.parts import EARLIEST, LATEST
from ...engine.knowledge import MOST_EVENTS
from ...operators.syntax.limits import MAX_LENGTH
from ...planner.patterns.limits import LONGEST_QUESTION, check_question

MOST_TURNS: Final = 50
MOST_LISTED: Final = 1_000_000
MOST_PLANS: Final = 100
LONGEST_TURN: Final = 4_000
_MOMENT: Final = (
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?(Z|[+-][0-9]{2}:[0-9]{2})?)?$"
)
_EXAMPLE: Final = "How many runs did I do in 2024?"
T = TypeVar("T")


def _checked(question: str) -> str:
    check_question(question)
    return question


def _known_year(given: str) -> str:
    year = datetime.fromisoformat(given).year
    if not EARLIEST <= year <= LATEST:  # years are counted back and forth from now
        raise ValueError(f"expected a year from {EARLIEST} to {LATEST}")
    return given


Plain = str | int | float | bool
Question = Annotated[
    str, Field(min_length=1, max_length=LONGEST_QUESTION, examples=[_EXAMPLE]), AfterValidator(_checked)
]
Moment = Annotated[str, Field(pattern=_MOMENT, examples=["2025-03-01T12:00:00"]), AfterValidator(_known_year)]
Text = Annotated[str, Field(max_length=LONGEST_TURN)]
Listed = Annotated[int, Field(ge=0, le=MOST_LISTED)]


class Request(BaseModel):
    """What a request says: nothing but what is named here."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, use_attribute_docstrings=True)


class AtMoment(Request):
    """What is asked at a moment."""

    now: Moment | None = None
    """The wall-clock time of asking; the clock's where none is given."""

    def moment(self, clock: datetime) -> datetime:
        """The time of asking."""
        return clock if self.now is None else datetime.fromisoformat(self.now).replace(tzinfo=None)


class QuestionTurn(Request):
    """An earlier question, with what it was answered."""

    question: Text
    answer: Text | int | float | bool | Annotated[list[Text | int | float | bool], Field(max_length=1_000)] | None = (
        None
    )


class SpokenTurn(Request):
    """Something that was said earlier, and by whom."""

    speaker: Annotated[str, Field(max_length=200)]
    text: Text


class Find(AtMoment):
    """A question."""

    question: Question
    """The question, in English: at most 120 words."""
    events: Listed = MOST_EVENTS
    """How many of the events behind the answer are listed; 0 for all."""
    explain: bool = False
    """Whether every part of the tree is run by itself, with its rows and time."""


class Ask(Find):
    """A question, after the turns of a conversation."""

    context: Annotated[list[Question | QuestionTurn | SpokenTurn], Field(max_length=MOST_TURNS)] | None = None
    """Earlier turns, the oldest first."""

    @property
    def turns(self) -> list[Any] | None:
        """The context as the engine takes it."""
        if self.context is None:
            return None
        return [one if isinstance(one, str) else one.model_dump(exclude_none=True) for one in self.context]


class Plan(AtMoment):
    """A question whose tree is wanted."""

    question: Question
    """The question, in English: at most 120 words."""
    top: Annotated[int, Field(ge=1, le=MOST_PLANS)] | None = None
    """So many trees that it may become, the likeliest first; without, the one that would be run."""


class Run(AtMoment):
    """An operator tree to be run."""

    tree: Annotated[
        str, Field(min_length=1, max_length=MAX_LENGTH, examples=['APPLY(l=RETRIEVE(query="I ran"), fct=len)'])
    ]
    """The tree in text form (docs/operators.md)."""
    events: Listed = MOST_EVENTS
    """How many of the events behind the answer are listed; 0 for all."""
    explain: bool = False
    """Whether every part of the tree is run by itself, with its rows and time."""


class Response(BaseModel):
    """What a response says: nothing but what is named here."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class Event(Response):
    """One event behind an answer."""

    iri: str
    type: str
    source: str
    source_id: str
    start: str | None
    end: str | None
    label: str
    basis: str
    """`records`, or `told` for a text or an entry that tells of what was asked for."""


class EventRecord(Response):
    """One event, with all that its record says."""

    iri: str
    type: str
    source: str
    source_id: str
    start: str | None
    end: str | None
    label: str
    values: dict[str, Plain]
    """What the record says, by the labels of its attributes."""


class Table(Response):
    """Rows of an answer with several columns."""

    columns: list[str]
    rows: list[list[Plain | None]]


class Told(Response):
    """What of an answer texts alone tell."""

    by_records: list[Plain]
    events: list[Event]


class Choice(Response):
    """A reply to the dialog: what it is called, how many events it leaves, and the tree that it leads to."""

    label: str
    count: int
    tree: str


class Frequency(Response):
    """How often a property stands: the share of the answer's events that have it, and triples in all."""

    local: float
    triples: int


class Way(Response):
    """One way to ask which events are meant."""

    name: str
    text: str
    property: str
    grain: str | None
    choices: list[Choice]
    others: Choice | None
    frequency: Frequency


class Dialog(Response):
    """What is asked about an answer that is too large (docs/answers.md)."""

    size: int
    text: str
    name: str = ""
    property: str | None
    grain: str | None = None
    choices: list[Choice]
    others: Choice | None = None
    frequency: Frequency | None = None
    question: str | None
    more: list[Way]
    ranked: list[str]
    reason: str


class Explained(Response):
    """One operator of a tree: its rows, its time, and what was reused."""

    operator: str
    arguments: str
    rows: int
    ms: float
    how: str
    below: list[Explained]


class Answer(Response):
    """An answer, the object of `reqap-kg ask --json`; also of a question that is declined."""

    question: str
    resolved: str = ""
    """The self-contained question that was answered, where the one asked leans on earlier ones."""
    answer: list[Plain]
    """The values, best first; none where there is no answer."""
    answer_type: str
    """number, date, datetime, time, duration, month, weekday, text, boolean, table, events or none."""
    reason: str | None
    """Why there is no answer: not_understood, asks_why, no_such_data or nothing_matches."""
    offered: str | None
    """A nearby question that has an answer."""
    unit: str | None
    text: str
    """The answer in a sentence."""
    read_as: str | None
    """How the question was read, in plain English."""
    plan: str
    """The operator tree that was run."""
    sparql: str
    """The query that it became."""
    planner: str
    score: float
    probability: float
    """How likely it is the right answer."""
    doubt: list[str]
    basis: str
    """`records`, or `told` where texts count, too."""
    events: list[Event]
    """The events behind the answer."""
    more_events: bool
    warnings: list[str]
    notes: list[str]
    timings_ms: dict[str, float]
    analysis: str | None
    table: Table | None = None
    told: Told | None = None
    dialog: Dialog | None = None
    also: Answer | None = None
    """The answer of what else the question asks."""
    explained: Explained | None = None


class Step(Response):
    """A rule that fired, and the question that it was asked."""

    rule: str
    question: str


class Planned(Response):
    """A tree that a question becomes, the object of `reqap-kg plan --json`."""

    plan: str
    in_words: str
    answer_type: str
    unit: str | None
    planner: str
    score: float
    probability: float
    doubt: list[str]
    steps: list[Step]
    notes: list[str]
    analysis: str | None
    score_parts: dict[str, float] | None = None
    also: Planned | None = None


class Plans(Response):
    """Trees that a question may become, the likeliest first."""

    plans: list[Planned]


class Source(Response):
    """One imported source."""

    name: str
    format: str
    digest: str
    imported: str
    records: int
    events: int
    triples: int
    skipped: int
    home_zone: str


class Status(Response):
    """What the store holds."""

    version: str
    generation: str
    quads: int
    sources: list[Source]
    kinds: dict[str, int]
    """How many events there are of each kind."""
    span: list[str] | None
    """The first and the last day of any event."""


class Health(Response):
    """That the service runs."""

    status: str


class ProblemDetails(Response):
    """Why a request was refused or failed (RFC 9457)."""

    type: str
    title: str
    status: int
    reason: str
    """A code for programs."""
    detail: str
    """A sentence for people."""
    line: int | None = None
    column: int | None = None
    expected: str | None = None
    nearest: str | None = None
