"""What the compiler makes of what is known of a store: plain patterns where they say the same, and only there."""

# ruff: noqa: E501 (trees and queries stand as they are written)

from __future__ import annotations

from datetime import datetime

import pytest
from counted_statistics import gather
from reading_algebra import count, looked_up, nodes, read_algebra

from reqap_kg.compiler.compile import compile_tree
from reqap_kg.compiler.facts import spellings_in, with_facts
from reqap_kg.compiler.sparql.algebra import Aggregate, Call, Iri, LeftJoin, Literal, Select, Values, Var, triple
from reqap_kg.execution.run import run
from reqap_kg.ontology.namespaces import DERIVED, EV
from reqap_kg.operators.resolution import AttributeMatch, ClassMatch, Constraint, Resolution
from reqap_kg.operators.syntax.text import parse_tree
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.rdf import NamedNode, Quad, parse_turtle

NOW = datetime(2024, 3, 10, 12, 0)
EVENT = Var("event")
PREFIX = """
@prefix ev: <https://w3id.org/reqap-kg/event#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix d: <https://w3id.org/reqap-kg/data/x/> .
"""
SONGS = """
d:1 a ev:Song ; ev:start "2024-02-29T23:59:59"^^xsd:dateTime ; ev:artist "ABBA" ; ev:seconds 240.5 .
d:2 a ev:Song ; ev:start "2024-03-01T00:00:00"^^xsd:dateTime ; ev:artist "Cher" ; ev:seconds 240.5 .
d:3 a ev:Song ; ev:start "2023-03-01T12:00:00"^^xsd:dateTime ; ev:artist "ABBA" ; ev:seconds 100.0 .
"""
ALSO_FILMS = SONGS + 'd:9 a ev:Film ; ev:start "2024-03-01T20:00:00"^^xsd:dateTime ; ev:seconds 5400.0 .'
KEYS = {
    "artist": AttributeMatch((EV + "artist",)),
    "seconds": AttributeMatch((EV + "seconds",)),
    "place": AttributeMatch((EV + "place",)),
    "day": AttributeMatch((EV + "start",)),
    "start": AttributeMatch((EV + "start",)),
    "any": AttributeMatch((EV + "title", EV + "artist")),
    "tags": AttributeMatch((EV + "artist",), multiple=True),
    "read": AttributeMatch((DERIVED + "abc#value",)),
}
MATCHES = {
    "songs": ClassMatch((EV + "Song",)),
    "all": ClassMatch((EV + "Song", EV + "Film")),
    "abba": ClassMatch((EV + "Song",), (Constraint(EV + "artist", ("abba",)),)),
}
RESOLUTION = Resolution(
    tuple(MATCHES.items()), tuple(((query, key), match) for query in MATCHES for key, match in KEYS.items())
)
SONGS_OF = 'EXTRACT(l=RETRIEVE(query="songs"), attr_names=[{names}], attr_types=[{types}])'


def songs(**types: str) -> str:
    """EXTRACT of keys with their types."""
    return SONGS_OF.format(names=", ".join(f'"{name}"' for name in types), types=", ".join(types.values()))


def graph(turtle: str, twice: str = "") -> MemoryGraph:
    """A graph of one source, and another one that says part of it once more."""
    held = MemoryGraph(parse_turtle(PREFIX + turtle))
    again = NamedNode("urn:again")
    held.add(Quad(q.subject, q.predicate, q.object, again) for q in parse_turtle(PREFIX + twice))
    return held


def known(held: MemoryGraph) -> Resolution:
    return with_facts(RESOLUTION, gather(held), spellings_in(held))


def text(tree: str, held: MemoryGraph) -> str:
    return compile_tree(parse_tree(tree), known(held), NOW).sparql


def query(tree: str, held: MemoryGraph) -> Select:
    """The query of a tree, read back."""
    return read_algebra(text(tree, held))


def distinct(found: Select) -> bool:
    return any(isinstance(node, Select) and node.distinct for node in nodes(found))


def functions(found: Select) -> set[object]:
    """The functions and aggregates that a query calls."""
    return {node.function for node in nodes(found) if isinstance(node, Call | Aggregate)}


def answer(tree: str, held: MemoryGraph) -> tuple[object, ...]:
    """The answer with what is known, which must be the one without."""
    found = run(parse_tree(tree), graph=held, resolution=known(held), now=NOW)
    plain = run(parse_tree(tree), graph=held, resolution=RESOLUTION, now=NOW)
    assert found.rows == plain.rows
    assert set(found.events) == set(plain.events)
    return found.answer


ARGMAX = f'ARGMAX(l=MAP(l=GROUP_BY(l={songs(artist="str")}, attr_names=["artist"]), fct=len, res_name="n"), arg_attr_name="n", val_attr_name="artist")'
OF_A_YEAR = f'APPLY(l=FILTER(l={songs(seconds="float")}, filter=lambda e: e["start_date"].year == 2024), fct=len)'


def test_a_count_over_part_of_a_property_looks_it_up_event_by_event() -> None:
    many = SONGS + "".join(f'd:f{n} a ev:Film ; ev:start "2024-01-01T00:00:00"^^xsd:dateTime .\n' for n in range(20))
    assert (
        text(OF_A_YEAR, graph(many))
        == """\
PREFIX ev: <https://w3id.org/reqap-kg/event#>
SELECT (COUNT(*) AS ?count) WHERE {
  ?event a ev:Song .
  ?event ev:start ?start .
  FILTER(YEAR(?start) = 2024)
}
"""
    )


def test_a_count_over_most_of_a_property_reads_it_whole() -> None:
    assert (
        text(OF_A_YEAR, graph(SONGS))
        == """\
PREFIX ev: <https://w3id.org/reqap-kg/event#>
SELECT (COUNT(*) AS ?count) WHERE {
  ?event a ev:Song .
  { SELECT ?event ?start WHERE { ?event ev:start ?start_held . BIND(?start_held AS ?start) } }
  FILTER(YEAR(?start) = 2024)
}
"""
    )
    assert answer(OF_A_YEAR, graph(SONGS)) == (2,)


@pytest.mark.parametrize(
    ("test", "wanted"),
    [
        ("== date(2024, 2, 29)", 1),
        ("!= date(2024, 2, 29)", 2),
        ("<= date(2024, 2, 29)", 2),
        ("< date(2024, 2, 29)", 1),
        ("> date(2024, 2, 29)", 1),
        (">= date(2024, 3, 1)", 1),
        ('in ["2024-03-01", "2023-03-01"]', 2),
    ],
)
def test_days_are_compared_by_the_midnights_around_them(test: str, wanted: int) -> None:
    for kind, key in (("date", "day"), ("datetime", "start")):
        method = "" if kind == "date" else ".date()"
        tree = f'APPLY(l=FILTER(l={songs(**{key: kind})}, filter=lambda e: e["{key}"]{method} {test}), fct=len)'
        assert "STRDT" not in functions(query(tree, graph(SONGS)))
        assert answer(tree, graph(SONGS)) == (wanted,)
    other = f'APPLY(l=FILTER(l={songs(day="date")}, filter=lambda e: date(2024, 2, 29) < e["day"]), fct=len)'
    assert answer(other, graph(SONGS)) == (1,)


def test_an_event_that_two_sources_tell_of_counts_once() -> None:
    held = graph(SONGS, twice='d:1 a ev:Song ; ev:artist "ABBA" ; ev:start "2024-02-29T23:59:59"^^xsd:dateTime .')
    assert answer(OF_A_YEAR, held) == (2,)
    assert answer(ARGMAX, held) == ("ABBA",)
    assert answer(f'SUM(l={songs(seconds="float")}, attr_name="seconds")', held) == (581.0,)
    assert "MIN" in functions(query(ARGMAX, held))


def test_an_event_of_two_classes_counts_once() -> None:
    tree = 'APPLY(l=RETRIEVE(query="all"), fct=len)'
    assert answer(tree, graph(ALSO_FILMS)) == (4,)
    assert not distinct(query(tree, graph(ALSO_FILMS)))
    both = graph(ALSO_FILMS + "d:1 a ev:Film .")
    assert answer(tree, both) == (4,)
    assert distinct(query(tree, both))


def test_an_event_with_two_values_has_the_least_and_is_found_by_either() -> None:
    held = graph(SONGS + 'd:2 ev:artist "ABBA" .')
    assert answer(ARGMAX, held) == ("ABBA",)
    assert answer(
        f'APPLY(l=FILTER(l={songs(artist="str")}, filter=lambda e: e["artist"] == "Cher"), fct=len)', held
    ) == (0,)
    assert answer('APPLY(l=RETRIEVE(query="abba"), fct=len)', held) == (3,)


def test_events_without_a_value_are_kept_where_it_does_not_matter() -> None:
    held = graph(SONGS + 'd:4 a ev:Song ; ev:start "2024-01-01T00:00:00"^^xsd:dateTime .')
    assert answer(f"APPLY(l={songs(artist='str')}, fct=len)", held) == (4,)
    missing = f'APPLY(l=FILTER(l={songs(artist="str")}, filter=lambda e: e["artist"] is None), fct=len)'
    assert answer(missing, held) == (1,)
    either = f'APPLY(l=FILTER(l={songs(artist="str")}, filter=lambda e: e["artist"] == "ABBA" or e["start_date"].year == 2024), fct=len)'
    assert answer(either, held) == (4,)
    assert answer(ARGMAX, held) == ("ABBA",)


def test_an_equal_text_is_looked_up_and_so_are_the_other_attributes() -> None:
    tree = f'SUM(l=FILTER(l={songs(artist="str", seconds="float")}, filter=lambda e: e["artist"] == "ABBA"), attr_name="seconds")'
    made = query(tree, graph(SONGS))
    assert looked_up(made) == {Var("artist"): (Literal("ABBA"),)}
    reads = (triple(EVENT, Iri(EV + name), Var(name)) for name in ("artist", "seconds"))
    assert set(reads) <= set(made.pattern)
    assert answer(tree, graph(SONGS)) == (340.5,)


def test_an_item_of_a_list_is_looked_up_too() -> None:
    rows = f'UNNEST(l={songs(tags="list", seconds="float")}, nested_attr_name="tags", unnested_attr_name="tag")'
    tree = f'SUM(l=FILTER(l={rows}, filter=lambda e: e["tag"] in ["ABBA", "Cher"]), attr_name="seconds")'
    held = graph(SONGS + 'd:2 ev:artist "ABBA" . d:4 a ev:Song ; ev:seconds 1.0 .')
    assert looked_up(query(tree, held)) == {Var("tag"): (Literal("ABBA"), Literal("Cher"))}
    assert answer(tree, held) == (821.5,)
    assert answer(f"APPLY(l={rows}, fct=len)", held) == (4,)


PLACES = SONGS + "d:1 ev:place 3 . d:2 ev:place 4 . d:3 ev:place 3 ."


@pytest.mark.parametrize(("condition", "found"), [("== 3", (2,)), ("in [4, 5]", (1,)), ("== 7", (0,))])
def test_an_equal_whole_number_is_looked_up(condition: str, found: tuple[int]) -> None:
    tree = f'APPLY(l=FILTER(l={songs(place="int")}, filter=lambda e: e["place"] {condition}), fct=len)'
    assert Var("place") in looked_up(query(tree, graph(PLACES)))
    assert answer(tree, graph(PLACES)) == found


@pytest.mark.parametrize("value", ["3.0", '"3"'])
def test_numbers_in_several_forms_are_compared_and_not_looked_up(value: str) -> None:
    tree = f'APPLY(l=FILTER(l={songs(place="int")}, filter=lambda e: e["place"] == 3), fct=len)'
    held = graph(PLACES.replace("d:3 ev:place 3", f"d:3 ev:place {value}"))
    assert not looked_up(query(tree, held))
    assert answer(tree, held) == (2,)


def test_a_whole_number_is_not_looked_up_by_a_fraction() -> None:
    tree = f'APPLY(l=FILTER(l={songs(place="int")}, filter=lambda e: e["place"] == 3.5), fct=len)'
    assert not looked_up(query(tree, graph(PLACES)))
    assert answer(tree, graph(PLACES)) == (0,)


def test_where_days_are_looked_up_texts_are_not() -> None:
    days = "".join(
        f'd:{n} ev:day "{day}"^^xsd:date .\n' for n, day in enumerate(("2024-02-29", "2024-03-01", "2023-03-01"), 1)
    )
    many = "".join(
        f'd:m{n} a ev:Song ; ev:start "2022-01-{n:02}T10:00:00"^^xsd:dateTime ; ev:artist "Cher" ; ev:day "2022-01-{n:02}"^^xsd:date .\n'
        for n in range(1, 29)
    )
    of_day = f'FILTER(l={songs(artist="str")}, filter=lambda e: e["start_date"] == date(2022, 1, 5))'
    tree = f'APPLY(l=FILTER(l={of_day}, filter=lambda e: e["artist"] == "Cher"), fct=len)'
    assert set(looked_up(query(tree, graph(SONGS + days + many)))) == {Var("touched")}
    assert answer(tree, graph(SONGS + days + many)) == (1,)


@pytest.mark.parametrize("value", ['"ABBA"@en', "17", "ev:ABBA"])
def test_texts_that_are_other_terms_are_compared_and_not_looked_up(value: str) -> None:
    held = graph(SONGS + f'd:5 a ev:Song ; ev:artist {value} ; ev:start "2020-01-01T00:00:00"^^xsd:dateTime .')
    wanted = {"17": "17", "ev:ABBA": EV + "ABBA"}.get(value, "ABBA")
    tree = f'APPLY(l=FILTER(l={songs(artist="str")}, filter=lambda e: e["artist"] == "{wanted}"), fct=len)'
    assert not looked_up(query(tree, held))
    assert answer(tree, held) == (3 if wanted == "ABBA" else 1,)


def test_a_name_is_looked_up_as_the_data_spell_it() -> None:
    made = query('APPLY(l=RETRIEVE(query="abba"), fct=len)', graph(SONGS))
    assert triple(EVENT, Iri(EV + "artist"), Literal("ABBA")) in made.pattern
    several = graph(SONGS + 'd:7 a ev:Song ; ev:artist "Abba" .')
    made = query('APPLY(l=RETRIEVE(query="abba"), fct=len)', several)
    assert looked_up(made) == {Var("held"): (Literal("ABBA"), Literal("Abba"))}
    assert answer('APPLY(l=RETRIEVE(query="abba"), fct=len)', several) == (3,)


def test_the_greatest_keeps_its_ties_and_goes_through_the_events_once() -> None:
    tree = f'ARGMAX(l={songs(artist="str", seconds="float")}, arg_attr_name="seconds", val_attr_name="artist")'
    assert count(query(tree, graph(SONGS)), Iri(EV + "Song")) == 1
    assert answer(tree, graph(SONGS)) == ("ABBA", "Cher")
    days = f'ARGMIN(l={songs(seconds="float", day="date")}, arg_attr_name="seconds", val_attr_name="day")'
    assert [str(day) for day in answer(days, graph(SONGS))] == ["2023-03-01"]
    empty = f'ARGMAX(l=FILTER(l={songs(seconds="float")}, filter=lambda e: e["seconds"] > 999), arg_attr_name="seconds", val_attr_name="seconds")'
    assert answer(empty, graph(SONGS)) == ()


@pytest.mark.parametrize(
    ("more", "wanted"),
    [
        ("", ()),  # the longest song has no artist: no other song's is answered
        ('d:8 ev:artist "" .', ("",)),
        ('d:8 ev:artist "a, b" .', ("a, b",)),
    ],
)
def test_the_value_of_the_greatest_may_be_missing_or_empty(more: str, wanted: tuple[str, ...]) -> None:
    held = graph(SONGS + f"d:8 a ev:Song ; ev:seconds 999.0 . {more}")
    tree = f'ARGMAX(l={songs(artist="str", seconds="float")}, arg_attr_name="seconds", val_attr_name="artist")'
    assert answer(tree, held) == wanted


def test_a_list_of_the_greatest_gives_each_item() -> None:
    held = graph(SONGS + 'd:8 a ev:Song ; ev:seconds 999.0 ; ev:artist "x", "y" .')
    tree = f'ARGMAX(l={songs(tags="list", seconds="float")}, arg_attr_name="seconds", val_attr_name="tags")'
    assert answer(tree, held) == ("x", "y")


def test_two_folds_over_the_same_list_are_one_subquery() -> None:
    tree = f'MAP(l=GROUP_BY(l={songs(artist="str", seconds="float")}, attr_names=["artist"]), fct=lambda g: sum(e["seconds"] for e in g) / len(g), res_name="mean")'
    made = query(tree, graph(SONGS))
    assert count(made, Iri(EV + "Song")) == 1
    assert {Var("artist"), Var("sum"), Var("count")} in [node.variables for node in nodes(made)]
    assert answer(tree, graph(SONGS)) == (170.25, 240.5)


def test_attributes_that_nothing_uses_are_not_read() -> None:
    tree = f"APPLY(l={songs(artist='str', seconds='float', day='date')}, fct=len)"
    assert not count(query(tree, graph(SONGS)), Iri(EV + "artist"))
    unknown = read_algebra(compile_tree(parse_tree(tree), RESOLUTION, NOW).sparql)
    assert not any(isinstance(node, LeftJoin) for node in nodes(unknown))


def test_properties_that_nothing_has_are_left_out() -> None:
    tree = f'APPLY(l={songs(any="str")}, fct=lambda l: set(e["any"] for e in l))'
    assert not count(query(tree, graph(SONGS)), Iri(EV + "title"))
    assert answer(tree, graph(SONGS)) == ("ABBA", "Cher")


def test_nothing_is_assumed_of_what_derivations_say() -> None:
    held = graph(SONGS, twice=f'd:1 <{DERIVED}abc#value> "x", "y" .')
    tree = f'APPLY(l={songs(read="str")}, fct=lambda l: [e["read"] for e in l])'
    assert "MIN" in functions(query(tree, held))
    assert answer(tree, held) == ("x",)


def test_a_day_without_a_time_has_none() -> None:
    tree = f'APPLY(l=FILTER(l={songs(artist="str")}, filter=lambda e: e["start_time"] < time(8, 0)), fct=len)'
    assert not count(query(tree, graph(SONGS)), Iri(EV + "timePrecision"))
    assert answer(tree, graph(SONGS)) == (1,)
    assert answer(tree, graph(SONGS + 'd:2 ev:timePrecision "day" .')) == (0,)


@pytest.mark.parametrize("value", ['"long"', '"long"^^xsd:decimal', "7", "7.5e0"])
def test_numbers_of_other_datatypes_are_read_as_before(value: str) -> None:
    held = graph(SONGS + f"d:2 a ev:Song . d:6 a ev:Song ; ev:seconds {value} .")
    for tree in (
        f'SUM(l={songs(seconds="float")}, attr_name="seconds")',
        f'APPLY(l={songs(seconds="float")}, fct=lambda l: sorted(set(e["seconds"] for e in l)))',
        f'ARGMIN(l={songs(seconds="float", start="datetime")}, arg_attr_name="seconds", val_attr_name="seconds")',
    ):
        answer(tree, held)


@pytest.mark.parametrize("value", ['"2024-03-01T10:00:00Z"', '"2024-03-01T10:00:00.25"', '"2024-13-01T10:00:00"'])
def test_moments_in_other_forms_are_read_as_before(value: str) -> None:
    keyed = {**KEYS, "start": AttributeMatch((EV + "seen",))}
    resolution = Resolution(RESOLUTION.retrieves, tuple((("songs", key), match) for key, match in keyed.items()))
    held = graph(SONGS + f"d:2 ev:seen {value}^^xsd:dateTime .")
    for kind in ("datetime", "date", "time"):
        tree = parse_tree(f'APPLY(l={songs(start=kind)}, fct=lambda l: [e["start"] for e in l])')
        with_them = run(tree, graph=held, resolution=with_facts(resolution, gather(held)), now=NOW)
        assert with_them.rows == run(tree, graph=held, resolution=resolution, now=NOW).rows


def test_among_the_events_of_many_days_those_with_a_text_are_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reqap_kg.compiler.reads._FEW", 1)
    many = "".join(
        f'd:m{n} a ev:Song ; ev:start "2022-01-{n:02}T10:00:00"^^xsd:dateTime ; ev:day "2022-01-{n:02}"^^xsd:date ; '
        f'ev:artist "{"Cher" if n % 3 else "ABBA"}" .\n'
        for n in range(1, 29)
    )
    of_days = f'FILTER(l={songs(artist="str", seconds="float")}, filter=lambda e: e["start_date"] <= date(2022, 1, 4))'
    of_days = of_days.replace("<= date(2022, 1, 4)", '>= date(2022, 1, 2) and e["start_date"] <= date(2022, 1, 4)')
    tree = f'APPLY(l=FILTER(l={of_days}, filter=lambda e: e["artist"] == "Cher"), fct=len)'
    artist = Var("artist")
    table = (Values(artist, (Literal("Cher"),)), triple(EVENT, Iri(EV + "artist"), artist))
    assert Select((EVENT,), table) in query(tree, graph(many)).pattern
    assert answer(tree, graph(many)) == (2,)
