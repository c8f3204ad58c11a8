"""docs/authoring.md: the domains that it builds are built from it, word for word, and answer what it says they do."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

import pytest
from documents import File, parts

from reqap_kg.config import Settings
from reqap_kg.engine.authoring.authoring import Workshop
from reqap_kg.engine.authoring.domain import load_domain
from reqap_kg.engine.authoring.drafting import draft_rule
from reqap_kg.engine.checking.check import check_domain
from reqap_kg.engine.importing.ingest_domain import ingest_domain
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.importing.report import Silent
from reqap_kg.engine.knowledge import KnowledgeGraph

pytestmark = pytest.mark.long
DOCUMENT = Path(__file__).parents[2] / "docs" / "authoring.md"
NOW = datetime(2025, 6, 10, 12, 0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the document, as somebody would copy them."""
    root = tmp_path_factory.mktemp("authored")
    for part in parts(DOCUMENT.read_text(encoding="utf-8")):
        if isinstance(part, File):
            path = root / part.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(part.text, encoding="utf-8")
    return root


def _imported(folder: Path, name: str) -> tuple[Settings, Path]:
    chosen = Settings(domain=folder / name, home_zone="Etc/UTC")
    store = folder / f"{name}-store"
    if not store.exists():
        ingest_domain(load_domain(folder / name), [], store, IngestOptions(chosen, NOW), Silent())
    return chosen, store


@pytest.mark.parametrize("name", ["bees", "walks"])
def test_the_files_of_the_document_are_without_fault(folder, name):
    assert [str(finding) for finding in check_domain(folder / name, Settings()).findings] == []


def test_the_cases_of_the_document_pass(folder):
    chosen, store = _imported(folder, "bees")
    workshop = Workshop.of((), chosen)
    with KnowledgeGraph.open(store, chosen) as known:
        results = workshop.test(workshop.cases(), known)
    assert len(results) == 2
    assert [(r.case.question, r.problem) for r in results if not r.passed] == []


ANSWERS = [
    ("bees", "How much honey did I harvest in 2024?", [52.5]),
    ("bees", "top 2 hives by honey", ["Astrid", "Cleo"]),
    ("bees", "honey in my apiary", [36.5]),
    ("bees", "honey by hive", [42, 26, 30.5, 6]),
    ("bees", "How many inspections in the bee season of 2024?", [8]),
    ("bees", "revenue by sort of honey", [479.25, 584, 194.5]),
    ("bees", "worth of lime by year", [104.5, 90]),
    ("bees", "honey of young hives in 2024", [6]),
    ("bees", "brood frames of Astrid in May 2024", [8]),
    ("bees", "number of inspections by mood", [1, 6, 3]),
    ("bees", "When did I last look after Dora?", ["2024-08-04"]),
    ("bees", "When did I last inspect Astrid?", ["2025-05-18"]),
    ("walks", "How many dog walks did I do in May 2024?", [3]),
    ("walks", "How far did I walk the dog in 2024?", [23.8]),
    ("walks", "Which dog did I walk most often?", ["Bella", "Moss"]),
    ("walks", "When did I last walk Moss?", ["2025-03-08"]),
    ("walks", "How many dog walks in the rain?", [2]),
    ("walks", "How many dog walks over 5 km?", [2]),
    ("walks", "What was my longest dog walk?", ["Ridge"]),
]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("name", "question", "answer"), ANSWERS)
def test_the_domains_of_the_document_answer(folder, name, question, answer):
    chosen, store = _imported(folder, name)
    with KnowledgeGraph.open(store, chosen) as known:
        found = known.ask(question, now=NOW).as_json()["answer"]
    assert [_plain(value) for value in found] == [_plain(value) for value in answer]


@pytest.fixture(scope="module")
def both(folder: Path) -> Path:
    """One domain of the files of both, with both shipped sets of rules."""
    for name in ("bees", "walks"):
        for path in (folder / name).rglob("*.*"):
            part = path.relative_to(folder / name)
            if part.name in ("domain.ttl", "questions.ttl"):
                continue
            target = folder / "both" / (f"ontology/{name}.ttl" if part.name == "ontology.ttl" else part)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    said = (
        (folder / "bees" / "domain.ttl").read_text(encoding="utf-8").replace('"warehouse"', '"personal", "warehouse"')
    )
    (folder / "both" / "domain.ttl").write_text(said, encoding="utf-8")
    return folder


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("question", "answer"), [case[1:] for case in ANSWERS])
def test_a_domain_with_both_sets_answers_what_each_does(both, question, answer):
    chosen, store = _imported(both, "both")
    with KnowledgeGraph.open(store, chosen) as known:
        found = known.ask(question, now=NOW).as_json()["answer"]
    assert [_plain(value) for value in found] == [_plain(value) for value in answer]


def _plain(value: object) -> object:
    return round(float(str(value)), 4) if re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", str(value)) else str(value)


def test_the_draft_of_the_document_reads_other_hives(folder):
    chosen, store = _imported(folder, "bees")
    (tree,) = re.findall(r"--tree '(.*?)'\n", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    workshop = Workshop.of((), chosen)
    question = "When did I last see to Dora?"
    with KnowledgeGraph.open(store, chosen) as known:
        made = draft_rule(question, " ".join(tree.split()), NOW, workshop, known, "seenTo")
    (folder / "draft.ttl").write_text(made.draft.turtle, encoding="utf-8")
    with KnowledgeGraph.open(store, chosen.model_copy(update={"rules": (folder / "draft.ttl",)})) as known:
        assert known.ask("When did I last see to Cleo?", now=NOW).as_json()["answer"] == ["2024-08-04"]
        assert known.ask("when did i last see to berta", now=NOW).as_json()["answer"] == ["2024-06-23"]
