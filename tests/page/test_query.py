"""SPARQL in the browser: written with completion, run, seen as table, chart and text, saved, refused."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import httpx
import pytest
from page.asking import barriers
from page.conftest import TOKEN

from reqap_kg.store.rdf import NamedNode
from reqap_kg.web.page.query.examples import examples_of
from reqap_kg.web.page.query.terms import read_known, values_of

ARTISTS = "SELECT ?artist (COUNT(*) AS ?n) { ?e ev:artist ?artist } GROUP BY ?artist ORDER BY DESC(?n)"
SLOW = 'SELECT (COUNT(*) AS ?n) { ?a a ev:MusicStream . ?b a ev:MusicStream FILTER(CONCAT(STR(?a), STR(?b)) < "x") }'
"""Some seconds: what nobody waits for any more goes on so long."""


def _asked(service, method: str, path: str, **more) -> httpx.Response:
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept": "text/html", **more.pop("headers", {})}
    return httpx.request(method, service.address + path, headers=headers, timeout=60, **more)


def _results(service, query: str) -> httpx.Response:
    return _asked(service, "POST", "query/results", data={"q": query}, headers={"HX-Request": "true"})


def _at(query: str) -> str:
    return "/query?" + urlencode({"q": query})


def _written(page, text: str) -> None:
    """Types into the editor; what completes itself is let be."""
    page.locator(".cm-content").click()
    page.keyboard.type(text)


# ------------------------------------------------------------------ in the browser
def test_a_slow_query_says_its_limit_and_can_be_stopped(served, page):
    page.goto("/query")
    _written(page, SLOW)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Run").click()
    page.get_by_text("of at most 60 s").wait_for()
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("Stopped.").wait_for()
    assert not page.locator("#running").is_visible()


def test_a_query_is_written_run_by_keys_and_its_address_opens_it_again(page):
    page.goto("/query")
    _written(page, "SELECT ?artist (COUNT(*) AS ?n) {\n?e ev:artist ?artist\n")
    page.keyboard.press("Control+End")
    page.keyboard.type(" GROUP BY ?artist ORDER BY DESC(?n)")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+Enter")
    page.locator("#results h2").wait_for()
    assert page.locator("#results h2").inner_text() == "27 rows"
    first = page.locator("#results tbody tr").first.locator("td")
    assert first.nth(1).get_attribute("class") == "num"
    address = page.url
    assert "GROUP+BY" in address
    page.goto(address)
    page.get_by_text("27 rows").wait_for()
    assert "GROUP BY ?artist" in page.locator(".cm-content").inner_text()


def test_classes_properties_and_values_complete_themselves(page):
    with page.expect_response("**/query/terms"):
        page.goto("/query")
    _written(page, "SELECT ?e { ?e a worko")
    page.locator(".cm-tooltip-autocomplete li", has_text="ev:Workout").first.wait_for()
    page.wait_for_timeout(150)  # for what was only just shown no key counts
    page.keyboard.press("Enter")
    page.keyboard.type(" ; heart")
    page.locator(".cm-tooltip-autocomplete li", has_text="average heart rate").first.wait_for()
    page.keyboard.press("Escape")
    for _ in range(5):
        page.keyboard.press("Backspace")
    page.keyboard.type("ev:workoutType run")
    page.locator(".cm-tooltip-autocomplete li", has_text="unning").first.wait_for()
    page.wait_for_timeout(150)
    page.keyboard.press("Enter")
    assert re.search(r'a ev:Workout ; ev:workoutType "\w*unning"', page.locator(".cm-content").inner_text())


def test_what_is_wrong_is_said_and_marked_where_it_stands(page):
    page.goto(_at("SELECT ?e {\n  ?e ev:artist ?a .\n  FILTER(?a = )\n}"))
    page.locator("[data-wrong]").wait_for()
    assert "line 3, column 15" in page.locator("[data-wrong]").inner_text()
    page.locator(".cm-lintRange-error").wait_for()
    page.goto("/query")
    _written(page, "SELECT ?e { ?e nosuch:thing ?x ")
    page.locator(".cm-lint-marker-error").wait_for()  # while it is written


def test_chart_more_rows_and_files(page):
    page.goto(_at("SELECT ?event ?start { ?event a ev:MusicStream ; ev:start ?start } ORDER BY ?start"))
    page.get_by_text("1,361 rows").wait_for()
    assert page.locator("#results tbody tr").count() == 101
    page.get_by_role("button", name="100 more").click()
    page.get_by_text("1,161 are left").wait_for()
    assert page.locator("#results tbody tr").count() == 201
    with page.expect_download() as waited:
        page.get_by_role("link", name="CSV").click()
    with open(waited.value.path(), encoding="utf-8") as written:
        lines = written.read().splitlines()
    assert lines[0] == "event,start"
    assert len(lines) == 1362
    page.locator("#results tbody a").first.click()
    page.wait_for_url("**/event?iri=*")

    page.goto(_at(ARTISTS))
    page.get_by_role("tab", name="Chart").click()
    page.locator("#shown-chart svg").first.wait_for()
    assert not page.locator("#shown-table").is_visible()


def test_ask_construct_and_describe(page):
    page.goto(_at('ASK { ?e ev:artist "Nobody at All" }'))
    page.locator(".truth").wait_for()
    assert page.locator(".truth").inner_text() == "No"
    page.goto(_at("CONSTRUCT { ?e rdfs:label ?l } { ?e a ev:Workout ; rdfs:label ?l }"))
    page.get_by_text("230 triples").wait_for()
    page.get_by_role("tab", name="Turtle").click()
    page.locator("#shown-turtle pre").wait_for()
    assert "rdfs:label" in page.locator("#shown-turtle pre").inner_text()
    page.get_by_role("tab", name="Table").click()
    page.locator("#results tbody a[href^='/query?']").first.click()  # the property is described
    page.get_by_text("DESCRIBE <").wait_for()


def test_a_query_is_saved_by_a_name_found_again_and_deleted(page):
    page.goto(_at(ARTISTS))
    page.get_by_text("27 rows").wait_for()
    page.get_by_role("button", name="Save as").click()
    page.get_by_label("Name").fill("Artists <b>most</b>")
    page.get_by_role("button", name="Save", exact=True).click()
    page.goto("/query")
    page.get_by_role("link", name="Artists <b>most</b>").click()
    page.get_by_text("27 rows").wait_for()
    page.get_by_role("button", name="Delete Artists").click()
    assert not page.locator("#saved").is_visible()


def test_an_example_runs_on_a_phone(served, opened):
    page = opened(served, "phone")
    page.goto("/query")
    page.locator(".queries a").nth(1).click()
    page.locator("#results h2").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_by_axe(served, opened, scheme):
    page = opened(served, color_scheme=scheme)
    page.goto(_at(ARTISTS))
    page.get_by_text("27 rows").wait_for()
    assert barriers(page) == []


def test_without_scripts_a_form_and_a_table_do(served, opened):
    page = opened(served, java_script_enabled=False)
    page.goto("/query")
    page.locator("textarea").fill("SELECT ?l { ?e a ev:Workout ; rdfs:label ?l }")
    page.get_by_role("button", name="Run").click()
    assert page.locator("#results h2").inner_text() == "230 rows"
    assert page.locator("#results tbody tr").count() == 101


# ------------------------------------------------------------------ odd requests
def test_examples_find_something(served):
    known = served.held.read(read_known, seconds=60)
    for example in examples_of(known):
        if "rq:" not in example.query:
            assert "<tbody>" in _results(served, example.query).text, example.title


def test_values_are_those_of_the_property(served):
    artist, source = (NamedNode(f"https://w3id.org/reqap-kg/event#{name}") for name in ("artist", "source"))
    found = served.held.read(lambda graph: values_of(graph, artist, "NATION"), seconds=60)
    assert [value["text"] for value in found] == ['"The National"']
    kinds = served.held.read(lambda graph: values_of(graph, source, "spot"), seconds=60)
    assert [value["text"] for value in kinds] == ["<https://w3id.org/reqap-kg/graph/source/spotify>"]


def test_hostile_texts_are_shown_as_texts(served):
    got = _results(served, 'SELECT ("<script>alert(1)</script>" AS ?a) (IRI("javascript:alert(1)") AS ?b) {}')
    assert "<script>alert" not in got.text
    assert 'href="javascript:' not in got.text
    page = _asked(served, "GET", "query?q=</textarea><script>alert(1)</script>")
    assert "<script>alert" not in page.text


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "query/results/nothing", 404),
        ("GET", "query/results/nothing/chart", 404),
        ("GET", "query/results/nothing/results.csv", 404),
        ("GET", "query/values?p=no%20iri", 422),
        ("GET", "query/values?p=urn:nothing", 200),
        ("GET", "query/results", 405),
        ("GET", "query?q=SELECT&plain=1", 400),
        ("GET", "query?q=%00%F0%9F&plain=1", 400),
    ],
)
def test_odd_addresses_are_refused(served, method, path, status):
    assert _asked(served, method, path).status_code == status


def test_nothing_is_written_and_nothing_is_fetched(served):
    for query in ("INSERT DATA { <urn:a> <urn:b> 1 }", "SELECT * { SERVICE <http://example.org> { ?a ?b ?c } }"):
        got = _results(served, query)
        assert got.status_code == 400
        assert "data-wrong" in got.text


def test_rows_ask_for_a_number(served):
    name = re.search(r"query/results/([\w-]+)/results", _results(served, ARTISTS).text)
    assert name is not None
    for begin, status in (("-1", 422), ("x", 422), ("9999", 200), ("9" * 40, 422)):
        assert _asked(served, "GET", f"query/results/{name[1]}?from={begin}").status_code == status
    assert _asked(served, "GET", f"query/results/{name[1]}/results.ttl").status_code == 404
    assert _asked(served, "GET", f"query/results/{name[1]}/turtle").status_code == 404


# ------------------------------------------------------------------ what is not there is said
def test_terms_that_there_are_not_are_named_beside_the_rows(served):
    told = _results(served, "SELECT ?e { ?e ev:workoutTyp ?t }").text
    assert "Neither the ontology nor your data has ev:workoutTyp; nearest: ev:workoutType." in told
    assert "Nothing" in told
    assert "nor your data" not in _results(served, "SELECT ?e { ?e ev:workoutType ?t } LIMIT 1").text


def test_escape_leaves_the_focus_in_the_editor_and_tab_leaves_it(page):
    page.goto("/query")
    _written(page, "SELECT ?s { ?s ?p ?o }")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    inside = "document.activeElement.closest('.cm-editor') !== null"
    assert page.evaluate(inside)
    page.keyboard.press("Tab")
    assert not page.evaluate(inside)
    assert page.evaluate("document.activeElement !== document.body")
