"""Texts as exports write them, read as dates, times, lengths of time, numbers and truth values."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal

import pytest

from reqap_kg.operators.nodes import AttributeType as T
from reqap_kg.operators.reading.readers import month_of, read, read_amount, weekday_of

MARCH = date(2022, 3, 14)
EVENING = datetime(2022, 3, 14, 21, 5)
EXACT = datetime(2022, 3, 14, 21, 5, 30)


def pairs(table: str) -> list[tuple[str, str]]:
    """(text, expected) of lines `text => expected`."""
    rows = (line.partition("=>") for line in table.strip().splitlines())
    return [(text.strip(), expected.strip()) for text, _, expected in rows]


@pytest.mark.parametrize(
    "text",
    """2022-03-14|2022/03/14|2022.03.14|2022_03_14|2022-3-14|20220314|14.03.2022|14.3.2022|14.03.22|14. 3. 2022
    14/03/2022|14/3/22|3/14/22|03/14/2022|14-03-2022|14 March 2022|14 Mar 2022|14. März 2022|14 mars 2022
    14 de marzo de 2022|14 marzo 2022|14 maart 2022|14th March 2022|14th of March, 2022|March 14, 2022|March 14th, 2022
    Mar 14 2022|Mar. 14, 2022|14-Mar-22|14-Mar-2022|14 Mar '22|14Mar2022|14/Mar/2022|2022 March 14|2022-Mar-14
    Mon, 14 Mar 2022|Monday, March 14, 2022|Monday 14 March 2022|Montag, 14. März 2022|lundi 14 mars 2022|Mo 14.03.2022
    2022-03-14 (Mon)|14.03.2022 Montag|2022-W11-1|2022W111|2022-073|2022年3月14日|2022-03-14Z|2022-03-14+01:00
    2022-03-14T21:05:30|2022-03-14 21:05|14 MARCH 2022|  14 march 2022  |Mar 14,\u00a02022|14 mar\u200e 2022""".replace(
        "\n", "|"
    ).split("|"),
)
def test_dates(text):
    assert read(text, T.DATE) == MARCH


@pytest.mark.parametrize(
    "text",
    [
        "", "x", "today", "March 2022", "2022-03", "2022", "14 March", "Mar 14 21:05", "14 March 21:05", "2022-13-01",
        "30.02.2022", "29 Feb 2023", "2022-366", "2022-000", "2021-W53-1", "0/0/22", "40/40/22", "1/2/3", "1.2.3.4",
        "March 14, 2022 or so", "on 14 March 2022", "14 March 2022 and 15 March 2022", "45:10", "12345678", "5 km",
        "2022-03-14T", "2022-03-14 25:00", "9" * 500, "Marching 14, 2022", "14 Marcher 2022",
    ],
)  # fmt: skip
def test_what_is_no_complete_date_is_none(text):
    assert read(text, T.DATE) is None


@pytest.mark.parametrize(
    "text",
    """2022-03-14T21:05|2022-03-14 21:05|2022-03-14T21:05Z|2022-03-14T21:05+02:00|2022-03-14 21:05 UTC|2022-03-14, 21:05
    14.03.2022, 21:05|14.03.2022 21:05 Uhr|14.03.2022 um 21:05|14.03.2022 21.05|14. März 2022 um 21:05 Uhr
    3/14/22 9:05 PM|3/14/22, 9:05 PM|03/14/2022 09:05 pm|3/14/2022 9:05 p.m.|Mar 14, 2022, 9:05\u202fPM
    March 14, 2022 at 9:05 PM|Mar 14, 2022 9:05PM|14 March 2022 21:05|14 Mar 2022 @ 21:05|lundi 14 mars 2022 à 21h05
    14 mars 2022 21 h 05|Mon, 14 Mar 2022 21:05 +0100|2022-03-14T21:05[Europe/Berlin]|2022-03-14 21:05 Europe/Berlin
    20220314T2105|20220314T2105Z|9:05 PM, 14 March 2022|21:05 14.03.2022|21:05, 14 March 2022|9:05pm on Mar 14, 2022
    2022-073T21:05|2022-W11-1T21:05|2022年3月14日 21:05|Mon Mar 14 21:05 2022|14/3/2022 - 21:05|14/3/2022 · 21:05
    Monday, March 14, 2022 at 9:05 PM GMT+1""".replace("\n", "|").split("|"),
)
def test_moments(text):
    assert read(text, T.DATETIME) == EVENING
    assert read(text, T.DATE) == MARCH
    assert read(text, T.TIME) == time(21, 5)


@pytest.mark.parametrize(
    "text",
    [
        "2022-03-14T21:05:30", "2022-03-14T21:05:30.123Z", "2022-03-14 21:05:30,123", "2022-03-14T21:05:30+00:00",
        "2022-03-14 21:05:30 +0100", "2022-03-14T210530", "20220314T210530Z", "Mon, 14 Mar 2022 21:05:30 +0100",
        "Mon, 14 Mar 2022 21:05:30 +0100 (CET)", "Mon, 14 Mar 2022 21:05:30 GMT", "14 Mar 2022 21:05:30 -0500",
        "Mon Mar 14 21:05:30 2022", "Mon Mar 14 21:05:30 +0000 2022", "Mon Mar 14 21:05:30 UTC 2022",
        "Mon Mar 14 2022 21:05:30 GMT+0100 (Central European Standard Time)", "14/Mar/2022:21:05:30 +0000",
        "Mar 14, 2022, 9:05:30\u202fPM UTC", "3/14/2022 9:05:30 PM", "14.03.2022 21:05:30",
    ],
)  # fmt: skip
def test_moments_with_seconds_are_the_wall_clock_as_written(text):
    if text == "2022-03-14T210530":
        assert read(text, T.DATETIME) is None  # basic and extended form mixed
    else:
        assert read(text, T.DATETIME) == EXACT


def test_days_are_midnights_and_have_no_time():
    assert read("14 March 2022", T.DATETIME) == datetime(2022, 3, 14)
    assert read("14 March 2022", T.TIME) is None
    assert read("2022-03-14T24:00", T.DATETIME) == datetime(2022, 3, 15)
    assert read("2022-03-14T24:30", T.DATETIME) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    pairs("""
    21:05 => 21:05:00
    21:05:30 => 21:05:30
    21:05:30.25 => 21:05:30
    9:05 => 09:05:00
    9:05 PM => 21:05:00
    9:05pm => 21:05:00
    9:05 p.m. => 21:05:00
    9:05\u202fPM => 21:05:00
    9:05:30 AM => 09:05:30
    9pm => 21:00:00
    9 PM => 21:00:00
    12 am => 00:00:00
    12 pm => 12:00:00
    12:30 AM => 00:30:00
    12:30 PM => 12:30:00
    21.05 => 21:05:00
    21h05 => 21:05:00
    21h => 21:00:00
    21 Uhr => 21:00:00
    21:05 Uhr => 21:05:00
    21:05Z => 21:05:00
    21:05:30+02:00 => 21:05:30
    21:05 CET => 21:05:00
    noon => 12:00:00
    Midnight => 00:00:00
    21 => None
    25:00 => None
    21:60 => None
    13:05 PM => None
    0:30 AM => None
    2105 => None
    lunch => None
    """),
)
def test_clock_times(text, expected):
    assert str(read(text, T.TIME)) == expected


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        (text, int(expected) if expected != "None" else None)
        for text, expected in pairs("""
        PT1H30M => 5400
        PT45M => 2700
        P1DT2H => 93600
        P2W => 1209600
        PT90S => 90
        pt5m => 300
        -PT5M => -300
        PT1,5H => 5400
        1:30:00 => 5400
        01:30:00 => 5400
        45:10 => 2710
        75:00 => 4500
        -1:30:00 => -5400
        1 day, 2:03:04 => 93784
        2 days, 0:00:00 => 172800
        0 days 01:30:00 => 5400
        1.02:00:00 => 93600
        1:30 h => 5400
        45:10 min => 2710
        126 min => 7560
        126 minutes => 7560
        126 Min. => 7560
        117-minute => 7020
        1 h 30 min => 5400
        1h 30m => 5400
        1h30m => 5400
        1h30 => 5400
        5m30 => 330
        3 min 20 => 200
        1h5m30s => 3930
        2 hours => 7200
        2 hrs. 5 min. => 7500
        1 hour and 5 minutes => 3900
        1 hour, 5 minutes and 10 seconds => 3910
        1 hour & 5 minutes => 3900
        an hour => 3600
        a minute => 60
        half an hour => 1800
        1.5 hours => 5400
        1,5 h => 5400
        1.5h => 5400
        90 seconds => 90
        90 sec => 90
        90s => 90
        3 days => 259200
        2 weeks => 1209600
        1 d 2 h => 93600
        5'30" => 330
        5′30″ => 330
        30'' => 30
        1 Std. 30 Min. => 5400
        2 Stunden => 7200
        2 heures et 5 minutes => 7500
        90 minutos => 5400
        ~2 hours => 7200
        90 => 90
        1,200 s => 1200
        P1M => None
        P1Y => None
        P => None
        PT => None
        2 months => None
        12 km => None
        1:75 => None
        30 s 1 min => None
        1 h 2 h => None
        n/a => None
        long => None
        2024-03-01 => None
        """)
    ],
)
def test_lengths_of_time(text, seconds):
    assert read(text, T.DURATION) == (None if seconds is None else timedelta(seconds=seconds))


def test_fractions_of_seconds_count():
    assert read("PT0.5S", T.DURATION) == timedelta(milliseconds=500)
    assert read("1:05:30.25", T.DURATION) == timedelta(hours=1, minutes=5, seconds=30, milliseconds=250)
    assert read("500 ms", T.DURATION) == timedelta(milliseconds=500)


def test_a_plain_length_is_in_the_unit_of_the_property():
    assert read("1.5", T.DURATION, unit="min") == timedelta(seconds=90)
    assert read("1,5", T.DURATION, unit="h") == timedelta(minutes=90)
    assert read("250", T.DURATION, unit="ms") == timedelta(milliseconds=250)
    assert read("1:30", T.DURATION, unit="h") == timedelta(minutes=90)
    assert read("1:30", T.DURATION, unit="min") == timedelta(seconds=90)
    assert read("90 s", T.DURATION, unit="min") == timedelta(seconds=90)
    assert read("5", T.DURATION, unit="km") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    pairs("""
    12 => 12 None
    -12.5 => -12.5 None
    −3 => -3 None
    +3 => 3 None
    .5 => 0.5 None
    4. => 4 None
    007 => 7 None
    1e3 => 1000 None
    1.5E-2 => 0.015 None
    5.99 EUR => 5.99 EUR
    EUR 5.99 => 5.99 EUR
    5.99€ => 5.99 EUR
    € 5,99 => 5.99 EUR
    $1,234.50 => 1234.50 USD
    -$5 => -5 USD
    $-5 => -5 USD
    ($12.50) => -12.50 USD
    US$4 => 4 USD
    £3 => 3 GBP
    1.234,50 € => 1234.50 EUR
    1 234,50 kr => 1234.50 kr
    1\u202f234,50\u00a0€ => 1234.50 EUR
    CHF 1'234.50 => 1234.50 CHF
    5,- € => 5 EUR
    12 km => 12 km
    12km => 12 km
    80.5kg => 80.5 kg
    12 km/h => 12 km/h
    12 m/s => 12 m/s
    120 bpm => 120 bpm
    12 km. => 12 km
    1,200 => 1200 None
    1,234,567 => 1234567 None
    1.234.567 => 1234567 None
    1,234,567.89 => 1234567.89 None
    1.234.567,89 => 1234567.89 None
    1,23,456 => 123456 None
    1.234 => 1.234 None
    12,5 => 12.5 None
    0,125 => 0.125 None
    1 234 567 => 1234567 None
    ≈ 12 => 12 None
    ~12 km => 12 km
    about 12 => 12 None
    ca. 12 km => 12 km
    12% => 12 %
    12 % => 12 %
    2 x => 2 None
    x2 => 2 None
    1.2K => 1200 None
    3M => 3000000 None
    6 pack => 6 pack
    """),
)
def test_numbers_and_their_units(text, expected):
    found = read_amount(text)
    number, _, unit = expected.partition(" ")
    assert found is not None
    assert (found.value, str(found.unit)) == (Decimal(number), unit)
    assert read(text, T.FLOAT) == Decimal(number)
    assert read(text, T.INT) == int(Decimal(number))


@pytest.mark.parametrize(
    "text",
    [
        "", "-", "n/a", "none", "3 for 2", "10-12", "2024-03-01", "1,2,3", "1.2.3", "12 34", "1,234.5.6", "(5", "5)",
        "12 Angry Men are here", "1/2", "--5", "e5", "km", "1" * 100, "1,23,45", "NaN", "inf",
    ],
)  # fmt: skip
def test_what_is_no_single_number_is_none(text):
    assert read(text, T.FLOAT) is None
    assert read(text, T.INT) is None


def test_a_length_of_time_is_a_number_of_seconds():
    assert read("PT1H", T.FLOAT) == 3600
    assert read("1:30:00", T.INT) == 5400


@pytest.mark.parametrize(("text", "unit"), [("126 min", "min"), ("2 hours", "hours")])
def test_a_number_keeps_its_unit_of_time(text, unit):
    found = read_amount(text)
    assert found is not None
    assert found.unit == unit


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("true True TRUE yes Yes y on 1 ja oui sí t ✓", True),
        ("false False no n off 0 nein non nao f ✗", False),
        ("maybe 2 null nil yess -", None),
    ],
)
def test_truth_values(words, expected):
    assert [read(word, T.BOOL) for word in words.split()] == [expected] * len(words.split())


def test_texts_and_lists_are_not_read_here():
    assert read("x", T.STR) is None
    assert read("x", T.LIST) is None


def test_weekdays_and_months_by_name():
    assert [weekday_of(name) for name in ("Monday", "tue", "Wed.", "Donnerstag", "vendredi", "sábado", "SUN")] == [
        *range(7)
    ]
    assert [
        month_of(name) for name in ("January", "feb", "März", "avril", "mayo", "Jun.", "luglio", "août", "Sept")
    ] == [*range(1, 10)]
    assert [month_of(name) for name in ("okt", "NOV", "dezember")] == [10, 11, 12]
    assert weekday_of("Someday") is None
    assert month_of("Monday") is None
