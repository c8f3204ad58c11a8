"""Time expressions and what they resolve to; the day of writing is Thursday 9 March 2023 where nothing else is said."""

from __future__ import annotations

import datetime as dt
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reqap_kg.texts.document import Document, TextKind
from reqap_kg.texts.time.clocks import clocks
from reqap_kg.texts.time.times import Direction, Known, event_time, times

WRITTEN = dt.datetime(2023, 3, 9, 20, 15)


def document(
    text: str, kind: TextKind = TextKind.POST, written: dt.datetime = WRITTEN, title: str = "", sender: str = ""
) -> Document:
    return Document("e", kind, title, text, written, sender=sender, by_owner=not sender)


def days(text: str, **more: object) -> list[str]:
    """Days that the text says, "…" for vague ones."""
    found = times(document(text, **more))  # type: ignore[arg-type]
    return [
        "…" if when.vague else when.day.isoformat() + (f"/{when.last_day.isoformat()}" if when.last_day else "")
        for when in found
        if when.day_said
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("today was great", "2023-03-09"),
        ("yesterday evening we ate out", "2023-03-08"),
        ("last night", "2023-03-08"),
        ("this afternoon", "2023-03-09"),
        ("earlier today", "2023-03-09"),
        ("just now", "2023-03-09"),
        ("tomorrow", "2023-03-10"),
        ("tmrw", "2023-03-10"),
        ("the day before yesterday", "2023-03-07"),
        ("the day after tomorrow", "2023-03-11"),
        ("two weeks ago", "2023-02-23"),
        ("a fortnight ago", "2023-02-23"),
        ("three days ago", "2023-03-06"),
        ("a couple of days ago", "2023-03-07"),
        ("an hour ago", "2023-03-09"),
        ("in two weeks", "2023-03-23"),
        ("last weekend", "2023-03-04/2023-03-05"),
        ("we went this weekend", "2023-03-04/2023-03-05"),
        ("see you at the weekend", "2023-03-11/2023-03-12"),
        ("on Saturday we ran", "2023-03-04"),
        ("on Saturday we'll run", "2023-03-11"),
        ("lunch on Saturday?", "2023-03-11"),
        ("last Friday", "2023-03-03"),
        ("this coming Friday", "2023-03-10"),
        ("next Friday", "2023-03-17"),
        ("Saturday week", "2023-03-18"),
        ("was there Friday night", "2023-03-03"),
        ("on the 3rd we left", "2023-03-03"),
        ("on the 23rd we leave, can't wait", "2023-03-23"),
        ("13 May 2022", "2022-05-13"),
        ("the 13th of May 2022", "2022-05-13"),
        ("May 13, 2022", "2022-05-13"),
        ("we met on 2 March", "2023-03-02"),
        ("we met on 20 December", "2022-12-20"),
        ("booked for 20 December", "2023-12-20"),
        ("Sat 13 May 7.30pm", "2023-05-13"),
        ("2023-05-13", "2023-05-13"),
        ("23.11. 9:20", "2022-11-23"),
        ("13/05/2022", "2022-05-13"),
        ("05/13/2022", "2022-05-13"),
        ("3.5.22", "2022-05-03"),
        ("on 3/2 we left", "2023-02-03"),
        ("from 3 to 9 May 2022", "2022-05-03/2022-05-09"),
        ("30 April 2022 – 3 May 2022", "2022-04-30/2022-05-03"),
        ("we went from Thursday to Sunday", "2023-03-02/2023-03-05"),
        ("we stayed in on Christmas Eve", "2022-12-24"),
        ("Boxing Day was quiet", "2022-12-26"),
        ("Easter Sunday is ours", "2023-04-09"),
        ("we flew on Good Friday", "2022-04-15"),
        ("at Thanksgiving we had pie", "2022-11-24"),
        ("the other day", "…"),
        ("in March", "…"),
        ("last summer", "…"),
        ("last week", "…"),
        ("a few days ago", "…"),
        ("back in 2019", "…"),
        ("ontem à noite", "2023-03-08"),
        ("Thursday: ran 10k", "2023-03-09"),
        ("Saturday 4th was fun", "2023-03-04"),
        ("lunes 6, ganamos", "2023-03-06"),
    ],
)
def test_a_day_that_is_said(text, expected):
    assert days(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "we won 3-1",
        "a 10.5 km run",
        "every Saturday",
        "on Saturdays",
        "may have 1",
        "I may 5 times",
        "the sun was out",
        "we sat down",
        "Sat in the gods for Carmen",
        "3 out of 5",
        "my 40th birthday",
        "the 3rd floor",
        "7/161 def 158",
        "done in one day",
        "we march 20 km",
        "£9.12",
        "",
    ],
)
def test_what_is_no_day(text):
    assert days(text) == []


def test_the_same_weekday_is_the_same_day():
    found = times(document("I have to cancel Thursday, sorry.", kind=TextKind.MAIL, title="about Thursday"))
    assert len({when.day for when in found}) == 1


def test_other_dates_of_the_text_tell_the_order_of_days_and_months():
    assert days("on 3/9/2022 and 9/25/2022")[0] == "2022-03-09"
    assert days("on 3/9/2022 and 25/9/2022")[0] == "2022-09-03"
    assert [when.day.isoformat() for when in times(document("on 3/9/2022"), day_first=False)] == ["2022-03-09"]


def test_after_midnight_it_is_still_the_day_before():
    late = dt.datetime(2023, 3, 9, 1, 30)
    assert days("what a day today", written=late) == ["2023-03-08"]
    assert days("last night", written=late) == ["2023-03-07"]


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("7.30pm", "19:30"),
        ("19h30", "19:30"),
        ("19:30", "19:30"),
        ("dinner at 8", "20:00"),
        ("half seven in the evening", "19:30"),
        ("quarter past seven for dinner", "19:15"),
        ("a quarter to eight tonight", "19:45"),
        ("twenty past six tonight", "18:20"),
        ("noon", "12:00"),
        ("midnight", "00:00"),
        ("8 o'clock breakfast", "08:00"),
        ("at 7.30 for dinner", "19:30"),
        ("11am", "11:00"),
        ("dinner at six", "18:00"),
    ],
)
def test_clock_times(text, clock):
    (found,) = clocks(text)
    assert found.time.isoformat("minutes") == clock


@pytest.mark.parametrize(
    "text", ["52:18 for 10k", "we won 3-1", "at 61", "at 5 euros", "4.5 km", "£7.30", "at 10 km", "24/7"]
)
def test_what_is_no_clock(text):
    assert clocks(text) == []


@pytest.mark.parametrize(
    ("text", "day", "clock", "until"),
    [
        ("Sat 13 May 7.30pm", "2023-05-13", "19:30", None),
        ("Saturday 7-10pm, see you!", "2023-03-11", "19:00", "22:00"),
        ("will meet on Friday at 8 for dinner", "2023-03-10", "20:00", None),
        ("Friday night, 7.30: see you", "2023-03-10", "19:30", None),
        ("see you at noon tomorrow", "2023-03-10", "12:00", None),
    ],
)
def test_a_clock_beside_a_day_is_of_that_day(text, day, clock, until):
    (found,) = times(document(text))
    assert (found.day.isoformat(), found.time and found.time.isoformat("minutes")) == (day, clock)
    assert (found.end_time and found.end_time.isoformat("minutes")) == until


@pytest.mark.parametrize(
    ("text", "more", "day", "known"),
    [
        ("had sushi last night with Meera, gym tomorrow", {}, "2023-03-08", Known.SAID),
        ("just had the best ramen", {}, "2023-03-09", Known.WRITTEN),
        ("10k in the rain. No running till Monday", {}, "2023-03-09", Known.WRITTEN),
        ("ran 10k. Tomorrow: rest", {"kind": TextKind.NOTE}, "2023-03-09", Known.WRITTEN),
        ("Dinner at ours on Saturday?", {"kind": TextKind.CHAT, "sender": "Fran"}, "2023-03-11", Known.SAID),
        (
            "Your booking is confirmed. Ordered on 8 March 2023. Date: Sat 18 March 2023, 19:30. Cancel by 16 March.",
            {"kind": TextKind.MAIL, "sender": "Tables"},
            "2023-03-18",
            Known.SAID,
        ),
    ],
)
def test_when_the_main_thing_happened(text, more, day, known):
    found = event_time(document(text, **more))
    assert found is not None
    assert (found.day.isoformat(), found.known) == (day, known)


def test_what_was_said_is_surer_than_the_day_of_writing():
    said, written = event_time(document("sushi last night")), event_time(document("sushi"))
    assert said is not None
    assert written is not None
    assert said.score > written.score
    assert (said.start, said.end) == (6, 16)


@pytest.mark.parametrize(
    "text",
    [
        "Check-in: Thursday, 18 April 2024 Check-out: Monday, 22 April 2024 (4 nights)",
        "Your hotel is booked: from 18 April 2024, four nights",
        "Hotel reservation 18 April 2024 to 22 April 2024",
    ],
)
def test_a_stay_has_a_last_day(text):
    found = event_time(document(text, kind=TextKind.MAIL, sender="Hotel", written=dt.datetime(2024, 3, 19)))
    assert found is not None
    assert (found.day.isoformat(), found.last_day and found.last_day.isoformat()) == ("2024-04-18", "2024-04-22")


def test_a_calendar_entry_has_its_own_time():
    start, end = dt.datetime(2023, 3, 11, 19), dt.datetime(2023, 3, 11, 21)
    entry = Document("e", TextKind.CALENDAR, "Dinner (moved from Friday)", "", start, start=start, end=end)
    found = event_time(entry)
    assert found is not None
    assert (found.day, found.time, found.end_time, found.known) == (start.date(), start.time(), end.time(), Known.ENTRY)


def test_whole_days_have_no_clock_and_end_the_day_before():
    start, end = dt.datetime(2023, 3, 11), dt.datetime(2023, 3, 14)
    found = event_time(Document("e", TextKind.CALENDAR, "Porto", "", start, start=start, end=end))
    assert found is not None
    assert (found.last_day, found.time) == (dt.date(2023, 3, 13), None)


def test_direction_is_where_the_day_lies():
    past, present, future = times(document("we met yesterday, again today, and will tomorrow"))
    assert (past.direction, present.direction, future.direction) == tuple(Direction)


WORDS = [
    "on",
    "last",
    "next",
    "Friday",
    "Sat",
    "13",
    "May",
    "the",
    "3rd",
    "7.30pm",
    "at 8",
    "yesterday",
    "-",
    "to",
    "2",
    "weeks ago",
    "2023",
    "/",
]


@given(st.lists(st.sampled_from(WORDS), max_size=12), st.sampled_from(list(TextKind)), st.datetimes())
def test_any_order_of_words_is_read(words, kind, written):
    told = document(" ".join(words), kind=kind, written=written)
    check(told)


@given(st.text(max_size=60), st.sampled_from(list(TextKind)))
def test_any_text_is_read(text, kind):
    check(document(text, kind=kind))


def check(told: Document) -> None:
    found = times(told)
    assert [when.start for when in found] == sorted(when.start for when in found)
    for when in found:
        assert 0 <= when.start < when.end <= len(told.text)
        assert when.last_day is None or when.day < when.last_day
        assert 0 <= when.score <= 1
    assert event_time(told) is None or 0 <= (event_time(told) or 0).score <= 1  # type: ignore[union-attr]


def test_texts_are_read_fast():
    """Generous beside the aim (under a millisecond), so that a busy machine passes too."""
    told = document("Last night we had pizza at 8, and on Saturday 13 May we fly to Porto for three nights. " * 4)
    times(told)
    begin = time.process_time()
    for _ in range(50):
        event_time(told)
    assert time.process_time() - begin < 2.0
