"""Doctors: their names, their kind (said, else by complaint, patient and practice), and reasons for seeing them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from ...store.words import fold
from ...texts.document import TextKind
from ..keys import TextKey
from ..page import Found, Fragment, Page
from .concepts import concepts, names_doctor, shaped
from .food import grown
from .towns import is_area

_UPPER: Final = "A-ZÀ-ÖØ-Þ"
_REST: Final = r"[\w’'À-ÿ-]"
_DOCTOR: Final = re.compile(
    rf"\b(?:Dr|Doctor|Dra|Prof|Doc)\.?\s+(?:med\.?\s+)?[{_UPPER}]{_REST}+"
    rf"(?:\s+(?:[{_UPPER}]{_REST}+|de|da|van|von|al|O['’][{_UPPER}]\w+))*"
)
_NAME: Final = re.compile(rf"\b[{_UPPER}][a-zà-ÿ’'-]+(?:\s+(?:[{_UPPER}][a-zà-ÿ’'-]+|O['’][{_UPPER}]\w+)){{1,2}}")
_NO_REASON: Final = re.compile(r"(?:at|w/)?\s*\d|bring|remember|remind|pack|to do|don't", re.IGNORECASE)
_LINKS: Final = frozenset({"for", "before", "after", "in", "with"})
_SHORT: Final = 60
"""Signs of a body all of whose parts may be reasons."""


def doctor_names(page: Page) -> Iterable[Found]:
    """Candidates for the doctor's name: with a title, else a name of nobody whom the profile knows."""
    for match in _DOCTOR.finditer(page.text):
        yield page.found(match[0].strip(), *match.span(), 0.9)
    own = set(page.life.owner.split())
    start, end = page.part("location")
    for match in _NAME.finditer(page.text):
        if start <= match.start() < end or page.names_person(*match.span()) or own & set(match[0].split()):
            continue
        if not is_area(match[0], page) and not _has_cue(page, *match.span()):
            yield page.found(match[0], *match.span(), 0.6 if page.document.kind is TextKind.CALENDAR else 0.45)


def reasons(page: Page) -> Iterable[Found]:
    """Candidates for the reason: a complaint or treatment with its words, what else a doctor's entry says."""
    for cue in page.cues_of("doctor_type"):
        if not cue.weak and not names_doctor(cue):
            start, end, _ = grown(page, cue, joined=True)
            yield page.found(page.text[start:end], start, end, 0.5)
    if page.document.kind is not TextKind.CALENDAR:
        return
    location = fold(page.text[slice(*page.part("location"))])
    body = page.body_pieces if len(page.document.body) < _SHORT else page.body_pieces[:2]
    for number, piece in enumerate((*_linked(page, page.pieces), *_linked(page, body))):
        if _is_reason(piece, page, location):
            text = piece.text if piece.text[1:2].isupper() else piece.text[:1].lower() + piece.text[1:]
            health = any(_inside(piece, c.start, c.end) for c in page.cues_of("doctor_type"))
            yield page.found(text, piece.start, piece.end, 0.62 - 0.03 * number + (0.1 if health else 0.0))


def _linked(page: Page, pieces: Sequence[Fragment]) -> Iterator[Fragment]:
    """Pieces with what small words tie to them: "knee pain before the marathon"."""
    held: Fragment | None = None
    for piece in pieces:
        if held is not None and piece.before in _LINKS and page.text[held.end : piece.start].strip() == piece.before:
            held = replace(held, end=piece.end, text=page.text[held.start : piece.end])
            continue
        if held is not None:
            yield held
        held = piece
    if held is not None:
        yield held


def _inside(piece: Fragment, start: int, end: int) -> bool:
    return piece.start <= start and end <= piece.end


def _has_cue(page: Page, start: int, end: int) -> bool:
    return any(c.start < end and start < c.end for c in page.cues if not c.weak)


def _is_reason(piece: Fragment, page: Page, location: str) -> bool:
    size = (piece.end - piece.start) * 0.8
    doctors = (c for c in page.cues_of("doctor_type") if _inside(piece, c.start, c.end) and names_doctor(c))
    if any(c.end - c.start > size for c in doctors) or piece.text in page.life.pets or _NAME.fullmatch(piece.text):
        return False
    if any(m.start() < piece.end and piece.start < m.end() for m in _DOCTOR.finditer(page.text)):
        return False
    return not _NO_REASON.match(piece.text) and fold(piece.text) not in location


_GENERAL = frozenset({"GP", "nurse", "phlebotomist", "travel clinic", "emergency doctor"})


def doctors(page: Page, key: TextKey, question: str) -> tuple[Found, ...]:
    """Candidates, the likeliest first. Whom a pet sees is a vet; a child of whom only general things are said sees a
    doctor for children."""
    found = list(concepts(page, key, question))
    for pet in page.life.pets:
        at = re.search(rf"\b{re.escape(pet)}\b", page.text)
        if at and at.start() < (page.part("title")[1] or len(page.text)):
            found.append(page.found(_called("vet", key), *at.span(), 0.97))
    child = next((m for m in page.said for name in m.names if page.life.is_child(name, page.day)), None)
    general = {_called(name, key) for name in _GENERAL}
    if child is not None and (not found or found[0].value in general):
        found.append(page.found(_called("paediatrician", key), child.start, child.end, 0.96))
    return tuple(sorted(found, key=lambda one: -one.confidence))


def _called(value: str, key: TextKey) -> str:
    return shaped(key.named.get(value, value), key)
