"""Values that are words of the text itself: dishes, products and shops, titles, names, reasons.

A labelled line ("Item: kettle"), what other records of the person hold, the grammar of order mails and short entries,
and the words that the reader marks are candidates; of several the surest is taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from ...store.words import normalise
from ..keys import TextKey, ValueKind
from ..page import Found, Page
from .food import dishes
from .health import doctor_names, reasons
from .names import accommodations, films, organisations, roles
from .towns import is_area

_ORDERED: Final = re.compile(
    r"\b\d+\s*[x×]\s+(?P<what>[^\n€$£]+?)(?=\s{2,}|\s*[€$£]|\n|\s+right now|\s+\d+[.,]\d\d|\.\s|$)"
)
_BOUGHT: Final = re.compile(
    r"\b(?:bought|ordered|purchased|got (?:myself|him|her|them|us)|picked up|treated myself to|splurged on|ordering)\s+"
    r"(?:(?:him|her|them|myself|us|you|[A-ZÀ-Þ][\wÀ-ÿ]+)\s+)?"
    r"(?:(?:the|a|an|some|two|three|a pair of|another|his|her|my|present|–|-|,)\s+)*"
    r"(?P<what>[^,.;:!?()–€$£\n]+?)"
    r"(?=\s+(?:for|from|off|at|on|in|because|so|and|to|today|yesterday|last|this|which|that|online|–|-)\b"
    r"|\s+[€$£–(]|[,.;:!?()–€$£\n]|$)"
)
_FROM: Final = re.compile(r"\b(?:from|at|off|via)\s+(?P<name>(?:the\s+)?(?:[A-ZÀ-Þ][\w’'À-ÿ&.-]*\s*(?:&\s*)?)+)")


def products(page: Page) -> Iterable[Found]:
    """Candidates for what was bought."""
    for match in _ORDERED.finditer(page.text):
        yield page.found(match["what"].strip(" ."), match.start("what"), match.end("what"), 0.9)
    for match in _BOUGHT.finditer(page.text):
        start, end = match.span("what")
        if match["what"][:1].isupper() and page.text[:start].endswith("The "):
            start -= len("The ")
        yield page.found(page.text[start:end].strip(), start, end, 0.55)


def shops(page: Page) -> Iterable[Found]:
    """Candidates for where it was bought: a company that writes, else a name after "from"."""
    if page.company:
        yield Found(page.company, 0, 0, 0.85, page.document.sender)
    for match in _FROM.finditer(page.text):
        name = match["name"].strip(" .,")
        if not page.names_person(*match.span("name")) and not is_area(name, page):
            yield page.found(name, match.start("name"), match.start("name") + len(name), 0.6)


_FIELD: Final = re.compile(
    r"^[ \t>*-]*(?P<label>[A-Za-zÀ-ÿ][\w /'’-]{1,30}?)\s*:[ \t]+(?P<value>\S(?:.*[^ \t\n])?)[ \t]*$", re.MULTILINE
)
_EDGES: Final = ' .,;:!?"“”()\n'
_SHORTEST: Final = 4


def phrase(page: Page, key: TextKey, question: str) -> tuple[Found, ...]:
    """Candidates for a phrase, the likeliest first; what the reader marks where nothing else says any."""
    found = [*_of_fields(page, key), *_of_known(page, key)]
    if key.read_as == "dish":
        found += dishes(page, key, question)
    elif key.read_as in _READERS:
        found += _READERS[key.read_as](page)
    found = found or list(_marked(page, question))
    ranked = sorted(found, key=lambda one: (-one.confidence, one.start))
    return tuple(one for one in ranked if str(one.value).strip())


def _of_fields(page: Page, key: TextKey) -> Iterable[Found]:
    """The values of labelled lines whose label is one of the key's."""
    labels = {normalise(label) for label in key.labels}
    start, end = page.part("body")
    for match in _FIELD.finditer(page.text, start, end):
        if normalise(match["label"]) in labels:
            value = match["value"].split(" (")[0]
            value = value.split(",")[0] if key.kind is ValueKind.PLACE else value
            if key.kind is ValueKind.PLACE and not any(sign.isupper() or sign.isdigit() for sign in value):
                continue  # "Accommodation: courtyard room" names no house
            yield page.found(value, match.start("value"), match.start("value") + len(value), 0.92)


def _of_known(page: Page, key: TextKey) -> Iterable[Found]:
    """What other records of the person hold: a film that was streamed, a product that was bought."""
    known = page.known.get(key.name)
    for cue in known.cues(page.text) if known is not None else ():
        said = page.text[cue.start : cue.end]
        if len(said) >= _SHORTEST and (said[:1].isupper() or said[:1].isdigit() or " " in said):
            yield page.found(cue.value, cue.start, cue.end, 0.8 + min(len(said), 40) / 400)


def _marked(page: Page, question: str) -> Iterable[Found]:
    for span in page.tags.get(question, ()):
        text = page.text[span.start : span.end].strip(_EDGES)
        at = page.text.find(text, span.start)
        if text:
            yield page.found(span.value or text, at, at + len(text), 0.35 + 0.45 * span.score)


_READERS: Final[dict[str, Callable[[Page], Iterable[Found]]]] = {
    "product": products,
    "shop": shops,
    "doctor name": doctor_names,
    "reason": reasons,
    "film": films,
    "organisation": organisations,
    "role": roles,
    "accommodation": accommodations,
}
