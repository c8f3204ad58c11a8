"""One frozen settings object, read from a TOML file and the command line; nothing else reads settings. Its
tables are in `parts.py`."""

from __future__ import annotations

import errno
import os
import stat
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Any, BinaryIO, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from ..errors import ConfigError
from .parts import (
    LONGEST,
    NO_ACCESS,
    Access,
    AnswerDialog,
    LanguageModel,
    Limits,
    Mcp,
    PlanningLimits,
    Ranking,
    Service,
)

DEFAULT_ENCODER = "sentence-transformers/all-MiniLM-L6-v2"
BUNDLED_READER = "reqap-kg/reader"
NO_CLASSIFIER = "none"
ProposerName = Literal["rules", "model", "language-model"]
RULES, MODEL, LANGUAGE_MODEL = "rules", "model", "language-model"
CAUSAL_SIZES = {
    "S": "HuggingFaceTB/SmolLM2-360M-Instruct",
    "M": "meta-llama/Llama-3.2-1B-Instruct",
    "L": "meta-llama/Llama-3.2-3B-Instruct",
}
"""Larger models of the paper's Table 9 by size, for those who have their weights."""
SMALLEST = "XS"
"""The smallest, SmolLM2-135M-Instruct: its adapter is shipped, its weights come with `models install`."""

_OWN_BYTES = 2**24
"""The longest text that a person writes: rules, lexicons, maps, an ontology."""
_SETTINGS_BYTES = 2**16
_MOST_DOTS = 200
"""In one line of TOML: a key of thousands of parts takes the parser quadratic time and memory."""
_MOST_READ = 500_000
"""Characters read again to find the line on which a wrong setting stands: a value of many lines is read for each."""


class Settings(BaseModel):
    """What a user may set. `home_zone` is the person's time zone: times become wall-clock times there."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    home_zone: str | None = None
    """IANA name; when unset, the profile's time zone, then the calendar's, then the machine's is used."""
    locale: str = "en_GB"
    """How answers write numbers, money and dates: a locale of CLDR such as en_US or de_DE; words stay English."""
    horizon_days: int = Field(default=366, ge=0, le=36_525)
    """How far beyond now recurring calendar entries are expanded."""
    session_gap_minutes: float = Field(default=20.0, gt=0, le=LONGEST)
    """A longer pause in a chat begins a new session; it counts when a chat is imported."""
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
    proposers: tuple[ProposerName, ...] = Field(default=(RULES, MODEL), min_length=1)
    """What proposes trees, in the order in which it is asked: rules, the small model, the language model."""
    causal_model: str | None = None
    """A causal language model whose logical forms join those of the bundled parser: XS, or a folder that
    `training.causal` wrote (docs/models-planning.md)."""
    models_folder: Path | None = None
    """Where `models install` puts weights; in the command line's use the user's data folder, where none is set."""
    one_shot: bool = False
    """Whole trees in one step, without recursion."""
    least_guess: float = Field(default=0.7, ge=0, le=1)
    """Score below which what a model proposed is not answered."""
    language_model: LanguageModel = LanguageModel()
    read_texts: bool = True
    """Whether EXTRACT reads values from texts; without, it has the events' own keys alone."""
    lexicons: tuple[Path, ...] = ()
    """Turtle files of ev:Implication entries that are added to the shipped lexicons (docs/lexicons.md)."""
    rules: tuple[Path, ...] = ()
    """Turtle files of patterns and rules that are added to the shipped ones (docs/planner.md)."""
    domain: Path | None = None
    """Folder of the domain that the store is about (docs/planner.md); personal events without."""
    neighbourhood: Literal["paper", "strict"] = "paper"
    """What of an event's neighbourhood `related` knows: all of it, or what was there when the event was over."""
    keep_dialogue: bool = True
    """Whether `chat` and `Dialogue` store what was asked and answered, so that one can ask about it later."""
    workers: int = Field(default=1, ge=1, le=1_000)
    """Processes that imports, the reading of texts and RETRIEVE's classifiers are shared among; on Ray, the processors
    of a local cluster."""
    ray: str | None = None
    """Address of a Ray cluster that does this in their place: host:port, "auto", or "local" (docs/scale.md)."""
    query_seconds: float = Field(default=60.0, gt=0, le=LONGEST)
    """Time limit of one SPARQL query."""
    lock_seconds: float = Field(default=10.0, ge=0, le=LONGEST)
    """How long to wait for a store that another process holds."""
    access: Access = NO_ACCESS
    """How a remote store lets one in; user, password and token come from the environment (docs/scale.md)."""
    limits: Limits = Limits()
    planning: PlanningLimits = PlanningLimits()
    ranking: Ranking = Ranking()
    dialog: AnswerDialog = AnswerDialog()
    resident: bool = False
    """Whether a question starts the resident service in the background, which later ones use (docs/service.md)."""
    service: Service = Service()
    mcp: Mcp = Mcp()

    @property
    def asked_proposers(self) -> tuple[ProposerName, ...]:
        """The proposers; a language model that has an address comes last if nothing was said of proposers."""
        named = "proposers" in self.model_fields_set
        more: tuple[ProposerName, ...] = (LANGUAGE_MODEL,) if self.language_model.address and not named else ()
        return (*self.proposers, *more)

    @field_validator("locale")
    @classmethod
    def _known_locale(cls, value: str) -> str:
        from babel.core import Locale, UnknownLocaleError

        try:
            return str(Locale.parse(value.replace("-", "_")))
        except (UnknownLocaleError, ValueError) as bad:
            raise ValueError(f"{value!r} is no locale; expected one such as en_GB, en_US or de_DE") from bad

    @field_validator("home_zone")
    @classmethod
    def _known_zone(cls, value: str | None) -> str | None:
        if value is not None:
            try:
                zone(value)
            except ConfigError as bad:
                raise ValueError(str(bad)) from bad  # so that it is told with the line of the setting
        return value


def with_access(settings: Settings, environment: Mapping[str, str]) -> Settings:
    """Settings with what lets one in at a remote store, from the environment."""
    said = {name: environment.get(f"REQAP_KG_SPARQL_{name.upper()}") for name in ("user", "password", "token")}
    given = {name: value for name, value in said.items() if value}
    if not given:
        return settings
    return settings.model_copy(update={"access": Access(**{**settings.access.model_dump(), **given})})


def zone(name: str) -> ZoneInfo:
    """The time zone of an IANA name. Raises ConfigError for a name that is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as bad:
        raise ConfigError(f"unknown time zone {name!r}; expected an IANA name such as Europe/Dublin") from bad


@contextmanager
def opened_own(path: Path) -> Iterator[BinaryIO]:
    """Open a file that a person wrote. Raises OSError for anything but a regular file: a device never ends, and a named
    pipe blocks until something writes to it."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except ValueError as bad:
        raise OSError(errno.EINVAL, "a name that no file has") from bad
    with open(handle, "rb") as stream:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is no plain file")
        yield stream


def own_bytes(path: Path, most: int = _OWN_BYTES) -> bytes:
    """What stands in a file that a person wrote. Raises OSError where it is no plain file, or longer than `most`."""
    with opened_own(path) as stream:
        held = stream.read(most + 1)
    if len(held) > most:
        raise OSError(errno.EFBIG, f"it is longer than {most} bytes")
    return held


def own_text(path: Path, most: int = _OWN_BYTES) -> str:
    """The text of a file that a person wrote, in UTF-8. Raises OSError as `own_bytes` does, and UnicodeDecodeError."""
    return own_bytes(path, most).decode("utf-8").replace("\r\n", "\n")


def load_settings(path: Path | None) -> Settings:
    """Settings of a TOML file, or the defaults without one.

    Raises ConfigError with the file, the line and the key that is wrong, and the nearest setting for an unknown one.
    """
    if path is None or not path.exists():
        return Settings()
    text = ""
    try:
        text = own_text(path, _SETTINGS_BYTES)
        return Settings.model_validate(read_toml(text))
    except (OSError, UnicodeDecodeError) as bad:
        raise ConfigError(f"{path} cannot be read: {bad}") from bad
    except ValidationError as bad:
        first = bad.errors()[0]
        line = _line_of(text, first["loc"])
        where = f"{path}:{line}" if line else str(path)
        raise ConfigError(f"{where}: {_told(first['loc'], first['type'], first['msg'])}") from bad
    except ValueError as bad:  # no TOML, nested too deeply, or a number of too many digits
        raise ConfigError(f"{path}: {bad}") from bad


def read_toml(text: str) -> dict[str, Any]:
    """What a short TOML text says. Raises ValueError where it is none, or has a key of hundreds of parts."""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.count(".") > _MOST_DOTS:
            raise ValueError(f"line {number} has more than {_MOST_DOTS} dots")
    try:
        return tomllib.loads(text)
    except RecursionError as bad:
        raise ValueError("nested too deeply") from bad


def _told(place: tuple[int | str, ...], kind: str, message: str) -> str:
    """What is wrong with the setting at a place, in words."""
    name = ".".join(map(str, place))
    message = message.removeprefix("Value error, ")
    if kind != "extra_forbidden":
        return f"{name}: {message}" if name else message
    known = _settings_beside(place)
    near = get_close_matches(str(place[-1]), known, n=1, cutoff=0.6)
    more = f"did you mean {near[0]}?" if near else f"settings here are {', '.join(sorted(known))}"
    return f"there is no setting {name}; {more}"


def _settings_beside(place: tuple[int | str, ...]) -> list[str]:
    """Names of the settings in the table that a place is in."""
    table: type[BaseModel] = Settings
    for name in place[:-1]:
        inner = table.model_fields[str(name)].annotation
        if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
            return []
        table = inner
    return list(table.model_fields)


def _line_of(text: str, place: tuple[int | str, ...]) -> int | None:
    """The line at which the setting of a place begins: the first without which the file does not have it."""
    lines = text.splitlines(keepends=True)
    without, high, left = 0, len(lines), _MOST_READ
    while without < high:
        middle = end = (without + high) // 2
        read: dict[str, Any] | None = None
        while end < high and (read := _read_lines(lines[: end + 1])) is None:
            end += 1  # the value goes on in the next line
            left -= sum(map(len, lines[:end]))
            if left < 0:
                return None
        if end >= high or _has(read, place):
            high = middle
        else:
            without = end + 1
    return without + 1 if without < len(lines) else None


def _read_lines(lines: list[str]) -> dict[str, Any] | None:
    try:
        return tomllib.loads("".join(lines))
    except tomllib.TOMLDecodeError:
        return None


def _has(read: Any, place: tuple[int | str, ...]) -> bool:
    """Whether a table has what a place names, as far as it names tables."""
    for name in place:
        if not isinstance(read, dict):
            return True
        if name not in read:
            return False
        read = read[name]
    return True
