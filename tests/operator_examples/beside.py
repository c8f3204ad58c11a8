"""Examples of what no query can say, so that it is computed beside it: the same edges, and operators on top."""

# ruff: noqa: E501 (an example stands on a line)

from __future__ import annotations

from datetime import date

from .life import aggregate, answers, apply, arg, extract, grouped, joined, keep, mapped, rows

_BUT_ONE = "lambda l: l[:-1]"
_PIECES = 'lambda e: len(e["kind"].split("o"))'
_LONGEST = arg("ARGMAX", extract("runs", "km kind"), "km", "kind")
_LATEST = arg("ARGMAX", extract("runs", "moment"), "moment", "moment")
_KINDS = grouped(extract("runs", "kind km day"), "kind")

LISTS = (
    rows("all but the last/empty", apply(extract("none", "kind"), _BUT_ONE), "kind", behind=""),
    rows("all but the last/missing", apply(extract("gaps", "kind"), _BUT_ONE), "kind", [None], ["road"], behind="g1 g2"),
    rows("all but the last/duplicates", apply(extract("twins", "km"), _BUT_ONE), "km", [4.0]),
    rows("all but the last/lists", apply(extract("runs", "friends"), _BUT_ONE), "friends", [("Ann", "Bob")], [("Ann",)]),
    rows("two keys/ties", apply(extract("runs", "km kind"), "lambda l: sorted(l, key=lambda e: (e['kind'], -e['km']))"), "kind km", ["hill", 10.0], ["road", 10.0], ["road", 5.0]),
    answers("differences", apply(extract("runs", "km"), "lambda l: [b['km'] - a['km'] for a, b in zip(l, l[1:])]"), 5.0, 0.0),
    answers("differences/empty", apply(extract("none", "km"), "lambda l: [b['km'] - a['km'] for a, b in zip(l, l[1:])]")),
    answers("median", apply(extract("doubles", "km"), "lambda l: median([e['km'] for e in l])"), 2.5),
    answers("median/empty", apply(extract("none", "km"), "lambda l: median([e['km'] for e in l])"), behind=""),
)  # fmt: skip
ROWS = (
    rows("pieces of a text/missing", mapped(extract("gaps", "kind"), 'lambda e: e["kind"].split("o")[0]'), "m", [None], ["r"], ["hill"]),
    rows("first of a list", mapped(extract("runs", "friends"), 'lambda e: e["friends"][0]'), "m", ["Ann"], ["Ann"], [None]),
    rows("name of a day", mapped(extract("runs", "kind"), 'lambda e: e["start_date"].strftime("%A")'), "m", ["Friday"], ["Saturday"], ["Sunday"]),
    rows("condition on pieces", keep(extract("runs", "kind km"), 'e["kind"].split("o")[0] == "r"'), "km", [5.0], [10.0], behind="r1 r3"),
    rows("condition on pieces/missing", keep(extract("gaps", "kind"), 'e["kind"].split("o")[0] != "r"'), "kind", ["hill"], behind="g3"),
    rows("among another tree's list", keep(extract("gaps", "km"), f"e['km'] - 1 in {apply(extract('doubles', 'km'), 'lambda l: [e[KM] for e in l]'.replace('KM', chr(39) + 'km' + chr(39)))}.result"), "km", [3.0]),
    rows("among another tree's winners/ties", keep(extract("gaps", "kind"), f'e["kind"].split("x")[0] in {_LONGEST}.result'), "kind", ["road"], ["hill"]),
    rows("another tree's winner/ties", keep(extract("gaps", "kind"), f'e["kind"].split("x")[0] == {_LONGEST}.result'), "kind", ["hill"]),
    rows("among another tree's moments", keep(extract("runs", "moment laps"), f'e["moment"] in {_LATEST}.result'), "laps", [2]),
    rows("odd condition of a join/duplicates", joined(extract("twins", "kind"), extract("runs", "kind km"), "i1.kind.title() == i2.kind.title()"), "km", [5.0], [10.0], [5.0], [10.0], behind="t1 t2 r1 r3"),
)  # fmt: skip
GROUPS = (
    rows("median of groups", mapped(_KINDS, 'lambda g: median([e["km"] for e in g])'), "kind m", ["hill", 10.0], ["road", 7.5]),
    rows("best of each group/ties", mapped(_KINDS, 'lambda g: sorted(g, key=lambda e: e["km"], reverse=True)[0]["day"]'), "kind m", ["hill", date(2024, 3, 2)], ["road", date(2024, 3, 2)]),
    rows("chosen groups", mapped(keep(_KINDS, 'sorted(r["km"] for r in e)[0] == 5'), "len"), "kind m", ["road", 2], behind="r1 r3"),
    rows("median of groups/missing", mapped(grouped(extract("gaps", "kind km"), "kind"), 'lambda g: median([e["km"] for e in g])'), "kind m", ["road", 3.0]),
)  # fmt: skip
ABOVE = (
    answers("first of the winners/ties", apply(_LONGEST, "lambda l: l[0].split('i')[0]"), "h"),
    answers("summed", aggregate("SUM", mapped(extract("runs", "kind"), _PIECES), "m"), 5, behind="r1 r2 r3"),
    answers("summed/empty", aggregate("SUM", mapped(extract("none", "kind"), _PIECES), "m"), 0, behind="", zero=True),
    answers("greatest/missing", aggregate("MAX", mapped(extract("gaps", "kind"), _PIECES), "m"), 2),
    answers("winners/ties", arg("ARGMAX", mapped(extract("runs", "kind day"), _PIECES), "m", "day"), date(2024, 3, 1), date(2024, 3, 2)),
    answers("counted", apply(keep(extract("runs", "kind"), 'e["kind"].split("o")[0] == "r"'), "len"), 2, behind="r1 r3"),
    rows("grouped by pieces", mapped(grouped(mapped(extract("runs", "kind"), _PIECES), "m"), "len", "n"), "m n", [1, 1], [2, 2]),
    rows("joined on pieces", joined(mapped(extract("runs", "kind"), _PIECES), extract("runs", "laps km"), "i1.m == i2.laps and i2.km < 10"), "kind km", ["hill", 5.0]),
)  # fmt: skip
_MONTHS = mapped(extract("runs", "km laps"), 'lambda e: (e["start_date"].month, e["start_date"].year)')
_PAIRS = mapped(extract("runs", "laps kind"), 'lambda e: (e["laps"], e["start_date"].year)')
TUPLES = (
    rows("months/empty", mapped(extract("none", "km"), 'lambda e: (e["start_date"].month, e["start_date"].year)'), "m"),
    rows("months", _MONTHS, "laps m", [1, (3, 2024)], [2, (3, 2024)], [2, (3, 2024)]),
    rows("groups of months", mapped(grouped(_MONTHS, "m"), "len", "n"), "m n", [(3, 2024), 3], behind="r1 r2 r3"),
    answers("month with most", arg("ARGMAX", mapped(grouped(_MONTHS, "m"), "len", "n"), "n", "m"), (3, 2024), behind="r1 r2 r3"),
    answers("pairs with least/ties", arg("ARGMIN", mapped(grouped(_PAIRS, "m"), 'lambda g: len(set(e["laps"] for e in g))', "n"), "n", "m"), (1, 2024), (2, 2024)),
    rows("condition on a pair", keep(extract("runs", "km kind"), '(e["kind"], e["km"]) == ("road", 10)'), "kind km", ["road", 10.0], behind="r3"),
)  # fmt: skip
EXAMPLES = (*TUPLES, *LISTS, *ROWS, *GROUPS, *ABOVE)
