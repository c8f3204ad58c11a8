"""A domain drafted from tables: everything is made in a folder beside the one that is wanted, which it then becomes."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb

from ...config import Settings
from ...errors import UsageError
from ...planner.authoring.cases import NOW
from ...sources.text import slug
from ..importing.report import Progress
from .inputs import Loader
from .keys import dependencies_of, links_of, with_key, with_label
from .levels import with_levels
from .maps import map_of
from .model import Draft, Guess, Table
from .profile import house_number, profiled, value_of
from .properties import properties_of
from .questions import candidates
from .roles import facts_of
from .rows import MOST_ROWS, lay_rows
from .trying import Tried, passing_store, try_questions
from .written import files_of


@dataclass(frozen=True)
class Drafted:
    """What was drafted, where it stands, and how its questions went."""

    draft: Draft
    folder: Path
    tried: Tried
    files: tuple[str, ...]
    sampled: bool = False


def draft_domain(
    folder: Path,
    given: Sequence[str],
    settings: Settings,
    progress: Progress,
    *,
    name: str = "",
    copy: bool = False,
    force: bool = False,
    home_zone: str = "UTC",
) -> Drafted:
    """Drafts a domain from tables into a folder.

    Raises UsageError for a folder that is not empty (unless by `force`), and for tables that cannot be read.
    """
    _refuse_taken(folder, force=force)
    parent = folder.resolve().parent
    try:
        parent.mkdir(parents=True, exist_ok=True)
        with (
            TemporaryDirectory(prefix=f".{folder.name}-", dir=parent) as work,
            working_database(Path(work)) as database,
        ):
            staged = Path(work) / (slug(folder.resolve().name) or "domain")
            staged.mkdir()
            draft = drafted(staged, given, database, progress, name=name or folder.resolve().name, copy=copy)
            now = _now(draft, database)
            _write(staged, draft, now)
            tried = _with_questions(draft, staged, Path(work), settings, now, home_zone, database, progress)
            draft = replace(draft, questions=tried.kept)
            _write(staged, draft, now)
            files = tuple(sorted(str(one.relative_to(staged)) for one in staged.rglob("*") if one.is_file()))
            _move(staged, folder)
    except OSError as bad:
        raise UsageError(f"{folder} cannot be written: {bad.strerror or bad}") from bad
    return Drafted(draft, folder, tried, files, any(table.rows > MOST_ROWS for table in draft.tables))


def drafted(
    folder: Path,
    given: Sequence[str],
    database: duckdb.DuckDBPyConnection,
    progress: Progress,
    *,
    name: str,
    copy: bool,
) -> Draft:
    """The draft, but for its questions; data that the map reads are laid into the folder. Raises UsageError."""
    tables, told = _tables(folder, given, database, progress, copy=copy)
    progress.step("keys")
    links, more = links_of(tables, database)
    told += more
    tables = [with_label(table) for table in tables]
    facts, more = facts_of(tables, links)
    told += more
    found, more = properties_of(facts, tables, links)
    progress.step("hierarchies")
    found, levels = with_levels(found, tables, lambda table, columns: dependencies_of(table, columns, database))
    told += [*more, *levels]
    return Draft(name, name, tuple(tables), tuple(links), tuple(facts), tuple(found), tuple(dict.fromkeys(told)))


def _tables(
    folder: Path, given: Sequence[str], database: duckdb.DuckDBPyConnection, progress: Progress, *, copy: bool
) -> tuple[list[Table], list[Guess]]:
    loader = Loader(database, folder, progress, copy=copy)
    told: list[Guess] = []
    tables: list[Table] = []
    loaded = loader.load(given)
    told += loader.left_out
    for at, one in enumerate(loaded):
        progress.counted("columns", at, len(loaded))
        table, guesses = profiled(one, database)
        if not table.rows:
            told.append(Guess(one.name, "has no rows: left out"))
            (folder / one.reading.path).unlink()
            continue
        table, key = with_key(table, database)
        if not table.key:
            numbered = loader.with_row_numbers(one)
            key = [Guess(table.name, "nothing tells its rows apart: the copy has a column of row numbers")]
            table, _ = with_key(profiled(numbered, database)[0], database)
        told += [*guesses, *key]
        tables.append(table)
    if not tables:
        raise UsageError("the tables have no rows; expected some, by which to tell what the columns are")
    return tables, told


def _with_questions(
    draft: Draft,
    folder: Path,
    work: Path,
    settings: Settings,
    now: datetime,
    home_zone: str,
    database: Any,
    progress: Progress,
) -> Tried:
    lay_rows(draft, database)
    with passing_store(draft, folder, work, settings, now, home_zone, progress) as (known, report):
        return try_questions(candidates(draft, database), known, report, now, progress)


def _now(draft: Draft, database: duckdb.DuckDBPyConnection) -> datetime:
    """The time of asking of the questions: that of all cases, or the day after the last fact."""
    last = NOW
    for fact in draft.facts:
        if fact.time is not None:
            path, column = fact.time
            relation = draft.table(path[-1].target if path else fact.table).relation
            found = database.execute(f"SELECT max({value_of(column)})::TIMESTAMP FROM {relation}").fetchone()
            if found and isinstance(found[0], datetime):
                last = max(last, datetime.combine(found[0].date() + timedelta(days=1), time(12)))
    return last


@contextmanager
def working_database(work: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A working database on disk, of which nothing stays; it fetches no extensions."""
    config: dict[str, Any] = {"autoinstall_known_extensions": False, "autoload_known_extensions": False, "threads": 2}
    with duckdb.connect(str(work / "working.duckdb"), config=config) as database:
        database.execute("PRAGMA disable_progress_bar")
        database.create_function("house_number", house_number, ["VARCHAR"], "DOUBLE")  # type: ignore[arg-type]
        try:
            yield database
        except RuntimeError as stopped:  # how the database tells of the user's interruption
            if str(stopped) == "Query interrupted":
                raise KeyboardInterrupt from stopped
            raise


def _write(folder: Path, draft: Draft, now: datetime) -> None:
    for path, text in files_of(draft, map_of(draft), now if any(fact.time for fact in draft.facts) else None):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


# ---------------------------------------------------------------- the folder
def _refuse_taken(folder: Path, *, force: bool) -> None:
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; expected a folder that is new or empty")
    if folder.is_dir() and any(folder.iterdir()) and not force:
        raise UsageError(f"{folder} is not empty; name a new folder, or --force writes into it")


def _move(staged: Path, folder: Path) -> None:
    """The staged folder takes the place of the one that is wanted, at once where that is new or empty; where it has
    files, each of the draft's replaces the one of its name."""
    with _uninterrupted():
        if not folder.exists() or not any(folder.iterdir()):
            if folder.is_dir():
                folder.rmdir()
            staged.rename(folder)
            return
        for path in sorted(one for one in staged.rglob("*") if one.is_file()):
            target = folder / path.relative_to(staged)
            target.parent.mkdir(parents=True, exist_ok=True)
            os.replace(path, target)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """An interruption waits until the files are in their places."""
    try:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    except ValueError:  # not in the main thread, which alone is interrupted
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
