"""Terms: IRIs of every term type, templates, blank nodes, languages, datatypes, graphs; what is made can be loaded."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reqap_kg.errors import MappingError
from reqap_kg.mappings.rml.documents.load_terms import parse_template
from reqap_kg.mappings.rml.iris import iri_safe, is_iri, is_language_tag, is_uri, uri_safe
from reqap_kg.mappings.rml.nquads import blank, decimal_text, double_text, plain
from reqap_kg.store.rdf import Literal, parse_nquads

XSD = "http://www.w3.org/2001/XMLSchema#"
TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@pytest.mark.parametrize(
    ("term_map", "value", "expected"),
    [
        ('rml:template "http://e/{x}"', "Zoë K/ü", "<http://e/Zoë%20K%2Fü>"),
        ('rml:template "http://e/{x}" ; rml:termType rml:URI', "Zoë K", "<http://e/Zo%C3%AB%20K>"),
        ('rml:template "http://e/{x}" ; rml:termType rml:UnsafeIRI', "a/b?c", "<http://e/a/b?c>"),
        ('rml:template "http://e/{x}" ; rml:termType rml:UnsafeIRI', "a b", None),
        ('rml:template "{x}"', "a", "<https://example.org/a>"),
        ('rml:template "{x}{x}"', ["a", "b"], ["<https://example.org/aa>", "<https://example.org/bb>"]),
        ('rml:reference "x" ; rml:termType rml:IRI', "urn:a:b", "<urn:a:b>"),
        ('rml:reference "x" ; rml:termType rml:IRI', "rel", "<https://example.org/rel>"),
        ('rml:reference "x" ; rml:termType rml:IRI', "http://e/%zz", None),
        ('rml:reference "x" ; rml:termType rml:URI', "http://e/ü", None),
        ('rml:template "http://{x}/"', "a b", "<http://a%20b/>"),
        ('rml:reference "x" ; rml:language "en-GB"', "a", '"a"@en-GB'),
        ('rml:reference "x" ; rml:languageMap [ rml:reference "lang" ]', "a", '"a"@ga'),
        ('rml:template "{x}!" ; rml:language "en"', "a", '"a!"@en'),
        ('rml:reference "x" ; rml:datatype xsd:decimal', 1.5, f'"1.5"^^<{XSD}decimal>'),
        ('rml:reference "x" ; rml:datatype xsd:string', 1.5, '"1.5"'),
        ('rml:reference "x" ; rml:datatypeMap [ rml:template "http://e#{lang}" ]', 1, '"1"^^<http://e#ga>'),
        ('rml:template "a{x}b" ; rml:termType rml:Literal', True, '"atrueb"'),
        ('rml:template "a{x}b" ; rml:termType rml:BlankNode', "1", "_:ba1b"),
        ('rml:constant "5"^^xsd:integer', "", f'"5"^^<{XSD}integer>'),
        ("rml:constant ex:c", "", "<https://example.org/c>"),
    ],
)
def test_objects(kit, term_map, value, expected) -> None:
    lines, bad = kit.run(kit.stream(kit.pair("ex:p", term_map)), {"_id": "1", "x": value, "lang": "ga"})
    wanted = [] if expected is None else expected if isinstance(expected, list) else [expected]
    assert sorted(line.split(" ", 2)[2] for line in lines) == wanted
    assert len(bad) == (1 if expected is None else 0)


def test_several_of_everything(kit) -> None:
    turtle = kit.stream(
        "rml:predicateObjectMap [ rml:predicate ex:p, ex:q ;"
        " rml:predicateMap [ rml:template 'https://example.org/{k}' ] ;"
        ' rml:object "o", ex:o ; rml:objectMap [ rml:reference "x" ] ; rml:graph ex:g, rml:defaultGraph ]',
        subject='rml:template "https://example.org/{_id}" ; rml:class ex:A, ex:B ;'
        ' rml:graphMap [ rml:template "https://example.org/g{k}" ]',
    )
    lines, _ = kit.run(turtle, {"_id": ["1", "2"], "k": ["r", "s"], "x": 1})
    assert len(lines) == 2 * 2 * 2 + 2 * (2 + 2) * 3 * (2 + 2)
    assert len(list(parse_nquads("".join(f"{line} .\n" for line in lines)))) == len(lines)


def test_fresh_blank_nodes_differ_between_iterations_and_maps(kit) -> None:
    one = kit.stream(
        kit.pair("ex:p", 'rml:reference "x"'),
        kit.pair("ex:q", "rml:termType rml:BlankNode"),
        subject="rml:termType rml:BlankNode",
    )
    two = kit.stream(kit.pair("ex:p", 'rml:reference "x"'), name="N", subject="rml:termType rml:BlankNode")
    lines, _ = kit.run(one + two, {"x": 1}, {"x": 2})
    subjects = {line.split(" ")[0] for line in lines}
    fresh = {line.split(" ")[2] for line in lines if "/q>" in line}
    assert len(lines) == 6
    assert len(subjects) == 4
    assert len(fresh) == 2
    assert not fresh & subjects


def test_base_iri_of_a_triples_map(kit) -> None:
    turtle = kit.stream(
        kit.pair("ex:p", 'rml:template "{x}"'), flags="rml:baseIRI <http://own/> ;", subject='rml:template "{_id}"'
    )
    lines, _ = kit.run(turtle, {"_id": "1", "x": "a"})
    assert lines == {"<http://own/1> <https://example.org/p> <http://own/a>"}


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a{b}c", ("a", "b", "c")),
        ("{a}{b}", ("a", "b")),
        (r"\{\}\\{a\{b\}}", ("{}\\", "a{b}")),
        ("plain", ("plain",)),
        ("{$['a b']}", ("$['a b']",)),
    ],
)
def test_templates(text, parts) -> None:
    found = parse_template(text).parts
    assert tuple(part if isinstance(part, str) else part.text for part in found) == parts


@pytest.mark.parametrize("text", ["{", "}", "{a", "a}", "{{a}}", "{}", "\\a", "{a\\b}", "end\\", "{a\\}"])
def test_templates_that_are_wrong(text) -> None:
    with pytest.raises(MappingError):
        parse_template(text)


@given(TEXT)
def test_safe_encoding_can_be_undone_and_is_safe(text) -> None:
    assert unquote(iri_safe(text)) == text
    assert unquote(uri_safe(text)) == text
    assert is_iri("http://e/" + iri_safe(text))
    assert is_uri("http://e/" + uri_safe(text))


@given(TEXT, TEXT)
def test_literals_and_blank_nodes_survive_n_quads(text, other) -> None:
    (quad,) = parse_nquads(f"{blank(text)} <http://e/p> {plain(text)} .")
    assert isinstance(quad.object, Literal)
    assert quad.object.value == text
    assert (blank(text) == blank(other)) == (text == other)


@given(st.text(st.sampled_from("abÄé%2f:/?#[]@!$&'()*+,;= <>\"{}|\\^`~-._")))
def test_whatever_counts_as_an_iri_can_be_loaded(text) -> None:
    for iri in (text, "http://" + text, "urn:" + text, "http://e/" + text):
        if is_iri(iri):
            (quad,) = parse_nquads(f"<http://e/s> <http://e/p> <{iri}> .")
            assert quad.object.value == iri  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize(
    "iri",
    ["http://example.org/a", "urn:x:y", "http://e:80/", "mailto:a@b.c", "http://[::1]/", "tag:a,2020:b", "http://e"],
)
def test_iris(iri) -> None:
    assert is_iri(iri)


@pytest.mark.parametrize(
    "iri",
    [
        "",
        "a",
        "/a",
        "http://e/ a",
        "http://e/%g0",
        "http://e/<",
        "1a:b",
        "http://e/[",
        "http://a:b:c/",
        "http://e/#a#b",
    ],
)
def test_what_is_no_iri(iri) -> None:
    assert not is_iri(iri)


@pytest.mark.parametrize(
    "tag", ["en", "en-GB", "zh-Hant-TW", "de-1996", "x-own", "sl-rozaj-biske", "en-a-bbb-x-a", "i-klingon"]
)
def test_language_tags(tag) -> None:
    assert is_language_tag(tag)


@pytest.mark.parametrize("tag", ["", "e", "a-english", "en_GB", "en-", "en--GB", "123", "en-GB-x"])
def test_what_is_no_language_tag(tag) -> None:
    assert not is_language_tag(tag)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_keep_their_value(number) -> None:
    assert float(double_text(number)) == number
    if abs(number) < 1e21:
        assert float(decimal_text(number)) == number
        assert "e" not in decimal_text(number).lower()
