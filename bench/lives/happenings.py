"""Canonical events of a life's occasions: milestones, celebrations, trips, doctors, meetings."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from .catalogue import filled, some, stock, weighted
from .diary import Row, World
from .persona import Person

_EVENING: Final = (18.0, 20.0)
_FEASTS: Final = (("christmas", 12, 24, 0.95), ("new_years_eve", 12, 31, 0.85), ("halloween", 10, 31, 0.4))
"""Month, day, and how likely it is celebrated in a year."""


def milestones(world: World) -> Iterator[Row]:
    """New job, education, graduation, residence, engagement, marriage, child, pet: those that the data cover."""
    who = world.persona
    for job in who.career[1:]:
        yield from _milestone(world, "new_job", job.start, job.title, job.organisation)
    for course in who.education:
        yield from _milestone(world, "education_start", course.start, course.title, course.organisation)
        if course.end:
            yield from _milestone(world, "graduation", course.end, course.title, course.organisation)
    for home in who.residences[1:]:
        yield from _milestone(world, "new_residence", home.start, home.title)
    yield from _of_the_family(world)


def _of_the_family(world: World) -> Iterator[Row]:
    who = world.persona
    if who.couple and who.partner:
        if who.couple.engaged:
            yield from _milestone(world, "engagement", who.couple.engaged, person=who.partner.name)
        if who.couple.married:
            yield from _milestone(world, "marriage", who.couple.married, person=who.partner.name)
    for kid in who.kids:
        if kid.birth:
            yield from _milestone(world, "new_kid", kid.birth, person=kid.name)
    for pet in who.pets:
        yield from _milestone(world, "new_pet", pet.start, title=pet.type, person=pet.name)


def _milestone(
    world: World,
    kind: str,
    day: date,
    title: str | None = None,
    organisation: str | None = None,
    person: str | None = None,
) -> Iterator[Row]:
    if not world.covers(day):
        return
    start = world.at(day, 9, 15)
    end = start + timedelta(hours=7)
    if world.past(end):
        world.diary.book(start, end)
        yield {
            "type": "milestone", "start": start, "end": end, "kind": kind, "title": title,
            "organisation": organisation, "person": person, "city": world.persona.city,
        }  # fmt: skip


def celebrations(world: World) -> Iterator[Row]:
    """Birthdays of one's own and of those near, the couple's and the pet's days, and the feasts of the year."""
    who = world.persona
    for year in world.yearly():
        yield from _birthdays(world, year)
        for kind, month, day, chance in _FEASTS:
            if world.rng.random() < chance:
                yield from _celebration(world, kind, date(year, month, day))
        yield from _couples(world, year)
        for pet in who.pets:
            if pet.start.year < year and world.rng.random() < 0.4:
                yield from _celebration(world, "pet_anniversary", _on(year, pet.start), honoree=pet.name)


def _birthdays(world: World, year: int) -> Iterator[Row]:
    who = world.persona
    yield from _celebration(world, "birthday", _on(year, who.birth), honoree=who.name)
    near = [one for one in who.family if one.birth and one.birth.year < year]
    for one in near:
        if one in who.kids or one == who.partner or world.rng.random() < 0.25:
            yield from _celebration(world, "birthday", _on(year, one.birth), honoree=one.name)
    for one in who.friends:
        if world.rng.random() < 0.12:
            day = date(year, 1, 1) + timedelta(days=random.Random(one.name).randrange(360))
            if one.since is None or one.since <= day:
                yield from _celebration(world, "birthday", day, honoree=one.name)


def _couples(world: World, year: int) -> Iterator[Row]:
    who = world.persona
    if not (who.couple and who.partner):
        return
    if who.couple.together.year < year and world.rng.random() < 0.7:
        yield from _celebration(world, "valentines_day", date(year, 2, 14))
    day = who.couple.married if who.couple.married and who.couple.married.year < year else who.couple.together
    if day.year < year and world.rng.random() < 0.8:
        yield from _celebration(world, "partner_anniversary", _on(year, day))


def _on(year: int, day: date | None) -> date:
    assert day is not None
    return date(year, day.month, min(day.day, 28) if day.month == 2 else day.day)


def _celebration(world: World, occasion: str, day: date, honoree: str | None = None) -> Iterator[Row]:
    if not world.covers(day):
        return
    start = world.at(day, *((19.5, 21.0) if occasion == "new_years_eve" else _EVENING))
    end = start + timedelta(hours=world.rng.choice((2, 2.5, 3, 3.5)))
    if not world.past(end) or day in world.away or not world.diary.book(start, end):
        return
    guests = _guests(world, occasion, day, honoree)
    place, kind = world.rng.choice((("home", "home"), ("home", "home"), (world.place("restaurant")[0], "restaurant")))
    if occasion == "christmas" and world.rng.random() < 0.4:
        place, kind = "parents' house", "home"
    city = world.persona.birth_city if place == "parents' house" else world.persona.city
    gifts = stock("life")["gifts"]["things"]
    feast = stock("life")["food"]["feast"][occasion]
    own = honoree == world.persona.name or occasion == "christmas"
    yield {
        "type": "celebration", "start": start, "end": end, "occasion": occasion, "honoree": honoree,
        "participants": guests, "place": place, "place_type": kind, "city": city,
        "food": list(some(world.rng, feast, 1, 2)),
        "gifts_given": [world.rng.choice(gifts)] if honoree and not own and occasion == "birthday" else None,
        "gifts_received": list(some(world.rng, gifts, 1, 2)) if own else None,
    }  # fmt: skip


def _guests(world: World, occasion: str, day: date, honoree: str | None) -> list[str]:
    who = world.persona
    partner = [who.partner.name] if who.partner else []
    if occasion in ("valentines_day", "partner_anniversary"):
        return partner
    family = [p.name for p in who.family if p.birth and p.birth < day]
    friends = [p.name for p in who.known(day) if p.relation is None]
    from_ = family if occasion == "christmas" else (friends if occasion == "new_years_eve" else [*family, *friends])
    chosen = [*partner, *some(world.rng, from_, 1, 4)]
    if honoree and honoree != who.name and not any(pet.name == honoree for pet in who.pets):
        chosen.insert(0, honoree)
    return list(dict.fromkeys(chosen))


def trips(world: World) -> Iterator[Row]:
    """Trips and two to five notable things on each; while on one, nothing happens at home."""
    rng, who = world.rng, world.persona
    for _ in range(world.repeats(min(4.5, 1.9 * world.factor))):
        where = rng.choice(stock("life")["trip"])
        days = rng.choice((2, 3, 3, 4, 6, 7, 9, 12))
        start = world.at(world.day(weekend=1.3), 7, 16)
        end = world.at(start.date() + timedelta(days=days), 10, 21)
        span = [start.date() + timedelta(days=n) for n in range(-2, days + 3)]
        if not world.past(end + timedelta(days=2)) or any(day in world.away for day in span):
            continue
        business = any(sight.startswith("conference") for sight in where["sights"]) and rng.random() < 0.7
        known = [p.name for p in world.persona.known(start.date())]
        partner = [who.partner.name] if who.partner else []
        with_ = [] if business else (partner if partner and rng.random() < 0.5 else list(some(rng, known, 0, 3)))
        trip: Row = {
            "type": "trip", "start": start, "end": end, "destination_city": where["city"], "country": where["country"],
            "purpose": "business" if business else "leisure", "participants": with_,
            "transport": weighted(rng, {"flight": 6, "train": 2, "car": 1, "ferry": 1}),
            "accommodation": filled(rng, rng.choice(stock("life")["travel"]["stays"]), culture=who.culture),
        }  # fmt: skip
        world.away.update({start.date() + timedelta(days=n): trip for n in range(days + 1)})
        yield trip
        yield from _on_the_way(world, trip, where["sights"], business)


def _on_the_way(world: World, trip: Row, sights: list[str], business: bool) -> Iterator[Row]:
    rng, days = world.rng, (trip["end"].date() - trip["start"].date()).days
    usable = [s for s in sights if business or not s.startswith("conference")]
    chosen = some(rng, usable, 2, 5)
    cuisines = stock("life")["food"]["cuisine"]
    for sight in chosen:
        kind, name = sight.split(":", 1)
        start = world.at(trip["start"].date() + timedelta(days=rng.randint(1, max(1, days - 1))), 9.5, 16.5)
        if kind in ("restaurant", "concert"):
            start = start.replace(hour=19, minute=rng.choice((0, 30)))
        end = start + timedelta(minutes=rng.choice((90, 120, 150)))
        if end >= trip["end"] or start <= trip["start"] or not world.diary.book(start, end):
            continue
        cuisine = rng.choice(list(cuisines)) if kind == "restaurant" else None
        yield {
            "type": "trip_event", "start": start, "end": end, "trip": trip, "kind": kind, "name": name,
            "city": trip["destination_city"], "participants": list(trip["participants"]), "cuisine": cuisine,
            "dish": rng.choice(cuisines[cuisine]) if cuisine else None,
        }  # fmt: skip


def appointments(world: World) -> Iterator[Row]:
    """Doctors of one's own, of the children and of the animals; mostly the same doctor of a kind."""
    who, rng = world.persona, world.rng
    clinics, cultures = world.places["clinic"], stock("people")["culture"]
    for number, (kind, row) in enumerate(stock("life")["doctor"].items()):
        surname = rng.choice(cultures[rng.choice(list(cultures))]["surnames"].split())
        doctor, clinic = f"Dr {surname}", clinics[number % len(clinics)][0]
        for _ in range(world.repeats(row["a_year"] * world.factor**0.5)):
            start = world.at(world.day(), 8, 17.5)
            patient = _patient(world, kind, start.date())
            end = start + timedelta(minutes=rng.choice((20, 30, 40)))
            if patient is None or start.weekday() > 4 or start.date() in world.away or not world.past(end):
                continue
            if world.diary.book(start, end):
                yield {
                    "type": "doctor_appointment", "start": start, "end": end, "kind": kind, "doctor_name": doctor,
                    "place": clinic, "city": who.city, "patient": patient, "reason": rng.choice(row["reasons"]),
                }  # fmt: skip


def _patient(world: World, kind: str, day: date) -> str | None:
    who = world.persona
    if kind == "veterinarian":
        return next((pet.name for pet in who.pets if pet.start <= day), None)
    if kind == "paediatrician":
        young = [kid.name for kid in who.kids if kid.birth and kid.birth < day < kid.birth + timedelta(days=4500)]
        return world.rng.choice(young) if young else None
    return who.name


def meetings(world: World) -> Iterator[Row]:
    """Meetings with friends and family: whom one likes most, one meets most."""
    life = stock("life")
    weights = {name: row["weight"] for name, row in life["activity"].items()}
    favourite = {p.name: world.rng.uniform(0.3, 3) for p in (*world.persona.family, *world.persona.friends)}
    for _ in range(world.repeats(24 * world.factor)):
        activity = weighted(world.rng, weights)
        row = life["activity"][activity]
        day = world.day(weekend=3 if activity in ("brunch", "picnic", "museum visit") else 1.4)
        start = world.at(day, *row["hour"])
        end = start + timedelta(minutes=row["minutes"] + world.rng.choice((-15, 0, 0, 15)))
        people = _company(world, activity, day, favourite)
        if day in world.away or not people or not world.past(end) or not world.diary.book(start, end):
            continue
        yield {"type": "meeting", "start": start, "end": end, "activity": activity} | _setting(world, row, people)


def _company(world: World, activity: str, day: date, favourite: dict[str, float]) -> list[Person]:
    far = activity == "video call"
    known = [p for p in world.persona.known(day) if (p.city != world.persona.city) == far]
    count = world.rng.choice((1, 1, 1, 2, 2, 3)) if not far else 1
    chosen: list[Person] = []
    while known and len(chosen) < count:
        one = world.rng.choices(known, weights=[favourite[p.name] for p in known])[0]
        chosen.append(one)
        known.remove(one)
    return chosen


def _setting(world: World, row: Row, people: list[Person]) -> Row:
    rng, food = world.rng, stock("life")["food"]
    place, cuisine = world.place(row["places"]) if row["places"] in world.places else (None, None)
    if row["places"] == "home":
        place = rng.choice(("home", f"{people[0].called}'s place"))
    dish = None
    if row.get("eats") == "cuisine":
        cuisine = cuisine or rng.choice(world.persona.likes["cuisines"])
        dish = rng.choice(food["cuisine"][cuisine])
    elif row.get("eats"):
        dish = rng.choice(food[row["eats"]])
    return {
        "participants": [p.name for p in people], "place": place, "place_type": row["places"] or None,
        "city": world.persona.city if place else None, "cuisine": cuisine, "dish": dish,
    }  # fmt: skip
