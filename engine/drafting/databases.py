"""Tables of databases: SQLite, DuckDB, Parquet, PostgreSQL, and what a SPARQL endpoint has of each class."""

from __future__ import annotations

import csv
import io
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import duckdb
import httpx

from ...errors import UsageError
from ...ontology.namespaces import OWL, RDF, RDFS

_BATCH: Final = 10_000
_MOST_CLASSES: Final = 30
_PAGE: Final = 10_000
_MOST_TRIPLES: Final = 500_000
"""Triples of one class that are read from a SPARQL endpoint."""
_SECONDS: Final = 60


@dataclass(frozen=True)
class TableRows:
    """A table of a database: its name, its columns, its rows as they come."""

    name: str
    header: tuple[str, ...]
    rows: Iterator[Sequence[Any]]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(value: object) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else value.hex() if isinstance(value, bytes) else str(value)


def _rows(cursor: Any) -> Iterator[Sequence[Any]]:
    while rows := cursor.fetchmany(_BATCH):
        yield from ([_text(cell) for cell in row] for row in rows)


def _begins(given: str, mark: bytes, at: int = 0) -> bool:
    path = Path(given)
    if not path.is_file():
        return False
    with path.open("rb") as stream:
        return stream.read(at + len(mark))[at:] == mark


def sqlite_tables(given: str) -> Iterator[TableRows]:
    """The tables of an SQLite file."""
    try:
        database = sqlite3.connect(f"{Path(given).resolve().as_uri()}?mode=ro", uri=True)
        names = database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        )
        for (name,) in names.fetchall():
            cursor = database.execute(f"SELECT * FROM {_quoted(name)}")
            yield TableRows(name, tuple(one[0] for one in cursor.description), _rows(cursor))
        database.close()
    except sqlite3.Error as bad:
        raise UsageError(f"{given} cannot be read: {bad}") from bad


def duckdb_tables(given: str) -> Iterator[TableRows]:
    """The tables of a DuckDB file."""
    try:
        with duckdb.connect(given, read_only=True) as database:
            names = database.execute(
                "SELECT table_name FROM information_schema.tables WHERE table_schema = 'main' ORDER BY 1"
            ).fetchall()
            for (name,) in names:
                found = database.execute(f"SELECT COLUMNS(*)::VARCHAR FROM {_quoted(name)}")
                yield TableRows(name, tuple(one[0] for one in found.description or ()), _rows(found))
    except duckdb.Error as bad:
        raise UsageError(f"{given} cannot be read: {str(bad).splitlines()[0]}") from bad


def parquet_table(given: str) -> Iterator[TableRows]:
    """A Parquet file."""
    try:
        with duckdb.connect() as database:
            found = database.execute("SELECT COLUMNS(*)::VARCHAR FROM read_parquet(?)", [given])
            yield TableRows(Path(given).stem, tuple(one[0] for one in found.description or ()), _rows(found))
    except duckdb.Error as bad:
        raise UsageError(f"{given} cannot be read: {str(bad).splitlines()[0]}") from bad


def postgres_tables(given: str) -> Iterator[TableRows]:
    """The tables under the search path of a PostgreSQL database. Raises UsageError where its driver is missing."""
    try:
        psycopg: Any = import_module("psycopg")
        sql: Any = import_module("psycopg.sql")
    except ImportError as missing:
        raise UsageError("PostgreSQL needs its driver: pip install 'psycopg[binary]'") from missing
    try:
        with psycopg.connect(given, options="-c default_transaction_read_only=on") as database:
            found = database.execute(
                "SELECT table_schema, table_name FROM information_schema.tables"
                " WHERE table_schema = ANY (current_schemas(false)) ORDER BY 2"
            ).fetchall()
            for schema, name in found:
                query = sql.SQL("SELECT * FROM {}").format(sql.Identifier(schema, name))
                cursor = database.execute(query)
                yield TableRows(name, tuple(one.name for one in cursor.description or ()), _rows(cursor))
    except psycopg.Error as bad:
        raise UsageError(f"PostgreSQL: {str(bad).splitlines()[0]}") from bad


def sparql_tables(given: str) -> Iterator[TableRows]:
    """One table for each class of a SPARQL endpoint: a row for each thing, a column for each property that has a single
    value; what is more than one keeps the first."""
    address = given.removeprefix("sparql:")
    with httpx.Client(timeout=_SECONDS) as client:
        most = f"GROUP BY ?c ORDER BY DESC(?n) LIMIT {_MOST_CLASSES}"
        classes = _select(client, address, f"SELECT ?c (COUNT(?s) AS ?n) {{ ?s a ?c FILTER(isIRI(?s)) }} {most}")
        for iri in (row["c"] for row in classes if "c" in row):
            if not iri.startswith((RDF, RDFS, OWL)) and not set(iri) & set('<>" {}|\\^`'):
                yield _of_class(client, address, iri)


def _of_class(client: httpx.Client, address: str, iri: str) -> TableRows:
    things: dict[str, dict[str, str]] = {}
    names: dict[str, None] = {}
    for offset in range(0, _MOST_TRIPLES, _PAGE):
        page = f"ORDER BY ?s ?p ?o LIMIT {_PAGE} OFFSET {offset}"
        query = f"SELECT ?s ?p ?o {{ ?s a <{iri}> ; ?p ?o FILTER(isIRI(?s)) }} {page}"
        found = _select(client, address, query)
        for row in found:
            if row["p"] != RDF + "type":
                names[row["p"]] = None
                things.setdefault(row["s"], {}).setdefault(row["p"], row["o"])
        if len(found) < _PAGE:
            break
    own = _local(iri)
    header = (f"{own}_id", *(_local(name) for name in names))
    rows = iter([[thing, *(said.get(name, "") for name in names)] for thing, said in things.items()])
    return TableRows(own, header, rows)


def _local(iri: str) -> str:
    return iri.rstrip("/#").rsplit("#", 1)[-1].rsplit("/", 1)[-1] or "thing"


def _select(client: httpx.Client, address: str, query: str) -> list[dict[str, str]]:
    """The rows of a query. Raises UsageError where the endpoint gives none."""
    try:
        found = client.post(address, data={"query": query}, headers={"Accept": "text/csv"}).raise_for_status()
    except httpx.HTTPError as bad:
        raise UsageError(f"{address}: no answer to a SPARQL query: {bad}") from bad
    return list(csv.DictReader(io.StringIO(found.text, newline="")))


def _is_sparql(given: str) -> bool:
    return given.startswith(("sparql:", "http://", "https://"))


DATABASES: Final[tuple[tuple[Callable[[str], bool], Callable[[str], Iterator[TableRows]]], ...]] = (
    (_is_sparql, sparql_tables),
    (lambda given: given.startswith(("postgresql://", "postgres://")), postgres_tables),
    (lambda given: _begins(given, b"SQLite format 3\0"), sqlite_tables),
    (lambda given: _begins(given, b"DUCK", 8), duckdb_tables),
    (lambda given: _begins(given, b"PAR1"), parquet_table),
)
"""What a given text looks like, and what reads it then."""
