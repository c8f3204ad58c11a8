"""Values that are words of the text itself: dishes, products, titles, names, reasons.

A labelled line ("Item: kettle"), what other records of the person hold, the grammar of order mails and short entries, and
the words that the reader marks are candidates; of several the surest is taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from ..store.words import fold, normalise
from ..texts.document import TextKind
from ..texts.mentions import How
from .keys import TextKey
from .text_food import dishes, grown
from .text_page import Found, Page, Piece
from .text_places import HOME, is_area, is_home, place

_FIELD: Final = re.compile(
    r"^[ \t>*-]*(?P<label>[A-Za-zÀ-ÿ][\w /'’-]{1,30}?)\s*:[ \t]+(?P<value>\S.*?)[ \t]*$", re.MULTILINE
)
_ORDERED: Final = re.compile(
    r"\b\d+\s*[x×]\s+(?P<what>[^\n€$£]+?)(?=\s{2,}|\s*[€$£]|\n|\s+right now|\s+\d+[.,]\d\d|\.\s|$)"
)
_BOUGHT: Final = re.compile(
    r"\b(?:bought|ordered|orderd|purchased|got (?:myself|him|her|them|us)|picked up|treated myself to|splurged on|ordering|caved[^:.!?]{0,20}:)\s+"
    r"(?:(?:him|her|them|myself|us|you|(?:[A-ZÀ-Þ][\wÀ-ÿ]+))\s+)?(?:(?:the|a|an|some|two|three|a pair of|another|his|her|my|present|–|-|,)\s+)*(?P<what>[^,.;:!?()–€$£\n]+?)"
    r"(?=\s+(?:for|from|off|at|on|in|because|so|and|to|today|yesterday|last|this|which|that|online|–|-)\b|\s+[€$£–(]|[,.;:!?()–€$£\n]|$)"
)
_DOCTOR: Final = re.compile(
    r"\b(?:Dr|Doctor|Dra|Prof|Doc)\.?\s+(?:med\.?\s+)?[A-ZÀ-ÖØ-Þ][\w’'À-ÿ-]+(?:\s+(?:[A-ZÀ-ÖØ-Þ][\w’'À-ÿ-]+|de|da|van|von|al|O['’][A-Z]\w+))*"
)
_NAME: Final = re.compile(r"\b[A-ZÀ-ÖØ-Þ][a-zà-ÿ’'-]+(?:\s+(?:[A-ZÀ-ÖØ-Þ][a-zà-ÿ’'-]+|O['’][A-Z]\w+)){1,2}")
_FILM_BEFORE: Final = re.compile(
    r"\b(?:film|movie|cinema|watch(?:ed|ing)?|film night|movie night|put on|saw|screening of|streamed|streaming|rewatch(?:ed|ing)?|kino|filme?)\b[\s:–-]*$",
    re.IGNORECASE,
)
_COUCH: Final = re.compile(
    r"\s+(?:on the (?:couch|sofa|telly|tv)|night|rewatch|again|at home|at the (?:cinema|movies))\s*$", re.IGNORECASE
)
_QUOTED: Final = re.compile(r"[\"“‘'](?P<what>[A-ZÀ-Þ][^\"”’'\n]{1,60})[\"”’']")


def phrase(page: Page, key: TextKey, question: str) -> tuple[Found, ...]:
    """Candidates for a phrase, the likeliest first; of a list all of them."""
    found = [*_of_fields(page, key), *_of_known(page, key), *_marked(page, key, question)]
    reader = _READERS.get(key.name)
    if reader is not None:
        found += reader(page, key)
    ranked = sorted(found, key=lambda one: (-one.confidence, one.start))
    return tuple(one for one in ranked if str(one.value).strip())


def _of_fields(page: Page, key: TextKey) -> Iterable[Found]:
    """The values of labelled lines whose label is one of the key's."""
    labels = {normalise(label) for label in key.labels}
    for match in _FIELD.finditer(page.text, *page.part("body")) if page.part("body") != (0, 0) else ():
        if normalise(match["label"]) in labels:
            value = match["value"].split(" (")[0]
            value = value.split(",")[0] if key.kind == "place" else value
            yield page.found(value, match.start("value"), match.start("value") + len(value), 0.92)


def _of_known(page: Page, key: TextKey) -> Iterable[Found]:
    known = page.known.get(key.name)
    for cue in known.cues(page.text) if known is not None else ():
        said = page.text[cue.start : cue.end]
        if len(said) > 3 and (said[:1].isupper() or said[:1].isdigit() or " " in said):
            yield page.found(cue.value, cue.start, cue.end, 0.8 + min(len(said), 40) / 400)


def _marked(page: Page, key: TextKey, question: str) -> Iterable[Found]:
    for span in page.tags.get(question, ()):
        text = page.text[span.start : span.end].strip(' .,;:!?"“”()\n')
        at = page.text.find(text, span.start)
        if text:
            yield page.found(text, at, at + len(text), 0.35 + 0.45 * span.score)


def _products(page: Page, key: TextKey) -> Iterable[Found]:
    for match in _ORDERED.finditer(page.text):
        yield page.found(match["what"].strip(" ."), match.start("what"), match.end("what"), 0.9)
    for match in _BOUGHT.finditer(page.text):
        start = match.start("what")
        article = re.search(r"\b[Tt]he $", page.text[:start])
        start = (
            article.start() if article and match["what"][:1].isupper() and page.text[article.start()] == "T" else start
        )
        yield page.found(page.text[start : match.end("what")].strip(), start, match.end("what"), 0.55)


def _shops(page: Page, key: TextKey) -> Iterable[Found]:
    document = page.document
    from_company = (
        document.kind is TextKind.MAIL and not document.by_owner and not any(m.how is How.SENDER for m in page.mentions)
    )
    if from_company and document.sender:
        yield Found(document.sender, 0, 0, 0.85, document.sender)
    for match in re.finditer(
        r"\b(?:from|at|off|via)\s+(?P<name>(?:the\s+)?(?:[A-ZÀ-Þ][\w’'À-ÿ&.-]*\s*(?:&\s*)?)+)", page.text
    ):
        name = match["name"].strip(" .,")
        if not _person_at(page, *match.span("name")) and not is_area(name, page):
            yield page.found(name, match.start("name"), match.start("name") + len(name), 0.6)


def _doctors(page: Page, key: TextKey) -> Iterable[Found]:
    for match in _DOCTOR.finditer(page.text):
        yield page.found(match[0].strip(), *match.span(), 0.9)
    names = set(page.life.profile.owner.name.split() if page.life.profile.owner else ())
    for match in _NAME.finditer(page.text):
        location = page.part("location")
        if (
            location[0] <= match.start() < location[1]
            or _person_at(page, *match.span())
            or names & set(match[0].split())
        ):
            continue
        if not is_area(match[0], page) and not _cue_at(page, *match.span()):
            yield page.found(match[0], *match.span(), 0.6 if page.document.kind is TextKind.CALENDAR else 0.4)


def _cue_at(page: Page, start: int, end: int) -> bool:
    return any(c.start < end and start < c.end for c in page.cues if not c.weak)


def _person_at(page: Page, start: int, end: int) -> bool:
    return any(m.start < end and start < m.end for m in page.mentions if m.how is How.SAID)


def _reasons(page: Page, key: TextKey) -> Iterable[Found]:
    """What is left of a doctor's entry without doctor, place, patient and time."""
    complaints = [c for c in page.cues_of("doctor_type") if not c.weak and _names_reason(c.text)]
    for cue in complaints:
        start, end, _ = grown(page.text, cue, joined=True)
        yield page.found(page.text[start:end], start, end, 0.5)
    if page.document.kind is not TextKind.CALENDAR:
        return
    location = fold(page.text[slice(*page.part("location"))])
    body = page.body_pieces if len(page.document.body) < 60 else page.body_pieces[:2]
    for number, piece in enumerate((*page.pieces, *body)):
        if _is_reason(piece, page, location):
            first = piece.text[:1].lower() + piece.text[1:] if not piece.text[1:2].isupper() else piece.text
            health = any(c.key == "doctor_type" and piece.start <= c.start and c.end <= piece.end for c in page.cues)
            yield page.found(first, piece.start, piece.end, 0.62 - 0.03 * number + (0.1 if health else 0.0))


def _is_reason(piece: Piece, page: Page, location: str) -> bool:
    doctor = any(
        c.value
        and c.key == "doctor_type"
        and (c.end - c.start) * 10 > (piece.end - piece.start) * 8
        and not _names_reason(c.text)
        for c in page.cues
        if piece.start <= c.start and c.end <= piece.end
    )
    named = any(m.start() < piece.end and piece.start < m.end() for m in _DOCTOR.finditer(page.text))
    pet = piece.text in page.life.pets
    clock = bool(re.match(r"^(?:at|w/)?\s*\d|^(?:bring|remember|remind|pack|to do|don't)", piece.text, re.IGNORECASE))
    name = bool(_NAME.fullmatch(piece.text))
    return not (doctor or named or pet or clock or name) and fold(piece.text) not in location


def _names_reason(cue: str) -> bool:
    """Whether a cue of a kind of doctor is a complaint or treatment and no name of the doctor."""
    return not re.search(
        r"(?:ist|ian|doctor|gp|vet|physio|nurse|surgeon|clinic|practice|surgery|derm|paeds|psych)$", cue
    )


def _films(page: Page, key: TextKey) -> Iterable[Found]:
    if page.document.kind is not TextKind.CALENDAR:
        for match in _QUOTED.finditer(page.text):
            yield page.found(match["what"], match.start("what"), match.end("what"), 0.5)
        return
    start, end = page.part("title")
    title = page.text[start:end]
    for piece in page.pieces:
        text = _COUCH.sub("", piece.text)
        film = re.fullmatch(r"(?:film|movie)(?: night)?|(?:cinema|kino|netflix|watch)", text, re.IGNORECASE)
        if film or not text[:1].isupper() and not text[:1].isdigit():
            continue
        after = bool(_FILM_BEFORE.search(title[: piece.start - start]))
        whole = title[piece.start - start :].rstrip(" ?🎬🍿") if after else text
        value = _COUCH.sub("", whole)
        yield page.found(value, piece.start, piece.start + len(value), 0.75 if after or text != piece.text else 0.45)


def _organisations(page: Page, key: TextKey) -> Iterable[Found]:
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


def _roles(page: Page, key: TextKey) -> Iterable[Found]:
    for span in (*page.life.jobs, *page.life.studies):
        role = span.place.split(" (")[0]
        at = re.search(rf"\b{re.escape(role)}\b", page.text) if role else None
        if at:
            prefix = re.search(r"(?:[A-Z][a-z]+ )?$", page.text[: at.start()])
            start = (
                prefix.start()
                if prefix and prefix[0].strip() in ("Lead", "Senior", "Junior", "Head", "Principal", "Chief")
                else at.start()
            )
            yield page.found(page.text[start : at.end()], start, at.end(), 0.85)


def _accommodations(page: Page, key: TextKey) -> Iterable[Found]:
    for match in re.finditer(
        r"\b(?:your )?stay (?:at|in) (?P<name>[^\n,.–-]+?)(?= [–-]|[,.\n]| in\b| is\b|$)", page.text
    ):
        yield page.found(match["name"].strip(), match.start("name"), match.end("name"), 0.8)
    for match in re.finditer(
        r"(?:confirmed|confirmation|reservation[^–:\n]*)\s*[:–-]\s*(?P<name>[A-ZÀ-Þ][^\n,(]+?)(?=,| \(|\n| \||$)",
        page.text,
        re.IGNORECASE,
    ):
        yield page.found(match["name"].strip(), match.start("name"), match.end("name"), 0.6)
    if page.is_entry:
        yield from (
            one for one in place(page, key, "") if one.value != HOME and one.start >= page.part("location")[0] > 0
        )


_READERS: Final[dict[str, Callable[[Page, TextKey], Iterable[Found]]]] = {
    "dish": dishes,
    "food": dishes,
    "drink": dishes,
    "product": _products,
    "shop": _shops,
    "doctor name": _doctors,
    "reason": _reasons,
    "movie title": _films,
    "organisation": _organisations,
    "role": _roles,
    "accommodation": _accommodations,
}
