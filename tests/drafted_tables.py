"""Small tables for drafts of domains, and drafts of them."""

from __future__ import annotations

import csv
import random
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from reqap_kg.engine.drafting.draft import drafted, working_database
from reqap_kg.engine.drafting.maps import map_of
from reqap_kg.engine.drafting.model import Draft, Property
from reqap_kg.engine.drafting.written import files_of
from reqap_kg.engine.importing.report import Silent

Rows = Iterable[Sequence[object]]


def write_csv(path: Path, header: Sequence[str], rows: Rows, *, delimiter: str = ",", encoding: str = "utf-8") -> Path:
    """A CSV file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding=encoding) as out:
        writer = csv.writer(out, delimiter=delimiter)
        writer.writerow(header)
        writer.writerows(rows)
    return path


def draft_of(folder: Path, given: Sequence[Path | str], *, copy: bool = False) -> Draft:
    """The draft of tables, written into a new folder, without questions."""
    folder.mkdir(parents=True)
    with TemporaryDirectory() as work, working_database(Path(work)) as database:
        draft = drafted(folder, [str(one) for one in given], database, Silent(), name=folder.name, copy=copy)
    for path, text in files_of(draft, map_of(draft), None):
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return draft


def by_label(draft: Draft) -> Mapping[str, Property]:
    """The properties by their labels."""
    return {one.label: one for one in draft.properties}


def shop(folder: Path) -> list[Path]:
    """Order lines with headers, customers in cities of regions of countries, products of categories."""
    dice = random.Random(5)
    towns = (("Lyon", "Rhône", "France"), ("Lille", "Nord", "France"), ("Dunkirk", "Nord", "France"),
             ("Gent", "Flanders", "Belgium"))  # fmt: skip
    goods = (("Oak chair", "Furniture", 89.5), ("Desk lamp", "Lighting", 35.9), ("Floor lamp", "Lighting", 79),
             ("Pine table", "Furniture", 240), ("Wool rug", "Textiles", 129.9))  # fmt: skip
    first, names = date(2023, 1, 3), ("Ada", "Ben", "Cem", "Dee", "Eva")
    customers = [
        (f"C{n:02}", names[n % 5], f"Fam{chr(97 + n)}", *towns[n % 4], first - timedelta(9000 + 311 * n))
        for n in range(20)
    ]
    orders = [
        (1000 + n, f"C{dice.randrange(20):02}", first + timedelta(5 * n), dice.choice(("web", "phone")))
        for n in range(120)
    ]
    lines = [
        (1000 + n, f"P{sku}", dice.randint(1, 5), dice.choice((0, 5, 10)))
        for n in range(120)
        for sku in dice.sample(range(5), 2)
    ]
    products = [(f"P{n}", *one) for n, one in enumerate(goods)]
    header = ["customer_id", "first_name", "last_name", "city", "region", "country", "birth_date"]
    return [
        write_csv(folder / "customers.csv", header, customers),
        write_csv(folder / "products.csv", ["sku", "product_name", "category", "unit_price_eur"], products),
        write_csv(folder / "orders.csv", ["order_id", "customer_id", "order_date", "channel"], orders),
        write_csv(folder / "order_lines.csv", ["order_id", "sku", "qty", "discount_pct"], lines),
    ]


def runs(folder: Path) -> Path:
    """A diary as spreadsheets of Europe write it: semicolons, decimal commas, days first, Windows-1252."""
    dice = random.Random(7)
    rows = [
        (f"{date(2024, 3, 1) + timedelta(3 * n):%d.%m.%Y}", f"{dice.uniform(3, 15):.1f}".replace(".", ","),
         dice.randint(20, 90), dice.choice(("Río", "Hügel", "Quay")), dice.randint(120, 170))
        for n in range(60)
    ]  # fmt: skip
    header = ["day", "distance (km)", "duration_min", "Route", "avgHeartRate"]
    return write_csv(folder / "runs.csv", header, rows, delimiter=";", encoding="cp1252")


def weather(folder: Path) -> Path:
    """Measurements of stations, in one table: what is of the station stands in each of its rows."""
    dice = random.Random(9)
    stations = (("S1", "Hafen", 53.54, 9.98, "Hamburg", "Germany"), ("S2", "Dom", 50.94, 6.95, "Cologne", "Germany"),
                ("S3", "Prater", 48.2, 16.4, "Vienna", "Austria"))  # fmt: skip
    rows = [
        (*one, (datetime(2024, 1, 1) + timedelta(hours=36 * n)).isoformat(" "), round(dice.gauss(9, 6), 1),
         dice.choice((0.4, 0.2, 1.4)), dice.randint(30, 99) if n % 19 else "NA")
        for n in range(60)
        for one in stations
    ]  # fmt: skip
    header = [
        "station",
        "stationName",
        "lat",
        "lon",
        "town",
        "country",
        "measured_at",
        "temp_c",
        "rain_mm",
        "humidity_pct",
    ]
    return write_csv(folder / "weather.tsv", header, rows, delimiter="\t")
