"""Which accounts of events tell of the same happening, on hand-written weeks."""

import json
from dataclasses import replace
from datetime import date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reqap_kg.models.coreference.accounts import Account, account_of_record, account_of_text
from reqap_kg.models.coreference.features import FEATURES, Rarity, features
from reqap_kg.models.coreference.model import candidates, links, load_weights, read_weights
from reqap_kg.texts.document import Document, TextKind
from reqap_kg.texts.lexicon.lexicon import load_lexicon
from reqap_kg.texts.people.mentions import Person, Profile
from reqap_kg.training.coreference import fit, fit_signed, learned, measured
from reqap_kg.training.coreference_lives import Lived, among_others, read_lives

EV = "https://w3id.org/reqap-kg/event#"
PROFILE = Profile(Person("Nora Vik"), (Person("Ivar Moe", relation="husband"), Person("Sanna Lie", relation="friend")))
LEXICON = load_lexicon()


def calendar(name: str, start: str, end: str, title: str, location: str = "", body: str = "") -> Account:
    moment = datetime.fromisoformat(start)
    document = Document(
        name, TextKind.CALENDAR, title, body, moment, location, start=moment, end=datetime.fromisoformat(end)
    )
    return account_of_text(document, LEXICON, PROFILE)


def mail(name: str, written: str, body: str, *, subject: str = "", sender: str = "Nora Vik") -> Account:
    document = Document(
        name,
        TextKind.MAIL,
        subject,
        body,
        datetime.fromisoformat(written),
        sender=sender,
        by_owner=sender == "Nora Vik",
    )
    return account_of_text(document, LEXICON, PROFILE)


def post(name: str, written: str, body: str) -> Account:
    return account_of_text(Document(name, TextKind.POST, "", body, datetime.fromisoformat(written)), LEXICON, PROFILE)


def record(name: str, kind: str, start: str, end: str, label: str, **more) -> Account:
    moments = (datetime.fromisoformat(start), datetime.fromisoformat(end))
    return account_of_record(name, EV + kind, *moments, label, more.pop("texts", ()), LEXICON, **more)


def linked(*accounts: Account) -> set[tuple[str, str]]:
    """The pairs that are linked, by name."""
    found = links(accounts, load_weights())
    return {(min(link.one, link.other), max(link.one, link.other)) for link in found}


RUN = record("run", "Workout", "2024-05-04T07:05", "2024-05-04T07:46", "running", called=("workout", "training"))
FILM = record("film", "MovieStream", "2024-05-04T20:41", "2024-05-04T22:31", "Paddington", called=("movie", "film"))
ORDER = record("order", "Purchase", "2024-05-06T21:10", "2024-05-06T21:10", "Enamel teapot blue", texts=("Husly",),
               sums=(349.0,), called=("purchase", "order"))  # fmt: skip


class TestWhatIsTheSame:
    """Pairs that tell of one happening."""

    def test_a_calendar_entry_and_the_workout_in_it(self):
        assert linked(calendar("c", "2024-05-04T07:00", "2024-05-04T08:00", "Running w/ Sanna"), RUN) == {("c", "run")}

    def test_a_calendar_entry_and_the_film_that_it_names(self):
        entry = calendar("c", "2024-05-04T20:30", "2024-05-04T22:30", "Paddington on the couch")
        assert linked(entry, FILM) == {("c", "film")}

    def test_a_receipt_and_its_purchase(self):
        receipt = mail("m", "2024-05-06T21:12", "Thank you! 1 x Enamel teapot blue. Total: 349.00 kr", sender="Husly",
                       subject="Your order at Husly")  # fmt: skip
        assert linked(receipt, ORDER) == {("m", "order")}

    def test_a_confirmation_and_the_table(self):
        booked = mail("m", "2024-05-01T12:00", "We look forward to welcoming you on Friday, 3 May 2024 at 19:30.",
                      subject="Your table at Lotus Garden", sender="Lotus Garden")  # fmt: skip
        entry = calendar("c", "2024-05-03T19:30", "2024-05-03T21:30", "Dinner w/ Ivar", "Lotus Garden")
        assert linked(booked, entry) == {("c", "m")}

    def test_a_mail_of_the_day_after_and_the_dinner(self):
        told = mail("m", "2024-05-04T10:00", "Last night Ivar and I were at Lotus Garden, the dumplings were divine.")
        entry = calendar("c", "2024-05-03T19:30", "2024-05-03T21:30", "Dinner w/ Ivar", "Lotus Garden", "dumplings")
        assert linked(told, entry) == {("c", "m")}

    def test_a_hotel_and_the_trip(self):
        stay = "Check-in: Thursday, 9 May 2024. Check-out: Sunday, 12 May 2024. Guests: Nora Vik, Ivar Moe"
        hotel = mail("m", "2024-02-01T12:00", stay, subject="Confirmed: Hotel Arno, Florence", sender="Roomly")
        trip = calendar("c", "2024-05-09T06:40", "2024-05-12T22:10", "Florence with Ivar", "Hotel Arno, Florence")
        assert linked(hotel, trip) == {("c", "m")}


class TestWhatIsNot:
    """Pairs that share a day, words or people, and are two happenings."""

    def test_two_meetings_of_a_day(self):
        first = calendar("a", "2024-05-06T10:00", "2024-05-06T11:00", "Team meeting", "Office")
        second = calendar("b", "2024-05-06T14:00", "2024-05-06T15:00", "Team meeting", "Office")
        assert not linked(first, second)

    def test_the_next_one_of_a_recurring_appointment(self):
        told = mail("m", "2024-05-05T10:00", "Pottery with Sanna yesterday, my bowl collapsed again.")
        days = ("2024-04-27", "2024-05-04", "2024-05-11")
        entries = [calendar(day, f"{day}T10:00", f"{day}T12:00", "Pottery w/ Sanna", "Clay House") for day in days]
        assert linked(told, *entries) == {("2024-05-04", "m")}

    def test_a_workout_during_a_trip(self):
        trip = calendar("c", "2024-05-02T06:00", "2024-05-05T22:00", "Bergen with Ivar", "Bergen")
        assert not linked(trip, RUN)

    def test_a_day_of_a_trip_and_the_trip(self):
        trip = calendar("c", "2024-05-02T06:00", "2024-05-05T22:00", "Bergen with Ivar", "Bergen")
        told = mail("m", "2024-05-04T21:00", "Bergen is wet. Yesterday Ivar and I saw the fish market, then soup.")
        assert not linked(trip, told)

    def test_a_film_during_a_meeting(self):
        assert not linked(calendar("c", "2024-05-04T20:30", "2024-05-04T22:30", "Choir w/ Sanna", "St Olav"), FILM)

    def test_a_sale_and_a_purchase_of_that_shop(self):
        sale = mail("m", "2024-05-07T08:00", "Teapots and mugs up to 40% off until Sunday, from 99 kr.",
                    subject="Spring sale", sender="Husly")  # fmt: skip
        assert not linked(sale, ORDER)

    def test_another_order_of_that_shop(self):
        other = mail("m", "2024-05-06T21:32", "Thank you! 2 x Linen napkins. Total: 198.00 kr", sender="Husly",
                     subject="Your order at Husly")  # fmt: skip
        assert not linked(other, ORDER)


def test_two_exports_of_one_workout_are_one():
    twin = replace(RUN, event="again", source="urn:watch")
    assert linked(replace(RUN, source="urn:phone"), twin) == {("again", "run")}
    assert not linked(replace(RUN, source="urn:phone"), replace(twin, source="urn:phone"))


def test_of_two_records_the_calendar_entry_has_the_surer_one():
    entry = calendar("c", "2024-05-04T07:00", "2024-05-04T08:00", "Running w/ Sanna")
    later = replace(RUN, event="later", start=datetime(2024, 5, 4, 7, 50), end=datetime(2024, 5, 4, 8, 5))
    assert linked(entry, RUN, later) == {("c", "run")}


WEEK = (
    RUN, FILM, ORDER,
    calendar("c1", "2024-05-04T07:00", "2024-05-04T08:00", "Running w/ Sanna"),
    calendar("c2", "2024-05-04T20:30", "2024-05-04T22:30", "Film night – Paddington", "sofa"),
    mail("m1", "2024-05-05T10:00", "Ran with Sanna yesterday morning, then Paddington in the evening with Ivar."),
    post("p1", "2024-05-06T21:30", "Bought a blue enamel teapot. 349 kr. No regrets."),
)  # fmt: skip


@given(st.permutations(WEEK))
@settings(max_examples=20, deadline=None)
def test_links_do_not_depend_on_the_order_of_events(week):
    assert set(links(week, load_weights())) == set(links(WEEK, load_weights()))


def test_every_candidate_has_known_features_only():
    for pair in candidates(WEEK, Rarity.of(WEEK, load_weights().background)):
        assert pair.found.keys() <= set(FEATURES)
        assert pair.one.event != pair.other.event


def test_pairs_that_share_no_day_are_never_looked_at():
    far = [replace(RUN, event=f"{day}", start=datetime(2024, 1, 1 + day, 7), end=datetime(2024, 1, 1 + day, 8))
           for day in range(20)]  # fmt: skip
    assert not candidates([*far, *WEEK[-2:]], Rarity({}, 100)) or all(
        pair.one.start.date() >= date(2024, 5, 1) for pair in candidates([*far, *WEEK[-2:]], Rarity({}, 100))
    )


def test_a_rare_word_says_more_than_a_common_one():
    rarity = Rarity.of(WEEK, {"the": 0.8})
    assert rarity("the") < rarity("teapot") < 1


def test_numbers_of_features_are_finite():
    for one in WEEK:
        for other in WEEK:
            if one is not other and (one.stated or not other.stated):
                assert all(-10 <= value <= 10 for value in features(one, other, Rarity({}, 100)).values())


@pytest.mark.long
class TestLearning:
    """The weights come from the hand-written lives, by a command."""

    def test_a_regression_finds_what_decides(self):
        import numpy as np

        rows = np.array([[float(n % 2), float(n % 3)] for n in range(60)])
        weights = fit(rows, rows[:, 0])
        assert weights[1] > 2
        assert abs(weights[2]) < 0.5

    def test_no_feature_counts_against_what_it_says(self):
        import numpy as np

        rows = np.zeros((40, len(FEATURES)))
        rows[:, FEATURES.index("people")] = [float(n % 2) for n in range(40)]
        weights = fit_signed(rows, 1 - rows[:, FEATURES.index("people")])
        assert weights[1 + FEATURES.index("people")] == 0

    @pytest.mark.long
    def test_lives_that_were_left_out_are_linked_well(self, lives):
        known = read_weights(learned([life for number, life in enumerate(lives) if number % 4]))
        own = [life for number, life in enumerate(lives) if number % 4 == 0 and len(life.accounts) > 10]
        right, found, _ = measured(own, known)
        assert right >= 0.7 * found
        assert right >= 15

    def test_the_same_lives_give_the_same_weights(self, lives):
        some = lives[:12]
        assert learned(some) == learned(some)

    def test_others_on_the_days_of_a_life_are_never_the_same(self, lives):
        life = among_others(lives[:4])[0]
        assert life.strangers
        assert not any(pair & life.strangers for pair in life.same)

    def test_the_shipped_weights_know_all_features(self):
        held = json.dumps(sorted(next(iter(load_weights().weights.values()))))
        assert json.loads(held) == sorted(FEATURES)

    @pytest.fixture(scope="class")
    def lives(self) -> list[Lived]:
        return list(read_lives(LEXICON))
