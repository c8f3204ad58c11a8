"""Whether the sentence around a place in a text speaks of what was or of what will be."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache
from typing import Final

from ..operators.reading.names import english_abbreviations
from .document import Document, TextKind
from .when import Direction

_IRREGULAR: Final = """
was were wasn't weren't had did didn't went got came saw ate took ran made met left bought sat said told won lost
found felt gave flew drove rode swam sang drank slept woke began broke brought built caught chose cut danced drew
fell fought forgot froze grew heard held hid hit kept knew led lent lit meant paid put read rang rose sent shook
shot shut spent spoke stood stole stuck struck swept swore taught threw thought tore understood wept wore wrote been
gone done beaten eaten seen taken cried tried fried married hosted became burnt learnt dreamt spilt spoilt knelt bit
bled blew dug fed fled hung sank shone slid spun sprang stung thx thanks gestern war hatte fui fomos era foi estive
comi fue fuimos comimos hier
"""
_PAST: Final = re.compile(
    rf"\b(?:{'|'.join(map(re.escape, _IRREGULAR.split()))}|(?!(?:need|seed|speed|feed|bed|red|wed|weed|indeed|led|shed|"
    r"exhausted|supposed|scheduled|planned|invited|booked|confirmed|reserved|hundred|sacred|naked|used|delighted|pleased|excited|"
    r"interested|required|expected|limited|united|advanced|embed|bred)\b)[a-z]{2,}ed|(?:i|we|she|he|they|you)['’]d|ago|"
    r"finally)\b",
    re.IGNORECASE,
)
_FUTURE: Final = re.compile(
    r"\b(?:will|won['’]t|shall|gonna|going\sto|let['’]?s|see\s(?:you|u|ya)|looking\sforward|can['’]?t\swait|remind(?:er)?|"
    r"confirmed|reserved|scheduled|booked\s(?:for|in|a|us|me)|are\sbooked|is\sbooked|shall\swe|should\swe|could\s(?:we|you|u)|can\s(?:we|you|u|i)|"
    r"would\syou|please|pls|plz|join\s(?:us|me)|invited|rsvp|tbc|don['’]?t\sforget|remember\sto|upcoming|planning|planned|"
    r"fancy|wanna|want\sto|are\s(?:you|u|we)\s(?:free|up|around|coming|still)|(?:you|u)\sfree|who['’]?s\s(?:in|up|coming)|anyone|"
    r"need\sto|have\sto|has\sto|must|due|starts?|opens?|doors|departs?|departure|arrives?|check-?in|see\sthere|meet\s(?:me|us|you|at|there|outside)|"
    r"hope\sto|hopefully|might|may\sbe|would\slove|supposed\sto|plan|bring|book|tickets?\sfor|"
    r"(?:am|are|is|['’]m|['’]re|['’]s)\s(?:not\s|all\s|both\s)?(?:flying|going|coming|having|meeting|leaving|taking|seeing|playing|running|hosting|staying|"
    r"cooking|making|doing|driving|arriving|visiting|moving|starting|getting|off\sto|in\stown|celebrating|working|travelling|bringing|picking))\b"
    r"|['’]ll\b",
    re.IGNORECASE,
)
_PRESENT: Final = re.compile(
    r"\b(?:have|has|is|isn['’]t|are|aren['’]t|am|need|needs|want|wants|can|can['’]t|cannot|do|does|if|cancel|call|buy|get|"
    r"take|ask)\b|['’](?:s|re|m)\b",
    re.IGNORECASE,
)
_WEAKER: Final = 12
"""Characters that a verb of the present counts as further away: with a day it speaks of what will be."""
_LIMIT: Final = re.compile(r"\b(?:by|until|till|til|before|for)\s+(?:the\s+)?$", re.IGNORECASE)
_SINCE: Final = re.compile(r"\b(?:since|last|past)\s+(?:the\s+)?$", re.IGNORECASE)
_SENTENCE: Final = 400
"""Characters on either side beyond which nothing is of the same sentence: a text of no sentences is read in parts."""
_BEFORE: Final = 40
"""Characters before an expression in which a preposition with it stands."""
_BREAK: Final = re.compile(r"[.!?…]{1,40}(?=\s|$)|\n+|\s\|\s|;")
_ABBREVIATED: Final = re.compile(r"(?:\b(?:a\.m|p\.m|dr|mr|mrs|no|st)|\b(?P<name>[a-z]{3,5})|\d)$", re.IGNORECASE)
_AHEAD: Final = re.compile(
    r"\b(?:booking|reservation|reserved|confirm(?:ed|ation)|appointment|e-?tickets?|check-?in|itinerary|reminder|departure|"
    r"see\syou\s(?:soon|then|there)|we\slook\sforward|invitation|your\svisit\son|is\sbooked)\b",
    re.IGNORECASE,
)
_BEHIND: Final = re.compile(
    r"\b(?:thank(?:s|\syou)\sfor\s(?:your\s(?:visit|stay|order|purchase|payment)|visiting|staying|shopping|dining|coming|riding|"
    r"travelling|joining|having)|receipt|invoice|you\spaid|payment\sreceived|hope\syou\senjoyed|how\swas|statement|your\strip\swith)\b",
    re.IGNORECASE,
)


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """The sentence (or line, or part) in which [start, end) stands."""
    nearest, farthest = max(0, start - _SENTENCE), min(len(text), end + _SENTENCE)
    first = nearest
    for found in _BREAK.finditer(text, nearest, start):
        if not _is_of_an_abbreviation(text, found):
            first = found.end()
    after = (found for found in _BREAK.finditer(text, end, farthest) if not _is_of_an_abbreviation(text, found))
    return first, next((found.end() for found in after), farthest)


def _is_of_an_abbreviation(text: str, found: re.Match[str]) -> bool:
    if found[0] != ".":
        return False
    before = _ABBREVIATED.search(text, max(0, found.start() - 6), found.start())
    return before is not None and (before["name"] is None or before["name"].casefold() in english_abbreviations())


def direction_at(document: Document, text: str, start: int, end: int) -> tuple[Direction, bool]:
    """Past or future of the sentence around an expression of the document's `text`, and whether its verbs say so: by
    the verb nearest to it, else by what the text speaks of elsewhere and by its kind."""
    first, last = sentence_around(text, start, end)
    was = _nearest(_PAST, text, first, last, start, end)
    will = _nearest(_FUTURE, text, first, last, start, end)
    now = _nearest(_PRESENT, text, first, last, start, end)
    if now is not None and (will is None or now + _WEAKER < will):
        will = now + _WEAKER
    if _LIMIT.search(text, max(first, start - _BEFORE), start):
        return Direction.FUTURE, True
    if _SINCE.search(text, max(first, start - _BEFORE), start) or (was is not None and (will is None or was <= will)):
        return Direction.PAST, True
    if will is not None or text[first:last].rstrip().endswith("?"):
        return Direction.FUTURE, True
    return usual_direction(document), False


@lru_cache(maxsize=64)
def usual_direction(document: Document) -> Direction:
    """What a text of this kind speaks of where its verbs do not tell."""
    text = document.text
    if document.kind is TextKind.CALENDAR:
        return Direction.FUTURE
    if not document.by_owner and _AHEAD.search(text) and not _BEHIND.search(text):
        return Direction.FUTURE
    if document.kind is TextKind.CHAT and len(text) < 80 and not _PAST.search(text):
        return Direction.FUTURE
    return Direction.PAST


def speaks_of_the_past(text: str) -> bool:
    """Whether any verb of a text is in the past."""
    return _PAST.search(text) is not None


def _nearest(shape: re.Pattern[str], text: str, first: int, last: int, start: int, end: int) -> int | None:
    """How far from the expression the nearest verb is; verbs before it count as nearer than those behind."""
    starts, ends = _verbs(shape, text)
    before, behind = bisect_right(ends, start) - 1, bisect_left(starts, end)
    gaps = [start - ends[before]] if before >= 0 and starts[before] >= first else []
    if behind < len(starts) and ends[behind] <= last:
        gaps.append(starts[behind] - end + 3)
    return min(gaps, default=None)


@lru_cache(maxsize=6)
def _verbs(shape: re.Pattern[str], text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Where all verbs of a shape begin and end: a text is gone through once, however many expressions it has."""
    places = [found.span() for found in shape.finditer(text)]
    return tuple(start for start, _ in places), tuple(end for _, end in places)
