"""PayPal's activity as CSV, in several languages.

Rows that only move money between the account and a bank, convert it or hold it back are left out: the payment itself is
another row.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ...errors import SourceError
from ..base import BadRecord, Format, InputFile, ReadContext, Record, Tally, as_told
from ..day_order import DayOrder, infer_order
from ..peek import csv_columns
from ..tables import Row, csv_rows
from ..unique_identifiers import UniqueIdentifiers
from .amounts import DecimalSigns, amount, currency_of
from .bank_days import day_text, moment_of
from .transactions import NOTHING, transaction

__all__ = ["FORMAT"]

_NAMES: Final = {
    "day": "date|datum|fecha|data",
    "time": "time|uhrzeit|hora|heure|ora|tijd",
    "zone": "timezone|time zone|zeitzone|zona horaria|fuseau horaire|fuso orario|tijdzone",
    "name": "name|nombre|nom|nome|naam",
    "kind": "type|typ|tipo|beschreibung|description|descripción|descrizione",
    "status": "status|estado|état|stato",
    "currency": "currency|währung|divisa|devise|valuta",
    "gross": "gross|brutto|bruto|brut|avant commission|lordo|amount",
    "identifier": "transaction id|transaktionscode|id. de transacción|numéro de transaction|codice transazione",
    "item": "item title|artikelbezeichnung|subject|betreff|título del artículo|titre de l'objet",
    "note": "note|hinweis|nota|remarque",
    "impact": "balance impact|auswirkung auf guthaben|impact sur le solde",
}
_NEEDED: Final = ("day", "time", "currency", "gross", "identifier", "name")
_DONE: Final = frozenset(
    ("", "completed", "abgeschlossen", "completado", "terminé", "completata", "refunded", "partially refunded")
)
_BETWEEN: Final = (
    "currency conversion", "währungsumrechnung", "bank deposit", "bankgutschrift", "card deposit", "authorization",
    "autorisierung", "account hold", "reversal of general account hold", "einbehaltung", "user initiated withdrawal",
    "withdrawal to", "general withdrawal", "allgemeine abbuchung", "von nutzer eingeleitete abbuchung",
    "transfer to bank", "payment hold", "payment release",
)  # fmt: skip
_ZONES: Final = {
    "PST": "America/Los_Angeles", "PDT": "America/Los_Angeles", "MST": "America/Denver", "MDT": "America/Denver",
    "CST": "America/Chicago", "CDT": "America/Chicago", "EST": "America/New_York", "EDT": "America/New_York",
    "BST": "Europe/London", "CET": "Europe/Berlin", "CEST": "Europe/Berlin", "MEZ": "Europe/Berlin",
    "MESZ": "Europe/Berlin", "AEST": "Australia/Sydney", "AEDT": "Australia/Sydney",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Reading:
    """How the file is written: its columns by what they hold, the order of its days, its decimal sign."""

    columns: dict[str, str]
    order: DayOrder
    sign: str

    def cell(self, row: Row, role: str) -> str:
        name = self.columns.get(role)
        return row.cells[name].strip() if name is not None else ""


def _columns(file: InputFile) -> dict[str, str]:
    """The columns by what they hold; empty for another table."""
    header = csv_columns(file.head())
    folded = {name.casefold().strip(): name for name in reversed(header[1])} if header is not None else {}
    found: dict[str, str] = {}
    for role, names in _NAMES.items():
        known = names.split("|")
        name = next((folded[one] for one in known if one in folded), None)
        if name is not None:
            found[role] = name
    return found if all(role in found for role in _NEEDED) else {}


def _recognise(file: InputFile) -> float:
    return 0.95 if _columns(file) else 0.0


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Payments and income in the order of the file."""
    reading = _reading(file, context)
    tally = Tally(file.path)
    key = reading.columns["identifier"]
    identifiers = UniqueIdentifiers(tally, context, key=key, again="the same transaction again")
    for row in csv_rows(file, context.limits):
        record = row if isinstance(row, BadRecord) else _transaction(row, reading, context)
        if isinstance(record, str):
            tally.add(row.where, record)
        elif isinstance(record, BadRecord):
            yield record
        elif identifiers.take(record, row.where, record["_start"], record["_amount"], record["_label"]):
            if not reading.order.certain:
                reason = f"nothing in the file tells day from month: read as {reading.order.order}"
                tally.add(row.where, reason, key=reading.columns["day"])
            yield record
    yield from tally.report()


def _reading(file: InputFile, context: ReadContext) -> _Reading:
    columns, signs = _columns(file), DecimalSigns()
    if not columns:
        raise SourceError(f"{file.path}: expected the columns of PayPal's activity")
    days: dict[str, None] = {}
    for row in csv_rows(file, context.limits):
        if isinstance(row, Row):
            days[day_text(row.cells[columns["day"]])] = None
            signs.add(row.cells[columns["gross"]])
    if not days:
        raise SourceError(f"{file.path}: there are no transactions in it")
    last = datetime.fromisoformat(context.now).date() + timedelta(days=2)
    return _Reading(columns, infer_order(list(days), date(1998, 12, 1), last), signs.sign("."))


def _transaction(row: Row, reading: _Reading, context: ReadContext) -> Record | str:
    """The record of a row, or why there is none."""
    cells = {role: reading.cell(row, role) for role in _NAMES}
    kind = cells["kind"].casefold()
    if cells["impact"].casefold() == "memo" or any(part in kind for part in _BETWEEN):
        return "money that is moved, converted or held back, not paid to anybody"
    if cells["status"].casefold() not in _DONE:
        return f"not completed ({cells['status']:.30})"
    at = moment_of(f"{cells['day']} {cells['time']}", reading.order)
    signed = amount(cells["gross"], reading.sign)
    if at is None:
        return f"no day in the order {reading.order.order}: {cells['day']!r:.60}"
    if signed is None:
        return f"no amount: {cells['gross']!r:.60}"
    if signed == 0:
        return NOTHING
    zone = _zone(cells["zone"])
    if isinstance(at, datetime) and zone is not None:
        at = at.replace(tzinfo=zone).astimezone(context.home_zone).replace(tzinfo=None)
    record = transaction(
        at,
        signed,
        other=cells["name"],
        memo=cells["item"] or cells["note"],
        currency=currency_of(cells["currency"]),
        kind=cells["kind"],
        certain=reading.order.certain and zone is not None,
    )
    kept = as_told(
        (name, text.strip() or None) for name, text in row.cells.items() if name not in reading.columns.values()
    )
    return kept | record | {"_id": cells["identifier"][:200] or f"row-{row.where.split()[-1]}"}


def _zone(name: str) -> tzinfo | None:
    """The zone that a cell names; None for none that is known."""
    if name.upper() in ("UTC", "GMT"):
        return UTC
    try:
        return ZoneInfo(_ZONES.get(name.upper(), name)) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


FORMAT = Format(
    name="paypal",
    label="PayPal activity",
    map_file="money.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _file: "paypal",
)
