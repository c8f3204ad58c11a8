"""What is counted over an unbounded join without making its pairs, against the same with all pairs."""

from __future__ import annotations

import pytest
from comparing import alike, of_result
from drawing import drawn
from hypothesis import given, note, settings
from hypothesis import strategies as st
from random_expressions import KEYS, KINDS_TEXT, NOW, RESOLUTION, checks, events, graph_of
from reference import Event

from reqap_kg.execution import materialise
from reqap_kg.execution.run import Result, run
from reqap_kg.operators.syntax.text import parse_tree

SIDE = f'EXTRACT(l=RETRIEVE(query="{{}}"), attr_names=[{KEYS}], attr_types=[{KINDS_TEXT}])'
CONDITIONS = (
    "i1.dt > i2.e",
    "i1.dt <= i2.dt",
    "i1.n >= i2.n",
    "i2.d > i1.d",
    "i1.dt > i2.e and i1.n > i2.i",
    "i1.t < i2.t",
)
FOLDS = (
    "APPLY(l={}, fct=len)",
    "APPLY(l={}, fct=lambda rows: len(rows))",
    'SUM(l={}, attr_name="n")',
    'SUM(l={}, attr_name="n_2")',
    'AVG(l={}, attr_name="len")',
    'MIN(l={}, attr_name="dt")',
    'MAX(l={}, attr_name="d_2")',
    'ARGMAX(l={}, arg_attr_name="n", val_attr_name="t")',
    'ARGMIN(l={}, arg_attr_name="dt_2", val_attr_name="tags_2")',
    'MAP(l=GROUP_BY(l={}, attr_names=["t"]), fct=len, res_name="r")',
)
OF_BOTH_SIDES = (
    'ARGMAX(l={}, arg_attr_name="n", val_attr_name="t_2")',
    'MAP(l=GROUP_BY(l={}, attr_names=["t", "d_2"]), fct=len, res_name="r")',
)


def said(found: Result) -> tuple[object, ...]:
    """What a result says but for its evidence; a value that is missing is as good as none."""
    columns, rows, answer, _ = of_result(found)
    return columns, tuple(row for row in rows if row != (None,)), answer


@settings(max_examples=drawn(150), deadline=None, suppress_health_check=checks)
@given(
    found=events(),
    sides=st.tuples(st.sampled_from(["a", "b"]), st.sampled_from(["a", "b"])),
    condition=st.sampled_from(CONDITIONS),
    fold=st.sampled_from((*FOLDS, *OF_BOTH_SIDES)),
)
def test_counting_without_pairs_answers_the_same(
    found: list[Event], sides: tuple[str, str], condition: str, fold: str
) -> None:
    text = fold.format(f'JOIN(l1={SIDE.format(sides[0])}, l2={SIDE.format(sides[1])}, condition="{condition}")')
    note(text)
    tree = parse_tree(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(materialise, "FEW_PAIRS", -1)
        counted = run(tree, graph=graph_of(found), resolution=RESOLUTION, now=NOW)
    paired = run(tree, graph=graph_of(found), resolution=RESOLUTION, now=NOW)
    note(f"{counted.sparql}\n{paired.sparql}")
    assert any(part.unlisted for part in counted.parts) is (fold in FOLDS)
    assert not any(part.unlisted for part in paired.parts)
    assert alike(said(counted), said(paired))
