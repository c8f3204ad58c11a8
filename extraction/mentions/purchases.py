"""Purchases that a text tells of: order mails line by line, "last night I ordered …, €32 in all", lists of spending."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from ...texts.actuality import heads_unreal, is_own, is_unreal
from ...texts.document import TextKind
from ...texts.quantities.money import Money, Role, money, total_paid
from ...texts.tense import sentence_around
from ..context import Texts
from ..page import Found, Page
from ..readers.phrases import products, shops
from .event_mentions import EventMention, Log, Part, Value, moment, once, parts_of

PRODUCT, PRICE, SHOP, CURRENCY = "product", "price", "shop", "currency"
_VERBS: Final = (
    r"bought|ordered|purchased|got|picked up|treated (?:myself|ourselves) to|splurged on|snapped up|caved|"
    r"pulled the trigger|"
    r"paid|spent|clicked|pressed order|comprei|encomendei|gekauft|bestellt|acheté|compré|handed over|shelled out"
)
_BOUGHT: Final = re.compile(rf"\b(?:{_VERBS})\b", re.IGNORECASE)
_STRONG: Final = re.compile(
    r"\b(?:bought|ordered|purchased|online|treated (?:myself|ourselves)|splurged|comprei|encomendei|gekauft|"
    r"bestellt|acheté|compré)\b",
    re.IGNORECASE,
)
_RECEIPT: Final = re.compile(
    r"\b(?:(?:your|our|of your|the) (?:order|purchase)|order (?:no|nr|number|confirmation|#)|receipt|invoice|"
    r"amount charged|"
    r"you paid|payment (?:of|received)|we (?:have )?received your (?:order|payment)|thank(?:s|"
    r" you) for (?:your order|shopping|your purchase)|"
    r"order [\w#-]*\d[\w-]*|confirms? (?:your|the) purchase|bestellung|rechnung|commande|pedido|encomenda)\b",
    re.IGNORECASE,
)
_NO_ORDER: Final = re.compile(
    r"\b(?:unsubscribe|newsletter|% off|up to \d+|sale (?:now|starts|ends)|shop (?:now|the sale)|while stocks? last|"
    r"reservation|booking|your stay|check-?in|itinerary|e-?tickets?|refund(?:ed)?|has been cancell?ed|"
    r"cancellation|quote|"
    r"per month|your cart|left in your basket|wish ?list|price drop|subscription renews|table for)\b",
    re.IGNORECASE,
)
_ON_ITS_WAY: Final = re.compile(
    r"\b(?:(?:has|have) (?:been )?(?:shipped|dispatched|delivered)|is on its way|out for delivery|was delivered)\b",
    re.I,
)
_EATING: Final = re.compile(
    r"\b(?:restaurant|waiter|waitress|menu|starter|dessert|main course|bartender|pint|round of|table|tasting|bill|"
    r"tip)\b",
    re.I,
)
_ORDER_LINE: Final = re.compile(
    r"(?:^|"
    r"\n)[ \t*•·-]{0,20}(?P<count>\d{1,6})\s{0,9}[x×]\s{1,9}(?P<what>[^\n€$£]{1,200}?)\s{0,20}(?:[-–—:@(]\s{0,9})?"
    r"(?P<sum>[€$£]\s?\d[\d.,]{0,18}\d|\d[\d.,]{0,18}\d\s?(?:€|EUR|USD|GBP|euro))"
)
_ASIDE: Final = re.compile(r"\([^)]{0,200}\)")
_SEPARATOR: Final = re.compile(r"\s{1,20}[–—|/-]\s+|[:;,](?=\s)|\n|\.\s")
_FROM: Final = re.compile(r"\s{1,20}(?:from|at|via|@)\s{1,20}(?P<shop>[A-ZÀ-Þ][\w&’'. -]{0,80}?)\s{0,20}$")
_VERB_FIRST: Final = re.compile(rf"^(?:{_VERBS})\s+(?:(?:the|a|an|some|my|new)\s+)?", re.IGNORECASE)
_PACKED: Final = re.compile(
    r"^(?:\d+\s*[x×]\s*)?(?:(?:bag|pack|bottle|cop(?:y|ie)|pair|box|tin|jar|packet|roll|set|"
    r"tube)(?:e?s)? of\s+)?(?=\S)",
    re.IGNORECASE,
)
_OUTSIDE: Final = " /\t\n.,;:–—-*•\"“”'("
_LONG: Final = 9
"""Words from which on a piece of a line is a remark, and no product."""


def purchases_told(page: Page, texts: Texts) -> tuple[EventMention, ...]:
    """The purchases that a text tells of."""
    document = page.document
    if document.kind is TextKind.CALENDAR:
        return ()
    log = parts_of(page, texts)
    if log is not None and _is_spending(log):
        return once((one for part in log.parts for one in _of_line(part)), (PRODUCT, PRICE))
    firm = document.kind is TextKind.MAIL and not document.by_owner and not page.is_from_person
    if firm:
        return once(_of_order(page), (PRODUCT, PRICE))
    parts = log.parts if log is not None else (Part(page),)
    return once((one for part in parts for one in _of_prose(part)), (PRICE,))


def _is_spending(log: Log) -> bool:
    priced = sum(bool(money(part.page.text)) for part in log.parts)
    return priced * 2 > len(log.parts) and not heads_unreal(log.heading)


def _of_order(page: Page) -> Iterator[EventMention]:
    """The lines of a firm's order mail; one purchase where it lists nothing."""
    text = page.text
    if not _RECEIPT.search(text) or _NO_ORDER.search(text) or not money(text):
        return
    part, shop = Part(page), _shop(page)
    lines = list(_ORDER_LINE.finditer(text))
    total = total_paid(text)
    if _ON_ITS_WAY.search(text) and (total is None or not re.search(r"\b(?:paid|charged|total)\b", text, re.I)):
        return
    if len(lines) > 1:
        for line in lines:
            each = next((m for m in money(text) if line.start("sum") <= m.start < line.end("sum") + 1), None)
            count = Decimal(line["count"])
            price = each.value if each else None
            whole = total is not None and sum(int(other["count"]) for other in lines) > len(lines)
            price = price * count if price is not None and whole and _unit_prices(lines, text, total) else price
            yield from _happening(part, line.start("what"), line.end("what"), line["what"], price, each, shop, 0.9)
        return
    best = max(products(page), key=lambda one: one.confidence, default=None)
    named = _field(page) or best
    where = (named.start, named.end) if named else (total.start, total.end) if total else (0, 0)
    value = str(named.value) if named else None
    yield from _happening(part, *where, value, total.value if total else None, total, shop, 0.9)


def _unit_prices(lines: list[re.Match[str]], text: str, total: Money | None) -> bool:
    """Whether the sums of the lines are those of one piece each, by the total."""
    sums = [
        next((m.value for m in money(text) if line.start("sum") <= m.start < line.end("sum") + 1), Decimal(0))
        for line in lines
    ]
    counted = sum((s * Decimal(line["count"]) for s, line in zip(sums, lines, strict=True)), Decimal(0))
    return total is not None and abs(counted - total.value) < abs(sum(sums, Decimal(0)) - total.value)


_FIELD: Final = re.compile(
    r"^[ \t>*-]*(?:item|description|article|product|what you bought|artikel|you ordered|"
    r"your item)s?\s*:[ \t]+(?P<value>\S(?:[^\n]*[^ \t\n])?)[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_COUNTED: Final = re.compile(
    r"(?:^|\n)[ \t]{0,20}(?P<what>[A-ZÀ-Þ0-9][^\n€$£:]{1,200}?)\s{0,20}\((?:qty|quantity|x|×)?\s{0,9}:?\s{0,9}"
    r"(?P<count>\d{1,6})\s{0,9}(?:x|×|pcs?)?\)",
    re.IGNORECASE,
)


def _field(page: Page) -> Found | None:
    """What a labelled line, or one with a quantity, says was bought."""
    match = _FIELD.search(page.text) or _COUNTED.search(page.text)
    if match is None:
        return None
    name = "value" if "value" in match.re.groupindex else "what"
    return page.found(match[name].strip(), *match.span(name), 0.9)


def _of_line(part: Part) -> Iterator[EventMention]:
    """The purchase of a line of a list: its sum, its shop, and what is left."""
    text = part.page.text
    total = total_paid(text) or next(iter(money(text)), None)
    if total is None or is_unreal(text, total.start, total.end):
        return
    shop = _known_shop(part.page)
    pieces = [_ASIDE.sub("", piece).strip(_OUTSIDE) for piece in _SEPARATOR.split(_without(text, part.after, total))]
    pieces = [piece for piece in pieces if any(sign.isalpha() for sign in piece)]
    first = next((piece for piece in pieces if shop is not None and piece == shop), None)
    rest = [piece for piece in pieces if piece != first]
    if shop is None and len(rest) > 1 and len(rest[0].split()) <= 3 and len(rest[1].split()) < _LONG:
        shop, rest = rest[0], rest[1:]
    what = _VERB_FIRST.sub("", rest[0]) if rest else None
    tail = _FROM.search(what) if what else None
    if what and tail:
        shop, what = shop or tail["shop"].strip(), what[: tail.start()]
    if what and len(rest) > 1 and _comma(text, rest[0], rest[1]):
        what = f"{what}, {rest[1]}"
    at = max(0, text.find(what)) if what else total.start
    yield from _happening(part, at, at + len(what or ""), what, total.value, total, shop, 0.9)


def _comma(text: str, one: str, other: str) -> bool:
    """Whether two pieces are of one name: "Contact lenses, 3-month pack"."""
    return f"{one}, {other}" in text and len(other.split()) < 5


def _without(text: str, after: int, total: Money) -> str:
    """A line without its day and its sum."""
    return text[after : total.start] + " " + text[total.end :] if total.start >= after else text[after:]


def _of_prose(part: Part) -> Iterator[EventMention]:
    """What the owner's text, or one to the owner, says was bought and what it cost."""
    page, text = part.page, part.page.text
    if _NO_ORDER.search(text) and not _STRONG.search(text):
        return
    bought = list(products(page))
    for verb in _BOUGHT.finditer(text):
        first, last = sentence_around(text, verb.start(), verb.end())
        sum_ = _sum_of(text, first, last)
        if is_unreal(text, verb.start(), verb.end()) or not is_own(page.document, verb.start(), verb.end(), _VERBS):
            continue
        if sum_ is None or not (_STRONG.search(text[first:last]) or _STRONG.search(text[max(0, first - 80) : last])):
            continue
        if _EATING.search(text[first:last]) and "online" not in text[first:last]:
            continue
        mine = [one for one in bought if first <= one.start < last]
        named = max(mine, key=lambda one: one.confidence, default=None) or _known_product(page, first, last)
        shop = _known_shop(page) or _named_shop(page, first, last)
        at = (named.start, named.end) if named else (verb.start(), verb.end())
        value = str(named.value) if named else None
        shop = shop if shop != value else None
        yield from _happening(part, *at, value, sum_.value, sum_, shop, 0.85)


def _sum_of(text: str, first: int, last: int) -> Money | None:
    """The sum of the sentence, or of the next one; a total before others."""
    sums = [m for m in money(text) if m.role is not Role.OTHER]
    own = [m for m in sums if first <= m.start < last]
    if not own:
        until = sentence_around(text, min(last + 1, len(text)), min(last + 2, len(text)))[1]
        own = [m for m in sums if last <= m.start < until + 60]
    totals = [m for m in own if m.role is Role.TOTAL]
    return next(iter(totals or own), None)


def _shop(page: Page) -> str | None:
    best = max(shops(page), key=lambda one: one.confidence, default=None)
    return str(best.value) if best else None


def _named_shop(page: Page, first: int, last: int) -> str | None:
    mine = [one for one in shops(page) if first <= one.start < last and one.end]
    return str(mine[0].value) if mine else None


def _known_shop(page: Page) -> str | None:
    """A shop of the person's records that the text names."""
    lexicon = page.known.get("shop")
    cue = next(iter(lexicon.cues(page.text)), None) if lexicon else None
    return cue.value if cue else None


def _known_product(page: Page, first: int, last: int) -> Found | None:
    lexicon = page.known.get("product")
    cues = [cue for cue in lexicon.cues(page.text) if first <= cue.start < last] if lexicon else []
    return page.found(cues[0].value, cues[0].start, cues[0].end, 0.8) if cues else None


def _happening(
    part: Part,
    start: int,
    end: int,
    product: str | None,
    price: Decimal | None,
    sum_: Money | None,
    shop: str | None,
    sure: float,
) -> Iterator[EventMention]:
    when = moment(part, start, end)
    if when is None:
        return
    day, said, clock, _ = when
    values: dict[str, tuple[Value, ...]] = {}
    if product and product.strip(_OUTSIDE):
        values[PRODUCT] = (_PACKED.sub("", product.strip(_OUTSIDE)),)
    if price is not None:
        values[PRICE] = (price,)
    if sum_ is not None and sum_.currency:
        values[CURRENCY] = (sum_.currency,)
    if shop:
        values[SHOP] = (shop,)
    event = part.document.event.partition("#line-")[0]
    text = part.page.text if part.line else part.page.text[slice(*sentence_around(part.page.text, start, end))]
    yield EventMention(event, day, said, clock, None, values, text.strip(), sure)
