"""RETRIEVE as a graph pattern: one solution per event, with every attribute that something above wants.

An event has one value of an attribute that is no list: where several stand in the graph (two exports of one thing, two
derivations), the least, so that no event is counted twice. Where it is known that there is one at most, the attribute
is read beside the event (`compile_reads`), and all others together with it, event by event.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..errors import TreeTypeError
from ..operators.checking.types import DATETIME, LIST, Type, type_of_attribute
from ..operators.nodes import AttributeType, Retrieve
from ..operators.resolution import AttributeMatch, ClassMatch, Constraint, PropertyFacts, RetrieveMatch
from ..operators.standard import STANDARD
from .expressions.casts import MOMENTS, PLAIN_NUMBER, PLAIN_TEXT, cast, reading_of
from .expressions.terms import iri, string
from .reads import Read, days_worth, reads_whole
from .scope import START, Column, Context, Items, Lines, Rows, Want, rows_of, subselect


def retrieve(context: Context, node: Retrieve, wants: tuple[Want, ...], queries: tuple[str, ...]) -> Rows:
    """The rows of a RETRIEVE; `queries` are those of the RETRIEVEs over it, outermost first."""
    queries = (*queries, node.query)
    if node.source is not None:
        return _among(context, node, wants, queries)
    maker = _Maker(context, context.names.fresh("event"), context.match(node.query))
    named = {want.name for want in wants}
    given = [want for want in context.standard if want.name not in named]
    raw = maker.columns(dict.fromkeys([*wants, *given]), queries)
    pattern = matching(context, maker.event, node.query)
    if maker.match is not None and not maker.match.plain and not maker.grouped:
        pattern = subselect([maker.event], pattern, distinct=True)
    if isinstance(maker.match, ClassMatch) and maker.match.plain:
        worth = days_worth(maker.match.events, maker.match.by_day)
        context.reads.dated(maker.event, worth, maker.match.by_day or 0.0)
    lines = (*maker.together(pattern), *maker.beside())
    columns = {want.name: raw[maker.event, want] for want in given}
    return Rows(lines, columns, (maker.event,), raw, _order(raw, maker.event))


def reads(
    context: Context, event: str, pattern: Lines, wants: tuple[Want, ...], queries: tuple[str, ...]
) -> tuple[Lines, dict[tuple[str, Want], Column]]:
    """Lines that read attributes of the events of a pattern, one solution for each event, and the attributes by want.

    The pattern is repeated where the lines need it. What nothing stands for is left out.
    """
    maker = _Maker(context, event, None)
    raw = maker.columns(wants, queries)
    return (*(maker.together(pattern) if maker.grouped else ()), *maker.beside()), raw


class _Maker:
    """Gathers the lines that read the attributes of one event variable."""

    def __init__(self, context: Context, event: str, match: RetrieveMatch | None) -> None:
        self.context, self.event, self.match = context, event, match
        self._optional: list[str] = []
        self._projection: list[str] = []
        self._beside: list[str] = []
        self._reads: dict[tuple[str, str], Read] = {}

    @property
    def grouped(self) -> bool:
        """Whether attributes are read together with the events, one solution made of several."""
        return bool(self._optional)

    def together(self, pattern: Lines) -> Lines:
        """The pattern of the events, with what is read together with them."""
        if not self.grouped:
            return pattern
        projection, grouping = [self.event, *self._projection], (f"GROUP BY {self.event}",)
        return subselect(projection, [*pattern, *self._optional], grouping)

    def beside(self) -> Lines:
        """What is read beside the events: triples and tables, then what is computed of them."""
        return tuple(sorted(self._beside, key=lambda line: line.startswith("BIND(")))

    def columns(self, wants: Iterable[Want], queries: tuple[str, ...]) -> dict[tuple[str, Want], Column]:
        """The attributes by want, as far as something stands for them; their lines are kept."""
        matches = {want: _match(self.context, queries, want) for want in wants}
        return {(self.event, want): self.column(want, match) for want, match in matches.items() if match is not None}

    def column(self, want: Want, match: AttributeMatch) -> Column:
        """The column of an attribute; its lines are kept."""
        kind = _type(want, match)
        facts = [self.context.facts(name) for name in match.properties]
        if kind == LIST:
            named = dict(zip(match.properties, facts, strict=True))
            plain = frozenset(name for name, held in named.items() if held.once and held.datatypes == PLAIN_TEXT)
            whole = frozenset(name for name in plain if self._whole(named[name]))
            return Column(LIST, items=Items(tuple((self.event, name) for name in named), plain, whole))
        if all(held.single for held in facts):
            return self._read(want, match, kind)
        variable = self.context.names.fresh(want.name or "start")
        inner = self.context.names.fresh(f"{variable[1:]}_of")
        lines = _grouped(self.context, self.event, match, want.type, inner)
        self._optional += lines
        self._projection.append(f"(MIN({inner}) AS {variable})")
        return Column(kind, variable)

    def _read(self, want: Want, match: AttributeMatch, kind: Type) -> Column:
        """An attribute of which each property is read beside the event."""
        made = [self._value(name, want) for name in match.properties]
        first = made[0]
        if len(made) == 1 and first.text.startswith("?"):
            return Column(kind, first.text, moment=first.moment)
        variable = self.context.names.fresh(want.name or "start")
        if len(made) == 1:
            self.context.reads.derive(variable, first.read, certain=first.certain)
            self._beside.append(f"BIND({first.text} AS {variable})")
            return Column(kind, variable, moment=first.moment)
        self._beside.append(f"BIND(COALESCE({', '.join(value.text for value in made)}) AS {variable})")
        return Column(kind, variable)

    def _value(self, name: str, want: Want) -> _Value:
        """A property's value read as the attribute's type."""
        facts = self.context.facts(name)
        untimed = want.type is AttributeType.TIME and name in MOMENTS and not self._timed()
        read = self._read_of(name, untimed=untimed)
        way = reading_of(want.type, facts.datatypes, moment=name in MOMENTS)
        moment = read.variable if way.moment else None
        return _Value(read, way.text(read.variable), way.certain, moment)

    def _timed(self) -> bool:
        return isinstance(self.match, ClassMatch) and self.match.timed

    def _read_of(self, name: str, *, untimed: bool) -> Read:
        """The read of a property, the same for all attributes that it answers."""
        key = (name, "timed" if untimed else "")
        if key not in self._reads:
            facts, names = self.context.facts(name), self.context.names
            variable = names.fresh(name.rpartition("#")[2].rpartition("/")[2])
            match = self.match if isinstance(self.match, ClassMatch) else None
            sure = match is not None and name in match.complete and not untimed
            held = names.fresh(f"{variable[1:]}_held")
            # A day without a time is not midnight.
            test = f' FILTER NOT EXISTS {{ {self.event} ev:timePrecision "day" }}' if untimed else ""
            text, number = facts.datatypes == PLAIN_TEXT, facts.datatypes == PLAIN_NUMBER
            read = Read(self.event, iri(name), variable, held, sure, text, test, number)
            self._reads[key] = read
            self._beside.append(self.context.reads.add(read, whole=not untimed and self._whole(facts)))
        return self._reads[key]

    def _whole(self, facts: PropertyFacts) -> bool:
        match = self.match
        if not isinstance(match, ClassMatch) or match.constraints:
            return False
        return reads_whole(match.events, facts.subjects)


@dataclass(frozen=True)
class _Value:
    """A read value as an expression; `certain`: it has a value wherever the property has."""

    read: Read
    text: str
    certain: bool
    moment: str | None


def _order(raw: dict[tuple[str, Want], Column], event: str) -> tuple[tuple[str, bool], ...]:
    start = raw.get((event, START))
    return ((start.variable, False), (event, False)) if start else ()


def _among(context: Context, node: Retrieve, wants: tuple[Want, ...], queries: tuple[str, ...]) -> Rows:
    """RETRIEVE over the events of another tree: those of them that the query names."""
    assert node.source is not None
    rows = rows_of(context.compile(context, node.source, wants, queries), "RETRIEVE")
    if len(rows.events) != 1:
        raise TreeTypeError("RETRIEVE works on a list of single events, neither joined nor grouped")
    event = rows.events[0]
    return rows.adding(subselect([event], matching(context, event, node.query), distinct=True))


def matching(context: Context, event: str, query: str) -> Lines:
    """The pattern of the events that a query names."""
    match = context.match(query)
    if not isinstance(match, ClassMatch):
        found = f"{event} ev:retrievedBy {iri(match.activity)} ."
        if match.same is None:
            return (found,)
        return found, f"FILTER NOT EXISTS {{ {event} {iri(match.same)} {context.names.fresh('happening')} }}"
    if not match.classes:
        raise TreeTypeError(f"RETRIEVE of {query!r} was resolved to no class")
    if len(match.classes) == 1:
        lines = [f"{event} a {iri(match.classes[0])} ."]
    else:
        kind = context.names.fresh("class")
        lines = [f"VALUES {kind} {{ {' '.join(map(iri, match.classes))} }}", f"{event} a {kind} ."]
    for constraint in match.constraints:
        lines += _constraint(context, event, constraint)
    return tuple(lines)


def _constraint(context: Context, event: str, constraint: Constraint) -> Lines:
    if not constraint.values:
        raise TreeTypeError(f"no value of <{constraint.property}> is accepted")
    held = context.names.fresh("held")
    triple = f"{event} {iri(constraint.property)} {held} ."
    if constraint.spelled is not None and len(constraint.spelled) == 1:
        return (f"{event} {iri(constraint.property)} {string(constraint.spelled[0])} .",)
    if constraint.spelled is not None:
        return (f"VALUES {held} {{ {' '.join(map(string, constraint.spelled))} }}", triple)
    values = ", ".join(string(value.lower()) for value in constraint.values)
    return (triple, f"FILTER(LCASE(STR({held})) IN ({values}))")


def _match(context: Context, queries: tuple[str, ...], want: Want) -> AttributeMatch | None:
    if want == START:
        return AttributeMatch((context.moment(queries, "start"),))
    found = context.attribute(queries, want.name)
    if found is None and STANDARD.get(want.name) is want.type:
        return AttributeMatch((context.moment(queries, want.name.partition("_")[0]),))
    return found if found is not None and found.properties else None


def _type(want: Want, match: AttributeMatch) -> Type:
    if want == START:
        return DATETIME
    return type_of_attribute(want.type, match.unit, match.unit_property)


def _grouped(context: Context, event: str, match: AttributeMatch, kind: AttributeType, variable: str) -> list[str]:
    """Lines that bind `variable` to the attribute, read as a type, of the first property that the event has."""
    if len(match.properties) == 1:
        return [_optional(context, event, match.properties[0], kind, variable)]
    lines, parts = list[str](), list[str]()
    for name in match.properties:
        parts.append(context.names.fresh(f"{variable[1:]}_part"))
        lines.append(_optional(context, event, name, kind, parts[-1]))
    return [*lines, f"BIND(COALESCE({', '.join(parts)}) AS {variable})"]


def _optional(context: Context, event: str, name: str, kind: AttributeType, variable: str) -> str:
    line = _optional_line(context, event, name, kind, variable)
    context.reads.add_grouped(line, variable)
    return line


def _optional_line(context: Context, event: str, name: str, kind: AttributeType, variable: str) -> str:
    if kind is AttributeType.DATETIME and name in MOMENTS:
        return f"OPTIONAL {{ {event} {iri(name)} {variable} . }}"
    held = context.names.fresh(f"{variable[1:]}_held")
    known = name in MOMENTS
    test = ""
    if kind is AttributeType.TIME and known:  # a day without a time is not midnight
        test = f'FILTER NOT EXISTS {{ {event} ev:timePrecision "day" }} '
    check = "" if known or kind is AttributeType.STR else f" FILTER(BOUND({variable}))"
    bind = f"BIND({cast(held, kind, moment=known)} AS {variable})"
    return f"OPTIONAL {{ {event} {iri(name)} {held} . {test}{bind}{check} }}"
