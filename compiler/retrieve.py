"""RETRIEVE as a graph pattern: one solution per event, with every attribute that something above wants.

An event has one value of an attribute that is no list: where several stand in the graph (two exports of one thing, two
derivations), the least, so that no event is counted twice. Where it is known that there is one at most, the attribute
is read beside the event (`reads`), and all others together with it, event by event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ..errors import TreeTypeError
from ..ontology.namespaces import EV, RDF_TYPE
from ..operators.checking.types import DATETIME, LIST, Type, type_of_attribute
from ..operators.nodes import AttributeType, Retrieve
from ..operators.resolution import AttributeMatch, ClassMatch, Constraint, PropertyFacts, RetrieveMatch
from ..operators.standard import STANDARD
from .expressions.casts import MOMENTS, PLAIN_NUMBER, PLAIN_TEXT, cast, reading_of
from .reads import days_worth, reads_whole
from .scope import START, Column, Context, Items, Rows, Want, rows_of
from .sparql.algebra import (
    Aggregate,
    Exists,
    Expr,
    Extend,
    Filter,
    In,
    Iri,
    LeftJoin,
    Not,
    OrderBy,
    Pattern,
    Read,
    Select,
    Step,
    Values,
    Var,
    call,
    coalesced,
    text,
    triple,
)
from .sparql.steps import no_day

TYPE, RETRIEVED = Iri(RDF_TYPE), Iri(EV + "retrievedBy")


def matching(match: RetrieveMatch, event: Var, fresh: Callable[[str], Var]) -> Pattern:
    """The pattern of the events that a match holds for; `fresh` gives variables of its own. Raises TreeTypeError for a
    constraint that accepts nothing."""
    if isinstance(match, ClassMatch):
        constraints = (step for one in match.constraints for step in _constraint(one, event, fresh))
        return (*of_classes(match.classes, event, fresh), *constraints)
    found = triple(event, RETRIEVED, Iri(match.activity))
    if match.same is None:
        return (found,)
    return found, Filter(Not(Exists((triple(event, Iri(match.same), fresh("happening")),))))


def of_classes(classes: tuple[str, ...], event: Var, fresh: Callable[[str], Var]) -> Pattern:
    """The pattern of the events of any of some classes."""
    if len(classes) == 1:
        return (triple(event, TYPE, Iri(classes[0])),)
    kind = fresh("class")
    return Values(kind, tuple(map(Iri, classes))), triple(event, TYPE, kind)


def _constraint(constraint: Constraint, event: Var, fresh: Callable[[str], Var]) -> Pattern:
    if not constraint.values:
        raise TreeTypeError(f"no value of <{constraint.property}> is accepted")
    if constraint.spelled is not None and len(constraint.spelled) == 1:
        return (triple(event, Iri(constraint.property), text(constraint.spelled[0])),)
    held = fresh("held")
    found = triple(event, Iri(constraint.property), held)
    if constraint.spelled is not None:
        return Values(held, tuple(map(text, constraint.spelled))), found
    values = tuple(text(value.lower()) for value in constraint.values)
    return found, Filter(In(call("LCASE", call("STR", held)), values))


def retrieve(context: Context, node: Retrieve, wants: tuple[Want, ...], queries: tuple[str, ...]) -> Rows:
    """The rows of a RETRIEVE; `queries` are those of the RETRIEVEs over it, outermost first."""
    queries = (*queries, node.query)
    if node.source is not None:
        return _among(context, node, wants, queries)
    maker = _Maker(context, context.names.fresh("event"), context.match(node.query))
    named = {want.name for want in wants}
    given = [want for want in context.standard if want.name not in named]
    raw = maker.columns(dict.fromkeys([*wants, *given]), queries)
    pattern = _matching(context, maker.event, node.query)
    if maker.match is not None and not maker.match.plain and not maker.grouped:
        pattern = (Select((maker.event,), pattern, distinct=True),)
    if isinstance(maker.match, ClassMatch) and maker.match.plain:
        worth = days_worth(maker.match.events, maker.match.by_day)
        context.reads.dated(maker.event, worth, maker.match.by_day or 0.0)
    steps = (*maker.together(pattern), *maker.beside())
    columns = {want.name: raw[maker.event, want] for want in given}
    return Rows(steps, columns, (maker.event,), raw, _order(raw, maker.event))


def reads(
    context: Context, event: Var, pattern: Pattern, wants: tuple[Want, ...], queries: tuple[str, ...]
) -> tuple[Pattern, dict[tuple[Var, Want], Column]]:
    """Operators that read attributes of a pattern's events, one solution for each, and the attributes by want.

    The pattern is repeated where they need it. What nothing stands for is left out.
    """
    maker = _Maker(context, event, None)
    raw = maker.columns(wants, queries)
    return (*(maker.together(pattern) if maker.grouped else ()), *maker.beside()), raw


class _Maker:
    """Gathers the operators that read the attributes of one event variable."""

    def __init__(self, context: Context, event: Var, match: RetrieveMatch | None) -> None:
        self.context, self.event, self.match = context, event, match
        self._optional: list[Step] = []
        self._least: list[Extend] = []
        self._reads: dict[tuple[str, bool], Read] = {}
        self._computed: list[Extend] = []

    @property
    def grouped(self) -> bool:
        """Whether attributes are read together with the events, one solution made of several."""
        return bool(self._optional)

    def together(self, pattern: Pattern) -> Pattern:
        """The pattern of the events, with what is read together with them."""
        if not self.grouped:
            return pattern
        return (Select((self.event, *self._least), (*pattern, *self._optional), groups=(self.event,)),)

    def beside(self) -> Pattern:
        """What is read beside the events: triples and tables, then what is computed of them."""
        return (*self._reads.values(), *self._computed)

    def columns(self, wants: Iterable[Want], queries: tuple[str, ...]) -> dict[tuple[Var, Want], Column]:
        """The attributes by want, as far as something stands for them; their operators are kept."""
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
        inner = self.context.names.fresh(f"{variable.name}_of")
        self._optional += _grouped(self.context, self.event, match, want.type, inner)
        self._least.append(Extend(variable, Aggregate("MIN", inner)))
        return Column(kind, variable)

    def _read(self, want: Want, match: AttributeMatch, kind: Type) -> Column:
        """An attribute of which each property is read beside the event."""
        made = [self._value(name, want) for name in match.properties]
        first = made[0]
        if len(made) == 1 and isinstance(first.expr, Var):
            return Column(kind, first.expr, moment=first.moment)
        variable = self.context.names.fresh(want.name or "start")
        if len(made) == 1:
            self.context.reads.derive(variable, first.read, certain=first.certain)
            self._computed.append(Extend(variable, first.expr))
            return Column(kind, variable, moment=first.moment)
        self._computed.append(Extend(variable, coalesced(*(value.expr for value in made))))
        return Column(kind, variable)

    def _value(self, name: str, want: Want) -> _Value:
        """A property's value read as the attribute's type."""
        facts = self.context.facts(name)
        timed = want.type is AttributeType.TIME and name in MOMENTS and not self._timed()
        read = self._read_of(name, timed=timed)
        way = reading_of(want.type, facts.datatypes, moment=name in MOMENTS)
        moment = read.variable if way.moment else None
        return _Value(read, way.of(read.variable), way.certain, moment)

    def _timed(self) -> bool:
        return isinstance(self.match, ClassMatch) and self.match.timed

    def _read_of(self, name: str, *, timed: bool) -> Read:
        """The read of a property, the same for all attributes that it answers."""
        if (name, timed) not in self._reads:
            facts, names = self.context.facts(name), self.context.names
            variable = names.fresh(name.rpartition("#")[2].rpartition("/")[2])
            match = self.match if isinstance(self.match, ClassMatch) else None
            sure = match is not None and name in match.complete and not timed
            self._reads[name, timed] = Read(
                self.event,
                Iri(name),
                variable,
                names.fresh(f"{variable.name}_held"),
                sure=sure,
                optional=not sure,
                whole=not timed and self._whole(facts),
                text=facts.datatypes == PLAIN_TEXT,
                number=facts.datatypes == PLAIN_NUMBER,
                timed=timed,
            )
        return self._reads[name, timed]

    def _whole(self, facts: PropertyFacts) -> bool:
        match = self.match
        if not isinstance(match, ClassMatch) or match.constraints:
            return False
        return reads_whole(match.events, facts.subjects)


@dataclass(frozen=True)
class _Value:
    """A read value as an expression; `certain`: it has a value wherever the property has."""

    read: Read
    expr: Expr
    certain: bool
    moment: Var | None


def _order(raw: dict[tuple[Var, Want], Column], event: Var) -> tuple[OrderBy, ...]:
    start = raw.get((event, START))
    return (OrderBy(start.variable), OrderBy(event)) if start else ()


def _among(context: Context, node: Retrieve, wants: tuple[Want, ...], queries: tuple[str, ...]) -> Rows:
    """RETRIEVE over the events of another tree: those of them that the query names."""
    assert node.source is not None
    rows = rows_of(context.compile(context, node.source, wants, queries), "RETRIEVE")
    if len(rows.events) != 1:
        raise TreeTypeError("RETRIEVE works on a list of single events, neither joined nor grouped")
    event = rows.events[0]
    return rows.adding(Select((event,), _matching(context, event, node.query), distinct=True))


def _matching(context: Context, event: Var, query: str) -> Pattern:
    match = context.match(query)
    if isinstance(match, ClassMatch) and not match.classes:
        raise TreeTypeError(f"RETRIEVE of {query!r} was resolved to no class")
    return matching(match, event, context.names.fresh)


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


def _grouped(context: Context, event: Var, match: AttributeMatch, kind: AttributeType, variable: Var) -> Pattern:
    """Operators that bind `variable` to the attribute, read as a type, of the first property that the event has."""
    if len(match.properties) == 1:
        return (_optional(context, event, match.properties[0], kind, variable),)
    parts = {name: context.names.fresh(f"{variable.name}_part") for name in match.properties}
    found = (_optional(context, event, name, kind, part) for name, part in parts.items())
    return (*found, Extend(variable, coalesced(*parts.values())))


def _optional(context: Context, event: Var, name: str, kind: AttributeType, variable: Var) -> LeftJoin:
    if kind is AttributeType.DATETIME and name in MOMENTS:
        return LeftJoin((triple(event, Iri(name), variable),))
    held = context.names.fresh(f"{variable.name}_held")
    known = name in MOMENTS
    steps: list[Step] = [triple(event, Iri(name), held)]
    if kind is AttributeType.TIME and known:
        steps.append(no_day(event))
    steps.append(Extend(variable, cast(held, kind, moment=known)))
    if not known and kind is not AttributeType.STR:
        steps.append(Filter(call("BOUND", variable)))
    return LeftJoin(tuple(steps))
