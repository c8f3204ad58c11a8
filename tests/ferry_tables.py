"""Tables of an invented ferry line, the same at every run, for the domain of `tests/domains/ferries`."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

_VESSELS = [("v1", "Aurora", 1998, "diesel"), ("v2", "Borealis", 2011, "diesel"), ("v3", "Calluna", 2021, "electric")]
_ROUTES = [
    ("n1", "Nordvik", "Skarholm", "North"),
    ("n2", "Nordvik", "Tinden", "North"),
    ("s1", "Sandby", "Ulvik", "South"),
    ("s2", "Sandby", "Vestre", "South"),
    ("w1", "Westport", "Ytre", "West"),
]
_ITEMS = [
    ("coffee", "drink", 3.5),
    ("tea", "drink", 3.0),
    ("waffle", "food", 5.5),
    ("soup", "food", 8.0),
    ("magazine", "other", 6.0),
]
_FIRST = datetime(2023, 1, 2, 6, 30)
_DAYS = 960


def write_tables(folder: Path) -> None:
    """Writes the five tables."""
    rng = Random(44)
    _write(folder / "vessels.csv", ("vessel", "name", "built", "engine"), _VESSELS)
    _write(folder / "routes.csv", ("route", "port", "destination", "region"), _ROUTES)
    _write(folder / "items.csv", ("item", "category", "price"), _ITEMS)
    head = ("id", "at", "route", "vessel", "captain", "passengers", "minutes", "delay", "cancelled")
    _write(
        folder / "crossings.csv", head, sorted((_crossing(at, rng) for at in range(260)), key=lambda row: str(row[1]))
    )
    head = ("id", "day", "vessel", "item", "units", "amount")
    sales = [_sale(at, rng) for at in range(220)]
    _write(folder / "kiosk.csv", head, sorted(sales, key=lambda row: str(row[1])))


def _crossing(at: int, rng: Random) -> tuple[object, ...]:
    when = _FIRST + timedelta(days=rng.randrange(_DAYS), minutes=30 * rng.randrange(28))
    route = rng.choice(_ROUTES[:4]) if at % 9 else _ROUTES[4]
    vessel = rng.choice(_VESSELS[:2] if route[3] == "North" else _VESSELS)
    delay = rng.choice(["", 0, 0, 0, 3, 5, 8, 12, 20, 45])
    figures = (rng.choice(["Berg", "Dahl", "Moen"]), rng.randrange(10, 220), rng.choice([18, 25, 35, 50]), delay)
    cancelled = rng.choice(["no"] * 7 + ["yes"])
    return (f"c{at}", when.isoformat(timespec="minutes"), route[0], vessel[0], *figures, cancelled)


def _sale(at: int, rng: Random) -> tuple[object, ...]:
    day = (_FIRST + timedelta(days=rng.randrange(_DAYS))).date()
    item = rng.choice(_ITEMS[:4]) if at % 11 else _ITEMS[4]
    vessel, units = rng.choice(_VESSELS), rng.randrange(1, 9)
    if vessel[1] == "Calluna" and item[0] == "soup":  # never sold there
        item = _ITEMS[0]
    return f"k{at}", day.isoformat(), vessel[0], item[0], units, round(units * item[2], 2)


def _write(path: Path, head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(head)
        writer.writerows(rows)
