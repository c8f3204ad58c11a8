"""Films that a text tells were watched: "Volver on the laptop this afternoon", a list of what was seen, "Film night:
Amélie" in a calendar."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ...store.words import fold
from ...texts.actuality import heads_unreal, is_own, is_unreal
from ...texts.document import TextKind
from ...texts.tense import sentence_around
from ..context import Texts
from ..page import Page
from ..readers.names import films
from .event_mentions import EventMention, Log, Part, moment, once, parts_of

TITLE: Final = "movieTitle"
_VERBS: Final = (
    r"(?:re-?)?watch(?:ed|es|ing)?|stream(?:ed|ing)?|saw|seen|see|put on|finished|rewatch(?:ed|ing)?|"
    r"(?:sit|sat|slept|sobbed|cried|laughed) through"
)
_WATCHED: Final = re.compile(
    rf"\b(?:{_VERBS}|film|films|movie|movies|sofa|couch|settee|telly|tv|laptop|projector|netflix|popcorn|blankets?|"
    rf"credits|"
    r"streaming|dvd|blu-ray|filme|film ?abend|vi|vimos|assisti|gesehen|geschaut|regardé|screen)\b",
    re.IGNORECASE,
)
_ROOM: Final = re.compile(
    r"\b(?:sofa|couch|settee|telly|tv|laptop|projector|netflix|popcorn|blankets?|credits|film|movie|screen|duvet|"
    r"dvd)\b",
    re.I,
)
_VERB_TITLE: Final = re.compile(
    r"\b(?:(?:re-?)?watch(?:ed|ing)|streamed|rewatched|saw|seen|got (?:a)?round to|put on|sat through)\s+"
    r"(?:the\s+(?:film|movie)\s+|(?:most|half|"
    r"all) of\s+)?[\"“‘'«*_]?(?P<what>[A-ZÀ-Þ0-9][\w’'À-ÿ&.-]*(?:[ :,-]+(?:[A-ZÀ-Þ0-9][\w’'À-ÿ&.-]*|"
    r"of|the|a|an|and|in|on|to|for|from|with|de|la|le|du|at|by|is|are|my|your)\b)*[!?]?)"
)
_QUOTED: Final = re.compile(r"[\"“‘«*_](?P<what>[A-ZÀ-Þ0-9][^\"”’»*_\n]{1,70})[\"”’»*_]")
_LINE_TITLE: Final = re.compile(
    r"[\s,:;–—\"“‘«*_-]*(?:(?:watched|saw|rewatched|film|movie|streamed)\b[\s:–-]*)?[\"“‘«*_]?"
    r"(?P<what>[A-ZÀ-Þ0-9].*?)(?=[\"”»*_]|\s{1,20}[–—-]{1,9}\s|[.!?…](?:\s|$)|\s{0,20}\(|,\s|;|:\s|\s{0,20}\n|"
    r"\s{1,20}(?:with|w/|on the|at home|again)\b|\s{0,20}$)"
)
_CINEMA: Final = re.compile(
    r"\b(?:cinema|big screen|movie theat(?:er|re)|multiplex|imax|at the (?:pictures|movies)|kino|in theaters?|"
    r"premiere)\b",
    re.I,
)
_OF_TITLE: Final = re.compile(
    r"\b(?:trailer|soundtrack|book|novel|musical|series|season|episodes?|play|concert|exhibition|poster|t-?shirt)s?\b",
    re.I,
)
_SMALL: Final = frozenset(
    {"of", "the", "a", "an", "and", "in", "on", "to", "for", "from", "with", "de", "la", "le", "du", "at", "by", "is"}
    | {"are", "my", "your"}
)
_END_WORDS: Final = re.compile(r"(?:\s{1,20}(?:Last|Yesterday|Tonight|On|At|And|With|Again|This|The|I|We)){1,12}$")
_FILM_LOG: Final = re.compile(
    r"\b(?:films?|movies?|watch(?:ed|ing)?|seen|saw|couch|sofa|screen|cinema|filmes|kino|telly|viewing|rewatch\w*|"
    r"streamed)\b",
    re.I,
)
_AMOUNT: Final = re.compile(r"\d\s?(?:km|k\b|mi\b|miles|min|€|\$|£|eur|euro)|[€$£]\s?\d", re.IGNORECASE)
_EVENING: Final = re.compile(
    r"\b(?:with (?:popcorn|snacks|wine|pizza)|on the (?:couch|sofa|telly|tv|laptop)|at home|again|rewatch|tonight|"
    r"please)\b|"
    r"\b(?:film|movie|cinema|filme|kino)(?: ?night| ?evening| ?club| time)?\b|\b(?:watch(?:ing)?|streaming|night|"
    r"evening)\b",
    re.IGNORECASE,
)
_SHORTEST, _LONGEST = 40, 270
"""Minutes that a film may take."""
_GAP: Final = 14


@dataclass(frozen=True, slots=True)
class _Title:
    """A title at [start, end); `known`: other records of the person have it; `verb`: one watches it."""

    value: str
    start: int
    end: int
    known: bool
    verb: bool = False
    quoted: bool = False


def films_told(page: Page, texts: Texts) -> tuple[EventMention, ...]:
    """The films that a text tells were watched."""
    if page.document.kind is TextKind.CALENDAR:
        return tuple(_of_entry(page))
    log = parts_of(page, texts)
    if log is not None and _is_film_log(log):
        return once((one for part in log.parts for one in _of_line(part)), (TITLE,))
    if heads_unreal(page.document.title) and page.document.kind is TextKind.NOTE:
        return ()
    parts = log.parts if log is not None else (Part(page),)
    return once((one for part in parts for one in _of_prose(part)), (TITLE,))


def _is_film_log(log: Log) -> bool:
    texts = [part.page.text[part.after :] for part in log.parts]
    if heads_unreal(log.heading) or sum(bool(_AMOUNT.search(text)) for text in texts) * 2 > len(texts):
        return False
    titled = sum(any(t.start <= part.after + 4 for t in _known(part.page)) for part in log.parts)
    named = bool(_FILM_LOG.search(log.heading)) or sum(bool(_FILM_LOG.search(text)) for text in texts) * 2 >= len(texts)
    return titled * 2 >= len(texts) or (named and all(_LINE_TITLE.match(text) for text in texts))


def _of_line(part: Part) -> Iterator[EventMention]:
    """The film that a line of a list of films names first."""
    text = part.page.text
    found = next((t for t in _known(part.page) if t.start <= part.after + 12), None)
    if found is None:
        match = _LINE_TITLE.match(text, part.after)
        value = match["what"].strip(" .,:;–—-\"“”'") if match else ""
        if not match or not value or len(value.split()) > 12:
            return
        found = _Title(value, match.start("what"), match.end("what"), known=False)
    if re.search(r"\b(?:cancelled|didn['’]?t|skipped|never finished|gave up)\b", text, re.IGNORECASE):
        return
    yield from _happening(part, found, 0.9)


def _of_prose(part: Part) -> Iterator[EventMention]:
    page, text = part.page, part.page.text
    for title in _titles(page):
        first, last = sentence_around(text, title.start, title.end)
        around = text[max(first - 90, 0) : last]
        sentence = text[first:last]
        if _CINEMA.search(around) or _OF_TITLE.search(text[max(first, title.start - 18) : min(last, title.end + 18)]):
            continue
        if is_unreal(text, title.start, title.end) or not is_own(page.document, title.start, title.end, _VERBS):
            continue
        score = _score(part, title, sentence, around)
        if score:
            yield from _happening(part, title, score)


def _score(part: Part, title: _Title, sentence: str, around: str) -> float:
    """How sure a named film was watched."""
    watched = bool(_WATCHED.search(sentence.replace(title.value, " ")))
    near = any(
        when.day_said and not when.vague and min(abs(when.start - title.end), abs(title.start - when.end)) <= _GAP
        for when in part.page.times
    )
    if title.verb:
        return 0.9 if title.known else 0.75 if _as_film(title, sentence) else 0.0
    if not title.known:
        return 0.0
    if " " in title.value or len(title.value) > 11:
        return 0.85 if watched or near else 0.6 if _WATCHED.search(around) else 0.0
    return 0.8 if near or (watched and (part.page.times or part.line)) else 0.0


def _as_film(title: _Title, sentence: str) -> bool:
    """Whether a title that no record has is one of a film: quoted, beside words for films, or of several words where
    no match, play or show was watched."""
    rest = sentence.replace(title.value, " ")
    if title.quoted or _ROOM.search(rest):
        return True
    return " " in title.value and bool(_ONLY_FILMS.search(rest)) and not _LIVE.search(rest)


_ONLY_FILMS: Final = re.compile(
    r"\b(?:(?:re-?)?watch(?:ed|ing)|stream(?:ed|ing)|put on|gesehen|geschaut|regardé)\b", re.I
)
_LIVE: Final = re.compile(
    r"\b(?:play(?:s|ed|ing)?|game|match|beat|win|won|los[et]|vs|final|live|concert|gig|score[ds]?|goal|"
    r"team|set fire|sunset|sunrise|record|album|song|music|playlist|radio|coat|jumper|shirt|shoes|dress)\b",
    re.I,
)


def _titles(page: Page) -> list[_Title]:
    """Titles that the text names: of the person's records, in quotes or behind a verb of watching."""
    found = _known(page)
    for shape in (_VERB_TITLE, _QUOTED, _BEGINS):
        for match in shape.finditer(page.text):
            value = _END_WORDS.sub("", match["what"].rstrip(" .,:-")).strip()
            while value.split() and value.split()[-1].casefold() in _SMALL:
                value = value.rsplit(" ", 1)[0] if " " in value else ""
            start = match.start("what")
            end = start + len(value)
            if len(value) < 2 or page.names_person(start, end):
                continue
            if shape is _BEGINS and not _ROOM.search(page.text, end, end + 90):
                continue
            verb = shape is not _QUOTED or bool(_BEFORE.search(page.text, max(0, start - 40), start))
            same = next((t for t in found if t.start < end and start < t.end), None)
            if same is not None:
                found = [_Title(t.value, t.start, t.end, True, verb or t.verb) if t is same else t for t in found]
            elif verb or shape is _BEGINS:
                quoted = shape is not _VERB_TITLE or page.text[max(0, start - 1)] in "\"“‘«*_'"
                found.append(_Title(value, start, end, known=False, verb=True, quoted=quoted))
    return sorted(found, key=lambda title: title.start)


_BEGINS: Final = re.compile(
    r"(?:^|(?<=\n))[\"“‘«*_]?(?P<what>[A-ZÀ-Þ0-9][\w’'À-ÿ&: -]{1,50}?)[\"”’»*_]?,?\s+(?:last night|"
    r"this (?:afternoon|evening|morning)|"
    r"yesterday(?: evening| night| afternoon)?|tonight|on the (?:laptop|sofa|couch|telly|tv|projector))\b"
)
_BEFORE: Final = re.compile(
    r"\b(?:(?:re-?)?watch(?:ed|ing)|streamed|saw|seen|put on|film|movie|finished)\b[^.!?\n\"“‘«]{0,24}[\"“‘«*_]?$",
    re.IGNORECASE,
)


def _known(page: Page) -> list[_Title]:
    """Titles of films of the person's records that the text names as such: with a capital."""
    lexicon = page.known.get("movie title")
    if lexicon is None:
        return []
    cues = [cue for cue in lexicon.cues(page.text) if not page.text[cue.start].islower()]
    dated = [when for when in page.times if when.start < when.end]
    return [
        _Title(c.value, c.start, c.end, True)
        for c in cues
        if not any(when.start <= c.start and c.end <= when.end for when in dated)
    ]


def _of_entry(page: Page) -> Iterator[EventMention]:
    """The film of a calendar entry: a title that is all but words for such an evening, or that stands beside them."""
    document = page.document
    if document.start is None or document.end is None:
        return
    minutes = (document.end - document.start).total_seconds() / 60
    start, end = page.part("title")
    entry = page.text[start:end]
    if not _SHORTEST <= minutes <= _LONGEST or _CINEMA.search(page.text) or heads_unreal(entry.replace("?", "")):
        return
    part = Part(page)
    for title in _known(page):
        rest = entry.replace(page.text[title.start : title.end], " ")
        bare = re.sub(r"[^\w]+", " ", _EVENING.sub(" ", rest)).strip()
        people = all(page.names_person(*m.span()) or _is_owner(m[0], page) for m in _spots(bare, page, start, end))
        if title.start < end and (not bare or (people and rest != entry)):
            yield from _happening(part, title, 0.9)
            return
    best = max(films(page), key=lambda one: one.confidence, default=None)
    if best is not None and best.confidence >= 0.7 and re.search(r"\b(?:film|movie|watch)", entry, re.IGNORECASE):
        title = _Title(str(best.value).strip(), best.start, best.end, known=False)
        yield from _happening(part, title, 0.75)


def _spots(bare: str, page: Page, start: int, end: int) -> list[re.Match[str]]:
    """Where the words of a rest of the title stand in it; small words do not matter."""
    words = [word for word in bare.split() if word.casefold() not in {*_SMALL, "w", "me", "us", "ours"}]
    found = [re.compile(rf"\b{re.escape(word)}\b").search(page.text, start, end) for word in words]
    return [match for match in found if match is not None]


def _is_owner(word: str, page: Page) -> bool:
    owner = page.life.profile.owner
    names = {fold(owner.name.split()[0]), *(fold(name) for name in owner.nicknames)} if owner else set[str]()
    return fold(word) in names


def _happening(part: Part, title: _Title, sure: float) -> Iterator[EventMention]:
    when = moment(part, title.start, title.end)
    if when is None:
        return
    day, said, clock, until = when
    first, last = (0, len(part.page.text)) if part.line else sentence_around(part.page.text, title.start, title.end)
    event = part.document.event.partition("#line-")[0]
    text = part.page.text[first:last].strip()
    yield EventMention(event, day, said, clock, until, {TITLE: (title.value,)}, text, sure)
