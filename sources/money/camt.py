"""CAMT.053, the statement of ISO 20022 that European banks give, streamed entry by entry.

An entry that stands for several transactions with amounts of their own (a batch) is an event for each of these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, BinaryIO, Final

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue] - compiled, without stubs

from ...errors import HostileInput, SourceError
from ..base import BadRecord, Format, Identities, InputFile, ReadContext, Record, Tally, digest
from ..unique_identifiers import UniqueIdentifiers
from .amounts import amount
from .transactions import NOTHING, account_source, transaction

__all__ = ["FORMAT"]

_STATEMENT: Final = b"BkToCstmrStmt"
_ENTRY: Final = "Ntry"
_IBAN: Final = re.compile(rb"IBAN>\s*([A-Z0-9]{8,34})\s*<")
_MOST_PARTS: Final = 100
"""Lines of a remittance information that are read."""


@dataclass(slots=True)
class _Account:
    """Whose statement is read."""

    name: str = ""
    currency: str = ""


class _Counted:
    """A stream that refuses to give more than `most` bytes between two entries."""

    def __init__(self, stream: BinaryIO, path: str, most: int) -> None:
        self._stream, self._path, self._most, self.since = stream, path, most, 0

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self.since += len(data)
        if self.since > self._most:
            raise HostileInput(f"{self._path}: one entry is larger than {self._most} bytes")
        return data


def _recognise(file: InputFile) -> float:
    head = file.head()
    return 1.0 if head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<" and b"<" + _STATEMENT in _unprefixed(head) else 0.0


def _unprefixed(head: bytes) -> bytes:
    """The beginning where a prefix of the namespace does not stand before the element."""
    at = head.find(b":" + _STATEMENT)
    return b"<" + _STATEMENT if at > 0 and b"<" in head[max(0, at - 20) : at] else head


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """Transactions in the order of the file."""
    tally, identities, number = Tally(file.path), Identities(), 0
    identifiers = UniqueIdentifiers(tally, context, key="AcctSvcrRef", again="the same transaction again")
    account = _Account()
    for entry in _entries(file, context, account):
        number += 1
        where = f"entry {number}"
        for record in _records(entry, account, identities):
            if isinstance(record, str):
                tally.add(where, record)
            elif identifiers.take(record, where, record["_start"], record["_amount"], record["_label"]):
                yield record
    if not number:
        yield BadRecord(file.path, "the statement", "there are no transactions in it")
    yield from tally.report()


def _entries(file: InputFile, context: ReadContext, account: _Account) -> Iterator[Any]:
    """Entries, each given once it is complete and then forgotten."""
    limits = context.limits
    with file.open() as stream:
        counted = _Counted(stream, file.path, limits.record_bytes)
        depth = 0
        try:
            parser = etree.iterparse(
                counted,
                events=("start", "end"),
                resolve_entities=False,
                load_dtd=False,
                no_network=True,
                huge_tree=False,
            )
            for event, element in parser:
                depth += 1 if event == "start" else -1
                if depth > limits.depth or len(element.attrib) > limits.element_attributes:
                    raise HostileInput(f"{file.path}: XML nested or described too much")
                name = _name(element)
                if event == "end" and name == _ENTRY:
                    yield element
                    _forget(element)
                    counted.since = 0
                elif event == "end" and name == "Acct" and _name(element.getparent()) == "Stmt":
                    account.name = _text(element, "Id", "IBAN") or _text(element, "Id", "Othr", "Id")
                    account.currency = _text(element, "Ccy")
        except etree.XMLSyntaxError as bad:
            raise SourceError(f"{file.path}: damaged or cut off: {bad.msg}") from bad


def _forget(element: Any) -> None:
    element.clear()
    while element.getprevious() is not None and _name(element.getprevious()) == _ENTRY:
        del element.getparent()[element.getparent().index(element) - 1]


def _records(entry: Any, account: _Account, identities: Identities) -> Iterator[Record | str]:
    """The records of one entry, or why there are none."""
    status = _text(entry, "Sts", "Cd") or _text(entry, "Sts")
    if status in ("PDNG", "INFO"):
        yield f"not booked ({status})"
        return
    at = _day(entry)
    if at is None:
        yield "an entry without a day"
        return
    details = [one for part in _children(entry, "NtryDtls") for one in _children(part, "TxDtls")]
    several = len(details) > 1 and all(_amount(one) is not None for one in details)
    for part in details if several else [entry]:
        inner = part if several else (details[0] if len(details) == 1 else None)
        yield _record(entry, part, inner, at, account, identities)


def _record(
    entry: Any, part: Any, detail: Any, at: date | datetime, account: _Account, identities: Identities
) -> Record | str:
    found = _amount(part)
    if found is None:
        return "an entry without an amount"
    paid = (_text(part, "CdtDbtInd") or _text(entry, "CdtDbtInd")).upper() == "DBIT"
    if found[0] == 0:
        return NOTHING
    signed = -found[0] if paid else found[0]
    who = "Cdtr" if paid else "Dbtr"
    other = _text(detail, "RltdPties", who, "Nm") or _text(detail, "RltdPties", who, "Pty", "Nm")
    lines = [_said(one) for one in _children(_child(detail, "RmtInf"), "Ustrd")[:_MOST_PARTS]]
    memo = " ".join(filter(None, lines)) or _text(part, "AddtlTxInf") or _text(entry, "AddtlNtryInf")
    record = transaction(
        at,
        signed,
        other=other,
        memo=memo,
        currency=found[1] or account.currency or None,
        account=account.name,
        kind=_text(entry, "AddtlNtryInf") if lines else "",
    )
    record["EndToEndId"] = _reference(detail, "EndToEndId")
    whose = digest((account.name,))[:6]
    stated = _reference(part, "AcctSvcrRef") or _text(part, "AcctSvcrRef") or _reference(detail, "TxId")
    own = identities.of(record["_start"], str(signed), record["_label"], record["_memo"], record["EndToEndId"])
    record["_id"] = f"{whose}-{stated[:200] if stated else own}"
    return record


def _reference(part: Any, name: str) -> str | None:
    said = _text(part, "Refs", name)
    return said if said and said.upper() not in ("NOTPROVIDED", "NONREF") else None


def _amount(part: Any) -> tuple[Decimal, str] | None:
    """The amount of an entry or of one of its transactions, with its currency."""
    for path in ((), ("AmtDtls", "TxAmt")):
        element = _child(part, *path, "Amt")
        if element is not None and (found := amount(_said(element), ".")) is not None:
            return abs(found), (element.get("Ccy") or "")[:3]
    return None


def _day(entry: Any) -> date | datetime | None:
    """The day on which it was booked, else its value date."""
    for name in ("BookgDt", "ValDt"):
        for kind in ("Dt", "DtTm"):
            try:
                text = _text(entry, name, kind)[:19]
                at = datetime.fromisoformat(text)
                return at.date() if len(text) == len("2023-01-01") else at.replace(tzinfo=None)
            except ValueError:
                continue
    return None


def _child(part: Any, *path: str) -> Any:
    """The first element along a path of names; None where there is none."""
    for name in path:
        part = next(iter(_children(part, name)), None)
    return part


def _children(part: Any, name: str) -> list[Any]:
    return [one for one in part if _name(one) == name] if part is not None else []


def _text(part: Any, *path: str) -> str:
    return _said(_child(part, *path))


def _said(element: Any) -> str:
    return (element.text or "").strip() if element is not None else ""


def _name(element: Any) -> str:
    """The name without its namespace; empty for comments and where there is no element."""
    tag = element.tag if element is not None else ""
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _source_name(file: InputFile) -> str:
    found = _IBAN.search(file.head())
    return account_source(found[1] if found else None)


FORMAT = Format(
    name="camt053",
    label="bank statement (CAMT.053)",
    map_file="money.ttl",
    recognise=_recognise,
    read=_read,
    source_name=_source_name,
)
