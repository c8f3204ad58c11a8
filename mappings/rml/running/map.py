"""Triples maps compiled to functions that append N-Quads lines (RML-Core, The Generated RDF Triples)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from ....ontology.namespaces import EV, RDF_TYPE
from ....store.rdf import NamedNode
from ..model import Constant, PredicateObjectMap, RefObjectMap, TermMap, TriplesMap
from ..nquads import text_of
from ..run_state import Note, Run, once_per_iteration
from .terms import DEFAULT_GRAPH, Terms, compile_terms, constant_term
from .values import Scope, Values, first_key, key_name, references_of

Emit = Callable[[Any, list[str]], None]
"""Appends the lines of one iteration."""
_Pair = Callable[[Any, list[str], list[str]], None]
_Ends = Callable[[Any], list[str]]
_ESSENTIAL = EV + "start"
"""Without a time, an event whose export states one is not what happened: its record is kept out."""


@dataclass(frozen=True)
class CompiledTriplesMap:
    """One triples map ready to run; `subjects` are shared by maps whose subject map says the same."""

    model: TriplesMap
    emit: Emit
    subjects: Terms
    lacks: Callable[[Any], Note | None]
    """What an event cannot do without and could not be read on this iteration; None where nothing is wrong."""


class MapCompiler:
    """Compiles the triples maps of one run. `scope_of` gives each map's scope, `join_of` the index of a join."""

    def __init__(
        self, scope_of: Callable[[TriplesMap], Scope], join_of: Callable[[RefObjectMap, TriplesMap], Join]
    ) -> None:
        self._scope_of = scope_of
        self._join_of = join_of
        self._subjects: dict[tuple[Any, ...], Terms] = {}

    def subjects(self, triples_map: TriplesMap) -> Terms:
        """The compiled subject map, the same function for equal ones over the same iterations."""
        scope = self._scope_of(triples_map)
        own = triples_map.name if triples_map.subject.expression is None else ""
        key = (triples_map.subject, id(scope), own)
        if key not in self._subjects:
            terms = compile_terms(scope, triples_map.subject, f"{len(self._subjects)}")
            self._subjects[key] = once_per_iteration(scope.run, terms)
        return self._subjects[key]

    def compile(self, triples_map: TriplesMap) -> CompiledTriplesMap:
        """The map as a function. Raises MappingError for an expression that is wrong."""
        scope = self._scope_of(triples_map)
        subjects = self.subjects(triples_map)
        subject_ends = self._ends(scope, triples_map.graphs)
        pairs = [self._pair(scope, triples_map, pair, f"o{at}") for at, pair in enumerate(triples_map.pairs)]
        tails = [
            f" <{RDF_TYPE}> {constant_term(Constant(NamedNode(iri)), scope.base_iri)}" for iri in triples_map.classes
        ]

        def emit(iteration: Any, out: list[str]) -> None:
            found = subjects(iteration)
            if not found:
                return
            if tails:
                ends = subject_ends(iteration)
                out += [f"{subject}{tail}{end}" for subject in found for tail in tails for end in ends]
            for pair in pairs:
                pair(iteration, found, out)

        return CompiledTriplesMap(triples_map, emit, subjects, self._lacks(scope, triples_map, subjects))

    def _lacks(self, scope: Scope, triples_map: TriplesMap, subjects: Terms) -> Callable[[Any], Note | None]:
        found = [item for pair in triples_map.pairs if _is_essential(pair) for item in pair.objects]
        needed = [
            (compile_terms(scope, item, f"n{at}"), _keys_of(item))
            for at, item in enumerate(found)
            if isinstance(item, TermMap) and not isinstance(item.expression, Constant)
        ]
        if not needed:
            return lambda _: None
        keys = frozenset(key for _, own in needed for key in own)
        all_terms = [terms for terms, _ in needed]

        def lacks(iteration: Any) -> Note | None:
            if not subjects(iteration) or any([terms(iteration) for terms in all_terms]):
                return None
            return _first_note(scope.run, keys)

        return lacks

    def _ends(self, scope: Scope, graphs: tuple[TermMap, ...]) -> _Ends:
        """What follows the object on a line: the graph and the dot, once per graph."""
        forced = scope.run.graph
        if forced is not None:
            only = [f" {forced} .\n"]
            return lambda _: only
        if not graphs:
            default = [" .\n"]
            return lambda _: default
        getters = [compile_terms(scope, graph, f"g{at}") for at, graph in enumerate(graphs)]
        if all(isinstance(graph.expression, Constant) for graph in graphs):
            fixed = _line_ends(chain.from_iterable(getter(None) for getter in getters))
            return lambda _: fixed
        return lambda iteration: _line_ends(chain.from_iterable(getter(iteration) for getter in getters))

    def _pair(self, scope: Scope, triples_map: TriplesMap, pair: PredicateObjectMap, name: str) -> _Pair:
        ends = self._ends(scope, tuple(dict.fromkeys(triples_map.graphs + pair.graphs)))
        predicates = _all(compile_terms(scope, predicate, "p") for predicate in pair.predicates)
        plain = [item for item in pair.objects if isinstance(item, TermMap)]
        objects = _all(compile_terms(scope, item, f"{name}x{at}") for at, item in enumerate(plain))
        references = [self._reference(item, triples_map) for item in pair.objects if isinstance(item, RefObjectMap)]
        constant = all(isinstance(predicate.expression, Constant) for predicate in pair.predicates)
        if constant and len(pair.predicates) == 1 and not references:
            return _simple(f" {predicates(None)[0]} ", objects, ends)
        return _general(predicates, objects, references, ends)

    def _reference(self, item: RefObjectMap, child: TriplesMap) -> Join:
        return self._join_of(item, child)


def _is_essential(pair: PredicateObjectMap) -> bool:
    terms = [item.expression.term for item in pair.predicates if isinstance(item.expression, Constant)]
    return any(isinstance(term, NamedNode) and term.value == _ESSENTIAL for term in terms)


def _keys_of(item: TermMap) -> frozenset[str]:
    """The keys that notes on a term map name."""
    if item.expression is None:
        return frozenset()
    return frozenset((first_key(item.expression), *(key_name(part.text) for part in references_of(item.expression))))


def _first_note(run: Run, keys: frozenset[str]) -> Note | None:
    return next((note for note in run.notes if note.key in keys), None)


def _line_ends(graphs: Any) -> list[str]:
    return [" .\n" if graph == f"<{DEFAULT_GRAPH}>" else f" {graph} .\n" for graph in dict.fromkeys(graphs)]


def _all(parts: Any) -> Terms:
    getters: list[Terms] = list(parts)
    if len(getters) == 1:
        return getters[0]
    return lambda iteration: [term for getter in getters for term in getter(iteration)]


def _simple(middle: str, objects: Terms, ends: _Ends) -> _Pair:
    """One constant predicate, no joins: the common case."""

    def pair(iteration: Any, subjects: list[str], out: list[str]) -> None:
        found = objects(iteration)
        if found:
            for end in ends(iteration):
                out += [f"{subject}{middle}{term}{end}" for subject in subjects for term in found]

    return pair


def _general(predicates: Terms, objects: Terms, joins: list[Join], ends: _Ends) -> _Pair:
    def pair(iteration: Any, subjects: list[str], out: list[str]) -> None:
        heads = [f"{subject} {predicate} " for subject in subjects for predicate in predicates(iteration)]
        tails = ends(iteration)
        terms = objects(iteration)
        out += [f"{head}{term}{tail}" for head in heads for term in terms for tail in tails]
        for join in joins:
            join.emit(iteration, heads, tails, out)

    return pair


Key = tuple[str, ...]


def keys_of(run: Run, values: list[Values], iteration: Any) -> list[Key]:
    """Every combination of the join values of an iteration; none when one of them is missing."""
    return list(run.combinations([[text_of(value) for value in getter(iteration)] for getter in values]))


@dataclass
class Join:
    """One referencing object map at work.

    Without conditions, `parents` are the parent's subjects on the child's own iteration. With them, the parent's
    iterations are added to the index first; while it is not `complete`, what asks is kept and answered by `flush`.
    """

    run: Run
    children: list[Values]
    parent_values: list[Values]
    parents: Terms
    complete: bool = False
    index: dict[Key, dict[str, None]] = field(default_factory=dict)
    waiting: list[tuple[list[str], list[str], list[Key]]] = field(default_factory=list)

    def add(self, iteration: Any) -> None:
        """Index one iteration of the parent."""
        subjects = self.parents(iteration)
        if subjects:
            for key in keys_of(self.run, self.parent_values, iteration):
                self.index.setdefault(key, {}).update(dict.fromkeys(subjects))

    def emit(self, iteration: Any, heads: list[str], tails: list[str], out: list[str]) -> None:
        """Append the lines of one iteration of the child, or keep them until the index is complete."""
        if not self.parent_values:
            terms = self.parents(iteration)
            out += [f"{head}{term}{tail}" for head in heads for term in terms for tail in tails]
            return
        keys = keys_of(self.run, self.children, iteration)
        if self.complete:
            out += self._lines(heads, tails, keys)
        elif keys:
            self.waiting.append((heads, tails, keys))

    def flush(self) -> Iterator[str]:
        """The lines that were kept, those of each iteration as one text; the index is complete now."""
        self.complete = True
        for heads, tails, keys in self.waiting:
            yield "".join(self._lines(heads, tails, keys))
        self.waiting.clear()

    def _lines(self, heads: list[str], tails: list[str], keys: list[Key]) -> list[str]:
        terms = dict.fromkeys(term for key in keys for term in self.index.get(key, ()))
        return [f"{head}{term}{tail}" for head in heads for term in terms for tail in tails]
