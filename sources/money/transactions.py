"""Records of payments and income: the same keys for every export, which `mappings/money.ttl` maps.

`_amount` is what was paid or got, never negative; `_kind` says which. Of an account, only the last four signs are kept.
"""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Final

from ..base import Record
from ..text import plain, slug

__all__ = ["INCOME", "NOTHING", "PAYMENT", "account_source", "transaction"]

PAYMENT, INCOME = "payment", "income"
NOTHING: Final = "an amount of zero moves no money"
_LONGEST: Final = 2_000
_LABEL: Final = 80


def account_source(number: bytes | None) -> str:
    """The name of a source of one account's statements, so that those of another stand beside it."""
    ending = slug((number or b"").decode("ascii", "ignore"))[-4:].strip("-")
    return f"bank-{ending}" if ending else "bank"


def transaction(
    at: date | datetime,
    signed: Decimal,
    *,
    other: str = "",
    memo: str = "",
    currency: str | None = None,
    account: str = "",
    kind: str = "",
    certain: bool = True,
) -> Record:
    """The record of a transaction, still without its `_id`; `signed` is negative for what was paid.

    `other` is who got the money or whom it came from, `memo` what stands beside it, `kind` the bank's word for it.
    """
    said, beside = _text(other), _text(memo)
    is_day = not isinstance(at, datetime)
    name = said or beside or _text(kind)
    return {
        "_kind": PAYMENT if signed < 0 else INCOME,
        "_start": at.isoformat(),
        "_precision": "day" if is_day else "second",
        "_certainty": "stated" if certain else "assumed",
        "_amount": str(abs(signed)),
        "_currency": currency,
        "_payee": said if signed < 0 and said else None,
        "_payer": said if signed >= 0 and said else None,
        "_memo": beside if beside and beside != said else None,
        "_type": _text(kind) or None,
        "_account": "".join(account.split())[-4:] or None,
        "_label": f"{name[: _LABEL - 1]}…" if len(name) > _LABEL else name or "a transaction without words",
    }


def _text(value: str) -> str:
    """Words on one line, without what fills the columns of statements."""
    return " ".join(plain(value[:_LONGEST]).split())
