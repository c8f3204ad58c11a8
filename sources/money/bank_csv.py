"""Statements of banks as CSV, whatever the bank: which column holds what is guessed from its name, the order of day and
month, the decimal sign and which sign means paying from all rows together. The guess stands in the report.

Lines before the header (a bank's name, a balance) are read over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from io import BytesIO
from itertools import islice
from typing import Any, Final

from ...config import Limits
from ...errors import SourceError
from ..base import BadRecord, Format, Identities, InputFile, ReadContext, Record, Tally, as_told, digest
from ..day_order import DayOrder, infer_order
from ..peek import csv_columns, encoding_of
from ..tables import Row, csv_rows
from ..unique_identifiers import UniqueIdentifiers
from .amounts import DecimalSigns, amount, currency_of
from .bank_columns import Columns, columns_among
from .bank_days import day_text, moment_of
from .transactions import INCOME, NOTHING, PAYMENT, transaction

__all__ = ["FORMAT", "Table", "table_of"]

_PREAMBLE: Final = 40
"""Lines that may stand before the header."""
_LOOKED_AT: Final = 30
"""Rows in which a recogniser looks for days and amounts."""
_HEADERS: Final = (b"dat", b"buchung", b"valuta", b"wertstellung", b"fecha", b"day")
"""Some of these is in each header."""
_DAYS_KEPT: Final = 100_000
_BEGAN: Final = date(1970, 1, 1)
_PAID_WORDS: Final = """
    debit d dr s soll ausgang af out outgoing dbit withdrawal paid charge ausgabe lastschrift
"""
_GOT_WORDS: Final = """
    credit c cr h haben eingang bij in incoming crdt deposit received einnahme gutschrift
"""
_PAID: Final = frozenset(_PAID_WORDS.split())
_GOT: Final = frozenset(_GOT_WORDS.split())
_UNFINISHED: Final = frozenset(
    ("pending", "reverted", "declined", "failed", "cancelled", "canceled", "vorgemerkt", "umsatz vorgemerkt")
)


class Table:
    """A file from the line of its header on."""

    def __init__(self, file: InputFile, columns: Columns, skipped: int, lines: int) -> None:
        self._file = file
        self.columns = columns
        self._skipped = skipped
        self._lines = lines

    @property
    def path(self) -> str:
        return self._file.path

    @property
    def size(self) -> int:
        return self._file.size - self._skipped

    def open(self) -> Any:
        stream = self._file.open()
        stream.read(self._skipped)
        return stream

    def head(self, size: int = 65536) -> bytes:
        return self._file.head(size + self._skipped)[self._skipped :]

    def rows(self, context: ReadContext) -> Iterator[Row | BadRecord]:
        """The rows, each with its line in the whole file."""
        for row in csv_rows(self, context.limits):
            line = int(row.where.removeprefix("line ")) + self._lines
            where = f"line {line}"
            yield BadRecord(row.path, where, row.reason) if isinstance(row, BadRecord) else Row(where, row.cells)


def table_of(file: InputFile) -> Table | None:
    """The table of transactions in a file; None where there is none."""
    head = file.head()
    at = 0
    for line in range(_PREAMBLE if encoding_of(head) != "utf-16" else 1):
        end = head.find(b"\n", at)
        header = csv_columns(head[at:]) if not line or _may_be_header(head[at:end]) else None
        columns = columns_among(header[1]) if header is not None else None
        if columns is not None:
            return Table(file, columns, at, line)
        if end < 0:
            return None
        at = end + 1
    return None


def _may_be_header(line: bytes) -> bool:
    """A quick look before the line is read as columns."""
    small = line.lower()
    return any(sign in small for sign in (b",", b";", b"\t")) and any(word in small for word in _HEADERS)


@dataclass(frozen=True, slots=True)
class _Profile:
    """How a file writes its days and amounts."""

    columns: Columns
    order: DayOrder
    sign: str
    signed: bool
    """Whether any amount is negative; else a column says which are paid, or all are."""
    kinds: bool
    """Whether a column says which amounts were paid."""

    def told(self) -> str:
        order = {"DMY": "the day first", "MDY": "the month first", "YMD": "the year first"}[self.order.order]
        sign = "a decimal comma" if self.sign == "," else "a decimal point"
        text = f"read by its columns: {self.columns.told()}; {order}, {sign}"
        if self.signed or self.columns.amount is None:
            return text
        return text + (
            "; the kind says what was paid" if self.kinds else "; no amount is negative: all are read as payments"
        )


def _recognise(file: InputFile) -> float:
    table = table_of(file)
    if table is None:
        return 0.0
    return 0.5 if _has_rows(table) else 0.0


class _Beginning(Table):
    """The first bytes of a table as all of it."""

    def open(self) -> Any:
        return BytesIO(self.head())


def _has_rows(table: Table) -> bool:
    """Whether a row in the file's beginning has a day and an amount."""
    rows = csv_rows(_Beginning(table, table.columns, 0, 0), Limits())
    return any(isinstance(row, Row) and _is_dated(row, table.columns) for row in islice(rows, _LOOKED_AT))


def _is_dated(row: Row, columns: Columns) -> bool:
    day = row.cells.get(columns.day, "")
    orders = (DayOrder(order, True) for order in ("YMD", "DMY", "MDY"))
    amounts = (amount(row.cells.get(name, ""), sign) for name in columns.amounts for sign in ".,")
    return any(moment_of(day, order) for order in orders) and any(found is not None for found in amounts)


def _profile(table: Table, context: ReadContext) -> _Profile:
    """What all rows together tell."""
    columns, signs = table.columns, DecimalSigns()
    days: dict[str, None] = {}
    negative = kinds = rows = 0
    for row in table.rows(context):
        if isinstance(row, BadRecord):
            continue
        rows += 1
        if len(days) < _DAYS_KEPT and (text := day_text(row.cells[columns.day])):
            days[text] = None
        for name in columns.amounts:
            signs.add(row.cells[name])
            negative += (amount(row.cells[name], ".") or 0) < 0 or (amount(row.cells[name], ",") or 0) < 0
        kinds += columns.kind is not None and _word(row.cells[columns.kind]) in _PAID | _GOT
    if not rows:
        raise SourceError(f"{table.path}: there are no transactions in it")
    last = datetime.fromisoformat(context.now).date() + timedelta(days=366)
    header = csv_columns(table.head())
    default = "," if header is not None and header[0] == ";" else "."
    order = infer_order(list(days), _BEGAN, last)
    return _Profile(columns, order, signs.sign(default), negative > 0, kinds * 2 > rows)


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Payments and income; at the end, how the file was read."""
    table = table_of(file)
    if table is None:
        raise SourceError(f"{file.path}: expected columns for a day, an amount, and a payee or a purpose")
    profile = _profile(table, context)
    identities, tally = Identities(), Tally(file.path)
    identifiers = UniqueIdentifiers(tally, context, key=profile.columns.identifier or "", again="the same row again")
    for row in table.rows(context):
        record = row if isinstance(row, BadRecord) else _transaction(row, profile, identities)
        if isinstance(record, str):
            tally.add(row.where, record)
        elif isinstance(record, BadRecord):
            yield record
        elif identifiers.take(record, row.where, record["_start"], record["_amount"], record["_label"]):
            if not profile.order.certain:
                reason = f"nothing in the file tells day from month: read as {profile.order.order}"
                tally.add(row.where, reason, key=profile.columns.day)
            yield record
    yield BadRecord(file.path, "columns", profile.told(), 0)
    yield from tally.report()


def _transaction(row: Row, profile: _Profile, identities: Identities) -> Record | str:
    """The record of a row, or why there is none."""
    columns, cells = profile.columns, row.cells
    if columns.state is not None and _word(cells[columns.state]) in _UNFINISHED:
        return f"not booked ({cells[columns.state].strip():.30})"
    at = moment_of(cells[columns.day], profile.order)
    if at is None:
        return f"no day in the order {profile.order.order}: {cells[columns.day]!r:.60}"
    signed = _signed(cells, profile)
    if signed is None:
        return "no amount: " + ", ".join(f"{cells[name]!r:.40}" for name in columns.amounts)
    if signed == 0:
        return NOTHING
    payee = _cell(cells, columns.payee) if signed < 0 or columns.payer is None else _cell(cells, columns.payer)
    account = _cell(cells, columns.account)
    texts = [cells[name] for name in (columns.currency, *columns.amounts) if name is not None]
    kind = _cell(cells, columns.kind)
    record = transaction(
        at,
        signed,
        other=payee,
        memo=_cell(cells, columns.memo),
        currency=currency_of(*texts, *columns.amounts),
        account=account,
        kind="" if _word(kind) in _PAID | _GOT else kind,
        certain=profile.order.certain,
    )
    record["_category"] = _cell(cells, columns.category) or None
    used = {
        name
        for name in (columns.day, *columns.amounts, columns.payee, columns.memo, columns.currency, columns.account)
        if name
    }
    kept = as_told((name, text.strip() or None) for name, text in cells.items() if name not in used)
    stated = _cell(cells, columns.identifier)
    what = (record["_start"], str(signed), record["_currency"], payee, record["_memo"], account)
    return kept | record | {"_id": stated[:200] if stated else identities.of(*what)}


def _signed(cells: dict[str, str], profile: _Profile) -> Decimal | None:
    """What was got; negative for what was paid. None where no amount is told."""
    columns = profile.columns
    if columns.amount is None:
        paid, got = (amount(_cell(cells, name), profile.sign) for name in (columns.debit, columns.credit))
        return None if paid is None and got is None else abs(got or Decimal()) - abs(paid or Decimal())
    found = amount(cells[columns.amount], profile.sign)
    if found is None or profile.signed:
        return found
    word = _word(_cell(cells, columns.kind)) if profile.kinds else PAYMENT
    return abs(found) if word in _GOT or word == INCOME else -abs(found)


def _cell(cells: dict[str, str], name: str | None) -> str:
    return cells[name].strip() if name is not None else ""


def _word(text: str) -> str:
    return text.strip().casefold()


def _source_name(file: InputFile) -> str:
    """By the names of the columns, which are others at each bank."""
    table = table_of(file)
    header = csv_columns(table.head()) if table is not None else None
    return f"bank-csv-{digest(header[1])[:4]}" if header is not None else "bank-csv"


FORMAT = Format(
    name="bank-csv",
    label="bank statement (CSV)",
    map_file="money.ttl",
    recognise=_recognise,
    read=_read,
    source_name=_source_name,
)
