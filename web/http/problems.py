"""What is said when a request is refused or fails: problem details (RFC 9457), with a `reason` for programs, and
without the places where files of this machine lie."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.responses import Response

from ...config import Settings
from ...errors import (
    ConfigError,
    DomainError,
    LocatedError,
    ModelUnreachable,
    NotUnderstood,
    Place,
    QueryError,
    QueryTimeout,
    QueryTooLarge,
    ReqapError,
    RuleError,
    StoreBusy,
    StoreError,
    TooLarge,
    TreeSyntaxError,
    TreeTypeError,
    UsageError,
)

_PLACE: Final = "…"
_ANY: Final = re.compile(
    r"(?<![^\s'\"“”:;,()<>])/(?:[^\s/'\"“”:;,()<>]++/)++[^\s/'\"“”:;,()<>]*+|(?<!\w)[A-Za-z]:\\[^\s'\"“”;,()<>]*+"
)
"""An absolute path of two parts or more."""
MEDIA_TYPE: Final = "application/problem+json"
BUSY_SECONDS: Final = 2
"""When to ask again where the service is busy."""
_KINDS: Final[tuple[tuple[type[ReqapError], int, str], ...]] = (
    (NotUnderstood, 422, "not_understood"),
    (UsageError, 422, "usage"),
    (TreeSyntaxError, 422, "tree"),
    (TreeTypeError, 422, "tree"),
    (QueryError, 400, "query"),  # as the SPARQL Protocol has it
    (TooLarge, 422, "too_large"),
    (QueryTooLarge, 422, "too_large"),
    (QueryTimeout, 504, "timeout"),
    (StoreBusy, 503, "busy"),
    (StoreError, 503, "store"),
    (ModelUnreachable, 502, "model_unreachable"),
    (RuleError, 422, "rule"),
    (ConfigError, 500, "configuration"),
    (DomainError, 500, "domain"),
    (ReqapError, 500, "failed"),
)
"""Status and reason of an error; the first that fits."""
_OF_STATUS: Final = {404: ("not_found", "there is nothing here"), 405: ("method", "this is not done by that method")}


class Hidden:
    """Texts and values without these paths; what a message says of others is left out, too."""

    def __init__(self, paths: Iterable[str]) -> None:
        known = sorted({path.rstrip("/\\") for path in paths}, key=len, reverse=True)
        listed = "|".join(re.escape(path) for path in known if len(path) > 1)
        self._known = re.compile(rf"(?<![\w.-])(?:{listed})(?![\w-])") if listed else None

    @classmethod
    def of(cls, directory: Path, settings: Settings) -> Hidden:
        """Hides the folder of the store, and the files and folders that the settings name."""
        return cls([str(directory), str(directory.resolve()), *_named(settings)])

    def message(self, text: str) -> str:
        """What an error says, without any path."""
        return _ANY.sub(_PLACE, self.text(text))

    def text(self, text: str) -> str:
        """A text without the known paths; what else looks like a path may be of the data."""
        return self._known.sub(_PLACE, text) if self._known is not None else text

    def value(self, value: Any) -> Any:
        """A value as JSON can say it, all of its texts without the known paths."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {key: self.value(held) for key, held in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(held) for held in value]
        if isinstance(value, float) and not math.isfinite(value):
            return str(value)
        return value


def _named(settings: Settings) -> Iterator[str]:
    """Absolute paths among the settings."""
    for _, value in settings:
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, Path):
                yield from (str(one), str(one.absolute()), str(one.resolve()))
            elif isinstance(one, str) and Path(one).is_absolute():
                yield one


@dataclass(frozen=True)
class Problem:
    """One refusal: `reason` is a code, `detail` a sentence; `place` says where in a text of the request it is wrong."""

    status: int
    reason: str
    detail: str
    place: Place | None = None
    expected: str | None = None
    nearest: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The body."""
        more = {
            "line": self.place and self.place.line,
            "column": self.place and self.place.column,
            "expected": self.expected,
            "nearest": self.nearest,
        }
        return {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "reason": self.reason,
            "detail": self.detail,
            **{name: value for name, value in more.items() if value is not None},
        }

    def response(self) -> Response:
        """The whole response."""
        return Response(json.dumps(self.as_json()), self.status, dict(self.headers), MEDIA_TYPE)


UNEXPECTED: Final = Problem(500, "unexpected", "an unexpected error, which is a fault of reqap-kg; its log says more")
STOPPED: Final = Problem(409, "stopped", "the work was stopped")


def problem_of(bad: ReqapError, hidden: Hidden) -> Problem:
    """What is said of an error of the error tree."""
    status, reason = next((status, reason) for kind, status, reason in _KINDS if isinstance(bad, kind))
    if isinstance(bad, NotUnderstood):
        reason = bad.reason
    headers = {"Retry-After": str(BUSY_SECONDS)} if isinstance(bad, StoreBusy) else {}
    if not isinstance(bad, LocatedError):
        return Problem(status, reason, hidden.message(str(bad)), headers=headers)
    return Problem(
        status,
        reason,
        hidden.message(bad.message),
        bad.place,
        bad.expected and hidden.message(bad.expected),
        bad.nearest and hidden.message(bad.nearest),
        headers,
    )


def problem_of_status(bad: HTTPException) -> Problem:
    """What is said of a path or a method that there is not."""
    reason, detail = _OF_STATUS.get(bad.status_code, ("request", HTTPStatus(bad.status_code).phrase))
    return Problem(bad.status_code, reason, detail, headers=dict(bad.headers or {}))
