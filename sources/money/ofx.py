"""OFX and QFX, as banks give them to programs for accounts: SGML whose values have no end tags (1.x) and XML (2.x).

Both are read by one scanner: a tag, and the text up to the next one. The bank's identifier of a transaction (FITID) is
ours, together with the account.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from html import unescape
from typing import Final

from ...errors import HostileInput, SourceError
from ..base import BadRecord, Format, Identities, InputFile, ReadContext, Record, Tally, digest
from ..charsets import decode_bytes
from ..unique_identifiers import UniqueIdentifiers
from .amounts import amount, currency_of
from .transactions import NOTHING, account_source, transaction

__all__ = ["FORMAT"]

_CHUNK: Final = 65_536
_START: Final = re.compile(rb"OFXHEADER|<OFX>", re.IGNORECASE)
_CHARSET: Final = re.compile(rb"CHARSET:\s*([\w-]{1,20})|encoding=[\"']([\w-]{1,20})[\"']", re.IGNORECASE)
_ACCOUNT: Final = re.compile(rb"<ACCTID>\s*([^<\r\n]{1,60})", re.IGNORECASE)
_MOMENT: Final = re.compile(r"(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?(?:\.\d+)?)?\s*(\[[^\]]*\]?)?")
_CDATA, _CDATA_END = b"<![CDATA[", b"]]>"
_KINDS: Final = {
    "POS": "card payment", "CHECK": "cheque", "ATM": "cash withdrawal", "CASH": "cash withdrawal", "XFER": "transfer",
    "DIRECTDEBIT": "direct debit", "DIRECTDEP": "direct deposit", "FEE": "fee", "SRVCHG": "service charge",
    "INT": "interest", "DIV": "dividend", "DEP": "deposit", "PAYMENT": "transfer", "REPEATPMT": "standing order",
}  # fmt: skip
_TRANSACTION: Final = "STMTTRN"
_INVESTED: Final = """
BUYSTOCK SELLSTOCK BUYMF SELLMF BUYDEBT SELLDEBT BUYOTHER SELLOTHER REINVEST
"""
_INVESTMENTS: Final = frozenset(_INVESTED.split())


@dataclass(slots=True)
class _Statement:
    """Whose statement is read, and the transaction that is open."""

    currency: str = ""
    bank: str = ""
    account: str = ""
    open: dict[str, str] | None = None
    ended: bool = False


def _recognise(file: InputFile) -> float:
    head = file.head()
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:2_000]
    if not start.startswith((b"<", b"OFXHEADER", b"ofxheader")):
        return 0.0
    return 1.0 if _START.search(start) and b"<ofx>" in head.lower() else 0.0


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Transactions in the order of the file."""
    tally, identities = Tally(file.path), Identities()
    identifiers = UniqueIdentifiers(tally, context, key="FITID", again="the same transaction again")
    statement, number = _Statement(), 0
    for fields in _transactions(file, context, statement, tally):
        number += 1
        where = f"transaction {number}"
        record = _record(fields, statement, identities)
        if isinstance(record, str):
            tally.add(where, record)
        elif identifiers.take(record, where, record["_start"], record["_amount"], record["_label"]):
            yield record
    if not statement.ended:
        raise SourceError(f"{file.path}: the statement is cut off: it has no </OFX>")
    if not number:
        yield BadRecord(file.path, "the statement", "there are no transactions in it")
    yield from tally.report()


def _transactions(
    file: InputFile, context: ReadContext, statement: _Statement, tally: Tally
) -> Iterator[dict[str, str]]:
    """The fields of each transaction, by tag."""
    found = _CHARSET.search(file.head(2_000))
    charset = _charset(next(filter(None, found.groups()), b"").decode("ascii", "ignore") if found else "")
    for tag, closing, value in _tags(file, context.limits.record_bytes):
        if tag == "OFX":
            statement.ended = statement.ended or closing
        elif tag == _TRANSACTION or (closing and tag == "BANKTRANLIST"):
            if statement.open:
                yield statement.open
            statement.open = None if closing else {}
        elif tag in _INVESTMENTS and not closing:
            tally.add("an investment", "bought and sold securities are not read", group=tag)
        elif not closing and (text := unescape(decode_bytes(value, charset)).strip()):
            _note(statement, tag, text, context.limits.record_keys)


def _note(statement: _Statement, tag: str, text: str, most: int) -> None:
    """One value: of the open transaction, else of its account."""
    if statement.open is not None:
        if len(statement.open) < most:
            statement.open.setdefault(tag, text)
    elif tag == "CURDEF":
        statement.currency = text
    elif tag == "BANKID":
        statement.bank = text
    elif tag == "ACCTID":
        statement.account = text


def _charset(name: str) -> str:
    return f"cp{name}" if name.isdigit() else name


def _tags(file: InputFile, most: int) -> Iterator[tuple[str, bool, bytes]]:
    """Each tag in capitals, whether it closes, and the text behind it. Raises HostileInput for one that is too long."""
    with file.open() as stream:
        held = bytearray()
        while True:
            data = stream.read(_CHUNK)
            held += data
            at = 0
            while (found := _next_tag(held, at, last=not data)) is not None:
                begin, end, text = found
                name = bytes(held[begin:end])
                at = text[1]
                if name[:1] not in (b"?", b"!"):
                    tag = name.strip(b"/ \t\r\n").split(b" ")[0].decode("ascii", "replace").upper()
                    yield tag, name[:1] == b"/", _plain(bytes(held[text[0] : text[1]]))
            del held[:at]
            if not data:
                return
            if len(held) > most:
                raise HostileInput(f"{file.path}: one value is larger than {most} bytes")


def _next_tag(held: bytearray, at: int, *, last: bool) -> tuple[int, int, tuple[int, int]] | None:
    """Where the next tag's name and the text behind it stand; None where more must be read."""
    begin = held.find(b"<", at)
    end = held.find(b">", begin) if begin >= 0 else -1
    if begin < 0 or end < 0:
        return None
    here = end + 1
    while True:
        following = held.find(b"<", here)
        if following < 0:
            return (begin + 1, end, (end + 1, len(held))) if last else None
        if len(held) - following < len(_CDATA) and not last:
            return None
        if not held.startswith(_CDATA, following):
            return begin + 1, end, (end + 1, following)
        close = held.find(_CDATA_END, following)
        if close < 0:
            return (begin + 1, end, (end + 1, len(held))) if last else None
        here = close + len(_CDATA_END)


def _plain(value: bytes) -> bytes:
    """The value without the marks of a CDATA section."""
    return value.replace(_CDATA, b"").replace(_CDATA_END, b"").strip()


def _record(fields: dict[str, str], statement: _Statement, identities: Identities) -> Record | str:
    """The record of a transaction, or why there is none."""
    at = _moment(fields.get("DTPOSTED", "")) or _moment(fields.get("DTUSER", ""))
    if at is None:
        return f"DTPOSTED is no date: {fields.get('DTPOSTED', '')!r:.60}"
    text = fields.get("TRNAMT", "")
    signed = amount(text, "," if "," in text and "." not in text else ".")
    if signed is None:
        return f"TRNAMT is no amount: {text!r:.60}"
    if signed == 0:
        return NOTHING
    kind = fields.get("TRNTYPE", "").upper()
    record = transaction(
        at[0],
        signed,
        other=fields.get("NAME", ""),
        memo=fields.get("MEMO", ""),
        currency=currency_of(fields.get("CURSYM", ""), statement.currency),
        account=statement.account,
        kind=_KINDS.get(kind, ""),
        certain=at[1],
    )
    record["CHECKNUM"] = fields.get("CHECKNUM") if fields.get("CHECKNUM", "").strip("0") else None
    record["REFNUM"] = fields.get("REFNUM") or None
    whose = digest((statement.bank, statement.account))[:6]
    stated = fields.get("FITID", "")
    own = identities.of(record["_start"], str(signed), record["_label"], record["_memo"])
    record["_id"] = f"{whose}-{stated[:200] or own}"
    return record


def _moment(text: str) -> tuple[date | datetime, bool] | None:
    """The day, or the moment as it is written, and whether a zone is stated. Midnight and noon stand for the day."""
    found = _MOMENT.fullmatch(text.strip())
    if found is None:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    try:
        moment = datetime(year, month, day, hour, minute, second)
    except ValueError:
        return None
    if not 1950 <= moment.year <= 2150:
        return None
    return (moment.date(), True) if moment.strftime("%H%M%S") in ("000000", "120000") else (moment, bool(found[7]))


def _source_name(file: InputFile) -> str:
    found = _ACCOUNT.search(file.head())
    return account_source(found[1] if found else None)


FORMAT = Format(
    name="ofx",
    label="bank statement (OFX, QFX)",
    map_file="money.ttl",
    recognise=_recognise,
    read=_read,
    source_name=_source_name,
)
