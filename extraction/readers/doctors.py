"""Which kind of doctor a text tells of: said, else by complaint, patient and practice."""

from __future__ import annotations

import re

from ..keys import TextKey
from ..page import Found, Page
from .concepts import concepts, shaped

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
