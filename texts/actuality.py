"""Whether a text tells of what happened to the person whose life it is: not of a plan, a wish, what did not take place,
nor of what somebody else did.
"""

from __future__ import annotations

import re
from typing import Final

from .document import Document, TextKind
from .tense import sentence_around

_I: Final = re.compile(
    r"\b(?:i|me|my|mine|myself|we|us|our|ours|ourselves|i['’](?:m|d|ve|ll)|we['’](?:re|d|ve|ll)|eu|nós|ich|wir|uns|"
    r"yo|nosotros|je|nous)\b",
    re.IGNORECASE,
)
_SAID_TO_ME: Final = re.compile(r"\b(?:you|we)\b", re.IGNORECASE)
_NOT: Final = re.compile(
    r"\b(?:(?:did|do|does|have|has|had|was|were|is|are|will|would|could|can|should)(?:n['’]?t|"
    r"\snot)\s(?:\w+\s)?(?:watch|see|seen|saw|finish|"
    r"make|made|go|going|get|buy|bought|order|run|ran|swim|ride|cycle|play|happen|come|do|done|start|train|"
    r"work|manage|end|"
    r"take|have|been|on|yet|put|stream)|never (?:watch|saw|seen|made|got|went|bought|order|finish|happen|did|ran|been)|"
    r"no longer|"
    r"cannot|can['’]?t|won['’]?t|cancel(?:l?ed|l?ing|s)?|called off|postponed|skipp(?:ed|ing)|missed|(?:is|was|"
    r"are|'s) off|"
    r"instead of|without|yet to|almost|nearly|nothing bought|not bought|not ordered|sold out|out of stock|"
    r"refund(?:ed)?|"
    r"changed my mind|gave up on|wishlist|wish list|not yet|on paper only|buy neither)\b",
    re.IGNORECASE,
)
_UNREAL: Final = re.compile(
    r"\b(?:if|would|could|should|might|may|maybe|perhaps|shall|let['’]?s|want(?:s|ed)? to|wish(?:ed|es|ing)?|"
    r"hop(?:e|ing) to|"
    r"plan(?:s|ned|ning)?\b(?! b)|going to|gonna|will|i['’]?ll|we['’]?ll|some ?day|one day|next time|"
    r"thinking (?:of|about)|"
    r"consider(?:ing)?|tempted|ought to|need to|have to|must|to buy|to watch|to do|ideas?|recommend(?:s|ed|ation)?|"
    r"comparing|compared|comparison|dream(?:ed|t|ing)? of|anyone|has anybody|shall we|fancy|can we|can you|"
    r"could you)\b",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(
    r"[,;:–—()]|[.!?…]\s+(?=[\"“‘']?[A-ZÀ-Þ])|\s-\s|\b(?:but|and then|and now|and (?:i|we)|so|because|"
    r"although|though|while|when)\b",
    re.IGNORECASE,
)
_THIRD: Final = r"(?:he|she|they|somebody|someone|everyone|everybody|who)"
_NAME: Final = (
    r"(?!(?:I|We|You|The|This|That|And|But|So|Then|Just|Finally|Also|Only|Both|All|Still)\b)[A-ZÀ-Þ][\w’'À-ÿ-]{1,40}"
)


def is_unreal(text: str, start: int, end: int) -> bool:
    """Whether the clause around [start, end) says that it did not take place, or might, or should, or will."""
    first, last = clause_around(text, start, end)
    said = text[first:start] + " " + text[end:last]
    return bool(_NOT.search(said) or _UNREAL.search(said)) or text[first:last].rstrip().endswith("?")


def heads_unreal(text: str) -> bool:
    """Whether a heading speaks of what is only thought of: gift ideas, things to buy, a comparison."""
    return bool(_NOT.search(text) or _UNREAL.search(text))


def is_own(document: Document, start: int, end: int, verbs: str = "") -> bool:
    """Whether what stands at [start, end) is told of the owner: in the owner's own text of nobody else who `verbs`
    (an alternation of verb forms), in another person's text only where "you" or "we" did."""
    text = document.text
    first, last = sentence_around(text, start, end)
    sentence = text[first:last]
    if verbs and re.search(
        rf"(?:\b{_THIRD}|(?-i:\b{_NAME}))\s{{1,20}}(?:\w{{1,40}}ly\s{{1,20}})?(?:{verbs})\b", sentence, re.IGNORECASE
    ):
        joint = re.search(rf"(?-i:{_NAME})\s{{1,20}}(?:and|&|\+)\s{{1,20}}I\b|\bI\s+(?:and|&)\s", sentence)
        if not joint:
            return False
    if document.by_owner or document.kind is TextKind.CALENDAR:
        return True
    meant = _TOLD_TO_YOU.sub(" ", sentence)
    return bool(_SAID_TO_ME.search(meant)) and not re.search(rf"\bI\s+(?:{verbs or 'was'})\b", sentence)


_TOLD_TO_YOU: Final = re.compile(
    r"\b(?:tell|told|telling|thank|thanks to|ask|asked|show|showed|promise[ds]?|owe|send|give|see|saw|call|miss|love|"
    r"believe|assure|warn(?:ed)?)\s+you\b",
    re.IGNORECASE,
)
"""Where "you" are only whom something is told."""


def speaks_of_me(text: str) -> bool:
    """Whether a text says I or we."""
    return _I.search(text) is not None


def recalls(text: str) -> bool:
    """Whether a text looks back at what was years ago."""
    return _LONG_AGO.search(text) is not None


_LONG_AGO: Final = re.compile(
    r"\b(?:throwback|tbt|flashback|years ago|a year ago|remember when|memories|back in (?:the|(?:19|20)\d\d)|"
    r"as a (?:kid|child|student)|"
    r"when i was (?:a|young|little|\d+))\b",
    re.IGNORECASE,
)


def clause_around(text: str, start: int, end: int) -> tuple[int, int]:
    """The part of the sentence in which [start, end) stands; a plan or negation elsewhere in it says nothing of it."""
    first, last = sentence_around(text, start, end)
    for found in _CLAUSE.finditer(text, first, start):
        first = found.end()
    after = _CLAUSE.search(text, end, last)
    return first, after.start() if after else last
