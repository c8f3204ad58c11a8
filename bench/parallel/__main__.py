"""Imports and the reading of texts with one worker and with several: wall-clock time, what the driver itself does of
it, and what moves between it and its workers.

python -m reqap_kg.bench.parallel [--workers 2] [--ray local] [--rounds 3] [--svg docs/scale.svg]

Each line is the best of the rounds, in which one worker and several take turns; the results are compared byte for byte.
From the driver's share and the bytes it is reckoned what 1 to 64 machines of one core would do: no more than the
driver hands out, and no more than a network of 1 Gbit/s carries.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import pickle
import random
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any
from zoneinfo import ZoneInfo

from ...mappings.rml import load_map
from ...models.encoder import load_encoder
from ...models.reading.reader import load_reader
from ...ontology.namespaces import DATA
from ...parallel import ALONE, Workers, ordered_map
from ...sources.base import BadRecord

_BIRDS = """@prefix rml: <http://w3id.org/rml/> . @prefix ev: <https://w3id.org/reqap-kg/event#> .
@prefix fn: <https://w3id.org/reqap-kg/function#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix b: <https://example.org/birds/> .
<#B> a rml:TriplesMap ; rml:logicalSource [ rml:source "FILE" ; rml:referenceFormulation rml:FORM ITERATOR ] ;
  rml:subjectMap [ rml:template "https://example.org/birds/{id}" ; rml:class b:Sighting ] ;
  rml:predicateObjectMap [ rml:predicate ev:start ; rml:objectMap [ rml:functionExecution [ rml:function fn:wallClock ;
    rml:input [ rml:parameter fn:value ; rml:inputValueMap [ rml:reference "when" ] ] ] ] ] ;
  rml:predicateObjectMap [ rml:predicate b:species ; rml:objectMap [ rml:reference "species" ] ] ;
  rml:predicateObjectMap [ rml:predicate b:count ; rml:objectMap [ rml:reference "count" ; rml:datatype xsd:int ] ] ;
  rml:predicateObjectMap [ rml:predicate b:at ; rml:objectMap [ rml:template "https://example.org/places/{place}" ] ] ;
  rml:predicateObjectMap [ rml:predicate b:lat ; rml:objectMap [ rml:reference "lat" ; rml:datatype xsd:decimal ] ] ;
  rml:predicateObjectMap [ rml:predicate b:lon ; rml:objectMap [ rml:reference "lon" ; rml:datatype xsd:decimal ] ] ;
  rml:predicateObjectMap [ rml:predicate b:note ; rml:objectMap [ rml:reference "note" ; rml:language "en" ] ] .
"""
_NETWORK = 125e6
"""Bytes a second of 1 Gbit/s."""
_MACHINES = (1, 2, 4, 8, 16, 32, 64)
_BATCH = 256


@dataclass(frozen=True)
class Measured:
    """One kind of work: seconds with one worker, its processor seconds, seconds with several, processor seconds of the
    driver and of the workers then, and bytes that move."""

    name: str
    items: int
    one: float
    one_own: float
    several: float
    driver: float
    theirs: float
    moved: int

    def reckoned(self, workers: int) -> float:
        """How many times as fast it is where nothing else runs: by processor time, which others do not change."""
        return self.one_own / max((self.driver + self.theirs) / workers, self.driver)

    def times(self, machines: int) -> float:
        """How many times as fast so many machines would be. The driver works while the others do."""
        work = self.one_own
        return work / max(work / machines, self.driver, self.moved / _NETWORK)


def rows(number: int) -> Iterator[dict[str, str]]:
    """Sightings of birds."""
    chance = random.Random(43)
    for at in range(number):
        day = f"2024-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}T{chance.randint(0, 23):02}:15:00"
        place = {"lat": f"{chance.uniform(50, 55):.5f}", "lon": f"{chance.uniform(-9, -6):.5f}"}
        told = {"species": f"species {chance.randint(1, 300)}", "count": str(chance.randint(1, 40))}
        yield {"id": str(at), "when": day, **told, "place": f"Place {at % 97}", **place, "note": f"seen near gate {at}"}


def texts(number: int) -> list[str]:
    """Lines of mails of unlike lengths."""
    said = [
        "we",
        "had",
        "dinner",
        "at",
        "the",
        "old",
        "mill",
        "and",
        "talked",
        "about",
        "the",
        "trip",
        "to",
        "Porto",
        "in",
        "spring",
    ]
    chance = random.Random(43)
    return [f"mail from Ann: {' '.join(chance.choices(said, k=chance.randint(5, 40)))} {at}" for at in range(number)]


def mapped(form: str, folder: Path, number: int, workers: Workers) -> Iterator[bytes]:
    """What a map makes of a file."""
    path = folder / f"birds.{form}"
    if not path.exists():
        _write(path, form, number)
    iterator = "" if form == "CSV" else '; rml:iterator "$[*]"'
    turtle = _BIRDS.replace("FILE", path.name).replace("FORM", form).replace("ITERATOR", iterator)
    compiled = load_map(turtle, path=None, base_iri=DATA, home_zone=ZoneInfo("UTC"))
    for chunk in compiled.map_sources(folder, graph=None, workers=workers):
        assert not isinstance(chunk, BadRecord)
        yield chunk.encode()


def _write(path: Path, form: str, number: int) -> None:
    with path.open("w", encoding="utf-8") as out:
        if form == "CSV":
            out.write("id,when,species,count,place,lat,lon,note\n")
            out.writelines(f"{','.join(row.values())}\n" for row in rows(number))
        else:
            json.dump(list(rows(number)), out)


def read(method: Callable[[Sequence[str]], Any], lines: Sequence[str], workers: Workers) -> Iterator[bytes]:
    """What a model makes of texts, in the batches of the cache of vectors."""
    batches = [lines[start : start + _BATCH] for start in range(0, len(lines), _BATCH)]
    yield from (found.tobytes() for found in ordered_map(method, batches, workers))


@dataclass(frozen=True, order=True)
class _Run:
    """Wall-clock seconds, processor seconds of this process and of its workers, a digest of what is made, its bytes."""

    wall: float
    own: float
    theirs: float
    digest: str
    made: int


def timed(work: Callable[[Workers], Iterable[bytes]], workers: Workers) -> _Run:
    """Runs it once."""
    digest, made = hashlib.sha256(), 0
    wall, own, theirs = perf_counter(), process_time(), _of_children()
    for part in work(workers):
        digest.update(part)
        made += len(part)
    return _Run(perf_counter() - wall, process_time() - own, _of_children() - theirs, digest.hexdigest(), made)


def _of_children() -> float:
    """Processor seconds of the processes that this one has started, on Linux."""
    ticks = 0
    for task in Path("/proc/self/task").glob("*/children"):
        for child in task.read_text().split():
            told = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
            ticks += int(told[11]) + int(told[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def measured(
    name: str, items: int, sent: int, work: Callable[[Workers], Iterable[bytes]], workers: Workers, rounds: int
) -> Measured:
    """The best of the rounds; workers are there before the first."""
    list(work(workers))
    one, several = list[_Run](), list[_Run]()
    for _ in range(rounds):
        one.append(timed(work, ALONE))
        several.append(timed(work, workers))
        assert one[-1].digest == several[-1].digest, f"{name}: workers made something else"
    own, driver, theirs = min(a.own for a in one), min(b.own for b in several), min(b.theirs for b in several)
    moved = sent + several[0].made
    return Measured(name, items, min(one).wall, own, min(several).wall, driver, theirs, moved)


def drawn(every: Sequence[Measured]) -> str:
    """The speed-up that is reckoned for 1 to 64 machines, as SVG."""
    import vl_convert

    values = [{"machines": m, "times as fast": one.times(m), "work": one.name} for one in every for m in _MACHINES]
    scale = {"type": "log", "base": 2}
    chart = {
        "data": {"values": values},
        "width": 420,
        "height": 260,
        "mark": {"type": "line", "point": True},
        "encoding": {
            "x": {"field": "machines", "type": "quantitative", "scale": scale, "axis": {"values": list(_MACHINES)}},
            "y": {"field": "times as fast", "type": "quantitative", "scale": scale},
            "color": {"field": "work", "type": "nominal"},
        },
    }
    return vl_convert.vegalite_to_svg(chart)


def _kinds(
    folder: Path, records: int, number: int
) -> Iterator[tuple[str, int, int, Callable[[Workers], Iterable[bytes]]]]:
    """What is measured: its name, how many items it has, their bytes as they are sent, and the work."""
    sent = len(pickle.dumps(list(rows(records))))
    for form in ("CSV", "JSONPath"):
        yield f"mapping, {form}", records, sent, partial(mapped, form, folder, records)
    lines = texts(number)
    for name, method in (("embedding", load_encoder().encode), ("classifiers", load_reader().mentions)):
        yield name, number, len(pickle.dumps(lines)), partial(read, method, lines)


def told(one: Measured, workers: int) -> str:
    """A line of the table."""
    ends = next((f"stops before {m}" for m in _MACHINES if one.times(m) < m * 0.99), "still grows")
    return (
        f"{one.name}: {one.items} items, one {one.one:.1f} s, {workers} {one.several:.1f} s, "
        f"{one.one / one.several:.2f} times; processor {one.one_own:.1f} s, "
        f"with workers {one.driver + one.theirs:.1f} s: "
        f"{one.reckoned(workers):.2f} times on free cores; driver {one.driver:.2f} s ({one.driver / one.one_own:.1%}), "
        f"{one.moved / one.items:,.0f} bytes an item; on 64: {one.times(64):.1f} times, {ends}"
    )


def main() -> None:
    """Measures, prints a table, draws."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--ray")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rows", type=int, default=60_000)
    parser.add_argument("--texts", type=int, default=4_096)
    parser.add_argument("--svg", type=Path)
    asked = parser.parse_args()
    workers, every = Workers(asked.workers, asked.ray), list[Measured]()
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores, {workers}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, items, sent, work in _kinds(Path(folder), asked.rows, asked.texts):
            every.append(measured(name, items, sent, work, workers, asked.rounds))
            print(told(every[-1], workers.count), flush=True)
    print(f"load {os.getloadavg()[0]:.1f}")
    if asked.svg is not None:
        asked.svg.write_text(drawn(every), encoding="utf-8")


if __name__ == "__main__":
    main()
