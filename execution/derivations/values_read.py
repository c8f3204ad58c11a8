"""EXTRACT's second half: values that a query cannot read as they stand are read once and kept as a derivation.

A query reads ISO dates, times with two digits and plain numbers. Where an export writes `14.03.2022`, `9:05 PM`,
`1 h 30 min` or `5,99 €`, or its events state different units, the values of the property are read in Python (by
conventions that all values of one source show together) and written as typed triples of a property of the derivation's
own, so that every query on top is plain SPARQL. Lengths of time are in seconds, quantities in one unit.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final
from weakref import WeakKeyDictionary

from ...errors import StoreError
from ...ontology.namespaces import EV
from ...operators.nodes import AttributeType
from ...operators.reading.readers import METHOD
from ...operators.resolution import AttributeMatch
from ...store.graph import Graph
from ...store.rdf import NamedNode
from ...store.upkeep.disk_space import disk_error_message
from ..context import StoreContext
from ..units import MEASURED, Stated, convertible, stated_unit, unit_called
from .derive import is_derived
from .values_written import Summary, Task, derive_values, derived_property, read_summary, unit_property

_STATE: Final = "state"


@dataclass(frozen=True)
class CacheFile:
    """One such file, `name`.json; nothing is kept where there is no folder. `state` names all that its content depends
    on: what was kept in another state does not hold any more."""

    folder: Path | None
    name: str
    state: str

    def read(self) -> Any:
        """What is kept; None where nothing is, or of another state, or half written or foreign: it is found anew."""
        if self.folder is None:
            return None
        try:
            found = json.loads(self._path(self.folder).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return found.get(self.name) if isinstance(found, dict) and found.get(_STATE) == self.state else None

    def write(self, held: Any) -> None:
        """Keeps what JSON can hold; written beside and moved into place, so that nobody reads half a file. Raises
        StoreError where it cannot be written."""
        if self.folder is None:
            return
        path = self._path(self.folder)
        beside = path.with_suffix(f".{os.getpid()}.new")
        try:
            text = json.dumps({_STATE: self.state, self.name: held}, ensure_ascii=False)
            beside.write_text(text, encoding="utf-8")
            beside.replace(path)
        except OSError as bad:
            raise StoreError(disk_error_message(bad, self.folder) or f"{path} cannot be written: {bad}") from bad
        finally:
            beside.unlink(missing_ok=True)

    def _path(self, folder: Path) -> Path:
        return folder / f"{self.name}.json"


FORMAT: Final = 2
_NAME: Final = "values"
_NUMERIC: Final = 'isNumeric(?v) || REGEX(STR(?v), "^[-+]?[0-9]+([.][0-9]+)?$")'
_MOMENT: Final = "DATATYPE(?v) = xsd:dateTime"
_DAY: Final = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_PLAIN: Final = {
    AttributeType.INT: _NUMERIC,
    AttributeType.FLOAT: _NUMERIC,
    AttributeType.DURATION: _NUMERIC,
    AttributeType.BOOL: 'isNumeric(?v) || STR(?v) IN ("true", "false", "1", "0")',
    AttributeType.DATE: f'{_MOMENT} || REGEX(STR(?v), "^{_DAY}([T ].*)?$")',
    AttributeType.DATETIME: f'{_MOMENT} || REGEX(STR(?v), "^{_DAY}(T[0-9]{{2}}:[0-9]{{2}}:[0-9]{{2}}.*)?$")',
    AttributeType.TIME: f'{_MOMENT} || REGEX(STR(?v), "^(.*T)?[0-9]{{2}}:[0-9]{{2}}(:[0-9]{{2}}([.Z+-].*)?)?$")',
}
"""Whether the compiled query reads a value ?v as a type."""
_known: WeakKeyDictionary[Graph, dict[str, list[Any]]] = WeakKeyDictionary()


def is_plain(prop: str, kind: AttributeType, context: StoreContext) -> bool:
    """Whether a query can read every value of the property as the type."""

    def ask() -> bool:
        test = f"!isLiteral(?v) || !COALESCE({_PLAIN[kind]}, false)"
        return not context.graph.ask(f"ASK {{ ?e {NamedNode(prop)} ?v FILTER({test}) }}")

    return bool(_known_of(f"{kind} {prop}", (prop,), ask, context))


def units_beside(prop: str, unit_property: str, context: StoreContext) -> tuple[str, ...]:
    """The units that the events of a property state in another one, commonest first; "" where one states none."""

    def ask() -> list[str]:
        rows = context.graph.select(
            f"SELECT ?u (COUNT(DISTINCT ?e) AS ?n) {{ ?e {NamedNode(prop)} ?v "
            f"OPTIONAL {{ ?e {NamedNode(unit_property)} ?u }} }} GROUP BY ?u ORDER BY DESC(?n) ?u"
        )
        return [unit.value if unit is not None else "" for unit, _ in rows]

    return tuple(_known_of(f"unit {prop} {unit_property}", (prop, unit_property), ask, context))


def _known_of(name: str, reads: tuple[str, ...], ask: Callable[[], Any], context: StoreContext) -> Any:
    """A fact about properties, asked where nothing is known of what their sources hold now. Raises StoreError where the
    file cannot be written."""
    file = CacheFile(context.index_folder, _NAME, str(FORMAT))
    held = _known.get(context.graph)
    if held is None:
        held = _known[context.graph] = file.read() or {}
    state = context.state(reads)
    if held.get(name, [None])[0] != state:
        held[name] = [state, ask()]
        file.write(held)
    return held[name][1]


READER = "values"
"""What stands for the model."""
_WIDEST = (
    (frozenset({AttributeType.DATE, AttributeType.TIME, AttributeType.DATETIME}), AttributeType.DATETIME),
    (frozenset({AttributeType.INT, AttributeType.FLOAT}), AttributeType.FLOAT),
    (frozenset({AttributeType.INT, AttributeType.FLOAT, AttributeType.DURATION}), AttributeType.DURATION),
)
_MOMENTS = frozenset({EV + "start", EV + "end"})
"""Always wall-clock moments: the import checks them."""


@dataclass(frozen=True, slots=True)
class Readable:
    """An attribute whose values a query can read, and what the reader should know of those that none can."""

    match: AttributeMatch
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _One:
    """One property of a match: what to read in its place, in which unit, and where the unit is said per event."""

    property: str
    unit: str | None = None
    unit_property: str | None = None
    warnings: tuple[str, ...] = ()


def readable(
    match: AttributeMatch,
    kind: AttributeType,
    observed: Sequence[str],
    context: StoreContext,
    *,
    unit: str | None = None,
) -> Readable:
    """The attribute with properties that a query can read as a type; `observed` are those that its events have.

    `unit` is the unit that its quantities shall be in, if it is one that they convert to; else it is that of the
    ontology, or the commonest.
    """
    if kind in (AttributeType.STR, AttributeType.LIST):
        return Readable(match)
    target = unit or (match.unit if kind is not AttributeType.DURATION else "s")
    found: list[_One] = []
    for prop in match.properties:
        one = _one(prop, kind, target, observed, context)
        target = target or one.unit
        found.append(one)
    if kind not in MEASURED:
        properties = tuple(one.property for one in found)
        return Readable(replace(match, properties=properties), _warnings(found))
    return Readable(
        replace(
            match,
            properties=tuple(one.property for one in found),
            unit=target,
            unit_property=next((one.unit_property for one in found if one.unit_property), None),
        ),
        _warnings(found),
    )


def wider(one: AttributeType, other: AttributeType) -> AttributeType:
    """The type that a key is read as which a tree asks for as two types: the one that the other can be made of."""
    kinds = {one, other}
    for together, widest in _WIDEST:
        if kinds <= together:
            return widest if len(kinds) > 1 else one
    return other if one in (AttributeType.STR, AttributeType.LIST) else one


def _warnings(found: Sequence[_One]) -> tuple[str, ...]:
    return tuple(warning for one in found for warning in one.warnings)


def _one(prop: str, kind: AttributeType, target: str | None, observed: Sequence[str], context: StoreContext) -> _One:
    stated = stated_unit(prop, kind, observed, context.vocabulary)
    if prop in _MOMENTS or prop not in observed:
        return _One(prop, stated.fixed or target, stated.property)
    units = units_beside(prop, stated.property, context) if stated.property else ()
    if is_plain(prop, kind, context) and not _converts(stated, units, target, kind, context):
        shared = _shared(units, context) if units else stated.fixed
        return _One(prop, shared, stated.property if shared is None else None)
    task = Task(prop, kind, target, stated)
    reads = (prop, *((stated.property,) if stated.property else ()))
    step = context.step("EXTRACT", task.text, READER, METHOD, reads=reads)
    if not is_derived(context.graph, step):
        derive_values(step, task, context)
    told = read_summary(step, context.graph)
    shared = unit_property(step) if told.mixed else None
    return _One(derived_property(step), told.unit, shared, _told(prop, kind, told, context))


def _shared(units: Sequence[str], context: StoreContext) -> str | None:
    """The one unit that all events state, if it is known."""
    known = {unit.symbol if unit else None for unit in (unit_called(text, context.vocabulary) for text in units)}
    return known.pop() if len(known) == 1 else None


def _converts(
    stated: Stated, units: Sequence[str], target: str | None, kind: AttributeType, context: StoreContext
) -> bool:
    """Whether plain numbers must be converted: they are in different units of one kind, or in another than wanted."""
    written = [unit for unit in units or (stated.fixed or "",) if unit]
    known = [unit for text in written if (unit := unit_called(text, context.vocabulary, kind))]
    if kind is AttributeType.DURATION:
        return len(known) < len(written) or any(unit.symbol != "s" for unit in known)
    wanted = unit_called(target, context.vocabulary) if target else next(iter(known), None)
    if wanted is None:
        return False
    if "" in units and known:
        return True
    changing = [unit for unit in known if unit.symbol != wanted.symbol]
    return any(convertible(unit, wanted) for unit in changing)


_KINDS = {
    AttributeType.INT: "number",
    AttributeType.FLOAT: "number",
    AttributeType.BOOL: "yes or no",
    AttributeType.DATE: "date",
    AttributeType.TIME: "time",
    AttributeType.DATETIME: "date and time",
    AttributeType.DURATION: "length of time",
}


def _told(prop: str, kind: AttributeType, found: Summary, context: StoreContext) -> tuple[str, ...]:
    """What could not be read, and what was assumed."""
    name = context.vocabulary.property_label(prop) or prop
    told: list[str] = []
    if found.unread:
        example = f", e.g. {found.example!r}" if found.example else ""
        verb = "is" if found.unread == 1 else "are"
        told.append(f"{found.unread} of {found.values} values of '{name}' {verb} no {_KINDS[kind]}{example}")
    if found.assumed:
        verb = "states no unit and is" if found.assumed == 1 else "state no unit and are"
        told.append(f"{found.assumed} of {found.values} values of '{name}' {verb} taken as {found.unit}")
    return tuple(told)
