"""Examples of the operators that give rows or groups at the edges: JOIN, GROUP_BY, FILTER, MAP, UNNEST."""

# ruff: noqa: E501 (an example stands on a line)

from __future__ import annotations

from datetime import date

from .life import apply, extract, grouped, joined, keep, mapped, refused, rows, unnested

_SAME_KIND = "i1.kind == i2.kind"
_SORTED = apply(extract("runs", "km kind"), "lambda l: sorted(l, key=lambda e: e['km'], reverse=True)")
_BY_KIND = {query: grouped(extract(query, "kind km friends laps"), "kind") for query in ("none", "runs", "gaps", "twins", "doubles")}  # fmt: skip

JOIN = (
    rows("JOIN/empty", joined(extract("none", "kind"), extract("runs", "kind"), _SAME_KIND), "kind", behind=""),
    rows("JOIN/empty", joined(extract("runs", "kind"), extract("none", "kind"), _SAME_KIND), "kind", behind=""),
    rows(
        "JOIN/missing",
        joined(extract("gaps", "kind"), extract("gaps", "kind"), _SAME_KIND),
        "kind kind_2",
        ["road", "road"],
        ["hill", "hill"],
        behind="g1 g3",
    ),
    rows("JOIN/missing", joined(extract("gaps", "km"), extract("gaps", "km"), "i1.km != i2.km"), "km", behind=""),
    rows(
        "JOIN/duplicates",
        joined(extract("twins", "km"), extract("twins", "km"), "i1.start_date == i2.start_date and i1.km <= i2.km"),
        "km km_2",
        *[[4.0, 4.0]] * 4,
        behind="t1 t2",
    ),
    rows(
        "JOIN/duplicates",
        joined(extract("doubles", "km"), extract("runs", "laps"), "i1.km == i2.laps"),
        "km laps",
        [2.0, 2],
        [2.0, 2],
        behind="d1 r2 r3",
    ),
    rows(
        "JOIN/ties",
        joined(extract("runs", "laps"), extract("twins", "km"), "i1.start_date < i2.start_date and i1.laps < 9"),
        "laps km",
        *[[1, 4.0], [1, 4.0], [2, 4.0], [2, 4.0], [2, 4.0], [2, 4.0]],
    ),
    rows(
        "JOIN/ties",
        joined(
            extract("runs", "at"), extract("runs", "kind"), "i1.start_date < i2.start_date and i1.at <= i2.start_time"
        ),
        "start_date_2 kind",
        [date(2024, 3, 2), "hill"],
        [date(2024, 3, 3), "road"],
        [date(2024, 3, 3), "road"],
    ),
    rows(
        "JOIN/lists",
        joined(extract("runs", "friends"), extract("runs", "first"), "i2.first in i1.friends"),
        "friends first",
        [("Ann", "Bob"), "Ann"],
        [("Ann", "Bob"), "Ann"],
        [("Ann",), "Ann"],
        [("Ann",), "Ann"],
    ),
)
GROUP_BY = (
    rows("GROUP_BY/empty", mapped(_BY_KIND["none"], "len"), "kind m", behind=""),
    rows("GROUP_BY/empty", _BY_KIND["none"], "kind", behind=""),
    rows("GROUP_BY/missing", _BY_KIND["gaps"], "kind", ["hill"], ["road"], behind="g1 g3"),
    rows("GROUP_BY/missing", mapped(grouped(extract("gaps", "kind km"), "kind km"), "len"), "kind km m", ["road", 3.0, 1], behind="g1"),
    rows("GROUP_BY/missing", mapped(_BY_KIND["gaps"], "len"), "kind m", ["hill", 1], ["road", 1], behind="g1 g3"),
    rows("GROUP_BY/duplicates", mapped(_BY_KIND["twins"], "len"), "kind m", ["road", 2], behind="t1 t2"),
    rows("GROUP_BY/duplicates", mapped(_BY_KIND["doubles"], "len"), "kind m", ["hill", 1], ["road", 1]),
    rows("GROUP_BY/ties", mapped(_BY_KIND["runs"], "len"), "kind m", ["hill", 1], ["road", 2]),
    rows(
        "GROUP_BY/ties", mapped(grouped(extract("runs", "km"), "km"), "len"), "km m", [5.0, 1], [10.0, 2], behind="r1 r2 r3"
    ),
    refused("GROUP_BY/lists", grouped(extract("runs", "friends"), "friends"), "'friends' is a list; UNNEST it first"),
    rows("GROUP_BY/lists", mapped(grouped(unnested(extract("runs", "friends")), "friend"), "len"), "friend m", ["Ann", 2], ["Bob", 1]),
)  # fmt: skip
FILTER = (
    rows("FILTER/empty", keep(extract("none", "km"), "True"), "km", behind=""),
    rows("FILTER/missing", keep(extract("gaps", "km"), 'e["km"] > 1'), "km", [3.0], behind="g1"),
    rows("FILTER/missing", keep(extract("gaps", "km"), 'not (e["km"] > 1)'), "km", behind=""),
    rows("FILTER/missing", keep(extract("gaps", "km"), 'e["km"] is None'), "km", [None], [None], behind="g2 g3"),
    rows("FILTER/missing", keep(extract("gaps", "km kind"), 'e["km"] > 1 or e["kind"] == "hill"'), "km", [3.0], [None]),
    rows("FILTER/duplicates", keep(extract("twins", "km"), 'e["km"] == 4'), "km", [4.0], [4.0], behind="t1 t2"),
    rows("FILTER/duplicates", keep(extract("doubles", "km"), 'e["km"] > 5'), "km", behind=""),
    rows("FILTER/ties", keep(_SORTED, 'e["kind"] == "road" or e["km"] == 10'), "km kind", [10.0, "hill"], [10.0, "road"], [5.0, "road"]),
    rows("FILTER/lists", keep(extract("runs", "friends"), 'any("Ann" == f for f in e["friends"])'), "friends", [("Ann", "Bob")], [("Ann",)]),
    rows("FILTER/lists", keep(extract("runs", "friends"), 'all("Ann" == f for f in e["friends"])'), "friends", [("Ann",)], [()]),
    rows("FILTER/lists", keep(extract("runs", "friends"), '"Bob" in e["friends"]'), "friends", [("Ann", "Bob")], behind="r1"),
)  # fmt: skip
FILTER_GROUPS = (
    rows("FILTER-groups/empty", mapped(keep(_BY_KIND["none"], "len(e) > 0"), "len"), "kind m", behind=""),
    rows(
        "FILTER-groups/missing",
        mapped(keep(_BY_KIND["gaps"], 'max(r["km"] for r in e) < 9'), "len"),
        "kind m",
        ["road", 1],
        behind="g1",
    ),
    rows("FILTER-groups/missing", mapped(keep(_BY_KIND["gaps"], 'sum(r["km"] for r in e) < 9'), "len"), "kind m", ["hill", 1], ["road", 1]),
    rows("FILTER-groups/duplicates", mapped(keep(_BY_KIND["twins"], "len(e) == 2"), "len"), "kind m", ["road", 2]),
    rows("FILTER-groups/duplicates", mapped(keep(_BY_KIND["doubles"], 'sum(r["km"] for r in e) == 2'), "len"), "kind m", ["road", 1], behind="d1"),
    rows("FILTER-groups/ties", mapped(keep(_BY_KIND["runs"], 'max(r["km"] for r in e) == 10'), "len"), "kind m", ["hill", 1], ["road", 2]),
    rows("FILTER-groups/lists", mapped(keep(_BY_KIND["runs"], 'sum(len(r["friends"]) for r in e) == 2'), "len"), "kind m", ["road", 2]),
    rows("FILTER-groups/lists", mapped(keep(_BY_KIND["runs"], 'any("Bob" in r["friends"] for r in e)'), "len"), "kind m", ["road", 2]),
)  # fmt: skip
MAP = (
    rows("MAP/empty", mapped(extract("none", "km"), 'lambda e: e["km"] + 1'), "km m", behind=""),
    rows("MAP/missing", mapped(extract("gaps", "km"), 'lambda e: e["km"] + 1'), "km m", [None, None], [3.0, 4.0], [None, None]),
    rows("MAP/missing", mapped(extract("runs", "km laps"), 'lambda e: e["km"] / (e["laps"] - 1)'), "m", [None], [10.0], [10.0]),
    rows("MAP/duplicates", mapped(extract("twins", "km"), 'lambda e: e["km"] * 2'), "m", [8.0], [8.0], behind="t1 t2"),
    rows("MAP/duplicates", mapped(extract("doubles", "km"), 'lambda e: e["km"] * 2'), "m", [4.0], [6.0]),
    rows("MAP/ties", mapped(_SORTED, 'lambda e: e["km"] + 1'), "kind m", ["hill", 11.0], ["road", 11.0], ["road", 6.0]),
    rows("MAP/lists", mapped(extract("runs", "friends"), 'lambda e: e["friends"]'), "m", [("Ann", "Bob")], [("Ann",)], [()]),
    rows("MAP/lists", mapped(extract("runs", "friends"), 'lambda e: len(e["friends"])'), "m", [2], [1], [0]),
)  # fmt: skip
MAP_GROUPS = (
    rows("MAP-groups/empty", mapped(_BY_KIND["none"], 'lambda g: sum(e["km"] for e in g)'), "kind m", behind=""),
    rows("MAP-groups/missing", mapped(_BY_KIND["gaps"], 'lambda g: max(e["km"] for e in g)'), "kind m", ["road", 3.0]),
    rows("MAP-groups/missing", mapped(_BY_KIND["gaps"], 'lambda g: sum(e["km"] for e in g)'), "kind m", ["hill", 0.0], ["road", 3.0]),
    rows("MAP-groups/missing", mapped(_BY_KIND["gaps"], "len"), "kind m", ["hill", 1], ["road", 1]),
    rows("MAP-groups/duplicates", mapped(_BY_KIND["twins"], 'lambda g: sum(e["km"] for e in g)'), "kind m", ["road", 8.0], behind="t1 t2"),
    rows("MAP-groups/duplicates", mapped(_BY_KIND["doubles"], 'lambda g: sum(e["km"] for e in g)'), "kind m", ["hill", 3.0], ["road", 2.0]),
    rows("MAP-groups/ties", mapped(_BY_KIND["runs"], 'lambda g: max(e["laps"] for e in g)'), "kind m", ["hill", 2], ["road", 2]),
    rows("MAP-groups/ties", mapped(_BY_KIND["runs"], 'lambda g: len(set(e["km"] for e in g))'), "kind m", ["hill", 1], ["road", 2]),
    rows("MAP-groups/lists", mapped(_BY_KIND["runs"], 'lambda g: sum(len(e["friends"]) for e in g)'), "kind m", ["hill", 1], ["road", 2]),
)  # fmt: skip
UNNEST = (
    rows("UNNEST/empty", unnested(extract("none", "friends")), "friend", behind=""),
    rows("UNNEST/missing", unnested(extract("gaps", "friends")), "friend", ["Ann"], behind="g1"),
    rows("UNNEST/duplicates", unnested(extract("twins", "friends")), "friend", ["Ann"], ["Ann"], behind="t1 t2"),

    rows("UNNEST/ties", unnested(extract("doubles", "friends km")), "friend km", ["Ann", 2.0], ["Bob", 2.0], ["Cyd", 2.0], ["Bob", 3.0]),
    rows("UNNEST/lists", unnested(extract("runs", "friends")), "friends friend", [("Ann", "Bob"), "Ann"], [("Ann", "Bob"), "Bob"], [("Ann",), "Ann"]),
    rows("UNNEST/lists", 'UNNEST(l=' + extract("runs", "friends") + ', nested_attr_name="friends")', "friends", ["Ann"], ["Bob"], ["Ann"]),
    refused("UNNEST/lists", unnested(extract("runs", "kind"), "kind"), "'kind' is a str, not a list"),
)  # fmt: skip
EXAMPLES = (*JOIN, *GROUP_BY, *FILTER, *FILTER_GROUPS, *MAP, *MAP_GROUPS, *UNNEST)
