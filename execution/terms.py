"""Values of the algebra as terms of the graph, and back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from ..compiler.expressions.items import SEPARATOR
from ..ontology.namespaces import XSD
from ..operators.checking.types import Kind, Type
from ..operators.evaluation.values import text_of
from ..store.rdf import Literal, NamedNode

_PLAIN = 26
"""Signs of a moment without a zone, to the microsecond; longer ones may have more digits than can be held."""
PARTS = frozenset({"year", "month", "weekday", "isoweekday", "hour"})
"""Parts of a calendar that an item of a tuple may be; all are integers."""


def exact(text: str, kind: Type) -> Any:
    """A lexical form as the value of a type. Raises ValueError, InvalidOperation where it is none."""
    if kind.kind is Kind.LIST:
        return tuple(sorted(text.split(SEPARATOR)))
    if kind.kind is Kind.TUPLE:
        return _items(text, kind.part or "")
    return _READ.get(kind.kind, str)(text)


def literal(value: Any, kind: Type) -> Literal:
    """A value as a literal of its type; a length of time as its seconds, a tuple as the texts of its items."""
    if kind.kind is Kind.TUPLE:
        return Literal(SEPARATOR.join("" if item is None else _text(item) for item in value))
    if kind.kind is Kind.DATETIME and not isinstance(value, datetime):
        value = datetime.combine(value, time())
    datatype = _DATATYPES.get(kind.kind)
    return Literal(_text(value), datatype=NamedNode(XSD + datatype)) if datatype else Literal(str(value))


def _items(text: str, kinds: str) -> tuple[Any, ...]:
    texts = text.split(SEPARATOR) if text or "," in kinds else []
    named = [kinds[:-1]] * len(texts) if kinds.endswith("*") else kinds.split(",")
    return tuple(
        exact(item, Type(Kind.INT if kind in PARTS else Kind(kind))) if item or kind == Kind.STR else None
        for item, kind in zip(texts, named, strict=False)
    )


def _text(value: Any) -> str:
    if isinstance(value, timedelta):
        value = Decimal(value // timedelta(microseconds=1)) / 1_000_000
    return text_of(value)


def _moment(text: str) -> datetime:
    found = datetime.fromisoformat(text if len(text) <= _PLAIN else re.sub(r"(\.\d{6})\d+", r"\1", text))
    return found if found.tzinfo is None else found.replace(tzinfo=None)


def _length(text: str) -> timedelta:
    return timedelta(microseconds=int(Decimal(text) * 1_000_000))


def _truth(text: str) -> bool:
    return text in ("true", "1")


_READ: Mapping[Kind, Callable[[str], Any]] = {
    Kind.INT: lambda text: int(Decimal(text)),
    Kind.FLOAT: Decimal,
    Kind.BOOL: _truth,
    Kind.DATE: date.fromisoformat,
    Kind.TIME: time.fromisoformat,
    Kind.DATETIME: _moment,
    Kind.DURATION: _length,
}
_DATATYPES: Mapping[Kind, str] = {
    Kind.INT: "integer",
    Kind.FLOAT: "decimal",
    Kind.BOOL: "boolean",
    Kind.DATE: "date",
    Kind.TIME: "time",
    Kind.DATETIME: "dateTime",
    Kind.DURATION: "decimal",
}
