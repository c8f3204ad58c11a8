"""Examples of APPLY, and of a tree inside a condition, at the edges."""

# ruff: noqa: E501 (an example stands on a line)

from __future__ import annotations

from .life import aggregate, answers, apply, arg, extract, grouped, keep, mapped, refused, rows, unnested


def _by(key: str, reverse: bool = False, part: str = "") -> str:
    return f"lambda l: sorted(l, key=lambda e: e['{key}'], reverse={reverse}){part}"


_COUNTS = mapped(grouped(unnested(extract("runs", "friends km")), "friend"), 'lambda g: max(e["km"] for e in g)')

LEN = (
    answers("APPLY-len/empty", apply(extract("none", "km"), "len"), 0, behind="", zero=True),
    answers("APPLY-len/missing", apply(extract("gaps", "km"), "len"), 3, behind="g1 g2 g3"),
    answers("APPLY-len/missing", apply(extract("gaps", "km"), 'lambda l: len([e for e in l if e["km"] is not None])'), 1),
    answers("APPLY-len/duplicates", apply(extract("twins", "km"), "len"), 2, behind="t1 t2"),
    answers("APPLY-len/duplicates", apply(extract("doubles", "km"), "len"), 2, behind="d1 d2"),
    answers("APPLY-len/ties", apply(extract("runs", "km"), 'lambda l: len([e["km"] for e in l])'), 3),
    answers("APPLY-len/ties", apply(extract("runs", "km"), 'lambda l: len(set(e["km"] for e in l))'), 2),
    answers("APPLY-len/lists", apply(extract("runs", "friends"), "len"), 3),
    answers("APPLY-len/lists", apply(unnested(extract("runs", "friends")), "len"), 3, behind="r1 r2"),
    answers("APPLY-len/lists", apply(grouped(extract("runs", "kind"), "kind"), "len"), 2, behind="r1 r2 r3"),
)  # fmt: skip
FOLD = (
    answers("APPLY-fold/empty", apply(extract("none", "km"), 'lambda l: sum(e["km"] for e in l)'), 0, behind="", zero=True),
    answers("APPLY-fold/empty", apply(extract("none", "km"), 'lambda l: max(e["km"] for e in l)'), behind=""),
    answers("APPLY-fold/empty", apply(extract("none", "km"), 'lambda l: mean([e["km"] for e in l])'), behind=""),
    answers("APPLY-fold/empty", apply(extract("none", "km"), 'lambda l: any(e["km"] > 1 for e in l)'), False, behind=""),
    answers("APPLY-fold/empty", apply(extract("none", "km"), 'lambda l: all(e["km"] > 1 for e in l)'), True, behind=""),
    answers("APPLY-fold/empty", apply(extract("none", "km"), 'lambda l: set(e["km"] for e in l)'), behind=""),
    answers("APPLY-fold/missing", apply(extract("gaps", "km"), 'lambda l: mean([e["km"] for e in l])'), 3.0, behind="g1"),
    answers("APPLY-fold/missing", apply(extract("gaps", "km"), 'lambda l: sum(e["km"] for e in l)'), 3.0),
    answers("APPLY-fold/missing", apply(extract("gaps", "km"), 'lambda l: all(e["km"] > 1 for e in l)'), True),
    answers("APPLY-fold/missing", apply(extract("gaps", "km"), 'lambda l: set(e["km"] for e in l)'), 3.0),
    answers("APPLY-fold/duplicates", apply(extract("twins", "km"), 'lambda l: sum(e["km"] for e in l)'), 8.0, behind="t1 t2"),
    answers("APPLY-fold/duplicates", apply(extract("doubles", "km"), 'lambda l: sum(e["km"] for e in l)'), 5.0, behind="d1 d2"),
    answers("APPLY-fold/ties", apply(extract("runs", "km"), 'lambda l: max(e["km"] for e in l)'), 10.0),
    answers("APPLY-fold/ties", apply(extract("runs", "km"), 'lambda l: set(e["km"] for e in l)'), 5.0, 10.0),
    answers("APPLY-fold/lists", apply(extract("runs", "friends"), 'lambda l: sum(len(e["friends"]) for e in l)'), 3),
    answers("APPLY-fold/lists", apply(extract("runs", "friends"), 'lambda l: any("Bob" in e["friends"] for e in l)'), True),
)  # fmt: skip
SORT = (
    rows("APPLY-sort/empty", apply(extract("none", "km"), _by("km")), "km", behind=""),
    rows("APPLY-sort/empty", apply(extract("none", "km"), "lambda l: l[0]"), "km", behind=""),
    answers("APPLY-sort/empty", apply(extract("none", "km"), 'lambda l: l[0]["km"]'), behind=""),
    rows("APPLY-sort/missing", apply(extract("gaps", "km"), _by("km")), "km", [3.0], behind="g1"),
    rows("APPLY-sort/missing", apply(extract("gaps", "km"), "lambda l: l[:2]"), "km", [None], [3.0]),
    rows("APPLY-sort/duplicates", apply(extract("twins", "km"), _by("km", part="[:5]")), "km", [4.0], [4.0], behind="t1 t2"),
    rows("APPLY-sort/duplicates", apply(extract("doubles", "km"), _by("km")), "km", [2.0], [3.0]),
    rows("APPLY-sort/ties", apply(extract("runs", "km kind"), _by("km", True)), "km kind", [10.0, "hill"], [10.0, "road"], [5.0, "road"]),
    rows("APPLY-sort/ties", apply(extract("runs", "km kind"), _by("km", True, "[:1]")), "kind", ["hill"], behind="r2"),
    rows("APPLY-sort/ties", apply(extract("runs", "km kind"), "lambda l: max(l, key=lambda e: e['km'])"), "kind", ["hill"]),
    rows("APPLY-sort/lists", apply(extract("runs", "km friends"), _by("km", True)), "friends", [("Ann",)], [()], [("Ann", "Bob")]),
    rows("APPLY-sort/lists", apply(extract("runs", "friends"), "lambda l: sorted(l, key=lambda e: len(e['friends']))"), "friends", [()], [("Ann",)], [("Ann", "Bob")]),
)  # fmt: skip
VALUE = (
    answers("APPLY-value/empty", apply(aggregate("MAX", extract("none", "km"), "km"), "lambda v: v * 2"), behind=""),
    answers("APPLY-value/missing", apply(aggregate("MAX", extract("gaps", "km"), "km"), "lambda v: v / (v - 3)"), behind="g1"),
    answers("APPLY-value/duplicates", apply(aggregate("MAX", extract("twins", "km"), "km"), "lambda v: v * 2"), 8.0, behind="t1 t2"),
    answers("APPLY-value/duplicates", apply(aggregate("SUM", extract("doubles", "km"), "km"), "lambda v: v * 2"), 10.0, behind="d1 d2"),
    answers("APPLY-value/ties", apply(arg("ARGMAX", extract("runs", "km kind"), "km", "kind"), "len"), 2),
    answers("APPLY-value/ties", apply(arg("ARGMAX", extract("runs", "km kind"), "km", "kind"), "lambda l: l[0]"), "hill"),
    answers("APPLY-value/lists", apply(arg("ARGMIN", extract("runs", "km friends"), "km", "friends"), "len"), 2),
    answers("APPLY-value/lists", apply(arg("ARGMIN", extract("runs", "km friends"), "km", "friends"), "lambda l: [f.upper() for f in l]"), "ANN", "BOB"),
)  # fmt: skip
_BEST = arg("ARGMAX", extract("runs", "km day kind"), "km", "kind")
ANSWER = (
    rows("ANSWER/empty", keep(extract("runs", "km"), 'e["km"] > ' + aggregate("MAX", extract("none", "km"), "km") + ".result"), "km", behind=""),
    rows("ANSWER/empty", keep(extract("runs", "km"), 'e["km"] > ' + aggregate("SUM", extract("none", "km"), "km") + ".result"), "km", [5.0], [10.0], [10.0]),
    rows("ANSWER/missing", keep(extract("gaps", "km"), 'e["km"] <= ' + aggregate("MAX", extract("gaps", "km"), "km") + ".result"), "km", [3.0], behind="g1"),
    rows("ANSWER/duplicates", keep(extract("twins", "km"), 'e["km"] == ' + aggregate("MAX", extract("twins", "km"), "km") + ".result"), "km", [4.0], [4.0]),
    rows("ANSWER/duplicates", keep(extract("runs", "km"), 'e["km"] <= ' + aggregate("SUM", extract("doubles", "km"), "km") + ".result"), "km", [5.0]),
    rows("ANSWER/ties", keep(extract("gaps", "kind"), f'e["kind"] == {_BEST}.result'), "kind", ["hill"]),
    rows("ANSWER/ties", keep(extract("gaps", "kind"), f'e["kind"] in {_BEST}.result'), "kind", ["road"], ["hill"]),
    rows("ANSWER/lists", keep(extract("doubles", "first"), 'e["first"] in ' + arg("ARGMIN", extract("runs", "km friends"), "km", "friends") + ".result"), "first", ["Ann"], ["Bob"]),
    refused("ANSWER/lists", keep(extract("runs", "km"), 'e["km"] in ' + extract("runs", "km day") + ".result"), 'in `e["km"] in EXTRACT('),
)  # fmt: skip
EXAMPLES = (*LEN, *FOLD, *SORT, *VALUE, *ANSWER)
