"""What is said when a request is refused or fails: problem details (RFC 9457), with a `reason` for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.responses import Response

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
from .paths import Hidden

MEDIA_TYPE: Final = "application/problem+json"
BUSY_SECONDS: Final = 2
"""When to ask again where the service is busy."""


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


_OF_STATUS: Final = {404: ("not_found", "there is nothing here"), 405: ("method", "this is not done by that method")}


def problem_of_status(bad: HTTPException) -> Problem:
    """What is said of a path or a method that there is not."""
    reason, detail = _OF_STATUS.get(bad.status_code, ("request", HTTPStatus(bad.status_code).phrase))
    return Problem(bad.status_code, reason, detail, headers=dict(bad.headers or {}))
