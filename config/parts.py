"""The tables of the settings: bounds, planning, ranking, the language model, the answer dialog, the service."""

from __future__ import annotations

from typing import Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator

EARLIEST, LATEST = 1900, 2200
"""The years in which one may ask."""
_MOST_BYTES = 2**50
_MOST = 10**9
LONGEST = 10**7
"""Upper bounds of settings, of seconds a third of a year: larger numbers are slips, which clocks and readers refuse."""


class Access(BaseModel):
    """What lets one in at a remote store, which the environment says, and how long its answers are waited for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    user: str | None = None
    password: SecretStr | None = None
    token: SecretStr | None = None
    """A bearer token, in place of user and password."""
    seconds: float = Field(default=60.0, gt=0, le=LONGEST)
    """Time limit of a request that has no other."""


NO_ACCESS: Final = Access()
"""For a store that lets anybody in."""


class Limits(BaseModel):
    """Bounds on hostile input; sizes in bytes. Those on archives hold for all archives of one import together."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    archive_bytes: int = Field(default=2**40, gt=0, le=_MOST_BYTES)
    """What one archive announces, and what comes out of all of them."""
    archive_members: int = Field(default=500_000, gt=0, le=_MOST)
    archive_ratio: int = Field(default=200, gt=0, le=_MOST)
    """Unpacked to packed size, of one member and of all together, beyond `archive_free_bytes`."""
    archive_free_bytes: int = Field(default=4 * 2**20, ge=0, le=_MOST_BYTES)
    """Small files of zeros are common and harmless."""
    archive_depth: int = Field(default=2, ge=1, le=20)
    """Archives inside one another."""
    import_seconds: float = Field(default=3_600.0, gt=0, le=LONGEST)
    """Processor time of one import, after which no further file is read; half of it for telling formats."""
    recognise_seconds: float = Field(default=5.0, gt=0, le=LONGEST)
    """Processor time in which the format of one file is told."""
    record_bytes: int = Field(default=32 * 2**20, gt=0, le=_MOST_BYTES)
    """One line of JSONL or CSV, one JSON element, one mail, one calendar entry, one note."""
    record_keys: int = Field(default=10_000, gt=0, le=_MOST)
    """Keys of one record, also inside its values: of a JSON object, columns, attributes, headers, properties."""
    record_values: int = Field(default=100_000, gt=0, le=_MOST)
    """Values of one record, those in lists counted one by one."""
    element_attributes: int = Field(default=1_000, gt=0, le=_MOST)
    """Attributes of one XML element; the parser's own look-up of them takes quadratic time."""
    file_occurrences: int = Field(default=100_000, gt=0, le=_MOST)
    """Occurrences of recurring entries in one calendar file; one of a rule finer than daily counts tenfold."""
    field_characters: int = Field(default=4 * 2**20, gt=0, le=_MOST_BYTES)
    """One text value, or one key."""
    source_keys: int = Field(default=50_000, gt=0, le=_MOST)
    """Different keys that no map names in one source: each becomes a property of its own."""
    depth: int = Field(default=200, gt=0, le=500)
    """Nesting of JSON and XML."""
    map_seconds: float = Field(default=10.0, gt=0, le=LONGEST)
    """Processor time of one run of a user's own map; `map_seconds_per_mib` comes on top for each MiB of its files."""
    map_seconds_per_mib: float = Field(default=20.0, ge=0, le=LONGEST)
    """Of a packed file, those on disk count."""
    map_growth: int = Field(default=2_000, gt=0, le=10**6)
    """Bytes of triples that one run of a user's own map may make of each byte of its files, beyond 16 MiB."""
    map_bytes: int = Field(default=4 * 2**30, gt=0, le=_MOST_BYTES)
    """Memory that one run of a user's own map may take."""


class PlanningLimits(BaseModel):
    """Bounds on what patterns and rules may cost; what passes one is stopped with an error that names the rule."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    solutions: int = Field(default=5_000, gt=0, le=_MOST)
    """Pieces of tree that one rule may build of one question."""
    candidates: int = Field(default=1_000, gt=0, le=_MOST)
    """Trees kept of a question as a whole."""
    leaf_candidates: int = Field(default=12, gt=0, le=_MOST)
    """Trees kept of each open leaf."""
    questions: int = Field(default=2_000, gt=0, le=_MOST)
    """Sub-questions of one question."""
    depth: int = Field(default=24, gt=0, le=500)
    """Rules applied one inside the other."""
    rule_seconds: float = Field(default=2.0, gt=0, le=LONGEST)
    """One rule on one question, or one pattern's transformation or look-up."""
    seconds: float = Field(default=20.0, gt=0, le=LONGEST)
    """Planning one question."""

    def patient(self, times: float) -> Self:
        """The same where every query takes so many times as long."""
        return self.model_copy(update={"rule_seconds": self.rule_seconds * times, "seconds": self.seconds * times})


class Ranking(BaseModel):
    """How trees are ranked (QUASL, section VII): the weights of the three parts, and θ, how much a match counts.

    `theta` is by kind of annotation (Class, Property, Value, …, as in docs/planner.md) and, for complexity, by operator
    (qud:Filter, …) and qud:name for further attributes of one; what is not named counts 1.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    confidence: float = Field(default=0.6, ge=0, le=LONGEST)
    complexity: float = Field(default=0.2, ge=0, le=LONGEST)
    selectivity: float = Field(default=0.2, ge=0, le=LONGEST)
    theta: dict[str, float] = Field(default_factory=dict)
    complexity_scale: float = Field(default=8.0, gt=0, le=LONGEST)
    """Weighted objects of a tree that make its complexity 1 - 1/e; more of them are always more complex."""
    unused: float = Field(default=0.5, ge=0, le=1)
    """How much a content word that no match of a tree explains counts against its confidence."""

    @field_validator("theta")
    @classmethod
    def _between_0_and_1(cls, value: dict[str, float]) -> dict[str, float]:
        wrong = [kind for kind, weight in value.items() if not 0 <= weight <= 1]
        if wrong:
            raise ValueError(f"theta of {wrong[0]} must be between 0 and 1")
        return value

    @model_validator(mode="after")
    def _some_weight(self) -> Self:
        if self.confidence + self.complexity + self.selectivity <= 0:
            raise ValueError("one of confidence, complexity and selectivity must have a weight")
        return self


class LanguageModel(BaseModel):
    """A language model behind an OpenAI-compatible address; without an address there is none.

    Only questions, and what the model itself made of them, are sent there (docs/models-planning.md); of `bench generate
    --verbalise`, invented texts.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    address: str | None = None
    """Up to `/v1`: http://127.0.0.1:8080/v1."""
    model: str = "default"
    key_env: str | None = None
    """Environment variable that holds the key; the command line reads it."""
    key: SecretStr | None = None
    samples: int = Field(default=3, ge=1, le=16)
    """Proposals asked for at each step."""
    temperature: float = Field(default=0.1, ge=0, le=2)
    seconds: float = Field(default=30.0, gt=0, le=LONGEST)
    """One request."""
    answer_tokens: int = Field(default=400, ge=16, le=_MOST)
    examples: int = Field(default=8, ge=0, le=_MOST)
    """Worked decompositions shown at each step, the nearest ones."""

    @field_validator("address")
    @classmethod
    def _http(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("http://", "https://")):
            raise ValueError("expected an address such as http://127.0.0.1:8080/v1")
        return value


class AnswerDialog(BaseModel):
    """When an answer is too large, and how it is asked about (docs/answers.md); the defaults of the first two are those
    of Pinheiro, Casanova and Menendez."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    frequency: float = Field(default=0.4, ge=0, le=1)
    """Least share of an answer's events that have a property which is asked about."""
    choices: int = Field(default=5, ge=2, le=20)
    """Most values of a property that a question names; of more, groups are made."""
    answer_rows: int = Field(default=10, ge=1, le=_MOST)
    """Rows up to which an answer is shown as it is."""


class Service(BaseModel):
    """The resident service (docs/service.md)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    port: int = Field(default=7378, ge=0, le=65_535)
    """Where it listens; 0 takes any that is free."""
    idle_minutes: float = Field(default=30.0, gt=0, le=LONGEST)
    """How long a service that `resident` started stays without a question."""
    origins: tuple[str, ...] = ()
    """Origins such as http://localhost:3000 whose pages may ask it from a browser (CORS); none without."""
    request_bytes: int = Field(default=2**20, gt=0, le=_MOST_BYTES)
    """The longest request."""
    requests_per_minute: int = Field(default=600, gt=0, le=_MOST)
    """Requests of one address and minute; those of the socket do not count."""


class Mcp(BaseModel):
    """What assistants are given (docs/service.md)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    most_events: int = Field(default=20, ge=0, le=1_000)
    """Events, and rows, of one call."""
    tools: tuple[Literal["ask", "plan", "run_tree", "sparql", "describe_data", "evidence"], ...] = (
        "ask", "plan", "run_tree", "sparql", "describe_data", "evidence"
    )  # fmt: skip
    """The tools that there are. `sparql` gives whatever a query asks for, fields or not."""
    fields: tuple[Literal["label", "type", "start", "end", "source", "source_id", "text"], ...] = (
        "label", "type", "start", "end", "source"
    )  # fmt: skip
    """What is told of an event."""
    text_characters: int = Field(default=500, ge=0, le=_MOST)
    """Characters of each text."""
