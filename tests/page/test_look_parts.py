"""Parts of looking around by themselves: the calendar, bars, marked words, what domains without people have."""

from __future__ import annotations

from datetime import datetime

import pytest
from warehouse import SETTINGS

from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.web.page.look.drawings import COLUMNS, LEVELS, STEP, bars_of, halves
from reqap_kg.web.page.look.kinds import things_of
from reqap_kg.web.page.look.life import read_life
from reqap_kg.web.page.look.marking import stems_of, with_stems, with_words
from reqap_kg.web.page.look.search import when_said
from reqap_kg.web.page.look.telling import days_said, excerpt, joined, measured


@pytest.mark.parametrize(("year", "days"), [(2012, 366), (2023, 365), (2024, 366), (1, 365), (9999, 365)])
def test_each_day_of_a_year_has_a_place_of_its_own(year, days):
    cells = [(half, cell.x, cell.y) for half, part in enumerate(halves(year, {})) for cell in part.cells]
    assert len(set(cells)) == days
    assert max(x for _, x, _ in cells) <= (COLUMNS - 1) * STEP


def test_levels_part_the_days_with_events_and_leave_the_others_empty():
    events = {f"2024-01-{day:02}": day * day for day in range(1, 29)}
    levels = {cell.day: cell.level for half in halves(2024, events) for cell in half.cells}
    assert levels["2024-02-01"] == 0
    assert [levels["2024-01-01"], levels["2024-01-28"]] == [1, LEVELS]
    alike = {cell.level for half in halves(2024, {"2024-01-01": 1, "2024-01-02": 1}) for cell in half.cells}
    assert alike == {0, 3}


def test_bars_are_as_high_as_events_are_many_and_none_is_lost():
    bars = bars_of([(2022, 1000), (2023, 0), (2024, 1)])
    assert bars is not None
    assert [round(bar.high) for bar in bars.bars] == [64, 0, 2]
    assert bars_of([(2024, 5)]) is None
    many = bars_of([(year, 1) for year in range(1960, 2025)])
    assert many is not None
    assert many.bars[-1].label
    assert sum(bar.label for bar in many.bars) < 20


def test_words_are_marked_where_they_stand():
    assert with_words("Tia and Tia", ["Tia"]) == (("Tia", True), (" and ", False), ("Tia", True))
    assert with_words("tagliatelle", ["tag", "taglia"]) == (("taglia", True), ("telle", False))
    assert with_words("", ["x"]) == ()
    assert ("ran", True) in with_stems("I ran", stems_of("ran"))
    long = with_stems(f"{'before ' * 50}the osso buco {'after ' * 50}", stems_of("osso"))
    assert long[0] == ("… ", False)
    assert ("osso", True) in long
    assert sum(len(text) for text, _ in long) < 250


def test_facts_are_said_shortly():
    assert measured(3060, "s") == "51 min"
    assert measured(3600, "s") == "1 h"
    assert measured(7.2345, "km") == "7.2 km"
    assert measured(11.95, "EUR") == "€11.95"
    assert days_said("2024-09-11", "2024-09-22") == "11 to 22 September"
    assert days_said("2024-12-30", "2025-01-02") == "30 December 2024 to 2 January 2025"
    assert joined(["Tia", "Giulia", "Femke", "Bo"]) == "Tia, Giulia, Femke and 1 more"
    assert excerpt("word " * 100).endswith("word …")
    assert len(excerpt("W" * 500)) <= 162


def test_things_and_days_of_a_domain_come_from_its_own_ontology(resorts):
    with KnowledgeGraph.open(resorts, SETTINGS) as known:
        life = read_life(known.graph)
        kinds = {kind.slug: kind for kind in things_of(known.graph, life).kinds}
    assert kinds["places"].properties
    assert kinds["customer"].many == "customers"
    assert life.years == (2009, 2010, 2011, 2012, 2013)  # its rows say when they began, and no day
    assert "altLabel" not in kinds
    now = datetime(2013, 6, 1)
    year, month = when_said("2011", life, now), when_said("december 2011", life, now)
    assert year is not None
    assert month is not None
    assert (year.first, month.last) == ("2011-01-01", "2011-12-31")
    assert when_said("customers of 2011", life, now) is None
