"""Forty structured trees: those of other benchmarks, and some of lists, texts, pairs of keys and lengths of time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Final

from ..growth.__main__ import trees as of_a_period
from ..joins import CASES
from ..structured_trees import PAIRS


def _extract(query: str, **types: str) -> str:
    return (
        f'EXTRACT(l=RETRIEVE(query="{query}"), attr_names={[*types]!r}, attr_types=[{", ".join(types.values())}])'
    ).replace("'", '"')


def _filter(rows: str, condition: str) -> str:
    return f"FILTER(l={rows}, filter=lambda attr: {condition})"


def _count(rows: str) -> str:
    return f"APPLY(l={rows}, fct=len)"


_WEEKDAY: Final = 'MAP(l=RETRIEVE(query="films"), fct=lambda attr: attr["start_date"].weekday(), res_name="day")'
_BY_KIND: Final = 'MAP(l=GROUP_BY(l={}, attr_names={}), fct={}, res_name="value")'
_OWN: Final = {
    "purchases of more than 50": _count(_filter(_extract("purchases", price="float"), 'attr["price"] > 50')),
    "purchases between two days": _count(
        _filter('RETRIEVE(query="purchases")', 'date(2021, 3, 1) <= attr["start_date"] <= date(2021, 9, 1)')
    ),
    "songs with a word in the name": _count(
        _filter(_extract("music streams", song_name="str"), '"on" in attr["song_name"]')
    ),
    "films by weekday": _BY_KIND.format(_WEEKDAY, '["day"]', "len"),
    "kilometres by kind and year": _BY_KIND.format(
        f"MAP(l={_extract('workouts', workout_type='str', distance='float')}, "
        'fct=lambda attr: attr["start_date"].year, res_name="year")',
        '["workout_type", "year"]',
        'lambda g: sum(e["distance"] for e in g)',
    ),
    "last mail": 'MAX(l=RETRIEVE(query="emails"), attr_name="start_datetime")',
    "cheapest purchase": f'ARGMIN(l={_extract("purchases", price="float")}, arg_attr_name="price", '
    'val_attr_name="start_date")',
    "long workouts in the morning": _count(
        _filter(
            _extract("workouts", duration="float"), 'attr["duration"] > 3600 and attr["start_time"] < time(12, 0)'
        )
    ),
    "mean price of a category": f"APPLY(l={_extract('purchases', price='float')}, "
    'fct=lambda l: mean([e["price"] for e in l]))',
    "appointments of a month": _count(
        _filter('RETRIEVE(query="calendar entries")', 'attr["start_date"].month == 5')
    ),
}  # fmt: skip
_LIMIT: Final = 40


def forty() -> Mapping[str, str]:
    """The trees by name; %FILM% and %SONG% stand for titles of the life."""
    found = {pair.name: pair.tree for pair in PAIRS}
    for name, end in (("a month", date(2019, 2, 1)), ("half a year", date(2019, 7, 1))):
        found |= {f"{what}, {name}": tree for what, tree in of_a_period(date(2019, 1, 1), end).items()}
    found |= {case.name: case.tree() for case in CASES}
    return dict(list((found | _OWN).items())[:_LIMIT])
