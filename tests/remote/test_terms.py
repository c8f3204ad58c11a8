"""Terms come back from every store as the values that they were, whichever way they were written and are asked for."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

import pytest
from remote.conftest import Placing
from remote.places import G1, G2, P, Place, X, build

from reqap_kg.errors import StoreError
from reqap_kg.ontology.namespaces import RDF, XSD
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.rdf import BlankNode, Literal, NamedNode, Quad, Term, Triple


def typed(datatype: str, *texts: str) -> list[Literal]:
    return [Literal(text, datatype=NamedNode(datatype if ":" in datatype else XSD + datatype)) for text in texts]


TEXTS: Final = [
    *map(Literal, (
        "", "plain", " lead", "trail ", "  both\t", " ", "\n", "a\r\nb", "a\rb", "tab\there", 'q"q', "q'q",
        "back\\slash", "\\n no line end", "\\u0041", "ends with \\", '"""', "'''", "\b\f\x01\x1f\x7f\x85\xa0",
        "\u2028\u2029\ufeff\ufffd", "😀 \U0010ffff", "é", "e\u0301", "<&>]]>&amp;&#10;", "%41 %zz", "?x $y {z} . #",
        "x" * 100_000, "ü😀\n" * 20_000,
    )),
    *(Literal(text, language=language) for text, language in (
        ("Grüße", "de"), ("", "fr"), (" s ", "en"), ("x", "de-de-1996"), ('"\\', "en-gb"),
    )),
]  # fmt: skip
PLAIN: Final = [
    *typed("integer", "0", "1", "-7", "2147483648", "-123456789012345678", "1.5"),
    *typed("double", "1.5E3", "0.1", "-1e-9"),
    *typed("decimal", "1.5", "-0.25", "1.50", "100.0", "0.000000000000000001", "123456789012.123456789012", "1.0"),
    *typed("boolean", "true", "false"), *typed("date", "2024-02-29", "1999-12-31"),
    *typed("dateTime", "2024-01-01T10:00:00", "2024-01-01T10:00:00Z", "2024-01-01T10:00:00.5", "0001-01-01T00:00:00",
           "2024-01-01T10:00:00+05:30", "9999-12-31T23:59:59"),
    *typed("time", "10:00:00", "23:59:59Z"), *typed("float", "0.25"),
    *typed("gYear", "2024"), *typed("gYearMonth", "2024-05"), *typed("gMonthDay", "--05-01"), *typed("gMonth", "--12"),
    *typed("anyURI", "https://a.example/ü"), *typed("base64Binary", "AQID"), *typed("hexBinary", "0AFF"),
    *typed("int", "5"), *typed("nonNegativeInteger", "5"), *typed("urn:own", "x y", " "),
    *typed("integer", "many", ""), *typed("boolean", "maybe"), *typed("date", "soon", "2024-13-45"),
    *typed("double", "INF", "-INF", "NaN", "x"), *typed("integer", "123456789012345678901234567890", "12abc"),
    *typed("dayTimeDuration", "PT1S", "-P1DT2H"), *typed("yearMonthDuration", "P1Y"), *typed("duration", "P1Y2M3D"),
    *typed("dateTime", "2024-01-01", "-0044-03-15T00:00:00", "2024-01-01T10:00:00.1234567"), *typed("time", "10:00"),
    *typed(RDF + "XMLLiteral", "<a/>", "a < b"), *typed(RDF + "JSON", '{"a": "b\\"}'), *typed("token", '"5', "\\5"),
]  # fmt: skip
IRIS: Final = [NamedNode(iri) for iri in (
    X + "a%20b", X + "a%C3%BC?q=1&r=%2F#f", X + "ü/😀", X + "(a)'b',;=", "urn:uuid:1", "mailto:a@b.example",
    "HTTPS://X.example/../b", "https://x.example:443/", "data:,a;b", "file:///tmp/a", X + "p" * 1_500,
)]  # fmt: skip
_NUMBER: Final = re.compile(r"[-+]?\d+(\.\d*)?([eE][-+]?\d+)?")
TERMS: Final[list[Term]] = [*TEXTS, *PLAIN, *IRIS]


def subject(number: int) -> NamedNode:
    return NamedNode(f"{X}{number}")


def same_value(found: Term, told: Term) -> bool:
    """Whether a term is the one that was told: well-formed numbers as values, since a store may write 1.5 for 1.50, and
    have xsd:integer for xsd:int; all else, and what is no value of its datatype, as it was."""
    if not (isinstance(found, Literal) and isinstance(told, Literal)) or found == told:
        return found == told
    same = found.datatype == told.datatype or told.datatype.value in (XSD + "int", XSD + "nonNegativeInteger")
    return (
        same and all(map(_NUMBER.fullmatch, (found.value, told.value))) and Decimal(found.value) == Decimal(told.value)
    )


@pytest.fixture(scope="module", params=["imported", "derived"])
def how(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module", params=["embedded", "oxigraph", "virtuoso"])
def held(placing: Placing, request: pytest.FixtureRequest, how: str) -> Place:
    """A store of all TERMS, each of a subject that has its number: imported into one graph by two imports, or written
    as a derivation."""
    place = placing(request.param)
    triples = [Triple(subject(number), P, term) for number, term in enumerate(TERMS)]
    if how == "imported":
        for half in (triples[::2], triples[1::2]):
            place.import_(*(Quad(t.subject, t.predicate, t.object, NamedNode(G1)) for t in half))
        return place
    place.import_()
    with place.open(write=True) as graph:
        graph.replace_graph(G1, triples)
    return place


def test_terms_come_back(held: Place) -> None:
    with held.open() as graph:
        ways = {
            "select": {s: o for s, o in graph.select("SELECT ?s ?o { ?s ?p ?o }")},
            "construct": {t.subject: t.object for t in graph.construct("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }")},
            "described": {NamedNode(iri): said[0][1] for iri, said in graph.described(G1)},
        }
    for way, found in ways.items():
        assert len(found) == len(TERMS)
        wrong = [
            (str(told)[:80], str(found[subject(number)])[:80])
            for number, told in enumerate(TERMS)
            if not same_value(found[subject(number)], told)  # type: ignore[arg-type]
        ]
        assert not wrong, way


def test_terms_are_found_by_what_they_are(held: Place) -> None:
    short = [(number, term) for number, term in enumerate(TERMS) if len(str(term)) < 5_000]
    embedded = MemoryGraph(Quad(subject(number), P, term, NamedNode(G1)) for number, term in short)
    with held.open() as graph:
        for _, term in short:
            wanted = {s for s, _ in embedded.select("SELECT ?s ?o { ?s ?p ?o }", {"o": term})}
            assert {s for s, _ in graph.select("SELECT ?s ?o { ?s ?p ?o }", {"o": term})} == wanted, term
        by_filter = "SELECT ?s { ?s ?p ?o FILTER(STRLEN(STR(?o)) = 1 || ?o = 100 || LANG(?o) = 'en') } ORDER BY ?s"
        assert graph.select(by_filter).rows == embedded.select(by_filter).rows


def test_blank_nodes_stay_what_they_are_within_a_graph(placing: Placing) -> None:
    for kind in ("embedded", "oxigraph", "virtuoso"):
        place = placing(kind)
        begin, inner, end = NamedNode(X + "begin"), BlankNode("inner"), Literal("end")
        triples = [Triple(begin, P, inner), Triple(inner, P, BlankNode("more")), Triple(BlankNode("more"), P, end)]
        with place.importing() as new:
            build(new, *(Quad(t.subject, t.predicate, t.object, NamedNode(G1)) for t in triples))
            new.commit()
        with place.open(write=True) as graph:
            graph.replace_graph(G2, triples)
            for iri in (G1, G2):
                query = (
                    f"SELECT ?o {{ GRAPH <{iri}> {{ {begin} {P} ?a . ?a {P} ?b . ?b {P} ?o FILTER(isBlank(?a)) }} }}"
                )
                assert graph.select(query).rows == ((end,),)
            nested = f"SELECT (COUNT(*) AS ?n) {{ ?a {P} [ {P} [ {P} ?end ] ] FILTER(isIRI(?a)) }}"
            assert str(graph.select(nested).rows[0][0])[1] == "2"
            described = [iri for iri, _ in graph.described(G1)]
            assert sorted(iri[:2] for iri in described) == ["_:", "_:", "ht"]


def test_an_iri_that_a_server_cuts_off_is_an_error(placing: Placing) -> None:
    place, long = placing("virtuoso"), Triple(subject(1), P, NamedNode(X + "p" * 2_000))
    place.import_()
    with place.open(write=True) as graph:
        with pytest.raises(StoreError, match="no IRI of more than 1,800 bytes: https://x"):
            graph.replace_graph(G1, [long])
        assert graph.graphs() == []
