"""What the rules of texts may say of an event: the values of their slots, and which attribute each slot expresses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from .accounts import KM_IN_MILE, day_words
from .catalogue import stock
from .diary import Row
from .persona import Persona

Slots = dict[str, str | None]

EXPRESSES: Final[dict[str, tuple[str, ...]]] = {
    "who": ("participants",), "amp": ("participants",), "full": ("participants",), "guests": ("participants",),
    "place": ("place", "place_type"), "dish": ("dish", "cuisine"), "cuisine": ("cuisine",), "activity": ("activity",),
    "activity_up": ("activity",),
    "whose": ("honoree",), "honoree": ("honoree",), "foods": ("food",), "received": ("gifts_received",),
    "given": ("gifts_given",),
    "doctor": ("kind",), "Doctor": ("kind",), "doctor_name": ("doctor_name",), "patient": ("patient",),
    "patient_s": ("patient",),
    "reason": ("reason",), "organisation": ("organisation",), "title": ("title",), "person": ("person",),
    "city": ("destination_city", "city"), "country": ("country",), "accommodation": ("accommodation",),
    "transport": ("transport",),
    "purpose_word": ("purpose",), "purpose_work": ("purpose",), "sight": ("name",), "kind": ("kind",),
    "a_kind": ("kind",),
    "minutes": ("duration_min",), "km": ("distance_km",), "race": ("event_name",), "max_hr": ("max_hr",),
    "calories": ("calories",),
    "film": ("movie_title",), "device": ("device",), "product": ("product",), "things": ("product", "quantity"),
    "count": ("quantity",), "shop": ("shop",), "price": ("price", "currency"), "unit_price": ("unit_price", "currency"),
    "gift": ("gift_for",),
}  # fmt: skip
"""By slot, the attributes that it says."""
ESSENTIAL: Final = frozenset(
    (
        "activity", "occasion", "kind", "workout_type", "movie_title", "product", "tvseries_title", "song_name", "name",
        "city", "patient", "destination_city",
    )
)  # fmt: skip
"""Attributes that whatever tells of an event tells."""
_CURRENCY: Final = {
    "EUR": "€{}",
    "USD": "${}",
    "GBP": "£{}",
    "CAD": "CA${}",
    "AUD": "A${}",
    "SEK": "{} kr",
    "PLN": "{} zł",
    "INR": "₹{}",
}


def attributes(row: Row, used: frozenset[str]) -> frozenset[str]:
    """The attributes of an event that the slots express, with those that any account of it does."""
    said = {attribute for slot in used for attribute in EXPRESSES.get(slot, ())} | ESSENTIAL
    return frozenset(key for key in said if row.get(key) is not None)


def stated(values: Mapping[str, str | None], used: Iterable[str]) -> tuple[str, ...]:
    """What those slots put into a text, in order of the alphabet."""
    return tuple(sorted({value for slot in used if (value := values.get(slot))}))


def slots(row: Row, persona: Persona) -> Slots:
    """The slots of an event."""
    people = [persona.called(name) for name in row.get("participants") or ()]
    common: Slots = {
        "first": persona.first, "name": persona.name, "city_home": persona.city, "who": both(people) or None,
        "amp": both(people, " & ") or None, "full": both(row.get("participants") or ()) or None,
        "place": spoken(row.get("place")), "day": f"{row['start']:%A}, {day_words(row['start'])}",
        "time": f"{row['start']:%H:%M}",
        "dish": row.get("dish"), "cuisine": row.get("cuisine"), "city": row.get("destination_city") or row.get("city"),
    }  # fmt: skip
    return common | _OF[row["type"]](row, persona)


def both(names: Sequence[str], last: str = " and ") -> str:
    """`Ann, Bob and Cy`."""
    return last.join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def spoken(place: str | None) -> str | None:
    """A place as it is written about: "home" is "our place"."""
    return "our place" if place == "home" else place


def money(amount: float, currency: str) -> str:
    """`€12.50`."""
    return _CURRENCY[currency].format(f"{amount:.2f}")


def when(event: datetime, at: datetime) -> str:
    """How one says at one time when something was: `last night`, `on Tuesday`, `on 3 May`."""
    days = (at.date() - event.date()).days
    part = "morning" if event.hour < 12 else "afternoon" if event.hour < 18 else "evening"
    if days == 0:
        return ("today", f"this {part}", f"this {part}")[event.minute % 3]
    if days == 1:
        return (
            "last night"
            if event.hour > 18 and event.minute % 2
            else ("yesterday", f"yesterday {part}")[event.minute % 2]
        )
    if days < 7:
        return f"on {event:%A}"
    return f"on {event.day} {event:%B}" + (f" {event.year}" if event.year != at.year else "")


def as_said(km: float, unit: str) -> float:
    """The kilometres of a distance that a text rounds to a tenth of a kilometre or mile."""
    rounded = _rounded(km, unit)
    return round(rounded * KM_IN_MILE, 2) if unit == "mi" else rounded


def _rounded(km: float, unit: str) -> float:
    return round(km / KM_IN_MILE if unit == "mi" else km, 1)


def _meeting(row: Row, _: Persona) -> Slots:
    activity = row["activity"]
    return {
        "activity": activity, "activity_up": activity[0].upper() + activity[1:], "day_word": f"{row['start']:%A}",
        "party": str(1 + len(row["participants"])),
    }  # fmt: skip


def _celebration(row: Row, persona: Persona) -> Slots:
    honoree = row["honoree"]
    own = honoree == persona.name
    called = persona.called(honoree) if honoree else None
    others = [persona.called(name) for name in row["participants"] if name != honoree]
    return {
        "honoree": called, "whose": "my" if own else f"{called}'s", "guests": both(others) or "just the two of us",
        "foods": both(row["food"]), "given": both(row["gifts_given"] or ()) or None,
        "received": both(row["gifts_received"] or ()) or None,
    }  # fmt: skip


def _doctor(row: Row, persona: Persona) -> Slots:
    said = stock("life")["doctor"][row["kind"]]["said"]
    own = row["patient"] == persona.name
    word = said[row["start"].day % len(said)]
    return {
        "doctor": word, "Doctor": word[0].upper() + word[1:], "doctor_name": row["doctor_name"],
        "reason": row["reason"],
        "patient": None if own else persona.called(row["patient"]),
        "patient_s": "your" if own else f"{row['patient']}'s",
    }  # fmt: skip


def _milestone(row: Row, persona: Persona) -> Slots:
    person = row["person"] and persona.called(row["person"])
    return {"organisation": row["organisation"], "title": row["title"], "person": person}


def _trip(row: Row, _: Persona) -> Slots:
    business = row["purpose"] == "business"
    return {
        "country": row["country"], "accommodation": row["accommodation"], "transport": row["transport"],
        "purpose_word": "work" if business else "holiday", "purpose_work": "work" if business else "a holiday",
        "party": str(1 + len(row["participants"])), "end_day": f"{row['end']:%A}, {day_words(row['end'])}",
        "day_short": f"{row['start'].day} {row['start']:%B}", "end_short": f"{row['end'].day} {row['end']:%B}",
    }  # fmt: skip


def _trip_event(row: Row, _: Persona) -> Slots:
    article = "an" if row["kind"][0] in "aeiou" else "a"
    return {"sight": row["name"], "kind": row["kind"], "a_kind": f"{article} {row['kind']}"}


def _workout(row: Row, persona: Persona) -> Slots:
    sport, km = row["workout_type"], row["distance_km"]
    said = stock("life")["sport"][sport]["said"]
    unit = "miles" if persona.unit == "mi" else "km"
    length = None if km is None else f"{_rounded(km, persona.unit):.1f} {unit}"
    verb = sport if sport.endswith("ing") and sport != "strength training" else None
    return {
        "sport": sport, "Sport": sport.capitalize(), "sport_said": said.capitalize(), "sporting": verb,
        "sporting_log": sport,
        "a_said": f"a {said}", "for_time": f"for {row['duration_min']} minutes" if km is None else "again",
        "minutes": f"{row['duration_min']} min", "km": length, "race": row["event_name"],
        "max_hr": str(row["max_hr"]), "calories": str(row["calories"]),
    }  # fmt: skip


def _film(row: Row, _: Persona) -> Slots:
    return {"film": row["movie_title"], "device": str(row["device"]).lower()}


def _purchase(row: Row, persona: Persona) -> Slots:
    count, product = row["quantity"], row["product"]
    return {
        "product": product, "things": f"{count} x {product}" if count > 1 else product, "count": str(count),
        "shop": row["shop"],
        "price": money(row["price"], row["currency"]), "unit_price": money(row["unit_price"], row["currency"]),
        "gift": row["gift_for"] and persona.called(row["gift_for"]),
        "number": f"{row['start'].toordinal() * 7919 % 900 + 100}-{row['start'].second * 3571 + 1013}",
    }  # fmt: skip


_OF: Final[dict[str, Callable[[Row, Persona], dict[str, Any]]]] = {
    "meeting": _meeting, "celebration": _celebration, "doctor_appointment": _doctor, "milestone": _milestone,
    "trip": _trip,
    "trip_event": _trip_event, "workout": _workout, "movie_stream": _film, "online_purchase": _purchase,
}  # fmt: skip
