"""Random trees: text and RDF give back the very same tree; what they write satisfies the shapes."""

from __future__ import annotations

from importlib.resources import files

import pytest
from drawing import drawn
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from rdflib import Graph

from reqap_kg.errors import TreeTypeError
from reqap_kg.ontology.namespaces import QUD, RDF_TYPE
from reqap_kg.operators import expressions as ex
from reqap_kg.operators import nodes as no
from reqap_kg.operators.algebra import BINARY, BUILTINS, FIELDS
from reqap_kg.operators.syntax.rdf import Blank, Iri, RdfTriple, Text, tree_from_rdf, tree_to_rdf
from reqap_kg.operators.syntax.text import format_expression, format_tree, parse_function, parse_tree
from reqap_kg.store.rdf import BlankNode, Literal, NamedNode, Triple, serialize_turtle, tree_triples

texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12).filter(str.strip)
names = st.sampled_from(["x", "start_date", "n o", "é", 'q"', "year"]) | texts
words = st.sampled_from(["a", "attr", "ev", "p"])
literals = st.builds(
    ex.Literal,
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False) | texts,
)


def expressions(
    bound: tuple[str, ...], trees: SearchStrategy[no.Node], depth: int = 2
) -> SearchStrategy[ex.Expression]:
    """Expressions over the bound names."""
    leaves: SearchStrategy[ex.Expression] = literals
    if bound:
        name = st.builds(ex.Name, st.sampled_from(bound))
        leaves = leaves | name | st.builds(ex.Attribute, name, names)
    if depth == 0:
        return leaves
    below = expressions(bound, trees, depth - 1)
    plain = below.filter(lambda e: not isinstance(e, ex.Literal))
    calls = st.one_of(
        st.builds(ex.Call, st.sampled_from(["len", "abs", "str"]), st.tuples(below)),
        st.builds(lambda d: ex.Call("timedelta", (), (("days", d),)), below),
        st.builds(lambda a, b: ex.Call("round", (a, b)), below, below),
        st.builds(
            lambda a, key: ex.Call("sorted", (a,), (("key", key), ("reverse", ex.Literal(True)))),
            below,
            st.builds(ex.Lambda, st.just("y"), expressions((*bound, "y"), trees, 0)),
        ),
        st.just(ex.Call("date.today")),
    )
    comparison = st.lists(st.tuples(st.sampled_from(["==", "<", ">=", "in", "not in"]), below), min_size=1, max_size=2)
    return st.one_of(
        leaves,
        calls,
        st.builds(
            ex.Field,
            plain.filter(lambda e: not isinstance(e, ex.Name) or e.identifier not in ("i1", "i2")),
            st.sampled_from(sorted(FIELDS)),
        ),
        st.builds(lambda b, day: ex.Method(b, "replace", (), (("day", day),)), plain, below),
        looped(bound, trees, below),
        st.builds(ex.Method, plain, st.sampled_from(["lower", "weekday", "date"])),
        st.builds(lambda b, a: ex.Method(b, "startswith", (a,)), plain, below),
        st.builds(ex.Index, plain, st.integers(-5, 5)),
        st.builds(ex.Slice, plain, st.none() | st.integers(0, 5), st.none() | st.integers(0, 5)),
        st.builds(ex.Binary, st.sampled_from(sorted(BINARY)), below, below),
        st.builds(ex.Negative, plain),
        st.builds(ex.Not, below),
        st.builds(ex.Boolean, st.sampled_from(["and", "or"]), st.lists(below, min_size=2, max_size=3).map(tuple)),
        st.builds(
            lambda a, rest: ex.Comparison(a, tuple(o for o, _ in rest), tuple(b for _, b in rest)), below, comparison
        ),
        st.builds(ex.Conditional, below, below, below),
        st.builds(ex.Collection, st.sampled_from(["list", "tuple"]), st.lists(below, max_size=2).map(tuple)),
        st.builds(ex.Collection, st.just("set"), st.lists(plain, min_size=2, max_size=2).map(tuple)),
        st.builds(
            ex.Comprehension,
            st.sampled_from(["generator", "list", "set"]),
            expressions((*bound, "e"), trees, 0),
            st.just("e"),
            below,
            st.lists(expressions((*bound, "e"), trees, 0), max_size=1).map(tuple),
        ),
        st.builds(ex.Answer, trees),
    )


def looped(
    bound: tuple[str, ...], trees: SearchStrategy[no.Node], below: SearchStrategy[ex.Expression]
) -> SearchStrategy[ex.Expression]:
    """Comprehensions over two loops, one of them over parts of items."""
    first = expressions((*bound, "k", "v"), trees, 0)
    inner = expressions((*bound, "k", "v", "w"), trees, 0)
    target = st.sampled_from([("k", "v"), ("k", ("v",)), (("k", "v"),)])
    loops = st.tuples(
        st.builds(ex.Loop, target, below, st.lists(first, max_size=1).map(tuple)),
        st.builds(ex.Loop, st.just("w"), first, st.lists(inner, max_size=2).map(tuple)),
    )
    return st.builds(ex.Loops, st.sampled_from(["generator", "list", "set"]), inner, loops)


def conditions(trees: SearchStrategy[no.Node]) -> SearchStrategy[ex.Lambda]:
    return words.flatmap(lambda word: st.builds(ex.Lambda, st.just(word), expressions((word,), trees)))


leaf_trees: SearchStrategy[no.Node] = st.builds(no.Qud, texts) | st.builds(no.Retrieve, texts)
name_lists = st.lists(names, min_size=1, max_size=3, unique=True)


def grown(trees: SearchStrategy[no.Node]) -> SearchStrategy[no.Node]:
    functions = conditions(leaf_trees) | st.builds(ex.Builtin, st.sampled_from(sorted(BUILTINS)))
    return st.one_of(
        st.builds(no.Retrieve, texts, trees),
        name_lists.flatmap(
            lambda found: st.builds(
                no.Extract,
                trees,
                st.just(tuple(found)),
                st.lists(st.sampled_from(no.AttributeType), min_size=len(found), max_size=len(found)).map(tuple),
            )
        ),
        st.builds(no.Join, trees, trees, expressions(("i1", "i2"), leaf_trees)),
        st.builds(no.GroupBy, trees, name_lists.map(tuple)),
        st.builds(no.Filter, trees, conditions(leaf_trees)),
        st.builds(no.Map, trees, functions, names),
        st.builds(no.Apply, trees, functions),
        st.builds(no.Unnest, trees, names, st.none() | names),
        st.builds(no.ArgMin, trees, names, names) | st.builds(no.ArgMax, trees, names, names),
        st.one_of(*(st.builds(kind, trees, names) for kind in (no.Min, no.Max, no.Sum, no.Avg))),
    )


random_trees = st.recursive(leaf_trees, grown, max_leaves=4)
CHECKS = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
relaxed = settings(max_examples=drawn(100), deadline=None, suppress_health_check=CHECKS)


@relaxed
@given(random_trees)
def test_text_round_trips(tree: no.Node) -> None:
    text = format_tree(tree)
    assert parse_tree(text) == tree
    assert format_tree(parse_tree(text)) == text


@relaxed
@given(conditions(leaf_trees))
def test_functions_round_trip(function: ex.Lambda) -> None:
    assert parse_function(format_expression(function)) == function


def _plain(triple: Triple) -> RdfTriple:
    """A triple of the store as the algebra knows it."""
    terms = triple.subject, triple.predicate, triple.object
    by_class = {NamedNode: Iri, BlankNode: Blank, Literal: Text}
    subject, predicate, value = (by_class[type(term)](term.value) for term in terms if not isinstance(term, Triple))
    return subject, predicate, value


@relaxed
@given(random_trees)
def test_rdf_round_trips_whatever_the_order(tree: no.Node) -> None:
    triples = tree_to_rdf(tree)
    assert tree_from_rdf(reversed(triples)) == tree
    assert tree_from_rdf(map(_plain, tree_triples(tree))) == tree


SHAPES = Graph().parse(data=files("reqap_kg.ontology").joinpath("operators-shapes.ttl").read_text("utf-8"))


def _conforms(triples: list[RdfTriple]) -> bool:
    from pyshacl import validate
    from rdflib import BNode, Literal, URIRef
    from rdflib.term import Node as RdfNode

    def term(at: Iri | Blank | Text) -> RdfNode:
        return (
            URIRef(at.value) if isinstance(at, Iri) else BNode(at.value) if isinstance(at, Blank) else Literal(at.value)
        )

    data = Graph()
    for triple in triples:
        data.add(tuple(term(at) for at in triple))  # type: ignore[arg-type]
    return bool(validate(data, shacl_graph=SHAPES)[0])


@settings(max_examples=12, deadline=None, suppress_health_check=CHECKS)
@given(random_trees)
def test_written_trees_satisfy_the_shapes(tree: no.Node) -> None:
    assert _conforms(tree_to_rdf(tree))


GOOD = tree_to_rdf(
    parse_tree(
        'SUM(l=EXTRACT(l=RETRIEVE(query="runs"), attr_names=["a", "b"], attr_types=[int, float]), attr_name="a")'
    )
)


def _without(name: str) -> list[RdfTriple]:
    return [triple for triple in GOOD if triple[1].value != QUD + name]


@pytest.mark.parametrize("name", ["input", "query", "names", "types", "name"])
def test_a_missing_part_is_refused_by_reader_and_shapes(name: str) -> None:
    with pytest.raises(TreeTypeError):
        tree_from_rdf(_without(name), Blank("tree"))
    assert not _conforms(_without(name))


def test_a_wrong_type_is_refused_by_reader_and_shapes() -> None:
    wrong: list[RdfTriple] = [(s, p, Text("complex") if o == Text("float") else o) for s, p, o in GOOD]
    with pytest.raises(TreeTypeError, match="no type 'complex'"):
        tree_from_rdf(wrong)
    assert not _conforms(wrong)


def test_two_classes_or_two_inputs_are_refused_by_reader_and_shapes() -> None:
    top = Blank("tree")
    for extra in ((top, Iri(RDF_TYPE), Iri(QUD + "Max")), (top, Iri(QUD + "input"), Blank("other"))):
        wrong: list[RdfTriple] = [*GOOD, extra]
        with pytest.raises(TreeTypeError):
            tree_from_rdf(wrong, top)
        assert not _conforms(wrong)


def test_circles_and_explosions_end() -> None:
    circle: list[RdfTriple] = [
        (Blank("a"), Iri(RDF_TYPE), Iri(QUD + "Sum")),
        (Blank("a"), Iri(QUD + "name"), Text("x")),
        (Blank("a"), Iri(QUD + "input"), Blank("a")),
    ]
    with pytest.raises(TreeTypeError, match="circle"):
        tree_from_rdf(circle, Blank("a"))
    doubling: list[RdfTriple] = [
        (Blank("0"), Iri(RDF_TYPE), Iri(QUD + "Qud")),
        (Blank("0"), Iri(QUD + "question"), Text("q")),
    ]
    for level in range(1, 60):
        at, below = Blank(str(level)), Blank(str(level - 1))
        doubling += [
            (at, Iri(RDF_TYPE), Iri(QUD + "Join")),
            (at, Iri(QUD + "left"), below),
            (at, Iri(QUD + "right"), below),
            (at, Iri(QUD + "condition"), Text("i1.x == i2.x")),
        ]
    with pytest.raises(TreeTypeError, match="too deep"):
        tree_from_rdf(doubling)
    with pytest.raises(TreeTypeError, match="one operator must be on top, not 0"):
        tree_from_rdf([])


def test_a_rule_may_write_one_name_without_a_list() -> None:
    triples: list[RdfTriple] = [
        (Blank("t"), Iri(RDF_TYPE), Iri(QUD + "Extract")),
        (Blank("t"), Iri(QUD + "names"), Text("price")),
        (Blank("t"), Iri(QUD + "types"), Text("float")),
        (Blank("t"), Iri(QUD + "input"), Blank("r")),
        (Blank("r"), Iri(RDF_TYPE), Iri(QUD + "Retrieve")),
        (Blank("r"), Iri(QUD + "query"), Text("purchases")),
    ]
    assert tree_from_rdf(triples) == no.Extract(no.Retrieve("purchases"), ("price",), (no.AttributeType.FLOAT,))
    assert _conforms(triples)


def test_turtle_of_a_tree_is_readable() -> None:
    turtle = serialize_turtle(tree_triples(parse_tree('SUM(l=RETRIEVE(query="runs"), attr_name="km")')), {"qud": QUD})
    assert "qud:Sum" in turtle
    assert '"runs"' in turtle
