"""`reqap-kg related` on the command line."""

import json

import pytest

from reqap_kg.cli.app import run

pytestmark = pytest.mark.model

CONCERT = "data:calendar-rhys/76b831d2cd1a4e01239de145a8%40google.com"


@pytest.fixture
def related(demo_store, capsys):
    """Runs the command over the demo life: its exit code, and what it prints."""

    def said(*given):
        code = run(["related", *given, "--store", str(demo_store), "--now", "2025-03-01T12:00:00"])
        return code, *capsys.readouterr()

    return said


def test_events_are_listed_with_the_path_that_leads_to_them(related):
    code, said, _ = related(CONCERT, "--kind", "post", "--top", "3")
    lines = said.splitlines()
    assert code == 0
    assert lines[0] == "related to “Altın Gün”, CalendarEntry, 2023-11-04 20:30"
    assert lines[1].split() == ["score", "when", "what", "kind", "by"]
    assert lines[2].rstrip().endswith("day after · social media post")
    assert lines[3].rstrip().endswith("its words")
    assert lines[-1].startswith("around it: ")


def test_json_has_the_event_its_neighbourhood_and_what_is_related(related):
    code, said, _ = related(CONCERT, "--kind", "post", "--top", "2", "--strict", "--json")
    told = json.loads(said)
    assert code == 0
    assert set(told) == {"event", "neighbourhood", "around", "related", "warnings", "timings_ms"}
    assert told["neighbourhood"] == "strict"
    assert told["event"]["label"] == "Altın Gün"
    assert [set(one) for one in told["related"]] == [{*told["event"], "score", "paths"}] * 2
    assert all(one["path"] and one["events"] for one in told["around"])


@pytest.mark.parametrize(
    "wrong",
    [("xyzzy",), ("Dentist: check-up",), (CONCERT, "--kind", "zebra"), ("",), ("\udcff",), ("x" * 100_000,)],
    ids=["unknown", "of several", "unknown kind", "empty", "no text", "too long"],
)
def test_what_cannot_be_meant_is_bad_usage(related, wrong):
    code, said, bad = related(*wrong)
    assert code == 2
    assert not said
    assert bad.startswith("reqap-kg: ")
