"""One frozen settings object, read from a TOML file and the command line; nothing else reads settings."""

from __future__ import annotations

import tomllib
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from .errors import ConfigError

DEFAULT_ENCODER = "sentence-transformers/all-MiniLM-L6-v2"
BUNDLED_READER = "reqap-kg/reader"


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
    """RETRIEVE's pattern classifier: the bundled reader, or a cross-encoder with three classes (none, some, all)."""
    extractor: str = BUNDLED_READER
    """EXTRACT's model: the bundled reader, or name or folder of a sequence-to-sequence model (BART, T5)."""
    lexicons: tuple[Path, ...] = ()
    """Turtle files of ev:Implication entries that are added to the shipped lexicons (docs/lexicons.md)."""
    rules: tuple[Path, ...] = ()
    """Turtle files of patterns and rules that are added to the shipped ones (docs/planner.md)."""
    query_seconds: float = Field(default=60.0, gt=0)
    """Time limit of one SPARQL query."""
    lock_seconds: float = Field(default=10.0, ge=0)
    """How long to wait for a store that another process holds."""
    limits: Limits = Limits()

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
