"""Values as SPARQL terms. Everything that enters a query goes through here, so nothing can break out of its quotes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from ...errors import TreeTypeError
from ...ontology.namespaces import PREFIXES

_LOCAL = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*\Z")
_NOT_IN_IRI = re.compile(r"[\x00-\x20<>\"{}|^`\\]")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_PREFIXED = re.compile(r"\b([a-z]+):[A-Za-z_]")
PLACES = 18
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|<[^<>]*>')


def iri(value: str) -> str:
    """An IRI, with a prefix where one fits. Raises TreeTypeError for a text that is no IRI."""
    fitting = [(base, name) for name, base in PREFIXES.items() if value.startswith(base)]
    if fitting:
        base, name = max(fitting, key=lambda pair: len(pair[0]))
        local = value[len(base) :]
        if _LOCAL.match(local):
            return f"{name}:{local}"
    if not value or _NOT_IN_IRI.search(value):
        raise TreeTypeError(f"not an IRI: {value!r}")
    return f"<{value}>"


def string(text: str) -> str:
    """A plain literal."""
    return '"' + "".join(_ESCAPES.get(sign) or _control(sign) for sign in text) + '"'


def _control(sign: str) -> str:
    return f"\\u{ord(sign):04X}" if ord(sign) < 32 or ord(sign) == 127 else sign


def term(value: Any) -> str:
    """A Python value as a term; a length of time as its seconds. Raises TreeTypeError for a value that has none."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return string(value)
    if isinstance(value, int | Decimal):
        return number(value)
    if isinstance(value, timedelta):
        return number(seconds(value))
    if isinstance(value, datetime):
        return f'"{value.replace(tzinfo=None).isoformat()}"^^xsd:dateTime'
    if isinstance(value, date):
        return f'"{value.isoformat()}"^^xsd:date'
    if isinstance(value, time):
        return f'"{value.replace(tzinfo=None).isoformat()}"^^xsd:time'
    raise TreeTypeError(f"{value!r} cannot stand in a query")


def seconds(value: timedelta) -> int | Decimal:
    """A length of time in seconds, an integer where it is whole."""
    exact = Decimal(value // timedelta(microseconds=1)) / 1_000_000
    return int(exact) if exact == exact.to_integral_value() else exact


def number(value: int | Decimal) -> str:
    """A number as an integer or decimal literal, of as many places as Oxigraph's decimals have."""
    if isinstance(value, int):
        return str(value)
    places = value.as_tuple().exponent
    text = format(round(value, PLACES) if isinstance(places, int) and places < -PLACES else value, "f")
    return text if "." in text else f"{text}.0"


def prefixes_of(lines: Iterable[str]) -> list[str]:
    """PREFIX declarations that the query text needs, sorted."""
    bare = _QUOTED.sub('""', "\n".join(lines))
    used = {name for name in _PREFIXED.findall(bare) if name in PREFIXES}
    return [f"PREFIX {name}: <{PREFIXES[name]}>" for name in sorted(used)]


def bare(text: str) -> str:
    """An expression without brackets around the whole of it."""
    if not text.startswith("(") or not text.endswith(")"):
        return text
    depth, quoted, position = 0, False, 0
    while position < len(text):
        sign = text[position]
        if quoted and sign == "\\":
            position += 1
        elif sign == '"':
            quoted = not quoted
        elif not quoted and sign in "()":
            depth += 1 if sign == "(" else -1
            if depth == 0 and position < len(text) - 1:
                return text
        position += 1
    return text[1:-1]
