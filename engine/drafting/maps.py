"""The RML map of a draft: each row a resource, keys as links, columns as values of their kind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote

from ...ontology.namespaces import EV, FN, RDFS, RML, XSD
from ...sources.text import slug
from .model import Column, Draft, Fact, Kind, Property, Reading, Table
from .names import local_name
from .turtle import Writer
from .written import BASE, link_iri, raw_iri, space_of, used_links, writer_of

_BRACES: Final = re.compile(r"([\\{}])")


def map_of(draft: Draft) -> str:
    """The map of all tables, as Turtle."""
    out = writer_of(draft, "The tables as they are: one resource a row, keys as links (docs/mapping-functions.md).")
    for iri in (RML + "TriplesMap", FN + "x", EV + "x", RDFS + "x", XSD + "x"):
        out.iri(iri)
    targets = {link.target for link in used_links(draft)}
    for number, table in enumerate(draft.tables, 1):
        fact = next((one for one in draft.facts if one.table == table.name), None)
        if fact is None and table.name not in targets:
            continue
        out.raw(["", *_table(draft, table, fact, number, out)])
    return out.whole()


def _template(draft: Draft, table: Table, column: Column | None = None) -> str:
    """The template of a row's IRI: of the key, or of the column of another table that names the row."""
    names = [one.name for one in draft.tables]
    place = f"{quote(slug(table.name) or 'table')}-{names.index(table.name) + 1}"
    keys = [column] if column else list(table.key_columns)
    parts = "/".join(f"{{{_in_template(key.reference)}}}" for key in keys)
    return f"{BASE}{quote(slug(draft.name) or 'domain')}/{place}/{parts}"


def _in_template(name: str) -> str:
    return _BRACES.sub(r"\\\1", name)


def _table(draft: Draft, table: Table, fact: Fact | None, number: int, out: Writer) -> Iterator[str]:
    name = f"<#{local_name(table.name, 'Table', upper=True)}{number}>"
    rml = {
        term: out.iri(RML + term) for term in ("logicalSource", "subjectMap", "template", "class", "predicateObjectMap")
    }
    yield f"{name} a {out.iri(RML + 'TriplesMap')} ; {out.iri(EV + 'emptyIsNull')} true ;"
    yield f"  {rml['logicalSource']} [ {_source(table.reading, out)} ] ;"
    of_class = f" ; {rml['class']} {out.iri(space_of(draft) + fact.local)}" if fact else ""
    template = out.text(_template(draft, table, _target_key(draft, table)))
    yield f"  {rml['subjectMap']} [ {rml['template']} {template}{of_class} ] ;"
    pairs = list(_pairs(draft, table, fact, out))
    yield f"  {rml['predicateObjectMap']}"
    for at, (predicates, value) in enumerate(pairs):
        said = " , ".join(map(out.iri, predicates))
        yield f"    [ {out.iri(RML + 'predicate')} {said} ; {out.iri(RML + 'objectMap')} [ {value} ] ]" + (
            " ." if at == len(pairs) - 1 else " ,"
        )


def _target_key(draft: Draft, table: Table) -> Column | None:
    """The column by which other tables name the rows of this one."""
    found = next((link for link in used_links(draft) if link.target == table.name), None)
    return table.columns[found.target_column] if found else None


def _source(reading: Reading, out: Writer) -> str:
    formulation = "JSONPath" if reading.iterator else "CSV"
    path = out.text(reading.path)
    nulls = ", ".join(map(out.text, reading.nulls))
    if reading.nulls:
        path = (
            f"[ a {out.iri(RML + 'RelativePathSource')} ; {out.iri(RML + 'root')} {out.iri(RML + 'MappingDirectory')} ;"
            f" {out.iri(RML + 'path')} {path} ; {out.iri(RML + 'null')} {nulls} ]"
        )
    iterator = f" ; {out.iri(RML + 'iterator')} {out.text(reading.iterator)}" if reading.iterator else ""
    source, read = out.iri(RML + "source"), out.iri(RML + "referenceFormulation")
    return f"{source} {path} ; {read} {out.iri(RML + formulation)}{iterator}"


Pair = tuple[list[str], str]


def _pairs(draft: Draft, table: Table, fact: Fact | None, out: Writer) -> Iterator[Pair]:
    """Predicates with the inside of their object map."""
    if fact:
        yield [EV + "sourceId"], _source_id(table, out)
        if fact.time and not fact.time[0]:
            yield [EV + "start"], _moment(fact.time[1], out)
    links = used_links(draft)
    if (
        any(link.target == table.name for link in links)
        and table.label is not None
        and not (fact and _labelled(draft, table))
    ):
        yield [RDFS + "label"], _label(table, out)
    for link in (one for one in draft.links if one.table == table.name and one in links):
        column, other = table.columns[link.column], draft.table(link.target)
        template = _template(draft, other, column)
        yield [link_iri(draft, link.table, link.column)], f"{out.iri(RML + 'template')} {out.text(template)}"
    for column in table.columns:
        predicates = _predicates(draft, table, column, fact)
        if predicates:
            is_time = _is_header_time(draft, table, column)
            yield predicates, _moment(column, out) if is_time else _value(column, out)


def _labelled(draft: Draft, table: Table) -> bool:
    """Whether the label is given with the column's own property."""
    return any((table.name, table.label) in one.columns and (table.name, ()) in one.paths for one in draft.properties)


def _predicates(draft: Draft, table: Table, column: Column, fact: Fact | None) -> list[str]:
    found: list[str] = []
    mine = [one for one in draft.properties if (table.name, column.number) in one.columns]
    own = [one for one in mine if fact and (table.name, ()) in one.paths]
    found += [space_of(draft) + one.local for one in own]
    if own and column.number == table.label:
        found.append(RDFS + "label")
    if any(_needs_raw(one) for one in mine) or _is_header_time(draft, table, column):
        found.append(raw_iri(draft, table.name, column.number))
    return found


def _is_header_time(draft: Draft, table: Table, column: Column) -> bool:
    """Whether a column says when facts happened that refer to the table."""
    times = ((f.time[0][-1].target, f.time[1].number) for f in draft.facts if f.time and f.time[0])
    return (table.name, column.number) in times


def _needs_raw(one: Property) -> bool:
    return not one.named and any(path for _, path in one.paths)


def _source_id(table: Table, out: Writer) -> str:
    if len(table.key) == 1:
        return _reference(table.key_columns[0], out)
    template = "-".join(f"{{{_in_template(key.reference)}}}" for key in table.key_columns)
    return f"{out.iri(RML + 'template')} {out.text(template)} ; {out.iri(RML + 'termType')} {out.iri(RML + 'Literal')}"


def _label(table: Table, out: Writer) -> str:
    assert table.label is not None
    last = table.columns[table.label]
    if table.first_name is None:
        return _reference(last, out)
    inputs = [_input("value", table.columns[table.first_name], out), _input("value", last, out)]
    separator = (
        f"[ {out.iri(RML + 'parameter')} {out.iri(FN + 'separator')} ; {out.iri(RML + 'inputValue')} {out.text(' ')} ]"
    )
    return _call("concat", [*inputs, separator], out)


def _reference(column: Column, out: Writer) -> str:
    return f"{out.iri(RML + 'reference')} {out.text(column.reference)}"


def _input(parameter: str, column: Column, out: Writer) -> str:
    value = f"{out.iri(RML + 'inputValueMap')} [ {_reference(column, out)} ]"
    return f"[ {out.iri(RML + 'parameter')} {out.iri(FN + parameter)} ; {value} ]"


def _call(function: str, inputs: list[str], out: Writer) -> str:
    call = f"{out.iri(RML + 'function')} {out.iri(FN + function)} ; {out.iri(RML + 'input')} {' , '.join(inputs)}"
    return f"{out.iri(RML + 'functionExecution')} [ {call} ]"


def _moment(column: Column, out: Writer, function: str = "wallClock") -> str:
    inputs = [_input("value", column, out)]
    if column.pattern:
        pattern = f"{out.iri(RML + 'inputValue')} {out.text(column.pattern)}"
        inputs.append(f"[ {out.iri(RML + 'parameter')} {out.iri(FN + 'pattern')} ; {pattern} ]")
    return _call(function, inputs, out)


def _value(column: Column, out: Writer) -> str:
    """The object map of a column's value."""
    if column.timed:
        return _moment(column, out, "date" if column.kind is Kind.DATE else "wallClock")
    if column.dressed:
        return _call("number", [_input("value", column, out)], out)
    datatype = "" if column.kind is Kind.TEXT else f" ; {out.iri(RML + 'datatype')} {out.iri(XSD + column.kind.value)}"
    return f"{_reference(column, out)}{datatype}"
