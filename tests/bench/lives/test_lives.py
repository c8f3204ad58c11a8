"""Lives: the same from the same seed, of the size and kinds that are wanted, told truly."""

from __future__ import annotations

import re
from collections import Counter
from datetime import datetime
from itertools import pairwise

import pytest

from reqap_kg.bench.lives.build import Life, build
from reqap_kg.bench.lives.canonical import PREFIXES
from reqap_kg.bench.lives.generate import UNTIL
from reqap_kg.bench.lives.persona import Persona
from reqap_kg.bench.lives.slots import when

TEXTS = ("mail", "social_media", "note", "calendar")
MILESTONES = {"new_job", "education_start", "new_residence", "marriage", "new_kid", "new_pet"}
OCCASIONS = {
    "birthday",
    "partner_anniversary",
    "valentines_day",
    "halloween",
    "christmas",
    "new_years_eve",
    "pet_anniversary",
}
DOCTORS = {"dentist", "gp", "ophthalmologist", "dermatologist", "paediatrician", "veterinarian"}


@pytest.fixture(scope="module")
def lives() -> list[Life]:
    """Ten small lives."""
    return [build(f"p{number}", seed=11, events=2_000, until=UNTIL) for number in range(10)]


def test_a_life_follows_from_its_seed_and_name() -> None:
    first, again = (build("p1", seed=3, events=800, until=UNTIL) for _ in range(2))
    assert list(first.observables()) == list(again.observables())
    assert list(first.canonical()) == list(again.canonical())
    assert first.persona.profile() == again.persona.profile()
    for other in (build("p2", seed=3, events=800, until=UNTIL), build("p1", seed=4, events=800, until=UNTIL)):
        assert other.persona.name != first.persona.name
        assert list(other.observables()) != list(first.observables())


@pytest.mark.parametrize("events", [1_500, 6_000])
def test_a_life_has_as_many_observables_as_wanted(events: int) -> None:
    life = build("p1", seed=1, events=events, until=UNTIL)
    rows = list(life.observables())
    assert [row["id"] for row in rows] == list(range(1, events + 1))
    assert all(
        a["start_date"] <= b["start_date"] for a, b in pairwise(rows) if "mail" not in (a["source"], b["source"])
    )


def test_ten_times_the_events_are_a_fuller_life_with_far_more_music() -> None:
    small, large = (Counter(r["type"] for r in build("p1", 1, n, UNTIL).events) for n in (3_000, 30_000))
    assert large["music_stream"] / large.total() > 0.85 > small["music_stream"] / small.total()
    for kind in ("meeting", "workout", "movie_stream", "online_purchase"):
        assert 1.6 < large[kind] / small[kind] < 4


def test_all_types_of_the_papers_appendix_happen(lives: list[Life]) -> None:
    events = [row for life in lives for row in life.events]
    assert {row["type"] for row in events} == PREFIXES.keys()
    assert {row["kind"] for row in events if row["type"] == "milestone"} >= MILESTONES
    assert {row["occasion"] for row in events if row["type"] == "celebration"} == OCCASIONS
    assert {row["kind"] for row in events if row["type"] == "doctor_appointment"} >= DOCTORS
    parents = {p.name for life in lives for p in life.persona.family}
    met = {name for row in events if row["type"] == "meeting" for name in row["participants"] or ()}
    assert met & parents
    assert met - parents
    trips = [row for row in events if row["type"] == "trip"]
    sights = Counter(row["trip_id"] for row in events if row["type"] == "trip_event")
    assert len(trips) > 40
    assert max(sights.values()) <= 5


def test_everything_happens_in_the_time_that_the_data_cover(lives: list[Life]) -> None:
    for life in lives:
        who = life.persona
        for row in life.events:
            assert who.begin <= row["start"].date() <= row["end"].date()
            assert row["end"] < who.now
        for account in life.accounts:
            assert account.at < who.now


def test_nobody_does_two_things_at_once(lives: list[Life]) -> None:
    busy = ("workout", "meeting", "celebration", "doctor_appointment", "movie_stream", "tvseries_stream")
    for life in lives:
        rows = sorted((row for row in life.events if row["type"] in busy), key=lambda row: row["start"])
        assert all(a["end"] <= b["start"] for a, b in pairwise(rows))


def test_a_household_is_coherent(lives: list[Life]) -> None:
    for who in (life.persona for life in lives):
        firsts = [one.name.split()[0] for one in (*who.family, *who.friends)] + [who.first]
        assert len(set(firsts)) == len(firsts)
        _stages_follow(who)
        for kid in who.kids:
            assert kid.birth is not None
            assert kid.birth.year - who.birth.year >= 16
        if who.couple and who.couple.married and who.couple.engaged:
            assert who.couple.engaged < who.couple.married


def _stages_follow(who: Persona) -> None:
    for stages in (who.career, who.residences):
        assert stages[-1].end is None
        assert stages[0].start < who.begin
        for one, after in pairwise(stages):
            assert one.end is not None
            assert one.start < one.end <= after.start


def test_what_a_text_is_said_to_express_stands_in_it(lives: list[Life]) -> None:
    literal = {
        "place", "dish", "doctor_name", "reason", "organisation", "title", "accommodation", "name", "movie_title",
        "product", "shop", "event_name", "max_hr", "calories",
    }  # fmt: skip
    told = 0
    for life in lives:
        for account in life.accounts:
            if account.shown["source"] not in TEXTS:
                continue
            text = " ".join(str(value) for value in account.shown.values()).casefold().replace("our place", "home")
            for one in account.tells:
                for key in one.attributes & literal:
                    told += 1
                    assert str(one.row[key]).casefold() in text, (key, one.row[key], text)
                for name in one.row["participants"] or () if "participants" in one.attributes else ():
                    called = {life.persona.called(name).casefold(), name.casefold()}
                    own = account.shown.get("sender") == name
                    assert own or any(word in text for word in called), (name, text)
    assert told > 3_000


def test_what_nothing_tells_nobody_is_asked(lives: list[Life]) -> None:
    for life in lives:
        said: dict[str, set[str]] = {}
        for account in life.accounts:
            for told in account.tells:
                said.setdefault(told.row["id"], set()).update(told.attributes)
        assert said.keys() == {row["id"] for row in life.events}
        for row in life.canonical():
            for key in (
                "participants",
                "place",
                "dish",
                "distance_km",
                "price",
                "accommodation",
                "gift_for",
                "food",
                "max_hr",
            ):
                assert row.get(key) is None or key in said[row["id"]]


def test_distances_that_only_texts_tell_are_as_the_texts_round_them(lives: list[Life]) -> None:
    checked = Counter[str]()
    for life in lives:
        recorded = {t.row["id"] for a in life.accounts if a.shown["source"] == "workout" for t in a.tells}
        for account in life.accounts:
            for told in account.tells:
                if "distance_km" not in told.attributes or told.row["id"] in recorded:
                    continue
                text = " ".join(map(str, account.shown.values())).casefold()
                said = [(float(n), unit) for n, unit in re.findall(r"(\d+\.\d) (km|miles)", text)]
                kilometres = [n * (1.609344 if unit == "miles" else 1) for n, unit in said]
                assert any(abs(told.row["distance_km"] - km) < 0.01 for km in kilometres), (told.row, text)
                checked[life.persona.unit] += 1
    assert checked["km"] > 5
    assert checked["mi"] > 5


def test_texts_repeat_and_distract(lives: list[Life]) -> None:
    accounts = [account for life in lives for account in life.accounts if account.shown["source"] in TEXTS]
    tellers = Counter(told.row["id"] for account in accounts for told in account.tells)
    twice = sum(count > 1 for count in tellers.values()) / len(tellers)
    assert 0.15 < twice < 0.33
    idle = sum(not account.tells for account in accounts) / len(accounts)
    assert 0.1 < idle < 0.5
    assert any(len(account.tells) > 2 for account in accounts if account.shown["source"] == "note")


def test_few_records_are_missing_and_few_are_told_too(lives: list[Life]) -> None:
    counts = Counter[str]()
    for life in lives:
        record, text = set[str](), set[str]()
        for account in life.accounts:
            (text if account.shown["source"] in TEXTS else record).update(told.row["id"] for told in account.tells)
        for row in life.events:
            if row["type"] in ("workout", "movie_stream", "online_purchase"):
                counts[f"{row['id'] in record}-{row['id'] in text}"] += 1
    shares = {kind: count / counts.total() for kind, count in counts.items()}
    assert 0.04 < shares["False-True"] < 0.12
    assert 0.04 < shares["True-True"] < 0.12


def test_texts_are_not_all_alike(lives: list[Life]) -> None:
    posts = [a.shown["text"] for life in lives for a in life.accounts if a.shown["source"] == "social_media"]
    shapes = {re.sub(r"[A-Z][\w’']+|\d+", "_", post) for post in posts}
    assert len(shapes) > 0.8 * len(posts)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("2024-03-05T22:10", {"today", "this evening"}),
        ("2024-03-06T09:00", {"yesterday", "yesterday evening", "last night"}),
        ("2024-03-09T09:00", {"on Tuesday"}),
        ("2024-03-20T09:00", {"on 5 March"}),
        ("2025-01-20T09:00", {"on 5 March 2024"}),
    ],
)
def test_days_are_named_as_one_would_on_the_day_of_writing(written: str, said: set[str]) -> None:
    assert when(datetime(2024, 3, 5, 19, 30), datetime.fromisoformat(written)) in said
