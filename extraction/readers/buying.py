"""What was bought, and where: order mails, and "I bought a kettle from Argos"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from ..page import Found, Page
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
