"""Passes over algebra: what they leave out and put together, and that the rows stay."""

from __future__ import annotations

from dataclasses import replace

import pytest
from counted_statistics import gather
from drawing import drawn
from hypothesis import given, settings
from hypothesis import strategies as st
from random_algebra import EVENT, OPTIONAL, SEVERAL, SURE, data, folded, queries
from random_expressions import NOW, RESOLUTION, checks, events, graph_of
from random_trees import trees
from reference import Event

from reqap_kg.compiler.compile import compile_tree
from reqap_kg.compiler.facts import spellings_in, with_facts
from reqap_kg.compiler.sparql.algebra import (
    Aggregate,
    Extend,
    Filter,
    Iri,
    Join,
    LeftJoin,
    Pattern,
    Read,
    Select,
    Var,
    call,
    coalesced,
    triple,
)
from reqap_kg.compiler.sparql.passes import pruned, shared
from reqap_kg.compiler.sparql.printing import printed
from reqap_kg.compiler.sparql.steps import lowered
from reqap_kg.errors import TreeTypeError
from reqap_kg.ontology.namespaces import EV, RDF_TYPE
from reqap_kg.operators.syntax.text import parse_tree
from reqap_kg.store.graph import MemoryGraph

EXAMPLES = drawn(100)
KEY, SUM, COUNT, MADE, HELD = (Var(name) for name in ("key", "sum", "count", "made", "held"))
EVENTS = triple(EVENT, Iri(RDF_TYPE), Iri(EV + "A"))
MAYBE = Read(EVENT, OPTIONAL, MADE, HELD, optional=True)

LEAST = Extend(KEY, Aggregate("MIN", MADE))
GROUPED = Select((EVENT, LEAST), (EVENTS, LeftJoin((triple(EVENT, SURE, MADE),))), groups=(EVENT,))


def rows(query: Select, graph: MemoryGraph) -> list[str]:
    """The rows of a query, in any order."""
    return sorted(map(str, graph.select(printed(replace(query, pattern=lowered(query.pattern))))))


def counted(*pattern: object) -> Select:
    """How many solutions a pattern has."""
    return Select((Extend(COUNT, Aggregate("COUNT")),), pattern)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("pattern", "wanted"),
    [
        ((EVENTS, MAYBE), (EVENTS,)),
        ((EVENTS, Read(EVENT, SURE, MADE, HELD, sure=True)), (EVENTS,)),
        ((EVENTS, MAYBE, Extend(KEY, coalesced(MADE, 0))), (EVENTS,)),
        ((EVENTS, MAYBE, Join((EVENTS, MAYBE))), (EVENTS, Join((EVENTS,)))),
        ((triple(EVENT, SURE, KEY), Filter(call("BOUND", KEY))), (triple(EVENT, SURE, KEY),)),
        ((GROUPED,), (Select((EVENT,), (EVENTS,), groups=(EVENT,)),)),
    ],
    ids=["optional", "sure", "computed", "twice", "surely there", "the least"],
)  # fmt: skip
def test_what_nothing_reads_goes(pattern: Pattern, wanted: Pattern) -> None:
    assert pruned(counted(*pattern)) == counted(*wanted)


@pytest.mark.parametrize(
    "pattern",
    [
        (EVENTS, replace(MAYBE, optional=False)),
        (EVENTS, LeftJoin((triple(EVENT, SEVERAL, MADE),))),
        (EVENTS, MAYBE, Filter(call("BOUND", MADE))),
        (EVENTS, Extend(KEY, EVENT), Join((Extend(KEY, EVENT),))),
        (EVENTS, Select((EVENT, MADE), (triple(EVENT, SEVERAL, MADE),), distinct=True)),
    ],
    ids=["required", "as often as there are", "asked for", "joined on", "each once"],
)
def test_what_changes_the_solutions_stays(pattern: Pattern) -> None:
    assert pruned(counted(*pattern)) == counted(*pattern)


@given(queries(), data())
@settings(suppress_health_check=checks)
def test_pruned_queries_have_the_same_rows(query: Select, graph: MemoryGraph) -> None:
    assert rows(pruned(query), graph) == rows(query, graph)


def fold(variable: Var, made: Aggregate, pattern: Pattern, keys: tuple[Var, ...] = ()) -> Select:
    return Select((*keys, Extend(variable, made)), pattern, groups=keys)


def test_folds_over_the_same_rows_are_one() -> None:
    grouping: Pattern = (EVENTS, triple(EVENT, SEVERAL, KEY))
    same = Extend(Var("same"), coalesced(KEY, 0))
    more = (*grouping, Extend(MADE, KEY + 1))
    folds = (fold(COUNT, Aggregate("COUNT"), grouping, (KEY,)), fold(SUM, Aggregate("SUM", MADE), more, (KEY,)))
    apart = (Select((KEY,), grouping, distinct=True), same, *(LeftJoin((one, same)) for one in folds))
    whole = Select((KEY, *(one.columns[-1] for one in folds)), more, groups=(KEY,))
    assert shared(apart) == (whole,)
    fewer = fold(COUNT, Aggregate("COUNT"), (*grouping, Filter(KEY)), (KEY,))
    kept = (Select((KEY,), grouping, distinct=True), same, LeftJoin((fewer, same)))
    assert shared(kept) == kept


@given(folded(), data())
@settings(suppress_health_check=checks)
def test_shared_folds_have_the_same_rows(query: Select, graph: MemoryGraph) -> None:
    assert rows(replace(query, pattern=shared(query.pattern)), graph) == rows(query, graph)


@given(found=events(), text=trees(), known=st.booleans())
@settings(max_examples=EXAMPLES, suppress_health_check=checks)
def test_trees_have_the_same_rows_without_the_passes(found: list[Event], text: str, known: bool) -> None:
    graph = graph_of(found)
    resolution = with_facts(RESOLUTION, gather(graph), spellings_in(graph)) if known else RESOLUTION
    try:
        arranged = compile_tree(parse_tree(text), resolution, NOW)
    except TreeTypeError:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("reqap_kg.compiler.query.arranged", lambda query: replace(query, pattern=lowered(query.pattern)))
        plain = compile_tree(parse_tree(text), resolution, NOW)
    for one, other in ((arranged.sparql, plain.sparql), (arranged.evidence, plain.evidence)):
        if one is not None and other is not None:
            assert _alike(graph, one) == _alike(graph, other), f"{one}\n{other}"


def _alike(graph: MemoryGraph, query: str) -> list[str]:
    """The rows of a query in any order, texts of several values by the signs that they have."""
    return sorted("".join(sorted(str(row))) for row in graph.select(query))
