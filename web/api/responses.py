"""What the API gives, as types: its document and `docs/reference/json.md` are made of them."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

Plain = str | int | float | bool


class Response(BaseModel):
    """What a response says: nothing but what is named here."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class Event(Response):
    """One event behind an answer."""

    iri: str
    """Its IRI, for `sparql`."""
    type: str
    """The name of its class."""
    source: str
    """The import that it comes from."""
    source_id: str
    """The source's own id of the record (`ev:sourceId`)."""
    start: str | None
    """When it began; null where that is not known."""
    end: str | None
    """When it was over; null for a moment."""
    label: str
    """What it is called; empty where it has no label."""
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
    """Names of the columns: dimensions, then measures."""
    rows: list[list[Plain | None]]
    """The rows, each with a value a column; null where there is none."""


class Told(Response):
    """What of an answer texts alone tell."""

    by_records: list[Plain]
    """The values that records by themselves give."""
    events: list[Event]
    """The events that only texts tell of."""


class Choice(Response):
    """A reply to the dialog: what it is called, how many events it leaves, and the tree that it leads to."""

    label: str
    """What the reply is called."""
    count: int
    """How many events it leaves."""
    tree: str
    """The tree that it leads to, for `ask --plan` and `run`."""


class Frequency(Response):
    """How often a property stands: the share of the answer's events that have it, and triples in all."""

    local: float
    """The share of the answer's events that have the property."""
    triples: int
    """How many triples of the store have it."""


class Way(Response):
    """One way to ask which events are meant."""

    name: str
    """What it asks for, in a word or two."""
    text: str
    """The question to whoever asked."""
    property: str
    """IRI of the property that parts the events."""
    grain: str | None
    """`year`, `month` and the like, for times; else null."""
    choices: list[Choice]
    """The replies."""
    others: Choice | None
    """The reply that takes all that no choice has."""
    frequency: Frequency
    """How often the property stands."""


class Dialog(Response):
    """What is asked about an answer that is too large (docs/answers.md)."""

    size: int
    """How many events the answer has."""
    text: str
    """The one line that is said."""
    name: str = ""
    """What the question asks for, in a word or two."""
    property: str | None
    """IRI of the property that parts the events; null where nothing does."""
    grain: str | None = None
    """`year`, `month` and the like, for times; else null."""
    choices: list[Choice]
    """The replies."""
    others: Choice | None = None
    """The reply that takes all that no choice has."""
    frequency: Frequency | None = None
    """How often the property stands."""
    question: str | None
    """The question to whoever asked; null where none is asked."""
    more: list[Way]
    """Other ways to ask."""
    ranked: list[str]
    """IRIs of the events that are shown first."""
    reason: str
    """Why these come first."""


class Explained(Response):
    """One operator of a tree: its rows, its time, and what was reused."""

    operator: str
    """The operator's name."""
    arguments: str
    """What it was given besides its inputs."""
    rows: int
    """How many rows it gave."""
    ms: float
    """How long it took, in milliseconds, with all below it."""
    how: str
    """`query`, or the derivation whose result was used."""
    below: list[Explained]
    """The operators below it."""


class Answer(Response):
    """An answer, the object of `reqap-kg ask --json`; also of a question that is declined."""

    question: str
    """The question as it was asked."""
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
    """The unit of the values: `km`, `EUR`."""
    text: str
    """The answer in a sentence."""
    read_as: str | None
    """How the question was read, in plain English."""
    plan: str
    """The operator tree that was run."""
    sparql: str
    """The query that it became."""
    planner: str
    """What proposed the tree: `rules`, a model, or `given`."""
    score: float
    """The score of the plan, from 0 to 1."""
    probability: float
    """How likely it is the right answer."""
    doubt: list[str]
    """Sentences that say what is not sure; none where it is sure."""
    basis: str
    """`records`, or `told` where texts count, too."""
    events: list[Event]
    """The events behind the answer."""
    more_events: bool
    """Whether there are more events than those listed."""
    warnings: list[str]
    """What may be wrong with the answer."""
    notes: list[str]
    """How words and keys were read."""
    timings_ms: dict[str, float]
    """Milliseconds: `plan`, `retrieve`, `extract`, `sparql`, `total`."""
    analysis: str | None
    """What the answer tells, for whoever draws it (docs/planner.md, “Analysis types”)."""
    table: Table | None = None
    """The rows, of an answer with several columns."""
    told: Told | None = None
    """What of the answer texts alone tell."""
    dialog: Dialog | None = None
    """What is asked about an answer that is too large."""
    also: Answer | None = None
    """The answer of what else the question asks."""
    explained: Explained | None = None
    """How each operator was computed, where that was asked for."""


class Step(Response):
    """A rule that fired, and the question that it was asked."""

    rule: str
    """The rule's name."""
    question: str
    """The question, or part of one, that it read."""


class Planned(Response):
    """A tree that a question becomes, the object of `reqap-kg plan --json`."""

    plan: str
    """The tree in text form."""
    in_words: str
    """What is answered, in plain English."""
    answer_type: str
    """The type of answer that is expected."""
    unit: str | None
    """The unit of the answer."""
    planner: str
    """What proposed the tree: `rules`, a model, or `given`."""
    score: float
    """The score, from 0 to 1."""
    probability: float
    """How likely it is the right tree."""
    doubt: list[str]
    """Sentences that say what is not sure; none where it is sure."""
    steps: list[Step]
    """The rules that fired, in order."""
    notes: list[str]
    """How words were read."""
    analysis: str | None
    """What the answer tells, for whoever draws it."""
    score_parts: dict[str, float] | None = None
    """`confidence`, `complexity` and `selectivity`, of plans by rules."""
    also: Planned | None = None
    """The plan of what else the question asks."""


class Plans(Response):
    """Trees that a question may become, the likeliest first."""

    plans: list[Planned]
    """The trees."""


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
