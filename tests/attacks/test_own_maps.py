"""Whatever an own map imports can be asked by its names: generated maps over invented tables, beside their rows."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from reqap_kg.config import RULES, Settings
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import NotUnderstood
from reqap_kg.store.words import key_words

NOW = datetime(2025, 3, 1, 12)
_PREFIXES = """@prefix rml: <http://w3id.org/rml/> . @prefix ev: <https://w3id.org/reqap-kg/event#> .
@prefix fn: <https://w3id.org/reqap-kg/function#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""


@dataclass(frozen=True)
class Table:
    """A table: what a row is, how one is spoken of, its columns."""

    thing: str
    things: str
    column: str
    names: tuple[tuple[str, str], ...]
    past: str
    base: str
    number: str
    spoken: str


TABLES = (
    Table(
        "Sighting",
        "sightings",
        "species",
        (("chough", "choughs"), ("kestrel", "kestrels"), ("red kite", "red kites")),
        "saw",
        "see",
        "wingSpan",
        "wing span",
    ),
    Table(
        "CoffeeTasting",
        "coffee tastings",
        "bean",
        (("sidamo", "sidamos"), ("bourbon", "bourbons"), ("geisha", "geishas")),
        "tasted",
        "taste",
        "acidity",
        "acidity",
    ),
    Table(
        "ChessGame",
        "chess games",
        "opening",
        (("caro-kann", "caro-kanns"), ("benoni", "benonis"), ("french defence", "french defences")),
        "played",
        "play",
        "moveCount",
        "move count",
    ),
    Table(
        "AllotmentHarvest",
        "allotment harvests",
        "crop",
        (("leek", "leeks"), ("marrow", "marrows"), ("beetroot", "beetroots")),
        "picked",
        "pick",
        "crop_weight",
        "crop weight",
    ),
    Table(
        "PressureReading",
        "pressure readings",
        "cuff",
        (("wrist", "wrists"), ("upper arm", "upper arms")),
        "took",
        "take",
        "systolicPressure",
        "systolic pressure",
    ),
)


@dataclass(frozen=True)
class Drawn:
    """One map and its rows."""

    table: Table
    bare: bool
    base: str
    rows: tuple[tuple[int, datetime, float], ...]


@st.composite
def drawn(draw: st.DrawFn) -> Drawn:
    table = draw(st.sampled_from(TABLES))
    day = st.integers(0, 700).map(lambda n: datetime(2023, 2, 1, 9) + timedelta(days=n))
    row = st.tuples(st.integers(0, len(table.names) - 1), day, st.integers(1, 900).map(lambda n: n / 4))
    rows = draw(st.lists(row, min_size=4, max_size=14, unique_by=lambda r: r[1]))
    base = draw(st.sampled_from(["https://example.org/own#", "http://my.example/voc/", "urn:own:x#"]))
    return Drawn(table, draw(st.booleans()), base, tuple(rows))


@st.composite
def drawn_together(draw: st.DrawFn) -> tuple[Drawn, ...]:
    """Two or three maps of mere events over tables that differ."""
    many = draw(st.lists(drawn(), min_size=2, max_size=3, unique_by=lambda one: one.table.thing))
    return tuple(replace(one, bare=True, base=many[0].base) for one in many)


def _written(many: Sequence[Drawn], folder: Path) -> tuple[list[Path], Path]:
    """Tables, and one map document over them."""
    ttl = folder / "log.ttl"
    ttl.write_text(_PREFIXES, encoding="utf-8")
    return [_one_written(one, folder / f"log{number}.csv", ttl) for number, one in enumerate(many)], ttl


def _one_written(given_: Drawn, data: Path, ttl: Path) -> Path:
    table = given_.table
    with data.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(["id", table.column, "at", "n"])
        for number, (which, at, value) in enumerate(given_.rows):
            writer.writerow([number, table.names[which][0], at.isoformat(), f"{value:g}"])
    kind = "ev:Event" if given_.bare else f"<{given_.base}{table.thing}>"
    with ttl.open("a", encoding="utf-8") as out:
        out.write(f"""<#{table.thing}> a rml:TriplesMap ;
  rml:logicalSource [ rml:source [ a rml:RelativePathSource ; rml:root rml:MappingDirectory ; rml:path "{data.name}" ] ;
    rml:referenceFormulation rml:CSV ] ;
  rml:subjectMap [ rml:template "https://example.org/{table.column}/{{id}}" ; rml:class {kind} ] ;
  rml:predicateObjectMap [ rml:predicate rdfs:label ; rml:objectMap [ rml:reference "{table.column}" ] ] ,
    [ rml:predicate <{given_.base}{table.number}> ; rml:objectMap [ rml:reference "n" ] ] ,
    [ rml:predicate ev:start ; rml:objectMap [ rml:functionExecution [ rml:function fn:wallClock ;
        rml:input [ rml:parameter fn:value ; rml:inputValueMap [ rml:reference "at" ] ] ] ] ] .
""")
    return data


def _expected(given_: Drawn) -> dict[str, set[object]]:
    """Questions, and what may be answered by the rows."""
    table, rows = given_.table, given_.rows
    found: dict[str, set[object]] = {}
    counts = Counter(which for which, _, _ in rows)
    most = {table.names[w][0] for w, n in counts.items() if n == max(counts.values())}
    found[f"Which {table.column} did I {table.base} most?"] = set(most)
    year = rows[0][1].year
    found[f"How many {table.things} were there in {year}?"] = {sum(at.year == year for _, at, _ in rows)}
    found[f"How many {table.things} were there?"] = {len(rows)}
    which = rows[0][0]
    name, names = table.names[which]
    own = [(at, value) for w, at, value in rows if w == which]
    found[f"How many {names} did I {table.base} in {year}?"] = {sum(at.year == year for at, _ in own)}
    found[f"When did I last {table.base} a {name}?"] = {max(at for at, _ in own).date().isoformat()}
    average = sum(value for _, value in own) / len(own)
    found[f"What is the average {table.spoken} of my {names}?"] = {round(average, 4)}
    return found


def _asked(*many: Drawn) -> list[str]:
    """What is wrong in the answers over the maps of one source."""
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        data, ttl = _written(many, folder)
        options = IngestOptions(Settings(home_zone="Europe/Oslo"), NOW, mapping=ttl, source="log")
        ingest(data, folder / "store", options)
        # Rules alone: each example is a store of its own, and what is tested is that names of a map are read.
        chosen = Settings(proposers=(RULES,), read_texts=False)
        wrong: list[str] = []
        with KnowledgeGraph.open(folder / "store", chosen) as known:
            for one in many:
                wrong += _wrong_of(one, known)
    return wrong


def _wrong_of(given_: Drawn, known: KnowledgeGraph) -> Iterator[str]:
    """What is wrong in the answers over one map."""
    for question, right in _expected(given_).items():
        try:
            answer = known.ask(question, now=NOW)
        except NotUnderstood as bad:
            yield f"{question} → {bad}"
            continue
        said = {round(v, 4) if isinstance(v, float) else v for v in answer.values}
        if said != right:
            yield f"{question} → {said} instead of {right}; {answer.plan}; {answer.notes}"
    events = known.ask(f"list my {given_.table.things}", now=NOW).events
    if {event.type for event in events} != {
        "".join(word.capitalize() for word in key_words(given_.table.thing).split())
    }:
        yield f"kinds: {events}"
    if {event.source for event in events} != {"log"} or len({event.source_id for event in events}) != len(given_.rows):
        yield f"sources: {events}"
    hits = known.retrieve(given_.table.names[given_.rows[0][0]][1], now=NOW).hits
    if {hit.event.label for hit in hits} != {given_.table.names[given_.rows[0][0]][0]}:
        yield f"retrieve: {[(hit.event.label, hit.event.type) for hit in hits]}"


@pytest.fixture(scope="module")
def how_many(full_attack: bool) -> int:
    return 60 if full_attack else 5


def test_what_an_own_map_imports_can_be_asked(how_many: int) -> None:
    @settings(max_examples=how_many, phases=(Phase.generate,))  # a smaller table says no more
    @given(drawn())
    def attack(given_: Drawn) -> None:
        assert _asked(given_) == []

    attack()


def test_maps_of_mere_events_in_one_source_are_told_apart(how_many: int) -> None:
    @settings(max_examples=max(2, how_many // 3), phases=(Phase.generate,))
    @given(drawn_together())
    def attack(many: tuple[Drawn, ...]) -> None:
        assert _asked(*many) == []

    attack()


def test_texts_in_a_language_are_read_as_texts(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("id,when,mood\n1,2024-01-02T10:00:00,froh\n2,2024-01-03T10:00:00,müde\n")
    (tmp_path / "log.ttl").write_text(
        _PREFIXES
        + """@prefix ex: <https://example.org/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
        <#m> rml:logicalSource [ rml:source [ a rml:RelativePathSource ; rml:root rml:MappingDirectory ;
            rml:path "log.csv" ] ; rml:referenceFormulation rml:CSV ] ;
          rml:subjectMap [ rml:template "https://example.org/{id}" ; rml:class ex:Rehearsal ] ;
          rml:predicateObjectMap [ rml:predicate ev:start ;
            rml:objectMap [ rml:reference "when" ; rml:datatype xsd:dateTime ] ] ;
          rml:predicateObjectMap [ rml:predicate ex:mood ;
            rml:objectMap [ rml:reference "mood" ; rml:language "de" ] ] ."""
    )
    options = IngestOptions(Settings(read_texts=False), NOW, mapping=tmp_path / "log.ttl")
    ingest([tmp_path / "log.csv"], tmp_path / "store", options)
    with KnowledgeGraph.open(tmp_path / "store", Settings(read_texts=False)) as known:
        answer = known.ask("Which mood did I have at the rehearsal on 2 January 2024?", now=NOW)
        tagged = known.sparql('ASK { ?event <https://example.org/mood> "froh"@de }', now=NOW)
    assert {*answer.values} == {"froh"}
    assert tagged.value is True
