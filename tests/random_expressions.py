"""Random small graphs, and random well-typed expressions over their events."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from hypothesis import HealthCheck
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from reference import Event

from reqap_kg.ontology.namespaces import DATA, EV, RDF_TYPE, XSD
from reqap_kg.operators.resolution import AttributeMatch, ClassMatch, Constraint, Resolution
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.rdf import Literal, NamedNode, Quad

NOW = datetime(2024, 3, 10, 12, 30)
QUERIES = {
    "a": ClassMatch((EV + "A",)),
    "b": ClassMatch((EV + "B", EV + "C")),
    "kept": ClassMatch((EV + "A",), (Constraint(EV + "kind", ("red", "Blue")),)),
}
ATTRIBUTES = {
    "n": AttributeMatch((EV + "number",)),
    "i": AttributeMatch((EV + "count", EV + "number")),
    "t": AttributeMatch((EV + "kind",)),
    "tags": AttributeMatch((EV + "tag", EV + "kind"), multiple=True),
    "d": AttributeMatch((EV + "start",)),
    "dt": AttributeMatch((EV + "start",)),
    "tm": AttributeMatch((EV + "start",)),
    "e": AttributeMatch((EV + "end",)),
    "len": AttributeMatch((EV + "count",)),
    "flag": AttributeMatch((EV + "flag",)),
    "when": AttributeMatch((EV + "when",)),
}
TYPES = {
    "n": "float",
    "i": "int",
    "t": "str",
    "tags": "list",
    "d": "date",
    "dt": "datetime",
    "tm": "time",
    "e": "datetime",
    "len": "timedelta",
    "flag": "bool",
    "when": "date",
}
KINDS = {name: {"timedelta": "duration"}.get(kind, kind) for name, kind in TYPES.items()}
RESOLUTION = Resolution(
    tuple(QUERIES.items()), tuple(((query, key), match) for query in QUERIES for key, match in ATTRIBUTES.items())
)
DATATYPES = {"number": "decimal", "count": "integer", "start": "dateTime", "end": "dateTime", "flag": "boolean"}
KEYS = ", ".join(f'"{name}"' for name in TYPES)
KINDS_TEXT = ", ".join(TYPES.values())
checks = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


# ---------------------------------------------------------------- graphs
@st.composite
def events(draw: DrawFn) -> list[Event]:
    """Up to eight events with missing, repeated and malformed values."""
    moments = st.datetimes(datetime(2023, 12, 28), datetime(2024, 3, 8)).map(
        lambda at: at.replace(microsecond=0).isoformat()
    )
    found = []
    for position in range(draw(st.integers(0, 10))):
        values: dict[str, tuple[str, ...]] = {}
        start = draw(moments)
        if draw(st.integers(0, 9)):
            values["start"] = (start,)
        if draw(st.integers(0, 2)):
            minutes = draw(st.sampled_from([-60, 0, 1, 45, 600, 3000, 120_000, 6_000_000]))
            values["end"] = ((datetime.fromisoformat(start) + timedelta(minutes=minutes)).isoformat(),)
        if not draw(st.integers(0, 4)):
            values["timePrecision"] = ("day",)
        if draw(st.integers(0, 3)):
            values["number"] = tuple(
                draw(st.lists(st.sampled_from(["-1.5", "0", "2.25", "3", "10.0"]), min_size=1, max_size=2))
            )
        if draw(st.integers(0, 2)):
            values["count"] = (str(draw(st.integers(-2, 4000))),)
        if draw(st.integers(0, 2)):
            values["kind"] = tuple(
                draw(st.lists(st.sampled_from(["red", "Red", "blue", ' "x\\ ']), min_size=1, max_size=2))
            )
        values["tag"] = tuple(draw(st.lists(st.sampled_from(["ABBA", "cher", "Abba", "é"]), max_size=3)))
        if draw(st.booleans()):
            values["flag"] = (draw(st.sampled_from(["true", "false"])),)
        if draw(st.booleans()):
            values["when"] = (draw(st.sampled_from(["2024-02-29", "2023-12-31T10:00:00", "soon", "2024-1-1"])),)
        kind = EV + draw(st.sampled_from("AAABBC"))
        named = {EV + name: held for name, held in values.items() if held}
        found.append(Event(f"{DATA}x/{position}", frozenset({kind}), named))
    return found


def graph_of(found: list[Event], *, twice: bool = True) -> MemoryGraph:
    """The events as quads; with `twice` every other event stands in a second graph too, as if exported twice."""
    quads = []
    for position, event in enumerate(found):
        subject = NamedNode(event.iri)
        for graph in ["urn:one", "urn:two"][: 1 + position % 2 * twice]:
            at = NamedNode(graph)
            quads += [Quad(subject, NamedNode(RDF_TYPE), NamedNode(kind), at) for kind in event.classes]
            for name, held in event.values.items():
                datatype = DATATYPES.get(name.removeprefix(EV))
                terms = [
                    Literal(text, datatype=NamedNode(XSD + datatype)) if datatype else Literal(text) for text in held
                ]
                quads += [Quad(subject, NamedNode(name), term, at) for term in terms]
    return MemoryGraph(quads)


# ---------------------------------------------------------------- expressions
Texts = SearchStrategy[str]


@dataclass(frozen=True)
class Grammar:
    """Texts of expressions by type, over one row called `at` with attributes by kind."""

    at: str
    columns: dict[str, str]

    def of(self, kind: str) -> list[str]:
        return [f'{self.at}["{name}"]' for name, held in self.columns.items() if held == kind]

    def leaf(self, kind: str, *literals: str) -> Texts:
        return st.sampled_from([*self.of(kind), *literals])

    def number(self, depth: int = 2) -> Texts:
        leaf = self.leaf("int", "0", "2", "-3") | self.leaf("float", "1.5", "3")
        if depth == 0:
            return leaf
        inner, text, day, moment = self.number(depth - 1), self.text(0), self.day(depth - 1), self.moment(depth - 1)
        parts = [
            leaf,
            st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "//", "%"]), inner).map(
                lambda p: f"({p[0]} {p[1]} {p[2]})"
            ),
            inner.map(lambda x: f"abs({x})"),
            inner.map(lambda x: f"({x} if {x} else 1.5)"),
            inner.map(lambda x: f"round({x})"),
            inner.map(lambda x: f"round({x}, 1)"),
            inner.map(lambda x: f"int({x})"),
            st.tuples(inner, inner).map(lambda p: f"max({p[0]}, {p[1]})"),
            text.map(lambda x: f"len({x})"),
            st.tuples(day, st.sampled_from(["year", "month", "day"])).map(lambda p: f"{p[0]}.{p[1]}"),
            st.tuples(
                day, st.sampled_from(["weekday()", "isoweekday()", "isocalendar().week", "isocalendar()[0]"])
            ).map(lambda p: f"{p[0]}.{p[1]}"),
            st.tuples(moment, st.sampled_from(["hour", "minute", "second", "weekday()"])).map(
                lambda p: f"{p[0]}.{p[1]}"
            ),
            self.length(depth - 1).map(lambda x: f"({x}).total_seconds()"),
            self.length(depth - 1).map(lambda x: f"({x}).days"),
            st.tuples(inner, self.condition(0), inner).map(lambda p: f"({p[0]} if {p[1]} else {p[2]})"),
        ]
        if clocks := self.of("time"):
            parts.append(
                st.tuples(st.sampled_from(clocks), st.sampled_from(["hour", "minute", "second"])).map(
                    lambda p: f"{p[0]}.{p[1]}"
                )
            )
        if lists := self.of("list"):
            parts.append(st.sampled_from(lists).map(lambda x: f"len({x})"))
        return st.one_of(parts)

    def text(self, depth: int = 1) -> Texts:
        leaf = self.leaf("str", '"red"', '"a"', "' \"x\\\\'")
        if depth == 0:
            return leaf
        inner = self.text(depth - 1)
        return st.one_of(
            leaf,
            inner.map(lambda x: f"{x}.lower()"),
            inner.map(lambda x: f"{x}.upper()"),
            inner.map(lambda x: f"{x}.strip()"),
            inner.map(lambda x: f"{x}[:2]"),
            inner.map(lambda x: f"{x}[1:3]"),
            st.tuples(inner, inner).map(lambda p: f"({p[0]} + {p[1]})"),
            self.leaf("int", "7").map(lambda x: f"str({x})"),
            self.day(0).map(lambda x: f"str({x})"),
        )

    def day(self, depth: int = 1) -> Texts:
        leaf = self.leaf("date", "date(2024, 2, 29)", "date.today()", "(date.today() - relativedelta(months=1))")
        if depth == 0:
            return leaf
        return st.one_of(
            leaf,
            self.moment(depth - 1).map(lambda x: f"{x}.date()"),
            st.tuples(self.day(depth - 1), st.sampled_from(["+", "-"]), st.integers(0, 400)).map(
                lambda p: f"({p[0]} {p[1]} timedelta(days={p[2]}))"
            ),
        )

    def moment(self, depth: int = 1) -> Texts:
        leaf = self.leaf("datetime", "datetime.now()", "datetime(2024, 1, 1, 10)")
        if depth == 0:
            return leaf
        return leaf | st.tuples(self.moment(depth - 1), st.sampled_from(["+", "-"]), self.length(0)).map(
            lambda p: f"({p[0]} {p[1]} {p[2]})"
        )

    def length(self, depth: int = 1) -> Texts:
        leaf = self.leaf("duration", "timedelta(hours=30)", "timedelta(days=1, minutes=5)")
        if depth == 0:
            return leaf
        return st.one_of(
            leaf,
            st.tuples(self.day(depth - 1), self.day(depth - 1)).map(lambda p: f"({p[0]} - {p[1]})"),
            st.tuples(self.moment(depth - 1), self.moment(depth - 1)).map(lambda p: f"({p[0]} - {p[1]})"),
            st.tuples(self.moment(depth - 1), self.day(depth - 1)).map(lambda p: f"({p[0]} - {p[1]})"),
            self.length(depth - 1).map(lambda x: f"({x} + timedelta(hours=1)) * 2"),
            self.length(depth - 1).map(lambda x: f"({x} / 4)"),
        )

    def condition(self, depth: int = 2) -> Texts:
        compare = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])

        def both(side: Texts, other: Texts | None = None) -> Texts:
            return st.tuples(side, compare, side if other is None else other).map(lambda p: f"{p[0]} {p[1]} {p[2]}")

        def chain(side: Texts) -> Texts:
            return st.tuples(side, side, side).map(lambda p: f"{p[0]} <= {p[1]} < {p[2]}")

        low = max(0, depth - 1)
        every = [f'{self.at}["{name}"]' for name in self.columns]
        parts = [
            both(self.number(low)),
            both(self.text(low)),
            both(self.day(low)),
            both(self.moment(low)),
            both(self.day(low), self.moment(low)),
            both(self.length(low)),
            both(self.day(0), st.just('"2024-01-15"')),
            chain(self.number(0)),
            chain(self.day(0)),
            st.tuples(self.text(0), self.text(low)).map(lambda p: f"{p[0]} in {p[1]}"),
            self.text(low).map(lambda x: f'{x} in ["red", "blue", "RED"]'),
            self.number(low).map(lambda x: f"{x} not in (1, 2, 3.0)"),
            st.tuples(self.text(low), st.sampled_from(["startswith", "endswith"])).map(
                lambda p: f'{p[0]}.{p[1]}("re")'
            ),
            st.tuples(st.sampled_from(every), st.sampled_from(["is None", "is not None"])).map(
                lambda p: f"{p[0]} {p[1]}"
            ),
            self.text(0).map(lambda x: f'not ({x} or "")'),
            self.text(0).map(lambda x: f'({x} or "red")'),
            self.leaf("bool", "True"),
            self.leaf("bool", "False").map(lambda x: f"{x} == True"),
        ]
        if clocks := self.of("time"):
            parts.append(st.sampled_from(clocks).map(lambda x: f"time(8) <= {x} < time(20, 30)"))
        if lists := self.of("list"):
            held = st.sampled_from(lists)
            parts += [
                st.tuples(self.text(0), held).map(lambda p: f"{p[0]} in {p[1]}"),
                held.map(lambda x: f'"ABBA" not in {x}'),
                st.tuples(st.sampled_from(["any", "all"]), held).map(
                    lambda p: f'{p[0]}("b" in p.lower() for p in {p[1]})'
                ),
                st.tuples(held, self.text(0)).map(lambda p: f'any(p.lower() == {p[1]} for p in {p[0]} if p != "cher")'),
                st.tuples(held, self.text(0)).map(lambda p: f"{p[1]} in [p.upper() for p in {p[0]}]"),
                self.text(0).map(lambda x: f'any(w in {x}.lower() for w in ["red", "b"])'),
            ]
        if depth > 0:
            inner = self.condition(depth - 1)
            parts += [
                st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
                inner.map(lambda x: f"(not ({x}))"),
            ]
        return st.one_of(parts)

    def any_value(self) -> SearchStrategy[tuple[str, str]]:
        """An expression with its kind."""
        return st.one_of(
            self.number().map(lambda x: (x, "float")),
            self.text().map(lambda x: (x, "str")),
            self.day().map(lambda x: (x, "date")),
            self.moment().map(lambda x: (x, "datetime")),
            self.length().map(lambda x: (x, "duration")),
            self.condition(1).map(lambda x: (x, "bool")),
        )
