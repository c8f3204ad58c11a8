"""What was eaten and drunk, in the text's own words: the lexicons' dishes, with the words that belong to them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from ...texts.document import TextKind
from ...texts.lexicon.lexicon import Cue
from ..keys import TextKey
from ..page import Found, Page

_PLACES: Final = re.compile(
    r"(?:restaurant|trattoria|pizzeria|taverna|tasca|cervejaria|pastelaria|taquer[ií]a|bistro|brasserie|osteria|ristorante|caf[eé]|gasthaus|izakaya|diner|bar|pub|house|kitchen|"
    r"cr[eê]perie|boulangerie|cantina|churrascaria|tapas bar|steakhouse|food|cuisine|cooking)s?$",
    re.IGNORECASE,
)
MEALS: Final = frozenset(
    {
        "breakfast",
        "brunch",
        "lunch",
        "dinner",
        "coffee",
        "drinks",
        "afternoon tea",
        "dinner party",
        "barbecue",
        "picnic",
    }
)
_WORD: Final = re.compile(r"[\wÀ-ÿ’'-]+")
_STOP_WORDS: Final = """
    a an the this that these those my your his her our their its some any no more another other one two three four
    five six i we you he she it they me us him them who which what is are was were be been am do does did have has
    had having get gets got getting order orders ordered ordering eat eats ate eating drink drinks drank make makes
    made making cook cooks cooked cooking try tries tried bring brings brought want wants wanted need needs take
    takes took share shared pack buy bought serve served love loved like liked go going went come came see said says
    say for from in at on of to by as into over under with without about after before then than and or but so if
    when while because not never again always just only also too very really still already please time tonight today
    tomorrow yesterday evening morning afternoon night day last next menu booked famous someone somebody everyone
    treat we're they're he's she's i'm it's don't can't there here back up out off down nice good great best better
    lovely amazing delicious gorgeous perfect big huge little small first second new old whole much many few bit lot
    full half extra leftover homemade mean decent usual
"""
_STOP: Final = frozenset(_STOP_WORDS.split())
_JOINERS: Final = frozenset(
    {
        "de",
        "da",
        "do",
        "à",
        "al",
        "alla",
        "alle",
        "au",
        "aux",
        "con",
        "com",
        "del",
        "di",
        "e",
        "en",
        "y",
        "et",
        "on",
        "with",
        "of",
        "and",
        "&",
        "ao",
        "no",
        "na",
        "mit",
        "und",
        "in",
        "le",
        "la",
    }
)
_AND: Final = frozenset({"and", "e", "y", "et", "und"})
_COOKED_WORDS: Final = """
grilled roast roasted fried baked smoked salted stuffed boiled poached braised stewed pulled spicy sweet sour vegan
vegetarian veggie chicken beef lamb pork fish duck turkey salmon tuna prawn prawns shrimp crab mushroom potato tomato
cheese egg garlic onion carrot lemon orange apple banana cherry chocolate vanilla cinnamon almond walnut peanut coconut
mango corn bean beans lentil pumpkin leek spinach pea mint ginger chilli chili pepper honey maple caramel rice noodle
curry soup stew pie cake bread bun sandwich wrap salad tart pudding crumble sauce platter bowl toast roll
"""
_COOKED: Final = frozenset(_COOKED_WORDS.split())
_EATEN: Final = re.compile(
    r"\b(?:ate|eat|eating|had|have|having|made|cooked|ordered|got|shared|split|tried|drank|demolished|devoured|scoffed)\s+"
    r"(?:\w+\s+){0,3}$",
    re.IGNORECASE,
)
_TIGHT: Final = frozenset({"with", "and", "&", "on", "of", "in"})


def dishes(page: Page, key: TextKey, question: str) -> Iterator[Found]:
    """Candidates for a dish, the foods or a drink; dishes that "and" joins are one dish, and several foods."""
    cues = [cue for cue in page.cues_of(*key.lexicon_keys) if _is_food(cue, page)]
    spans = _merged([grown(page, cue, joined=not key.multiple) for cue in cues])
    spans = [(*_without_people(page, start, end), weak) for start, end, weak in spans]
    if key.multiple:
        spans = _merged([*spans, *(beside for span in spans for beside in _beside(page, *span))])
    entry = page.document.kind is TextKind.CALENDAR
    for number, (start, end, weak) in enumerate(spans):
        confidence = (0.72 if entry else 0.55) - 0.02 * min(number, 5) - (0.25 if weak else 0.0)
        if _EATEN.search(page.before(start)):
            confidence += 0.1
        if page.is_marked(question, start, end):
            confidence += 0.25
        if _says_what_was_done(page, start, end):
            confidence -= 0.3
        yield page.found(page.text[start:end], start, end, confidence)
    if entry:
        yield from _short_body(page)


def _says_what_was_done(page: Page, start: int, end: int) -> bool:
    """Whether the words name a meeting ("coffee with Ann"), which may be over cake."""
    title = page.part("title")
    if not title[0] <= start < title[1] or len(page.text[start:end].split()) != 1:
        return False
    return any(c.start <= start and end <= c.end for c in page.cues_of("activity"))


def _without_people(page: Page, start: int, end: int) -> tuple[int, int]:
    """The words up to the first person: "cake with Maire" is cake."""
    for mention in page.said_in(start, end):
        before = page.text[start : mention.start]
        if start <= mention.start < end and before.strip():
            end = start + len(re.sub(r"\s{0,20}\b(?:with|w/|from|for|by|and|&|,)?\s{0,20}$", "", before))
        elif start <= mention.start < end:
            after = re.match(r"['’]s?\s*", page.text[mention.end : end])
            start = mention.end + (len(after[0]) if after else 0)
    return (start, end) if end > start else (start, start + 1)


def _beside(page: Page, start: int, end: int, _weak: bool) -> Iterator[tuple[int, int, bool]]:
    """What "and" joins to a food, where no more than a few words stand there: "bacalhau and sonhos"."""
    after = re.match(
        r"\s+(?:and|&|e|y|und|et)\s+(?P<what>[^\s,.;:!?()]+(?:\s[^\s,.;:!?()]+)?)(?=[,.;:!?)]|$)", page.after(end)
    )
    if after and all(_belongs(word) for word in after["what"].split()):
        yield end + after.start("what"), end + after.end("what"), False
    before = re.search(
        r"(?:^|[|,;:]\s|\bthe\s)(?P<what>[^\s,.;:!?()|]+(?:\s[^\s,.;:!?()|]+)?)\s+(?:and|&|e|y|und|et)\s+$",
        page.before(start),
    )
    if before and all(_belongs(word) for word in before["what"].split()):
        shift = max(0, start - 60)
        yield shift + before.start("what"), shift + before.end("what"), False


_PLACE_AFTER: Final = re.compile(
    r"\s+(?:place|truck|stand|bar|shop|stall|joint|kiosk|box|recipe|machine|festival|van|queue)\b"
)


def _is_food(cue: Cue, page: Page) -> bool:
    """Whether a cue is something to eat, and no kind of restaurant or "Italian"; no part of a location's name."""
    location, title = page.part("location"), page.part("title")
    if _PLACE_AFTER.match(page.after(cue.end)):
        return False
    if location[0] <= cue.start < location[1] or _PLACES.search(cue.text):
        return False
    if cue.key == "cuisine" and cue.text.casefold() == cue.value.casefold():
        return False
    said = page.text[cue.start : cue.end]
    named = any(p.before in ("at", "@") and p.start <= cue.start < p.end for p in page.pieces)
    if named and title[0] <= cue.start < title[1]:
        return False
    name = page.text[max(0, cue.start - 1) : cue.end + 12]
    return not (said[:1].isupper() and re.search(r"\b(?:Kitchen|Café|House|Bar|Deli|Restaurant|Lane|Quay)\b", name))


def grown(page: Page, cue: Cue, *, joined: bool) -> tuple[int, int, bool]:
    """The cue with the words beside it that belong to it: "grilled mackerel", "bacalhau com natas".

    An entry's few words all do; in a longer text those that are food or how it is cooked themselves.
    """
    text, loose = page.text, page.document.kind is TextKind.CALENDAR
    start, end = cue.start, cue.end
    for match in reversed(list(_WORD.finditer(text, max(0, start - 60), start))):
        if text[match.end() : start].strip(" ") or not _belongs(match[0]) or not (loose or _is_kitchen(page, match)):
            break
        start = match.start()
    pending = end
    words = list(_WORD.finditer(text, end, min(len(text), end + 60)))
    for number, match in enumerate(words):
        between = text[pending : match.start()]
        if between.strip(" &") or ("&" in between and not joined):
            break
        word = match[0].casefold()
        if word in _JOINERS:
            if number + 1 == len(words) or not _joins(page, word, words[number + 1], joined=joined, loose=loose):
                break
            pending = match.end()
            continue
        joining = pending > end
        if not _belongs(match[0]) or not (loose or joining or _is_kitchen(page, match)):
            break
        end = pending = match.end()
    return start, end, cue.weak


def _joins(page: Page, word: str, after: re.Match[str], *, joined: bool, loose: bool) -> bool:
    """Whether a small word joins what stands after it to a dish."""
    if word in _AND and not joined:
        return False
    if word in _TIGHT:
        return _belongs(after[0]) and (loose or _is_kitchen(page, after))
    return after[0][:1].islower()


def _is_kitchen(page: Page, word: re.Match[str]) -> bool:
    """Whether a word is food, or how it is cooked."""
    if word[0].casefold() in _COOKED:
        return True
    return page.spans_of("cuisine", "dish_kind", "drink_kind").meet(*word.span())


def _belongs(word: str) -> bool:
    plain = word.casefold().replace("’", "'")
    return plain not in _STOP and not plain.isdigit() and not plain.endswith("ing") and (len(plain) > 1)


def _merged(spans: Iterable[tuple[int, int, bool]]) -> list[tuple[int, int, bool]]:
    """Overlapping spans as one, by place."""
    found: list[tuple[int, int, bool]] = []
    for start, end, weak in sorted(spans):
        if found and start < found[-1][1]:
            first, last, hint = found[-1]
            found[-1] = (first, max(last, end), hint and weak)
        else:
            found.append((start, end, weak))
    return found


def _short_body(page: Page) -> Iterator[Found]:
    """All that a short note of a meal says that the lexicon does not know: "lemon polenta cake please"."""
    if len(page.document.body) > 60:
        return
    for piece in page.body_pieces:
        words = [m for m in _WORD.finditer(page.text, piece.start, piece.end)]
        while words and not _belongs(words[0][0]):
            words.pop(0)
        while words and not _belongs(words[-1][0]):
            words.pop()
        inner = any(m[0].casefold() in _STOP - _JOINERS for m in words)
        if words and not inner and not (len(words) == 1 and not _is_eating(page)):
            yield page.found(page.text[words[0].start() : words[-1].end()], words[0].start(), words[-1].end(), 0.42)


def _is_eating(page: Page) -> bool:
    return any(c.value in MEALS for c in page.cues_of("activity", "meal"))
