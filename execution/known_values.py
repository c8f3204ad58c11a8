"""What is known of a property's values, asked once per generation of the store: can a query read them, in which units.

Kept in memory for as long as the graph is open, and beside the generation's indexes.
"""

from __future__ import annotations

from typing import Any, Final
from weakref import WeakKeyDictionary

from ..operators.nodes import AttributeType
from ..store.graph import Graph
from ..store.rdf import NamedNode
from .context import RetrieveContext
from .kept_file import KeptFile

FORMAT: Final = 1
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
_known: WeakKeyDictionary[Graph, dict[str, dict[str, Any]]] = WeakKeyDictionary()


def is_plain(prop: str, kind: AttributeType, context: RetrieveContext) -> bool:
    """Whether a query can read every value of the property as the type."""
    known = _facts(context)
    name = f"{kind} {prop}"
    if name not in known:
        test = f"!isLiteral(?v) || !COALESCE({_PLAIN[kind]}, false)"
        odd = context.graph.ask(f"ASK {{ ?e {NamedNode(prop)} ?v FILTER({test}) }}")
        _learn(context, name, not odd)
    return bool(known[name])


def units_beside(prop: str, unit_property: str, context: RetrieveContext) -> tuple[str, ...]:
    """The units that the events of a property state in another one, commonest first; "" where one states none."""
    known = _facts(context)
    name = f"unit {prop} {unit_property}"
    if name not in known:
        rows = context.graph.select(
            f"SELECT ?u (COUNT(DISTINCT ?e) AS ?n) {{ ?e {NamedNode(prop)} ?v "
            f"OPTIONAL {{ ?e {NamedNode(unit_property)} ?u }} }} GROUP BY ?u ORDER BY DESC(?n) ?u"
        )
        _learn(context, name, [unit.value if unit is not None else "" for unit, _ in rows])
    return tuple(known[name])


def _facts(context: RetrieveContext) -> dict[str, Any]:
    by_generation = _known.setdefault(context.graph, {})
    if context.generation not in by_generation:
        by_generation[context.generation] = _file(context).read() or {}
    return by_generation[context.generation]


def _file(context: RetrieveContext) -> KeptFile:
    return KeptFile(context.index_folder, _NAME, f"{context.generation} {FORMAT}")


def _learn(context: RetrieveContext, name: str, fact: bool | list[str]) -> None:
    """Keeps a fact. Raises StoreError where the file cannot be written."""
    known = _facts(context)
    known[name] = fact
    _file(context).write(known)
