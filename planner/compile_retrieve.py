"""RETRIEVE as a graph pattern: one solution per event, with every attribute that something above wants.

An event has one value of an attribute that is no list: where several stand in the graph (two exports of one thing, two
derivations), the least, so that no event is counted twice.
"""

from __future__ import annotations

from ..errors import TreeTypeError
from ..ontology.namespaces import EV
from ..operators.nodes import AttributeType, Retrieve
from ..operators.resolution import AttributeMatch, ClassMatch, Constraint
from ..operators.standard import STANDARD
from ..operators.types import DATETIME, LIST, Type, type_of_attribute
from .compile_scope import START, Column, Context, Items, Lines, Rows, Want, rows_of, subselect
from .compile_terms import iri, string

NOTHING = 'xsd:integer("")'
"""An expression without a value."""
_MOMENTS = frozenset({EV + "start", EV + "end"})
"""Properties known to hold wall-clock xsd:dateTime, which need no checks."""


def retrieve(context: Context, node: Retrieve, wants: tuple[Want, ...], queries: tuple[str, ...]) -> Rows:
    """The rows of a RETRIEVE; `queries` are those of the RETRIEVEs over it, outermost first."""
    queries = (*queries, node.query)
    if node.source is not None:
        return _among(context, node, wants, queries)
    event = context.names.fresh("event")
    named = {want.name for want in wants}
    given = [want for want in context.standard if want.name not in named]
    pattern = matching(context, event, node.query)
    lines, raw = reads(context, event, pattern, tuple(dict.fromkeys([*wants, *given])), queries)
    if not lines:
        lines = subselect([event], pattern, distinct=True)
    columns = {want.name: raw[event, want] for want in given}
    return Rows(lines, columns, (event,), raw, _order(raw, event))


def reads(
    context: Context, event: str, pattern: Lines, wants: tuple[Want, ...], queries: tuple[str, ...]
) -> tuple[Lines, dict[tuple[str, Want], Column]]:
    """Lines that read attributes of the events of a pattern, one solution for each event, and the attributes by want.

    No lines where nothing but lists is read. What nothing stands for is left out.
    """
    raw: dict[tuple[str, Want], Column] = {}
    projection, optional = [event], list[str]()
    for want in wants:
        match = _match(context, queries, want)
        if match is None:
            continue
        kind = _type(want, match)
        if kind == LIST:
            raw[event, want] = Column(LIST, items=Items(tuple((event, name) for name in match.properties)))
            continue
        variable = context.names.fresh(want.name or "start")
        inner = context.names.fresh(f"{variable[1:]}_of")
        optional += _read(context, event, match, want.type, inner)
        projection.append(f"(MIN({inner}) AS {variable})")
        raw[event, want] = Column(kind, variable)
    return (subselect(projection, [*pattern, *optional], (f"GROUP BY {event}",)) if optional else ()), raw


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
        return (f"{event} ev:retrievedBy {iri(match.activity)} .",)
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
    values = ", ".join(string(value.lower()) for value in constraint.values)
    return (f"{event} {iri(constraint.property)} {held} .", f"FILTER(LCASE(STR({held})) IN ({values}))")


def _match(context: Context, queries: tuple[str, ...], want: Want) -> AttributeMatch | None:
    if want == START:
        return AttributeMatch((EV + "start",))
    found = context.attribute(queries, want.name)
    if found is None and STANDARD.get(want.name) is want.type:
        return AttributeMatch((EV + want.name.partition("_")[0],))
    return found if found is not None and found.properties else None


def _type(want: Want, match: AttributeMatch) -> Type:
    if want == START:
        return DATETIME
    return type_of_attribute(want.type, match.unit, match.unit_property)


def _read(context: Context, event: str, match: AttributeMatch, kind: AttributeType, variable: str) -> list[str]:
    """Lines that bind `variable` to the attribute, read as a type, of the first property that the event has."""
    if len(match.properties) == 1:
        return [_optional(context, event, match.properties[0], kind, variable)]
    lines, parts = list[str](), list[str]()
    for name in match.properties:
        parts.append(context.names.fresh(f"{variable[1:]}_part"))
        lines.append(_optional(context, event, name, kind, parts[-1]))
    return [*lines, f"BIND(COALESCE({', '.join(parts)}) AS {variable})"]


def _optional(context: Context, event: str, name: str, kind: AttributeType, variable: str) -> str:
    if kind is AttributeType.DATETIME and name in _MOMENTS:
        return f"OPTIONAL {{ {event} {iri(name)} {variable} . }}"
    held = context.names.fresh(f"{variable[1:]}_held")
    known = name in _MOMENTS
    test = ""
    if kind is AttributeType.TIME and known:  # a day without a time is not midnight
        test = f'FILTER NOT EXISTS {{ {event} ev:timePrecision "day" }} '
    check = "" if known or kind is AttributeType.STR else f" FILTER(BOUND({variable}))"
    bind = f"BIND({cast(held, kind, moment=known)} AS {variable})"
    return f"OPTIONAL {{ {event} {iri(name)} {held} . {test}{bind}{check} }}"


def cast(value: str, kind: AttributeType, *, moment: bool = False) -> str:
    """A value of the graph read as a type; an error where it is none. `moment`: it is known to be an xsd:dateTime."""
    text = f"STR({value})"
    if kind is AttributeType.STR:
        return text
    if kind is AttributeType.INT:
        return f"xsd:integer(xsd:decimal({value}))"
    if kind in (AttributeType.FLOAT, AttributeType.DURATION):
        return f"xsd:decimal({value})"
    if kind is AttributeType.BOOL:
        return f"xsd:boolean({value})"
    if kind is AttributeType.DATE:
        made = f"STRDT(SUBSTR({text}, 1, 10), xsd:date)"
        return made if moment else _checked(text, "^[0-9]{4}-[0-9]{2}-[0-9]{2}", made)
    if kind is AttributeType.DATETIME:
        clock = f'SUBSTR(CONCAT(SUBSTR({text}, 12), "00:00:00"), 1, 8)'
        made = f'STRDT(CONCAT(SUBSTR({text}, 1, 10), "T", {clock}), xsd:dateTime)'
        return _checked(text, "^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}|$)", made)
    clock = f"SUBSTR({text}, 12, 8)" if moment else f'SUBSTR(CONCAT(REPLACE({text}, "^.*T", ""), ":00"), 1, 8)'
    made = f"STRDT({clock}, xsd:time)"
    return made if moment else _checked(text, "^(.*T)?[0-9]{2}:[0-9]{2}", made)


def _checked(text: str, pattern: str, made: str) -> str:
    return f"IF(REGEX({text}, {string(pattern)}), {made}, {NOTHING})"
