"""What is related to an event of the demo life and to a question of the forum; strictly, nothing later counts."""

import json
from datetime import datetime
from importlib.resources import files
from pathlib import Path

import pytest

from reqap_kg.config import Settings
from reqap_kg.engine.authoring.domain import load_domain
from reqap_kg.engine.importing.ingest_domain import ingest_domain
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.importing.report import Silent
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import UsageError

pytestmark = pytest.mark.model

NOW = datetime(2025, 3, 1, 12)
FORUM = Path(str(files("reqap_kg.examples"))) / "qa-forum"
CONCERT = "https://w3id.org/reqap-kg/data/calendar-rhys/76b831d2cd1a4e01239de145a8%40google.com"
TEXTS = ("social media post", "mail", "note")


@pytest.fixture(scope="module")
def demo(demo_store):
    with KnowledgeGraph.open(demo_store) as known:
        yield known


@pytest.fixture(scope="module")
def forum(tmp_path_factory):
    settings = Settings(home_zone="Etc/UTC", domain=FORUM)
    store = tmp_path_factory.mktemp("forum") / "store"
    ingest_domain(load_domain(FORUM), [], store, IngestOptions(settings, NOW), Silent())
    with KnowledgeGraph.open(store, settings) as known:
        yield known


def test_a_post_about_a_concert_is_found_by_its_entry_in_the_calendar(demo):
    found = demo.related(CONCERT, now=NOW, kinds=TEXTS)
    assert found.event.label == "Altın Gün"
    assert found.related[0].event.label.startswith("Altın Gün just took the roof off")
    assert found.related[0].paths == ("day after · social media post",)
    assert {one.event.type for one in found.related} <= {"SocialPost", "Mail", "Note"}
    assert [one.score for one in found.related] == sorted((one.score for one in found.related), reverse=True)


def test_an_event_is_named_by_its_iri_its_short_form_its_id_or_its_name(demo):
    wanted = demo.related(CONCERT, now=NOW, kinds=["note"], top=3)
    short = CONCERT.replace("https://w3id.org/reqap-kg/data/", "data:")
    for said in (short, wanted.event.source_id, "altın gün"):
        assert demo.related(said, now=NOW, kinds=["note"], top=3).related == wanted.related


def test_as_of_the_event_nothing_later_is_around_it(demo):
    found = demo.related(CONCERT, now=NOW, kinds=["note"], rule="strict")
    starts = dict(demo.graph.select("SELECT ?e ?t { ?e ev:start ?t }"))
    begun = {event.value: start.value for event, start in starts.items()}
    around = [iri for one in found.around for iri in one.iris]
    assert around
    assert all(begun[iri] <= found.event.end for iri in around if iri in begun)
    later = demo.related(CONCERT, now=NOW, kinds=["note"])
    assert any(begun[iri] > found.event.end for one in later.around for iri in one.iris if iri in begun)


@pytest.mark.parametrize(
    ("event", "kinds", "told"),
    [
        ("nothing of the kind", (), "no event is 'nothing of the kind'"),
        ("Dentist: check-up", (), "5 events are 'Dentist: check-up'; which one?"),
        (
            CONCERT,
            ("zebra",),
            "nothing in the store is of the kind 'zebra'; there are: TV series stream, calendar entry",
        ),
    ],
)
def test_what_cannot_be_meant_is_said(demo, event, kinds, told):
    with pytest.raises(UsageError, match="^" + told.replace("?", r"\?")):
        demo.related(event, now=NOW, kinds=kinds)


def test_with_another_encoder_texts_alone_are_compared(demo, monkeypatch):
    monkeypatch.setattr(demo, "settings", demo.settings.model_copy(update={"encoder": "another"}))
    found = demo.related(CONCERT, now=NOW, kinds=["social media post"], top=3)
    assert "only texts are compared" in found.warnings[0]
    assert found.related[0].event.label.startswith("Altın Gün")


def test_an_answer_that_knows_who_asks_comes_first(forum):
    found = forum.related("q60", now=NOW, kinds=["answer"], rule="strict")
    assert found.event.label == "How deep this year?"
    answers = [row for row in _rows("posts") if row.get("parent") == "q60"]
    assert found.related[0].event.source_id in {row["id"] for row in answers}
    paths = {one.path: one for one in found.around}
    asker = next(row["owner"] for row in _rows("posts") if row["id"] == "q60")
    before = {row["id"] for row in _rows("posts") if row["owner"] == asker and row["created"] < "2023-09-24T08"}
    asked = {iri.rsplit("/", 1)[-1] for iri in paths["author · question"].iris}
    answered = {iri.rsplit("/", 1)[-1] for iri in paths["author · answer"].iris}
    assert asked | answered == before


def test_the_forum_answers_questions_like_any_domain(forum):
    answer = forum.ask("How many questions were asked in 2022?", now=NOW)
    assert answer.values == (sum(r["type"] == "q" and r["created"].startswith("2022") for r in _rows("posts")),)


def _rows(name):
    return [json.loads(line) for line in (FORUM / "data" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
