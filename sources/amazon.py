"""Amazon: `Retail.OrderHistory.N.csv` (or `.json`) of "Request your data", one row per item of an order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from .base import BadRecord, Format, Identities, InputFile, ReadContext, Record, Tally, as_told, digest
from .tables import Row, columns_of, rows_of
from .unique_identifiers import UniqueIdentifiers

__all__ = ["FORMAT"]

_NULLS = frozenset({"", "not available", "not applicable"})
_CANCELLED = re.compile(r"cancell?ed", re.IGNORECASE)
_QUOTED = re.compile(r"'(.*)'", re.DOTALL)


def _recognise(file: InputFile) -> float:
    names = set(columns_of(file))
    prices = names & {"Total Owed", "Total Amount", "Unit Price"}
    return 1.0 if {"Order ID", "Order Date", "Product Name"} <= names and prices else 0.0


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Order lines with the export's own nulls as None and its quotes around numbers taken off."""
    identities = Identities()
    tally = Tally(file.path)
    identifiers = UniqueIdentifiers(tally, context, key="Order ID", again="the same order again")
    for row in rows_of(file, context.limits):
        if isinstance(row, BadRecord):
            yield row
            continue
        record = _record(row, file.path)
        if isinstance(record, BadRecord):
            yield record
            continue
        if any(_CANCELLED.fullmatch(str(record.get(key) or "")) for key in ("Order Status", "Shipment Status")):
            tally.add(row.where, "cancelled order")
            continue
        order = str(record.get("Order ID"))
        line = digest([record.get(key) for key in ("ASIN", "Product Name", "Quantity", *_PRICES)])
        record["_id"] = identities.number(f"{order}-{line[:8]}")
        # By day: exports of other years have no time of day.
        if identifiers.take(record, row.where, str(record["Order Date"])[:10], record.get("Product Name")):
            yield record
    yield from tally.report()


_PRICES = ("Unit Price", "Total Owed", "Total Amount")


def _record(row: Row, path: str) -> Record | BadRecord:
    record = as_told((name, _value(text)) for name, text in row.cells.items())
    ordered = record.get("Order Date")
    if not record.get("Order ID") or ordered is None:
        return BadRecord(path, row.where, "no order id or order date")
    try:
        moment = datetime.fromisoformat(ordered)
    except ValueError:
        return BadRecord(path, row.where, f"the order date is no ISO date: {ordered[:60]!r}")
    # The zone is UTC also where an older export leaves the Z out.
    record["Order Date"] = ordered if moment.tzinfo else moment.isoformat() + "Z"
    record["_precision"] = "day" if len(ordered) == len("2020-01-01") else "second"
    record["_certainty"] = "stated" if moment.tzinfo else "assumed"
    return record


def _value(text: str) -> str | None:
    plain = text.strip()
    if (quoted := _QUOTED.fullmatch(plain)) is not None:
        plain = quoted.group(1).strip()
    return None if plain.lower() in _NULLS else plain


FORMAT = Format(
    name="amazon-orders",
    label="Amazon order history",
    map_file="amazon.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _file: "amazon",
)
