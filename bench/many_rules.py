"""Planning with many rules over many values: what a question costs that was never asked before.

Every planner was asked other questions first, so that what is measured is planning and not the start.

python -m reqap_kg.bench.many_rules
"""

from __future__ import annotations

import calendar
import random
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from time import process_time

from ..config import Settings
from ..engine.authoring.domain import rulebook_with
from ..engine.importing.ingest import ingest
from ..engine.importing.loading import IngestOptions
from ..engine.knowledge import KnowledgeGraph
from .events import span, title, write_lines
from .life import NOW
from .table import Figure
from .timing import timed

EVENTS = 34_000
"""Music streams, each with a song, artist and album of its own: 102,000 values."""
RULES = (100, 200, 400, 800)
ASKED = 40
_SEED = 11
_FORMS = (
    "How many songs by {artist} did I listen to in {month} {year}?",
    "Which artist did I listen to most in {month} {year}?",
    "How often did I listen to {song}?",
    "When did I last listen to {song}?",
    "How many different artists did I stream on weekends in {year}?",
    "List the songs I streamed on {month} {day}, {year}",
    "Did I listen to {artist} in the {part} in {month} {year}?",
    "What was the first song by {artist} that I listened to in {year}?",
)
_MONTHS = tuple(calendar.month_name[1:])


def measure(events: int = EVENTS) -> list[Figure]:
    """Milliseconds of planning questions over a life of so many events, each for the first time, by the number of
    rules; how much the processor time grows from the second number to the last."""
    rng = random.Random(_SEED)
    names = [tuple(f"{title(rng, words)} {rng.randrange(10**6)}" for words in (4, 2, 3)) for _ in range(events)]
    figures: list[Figure] = []
    medians: dict[int, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write_lines(root / "songs.jsonl", _streams(names))
        ingest([root / "songs.jsonl"], root / "store", IngestOptions(Settings(), NOW))
        for count in RULES:
            taken, used = zip(*_planning(root, count, names), strict=True)
            medians[count] = statistics.median(used)
            wanted = " (wanted: under 50 ms at the median)" if count == 200 else ""
            what = f"planning, {count} rules, {3 * events:,} values, {len(taken)} new questions{wanted}"
            times = f"{statistics.median(taken):.1f} ms / {max(taken):.1f} ms / {medians[count]:.1f} ms"
            figures.append(Figure(f"{what}: median / worst / median of processor time", times))
    grown = medians[RULES[-1]] / medians[RULES[1]]
    figures.append(Figure(f"growth of the processor time from {RULES[1]} to {RULES[-1]} rules", f"{grown:.2f}"))
    return figures


def _planning(root: Path, count: int, names: Sequence[tuple[str, ...]]) -> list[tuple[float, float]]:
    """Milliseconds and those of the processor of each question, on a store that was asked others before."""
    file = root / f"rules{count}.ttl"
    file.write_text(rules_document(count - len(rulebook_with(()).rules)), encoding="utf-8")
    with KnowledgeGraph.open(root / "store", Settings(rules=(file,))) as known:
        for question in _questions(names, 1, len(_FORMS)):
            known.plan(question, now=NOW)
        return [_timed(lambda q=q: known.plan(q, now=NOW)) for q in _questions(names, 2, ASKED)]


def _timed(work: Callable[[], object]) -> tuple[float, float]:
    used = process_time()
    taken, _ = timed(work)
    return taken, (process_time() - used) * 1000


def _streams(names: Sequence[tuple[str, ...]]) -> Iterator[dict[str, object]]:
    for number, (song, artist, album) in enumerate(names):
        at = datetime(2018 + number % 7, 1 + number % 12, 1 + number % 28, number % 24)
        played = {**span("music_stream", at, 200), "event": "music stream"}
        yield {"id": number, **played, "song_name": song, "song_artist": [artist], "song_album": album}


def _questions(names: Sequence[tuple[str, ...]], seed: int, count: int) -> list[str]:
    rng = random.Random(seed)
    return [
        _FORMS[number % len(_FORMS)].format(
            song=(chosen := rng.choice(names))[0],
            artist=chosen[1],
            month=rng.choice(_MONTHS),
            year=rng.randint(2018, 2024),
            day=rng.randint(1, 28),
            part=rng.choice(("morning", "evening", "afternoon")),
        )
        for number in range(count)
    ]


def rules_document(count: int) -> str:
    """So many rules in Turtle, as a large rule book has them: two in five wait for a frame of their own, two in five
    for a filter of their own, the fifth for a frame that many questions have."""
    parts = [_PREFIXES]
    for number in range(count):
        word = f"zw{_letters(number)}"
        parts.append(_KINDS[(0, 1, 0, 1, 2)[number % 5]].replace("NAME", word))
    return "\n".join(parts)


def _letters(number: int) -> str:
    return "".join(chr(ord("a") + int(digit)) for digit in str(number))


_PREFIXES = """
@prefix ex: <https://example.org/bench#> .
@prefix pg: <https://w3id.org/reqap-kg/parse#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
"""
_OWN_FRAME = '''
ex:NAME a pg:Pattern ; rdfs:label "the NAME of" ; pg:kind pg:Frame ;
  pg:extract "^ (what | which) (is | was | were) (my | the) (total | whole)? NAME of <x: _+> $" .
ex:NAMERule a sh:SPARQLRule ; rdfs:label "NAME" ; sh:order 10 ; pg:trigger ex:NAME ; sh:construct """
CONSTRUCT { [] a qud:Sum ; qud:name ?key ; pg:answerType "number" ;
  qud:input [ a qud:Extract ; qud:names (?key) ; qud:types ("float") ;
    qud:input [ a qud:Qud ; qud:question ?events ] ] }
WHERE {
  $this a pg:Question ; pg:filters ?filters ; pg:annotation ?a . ?a pg:pattern ex:NAME ; var:x ?x ; pg:group ?g .
  ?g pg:name "x" ; pg:contains ?p . ?p a pg:Property ; pg:matches/pg:key ?key . BIND(CONCAT(?x, ?filters) AS ?events)
}""" .
'''
_OWN_FILTER = '''
ex:NAME a pg:Pattern ; rdfs:label "in the NAME of a year" ; pg:kind pg:Filter ;
  pg:extract "(in | during) the NAME (of {y=yearNumber})?", "on NAME days" ; pg:output "value" ;
  pg:compute "BIND(COALESCE(?y_value, YEAR(?today)) AS ?value)" .
ex:NAMERule a sh:SPARQLRule ; rdfs:label "events in the NAME" ; sh:order 20 ; pg:trigger ex:NAME ; sh:construct """
CONSTRUCT { [] a qud:Filter ; qud:condition ?condition ;
  qud:input [ a qud:Extract ; qud:names ("start_date") ; qud:types ("date") ;
    qud:input [ a qud:Qud ; qud:question ?rest ] ] }
WHERE {
  $this a pg:Phrase ; pg:annotation ?f . ?f a pg:LastFilter ; pg:pattern ex:NAME ; pg:rest ?rest ; var:value ?year .
  BIND(CONCAT('lambda attr: attr["start_date"].year == ', STR(?year)) AS ?condition)
}""" .
'''
_SHARED_FRAME = '''
ex:NAMERule a sh:SPARQLRule ; rdfs:label "count NAME" ; sh:order 10 ; sh:construct """
CONSTRUCT { [] a qud:Apply ; qud:function "len" ; pg:answerType "number" ;
  qud:input [ a qud:Qud ; qud:question ?events ] }
WHERE {
  $this a pg:Question ; pg:filters ?filters ; pg:annotation ?a . ?a pg:pattern pg:howMany ; var:events ?said .
  ?a pg:group ?g . ?g pg:name "x" ; pg:contains ?c . ?c a pg:Class ; pg:matches ex:NAME .
  BIND(CONCAT(?said, ?filters) AS ?events)
}""" ; pg:trigger pg:howMany .
'''
_KINDS = (_OWN_FRAME, _OWN_FILTER, _SHARED_FRAME)


if __name__ == "__main__":
    for figure in measure():
        print(figure)
