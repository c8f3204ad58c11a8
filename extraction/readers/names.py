"""Names of films, organisations, positions and places to stay."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from ...texts.document import TextKind
from ..life import Span
from ..page import Found, Page
from .places import HOME, is_home, place
from .towns import is_area

_FILM: Final = re.compile(r"(?:film|movie)(?: night)?|cinema|kino|netflix|watch", re.IGNORECASE)
_FILM_BEFORE: Final = re.compile(
    r"\b(?:film|movie|cinema|watch(?:ed|ing)?|film night|movie night|put on|saw|screening of|streamed|streaming|"
    r"rewatch(?:ed|ing)?|kino|filme?)\b[\s:–-]*$",
    re.IGNORECASE,
)
_COUCH: Final = re.compile(
    r"\s{1,20}(?:on the (?:couch|sofa|telly|tv)|night|rewatch|again|at home|at the (?:cinema|movies))\s{0,20}$",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r"[\"“‘'](?P<what>[A-ZÀ-Þ][^\"”’'\n]{1,60})[\"”’']")
_RANKS: Final = ("Lead", "Senior", "Junior", "Head", "Principal", "Chief", "Associate", "Assistant", "Staff", "Deputy")
_STAY: Final = re.compile(r"\bstay (?:at|in) (?P<name>[^\n,.–-]+?)(?= [–-]|[,.\n]| in\b| is\b|$)")
_RESERVED: Final = re.compile(
    r"\b(?:reservation|booking|room|nights?) (?:with|at) (?:the )?(?P<name>[A-ZÀ-Þ][^\n,.;:(]*?)"
    r"(?= is\b| has\b| for\b| on\b| from\b| in\b| [–-]|[,.;:(\n]|$)"
)
_LODGING: Final = re.compile(
    r"\b(?:hotel|inn|hostel|lodge|guest ?house|resort|b&b|bed and breakfast|suites|pension|gasthof|pousada|"
    r"quinta|riad|gîte|motel|apartments|albergo|ryokan|camping|campsite)\b",
    re.IGNORECASE,
)
_DESK: Final = re.compile(r"\s{1,20}(?:reservations?|bookings?|front desk|team|reception)$", re.IGNORECASE)
_CONFIRMED: Final = re.compile(
    r"(?:confirmed|confirmation|reservation[^–:\n]{0,100})\s{0,20}[:–-]\s{0,20}"
    r"(?P<name>[A-ZÀ-Þ][^\n,(]{1,120}?)(?=,| \(|\n| \||$)",
    re.IGNORECASE,
)


def films(page: Page) -> Iterable[Found]:
    """Candidates for the film: in quotes, else what an evening's title names beside "film night" or a couch."""
    if page.document.kind is not TextKind.CALENDAR:
        for match in _QUOTED.finditer(page.text):
            yield page.found(match["what"], *match.span("what"), 0.5)
        return
    start, end = page.part("title")
    title = page.text[start:end]
    for piece in page.pieces:
        text = _COUCH.sub("", piece.text)
        if _FILM.fullmatch(text) or not (text[:1].isupper() or text[:1].isdigit()):
            continue
        after = bool(_FILM_BEFORE.search(title[: piece.start - start]))
        whole = title[piece.start - start :].rstrip(" ?🎬🍿") if after else text
        value = _COUCH.sub("", whole)
        couch = after or text != piece.text
        yield page.found(value, piece.start, piece.start + len(value), 0.75 if couch else 0.3)


def organisations(page: Page) -> Iterable[Found]:
    """Candidates for the employer or school: those of the profile, a name after "at", a location, who writes."""
    for span in (*page.life.jobs, *page.life.studies):
        at = re.search(rf"\b{re.escape(span.name)}\b", page.text) if span.name else None
        if at:
            yield page.found(span.name, *at.span(), 0.85)
    for piece in page.pieces:
        if piece.before in ("@", "at") and piece.text[:1].isupper():
            yield page.found(piece.text, piece.start, piece.end, 0.6)
    start, end = page.part("location")
    if end and not is_home(page.text[start:end]):
        first = page.text[start:end].split(",")[0]
        if not is_area(first, page):
            yield page.found(first, start, start + len(first), 0.5)
    if page.company:
        yield Found(page.company, 0, 0, 0.42, page.document.sender)


def roles(page: Page) -> Iterable[Found]:
    """Candidates for the position or degree: those of the profile, with a rank before them."""
    for span in (*page.life.jobs, *page.life.studies):
        found = _role(page, span)
        if found is not None:
            yield found


def _role(page: Page, span: Span) -> Found | None:
    role = span.place.split(" (")[0]
    at = re.search(rf"\b{re.escape(role)}\b", page.text) if role else None
    if at is None:
        return None
    rank = next((r for r in _RANKS if page.text[: at.start()].endswith(f"{r} ")), "")
    start = at.start() - (len(rank) + 1 if rank else 0)
    return page.found(page.text[start : at.end()], start, at.end(), 0.85)


def accommodations(page: Page) -> Iterable[Found]:
    """Candidates for where somebody stays: as a booking names it, else a trip's location."""
    for confidence, pattern in ((0.8, _STAY), (0.75, _RESERVED), (0.6, _CONFIRMED)):
        for match in pattern.finditer(page.text):
            yield page.found(match["name"].strip(), *match.span("name"), confidence)
    sender = _DESK.sub("", page.document.sender)
    if not page.document.by_owner and not page.is_from_person and _LODGING.search(page.document.sender):
        yield Found(sender, 0, 0, 0.7, page.document.sender)
    start, _ = page.part("location")
    if page.is_entry and start and _spans_night(page):
        found = (one for one in place(page, "") if one.value != HOME and one.start >= start)
        yield from (one for one in found if not is_area(str(one.value), page))


def _spans_night(page: Page) -> bool:
    """Whether an entry lasts over a night, so that its place is where one stays."""
    start, end = page.document.start, page.document.end
    return start is None or (end is not None and end.date() > start.date())
