"""Texts that tell of several days, cut where the next one begins."""

from datetime import datetime

import pytest

from reqap_kg.texts.document import Document, TextKind
from reqap_kg.texts.tellings import tellings
from reqap_kg.texts.time.times import times

WRITTEN = datetime(2023, 5, 17, 21)  # a Wednesday


def parts(text: str, kind: TextKind = TextKind.POST) -> list[tuple[str, str, str]]:
    """(day, part of the day, text) of each part."""
    document = Document("urn:x", kind, "", text, WRITTEN)
    found = tellings(document, times(document))
    return [(one.day.isoformat(), one.part, document.text[one.start : one.end].strip()) for one in found]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("On Sunday we climbed the tower. Yesterday the boat was late.", ["2023-05-14 ", "2023-05-16 "]),
        (
            "Ghent: yesterday the castle with Tomas, last night mussels at Chez Leon, and this morning a canal tour.",
            ["2023-05-16 ", "2023-05-16 evening", "2023-05-17 morning"],
        ),
        (
            "saturday was glorious - swam at dawn - that night the concert - then yesterday a long lunch by the river",
            ["2023-05-13 ", "2023-05-13 evening", "2023-05-16 noon"],
        ),
        (
            "1. On Monday morning I gave the talk.\n2. Yesterday at noon we ate at the harbour.\n3. It is warm.",
            ["2023-05-15 morning", "2023-05-16 noon"],
        ),
        (
            "Dear Lena,\n\nTuesday afternoon I saw the dentist. In the evening Tomas cooked risotto.\n\nAda",
            ["2023-05-16 afternoon", "2023-05-16 evening"],
        ),
    ],
)
def test_each_part_has_its_day_and_time_of_day(text, days):
    assert [f"{day} {part}" for day, part, _ in parts(text)] == days


def test_a_part_reaches_to_the_next_one():
    found = parts("Friday we had ramen at Kiko, all of us. Sunday the zoo, in the rain.")
    assert [text for _, _, text in found] == ["Friday we had ramen at Kiko, all of us.", "Sunday the zoo, in the rain."]


@pytest.mark.parametrize(
    "text",
    [
        "Yesterday we had ramen at Kiko, all five of us, and talked until midnight.",
        "No day at all in here, only weather and a cat.",
        "Yesterday the castle. Tomorrow the sea, if it stops raining.",
        "In March it snowed, in April it rained.",
        "Last night we danced. It was last night that Tomas sang.",
    ],
)
def test_one_day_or_none_makes_no_parts(text):
    assert parts(text) == []


def test_an_entry_of_a_calendar_is_about_one_happening():
    assert parts("On Sunday we climbed the tower. Yesterday the boat was late.", TextKind.CALENDAR) == []
