"""Groups of values: round edges, calendar units, and conditions that say what the groups hold."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reqap_kg.engine.answers.dialog.dialog import best_first
from reqap_kg.engine.answers.dialog.enriching import START, Attribute, attributes_of
from reqap_kg.engine.answers.dialog.grouping import round_edges, shown_number, splits_of
from reqap_kg.engine.answers.dialog.splits import Group, Split
from reqap_kg.operators.evaluation.evaluate import evaluate
from reqap_kg.operators.evaluation.evaluator import Environment
from reqap_kg.operators.nodes import AttributeType
from reqap_kg.store.event_kinds import EventKinds
from reqap_kg.store.index.columns import Kind, columns_of
from reqap_kg.store.rdf import Literal
from reqap_kg.store.vocabulary import packaged_vocabulary

EPOCH = datetime(1970, 1, 1)
NOW = datetime(2025, 3, 1, 12)


def attribute(
    kind: Kind, held: list[float], texts: tuple[str, ...] = (), iri: str = "urn:p", of_towns: bool = False
) -> Attribute:
    places, values = np.arange(len(held), dtype=np.int32), np.array(held, dtype=np.float64)
    return Attribute(iri, "thing", kind, places, values, texts, 1.0, len(held), False, None, of_towns)


def rows_of(kind: Kind, held: list[float], texts: tuple[str, ...], is_int: bool = False) -> list[dict[str, object]]:
    """The events as an evaluator of trees sees them."""
    if kind is Kind.MOMENT:
        moments = [EPOCH + timedelta(seconds=one) for one in held]
        return [{"start_date": one.date(), "start_time": one.time()} for one in moments]
    if kind is Kind.TEXT:
        return [{"thing": texts[int(one)]} for one in held]
    return [{"thing": int(one) if is_int else Decimal(str(one))} for one in held]


def holds(group: Group, row: dict[str, object]) -> bool:
    return bool(evaluate(group.condition, Environment({"attr": row}, NOW)))


def agree(splits: list[Split], rows: list[dict[str, object]]) -> None:
    for split in splits:
        for group in split.all:
            assert [holds(group, row) for row in rows] == group.members.tolist(), (split.grain, group.label)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=60))
def test_ranges_of_numbers_hold_what_their_conditions_say(held: list[float]) -> None:
    made = list(splits_of(attribute(Kind.NUMBER, held), "thing", len(held), 5, lambda text: None))
    agree(made, rows_of(Kind.NUMBER, held, (), is_int=made[0].read is AttributeType.INT))
    for split in made:
        assert len(split.groups) <= 5
        parts = np.stack([group.members for group in split.all]) if split.all else np.ones((1, len(held)), dtype=bool)
        assert (parts.sum(axis=0) == 1).all()


@given(st.lists(st.integers(0, 11), min_size=1, max_size=80))
def test_texts_by_themselves_the_most_frequent_or_what_is_above_them(held: list[int]) -> None:
    texts = tuple(f"t{number}" for number in range(12))
    above = {text: "even" if number % 2 else "odd" for number, text in enumerate(texts)}
    values = [float(one) for one in held]
    made = list(splits_of(attribute(Kind.TEXT, values, texts, of_towns=True), "thing", len(held), 5, above.get))
    agree(made, rows_of(Kind.TEXT, values, texts))
    assert made[0].grain == ("value" if len(set(held)) <= 5 else "frequent")
    assert len(set(held)) <= 5 or {"odd", "even"} == {one.label for one in made[-1].groups}


@given(st.lists(st.datetimes(datetime(1931, 1, 1), datetime(2090, 1, 1)), min_size=1, max_size=40))
def test_moments_by_calendar_units_and_parts_of_the_day(moments: list[datetime]) -> None:
    held = [float((one.replace(microsecond=0) - EPOCH).total_seconds()) for one in moments]
    made = list(splits_of(attribute(Kind.MOMENT, held, iri=START), "", len(held), 5, lambda text: None))
    agree(made, rows_of(Kind.MOMENT, held, ()))
    assert all(len(split.groups) <= 6 for split in made)


@pytest.mark.parametrize(
    ("first", "last", "grain"),
    [
        (date(2001, 1, 1), date(2024, 12, 31), "years"),
        (date(2022, 5, 1), date(2024, 2, 1), "year"),
        (date(2024, 1, 1), date(2024, 12, 31), "quarter"),
        (date(2024, 3, 1), date(2024, 5, 31), "month"),
        (date(2024, 3, 1), date(2024, 3, 31), "week"),
        (date(2024, 3, 4), date(2024, 3, 7), "day"),
    ],
)
def test_the_coarsest_unit_that_parts_them(first: date, last: date, grain: str) -> None:
    days = [float((one - EPOCH.date()).days * 86_400) for one in (first, last)]
    made = list(splits_of(attribute(Kind.MOMENT, days, iri=START), "", 2, 5, lambda text: None))
    assert made[0].grain == grain


@pytest.mark.parametrize(
    ("values", "edges"),
    [([float(n) for n in range(1, 101)], [20, 40, 60, 80]), ([0.0, 0.0, 0.0, 5.0], [2]), ([7.0, 7.0], [])],
)
def test_edges_are_round(values: list[float], edges: list[float]) -> None:
    assert round_edges(np.array(values), 5) == edges


def test_numbers_are_said_as_people_do() -> None:
    assert [shown_number(one, is_time=True) for one in (45, 90, 5400)] == ["45 s", "1.5 min", "1.5 h"]
    assert [shown_number(one) for one in (1250.0, 0.75)] == ["1,250", "0.75"]


def test_the_most_even_split_with_the_fewest_words_comes_first() -> None:
    texts = ("a", "b")
    even = attribute(Kind.TEXT, [0.0, 1.0] * 20, texts, "urn:even")
    uneven = attribute(Kind.TEXT, [0.0] * 39 + [1.0], texts, "urn:uneven")
    wordy = attribute(Kind.TEXT, [0.0, 1.0] * 20, ("one of many words", "another of many words"), "urn:wordy")
    made = [split for one in (uneven, wordy, even) for split in splits_of(one, "thing", 40, 5, lambda text: None)]
    assert [split.attribute.iri for split in best_first(made)] == ["urn:even", "urn:wordy", "urn:uneven"]


def test_values_of_towns_are_known_by_the_name_of_their_property() -> None:
    described = [
        (f"urn:e{number}", [("https://w3id.org/reqap-kg/event#city", Literal(f"t{number % 3}"))]) for number in range(6)
    ]
    columns = columns_of(described, EventKinds(packaged_vocabulary(), frozenset()))
    (found,) = attributes_of(columns.iris, [columns], packaged_vocabulary())
    assert (found.label, found.of_towns, found.local, found.multiple) == ("city", True, 1.0, False)
