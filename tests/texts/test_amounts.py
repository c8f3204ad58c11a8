"""Money, distances and lengths of time in texts, and the sum that was paid."""

from __future__ import annotations

import itertools
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reqap_kg.texts.quantities.lengths import distances, durations
from reqap_kg.texts.quantities.money import Role, money, total_paid


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("£18.95pp", "18.95", "GBP"),
        ("58 bucks total w tip", "58", "USD"),
        ("64 quid for two", "64", "GBP"),
        ("€1,400", "1400", "EUR"),
        ("1.234,50 €", "1234.50", "EUR"),
        ("EUR 598,00", "598.00", "EUR"),
        ("472 EUR", "472", "EUR"),
        ("Rs 28,000", "28000", "INR"),
        ("₹1,20,000", "120000", "INR"),
        ("CHF 65", "65", "CHF"),
        ("$1,450 NZD", "1450", "NZD"),
        ("R$ 89,90", "89.90", "BRL"),
        ("39€ spent", "39", "EUR"),
        ("1400 kr", "1400", None),
        ("16.750 euro", "16750", "EUR"),
        ("Sixty-four euros", "64", "EUR"),
        ("ten thousand francs", "10000", "CHF"),
        ("a fiver", "5", "GBP"),
        ("the ticket cost a pound", "1", "GBP"),
        ("50p", "0.5", "GBP"),
        ("£2k", "2000", "GBP"),
        ("total: 238.00", "238.00", None),
        ("Lidl 43,17", "43.17", None),
    ],
)
def test_a_sum(text, value, currency):
    (found,) = money(text)
    assert (found.value, found.currency) == (Decimal(value), currency)


@pytest.mark.parametrize("text", ["at 7.30", "10 km", "a pound of beef", "3-1", "12 people", "v 2.10", ""])
def test_what_is_no_sum(text):
    assert money(text) == ()


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("Total paid: £94.60", Role.TOTAL),
        ("Amount charged: €12.00", Role.TOTAL),
        ("you paid $30.19", Role.TOTAL),
        ("Total incl. VAT: €33.98", Role.TOTAL),
        ("4 nights x 118 = 472 EUR", Role.TOTAL),
        ("rent is 730 EUR per month", Role.OTHER),
        ("you saved £5", Role.OTHER),
        ("€20 off your next order", Role.OTHER),
        ("rooms from €69!", Role.OTHER),
        ("it was £22", Role.PAID),
        ("cost me 35 bucks", Role.PAID),
    ],
)
def test_what_a_sum_is(text, role):
    assert {each.role for each in money(text)} == {role}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 x shoes £98.00\nsocks: £14.00\nDelivery: FREE\nTotal: £112.00", "112"),
        ("Subtotal €30.00, shipping €4.99, total €34.99, you saved €5.00", "34.99"),
        ("2 x litter €16.99\nTotal incl. VAT: €33.98", "33.98"),
        ("ordered the Aran jumper, €95.00 all in. Last year it was £80", "95"),
        ("was £80, now £55", "55"),
        ("dinner, 64 quid for the two of us", "64"),
    ],
)
def test_what_was_paid_in_all(text, value):
    found = total_paid(text)
    assert found is not None
    assert found.value == Decimal(value)


@pytest.mark.parametrize("text", ["rent 730 EUR per month", "save £10", "nothing here", "we raised £215"])
def test_nothing_was_paid(text):
    assert total_paid(text) is None


@pytest.mark.parametrize(
    ("text", "kilometres"),
    [
        ("8k", "8"),
        ("5K run", "5"),
        ("21.1 k", "21.1"),
        ("ten kilometres", "10"),
        ("6.5 km", "6.5"),
        ("74,2 km", "74.2"),
        ("2,100 km", "2100"),
        ("132 kms", "132"),
        ("6 miles", "9.656064"),
        ("half a mile", "0.804672"),
        ("six and a half miles", "10.460736"),
        ("10-mile loop", "16.09344"),
        ("swam 750 m", "0.75"),
        ("4 mi", "6.437376"),
        ("half marathon done", "21.1"),
        ("ran the marathon", "42.2"),
        ("parkrun pb", "5"),
    ],
)
def test_a_distance(text, kilometres):
    (found,) = distances(text)
    assert found.kilometres == Decimal(kilometres)


@pytest.mark.parametrize(
    "text", ["10k steps", "£10k", "12 km/h", "1,340 m up", "5 m tall", "120 mph", "a movie marathon", "10 kg", ""]
)
def test_what_is_no_distance(text):
    assert distances(text) == ()


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("45 min", "45"),
        ("1h20", "80"),
        ("1hr 20", "80"),
        ("2 h 13 min", "133"),
        ("two hours", "120"),
        ("half an hour", "30"),
        ("a half-hour walk", "30"),
        ("three quarters of an hour", "45"),
        ("an hour and a half", "90"),
        ("Five and a half hours", "330"),
        ("two and a half hours", "150"),
        ("Two hours forty", "160"),
        ("7 hours and 20 minutes", "440"),
        ("forty minutes", "40"),
        ("a 45-minute class", "45"),
        ("10k in 52:18", "52.3"),
        ("3:48:07", "228.12"),
        ("5k PB 21:30", "21.5"),
        ("18:30–19:15", "45"),
        ("11am-12.30", "90"),
        ("6min40", "6.67"),
        ("hour-long", "60"),
    ],
)
def test_a_length_of_time(text, minutes):
    found = durations(text)
    assert Decimal(minutes) in [each.minutes for each in found]


@pytest.mark.parametrize("text", [*["dinner at 18:30", "at 7:21 pm", "5:30/km", "3 days", "4 h", ""][:-2], ""])
def test_what_is_no_length_of_time(text):
    assert durations(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "the funicular does four miles an hour",
        "at 30 km an hour",
        "paid 12 euro an hour",
        "€12 an hour",
        "a hundred an hour",
        "twice an hour",
        "ten knots an hour",
    ],
)
def test_how_much_in_an_hour_is_no_length_of_time(text):
    assert durations(text) == ()


@pytest.mark.parametrize(
    "text", ["ran for an hour", "an hour on the wall", "took an hour and a half", "10 km in an hour"]
)
def test_an_hour_is_a_length_of_time(text):
    assert durations(text)


def test_what_only_says_when_scores_less():
    (ago,), (long,) = durations("ten minutes ago"), durations("ran ten minutes")
    assert ago.score < long.score


WORDS = [
    "£",
    "12",
    "1,340",
    ".50",
    "total",
    "km",
    "k",
    "half",
    "an",
    "hour",
    "and",
    "a",
    "two",
    "h",
    "20",
    "min",
    ":",
    "-",
    "each",
    "€",
]


@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=10).map(" ".join)))
def test_any_text_is_read_and_spans_lie_in_it(text):
    for read in (money, distances, durations):
        found = read(text)
        spans = [(each.start, each.end) for each in found]
        assert all(0 <= start < end <= len(text) for start, end in spans)
        assert all(one[1] <= two[0] for one, two in itertools.pairwise(spans))
        assert all(0 < each.score <= 1 for each in found)
