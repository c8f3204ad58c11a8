"""What `domain new` guesses of tables: kinds, keys, links, hierarchies, times, figures; hostile tables."""

from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import product
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs

import duckdb
import pytest
from drafted_tables import by_label, draft_of, runs, shop, weather, write_csv
from pyoxigraph import QueryResultsFormat, RdfFormat, Store

from reqap_kg.config import Settings
from reqap_kg.engine.checking.check import check_domain
from reqap_kg.engine.checking.values import here
from reqap_kg.engine.drafting.model import Kind
from reqap_kg.engine.drafting.names import called, is_averaged, is_identifier, is_summed, of_kind
from reqap_kg.errors import UsageError
from reqap_kg.ontology.namespaces import UNIT


def faults(folder: Path) -> list[str]:
    return [str(one) for one in check_domain(folder, Settings(), run=here).findings]


@pytest.mark.parametrize(
    ("name", "words", "unit"),
    [
        ("distance_km", "distance", "KiloM"),
        ("duration (min)", "duration", "MIN"),
        ("ride_min", "ride", "MIN"),
        ("temp_min", "temperature minimum", ""),
        ("tempC", "temperature", "DEG_C"),
        ("Weight [kg]", "weight", "KiloGM"),
        ("checked_in", "checked in", ""),
        ("CUST_ID", "customer id", ""),
        ("orderQty", "order quantity", ""),
        ("geonameid", "geoname id", ""),
        ("payment", "payment", ""),
    ],
)
def test_a_name_tells_words_and_unit(name: str, words: str, unit: str) -> None:
    assert (called(name).words, called(name).unit.removeprefix(UNIT)) == (words, unit)


def test_a_name_tells_money() -> None:
    assert (called("price_eur").words, called("price_eur").money) == ("price", "euros")
    assert called("Amount ($)").money == "dollars"


def test_a_name_tells_how_figures_are_taken_together() -> None:
    averaged = ("price_eur", "discount_pct", "age", "temp_c", "rating", "avg heart rate", "interest_rate")
    assert all(is_averaged(called(name)) for name in averaged)
    assert all(
        is_summed(called(name)) for name in ("qty", "amount", "total cost", "distance_km", "kcal_weight", "guests")
    )
    assert all(is_identifier(called(name)) for name in ("id", "post code", "zip", "Phone", "user_uuid", "isbn"))
    assert [of_kind(called(name)) for name in ("customer", "home city", "year", "sort")] == [
        "person",
        "place",
        "time",
        "",
    ]


def test_a_star_with_headers_and_hierarchies(tmp_path: Path) -> None:
    draft = draft_of(tmp_path / "shop", shop(tmp_path / "in"))
    assert [(fact.table, fact.label) for fact in draft.facts] == [("order_lines", "order line"), ("orders", "order")]
    links = {(link.table, draft.column((link.table, link.column)).name, link.target) for link in draft.links}
    assert links == {
        ("orders", "customer_id", "customers"),
        ("order_lines", "order_id", "orders"),
        ("order_lines", "sku", "products"),
    }
    assert draft.facts[0].time is not None
    path, column = draft.facts[0].time
    assert ([link.target for link in path], column.name) == (["orders"], "order_date")
    found = by_label(draft)
    levels = {"customer": "city", "city": "region", "region": "country", "country": "", "product": "category"}
    assert {name: found[name].rolls_up_to for name in levels} == levels
    assert (found["birth date"].attribute_of, found["birth date"].kind) == ("customer", Kind.DATE)
    assert (found["revenue"].formula, found["revenue"].kind) == ("?quantity * ?unitPrice", Kind.DECIMAL)
    assert [found[name].aggregate for name in ("quantity", "discount percent", "number of order lines")] == [
        "",
        "avg",
        "count",
    ]
    assert (found["city"].of_kind, found["customer"].of_kind) == ("place", "person")
    assert (found["city"].others, found["quantity"].others) == (("town",), ("qty",))
    assert any(str(guess) == "city → region: every city has one region (4 cities)" for guess in draft.told)
    written = (tmp_path / "shop/ontology.ttl").read_text(encoding="utf-8")
    assert all(f"# {guess}\n" in written for guess in draft.told)
    assert faults(tmp_path / "shop") == []


def test_a_table_as_spreadsheets_write_it(tmp_path: Path) -> None:
    draft = draft_of(tmp_path / "runs", [runs(tmp_path / "in")])
    found, columns = by_label(draft), draft.tables[0].columns
    assert [column.kind for column in columns] == [Kind.DATE, Kind.DECIMAL, Kind.INTEGER, Kind.TEXT, Kind.INTEGER]
    assert (columns[0].pattern, columns[1].dressed) == ("%d.%m.%Y", "fn:number")
    assert [found[name].unit.removeprefix(UNIT) for name in ("distance", "duration")] == ["KiloM", "MIN"]
    assert "kilometres" in found["distance"].others
    assert found["average heart rate"].aggregate == "avg"
    assert (tmp_path / "runs/data/runs.csv").read_text(encoding="utf-8").splitlines()[1].startswith("01.03.2024,")
    assert faults(tmp_path / "runs") == []


def test_levels_by_dependency_within_one_table(tmp_path: Path) -> None:
    draft = draft_of(tmp_path / "weather", [weather(tmp_path / "in")])
    found = by_label(draft)
    assert (found["town"].rolls_up_to, found["temperature"].aggregate, found["rain"].aggregate) == (
        "country",
        "avg",
        "",
    )
    assert {found[name].role for name in ("latitude", "longitude")} == {"attribute"}
    assert any("NA stands for no value" in guess.why for guess in draft.told)
    assert (
        found["humidity"].kind is Kind.INTEGER
        if "humidity" in found
        else found["humidity percent"].kind is Kind.INTEGER
    )
    assert faults(tmp_path / "weather") == []


def test_roles_of_one_table_are_told_apart(tmp_path: Path) -> None:
    ports = write_csv(
        tmp_path / "in/airports.csv", ["code", "name", "country"], [("AMS", "Schiphol", "NL"), ("DUB", "Dublin", "IE")]
    )
    rows = [(n, f"2024-02-{n + 1:02}", a, b, n * 10 + 50) for n, (a, b) in enumerate(product(("AMS", "DUB"), repeat=2))]
    flights = write_csv(
        tmp_path / "in/flights.csv", ["id", "date", "origin_airport_code", "dest_airport_code", "seats"], rows
    )
    found = by_label(draft_of(tmp_path / "air", [ports, flights]))
    assert {"origin airport", "dest airport", "origin airport country", "dest airport country"} <= set(found)
    assert faults(tmp_path / "air") == []


def test_dates_of_either_order_are_told(tmp_path: Path) -> None:
    rows = [(f"{n % 12 + 1}/{n % 12 + 1}/2024", n) for n in range(30)]
    draft = draft_of(tmp_path / "d", [write_csv(tmp_path / "x.csv", ["date", "n"], rows)])
    assert [guess.other for guess in draft.told if "are read as" in guess.why] in (["month first"], ["day first"])


HOSTILE_NAMES = ("id", 'na"me', "a{b}", "x\\y", "new\nline", "<script>", "größe (km)", "select", "", "amount", "Amount",
                 "#", "a . b:c [ ]", "{id}", "it's", "@prefix", '"""', "\u202eevil",
                 "日本", "type", "start")  # fmt: skip
HOSTILE_CELLS = (
    '"; } . <x> a <y> .',
    "\\",
    "a\nb",
    "<b>{x}",
    "DROP TABLE",
    "_:b",
    "'''",
    "{}",
    "=1+1",
    "# x",
    "日本",
    "\t",
)


def test_hostile_names_and_cells_are_only_text(tmp_path: Path) -> None:
    rows = [
        [
            n,
            *(
                HOSTILE_CELLS[(n + at) % len(HOSTILE_CELLS)] if at % 3 else n * at
                for at in range(1, len(HOSTILE_NAMES))
            ),
        ]
        for n in range(24)
    ]
    draft = draft_of(tmp_path / "e", [write_csv(tmp_path / "in/ev'il {} #.csv", HOSTILE_NAMES, rows)])
    assert faults(tmp_path / "e") == []
    assert draft.tables[0].rows == 24
    for path in ("ontology.ttl", "maps/tables.ttl"):
        assert "DROP TABLE" not in (tmp_path / "e" / path).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("one", "name\na\nb\na\n"),
        ("twice", "v,v,V\n1,2,3\n2,2,4\n3,1,3\n"),
        ("headless", "Sausage,14\nCheese,8\nHam,7\n"),
        ("ragged", "a,b\n1,x\n2\n3,y,z\n4,z\n"),
        ("braces", "{},}{\n1,{a}\n2,{b}\n"),
        ("pipes", "id|kind|cost\n1|a|2.5\n2|b|3\n"),
        ("epoch", "timestamp,visitors\n1704067200,4\n1706745600,6\n1709251200,9\n"),
    ],
)
def test_odd_tables_make_domains_without_faults(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    draft_of(tmp_path / "d", [tmp_path / f"{name}.csv"])
    assert faults(tmp_path / "d") == []


@pytest.mark.long
def test_a_table_of_many_columns(tmp_path: Path) -> None:
    rows = [(n, *(f"v{(n * at) % 7}" if at % 2 else n * at for at in range(299))) for n in range(20)]
    draft = draft_of(tmp_path / "w", [write_csv(tmp_path / "w.csv", ["id", *(f"col{n}" for n in range(299))], rows)])
    assert len(draft.tables[0].columns) == 300


@pytest.mark.parametrize("text", ["", "a,b\n", "a,b\n,\n,\n"])
def test_tables_without_rows_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"empty|no rows"):
        draft_of(tmp_path / "d", [tmp_path / "t.csv"])


# ---------------------------------------------------------------- other sources
def test_json_is_read_in_place(tmp_path: Path) -> None:
    records = [{"k y": n, "a": {"b'c": n / 2}, "tags": [1], "kind": f"v{n % 2}"} for n in range(8)]
    (tmp_path / "list.json").write_text(json.dumps({"rows": records}), encoding="utf-8")
    (tmp_path / "lines.jsonl").write_text(
        "".join(json.dumps({"id": n, "cost": n * 1.5}) + "\n" for n in range(5)), encoding="utf-8"
    )
    draft = draft_of(tmp_path / "d", [tmp_path / "list.json", tmp_path / "lines.jsonl"])
    assert [table.reading.iterator for table in draft.tables] == [
        "",
        "$",
    ]  # no key in the first: it is numbered, as CSV
    assert any("a list in a record is left out" in guess.why for guess in draft.told)
    assert faults(tmp_path / "d") == []


def test_packed_files_are_unpacked(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "sales.csv.gz", "wt", encoding="utf-8") as out:
        out.write("id,amount\n1,5\n2,7\n")
    draft_of(tmp_path / "d", [tmp_path / "sales.csv.gz"])
    assert (tmp_path / "d/data/sales.csv").is_file()


def test_databases_need_a_copy_and_are_as_their_tables(tmp_path: Path) -> None:
    files = shop(tmp_path / "in")
    with duckdb.connect(str(tmp_path / "s.duckdb")) as database, sqlite3.connect(tmp_path / "s.sqlite") as lite:
        for path in files:
            table = database.execute(f"CREATE TABLE {path.stem} AS SELECT * FROM read_csv('{path}')").execute(
                f"SELECT COLUMNS(*)::VARCHAR FROM {path.stem}"
            )
            names = [one[0] for one in table.description or ()]
            lite.execute(f"CREATE TABLE {path.stem} ({', '.join(names)})")
            lite.executemany(f"INSERT INTO {path.stem} VALUES ({', '.join('?' * len(names))})", table.fetchall())
        database.execute(f"COPY order_lines TO '{tmp_path / 'order_lines.parquet'}'")
    with pytest.raises(UsageError, match="--copy"):
        draft_of(tmp_path / "no", [tmp_path / "s.sqlite"])
    plain = by_label(draft_of(tmp_path / "csv", files))
    for kind in ("sqlite", "duckdb"):
        found = by_label(draft_of(tmp_path / kind, [tmp_path / f"s.{kind}"], copy=True))
        assert {label: (one.role, one.kind, one.rolls_up_to) for label, one in found.items()} == {
            label: (one.role, one.kind, one.rolls_up_to) for label, one in plain.items()
        }
    assert "quantity" in by_label(draft_of(tmp_path / "parquet", [tmp_path / "order_lines.parquet"], copy=True))


def test_what_is_no_table_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(b"\0\1\2" * 50)
    for given, told in ((tmp_path / "x.bin", "no table"), (tmp_path / "none.csv", "no file"), (tmp_path, "no CSV")):
        shutil.rmtree(tmp_path / "d", ignore_errors=True)
        with pytest.raises(UsageError, match=told):
            draft_of(tmp_path / "d", [given])


class _Endpoint(BaseHTTPRequestHandler):
    """Answers SPARQL over a small graph, as CSV."""

    graph = Store()

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers["Content-Length"])).decode()
        found: Any = self.graph.query(parse_qs(sent)["query"][0])
        body = found.serialize(format=QueryResultsFormat.CSV)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        return


def test_a_sparql_endpoint_has_a_table_for_each_class(tmp_path: Path) -> None:
    lines = ["@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."]
    lines += [f':stand{n} a :Apiary ; rdfs:label "{name}" .' for n, name in enumerate(("Orchard", "Heath"))]
    lines += [
        f':h{n} a :Harvest ; :standsIn :stand{n % 2} ; :honeyKg {n}.5 ; :on "2024-01-{n + 1:02}" .' for n in range(9)
    ]
    _Endpoint.graph.load("\n".join(lines), RdfFormat.TURTLE)
    server = HTTPServer(("127.0.0.1", 0), _Endpoint)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        address = f"http://127.0.0.1:{server.server_port}/sparql"
        draft = draft_of(tmp_path / "d", [address], copy=True)
    finally:
        server.shutdown()
        server.server_close()
    assert {table.name: table.rows for table in draft.tables} == {"Harvest": 9, "Apiary": 2}
    assert {"honey", "apiary"} <= set(by_label(draft))
    assert faults(tmp_path / "d") == []


def test_a_driver_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(UsageError, match="pip install"):
        draft_of(tmp_path / "d", ["postgresql://localhost/d"], copy=True)
