"""Which column of a bank's table holds what: guessed by its name, in the languages of many banks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from unicodedata import normalize

from ..text import plain

__all__ = ["Columns", "columns_among"]

_DAYS: Final = """
booking date|buchungstag|buchungsdatum|transaction date|date of transaction|posting date|posted date|
post date|completed date|date operation|date d'operation|date de l'operation|date comptable|
date de comptabilisation|fecha operacion|fecha de operacion|data operazione|data contabile|boekdatum|
transactiedatum|datum|date|fecha|data|day|buchung|wertstellung|valutadatum|wertstellungsdatum|valuta|
value date|date valeur|fecha valor|data valuta|created on|started date|dato|rentedatum
"""
_AMOUNTS: Final = """
amount|transaction amount|betrag|umsatz|umsatz in|betrag in|montant|importe|importo|bedrag|belob|
belopp|kwota|valor|montante|buchungsbetrag|amount in|transactiebedrag
"""
_DEBITS: Final = """
debit|debit amount|debits|soll|paid out|money out|withdrawal|withdrawals|withdrawal amount|outflow|ausgaben|
ausgang|belastung|cargo|cargos|addebiti|uscite|dare|debiet|spent|charge
"""
_CREDITS: Final = """
credit|credit amount|credits|haben|paid in|money in|deposit|deposits|deposit amount|inflow|einnahmen|eingang|
gutschrift|abono|abonos|accrediti|entrate|avere|received
"""
_PAYEES: Final = """
payee|payee name|beguenstigter/zahlungspflichtiger|begunstigter/zahlungspflichtiger|beguenstigter|
auftraggeber/begunstigter|auftraggeber/empfanger|auftraggeber / begunstigter|zahlungsempfanger*in|
zahlungsempfanger|empfanger|name zahlungsbeteiligter|beguenstigter/auftraggeber|partner name|counterparty|
counterparty name|merchant|merchant name|naam / omschrijving|tegenpartij|naam tegenpartij|beneficiary|
beneficiary name|beneficiario|target name|name|description|transaction description|bank description|libelle|
concepto|descrizione|omschrijving|omschrijving-1|details|narrative|text|buchungstext|particulars|
beschreibung
"""
_MEMOS: Final = """
memo|verwendungszweck|reference|payment reference|purpose|zahlungsreferenz|notes|note|mededelingen|
communication|original description|buchungsdetails|verwendungszweck/kundenreferenz|vorgang/verwendungszweck|
description|details|more details
"""
_PAYERS: Final = "zahlungspflichtige*r|zahlungspflichtiger|source name|debtor"
_CURRENCIES: Final = "currency|wahrung|waehrung|devise|divisa|moneda|munt|muntsoort|currency code|transaction currency"
_KINDS: Final = """
transaction type|debit/credit|credit/debit|credit or debit|credit/debit indicator|debit or credit|dr/cr|
soll/haben|s/h|af bij|af/bij|umsatztyp|umsatzart|type|typ|kind|transaktionstyp|buchungstext|mutatiesoort|
direction|richtung
"""
_ACCOUNTS: Final = """
account|account name|account number|auftragskonto|iban auftragskonto|konto|iban|rekening|compte|own account|
kontonummer|account no
"""
_CATEGORIES: Final = "category|kategorie|categorie|categoria|spending category"
_STATES: Final = "state|status|info"
_IDS: Final = "transaction id|transaction number|transaktionsnummer|transaktions-id|unique id"
_BRACKET: Final = re.compile(r"\s*\([^()]{0,20}\)\s*$|\s+(?:in\s+)?(?:[a-z]{3}|€|\$|£)$")


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a table of transactions, by what they hold."""

    day: str
    amount: str | None
    debit: str | None
    credit: str | None
    payee: str | None
    payer: str | None = None
    memo: str | None = None
    currency: str | None = None
    kind: str | None = None
    account: str | None = None
    category: str | None = None
    state: str | None = None
    identifier: str | None = None

    @property
    def amounts(self) -> tuple[str, ...]:
        """The columns of amounts."""
        return (self.amount,) if self.amount else tuple(filter(None, (self.debit, self.credit)))

    def told(self) -> str:
        """What the columns are read as, for the report."""
        parts = ("day", "amount", "debit", "credit", "payee", "payer", "memo", "currency", "kind", "account", "state")
        return ", ".join(f"{part} is “{name}”" for part in parts if (name := getattr(self, part)) is not None)


def columns_among(names: Sequence[str]) -> Columns | None:
    """The columns of a bank's table; None for a table without a day, an amount, and whom or what it was for."""
    folded = {_folded(name): name for name in reversed(names)}
    bare = {_BRACKET.sub("", key): name for key, name in reversed(list(folded.items()))}

    def first(known: str, *taken: str | None) -> str | None:
        for name in (part.strip() for part in known.split("|")):
            found = folded.get(name) or bare.get(name)
            if found is not None and found not in taken:
                return found
        return None

    day = first(_DAYS)
    amount, debit, credit = first(_AMOUNTS, day), first(_DEBITS, day), first(_CREDITS, day)
    if amount is None and (debit is None or credit is None):
        return None
    amount = None if debit and credit else amount
    payee = first(_PAYEES, day, amount)
    memo = first(_MEMOS, day, amount, payee)
    if day is None or (payee is None and memo is None):
        return None
    kind = first(_KINDS, payee, memo, amount)
    return Columns(
        day, amount, None if amount else debit, None if amount else credit, payee,
        payer=first(_PAYERS, payee), memo=memo, currency=first(_CURRENCIES, day), kind=kind,
        account=first(_ACCOUNTS, payee, memo), category=first(_CATEGORIES), state=first(_STATES, payee, memo, kind),
        identifier=first(_IDS),
    )  # fmt: skip


def _folded(name: str) -> str:
    """A name in small letters without accents."""
    said = normalize("NFKD", plain(name).casefold())
    return " ".join("".join(sign for sign in said if not 0x300 <= ord(sign) < 0x370).split())
