"""Which kind of chart shows some data: the first rule whose ASK holds of it, with the reason that the rule gives."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from typing import Final

from ....errors import QueryError, RuleError
from ....ontology.namespaces import CHART, RDFS, SH
from ....planner.rules.rulebook import own_prefixes
from ....store.graph import MemoryGraph
from ....store.rdf import NamedNode, Triple, parse_turtle
from .describing import DATA, described
from .frame import ChartData

_SHIPPED: Final = "mappings/charts/charts.ttl"
_RULES: Final = """SELECT DISTINCT ?rule ?name ?value WHERE { ?rule a chart:Rule ; ?name ?value }"""
_VARIABLE: Final = re.compile(r"[?$]data\b")
Document = tuple[str, str]
"""A file's path and its Turtle."""


class Kind(StrEnum):
    """The kinds of charts; none where nothing is drawn."""

    BAR = "bar"
    HORIZONTAL_BAR = "horizontal-bar"
    GROUPED_BAR = "grouped-bar"
    STACKED_BAR = "stacked-bar"
    LINE = "line"
    AREA = "area"
    PIE = "pie"
    HISTOGRAM = "histogram"
    SCATTER = "scatter"
    HEATMAP = "heatmap"
    CALENDAR = "calendar"
    MAP = "map"
    TABLE = "table"
    NONE = "none"


@dataclass(frozen=True)
class Rule:
    """One rule, with the file that it stands in."""

    iri: str
    path: str
    order: float
    kind: Kind
    ask: str
    reason: str

    @property
    def name(self) -> str:
        """How messages call it."""
        return f"{self.path}: chart rule {self.iri}"


def chosen(data: ChartData, own: Sequence[Document] = ()) -> Iterable[Rule]:
    """The rules that hold of some data, the first first; `own` are a user's rules. Raises RuleError for a document
    that is malformed, and for a rule that is no ASK or gives no kind of chart."""
    graph = MemoryGraph.of_triples(described(data))
    for rule in rules_of(tuple(own)):
        if _holds(rule, graph):
            yield rule


@lru_cache(maxsize=8)
def rules_of(own: tuple[Document, ...] = ()) -> tuple[Rule, ...]:
    """The shipped rules with a user's own, in their order."""
    found = [rule for path, text in (_shipped(), *own) for rule in _rules_in(path, text)]
    return tuple(sorted(found, key=lambda rule: (rule.order, rule.iri)))


@lru_cache(maxsize=1)
def _shipped() -> Document:
    *folders, name = _SHIPPED.split("/")
    return _SHIPPED, files("reqap_kg").joinpath(*folders, name).read_text("utf-8")


def _rules_in(path: str, text: str) -> Iterable[Rule]:
    graph = MemoryGraph(parse_turtle(text, path=path, error=RuleError))
    prefixes = "".join(f"PREFIX {name}: <{iri}> " for name, iri in own_prefixes(text).items() if name)
    for iri, said in graph.select(_RULES).by_subject().items():
        rule = _rule(iri, path, said, prefixes)
        _holds(rule, _nothing())  # tells at once of an ASK that is wrong
        yield rule


def _rule(iri: str, path: str, said: dict[str, list[str]], prefixes: str) -> Rule:
    name = f"{path}: chart rule {iri}"
    kind, ask = _one(name, said, CHART + "kind", "chart:kind"), _one(name, said, SH + "ask", "sh:ask")
    if kind not in list(Kind):
        near = get_close_matches(kind, list(Kind), 1)
        raise RuleError(
            f"{name} gives {kind!r}, which is no kind of chart",
            expected=f"one of {', '.join(Kind)}",
            nearest=near[0] if near else None,
        )
    order = said.get(SH + "order", ["0"])[0]
    try:
        place = float(order)
    except ValueError as bad:
        raise RuleError(f"{name}: sh:order is {order!r}", expected="a number") from bad
    reason = said.get(RDFS + "comment") or said.get(RDFS + "label") or [""]
    return Rule(iri, path, place, Kind(kind), prefixes + ask, reason[0])


def _one(name: str, said: dict[str, list[str]], iri: str, called: str) -> str:
    found = said.get(iri, [])
    if len(found) != 1:
        raise RuleError(f"{name} has {len(found) or 'no'} {called}", expected="one")
    return found[0]


def _holds(rule: Rule, graph: MemoryGraph) -> bool:
    try:
        return graph.ask(_VARIABLE.sub(f"<{DATA.value}>", rule.ask))
    except QueryError as bad:
        raise RuleError(f"{rule.name}: {bad}") from bad


@lru_cache(maxsize=1)
def _nothing() -> MemoryGraph:
    return MemoryGraph.of_triples([Triple(DATA, NamedNode(CHART + "analysis"), NamedNode(CHART + "Data"))])
