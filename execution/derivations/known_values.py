"""What is known of a property's values, asked once for the sources that have it: can a query read them, in which units.

Kept in memory for as long as the graph is open, and beside the store's indexes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from weakref import WeakKeyDictionary

from ...operators.nodes import AttributeType
from ...store.graph import Graph
from ...store.rdf import NamedNode
from ..context import StoreContext
from .cache_file import CacheFile

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
