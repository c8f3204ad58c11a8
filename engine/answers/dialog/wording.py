"""What a dialog says: the question about a split, by rules in Turtle with jinja2 templates, and the one line of all."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Final

from ....errors import RuleError
from ....ontology.namespaces import DIALOG
from ....store.graph import MemoryGraph
from ....store.rdf import Literal, NamedNode, Triple, parse_turtle
from ..sentence import listed
from .splits import Split

_RULES: Final = """SELECT ?rule ?ask ?template ?name WHERE {
  ?rule a dialog:QuestionRule ; sh:ask ?ask ; dialog:template ?template ; dialog:name ?name ; sh:order ?order
} ORDER BY ?order ?rule"""
_SPLIT: Final = NamedNode("urn:split")
_VARIABLE: Final = re.compile(r"[?$]split\b")


@dataclass(frozen=True)
class Wording:
    """How a split is asked for: the question with its choices, and its name in a list of ways to ask."""

    question: str
    name: str


def wording_of(split: Split, subject: str) -> Wording:
    """The question about a split of `subject`, a noun in the plural. Raises RuleError where no rule holds."""
    groups = tuple(group.label for group in split.all)
    return _worded(_described(split), split.attribute.label, split.grain, groups, subject)


@lru_cache(maxsize=4096)
def _worded(described: frozenset[Triple], label: str, grain: str, groups: tuple[str, ...], subject: str) -> Wording:
    template, name = _chosen(described)
    known = {"label": label, "grain": grain, "subject": subject, "choices": listed(groups, "or")}
    return Wording(_rendered(template, known), _rendered(name, known))


def _rendered(template: str, known: dict[str, str]) -> str:
    return " ".join(_environment().from_string(template).render(known).split())


@lru_cache(maxsize=1024)
def _chosen(described: frozenset[Triple]) -> tuple[str, str]:
    graph = MemoryGraph.of_triples(list(described))
    for ask, template, name in _rules():
        if graph.ask(_VARIABLE.sub(str(_SPLIT), ask)):
            return template, name
    raise RuleError("no rule of mappings/dialog/questions.ttl says how to ask this")


def _described(split: Split) -> frozenset[Triple]:
    """What the rules look at."""
    attribute = split.attribute
    told: dict[str, Any] = {
        "kind": attribute.kind.value,
        "grain": split.grain,
        "label": attribute.label,
        "unit": attribute.unit,
        "choices": len(split.groups),
        "others": True if split.rest is not None else None,
    }
    found = {
        Triple(_SPLIT, NamedNode(DIALOG + name), Literal(value)) for name, value in told.items() if value is not None
    }
    return frozenset({*found, Triple(_SPLIT, NamedNode(DIALOG + "property"), NamedNode(attribute.iri))})


@cache
def _rules() -> tuple[tuple[str, str, str], ...]:
    """(ASK, template, name) of each rule, in their order."""
    text = files("reqap_kg").joinpath("mappings", "dialog", "questions.ttl").read_text("utf-8")
    found = MemoryGraph(parse_turtle(text)).select(_RULES)
    return tuple((a.value, t.value, n.value) for _, a, t, n in found if a and t and n)


@cache
def _environment() -> Any:
    """Plain text, not HTML: nothing is escaped; templates ship with the package."""
    from jinja2 import StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    return SandboxedEnvironment(undefined=StrictUndefined, autoescape=False)
