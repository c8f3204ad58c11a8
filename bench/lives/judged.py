"""Gold for RETRIEVE and EXTRACT: which observables are relevant for a query, and what texts say under a key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from .accounts import Told
from .build import Life
from .diary import Row

_MEALS: Final = ("dinner", "lunch", "brunch", "cooking evening")
_TEXTS: Final = ("mail", "social_media", "note", "calendar")
_KEYS: Final[Mapping[tuple[str, str], str]] = {
    ("doctor_appointment", "kind"): "doctor_type", ("milestone", "kind"): "milestone_type",
    ("trip", "destination_city"): "trip_destination", ("trip", "purpose"): "trip_purpose",
    ("trip_event", "name"): "place",
    ("online_purchase", "price"): "amount_spent", ("trip_event", "kind"): "activity",
}  # fmt: skip
"""Keys of EXTRACT that are called otherwise than the attribute."""
_ASKED: Final = frozenset(
    (
        "participants", "place", "activity", "dish", "cuisine", "occasion", "food", "honoree", "doctor_name", "reason",
        "patient",
        "workout_type", "duration_min", "distance_km", "movie_title", "product", "shop", "gift_for", "title",
        "organisation",
        "accommodation", "kind", "destination_city", "purpose", "price", "name",
    )
)  # fmt: skip


@dataclass(frozen=True)
class _Query:
    """A query; `needs`: the attributes that a text must say; `doubtful`: happenings of which one could argue."""

    said: str
    matches: Callable[[Row], bool]
    needs: tuple[str, ...] = ()
    doubtful: Callable[[Row], bool] = lambda _: False


def retrieval(life: Life) -> Iterator[dict[str, Any]]:
    """The lines of retrieval.jsonl."""
    made = 0
    for query in _queries(life):
        relevant, ignored, happenings = set[int](), set[int](), set[str]()
        for number, account in enumerate(life.accounts, start=1):
            for told in account.tells:
                if query.matches(told.row) and set(query.needs) <= told.attributes:
                    relevant.add(number)
                    happenings.add(told.row["id"])
                elif query.matches(told.row) or query.doubtful(told.row):
                    ignored.add(number)
        if relevant:
            made += 1
            yield {
                "id": f"{life.persona.id}-r{made:03}", "query": query.said, "relevant": sorted(relevant),
                "ignore": sorted(ignored - relevant), "occurrences": len(happenings),
            }  # fmt: skip


def _of(type_: str, **wanted: Any) -> Callable[[Row], bool]:
    return lambda row: row["type"] == type_ and all(row.get(key) == value for key, value in wanted.items())


def _queries(life: Life) -> Iterator[_Query]:
    yield from (
        _Query("I listened to music", _of("music_stream")), _Query("I watched a movie", _of("movie_stream")),
        _Query("I watched a TV series", _of("tvseries_stream")), _Query("I did a workout", _of("workout")),
        _Query("I bought something online", _of("online_purchase")),
        _Query("I saw a doctor or took someone to one", _of("doctor_appointment")),
        _Query("I went on a trip", _of("trip"), (), _of("trip_event")),
        _Query("I met with someone", _of("meeting"), (), lambda row: bool(row.get("participants"))),
        _Query("I celebrated something", _of("celebration")),
    )  # fmt: skip
    for kind, said in (
        ("dentist", "I went to the dentist"), ("veterinarian", "I took a pet to the vet"),
        ("paediatrician", "I took a child to the paediatrician"), ("gp", "I went to my GP"),
    ):  # fmt: skip
        yield _Query(said, _of("doctor_appointment", kind=kind))
    for occasion, said in (
        ("birthday", "a birthday was celebrated"), ("christmas", "I celebrated Christmas"),
        ("new_years_eve", "I celebrated New Year's Eve"),
        ("valentines_day", "I celebrated Valentine's Day"), ("halloween", "I celebrated Halloween"),
    ):  # fmt: skip
        yield _Query(said, _of("celebration", occasion=occasion))
    for kind, said in (
        ("new_job", "I started a new job"),
        ("new_residence", "I moved house"),
        ("new_pet", "I got a pet"),
    ):
        yield _Query(said, _of("milestone", kind=kind))
    yield _Query("I went on a business trip", _of("trip", purpose="business"), ("purpose",))
    yield from _valued(life)


def _valued(life: Life) -> Iterator[_Query]:
    """Queries with values that are frequent in this life."""
    common = _common(life)
    for artist in common("music_stream", "artists", 3):
        yield _Query(f"I listened to {artist}", lambda row, a=artist: a in (row.get("artists") or ()))
    for series in common("tvseries_stream", "tvseries_title", 2):
        yield _Query(f"I watched an episode of {series}", _of("tvseries_stream", tvseries_title=series))
    for sport in common("workout", "workout_type", 7):
        going = sport.endswith("ing") and sport != "strength training"
        yield _Query(f"I went {sport}" if going else f"I did a {sport} workout", _of("workout", workout_type=sport))
    for category in common("online_purchase", "category", 3):
        yield _Query(
            f"I bought something from the category {category}", _of("online_purchase", category=category), ("category",)
        )
    for cuisine in common("meeting", "cuisine", 6):
        yield _Query(
            f"I ate {cuisine} food", lambda row, c=cuisine: row.get("cuisine") == c, ("cuisine",),
            lambda row: row.get("activity") in _MEALS or row["type"] == "celebration",
        )  # fmt: skip
    for person in common("meeting", "participants", 5):
        yield _Query(
            f"I met with {life.persona.called(person)}",
            lambda row, p=person: row["type"] == "meeting" and p in (row.get("participants") or ()), (),
            lambda row, p=person: p in (row.get("participants") or ()),
        )  # fmt: skip
    for kind in ("park", "restaurant", "cafe"):
        yield _Query(
            f"I met someone at a {kind}", _of("meeting", place_type=kind), ("place",),
            lambda row: row["type"] in ("meeting", "celebration", "trip_event"),
        )  # fmt: skip


def _common(life: Life) -> Callable[[str, str, int], list[str]]:
    def values(type_: str, key: str, count: int) -> list[str]:
        found: Counter[str] = Counter()
        for row in life.events:
            if row["type"] == type_ and row.get(key):
                found.update(row[key] if isinstance(row[key], list) else [row[key]])
        return [value for value, _ in sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))[:count]]

    return values


def extraction(life: Life) -> Iterator[dict[str, Any]]:
    """The lines of extraction.jsonl: one for each attribute of each text that tells of one happening."""
    made = 0
    for number, account in enumerate(life.accounts, start=1):
        if account.shown["source"] not in _TEXTS or len(account.tells) != 1:
            continue
        for key, value in _values(account.tells[0], account.shown["source"]):
            made += 1
            row = {"id": f"{life.persona.id}-x{made:04}", "event": number, "key": key, **value}
            yield row | _nicknames(life, row["value"])


def _values(told: Told, source: str) -> Iterator[tuple[str, dict[str, Any]]]:
    row = told.row
    for attribute in sorted(told.attributes & _ASKED):
        value = row[attribute]
        kind = "list" if isinstance(value, list) else "float" if isinstance(value, int | float) else "str"
        yield _KEYS.get((row["type"], attribute), attribute), {"type": kind, "value": value}
    if source in ("mail", "social_media"):
        yield "event_date", {"type": "date", "value": row["start"].date().isoformat()}


def _nicknames(life: Life, value: Any) -> dict[str, Any]:
    who = life.persona
    people = {p.name for p in (*who.family, *who.friends)}
    if isinstance(value, list):
        called = {name: who.called(name) for name in value if name in people}
        return {"nicknames": called} if called else {}
    return {"also_accept": [who.called(value)]} if value in people else {}
