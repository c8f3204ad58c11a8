"""Columns of values, and InfoRank, against the naive way."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reqap_kg.ontology.namespaces import EV, RDF_TYPE, XSD
from reqap_kg.store.event_kinds import EventKinds, event_kinds
from reqap_kg.store.generations import open_graph
from reqap_kg.store.index.columns import Columns, Kind, columns_of, joined, packed, unpacked
from reqap_kg.store.index.kept_columns import CLOSE, DAMPING, normalised, open_columns, page_rank, published
from reqap_kg.store.rdf import Literal, NamedNode, Term
from reqap_kg.store.vocabulary import load_vocabulary, packaged_vocabulary

KINDS = EventKinds(packaged_vocabulary(), frozenset())
Described = list[tuple[str, list[tuple[str, Term]]]]
_VALUES = st.one_of(
    st.text("ab \N{LATIN SMALL LETTER E WITH ACUTE}\U0001f3b5", min_size=1, max_size=5).map(Literal),
    st.integers(-5, 5).map(Literal),
    st.booleans().map(Literal),
    st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1)).map(
        lambda one: Literal(one.replace(microsecond=0).isoformat(), datatype=NamedNode(XSD + "dateTime"))
    ),
)


@st.composite
def graphs(draw: st.DrawFn) -> Described:
    """Some instances with literals and links between them."""
    names = [f"urn:i{number}" for number in range(draw(st.integers(1, 8)))]
    found: Described = []
    for name in names:
        said: list[tuple[str, Term]] = [(RDF_TYPE, NamedNode(EV + draw(st.sampled_from(["Workout", "Mail"]))))]
        for prop in sorted(draw(st.sets(st.sampled_from(["urn:a", "urn:b", "urn:c"])))):
            said += [(prop, value) for value in draw(st.lists(_VALUES, min_size=1, max_size=3, unique_by=str))]
        for prop in sorted(draw(st.sets(st.sampled_from(["urn:knows", "urn:near"])))):
            said += [
                (prop, NamedNode(other)) for other in draw(st.lists(st.sampled_from(names), max_size=3, unique=True))
            ]
        found.append((name, said))
    return found


def values_of(columns: Columns, prop: str) -> Counter[tuple[str, object]]:
    """(subject, value) of a column, texts as themselves."""
    column = columns.columns.get(prop)
    if column is None:
        return Counter()
    read = (lambda one: column.texts[int(one)]) if column.kind is Kind.TEXT else float
    return Counter(
        (columns.iris[subject], read(one)) for subject, one in zip(column.subjects, column.held, strict=True)
    )


@given(graphs())
def test_columns_hold_what_was_said_and_survive_packing(described: Described) -> None:
    columns = columns_of(described, KINDS)
    again = unpacked(dict(packed(columns)))
    for name, said in described:
        assert columns.literals[columns.numbers[name]] == sum(isinstance(value, Literal) for _, value in said)
    for prop in ("urn:a", "urn:b", "urn:c"):
        told = [(name, value) for name, said in described for one, value in said if one == prop]
        assert columns.triples.get(prop, 0) == len(told)
        if prop in columns.columns:
            assert sum(values_of(columns, prop).values()) == len(told)
        assert values_of(again, prop) == values_of(columns, prop)
    assert (again.iris, again.classes) == (columns.iris, columns.classes)


@given(graphs(), st.integers(0, 8))
def test_columns_of_graphs_joined_are_those_of_all(described: Described, at: int) -> None:
    whole = columns_of(described, KINDS)
    parts = joined([columns_of(described[:at], KINDS), columns_of(described[at:], KINDS)])
    for prop in whole.columns:
        assert values_of(parts, prop) == values_of(whole, prop)
    assert {iri: parts.literals[number] for iri, number in parts.numbers.items()} == {
        iri: whole.literals[number] for iri, number in whole.numbers.items()
    }


def naive_ranks(described: Described) -> dict[str, float]:
    """InfoRank as the paper writes it, edge by edge."""
    told = {name: sum(isinstance(value, Literal) for _, value in said) for name, said in described}
    links = [(s, p, o.value) for s, said in described for p, o in said if isinstance(o, NamedNode) and p != RDF_TYPE]
    of_property: dict[str, int] = {}
    for s, p, o in links:
        of_property[p] = max(of_property.get(p, 0), told[s] + told[o])
    edges = [(s, o, of_property[p]) for s, p, o in links] + [(o, s, of_property[p]) for s, p, o in links]
    strength = Counter[str]()
    for s, _, weight in edges:
        strength[s] += weight
    n = len(told)
    weights = dict.fromkeys(told, 1 / n)
    for _ in range(100):
        alone = sum(weight for name, weight in weights.items() if not strength[name])
        moved = dict.fromkeys(told, (1 - DAMPING) / n + DAMPING * alone / n)
        for s, o, weight in edges:
            if strength[s]:
                moved[o] += DAMPING * weights[s] * weight / strength[s]
        change = sum(abs(moved[name] - weights[name]) for name in told)
        weights = moved
        if change < CLOSE:
            break
    return {name: weights[name] * told[name] for name in told}


@given(graphs())
def test_inforank_is_that_of_the_paper(described: Described) -> None:
    columns = columns_of(described, KINDS)
    ranks = published(columns)
    wanted = naive_ranks(described)
    assert [ranks[columns.numbers[name]] for name in wanted] == pytest.approx(list(wanted.values()), abs=1e-9)
    weights = page_rank(columns, columns.literals.astype(np.float64))
    assert weights.sum() == pytest.approx(1)


@given(graphs())
def test_normalised_ranks_compare_among_their_own_kind(described: Described) -> None:
    ranks = normalised(columns_of(described, KINDS))
    assert ((ranks >= 0) & (ranks <= 1)).all()


def test_columns_are_kept_with_the_generation_and_made_again_where_damaged(small_life: Path, tmp_path: Path) -> None:
    with open_graph(small_life) as graph:
        kinds = event_kinds(graph, load_vocabulary(graph))
        first = open_columns(tmp_path, graph, kinds, generation="one")
        kept = (tmp_path / "columns.npz").stat().st_mtime_ns
        again = open_columns(tmp_path, graph, kinds, generation="one")
        assert again.columns.iris == first.columns.iris
        assert np.array_equal(again.ranks, first.ranks)
        for path in tmp_path.glob("*.npz"):
            path.write_bytes(path.read_bytes()[:100])
        made = open_columns(tmp_path, graph, kinds, generation="one")
        assert np.array_equal(made.ranks, first.ranks)
        assert (tmp_path / "columns.npz").stat().st_mtime_ns >= kept


def test_every_event_of_a_store_has_its_values(small_life: Path, tmp_path: Path) -> None:
    with open_graph(small_life) as graph:
        columns = open_columns(tmp_path, graph, event_kinds(graph, load_vocabulary(graph)), generation="x").columns
        rows = graph.select(
            "SELECT DISTINCT ?e ?t { GRAPH ?g { ?e a ?c ; ev:start ?t } FILTER(CONTAINS(STR(?g), '/source/')) }"
        )
        assert len(columns.columns[EV + "start"].held) == len(rows.rows)
