"""Derivations through imports, forgetting, other models and lexicons: kept as long as what they rest on stays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from shutil import copytree
from types import SimpleNamespace

import pytest
from derived_life import DINNERS, LIFE, NOW, WordEncoder, import_source, without_weights

from reqap_kg.config import Settings
from reqap_kg.engine.admin.manage import forget, status
from reqap_kg.engine.admin.validate import validate_store
from reqap_kg.engine.derivations import Derivation, forget_derived
from reqap_kg.engine.importing.report import Silent
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import StoreError
from reqap_kg.execution.derivations import dependencies as depending
from reqap_kg.ontology.namespaces import EV
from reqap_kg.retrieval import retrieve as retrieving
from reqap_kg.retrieval.candidate_set import CandidateSet, SearchModels
from reqap_kg.store.generations import Import, current, open_graph

pytestmark = pytest.mark.long
LATER = datetime(2025, 2, 2, 8)
LOADS = 'SUM(l=EXTRACT(l=RETRIEVE(query="workouts"), attr_names=["load"], attr_types=[float]), attr_name="load")'
NEAREST = (
    'JOIN(l1=RETRIEVE(query="songs I listened to"), l2=RETRIEVE(query="workouts"), '
    'condition="i1.start_datetime >= i2.start_datetime")'
)
PAIRED = (
    f'JOIN(l1=RETRIEVE(query="{DINNERS}"), l2=RETRIEVE(query="workouts"), '
    'condition="i1.start_datetime >= i2.start_datetime")'
)
SEARCH, READ, JOINED, JOINED_SEARCH = "search", "values", "join of songs", "join of a search"


@pytest.fixture(autouse=True)
def encoder(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Without weights; call it with a hash for another version of the model."""

    def install(identity: str) -> None:
        without_weights(monkeypatch, identity)

    install("sha256:words")
    return install


@contextmanager
def opened(folder: Path) -> Iterator[KnowledgeGraph]:
    with KnowledgeGraph.open(folder / "store", Settings(home_zone="Europe/Oslo")) as known:
        yield known


def ask_all(folder: Path, now: datetime = NOW) -> None:
    """Asks everything of which something is derived."""
    with opened(folder) as known:
        assert len(known.retrieve(DINNERS, now=now).hits) == 2
        assert known.run(LOADS, now=now).values
        known.run(NEAREST, now=now)
        known.run(PAIRED, now=now)


def listed(folder: Path) -> tuple[Derivation, ...]:
    return status(folder / "store", Settings(lock_seconds=1)).derivations


def standing(folder: Path) -> dict[str, str]:
    """What is derived in the store, by what it is, with the time at which it was made."""
    return {kind: d.info.ended for d in listed(folder) if (kind := kind_of(d)) is not None}


def kind_of(found: Derivation) -> str | None:
    """Which of the things asked a derivation answers; None for what came with it."""
    info = found.info
    if info.operator == "JOIN":
        return JOINED_SEARCH if DINNERS in info.query else JOINED
    if info.operator == "RETRIEVE":
        return SEARCH
    return READ if info.operator == "EXTRACT" and "load" in info.query else None


@pytest.fixture
def life(small_life: Path, tmp_path: Path) -> Path:
    """A store where everything was asked."""
    copytree(small_life, tmp_path / "store")
    ask_all(tmp_path)
    assert set(standing(tmp_path)) == {SEARCH, READ, JOINED, JOINED_SEARCH}
    return tmp_path


def reused(folder: Path) -> set[str]:
    """What is found again when everything is asked later."""
    before = standing(folder)
    ask_all(folder, LATER)
    after = standing(folder)
    assert set(after) == {SEARCH, READ, JOINED, JOINED_SEARCH}
    again = {name for name, made in after.items() if made.startswith("2025-01-01")}
    assert again == set(before)
    return again


def test_the_same_import_again_drops_nothing(life: Path) -> None:
    generation = current(life / "store")
    for name in LIFE:
        import_source(life, name)
    assert current(life / "store") == generation
    assert reused(life) == {SEARCH, READ, JOINED, JOINED_SEARCH}


def test_a_new_source_of_another_class_leaves_all_and_they_are_found_again(life: Path) -> None:
    generation = current(life / "store")
    import_source(life, "talks", [{"source": "podcast_stream", "episode_name": "Dinner at the trattoria"}])
    assert current(life / "store") != generation
    assert reused(life) == {SEARCH, READ, JOINED, JOINED_SEARCH}


def test_a_new_source_that_may_tell_of_it_drops_the_search_and_what_rests_on_it(life: Path) -> None:
    text = "Dinner at the trattoria was great"
    import_source(life, "posts", [{"source": "social_media", "text": text}])
    assert set(standing(life)) == {READ, JOINED}
    with opened(life) as known:
        assert any(hit.event.source == "posts" for hit in known.retrieve(DINNERS, now=LATER).hits)


def test_a_new_source_of_a_class_that_was_read_drops_what_read_it(life: Path) -> None:
    import_source(life, "more songs", [{"source": "music_stream", "song_name": "Third"}])
    assert set(standing(life)) == {SEARCH, READ, JOINED_SEARCH}


def test_a_search_that_classifiers_widen_reads_all_events(life: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    classifier = SimpleNamespace(identity="sha256:classifier", name="classifier")
    models = SearchModels(WordEncoder(), classifier)  # type: ignore[arg-type]
    monkeypatch.setattr(retrieving, "find_models", lambda context: models)
    monkeypatch.setattr(retrieving, "search_events", lambda search, context: CandidateSet(search, ()))
    with opened(life) as known:
        known.retrieve("something to remember", now=NOW)
    (made,) = [d.info for d in listed(life) if d.info.query == "something to remember"]
    assert EV + "Event" in made.reads
    import_source(life, "films", [{"source": "movie_stream", "movie_title": "Heat"}])
    assert "something to remember" not in {d.info.query for d in listed(life)}


def test_a_replaced_source_drops_what_read_it(life: Path) -> None:
    import_source(life, "climbs", [{**LIFE["climbs"][0], "load": "90 kg"}, LIFE["climbs"][1]])
    assert set(standing(life)) == {SEARCH}
    with opened(life) as known:
        assert known.run(LOADS, now=LATER).values == pytest.approx((90 / 0.45359237 + 100,))  # in pounds


def test_a_forgotten_source_drops_what_read_it(life: Path) -> None:
    forget("diary", life / "store", Settings(lock_seconds=1))
    assert set(standing(life)) == {READ, JOINED}
    with opened(life) as known:
        assert [hit.event.source for hit in known.retrieve(DINNERS, now=LATER).hits] == ["mails"]
    forget("songs", life / "store", Settings(lock_seconds=1))
    assert set(standing(life)) == {SEARCH, READ}


def test_another_version_of_the_model_drops_what_it_made(life: Path, encoder: Callable[[str], None]) -> None:
    encoder("sha256:other words")
    with opened(life) as known:
        known.retrieve("an invoice for something", now=LATER)
    found = listed(life)
    assert {(d.info.query, d.info.model_hash) for d in found if d.info.operator == "RETRIEVE"} == {
        ("an invoice for something", "sha256:other words")
    }
    assert {READ, JOINED} <= set(standing(life))
    assert JOINED_SEARCH not in standing(life)


def test_other_lexicons_drop_what_read_texts(life: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(depending, "lexicon_hash", lambda extra=(): "other")
    with opened(life):
        pass
    assert set(standing(life)) == {READ, JOINED}


def test_rules_of_the_planner_drop_nothing(life: Path) -> None:
    rules = life / "rules.ttl"
    rules.write_text("@prefix pg: <https://w3id.org/reqap-kg/parse#> .\n", encoding="utf-8")
    with KnowledgeGraph.open(life / "store", Settings(home_zone="Europe/Oslo", rules=(rules,))):
        pass
    assert reused(life) == {SEARCH, READ, JOINED, JOINED_SEARCH}


def test_other_vocabulary_drops_all(life: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(depending, "vocabulary_digest", lambda documents: "other" * 8)
    with opened(life):
        pass
    assert standing(life) == {}


def test_an_import_that_fails_before_its_end_changes_nothing(life: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Import) -> None:
        raise StoreError("no space left")

    with monkeypatch.context() as patched:
        patched.setattr(Import, "commit", fail)
        with pytest.raises(StoreError, match="no space"):
            import_source(life, "diary", LIFE["diary"][1:])
    assert reused(life) == {SEARCH, READ, JOINED, JOINED_SEARCH}


def test_what_is_derived_is_no_value_of_the_next_index(life: Path) -> None:
    import_source(life, "films", [{"source": "movie_stream", "movie_title": "Heat"}])
    with opened(life) as known:
        held = [iri for iri, _ in known.index.all_properties([EV + "Workout", EV + "Mail"])]
        assert held
        assert not [iri for iri in held if "/derived/" in iri]


def test_clearing_derivations_says_which_and_takes_what_rests_on_them(life: Path) -> None:
    with open_graph(life / "store") as graph:
        before = graph.count()
    gone = forget_derived(life / "store", DINNERS.upper(), lock_seconds=1)
    assert {kind_of(d) for d in gone} - {None} == {SEARCH, JOINED_SEARCH}
    assert set(standing(life)) == {READ, JOINED}
    with open_graph(life / "store") as graph:
        assert before - graph.count() == sum(d.triples for d in gone)
    assert {kind_of(d) for d in forget_derived(life / "store", lock_seconds=1)} == {READ, JOINED}
    assert standing(life) == {}
    assert forget_derived(life / "store", lock_seconds=1) == ()


def test_what_rests_on_a_search_goes_when_the_search_is_cleared(life: Path) -> None:
    search = next(d.info.graph for d in listed(life) if d.info.operator == "RETRIEVE")
    with open_graph(life / "store", write=True) as graph:
        graph.drop_graphs([search])  # as if killed between this and the next
    with opened(life):
        pass
    assert set(standing(life)) == {READ, JOINED}


def test_each_derivation_conforms_to_its_shape(life: Path) -> None:
    settings = Settings(home_zone="Europe/Oslo")
    assert [v for v in validate_store(life / "store", settings, Silent()) if "/derived/" in v.event] == []
    search = next(d.info for d in listed(life) if d.info.operator == "RETRIEVE")
    with open_graph(life / "store", write=True) as graph:
        kept = graph.construct(
            f"CONSTRUCT {{ ?s ?p ?o }} {{ GRAPH <{search.graph}> {{ ?s ?p ?o FILTER(?p != prov:wasAssociatedWith) }} }}"
        )
        graph.replace_graph(search.graph, kept)
    broken = [v for v in validate_store(life / "store", settings, Silent()) if "/derived/" in v.event]
    assert [(v.event, v.message) for v in broken] == [(search.activity, "a derivation was made by one agent")]
