"""The resorts warehouse as a store and as SQL tables, for tests."""

from __future__ import annotations

import csv
import sqlite3
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from reqap_kg.config import Settings
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph

RESORTS = Path(str(files("reqap_kg.examples"))) / "resorts"
NOW = datetime(2013, 5, 1, 12)
SETTINGS = Settings(home_zone="Europe/Oslo", domain=RESORTS)

LISTING = """
SELECT Customer.LAST_NAME AS customer, sum(Invoice_Line.DAYS * Invoice_Line.NB_GUESTS * {price}) AS measure
FROM City
INNER JOIN Customer ON (City.CITY_ID=Customer.CITY_ID)
INNER JOIN Sales ON (Sales.CUST_ID=Customer.CUST_ID)
INNER JOIN Invoice_Line ON (Invoice_Line.INV_ID=Sales.INV_ID)
INNER JOIN Service ON (Invoice_Line.SERVICE_ID=Service.SERVICE_ID)
INNER JOIN Service_Line ON (Service_Line.SL_ID=Service.SL_ID)
INNER JOIN Resort ON (Resort.RESORT_ID=Service_Line.RESORT_ID)
INNER JOIN Region ON (Region.REGION_ID=City.REGION_ID)
INNER JOIN Country ON (Country.COUNTRY_ID=Region.COUNTRY_ID)
"""
"""Listing 1b of QUASL up to its WHERE, with the tables of the other dimensions joined too."""


def store_of_resorts(folder: Path) -> Path:
    """The resorts imported into a folder."""
    ingest([], folder, IngestOptions(SETTINGS, NOW))
    return folder


def tables() -> sqlite3.Connection:
    """The CSV files as tables."""
    db = sqlite3.connect(":memory:")
    for path in sorted((RESORTS / "data").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as stream:
            header, *rows = csv.reader(stream)
        columns = ", ".join(f"{name} NUMERIC" for name in header)
        db.execute(f"CREATE TABLE {path.stem} ({columns})")
        db.executemany(f"INSERT INTO {path.stem} VALUES ({', '.join('?' * len(header))})", rows)
    return db


def rows_of(known: KnowledgeGraph, question: str) -> list[list[Any]]:
    """The table of an answer."""
    table = known.ask(question, now=NOW).table
    assert table is not None
    return [list(row) for row in table.rows]
