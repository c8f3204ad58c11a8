"""Random algebra: expressions of any form, and queries with the facts that reads state, over small random data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from reqap_kg.compiler.sparql.algebra import (
    BOOLEAN,
    DECIMAL,
    INTEGER,
    Aggregate,
    Call,
    Exists,
    Expr,
    Extend,
    Filter,
    In,
    Iri,
    Join,
    LeftJoin,
    Literal,
    Not,
    Operation,
    OrderBy,
    Pattern,
    Read,
    Select,
    Step,
    Union,
    Values,
    Var,
    call,
    coalesced,
    triple,
)
from reqap_kg.ontology.namespaces import DATA, EV, RDF_TYPE, XSD
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.rdf import Literal as Term
from reqap_kg.store.rdf import NamedNode, Quad

EVENT = Var("event")
SURE, OPTIONAL, SEVERAL = (Iri(EV + name) for name in ("sure", "optional", "several"))
"""Properties that every event has once, at most once, and as often as it likes."""
_A, _TYPE = Iri(EV + "A"), Iri(RDF_TYPE)

# ---------------------------------------------------------------- expressions of any form
TERMS: SearchStrategy[Expr] = st.one_of(
    st.sampled_from([Var("a"), Var("b_2"), Var("é")]),
    st.integers(-9, 9).map(lambda number: Literal(str(number), INTEGER)),
    st.decimals(-9, 9, places=2).map(lambda number: Literal(format(number, "f"), DECIMAL)),
    st.text().map(Literal),
    st.builds(Literal, st.text(), st.sampled_from([INTEGER, DECIMAL, BOOLEAN, XSD + "date", "urn:other"])),
    st.sampled_from([Literal("true", BOOLEAN), Iri(EV + "start"), Iri(EV + "a.b/c"), Iri(EV + "-x"), Iri("urn:x")]),
)
_PATTERNS: SearchStrategy[Pattern] = st.lists(
    st.one_of(
        st.builds(triple, st.just(EVENT), st.sampled_from([SURE, _TYPE, Var("p")]), TERMS),
        st.builds(Values, st.just(Var("c")), st.lists(st.sampled_from([_A, Literal("x y")]), max_size=3).map(tuple)),
    ),
    min_size=1,
    max_size=3,
).map(tuple)


def _wider(inner: SearchStrategy[Expr]) -> SearchStrategy[Expr]:
    def chained(operator: str) -> SearchStrategy[Expr]:
        operands = inner.filter(lambda part: not (isinstance(part, Operation) and part.operator == operator))
        return st.lists(operands, min_size=2, max_size=3).map(lambda parts: Operation(operator, tuple(parts)))

    binary = st.sampled_from(["+", "-", "*", "/", "=", "!=", "<", "<=", ">", ">="])
    return st.one_of(
        st.builds(Operation, binary, st.tuples(inner, inner)),
        chained("&&"),
        chained("||"),
        st.builds(Not, inner),
        st.builds(In, inner, st.lists(inner, max_size=3).map(tuple)),
        st.builds(call, st.sampled_from(["STR", "FLOOR", "YEAR", Iri(DECIMAL), Iri("urn:f")]), inner),
        st.builds(Call, st.sampled_from(["COALESCE", "CONCAT"]), st.lists(inner, max_size=3).map(tuple)),
        st.builds(call, st.just("IF"), inner, inner, inner),
        st.builds(Exists, _PATTERNS),
    )


EXPRESSIONS = st.recursive(TERMS, _wider, max_leaves=12)


# ---------------------------------------------------------------- queries over data
@st.composite
def data(draw: DrawFn) -> MemoryGraph:
    """A few events with the properties."""
    quads = list[Quad]()
    for number in range(draw(st.integers(0, 4))):
        event = NamedNode(f"{DATA}e{number}")
        values = st.integers(0, 3)
        said = [(SURE, draw(values))]
        said += [(OPTIONAL, value) for value in draw(st.lists(values, max_size=1))]
        said += [(SEVERAL, value) for value in draw(st.lists(values, max_size=3, unique=True))]
        quads.append(Quad(event, NamedNode(RDF_TYPE), NamedNode(_A.value)))
        quads += [Quad(event, NamedNode(name.value), Term(value)) for name, value in said]
    return MemoryGraph(quads)


@st.composite
def patterns(draw: DrawFn, fresh: Callable[[str], Var], depth: int = 2) -> Pattern:
    """A pattern of events, and what is read, computed and asked of them."""
    made: list[Step] = [triple(EVENT, _TYPE, _A)]
    held = list[Var]()
    for _ in range(draw(st.integers(0, 5))):
        step = draw(_step(tuple(made), tuple(held), fresh, depth))
        made.append(step)
        held += sorted(_new(step) - {EVENT, *held}, key=lambda name: name.name)
    return tuple(made)


def _new(step: Step) -> frozenset[Var]:
    return frozenset({step.variable}) if isinstance(step, Extend) else step.variables


@st.composite
def _step(draw: DrawFn, before: Pattern, held: tuple[Var, ...], fresh: Callable[[str], Var], depth: int) -> Step:
    kinds = ["read", "read", "extend", "filter", "several", "optional", "again", "values", "either"]
    kind = draw(st.sampled_from([*kinds, "fold", "inner"] if depth else kinds))
    number = draw(_numbers(held))
    if kind == "read":
        sure = draw(st.booleans())
        name, needed = fresh("read"), draw(st.booleans())
        whole = draw(st.booleans())
        return Read(EVENT, SURE if sure else OPTIONAL, name, fresh("held"), sure, not sure and not needed, whole)
    if kind == "extend":
        return Extend(fresh("made"), number)
    if kind == "several":
        return triple(EVENT, SEVERAL, fresh("several"))
    if kind == "optional":
        name = fresh("found")
        tests = [Filter(Operation("<", (name, number)))] if draw(st.booleans()) else []
        return LeftJoin((triple(EVENT, draw(st.sampled_from([SEVERAL, OPTIONAL])), name), *tests))
    if kind == "again":  # the same part twice, as what is behind an answer is joined with it
        return Join(before)
    if kind == "values":
        name = draw(st.sampled_from(held)) if held else fresh("given")
        return Values(name, tuple(Literal(str(n), INTEGER) for n in draw(st.lists(st.integers(0, 3), max_size=3))))
    if kind == "either":
        name = fresh("either")
        return Union(((triple(EVENT, SURE, name),), (triple(EVENT, SEVERAL, name),)))
    if kind == "fold":
        return draw(_fold(fresh))
    if kind == "inner":
        inside = draw(patterns(fresh, depth - 1))
        seen = tuple(sorted({EVENT, *(name for step in inside for name in _new(step))}, key=lambda name: name.name))
        return Select(seen, inside, distinct=draw(st.booleans()))
    return Filter(draw(_tests(number, held)))


def _numbers(held: tuple[Var, ...]) -> SearchStrategy[Expr]:
    whole: SearchStrategy[Expr] = st.integers(0, 3).map(lambda number: Literal(str(number), INTEGER))
    names = st.sampled_from(held) if held else whole
    return st.one_of(whole, names, names, names.map(lambda name: coalesced(name, 0)), st.builds(_plus, names, whole))


def _plus(one: Expr, other: Expr) -> Expr:
    return one + other


def _tests(number: Expr, held: tuple[Var, ...]) -> SearchStrategy[Expr]:
    compared = Operation("<", (number, Literal("2", INTEGER)))
    exists = Exists((triple(EVENT, SEVERAL, Var("inside")), Filter(Operation("<=", (Var("inside"), number)))))
    bound = [call("BOUND", name) for name in held]
    return st.sampled_from([compared, Not(compared), exists, Not(exists), *bound, *map(Not, bound)])


@st.composite
def _fold(draw: DrawFn, fresh: Callable[[str], Var]) -> Step:
    """The least of each of some properties, for each event."""
    inside, columns = list[Step]([triple(EVENT, _TYPE, _A)]), list[Var | Extend]([EVENT])
    for name in draw(st.lists(st.sampled_from([SURE, OPTIONAL, SEVERAL]), max_size=3)):
        value = fresh("value")
        inside.append(LeftJoin((triple(EVENT, name, value),)))
        columns.append(Extend(fresh("least"), Aggregate(draw(st.sampled_from(["MIN", "MAX"])), value)))
    made = Select(tuple(columns), tuple(inside), groups=(EVENT,))
    return LeftJoin((made,)) if draw(st.booleans()) else made


def names() -> Callable[[str], Var]:
    """Gives variables that were not given before."""
    numbers: Iterator[int] = count(1)
    return lambda wish: Var(f"{wish}_{next(numbers)}")


@st.composite
def queries(draw: DrawFn) -> Select:
    """A query that shows some of what its pattern binds."""
    pattern = draw(patterns(names()))
    seen = sorted({name for step in pattern for name in _new(step)}, key=lambda name: name.name)
    columns = tuple(draw(st.lists(st.sampled_from(seen), min_size=1, max_size=3, unique=True)))
    if draw(st.booleans()):
        shown = Extend(Var("count"), Aggregate(draw(st.sampled_from(["COUNT", "MAX", "SUM"])), columns[0]))
        return Select((*columns[1:], shown), pattern, groups=columns[1:])
    return Select(columns, pattern, distinct=draw(st.booleans()), order=(OrderBy(columns[0], draw(st.booleans())),))


@st.composite
def folded(draw: DrawFn) -> Select:
    """Groups, and folds of each: of the groups' own rows, of more of them, or of fewer."""
    fresh = names()
    key, summed = fresh("key"), fresh("summed")
    rows: Pattern = (
        triple(EVENT, _TYPE, _A),
        triple(EVENT, SEVERAL, key),
        Read(EVENT, SURE, summed, fresh("held"), True),
    )
    grouped = draw(st.booleans())
    keys, same = ((key,), (Extend(Var("same"), coalesced(key, 0)),)) if grouped else ((), ())
    steps: list[Step] = [Select(keys, rows, distinct=True), *same] if grouped else []
    shown = list[Var](keys)
    for _ in range(draw(st.integers(1, 3))):
        more = draw(
            st.sampled_from([(), (Extend(fresh("more"), summed + 1),), (Filter(Operation("<", (summed, key))),)])
        )
        made = draw(st.sampled_from([Aggregate("COUNT"), Aggregate("SUM", summed), Aggregate("MAX", summed)]))
        shown.append(fresh("fold"))
        steps.append(LeftJoin((Select((*keys, Extend(shown[-1], made)), (*rows, *more), groups=keys), *same)))
    if draw(st.booleans()):
        steps.append(Filter(call("BOUND", shown[-1])))
    return Select(tuple(shown), tuple(steps))
