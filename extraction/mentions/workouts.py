"""Workouts that a text tells of: a log of sessions without the watch, "54 minutes in the gym after work", an entry of a
calendar that says how far it was."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from math import log
from typing import Final

from ...store.words import fold
from ...texts.actuality import clause_around, heads_unreal, is_own, is_unreal, recalls, speaks_of_me
from ...texts.document import TextKind
from ...texts.quantities.lengths import Distance, Length, distances, durations
from ...texts.tense import speaks_of_the_past
from ..context import Texts
from ..keys import TextKey
from ..page import Found, Page
from ..readers.concepts import concepts, names_doctor
from .event_mentions import EventMention, Log, Part, Value, moment, once, parts_of

KIND, DISTANCE, DURATION = "workoutType", "distance", "duration"
_RATE: Final = re.compile(
    r"(?P<how>max(?:imum)?|top(?:ped)?|peak(?:ed)?|highest|average|avg\.?|mean|lowest|min(?:imum)?)?[^.!?\n\d]{0,24}"
    r"\b(?:heart ?rate|hr|pulse|bpm|heart|ticker|coração|puls)\b[^.!?\n\d]{0,36}(?P<rate>\d{2,3})\b(?!\s?(?:min|"
    r"km|€|%|[.,]\d))"
    r"(?P<after>[^.!?\n\d]{0,14}\b(?:max(?:imum)?|máximo|top|peak|average|avg)\b)?"
    r"|(?P<before>max|avg|average|peak)\s+(?P<bare>\d{2,3})\b(?!\s?(?:km|min|€))",
    re.IGNORECASE,
)
_MOST: Final = re.compile(r"max|top|peak|high|máx", re.IGNORECASE)
_LEAST: Final = re.compile(r"lowest|min", re.IGNORECASE)
_RATES: Final = range(45, 231)
_TRAVEL: Final = re.compile(
    r"\b(?:drove|drive|driving|flight|flew|train|bus|taxi|uber|queue|waiting|waited|parking|delayed|walk from|"
    r"from the (?:hotel|station|centre|center)|"
    r"away|radius|recipe|simmer|bake|oven|boil|marinate|episode|film|movie|lecture|meeting|call|away from)\b",
    re.IGNORECASE,
)
_DRIVEN: Final = re.compile(
    r"\b(?:drove|driving|drive|flew|by (?:car|train|bus|plane)|on the (?:train|bus|motorway))\b", re.I
)
_OTHERS: Final = (
    r"ran|runs|plays|swims|races|rides|finishes|finished|swam|cycled|rode|won|completed|did|hiked|walked|raced|trained|"
    r"skied|climbed|played|clocked|managed|crossed"
)
_LIKELY, _VERY_LIKELY = 0.5, 0.8
_STRONG: Final = 0.55
_WEAK: Final = 0.4
_UNITS: Final = frozenset(
    {"km", "kms", "mile", "miles", "k", "leg", "legs", "knee", "knees", "step", "steps", "session", "sessions"}
)
"""Hints that go with any sport."""
_NEAREST, _AGREEING, _NEAR = 7, 5, 0.4
"""So many records with the nearest speed and length are looked at, so many must be of one sport, none be further."""
_KM, _MINUTES = (Decimal("0.05"), Decimal(400)), (Decimal(3), Decimal(60 * 24))
"""Distances and lengths of time that a workout may have."""
_LENGTH: Final = 0.5
"""Score from which on a time is how long something took, and not when it was: an hour early."""
_STATED: Final = 0.6
"""Score from which on a distance is stated, and not that of a race by its name."""


@dataclass(frozen=True, slots=True)
class _Measures:
    """How far and how long, and the heart rates that a text states."""

    distance: Distance | None
    duration: Length | None
    rates: dict[str, int]

    @property
    def place(self) -> tuple[int, int] | None:
        """Where the first of them stands."""
        found = self.distance or self.duration
        return (found.start, found.end) if found else None


@dataclass(frozen=True)
class Sports:
    """The person's sports: how EXTRACT reads them, and (distance, duration in seconds, sport) of the records."""

    key: TextKey
    records: tuple[tuple[float, float, str], ...] = ()
    own: frozenset[str] = frozenset()
    """All sports of the records."""

    def kind(self, page: Page, found: _Measures) -> str | None:
        """The sport of a text, as the records call it: what it names; of what it only hints at, what the person does
        and how fast it was; without any hint that which nearly all records of such a speed and length are of."""
        named = [one for one in concepts(page, self.key, self.key.question) if fold(one.evidence) not in _UNITS]
        strong = [str(one.value) for one in named if one.confidence >= _STRONG and not _is_weak(one, page)]
        like = self._like(found)
        mine = [kind for kind in strong if not self.own or kind in self.own]
        if mine:
            return like if like in mine else mine[0]
        hinted = [
            str(one.value) for one in named if one.confidence >= _WEAK and (not self.own or str(one.value) in self.own)
        ]
        if like is not None:
            return like
        return next(iter((*strong, *hinted)), None)

    def _like(self, found: _Measures) -> str | None:
        """The sport of the records that are most like it in speed and length."""
        if found.distance is None or found.duration is None or len(self.records) < _NEAREST:
            return None
        far, long = float(found.distance.kilometres), float(found.duration.minutes) * 60
        near = sorted((_unlike(far, long, d, t), kind) for d, t, kind in self.records)[:_NEAREST]
        kind, number = (
            Counter(kind for unlike, kind in near if unlike <= _NEAR).most_common(1)[0]
            if near[0][0] <= _NEAR
            else ("", 0)
        )
        return kind if number >= _AGREEING else None


def _is_weak(one: Found, page: Page) -> bool:
    """Whether a value rests on a hint only."""
    return all(cue.weak for cue in page.cues_of("workout_type") if (cue.start, cue.end) == (one.start, one.end))


def _unlike(far: float, long: float, other_far: float, other_long: float) -> float:
    """How unlike two workouts are in speed, and less so in length."""
    return abs(log(far / long) - log(other_far / other_long)) * 2 + abs(log(long) - log(other_long)) * 0.3


def workouts_told(page: Page, texts: Texts, sports: Sports, *, likely: float) -> tuple[EventMention, ...]:
    """The workouts that a text tells of; `likely` is the probability, by a classifier, that it tells of any."""
    log = parts_of(page, texts)
    if log is not None and _is_training(log):
        return once(_of_lines(log, sports), (KIND, DISTANCE, DURATION))
    parts = log.parts if log is not None else (Part(page),)
    return once((one for part in parts for one in _of_text(part, sports, likely)), (KIND, DISTANCE, DURATION))


def _is_training(log: Log) -> bool:
    measured = sum(measures(part.page).place is not None for part in log.parts)
    money = sum(bool(re.search(r"[€$£]\s?\d|\d\s?(?:€|EUR|USD)", part.page.text)) for part in log.parts)
    return measured * 2 >= len(log.parts) and not money and not heads_unreal(log.heading)


def _of_lines(log: Log, sports: Sports) -> Iterator[EventMention]:
    """The session of each line; one that names no sport is of that which the log is of."""
    found = [measures(part.page) for part in log.parts]
    kinds = [sports.kind(part.page, each) for part, each in zip(log.parts, found, strict=True)]
    common = Counter(kind for kind in kinds if kind is not None).most_common(2)
    usual = common[0][0] if len(common) == 1 else None
    for part, kind, each in zip(log.parts, kinds, found, strict=True):
        if each.place is None and (kind is None or _RESTED.search(part.page.text)):
            continue
        yield from _happening(part, each.place or (0, 0), kind or usual, each, 0.9)


_RESTED: Final = re.compile(
    r"\b(?:rest(?: day)?|cancelled|skipped|did(?:n['’]?t| not)|nothing|sick|ill|injured|no (?:run|training|"
    r"session|swim|gym)|off)\b",
    re.I,
)


def _of_text(part: Part, sports: Sports, likely: float) -> Iterator[EventMention]:
    """The workout that a text, or an entry of a calendar, tells of with its measures."""
    page, document = part.page, part.document
    found = measures(page)
    place = found.place
    kind = sports.kind(page, found) if place is not None else None
    if place is None or kind is None or not is_own(document, *place, _OTHERS):
        return
    if document.kind is TextKind.CALENDAR:
        if not is_own(document, 0, 1, _OTHERS):
            return
        if not _is_long(page) and (likely >= _LIKELY or found.distance) and not _at_doctors(page):
            yield from _happening(part, place, kind, found, 0.9)
        return
    if likely < _LIKELY or is_unreal(page.text, *place) or recalls(page.text):
        return
    around = page.text[max(0, place[0] - 30) : place[1] + 30]
    if _DRIVEN.search(around) or (_TRAVEL.search(around) and likely < _VERY_LIKELY):
        return
    if (
        document.kind is TextKind.POST
        or not document.by_owner
        or speaks_of_me(page.text)
        or speaks_of_the_past(page.text)
        or page.times
    ):
        yield from _happening(part, place, kind, found, 0.85)


def _at_doctors(page: Page) -> bool:
    """Whether an entry names a doctor in its title or as its place."""
    until = page.part("location")[1] or page.part("title")[1]
    return any(names_doctor(cue) for cue in page.cues_of("doctor_type") if cue.end <= until)


def _is_long(page: Page) -> bool:
    """Whether an entry lasts for days: a trip, and no workout."""
    document = page.document
    return bool(document.start and document.end and (document.end - document.start).total_seconds() > 26 * 3600)


def measures(page: Page) -> _Measures:
    """What a text states of a workout."""
    text = page.text
    far = [
        d
        for d in distances(text)
        if _KM[0] <= d.kilometres <= _KM[1] and d.score >= _STATED and _is_of_one(text, d.start, d.end)
    ]
    whole = _minutes_of(page)
    long = [
        t
        for t in durations(text)
        if _MINUTES[0] <= t.minutes <= _MINUTES[1]
        and t.score >= _LENGTH
        and not _is_pace(text, t.end)
        and t.minutes >= whole * Decimal("0.4")
        and _is_of_one(text, t.start, t.end)
    ]
    distance = max(far, key=lambda d: (d.score, -d.start), default=None)
    duration = max(long, key=lambda t: (t.score, -t.start), default=None)
    return _Measures(distance, _to_the_second(duration, long), _rates(text))


def _is_of_one(text: str, start: int, end: int) -> bool:
    """Whether a measure is that of one session of the owner's: no sum or mean of each day, and not what is told of
    somebody else ("he'd been ahead of me for nine kilometres")."""
    first, _ = clause_around(text, start, end)
    if _EACH.match(text, end) or _EACH_BEFORE.search(text, first, start):
        return False
    return not _OF_OTHERS.search(text, first, start) or _MINE.search(text, first, start) is not None


_EACH: Final = re.compile(
    r"(?:\s\w+ed|\swalk\w*|\srun\w*)?\s?(?:/|\b(?:a|an|per|each|every)\s)(?:day|week|month|year|night|morning|evening)\b|"
    r"\s(?:daily|weekly|monthly|in (?:total|all)|altogether|this (?:year|month|week)|so far)\b",
    re.IGNORECASE,
)
_EACH_BEFORE: Final = re.compile(
    r"\b(?:daily|weekly|average of|on average|every (?:day|week|morning)|total(?:led|ling|s)?(?: of)?|altogether)\b",
    re.IGNORECASE,
)
_OF_OTHERS: Final = re.compile(
    r"\b(?:he|she|they|somebody|someone|everyone|everybody|who)(?:['’](?:d|s|ve|re|ll))?\s", re.I
)
_MINE: Final = re.compile(r"\b(?:I|we)\b", re.IGNORECASE)


def _to_the_second(found: Length | None, all_found: list[Length]) -> Length | None:
    """A number of whole hours, as exactly as the text tells it elsewhere: "under four hours", "3:58:11"."""
    if found is None or found.minutes % 60:
        return found
    exact = (t for t in all_found if t.minutes % 1 and abs(t.minutes - found.minutes) < 60)
    return next(exact, found)


def _minutes_of(page: Page) -> Decimal:
    """How long an entry of a calendar lasts: a much shorter time that it says is of something else."""
    start, end = page.document.start, page.document.end
    return Decimal(int((end - start).total_seconds())) / 60 if start and end and end > start else Decimal(0)


def _is_pace(text: str, end: int) -> bool:
    return (
        re.match(r"\s?(?:/|per|a|min/)\s?(?:k(?:m|ilomet)|mile|mi\b)", text[end : end + 14], re.IGNORECASE) is not None
    )


def _rates(text: str) -> dict[str, int]:
    """Heart rates by the name of their property; one that nothing qualifies is the highest."""
    found: dict[str, int] = {}
    for match in _RATE.finditer(text):
        rate = int(match["rate"] or match["bare"])
        if rate not in _RATES:
            continue
        how = f"{match['how'] or ''} {match['after'] or ''} {match['before'] or ''} {match[0]}"
        if re.search(r"av(?:era)?g|mean", how, re.IGNORECASE):
            name = "averageHeartRate"
        else:
            name = "minimumHeartRate" if _LEAST.search(match["how"] or "") else "maximumHeartRate"
        found.setdefault(name, rate)
    return found


def _happening(
    part: Part, place: tuple[int, int], kind: str | None, found: _Measures, sure: float
) -> Iterator[EventMention]:
    when = moment(part, *place)
    if when is None or (kind is None and found.distance is None):
        return
    day, said, clock, until = when
    values: dict[str, tuple[Value, ...]] = {KIND: (kind,)} if kind else {}
    if found.distance is not None:
        values[DISTANCE] = (found.distance.kilometres.quantize(Decimal("0.001")).normalize(),)
    if found.duration is not None:
        values[DURATION] = ((found.duration.minutes * 60).quantize(Decimal(1)),)
    elif minutes := _minutes_of(part.page):
        values[DURATION] = ((minutes * 60).quantize(Decimal(1)),)
    for name, rate in found.rates.items():
        values[name] = (Decimal(rate),)
    event = part.document.event.partition("#line-")[0]
    yield EventMention(event, day, said, clock, until, values, part.page.text.strip(), sure)
