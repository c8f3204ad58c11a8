"""Standard attributes that are used below the EXTRACT that names them are read there, too."""

from __future__ import annotations

import pytest

from reqap_kg.operators.standard import with_own_reads
from reqap_kg.operators.syntax.text import format_tree, parse_tree

LONG = 'lambda e: e["end_date"] > e["start_date"]'
NAMED = 'EXTRACT(l={rows}, attr_names=["start_date"], attr_types=[date.fromisoformat])'
SHOPS = 'RETRIEVE(query="trips")'


def same(made: str, wanted: str) -> bool:
    return format_tree(with_own_reads(parse_tree(made))) == format_tree(parse_tree(wanted))


def test_a_filter_below_reads_what_an_extract_above_names() -> None:
    read = NAMED.format(rows=SHOPS)
    assert same(
        NAMED.format(rows=f"FILTER(l={SHOPS}, filter={LONG})"),
        NAMED.format(rows=f"FILTER(l={read}, filter={LONG})"),
    )


def test_sides_of_a_join_read_it() -> None:
    read = NAMED.format(rows=SHOPS)
    joined = 'JOIN(l1={l}, l2={r}, condition="i1.start_date == i2.start_date")'
    assert same(NAMED.format(rows=joined.format(l=SHOPS, r=SHOPS)), NAMED.format(rows=joined.format(l=read, r=read)))


@pytest.mark.parametrize(
    "tree",
    [
        f"FILTER(l={SHOPS}, filter={LONG})",
        f"FILTER(l={NAMED.format(rows=SHOPS)}, filter={LONG})",
        NAMED.format(rows=f"FILTER(l={NAMED.format(rows=SHOPS)}, filter={LONG})"),
        NAMED.format(rows=f'FILTER(l={SHOPS}, filter=lambda e: e["end_date"] > date(2024, 1, 1))'),
        f'MIN(l=FILTER(l={SHOPS}, filter={LONG}), attr_name="start_date")',
    ],
)
def test_what_has_all_that_it_uses_stays(tree: str) -> None:
    assert with_own_reads(parsed := parse_tree(tree)) is parsed
