"""What `--from` names, laid into the working database as text, and under `data/` where the map is to read it.

CSV and JSON are read in place by maps: the file is copied as it is, or written anew where it lacks what a map needs
(names of columns, UTF-8, something that tells rows apart). Of all else the map needs a copy as CSV, which is made when
it is asked for.
"""

from __future__ import annotations

import csv
import gzip
import io
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

import duckdb

from ...errors import UsageError
from ...mappings.rml.files.file_input import FileInput
from ...mappings.rml.files.json_file import json_iterations
from ...sources.base import BadRecord
from ...sources.peek import encoding_of, json_shape, looks_binary
from ...texts.separators import csv_separator
from ..importing.report import Progress
from .databases import DATABASES, TableRows
from .model import Guess, Reading

_HEAD: Final = 1 << 16
_TEXT: Final = (".csv", ".tsv", ".tab", ".txt", ".psv")
_JSON: Final = (".json", ".jsonl", ".ndjson")
_NEEDS_COPY: Final = "maps read CSV and JSON in place, not {}; --copy writes what the map needs as CSV under data/"


@dataclass(frozen=True)
class Loaded:
    """A table as text: its name, its relation with the columns c0, c1, …, their names and how a map reads them."""

    name: str
    relation: str
    header: tuple[str, ...]
    references: tuple[str, ...]
    reading: Reading
    guesses: tuple[Guess, ...] = ()


class Loader:
    """Lays tables into a database, and files into the staged folder's `data/`."""

    def __init__(self, database: duckdb.DuckDBPyConnection, folder: Path, progress: Progress, *, copy: bool) -> None:
        self._database = database
        self._data = folder / "data"
        self._progress = progress
        self._copy = copy
        self._names: set[str] = set()
        self._loaded: list[Loaded] = []
        self.left_out: list[Guess] = []

    def load(self, given: Sequence[str]) -> list[Loaded]:
        """All tables of what was given. Raises UsageError for what cannot be read."""
        self._data.mkdir(parents=True)
        for one in given:
            read = next((read for fits, read in DATABASES if fits(one)), None)
            if read is not None:
                self._of_database(one, read)
                continue
            for path in _files(Path(one)):
                self._one_of(path, alone=not Path(one).is_dir())
        return self._loaded

    def _one_of(self, path: Path, *, alone: bool) -> None:
        """A file that is given by itself, or one of a folder, which is left out where it is no table."""
        try:
            self._file(path)
        except UsageError as bad:
            if alone:
                raise
            self.left_out.append(Guess(path.name, f"left out: {bad}"))

    def _of_database(self, given: str, read: Callable[[str], Iterator[TableRows]]) -> None:
        if not self._copy:
            kind = given.split(":", 1)[0] if ":" in given else Path(given).suffix
            raise UsageError(f"{_shown(given)}: {_NEEDS_COPY.format(kind)}")
        for table in read(given):
            self._progress.start(table.name, 0)
            self._write(table.name, table.header, table.rows, ())

    def _file(self, path: Path) -> None:
        self._progress.start(path.name, path.stat().st_size)
        suffix = path.with_suffix("").suffix if path.suffix == ".gz" else path.suffix
        try:
            head = _opened(path).read(_HEAD)
        except (OSError, EOFError) as bad:
            raise UsageError(f"{path} cannot be read: {bad}") from bad
        if suffix.lower() not in _TEXT + _JSON and looks_binary(head):
            raise UsageError(f"{path}: no table that can be read; expected CSV, JSON, Parquet, SQLite or DuckDB")
        if suffix.lower() in _JSON or (suffix.lower() not in _TEXT and json_shape(head) is not None):
            self._json(path, head)
        else:
            self._csv(path, head)

    # ------------------------------------------------------------ CSV
    def _csv(self, path: Path, head: bytes) -> None:
        encoding = encoding_of(head)
        text = head.decode(encoding, "ignore")
        if not text.strip():
            raise UsageError(f"{path} is empty; expected a table with names of columns in its first line")
        separator = _separator(text, cut=len(head) == _HEAD)
        rows = _csv_rows(path, encoding, separator)
        first = next(rows, [])
        second = next(_csv_rows(path, encoding, separator, skip=1), [])
        headless = _is_data(first, second)
        header = _mended([f"column {n + 1}" for n in range(len(first))] if headless else first)
        told = _told(path.name, headless, first, header, encoding)
        if not told and separator != "|" and path.suffix != ".gz":
            self._copied(path, header, separator)
        else:
            self._write(_stem(path), header, chain([first], rows) if headless else rows, told)

    def _copied(self, path: Path, header: tuple[str, ...], separator: str) -> None:
        name = self._named(_stem(path))
        target = self._data / f"{name}.{'tsv' if separator == chr(9) else 'csv'}"
        shutil.copyfile(path, target)
        relation = self._read(target, len(header), separator)
        self._add(name, relation, header, header, Reading(f"data/{target.name}"), ())

    def _write(self, name: str, header: Sequence[str], rows: Iterable[Sequence[Any]], told: Sequence[Guess]) -> None:
        """Writes a table as CSV, and lays it into the database."""
        name = self._named(name)
        target = self._data / f"{name}.csv"
        header = _mended(header)
        with target.open("w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out)
            writer.writerow(header)
            for count, row in enumerate(rows):
                if len(row) <= len(header):
                    writer.writerow([*row, *[""] * (len(header) - len(row))])
                if count % 1000 == 0:
                    self._progress.advance(1000)
        relation = self._read(target, len(header), ",")
        self._add(name, relation, header, header, Reading(f"data/{target.name}"), told)

    def _read(self, path: Path, width: int, separator: str) -> str:
        relation = f"t{len(self._loaded)}"
        columns = {f"c{number}": "VARCHAR" for number in range(width)}
        self._database.execute(f"DROP TABLE IF EXISTS {relation}")
        try:
            found = self._database.read_csv(
                str(path), sep=separator, header=True, dtype=columns, columns=columns, auto_detect=False,
                quotechar='"', escapechar='"', null_padding=True, ignore_errors=True, parallel=False,
                max_line_size=1 << 25,
            )  # fmt: skip
            found.create(relation)
        except duckdb.Error as bad:
            raise UsageError(f"{path.name}: no CSV: {str(bad).splitlines()[0]}") from bad
        return relation

    # ------------------------------------------------------------ JSON
    def _json(self, path: Path, head: bytes) -> None:
        iterator = _iterator(path, head)
        keys: dict[tuple[str, ...], None] = {}
        lists: set[str] = set()
        rows: list[dict[tuple[str, ...], Any]] = []
        file = FileInput(path, path.name, compression="gzip" if path.suffix == ".gz" else None)
        for item in json_iterations(file, iterator):
            if not isinstance(item, BadRecord) and isinstance(item.value, dict):
                rows.append(dict(_flat(item.value, lists)))
                keys.update(dict.fromkeys(rows[-1]))
        if not keys:
            raise UsageError(f"{path}: no records; expected a list of JSON objects, or one object a line")
        told = [Guess(f"{path.name}, {one}", "a list in a record is left out") for one in sorted(lists)]
        tails = Counter(key[-1] for key in keys)
        header = _mended([key[-1] if tails[key[-1]] == 1 else ".".join(key) for key in keys])
        cells = ([_cell(row.get(key)) for key in keys] for row in rows)
        self._write(_stem(path), header, cells, told)
        if path.suffix == ".gz":
            return
        last = self._loaded.pop()
        (self._data / Path(last.reading.path).name).unlink()
        target = self._data / f"{last.name}.json"
        shutil.copyfile(path, target)
        references = tuple("$" + "".join(f"['{_escaped(part)}']" for part in key) for key in keys)
        self._loaded.append(replace(last, references=references, reading=Reading(f"data/{target.name}", iterator)))

    # ------------------------------------------------------------ all
    def _named(self, name: str) -> str:
        kept = "".join(c if c.isalnum() or c in "-_ " else "_" for c in name).strip("_ ")[:60] or "table"
        found = next(n for n in chain([kept], (f"{kept}_{i}" for i in range(2, 999))) if n.lower() not in self._names)
        self._names.add(found.lower())
        return found

    def _add(
        self, name: str, relation: str, header: Sequence[str], references: Sequence[str], reading: Reading, told: Any
    ) -> None:
        self._loaded.append(Loaded(name, relation, tuple(header), tuple(references), reading, tuple(told)))

    def with_row_numbers(self, loaded: Loaded) -> Loaded:
        """The table with a column of row numbers before all others, written as CSV: nothing else tells rows apart."""
        self._database.execute(
            f"CREATE TABLE {loaded.relation}_numbered AS SELECT CAST(row_number() OVER () AS VARCHAR) AS c0, "
            + ", ".join(f"c{n} AS c{n + 1}" for n in range(len(loaded.header)))
            + f" FROM {loaded.relation}"
        )
        self._database.execute(f"DROP TABLE {loaded.relation}")
        self._database.execute(f"ALTER TABLE {loaded.relation}_numbered RENAME TO {loaded.relation}")
        old = self._data / Path(loaded.reading.path).name
        target = old.with_suffix(".csv")
        header = _mended(["row", *loaded.header])
        old.unlink()
        found = self._database.execute(f"SELECT * FROM {loaded.relation} ORDER BY CAST(c0 AS BIGINT)")
        with target.open("w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out)
            writer.writerow(header)
            while rows := found.fetchmany(10_000):
                writer.writerows(rows)
        return replace(loaded, header=header, references=header, reading=Reading(f"data/{target.name}"))


def _files(path: Path) -> Iterator[Path]:
    """The file, or those of a folder. Raises UsageError where there is none."""
    if path.is_dir():
        found = sorted(one for one in path.iterdir() if one.suffix.lower() in _TEXT + _JSON and one.is_file())
        if not found:
            raise UsageError(f"{path} has no CSV or JSON files")
        yield from found
    elif path.is_file():
        yield path
    else:
        raise UsageError(f"there is no file {path}")


def _opened(path: Path) -> Any:
    return gzip.open(path) if path.suffix == ".gz" else path.open("rb")


def _stem(path: Path) -> str:
    return path.with_suffix("").stem if path.suffix == ".gz" else path.stem


def _shown(given: str) -> str:
    """An address without what is secret in it."""
    scheme, mark, rest = given.partition("://")
    return f"{scheme}://{rest.rsplit('@', 1)[-1]}" if mark else given


def _separator(text: str, *, cut: bool) -> str:
    found = csv_separator(text, cut=cut)
    first = text.splitlines()[0]
    return "|" if found not in first and "|" in first else found


def _csv_rows(path: Path, encoding: str, separator: str, skip: int = 0) -> Iterator[list[str]]:
    """The rows of a file, as text."""
    csv.field_size_limit(1 << 25)
    with _opened(path) as raw, io.TextIOWrapper(raw, encoding, errors="replace", newline="") as stream:
        try:
            yield from islice((row for row in csv.reader(stream, delimiter=separator) if row), skip, None)
        except csv.Error as bad:
            raise UsageError(f"{path}: no CSV: {bad}") from bad


def _is_number(cell: str) -> bool:
    try:
        float(cell.strip().rstrip("%").replace(",", ""))
    except ValueError:
        return False
    return True


def _is_data(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether the first line is a row as the others: a number stands over a number."""
    over = [_is_number(one) and _is_number(below) for one, below in zip(first, second, strict=False)]
    years = all(one.strip().isdigit() and len(one.strip()) == 4 for one, at in zip(first, over, strict=False) if at)
    return any(over) and not (years and not all(over))


def _mended(header: Sequence[str]) -> tuple[str, ...]:
    """Names of columns, each there and different from the others, whatever their case."""
    found: list[str] = []
    seen = Counter[str]()
    for number, name in enumerate(header, 1):
        kept = name if name.isprintable() else " ".join("".join(c if c.isprintable() else " " for c in name).split())
        kept = kept if kept.strip() else f"column {number}"
        seen[kept.lower()] += 1
        found.append(kept if seen[kept.lower()] == 1 else f"{kept} ({seen[kept.lower()]})")
    return tuple(found) if len(set(found)) == len(found) else tuple(f"{n} {i}" for i, n in enumerate(found, 1))


def _told(name: str, headless: bool, first: Sequence[str], header: Sequence[str], encoding: str) -> tuple[Guess, ...]:
    """Why a file is not copied as it is."""
    if headless:
        return (Guess(name, "has no names of columns; they are numbered in the copy", "give it a first line of names"),)
    if tuple(first) != tuple(header):
        return (Guess(name, "columns without a fit name of their own got one in the copy"),)
    if not encoding.startswith("utf-8"):
        return (Guess(name, f"is written anew as UTF-8, from {encoding}"),)
    return ()


def _iterator(path: Path, head: bytes) -> str:
    """What iterates over the records of a JSON file: a list, lines, or the first list of objects in an object."""
    shape = json_shape(head)
    if shape is None:
        raise UsageError(f"{path}: no JSON")
    if shape.kind == "lines":
        return "$"
    if shape.kind == "array":
        return "$[*]"
    file = FileInput(path, path.name, compression="gzip" if path.suffix == ".gz" else None)
    whole = next((item.value for item in json_iterations(file, "$") if not isinstance(item, BadRecord)), {})
    for key, value in whole.items() if isinstance(whole, dict) else ():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            return f"$['{_escaped(key)}'][*]"
    return "$[*]"


def _escaped(name: str) -> str:
    return name.replace("\\", "\\\\").replace("'", "\\'")


def _flat(
    record: dict[str, Any], lists: set[str], above: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in record.items():
        if isinstance(value, dict):
            if len(above) < 4:
                yield from _flat(value, lists, (*above, key))
        elif isinstance(value, list):
            lists.add(".".join((*above, key)))
        else:
            yield (*above, key), value


def _cell(value: Any) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
