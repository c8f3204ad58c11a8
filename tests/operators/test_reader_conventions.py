"""What is decided over all values of a property, and that what is written in many forms is read back."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from reqap_kg.operators.nodes import AttributeType as T
from reqap_kg.operators.reading.read_amounts import SECONDS, read_duration
from reqap_kg.operators.reading.readers import Conventions, infer, read

MARCH = date(2022, 3, 14)
EVENING = datetime(2022, 3, 14, 21, 5)
EXACT = datetime(2022, 3, 14, 21, 5, 30)


# ---------------------------------------------------------------- what is decided over all values of a property
def all_read(texts, kind):
    """The values as one property's."""
    conventions = infer(texts, kind)
    return [read(text, kind, conventions) for text in texts]


def test_the_order_of_day_and_month_is_decided_once():
    assert all_read(["3/4/22", "14/3/22"], T.DATE) == [date(2022, 4, 3), MARCH]
    assert all_read(["3/4/22", "3/14/22"], T.DATE) == [date(2022, 3, 4), MARCH]
    assert all_read(["3/4/22", "5/6/22"], T.DATE) == [date(2022, 3, 4), date(2022, 5, 6)]
    assert all_read(["3.4.22", "5.6.22"], T.DATE) == [date(2022, 4, 3), date(2022, 6, 5)]
    assert all_read(["03-04-2022"], T.DATE) == [date(2022, 4, 3)]
    assert all_read(["3/4/22 21:05", "3/14/22 21:05"], T.DATETIME) == [datetime(2022, 3, 4, 21, 5), EVENING]


def test_the_majority_decides_and_one_slip_does_not():
    assert all_read(["3/4/22", "14/3/22", "15/3/22", "3/16/22"], T.DATE) == [
        date(2022, 4, 3), MARCH, date(2022, 3, 15), date(2022, 3, 16),
    ]  # fmt: skip


def test_the_decimal_mark_is_decided_once():
    assert all_read(["1,200", "3,5"], T.FLOAT) == [Decimal("1.2"), Decimal("3.5")]
    assert all_read(["1,200", "1,234.5"], T.FLOAT) == [1200, Decimal("1234.5")]
    assert all_read(["1.200", "3,5"], T.FLOAT) == [1200, Decimal("3.5")]
    assert all_read(["1.200", "3.5"], T.FLOAT) == [Decimal("1.2"), Decimal("3.5")]
    assert all_read(["1.200 €", "1.234,50 €"], T.FLOAT) == [1200, Decimal("1234.5")]


def test_bare_numbers_are_moments_where_all_of_them_can_be():
    assert all_read(["1647291930"], T.DATETIME) == [EXACT]
    assert all_read(["1647291930000", "1647291930999"], T.DATETIME) == [EXACT, EXACT]
    assert all_read(["1647291930000000"], T.DATE) == [MARCH]
    assert all_read(["1647291930", "12"], T.DATETIME) == [None, None]
    assert all_read(["1647291930", "1647291930000"], T.DATETIME) == [None, None]
    assert all_read(["20220314"], T.DATE) == [MARCH]


def test_clocks_without_a_colon_are_read_where_no_year_can_be_meant():
    assert all_read(["0905", "2105"], T.TIME) == [time(9, 5), time(21, 5)]
    assert all_read(["2005", "2021"], T.TIME) == [None, None]
    assert all_read(["0905", "2199"], T.TIME) == [None, None]


def test_lengths_of_two_parts_are_minutes_beside_those_of_three():
    assert all_read(["1:30", "1:00:00"], T.DURATION) == [timedelta(seconds=90), timedelta(hours=1)]
    conventions = Conventions(hours_first=True)
    assert read("1:30", T.DURATION, conventions) == timedelta(minutes=90)


def test_what_one_export_leaves_open_others_may_show():
    open_, shown = infer(["3/4/22"], T.DATE), infer(["14/3/22"], T.DATE)
    assert open_.day_first is None
    assert open_.or_else(shown).day_first is True


# ---------------------------------------------------------------- round trips
DATE_FORMS = (
    "%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%d %B %Y", "%B %d, %Y", "%b %d %Y", "%d-%b-%Y", "%d-%b-%y", "%a, %d %b %Y",
    "%A, %B %d, %Y", "%G-W%V-%u", "%Y-%j", "%Y%m%d", "%d %b '%y", "%Y %B %d",
)  # fmt: skip
CLOCK_FORMS = ("%H:%M", "%I:%M %p", "%H.%M", "%Hh%M", "%H:%M:00", "%I:%M:00%p", "%H:%M+02:00", "%H:%MZ")
JOINTS = (" ", ", ", "T", " at ")
near_days = st.dates(date(1970, 1, 1), date(2068, 12, 31))


@given(near_days, st.sampled_from(DATE_FORMS))
def test_dates_are_read_back_as_they_were_written(day, form):
    assert read(day.strftime(form), T.DATE) == day


@given(near_days, st.sampled_from(["/", "-", "."]), st.booleans())
def test_dates_in_numbers_are_read_back_in_the_stated_order(day, mark, day_first):
    form = mark.join(["%d", "%m", "%y"] if day_first else ["%m", "%d", "%y"])
    assert read(day.strftime(form), T.DATE, Conventions(day_first=day_first)) == day


@given(st.lists(near_days, min_size=1, max_size=30), st.booleans())
def test_the_order_is_found_by_itself_where_the_values_show_it(days, day_first):
    texts = [day.strftime("%d/%m/%Y" if day_first else "%m/%d/%Y") for day in days]
    if any(day.day > 12 for day in days):
        assert all_read(texts, T.DATE) == days


@given(near_days, st.times(), st.sampled_from(DATE_FORMS), st.sampled_from(CLOCK_FORMS), st.sampled_from(JOINTS))
def test_moments_are_read_back_as_they_were_written(day, clock, date_form, clock_form, joint):
    if joint == "T" and not date_form.endswith(("d", "j", "u")):
        joint = " "
    moment = datetime.combine(day, clock.replace(second=0, microsecond=0))
    assert read(moment.strftime(date_form + joint + clock_form), T.DATETIME) == moment


@given(st.times(), st.sampled_from(CLOCK_FORMS))
def test_clocks_are_read_back_as_they_were_written(clock, form):
    assert read(clock.strftime(form), T.TIME) == clock.replace(second=0, microsecond=0)


@given(st.integers(0, 500_000), st.integers(0, 3))
def test_lengths_are_read_back_as_they_were_written(seconds, form):
    minutes, second = divmod(seconds, 60)
    hour, minute = divmod(minutes, 60)
    texts = (
        f"{hour}:{minute:02}:{second:02}",
        f"PT{hour}H{minute}M{second}S",
        f"{hour} h {minute} min {second} s",
        f"{hour} hours, {minute} minutes and {second} seconds",
    )
    assert read(texts[form], T.DURATION) == timedelta(seconds=seconds)


@given(st.decimals(-10_000_000, 10_000_000, places=2), st.booleans(), st.sampled_from(["", " €", " kg"]))
def test_amounts_are_read_back_as_they_were_written(number, comma, unit):
    text = f"{number:,.2f}"
    text = text.translate(str.maketrans(",.", ".,")) if comma else text
    assert read(text + unit, T.FLOAT) == number


@given(st.text(max_size=90), st.sampled_from(list(T)))
def test_no_text_breaks_a_reader(text, kind):
    read(text, kind, infer([text], kind))
    read(text, kind, infer([text], kind), unit="min")


@given(st.text("0123456789:.,-/ aphmsT'", max_size=40), st.sampled_from(list(T)))
def test_no_near_value_breaks_a_reader(text, kind):
    read(text, kind, infer([text], kind))


def test_every_word_for_a_unit_of_time_is_read():
    assert {word: read_duration(f"2 {word}") for word in SECONDS} == {word: 2 * size for word, size in SECONDS.items()}
