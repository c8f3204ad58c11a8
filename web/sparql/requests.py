"""Reads a request of the SPARQL Protocol: the query, what it is about, and how long it may take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request

from ...errors import QueryError
from ...store.sparql.datasets import Dataset
from ..http.problems import Problem

FORM: Final = "application/x-www-form-urlencoded"
QUERY: Final = "application/sparql-query"
_UPDATE: Final = "application/sparql-update"
_CHARSETS: Final = frozenset({"utf-8", "utf8", "us-ascii"})
_MOST_PARAMETERS: Final = 1000
_GRAPHS: Final = ("default-graph-uri", "named-graph-uri")
_KNOWN: Final = frozenset({"query", "update", "timeout", *_GRAPHS})

READ_ONLY: Final = Problem(403, "read_only", "this service answers queries; it runs no SPARQL Update")
_NO_TEXT: Final = "the request holds bytes that are no UTF-8"


@dataclass(frozen=True)
class Asked:
    """What a request asks; `dataset` is what it says beside the query, `seconds` is the limit that it sets itself."""

    query: str
    dataset: Dataset | None
    seconds: float | None


async def read_request(request: Request) -> Asked | Problem | None:
    """What a GET, HEAD or POST asks; None for one that asks nothing, so that it is told what there is.

    Raises QueryError unless it is one query."""
    given = _parameters(request.scope["query_string"])
    if request.method != "POST":
        return _asked(given) if given.keys() & _KNOWN else None
    kind, charset = _media_type(request.headers.get("content-type", ""))
    if kind == _UPDATE:
        return READ_ONLY
    if kind not in (FORM, QUERY):
        return Problem(415, "media_type", f"the body is to be {QUERY} or {FORM}", headers={"Accept-Post": accepted()})
    if charset not in _CHARSETS:
        return Problem(415, "media_type", "the body is to be UTF-8")
    body = await request.body()
    more = _parameters(body) if kind == FORM else {"query": [_decoded(body)]}
    return _asked({name: given.get(name, []) + more.get(name, []) for name in (*given, *more)})


def accepted() -> str:
    """The media types of bodies."""
    return f"{QUERY}, {FORM}"


def _asked(given: Mapping[str, list[str]]) -> Asked | Problem:
    if "update" in given:
        return READ_ONLY
    queries = given.get("query", [])
    if len(queries) != 1:
        raise QueryError(f"the request has {len(queries) or 'no'} queries", expected="one parameter query")
    default, named = (given.get(name, []) for name in _GRAPHS)
    return Asked(queries[0], Dataset.of(default, named) if default or named else None, _seconds(given))


def _seconds(given: Mapping[str, list[str]]) -> float | None:
    said = given.get("timeout", [])
    if not said:
        return None
    try:
        seconds = float(said[0]) if len(said) == 1 else 0.0
    except ValueError:
        seconds = 0.0
    if not seconds > 0:  # also what is no number
        raise QueryError("the timeout is wrong", expected="one number of seconds above 0")
    return seconds


def _parameters(text: bytes) -> dict[str, list[str]]:
    """The values of each parameter."""
    found: dict[str, list[str]] = {}
    try:
        pairs = parse_qsl(_decoded(text), keep_blank_values=True, errors="strict", max_num_fields=_MOST_PARAMETERS)
    except UnicodeDecodeError as bad:
        raise QueryError(_NO_TEXT) from bad
    except ValueError as bad:
        raise QueryError(f"the request has more than {_MOST_PARAMETERS:,} parameters") from bad
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return found


def _decoded(text: bytes) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as bad:
        raise QueryError(_NO_TEXT) from bad


def _media_type(header: str) -> tuple[str, str]:
    """Media type and charset, in small letters; without a charset it is UTF-8."""
    message = Message()
    message["content-type"] = header or "/"
    kind = header.partition(";")[0].strip().lower()
    charset = message.get_param("charset", "utf-8")
    return kind, charset.lower() if isinstance(charset, str) else ""
