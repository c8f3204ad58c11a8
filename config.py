"""One frozen settings object, read from a TOML file and the command line; nothing else reads settings."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from .errors import ConfigError

DEFAULT_ENCODER = "sentence-transformers/all-MiniLM-L6-v2"
BUNDLED_READER = "reqap-kg/reader"
NO_CLASSIFIER = "none"


class Limits(BaseModel):
    """Bounds on hostile input; sizes in bytes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    archive_bytes: int = 64 * 2**30
    """Sum of the unpacked sizes of an archive's members."""
    archive_members: int = 200_000
    archive_ratio: int = 200
    """Unpacked to packed size of one member, beyond the first 10 MiB."""
    record_bytes: int = 32 * 2**20
    """One line of JSONL or CSV, one JSON element, one mail."""
    depth: int = 200
    """Nesting of JSON and XML."""


class PlanningLimits(BaseModel):
    """Bounds on what patterns and rules may cost; what passes one is stopped with an error that names the rule."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    solutions: int = Field(default=5_000, gt=0)
    """Pieces of tree that one rule may build of one question."""
    candidates: int = Field(default=1_000, gt=0)
    """Trees kept of a question as a whole."""
    leaf_candidates: int = Field(default=12, gt=0)
    """Trees kept of each open leaf."""
    questions: int = Field(default=2_000, gt=0)
    """Sub-questions of one question."""
    depth: int = Field(default=24, gt=0)
    """Rules applied one inside the other."""
    rule_seconds: float = Field(default=2.0, gt=0)
    """One rule on one question, or one pattern's transformation."""
    seconds: float = Field(default=20.0, gt=0)
    """Planning one question."""


class Ranking(BaseModel):
    """How trees are ranked (QUASL, section VII): the weights of the three parts, and θ, how much a match counts.

    `theta` is by kind of annotation (Class, Property, Value, …, as in docs/planner.md) and, for complexity, by operator
    (qud:Filter, …) and qud:name for further attributes of one; what is not named counts 1.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    confidence: float = Field(default=0.6, ge=0)
    complexity: float = Field(default=0.2, ge=0)
    selectivity: float = Field(default=0.2, ge=0)
    theta: dict[str, float] = Field(default_factory=dict)
    complexity_scale: float = Field(default=8.0, gt=0)
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


class Settings(BaseModel):
    """What a user may set. `home_zone` is the person's time zone: times become wall-clock times there."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    home_zone: str | None = None
    """IANA name; when unset, the profile's time zone, then the calendar's, then the machine's is used."""
    horizon_days: int = Field(default=366, ge=0)
    """How far beyond now recurring calendar entries are expanded."""
    encoder: str = DEFAULT_ENCODER
    """Name or folder of a sentence-transformers model."""
    classifiers: bool = True
    """Whether RETRIEVE's classifiers decide; without, a search goes by words and meaning alone."""
    event_classifier: str = BUNDLED_READER
    """RETRIEVE's event classifier: the bundled reader, or name or folder of a cross-encoder with one score."""
    pattern_classifier: str = BUNDLED_READER
    """RETRIEVE's pattern classifier: the bundled reader, or a cross-encoder with three classes (none, some, all);
    "none" classifies every candidate event by itself."""
    extractor: str = BUNDLED_READER
    """EXTRACT's model: the bundled reader, or name or folder of a sequence-to-sequence model (BART, T5)."""
    read_texts: bool = True
    """Whether EXTRACT reads values from texts; without, it has the events' own keys alone."""
    lexicons: tuple[Path, ...] = ()
    """Turtle files of ev:Implication entries that are added to the shipped lexicons (docs/lexicons.md)."""
    rules: tuple[Path, ...] = ()
    """Turtle files of patterns and rules that are added to the shipped ones (docs/planner.md)."""
    domain: Path | None = None
    """Folder of the domain that the store is about (docs/planner.md); personal events without."""
    query_seconds: float = Field(default=60.0, gt=0)
    """Time limit of one SPARQL query."""
    lock_seconds: float = Field(default=10.0, ge=0)
    """How long to wait for a store that another process holds."""
    limits: Limits = Limits()
    planning: PlanningLimits = PlanningLimits()
    ranking: Ranking = Ranking()

    @field_validator("home_zone")
    @classmethod
    def _known_zone(cls, value: str | None) -> str | None:
        if value is not None:
            zone(value)
        return value


def zone(name: str) -> ZoneInfo:
    """The time zone of an IANA name. Raises ConfigError for a name that is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, IsADirectoryError) as bad:
        raise ConfigError(f"unknown time zone {name!r}; expected an IANA name such as Europe/Dublin") from bad


def load_settings(path: Path | None) -> Settings:
    """Settings of a TOML file, or the defaults without one. Raises ConfigError naming the key that is wrong."""
    if path is None or not path.exists():
        return Settings()
    try:
        return Settings.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except tomllib.TOMLDecodeError as bad:
        raise ConfigError(f"{path}: {bad}") from bad
    except ValidationError as bad:
        first = bad.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ConfigError(f"{path}: {where}: {first['msg']}") from bad
