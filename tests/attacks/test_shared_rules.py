"""Rule files that somebody else wrote: what they cost ends, and what they change is told."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from time import process_time

import pytest

from reqap_kg.config import Settings
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import RuleError
from reqap_kg.ontology.namespaces import PREFIXES

NOW = datetime(2025, 3, 1, 12)
PERIOD = 'BIND(fn:date({0},1,1) AS ?begin) BIND(fn:date({1},12,31) AS ?end) BIND("" AS ?note)'


def _settings(
    folder: Path, extract: str, *, kind: str = "pg:TimeRange", years: tuple[int, int] = (2024, 2024)
) -> Settings:
    prefixes = "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in PREFIXES.items())
    about = f'pg:output "begin", "end", "note" ; pg:compute """{PERIOD.format(*years)}"""'
    own = folder / "own.ttl"
    top = "pg:Aside" if kind == "pg:Noise" else "pg:Filter"
    said = about if kind != "pg:Noise" else 'rdfs:label "noise"'
    own.write_text(f'{prefixes} <urn:own:p> a pg:Pattern ; pg:kind {top}, {kind} ; pg:extract "{extract}" ; {said} .\n')
    # Rules alone: the attack is a pattern of theirs.
    return Settings(rules=(own,), proposers=("rules",))


@pytest.mark.parametrize("extract", ["_", "_ _", "(_ | ,)"])
def test_a_pattern_that_matches_any_word_ends_soon(extract: str, demo_store: Path, tmp_path: Path) -> None:
    with KnowledgeGraph.open(demo_store, _settings(tmp_path, extract)) as known:
        began = process_time()
        with pytest.raises(RuleError, match=r"loops|longer"):
            known.ask("How many runs did I do in 2024?", now=NOW)
    assert process_time() - began < 15


@pytest.mark.parametrize(
    ("question", "extract", "kind", "words"),
    [
        ("How many runs did I do in 2024?", "in 2024", "pg:TimeRange", "in 2024"),
        (
            "How many songs did I play except on Mondays by Gwenno?",
            "(except | not) _*",
            "pg:Noise",
            "except on Mondays by Gwenno",
        ),
    ],
)
def test_a_pattern_that_reads_words_otherwise_is_told(
    question: str, extract: str, kind: str, words: str, demo_store: Path, tmp_path: Path
) -> None:
    with KnowledgeGraph.open(demo_store, _settings(tmp_path, extract, kind=kind, years=(2020, 2030))) as known:
        notes = known.ask(question, now=NOW).notes
    # Rules alone: compared with the same rules and one pattern more.
    with KnowledgeGraph.open(demo_store, Settings(proposers=("rules",))) as known:
        plain = known.ask(question, now=NOW).notes
    told = f"“{words}” is read by the patterns of own.ttl"
    assert told in notes
    assert told not in plain


def test_a_pattern_of_words_that_nothing_else_reads_is_not_told(demo_store: Path, tmp_path: Path) -> None:
    with KnowledgeGraph.open(demo_store, _settings(tmp_path, "in my marathon year")) as known:
        found = known.ask("How many runs did I do in my marathon year?", now=NOW)
        plain = known.ask("How many runs did I do in 2024?", now=NOW)
    assert found.values == plain.values
    assert not any("own.ttl" in note for note in (*found.notes, *plain.notes))
