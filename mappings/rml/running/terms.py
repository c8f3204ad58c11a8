"""Term maps compiled to functions from an iteration to N-Quads terms (RML-Core, Term generation rules)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....errors import MappingError
from ....ontology.namespaces import RDF, XSD
from ....store.rdf import NamedNode
from ..iris import iri_safe, is_iri, is_language_tag, is_unsafe_iri, is_uri, starts_absolute, uri_safe
from ..model import Call, Constant, Expression, Template, TermMap
from ..nquads import NATURAL, NATURAL_DECIMALS, blank, escape, is_lexical, plain, text_of
from ..run_state import Run
from .values import Scope, Values, first_key, template_values

Terms = Callable[[Any], list[str]]
"""From an iteration to terms as N-Quads text."""

DEFAULT_GRAPH = "http://w3id.org/rml/defaultGraph"

_VALID = {"IRI": is_iri, "URI": is_uri, "UnsafeIRI": is_unsafe_iri, "UnsafeURI": is_unsafe_iri}
_SAFE = {"IRI": iri_safe, "URI": uri_safe}


def compile_terms(scope: Scope, term_map: TermMap, name: str) -> Terms:
    """The compiled term map; `name` makes blank nodes without an expression differ between triples maps."""
    expression = term_map.expression
    if expression is None:
        run = scope.run
        run.numbers_nodes = True
        return lambda _: [f"_:f{name}x{run.serial}"]
    if isinstance(expression, Constant):
        fixed = [constant_term(expression, scope.base_iri)]
        return lambda _: fixed
    if term_map.term_type == "Literal":
        return _literals(scope, term_map, expression)
    if term_map.term_type == "BlankNode":
        values = scope.values(expression)
        return lambda iteration: [blank(text_of(value)) for value in values(iteration)]
    return _iris(scope, term_map.term_type, expression)


def constant_term(constant: Constant, base_iri: str) -> str:
    """A constant as N-Quads text."""
    if isinstance(constant.term, NamedNode):
        iri = constant.term.value
        if not is_unsafe_iri(iri):
            iri = base_iri + iri
        if not is_unsafe_iri(iri):
            raise MappingError(
                f"<{constant.term.value}> is no absolute IRI", place=constant.place, expected="an absolute IRI"
            )
        return f"<{iri}>"
    return str(constant.term)


def _iris(scope: Scope, term_type: str, expression: Expression) -> Terms:
    valid, base, run, key = _VALID[term_type], scope.base_iri, scope.run, first_key(expression)
    if not run.strict and valid is is_unsafe_iri:
        valid = is_iri  # what goes into a store has to be an IRI
    if isinstance(expression, Template):
        values = template_values(scope, expression, _SAFE.get(term_type, _identity))
        if _always_valid(expression, term_type):
            return lambda iteration: [f"<{text}>" for text in values(iteration)]
    else:
        values = scope.values(expression)

    def terms(iteration: Any) -> list[str]:
        found = []
        for value in values(iteration):
            text = text_of(value)
            iri = text if starts_absolute(text) and valid(text) else base + text
            if valid(iri):
                found.append(f"<{iri}>")
            else:
                run.problem(key, text, f"no valid {term_type}")
        return found

    return terms


def _identity(text: str) -> str:
    return text


def _always_valid(template: Template, term_type: str) -> bool:
    """Whether safe values can only make valid IRIs: scheme and authority are the template's own, and so is its form."""
    head = template.parts[0]
    if term_type not in _SAFE or not isinstance(head, str) or not starts_absolute(head):
        return False
    after = head.partition(":")[2]
    if after.startswith("//") and "/" not in after[2:]:
        return False
    return _VALID[term_type]("".join(part if isinstance(part, str) else "x" for part in template.parts))


def _literals(scope: Scope, term_map: TermMap, expression: Expression) -> Terms:
    values = scope.values(expression)
    if term_map.language is not None:
        return _tagged(scope, values, term_map.language)
    if term_map.datatype is not None:
        return _typed(scope, values, term_map.datatype, first_key(expression))
    natural = NATURAL_DECIMALS if scope.decimals or isinstance(expression, Call) else NATURAL
    return lambda iteration: [natural[type(value)](value) for value in values(iteration)]


def _tagged(scope: Scope, values: Values, language: Expression) -> Terms:
    tags, run, key = scope.values(language), scope.run, first_key(language)

    def terms(iteration: Any) -> list[str]:
        found = []
        for tag in map(text_of, tags(iteration)):
            if is_language_tag(tag):
                found += [f"{plain(text_of(value))}@{tag}" for value in values(iteration)]
            else:
                run.problem(key, tag, "no language tag")
        return found

    return terms


def _typed(scope: Scope, values: Values, datatype: TermMap, key: str) -> Terms:
    run = scope.run
    datatypes = compile_terms(scope, datatype, "")

    def terms(iteration: Any) -> list[str]:
        found = []
        for term in datatypes(iteration):
            kind = term[1:-1]
            if kind == RDF + "langString":
                run.problem(key, kind, "a datatype that needs a language")
                continue
            for text in map(text_of, values(iteration)):
                if not is_lexical(text, kind):
                    run.problem(key, text, f"not in the lexical space of <{kind}>")
                else:
                    found.append(plain(text) if kind == XSD + "string" else f'"{escape(text)}"^^{term}')
        return found

    return terms


__all__ = ["DEFAULT_GRAPH", "Run", "Terms", "compile_terms", "constant_term"]
