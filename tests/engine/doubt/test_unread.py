"""A 0 that only means that words were not understood is no answer."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest

from reqap_kg.config import RULES, Settings
from reqap_kg.engine.asking.resolving import is_unread
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph

NOW = datetime(2025, 1, 1, 12)
EMPTY = frozenset({"i", "went", "by", "or", "took", "to"})


@pytest.mark.parametrize(
    ("queries", "unread"),
    [
        (("trips I took by car or by truck",), True),
        (("I went",), True),
        (("I swam",), False),
        (("hockey game I went to",), False),
        (("I swam", "I went"), True),
        ((), False),
    ],
)
def test_what_was_not_understood(queries: tuple[str, ...], *, unread: bool) -> None:
    assert is_unread(queries, EMPTY) is unread


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeGraph]:
    folder = tmp_path_factory.mktemp("unread")
    note = folder / "n.md"
    note.write_text("---\ndate: 2024-05-01\ntitle: Tap\n---\n# Tap\n\nQuillfeather mended it.\n", encoding="utf-8")
    ingest((note,), folder / "store", IngestOptions(Settings(home_zone="Europe/Oslo"), NOW))
    # Rules alone: the parser reads words that rules leave to a search, which is what is tested.
    with KnowledgeGraph.open(folder / "store", Settings(proposers=(RULES,))) as graph:
        yield graph


def test_it_is_not_zero(known: KnowledgeGraph) -> None:
    found = known.ask("How many evenings did I sing, count the days?", now=NOW)
    assert found.answer_type == "none"
    assert any("nothing was found for" in warning for warning in found.warnings)


def test_what_is_missing_by_name_or_plainly_is_zero(known: KnowledgeGraph) -> None:
    for question in ("How many times did I order something from AliExpress?", "How many times did I juggle?"):
        assert known.ask(question, now=NOW).values == (0,)
