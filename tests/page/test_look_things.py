"""People, places and things; one event in full; finding by words."""

from __future__ import annotations

import re
from shutil import copytree
from urllib.parse import quote

import pytest
from page.asking import barriers, get
from page.conftest import WIDTHS, serving
from playwright.sync_api import expect

from reqap_kg.config import Settings
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.ontology.namespaces import EV, derivation_graph
from reqap_kg.store.rdf import Literal, NamedNode, Triple

WEDDING = "https://w3id.org/reqap-kg/data/mail/CA7253265a15c524c95715%40deboer.example"


@pytest.fixture(scope="module")
def read(imported_demo, tmp_path_factory):
    """A service of the demo life in which a dish was read in a mail."""
    store = copytree(imported_demo, tmp_path_factory.mktemp("read") / "store")
    graph = derivation_graph("0" * 32)
    node, activity, event = NamedNode(graph + "#read-1"), NamedNode(graph + "#activity"), NamedNode(WEDDING)
    said = {"value": "tagliatelle al ragù", "evidence": "tagliatelle", "confidence": "0.9"}
    with KnowledgeGraph.open(store, Settings()) as known:
        triples = [Triple(node, NamedNode(EV + name), Literal(value)) for name, value in said.items()]
        triples += [Triple(node, NamedNode(EV + "event"), event), Triple(node, NamedNode(EV + "readingOf"), activity)]
        triples += [Triple(activity, NamedNode(EV + "query"), Literal("dish as str in texts of x"))]
        known.graph.replace_graph(graph, triples)
    with serving(store) as service:
        yield service


@pytest.mark.parametrize("page", WIDTHS, indirect=True)
def test_kinds_of_things_are_found_in_the_data_and_each_has_all(page):
    page.goto("/things")
    titles = page.locator(".kinds h2").all_inner_texts()
    assert titles[:2] == ["People 48", "Places 97"]
    assert {"Artists 27", "Songs 81", "Series 9", "Movie titles 30"} <= set(titles)
    people = page.get_by_role("region", name=re.compile("^People"))
    assert people.locator("li").first.inner_text().split("\n") == ["Sjoerd Wiersma", "friend", "79"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("link", name="All 81").click()
    expect(page.locator("h1")).to_have_text("Songs")
    page.locator("#among").fill("kom t")
    expect(page.locator("#all .count")).to_have_text("1 song with “kom t”, and in how many events")
    page.reload()
    page.get_by_role("link", name="Kom terug").click()
    assert page.locator(".sentence").inner_text().startswith("In 24 events from")


def test_people_are_counted_by_what_names_them_and_not_twice(page):
    page.goto("/things/people")
    names = page.locator("#all a").all_inner_texts()
    assert "Femke Hoekstra" in names
    assert "mr. Femke Hoekstra" not in names  # as she signs her mails
    assert "Rhys de Boer" not in names  # whose life it is


def test_a_person_has_what_is_known_years_and_what_goes_with_them(page):
    page.goto("/thing?kind=people&name=Shorty")  # what Rhys calls him
    expect(page.locator("h1")).to_have_text("Sjoerd Wiersma")
    assert page.locator(".known").inner_text().replace("\n", " ").startswith("relation friend also called Shorty")
    assert "3 October 2018" in page.locator(".known").inner_text()
    expect(page.get_by_role("link", name="2024: 33 events")).to_be_visible()
    assert "Sportpark De Hoge Weide, field 2" in page.get_by_role("region", name="Goes with").inner_text()
    ask = page.get_by_role("link", name="When did I last see Sjoerd Wiersma?")
    assert ask.get_attribute("href") == "/?q=When+did+I+last+see+Sjoerd+Wiersma%3F"
    page.get_by_role("region", name="Latest").locator(".what a").first.click()
    expect(page.locator("h1")).to_have_text("[donderdagvoetbal] Last one on field 3")


def test_an_artist_leads_to_songs_and_back_to_the_days(page):
    page.goto("/thing?name=gwenno")  # no kind, no capital
    page.get_by_role("region", name="Goes with").get_by_role("link", name="Tresor").first.click()
    expect(page.locator("h1")).to_have_text("Tresor")
    page.locator(".sentence a").first.click()
    page.wait_for_url("**/day/*")
    assert barriers(page) == []


def test_an_event_tells_all_and_the_words_that_told_are_marked(read, opened):
    page = opened(read)
    page.goto(f"/event?iri={quote(WEDDING, safe='')}")
    expect(page.locator("h1")).to_have_text("married (not me)")
    assert page.locator(".words mark").all_inner_texts() == ["tagliatelle"]
    assert page.locator(".words").evaluate("node => getComputedStyle(node).whiteSpace") == "pre-line"
    assert (
        "tagliatelle al ragù told by tagliatelle" in page.locator("section", has_text="Read in its words").inner_text()
    )
    assert page.locator("aside").inner_text().startswith("From\n\nMail\n\nrecord CA7253265a15c524c95715@deboer.example")
    assert {"Carys Pritchard", "Leila Haddad"} <= set(page.locator(".met a").all_inner_texts())
    turtle = page.get_by_label("Turtle")
    assert not turtle.is_visible()
    page.get_by_text("As triples").click()
    assert "a ev:Mail" in turtle.inner_text()
    page.locator("dd").get_by_role("link", name="Carys Pritchard").click()
    expect(page.locator("h1")).to_have_text("Carys Pritchard")


def test_an_event_has_its_measures_and_those_beside_it(page):
    page.goto("/day/2024-09-13")
    page.get_by_role("link", name="Soccer").click()
    values = page.locator(".values").first.inner_text()
    assert re.search(r"distance\s+5.2 km", values)
    assert re.search(r"duration\s+53 min", values)
    assert page.locator(".around").inner_text().split("\n")[-1] == "Dinner at Zia Loredana's"
    page.locator(".around a").click()
    expect(page.locator("h1")).to_have_text("Dinner at Zia Loredana's")
    assert barriers(page) == []


def test_words_find_events_things_and_days(page):
    page.goto("/timeline")
    page.keyboard.press("/")
    page.keyboard.type("osso buco")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=osso+buco")
    assert set(page.locator(".dated mark").all_inner_texts()) == {"osso", "buco"}
    page.goto("/search?q=gwenno")
    expect(page.locator(".ranked a").first).to_have_text("Gwenno")
    expect(page.locator("#found-events")).to_have_text("285 events")
    page.locator(".dated > .more").scroll_into_view_if_needed()
    expect(page.locator(".dated .what")).to_have_count(60)
    page.goto("/search?q=13 september 2024")
    page.get_by_role("link", name="Friday, 13 September 2024").click()
    page.wait_for_url("**/day/2024-09-13")
    page.goto("/search?q=september 2024")
    expect(page.locator(".when-said")).to_contain_text("1 to 30 September 2024")
    page.locator(".when-said a").click()
    page.wait_for_url("**/timeline/2024?day=2024-09-01")


def test_what_is_not_found_is_said_with_what_may_be_meant(page):
    page.goto("/search?q=Spinviss")
    page.get_by_role("link", name="Spinvis", exact=True).click()
    expect(page.locator(".ranked a").first).to_have_text("Spinvis")
    page.goto("/search?q=zzyzx")
    expect(page.locator(".empty")).to_have_text("No event has these words.")
    page.goto("/search")
    assert "Words of an event" in page.locator("main").inner_text()


def test_what_is_not_there_and_what_nobody_means_is_refused(served):
    for path in (
        "/event", "/event?iri=x", "/event?iri=http://x.example/", "/event?iri=a%20b", "/thing", "/thing?name=Nobody",
        "/thing?iri=%3C", "/thing?kind=unicorn&name=x", "/things/unicorns", "/thing/with?name=Nobody",
    ):  # fmt: skip
        assert get(served, path).status_code == 404, path
    for path in (
        "/search?q=x&begin=-1",
        "/search?q=x&begin=9999999",
        "/things/artist?begin=x",
        f"/search?q={'x' * 201}",
    ):
        found = get(served, path)
        assert found.status_code == 422, path
        assert "That did not work" in found.text
    assert get(served, "/event/related?iri=http://x.example/", **{"HX-Request": "true"}).status_code == 422


def test_a_quote_in_a_name_is_no_query(served):
    for name in ('" } UNION { ?e ?p ?o', "\\", "'", "a\nb", "%", "?e", "²", "{{7*7}}"):
        assert get(served, f"/thing?kind=artist&name={quote(name)}").status_code == 404, name
        assert get(served, f"/search?q={quote(name)}").status_code == 200, name
    assert "{{7*7}}" in get(served, f"/search?q={quote('{{7*7}}')}").text
