"""date(year, month, day) of values that only the graph knows, against Python's own."""

from __future__ import annotations

from datetime import date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reqap_kg.execution.run import run
from reqap_kg.ontology.namespaces import EV, RDF_TYPE, XSD
from reqap_kg.operators.resolution import AttributeMatch, ClassMatch, Resolution
from reqap_kg.operators.syntax.text import parse_tree
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.rdf import Literal, NamedNode, Triple

RESOLUTION = Resolution((("runs", ClassMatch((EV + "Workout",))),), ((("runs", "d"), AttributeMatch((EV + "start",))),))


def graph_of(day: date) -> MemoryGraph:
    event = NamedNode("urn:event")
    stamp = Literal(f"{day.isoformat()}T10:00:00", datatype=NamedNode(XSD + "dateTime"))
    return MemoryGraph.of_triples(
        [
            Triple(event, NamedNode(RDF_TYPE), NamedNode(EV + "Workout")),
            Triple(event, NamedNode(EV + "start"), stamp),
        ]
    )


def made(day: date, expression: str) -> tuple[object, ...]:
    tree = (
        'MAP(l=EXTRACT(l=RETRIEVE(query="runs"), attr_names=["d"], attr_types=[date.fromisoformat]), '
        f'fct=lambda attr: {expression}, res_name="made")'
    )
    found = run(parse_tree(tree), graph=graph_of(day), resolution=RESOLUTION, now=datetime(2025, 1, 1))
    return tuple(row[found.columns.index("made")] for row in found.rows)


@settings(max_examples=60)
@given(st.dates(date(1, 1, 1), date(9999, 12, 31)))
def test_the_first_of_the_month_and_the_day_itself(day: date) -> None:
    assert made(day, 'date(attr["d"].year, attr["d"].month, 1)') == (day.replace(day=1),)
    assert made(day, 'date(attr["d"].year, attr["d"].month, attr["d"].day)') == (day,)


@pytest.mark.parametrize(("day", "expected"), [(date(2024, 1, 29), date(2024, 2, 29)), (date(2023, 1, 29), None)])
def test_a_day_that_does_not_exist_is_no_value(day: date, expected: date | None) -> None:
    assert made(day, 'date(attr["d"].year, attr["d"].month + 1, attr["d"].day)') == (expected,)
