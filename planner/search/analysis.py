"""The analysis type of an answer (QUASL, section V-C): what it tells, by declared rules over its tree's operators."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ...errors import QueryError, RuleError
from ...operators.nodes import Node
from ...store.graph import MemoryGraph
from ...store.rdf import Literal, NamedNode, Quad
from ...store.trees import tree_triples

_RULES = """SELECT ?rule ?type ?ask WHERE {
  ?rule a pg:AnalysisRule ; pg:analysis ?type ; sh:ask ?ask . OPTIONAL { ?rule sh:order ?order }
} ORDER BY ?order ?rule"""
_TOP = NamedNode("urn:tree")
_KNOWN = re.compile(r"[?$](top|answerType)\b")


class Analyses:
    """The analysis rules of a rule book, in their order."""

    def __init__(self, quads: Iterable[Quad]) -> None:
        self._rules = _rules_of(tuple(quads))

    def of(self, tree: Node, answer_type: str) -> str:
        """The first analysis type whose ASK holds; empty where none does. Raises RuleError for an ASK that is wrong."""
        if not self._rules:
            return ""
        graph = MemoryGraph.of_triples(tree_triples(tree, _TOP))
        known = {"top": str(_TOP), "answerType": str(Literal(answer_type))}
        for rule, kind, ask in self._rules:
            try:
                if graph.ask(_KNOWN.sub(lambda found: known[found[1]], ask)):
                    return kind
            except QueryError as bad:
                raise RuleError(f"analysis rule {rule}: {bad}") from bad
        return ""


@lru_cache(maxsize=8)
def _rules_of(quads: tuple[Quad, ...]) -> tuple[tuple[str, str, str], ...]:
    """(rule, type, ASK) of each analysis rule, in their order; kept, as most planners have the same rule book."""
    found = MemoryGraph(quads).select(_RULES)
    return tuple((str(rule), kind.value, ask.value) for rule, kind, ask in found if kind and ask)
