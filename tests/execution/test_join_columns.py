"""Rows of a JOIN that come from columns on disk, against those that the query over its pairs answers."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from drawing import drawn
from hypothesis import given, note, settings
from hypothesis import strategies as st
from random_expressions import NOW, RESOLUTION, checks, events, graph_of
from reference import Event

from reqap_kg.execution import run as running
from reqap_kg.execution.computed import Place
from reqap_kg.execution.run import ready_to_run, run_at, run_compiled
from reqap_kg.ontology.namespaces import EV
from reqap_kg.operators.syntax.text import parse_tree
from reqap_kg.store.graph import MemoryGraph

KEYS = {"dt": "datetime", "e": "datetime", "n": "float", "d": "date", "when": "date", "len": "timedelta", "t": "str"}
CONDITIONS = (
    "i1.dt <= i2.e and i1.e >= i2.dt",
    "i1.d != i2.d",
    "i1.d == i2.d",
    "i1.dt == i2.dt and i1.d == i2.d",
    "i1.dt + timedelta(hours=2) >= i2.dt",
    "nearest(i1.dt, i2.e)",
    "i1.dt >= i2.e and nearest(i1.dt, i2.e)",
    "i1.n > i2.n",
    "i1.t == i2.t and i1.dt < i2.dt",
    "i1.dt < i2.dt and i1.n + i2.n > 3",
)
ENDS_IN_12024 = Event(
    "https://example.org/later",
    frozenset(dict(RESOLUTION.retrieves)["a"].classes),  # type: ignore[union-attr]
    {EV + "end": ("12024-03-01T10:00:00",), EV + "number": ("9",)},
)


def side(query: str, names: list[str]) -> str:
    quoted = ", ".join(f'"{name}"' for name in names)
    kinds = ", ".join(KEYS[name] for name in names)
    return f'EXTRACT(l=RETRIEVE(query="{query}"), attr_names=[{quoted}], attr_types=[{kinds}])'


def place(graph: MemoryGraph) -> Place:
    return Place(graph, RESOLUTION, NOW, "g1")


@settings(max_examples=drawn(150), deadline=None, suppress_health_check=checks)
@given(
    found=events(),
    odd=st.booleans(),
    right=st.sampled_from(["a", "b"]),
    condition=st.sampled_from(CONDITIONS),
    more=st.sets(st.sampled_from(["when", "len", "e"])),
)
def test_asked_again_a_join_answers_the_same(
    found: list[Event], odd: bool, right: str, condition: str, more: set[str]
) -> None:
    names = [key for key in KEYS if f".{key}" in condition.replace("(", " ") or key in more]
    text = f'JOIN(l1={side("a", names)}, l2={side(right, names)}, condition="{condition}")'
    note(text)
    tree, graph = parse_tree(text), graph_of([*found, ENDS_IN_12024] if odd and ".e" not in condition else found)
    with TemporaryDirectory() as folder:
        answers = [run_at(tree, place(graph), at) for at in (Path(folder), Path(folder), None)]
    told = [(a.columns, a.rows, a.answer, a.events, a.matched, a.warnings, a.sparql) for a in answers]
    assert told[0] == told[2]
    assert told[1] == told[2]
    asked = run_compiled(ready_to_run(tree, place(graph), None).query, graph=graph)
    assert (asked.rows, asked.events, asked.matched) == (answers[2].rows, answers[2].events, answers[2].matched)


@pytest.mark.parametrize("condition", ["i1.dt >= i2.e", "nearest(i1.dt, i2.e)", "i1.dt + timedelta(days=1) > i2.e"])
def test_what_the_pairs_hold_is_not_asked_for(condition: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = frozenset(dict(RESOLUTION.retrieves)["a"].classes)  # type: ignore[union-attr]
    days = [f"2024-03-0{day}T10:00:00" for day in range(1, 6)]
    graph = graph_of(
        [Event(f"https://example.org/{day}", kinds, {EV + "start": (day,), EV + "end": (day,)}) for day in days]
    )
    one = side("a", ["dt", "e"])
    tree = parse_tree(f'JOIN(l1={one}, l2={one}, condition="{condition}")')
    first = run_at(tree, place(graph), tmp_path)
    monkeypatch.setattr(running, "run_compiled", None)
    again = run_at(tree, place(graph), tmp_path)
    assert again.rows == first.rows
    assert [part.reused for part in again.parts] == [True]
