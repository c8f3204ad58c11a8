"""Running a map: over the records that a reader yields, or over the files its logical sources name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from zoneinfo import ZoneInfo

from ....config import Limits
from ....errors import DataError, MappingError, Place
from ....parallel import ALONE, Workers
from ....sources.base import BadRecord, Record
from ....texts.import_budget import Budget
from ..documents.load import load_triples_maps
from ..files.file_input import DEFAULT_LIMITS, Unpacking
from ..model import FileSource, RecordStream, RefObjectMap, TriplesMap
from ..run_state import Run
from .blocks import Plan, dealt
from .file_program import FileProgram, Places
from .program import Deal, check_program
from .record_program import RecordProgram

_NO_FILES: Mapping[str, Path] = MappingProxyType({})
_MOST_READINGS = 10
"""How often one file is counted where a map reads it again and again."""


def _untold(_: Place | None) -> None:
    """Nobody asks which source is read."""


@dataclass
class CompiledMap:
    """A map that is loaded and checked.

    `warnings`, after a run over records, over files or both, names the triples maps that yielded no triples.
    `reads_records` and `reads_files` tell what its logical sources are.
    """

    triples_maps: tuple[TriplesMap, ...]
    base_iri: str
    home_zone: ZoneInfo
    turtle: str
    path: str | None = None
    _produced: dict[bool, dict[str, int]] = field(default_factory=dict)
    _runs: dict[bool, Run] = field(default_factory=dict)

    @property
    def reads_records(self) -> bool:
        return any(isinstance(item.source.source, RecordStream) for item in self.triples_maps)

    @property
    def reads_files(self) -> bool:
        return any(not isinstance(item.source.source, RecordStream) for item in self.triples_maps)

    @property
    def records_read(self) -> int:
        """How many records the last run over records, over files or both has read, those kept out included."""
        return sum(run.records for run in self._runs.values())

    @property
    def records_unmapped(self) -> int:
        """How many of these no triples map made anything of, without anything being wrong with them."""
        return sum(run.unmapped for run in self._runs.values())

    @property
    def warnings(self) -> list[str]:
        """One text per triples map that yielded nothing in the last run, with its place."""
        return [
            f"{item.place}: {item.name} yielded no triples" if item.place else f"{item.name} yielded no triples"
            for item in self.triples_maps
            if any(counts.get(item.name) == 0 for counts in self._produced.values())
        ]

    def map_records(
        self,
        records: Iterable[Record | BadRecord],
        *,
        graph: str | None,
        source: str,
        limits: Limits = DEFAULT_LIMITS,
        workers: Workers = ALONE,
    ) -> Iterator[str | BadRecord]:
        """N-Quads of each record (one text per record), bad records passed through, in a stream.

        `graph` is the IRI that every quad goes to, or None for the graphs the map says; `source` names the source in
        reports. A record is in or out: one whose start cannot be read, or of which nothing else can, is a bad
        record; any other value that cannot be mapped is a bad record with its `key`, and its record is in. Raises
        MappingError when no triples map reads ev:Records, HostileInput where more different keys than `limits` allow
        are named by no map. `workers` share the records where each can be mapped by itself.
        """
        if not self.reads_records:
            place = self.triples_maps[0].source_place
            raise MappingError("no triples map reads the records", place=place, expected="rml:source ev:Records")
        run = Run(self.home_zone, f"<{graph}>" if graph else None, strict=False)
        maps = [item for item in self.triples_maps if isinstance(item.source.source, RecordStream)]
        program = RecordProgram(run, maps, self.base_iri, limits, self._dealt(run, maps, limits, workers))
        self._produced[False], self._runs[False] = program.produced, run
        yield from program.run(records, source)

    @property
    def source_paths(self) -> tuple[str, ...]:
        """The paths of its file sources, as the map writes them, each once."""
        sources = (item.source.source for item in self.triples_maps)
        return tuple(dict.fromkeys(source.path for source in sources if isinstance(source, FileSource)))

    def bytes_to_read(self, base_dir: Path, *, working_dir: Path, instead: Mapping[str, Path]) -> int:
        """Bytes on disk of the files that `map_sources` reads, as often as it does, up to ten times each. A file that
        is not there counts nothing."""
        sources = {item.source for item in self.triples_maps}
        joined = {part.parent for item in self.triples_maps for part in _joins(item)}
        parents = {item.source for item in self.triples_maps if item.name in joined}
        places = Places(base_dir, working_dir, instead, DEFAULT_LIMITS, Unpacking(Budget(DEFAULT_LIMITS)))
        times: Counter[Path] = Counter()
        for source in (*sources, *parents):
            if isinstance(source.source, FileSource):
                with suppress(DataError):
                    times[places.input_of(source.source).path] += 1
        return sum(path.stat().st_size * min(count, _MOST_READINGS) for path, count in times.items() if path.is_file())

    def map_sources(
        self,
        base_dir: Path,
        *,
        graph: str | None,
        working_dir: Path | None = None,
        instead: Mapping[str, Path] = _NO_FILES,
        strict: bool = True,
        limits: Limits = DEFAULT_LIMITS,
        starting: Callable[[Place | None], None] = _untold,
        workers: Workers = ALONE,
    ) -> Iterator[str | BadRecord]:
        """N-Quads of the files that the map's logical sources name, in a stream.

        `base_dir` is the map's folder, `working_dir` what rml:CurrentWorkingDirectory means (the map's folder without
        it); `instead` gives, by path as the map writes it, another file to read; `starting` is told the place of each
        logical source before it is read. With `strict`, a data error of RML (an invalid IRI, a list where a value is
        asked for) raises DataError; without, it is a bad record as in `map_records`. Missing files and malformed data
        always raise DataError, a broken line of JSON Lines or CSV is a bad record. Raises MappingError when no triples
        map reads a file, HostileInput where packed files unpack to more than `limits` allow.
        """
        if not self.reads_files:
            place = self.triples_maps[0].source_place
            raise MappingError("no triples map reads a file", place=place, expected="a rml:RelativePathSource")
        run = Run(self.home_zone, f"<{graph}>" if graph else None, strict=strict)
        maps = [item for item in self.triples_maps if isinstance(item.source.source, FileSource)]
        places = Places(base_dir, working_dir or base_dir, instead, limits, Unpacking(Budget(limits)))
        program = FileProgram(run, maps, self.base_iri, places, starting, self._dealt(run, maps, limits, workers))
        self._produced[True], self._runs[True] = program.produced, run
        yield from program.run()

    def _dealt(self, run: Run, maps: list[TriplesMap], limits: Limits, workers: Workers) -> Deal | None:
        return dealt(Plan(maps, self.base_iri, self.home_zone, run.graph, run.strict, limits), run, workers)


def _joins(item: TriplesMap) -> list[RefObjectMap]:
    parts = [part for pair in item.pairs for part in pair.objects]
    return [part for part in parts if isinstance(part, RefObjectMap) and part.joins]


def load_map(turtle: str, *, path: str | None, base_iri: str, home_zone: ZoneInfo) -> CompiledMap:
    """A map from its Turtle text.

    `path` is what errors name; `base_iri` resolves relative IRIs of the text and is put before relative IRIs that the
    map makes; `home_zone` is where the person lives, for times. Raises MappingError with line, column, what was
    expected and the nearest known name.
    """
    triples_maps = load_triples_maps(turtle, path=path, base_iri=base_iri or None)
    check_program(triples_maps, base_iri, home_zone)
    return CompiledMap(triples_maps, base_iri, home_zone, turtle, path)
