"""What shapes cannot say of an ontology: formulas and chains over what is not there, hierarchies that go round, labels
that two things share, measures and dimensions that nothing gives."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from itertools import combinations

from ...errors import Place, QueryError
from ...ontology.namespaces import EV, OWL, QB, QUDT, RDF_TYPE, RDFS, RML, SKOS, WH
from ...planner.authoring.findings import Finding, Source
from ...planner.authoring.terms import local, namespace_of
from ...store.graph import MemoryGraph
from ...store.rdf import Literal, NamedNode
from ...store.sparql.reading import check_expression
from ...store.sparql.source import decoded
from ...store.vocabulary import packaged_vocabulary
from ...store.words import nearest_name, normalise
from .parts import MAPS, ONTOLOGY, Parts, Statement
from .shapes import nearest_iri, shipped_types

CHAIN, FORMULA = OWL + "propertyChainAxiom", EV + "formula"
_PROPERTY_KINDS = tuple(OWL + name for name in ("DatatypeProperty", "ObjectProperty", "AnnotationProperty"))
_VARIABLE = re.compile(r"[?$](\w+)")
_ROUND = (WH + "rollsUpTo", WH + "attributeOf", RDFS + "subClassOf")
_COUNTING = frozenset({"count", "distinct"})
_HEAD = "SELECT (("


def check_ontology(parts: Parts) -> None:
    """Adds what is wrong in the ontology."""
    made = frozenset[str]() if MAPS in parts.unread else made_predicates(parts)
    _check_formulas(parts)
    _check_chains(parts, made)
    for predicate in _ROUND:
        _check_round(
            parts, predicate, {(s.subject, s.value): s for s in parts.of(ONTOLOGY) if s.predicate == predicate}
        )
    _check_levels(parts)
    _check_labels(parts)
    _check_units(parts)
    _check_given(parts, made)


def _check_units(parts: Parts) -> None:
    """Units that nothing knows: numbers with units do not find such a column, and are not converted."""
    known = packaged_vocabulary().units
    for one in parts.of(ONTOLOGY):
        if one.predicate == QUDT + "unit" and one.value not in known:
            message = f"no unit is known as {parts.short(one.value)}: numbers with units do not find the column"
            parts.warn(message, one.place, nearest_iri(one.value, sorted(known), parts))


def check_own_predicates(parts: Parts, asked: Collection[str]) -> None:
    """Predicates of the domain's own with which its ontology says something, and which no rule asks for."""
    own, declared = own_namespaces(parts), declared_properties(parts)
    read = sorted(iri for iri in asked if namespace_of(iri) in own)
    for one in parts.of(ONTOLOGY):
        if namespace_of(one.predicate) in own and one.predicate not in declared and one.predicate not in asked:
            message = f"nothing reads {parts.short(one.predicate)}"
            nearest = nearest_iri(one.predicate, read, parts)
            parts.error(message, one.predicate_place, nearest, expected="what a rule or pattern asks for")


def declared_properties(parts: Parts) -> frozenset[str]:
    """The properties of the domain's ontology and of what ships."""
    shipped = shipped_types(parts.domain.uses)
    found = {iri for iri, kinds in shipped.items() if kinds & {*_PROPERTY_KINDS}}
    for one in parts.of(ONTOLOGY):
        if one.predicate == RDF_TYPE and (one.value in _PROPERTY_KINDS or one.value.startswith(QB)):
            found.add(one.subject)
    return frozenset(found)


def chain_items(parts: Parts) -> list[Statement]:
    """What the chains go by."""
    return [item for one in parts.of(ONTOLOGY) if one.predicate == CHAIN for item in parts.items(one.value)]


def made_predicates(parts: Parts) -> frozenset[str]:
    """The predicates that the maps name."""
    return frozenset(one.value for one in predicate_statements(parts))


def predicate_statements(parts: Parts) -> Iterator[Statement]:
    """The places at which maps name a predicate."""
    maps = {one.value for one in parts.of(MAPS) if one.predicate == RML + "predicateMap"}
    for one in parts.of(MAPS):
        constant = one.predicate == RML + "constant" and one.subject in maps
        if (constant or one.predicate == RML + "predicate") and isinstance(one.quad.object, NamedNode):
            yield one


def tables_of(parts: Parts, prop: str) -> frozenset[str]:
    """The classes that have a property."""
    return frozenset(parts.objects(prop, RDFS + "domain"))


# ---------------------------------------------------------------- formulas
def _check_formulas(parts: Parts) -> None:
    used: dict[tuple[str, str], Statement] = {}
    for one in parts.of(ONTOLOGY):
        if one.predicate != FORMULA or one.said is None or one.said.object.kind != "STRING":
            continue
        source = Source(one.document, one.subject, one.said, decoded(one.said.object))
        if not _is_expression(source, parts):
            continue
        for match in _VARIABLE.finditer(source.text.text):
            place = source.place(match.start())
            found = _meant(match[1], one.subject, parts)
            if found is None:
                names = {local(iri) for iri in _named_by(one.subject, parts)}
                best = nearest_name(match[1], names)
                message = f"the formula of {parts.short(one.subject)} uses ?{match[1]}, which is no property"
                parts.error(message, place, best and f"?{best}", expected="a property of the same namespace, or of ev:")
                continue
            used[one.subject, found] = one
            _check_tables(one, found, place, parts)
    _check_round(parts, FORMULA, used)


def _is_expression(source: Source, parts: Parts) -> bool:
    text = source.text.text
    try:
        check_expression(text)
    except QueryError as bad:
        parts.findings.append(Finding.of(bad, source.place_of(bad)))
        return False
    try:
        MemoryGraph().answered(f"{_HEAD}{text}\n) AS ?value_) WHERE {{}}", bool)
    except QueryError as bad:
        parts.findings.append(Finding.of(bad, source.place_of(bad, 0, len(_HEAD))))
        return False
    return True


def _meant(name: str, prop: str, parts: Parts) -> str | None:
    known = _named_by(prop, parts)
    return next((iri for iri in (namespace_of(prop) + name, EV + name) if iri in known), None)


def _named_by(prop: str, parts: Parts) -> frozenset[str]:
    """What variables of a formula may mean."""
    spaces = (namespace_of(prop), EV)
    own = {one.subject for one in parts.of(ONTOLOGY) if isinstance(one.quad.subject, NamedNode)}
    return frozenset(iri for iri in (*declared_properties(parts), *own) if namespace_of(iri) in spaces)


def _check_tables(one: Statement, used: str, place: Place, parts: Parts) -> None:
    mine, theirs = tables_of(parts, one.subject), tables_of(parts, used)
    if mine and theirs and not mine & theirs:
        tables = ", ".join(map(parts.short, sorted(mine)))
        message = f"the formula of {parts.short(one.subject)} uses {parts.short(used)}, which {tables} does not have"
        parts.error(message, place, expected=f"a property with rdfs:domain {tables}", about=used)


# ---------------------------------------------------------------- chains
def _check_chains(parts: Parts, made: frozenset[str]) -> None:
    known = made | declared_properties(parts)
    items = chain_items(parts)
    used = Counter(item.value for item in items)
    own = own_namespaces(parts)
    for item in items if made else ():
        if item.value in known or namespace_of(item.value) not in own:
            continue
        nearest = nearest_iri(item.value, made - used.keys(), parts) or nearest_iri(item.value, known, parts)
        message = f"a chain goes by {parts.short(item.value)}, which no map makes"
        # What several chains go by is hardly misspelt in all of them: then the map is wrong.
        about = item.value if used[item.value] > 1 else None
        parts.error(message, item.place, nearest, expected="a predicate of a map", about=about)


def own_namespaces(parts: Parts) -> frozenset[str]:
    """The namespaces in which the domain's ontology declares something, but those of what ships."""
    shipped = {namespace_of(iri) for iri in shipped_types(parts.domain.uses)}
    found = {namespace_of(s.subject) for s in parts.of(ONTOLOGY) if s.predicate == RDF_TYPE}
    return frozenset(found - shipped - {""})


# ---------------------------------------------------------------- hierarchies
def _check_round(parts: Parts, predicate: str, links: Mapping[tuple[str, str], Statement]) -> None:
    """What goes round: a dimension that rolls up to itself, a formula over itself."""
    nexts: dict[str, set[str]] = defaultdict(set)
    for below, above in links:
        nexts[below].add(above)
    told: set[frozenset[str]] = set()
    for (below, above), statement in links.items():
        way = _way(above, below, nexts)
        if way is not None and frozenset(way) not in told:
            told.add(frozenset(way))
            shown = " → ".join(parts.short(iri) for iri in (below, *way))
            name = parts.short(predicate)
            parts.error(f"{name} goes round: {shown}", statement.place, expected="an end")


def _way(start: str, goal: str, nexts: Mapping[str, set[str]]) -> tuple[str, ...] | None:
    ways: list[tuple[str, ...]] = [(start,)]
    seen = {start}
    while ways:
        way = ways.pop(0)
        if way[-1] == goal:
            return way
        for one in sorted(nexts.get(way[-1], set()) - seen):
            seen.add(one)
            ways.append((*way, one))
    return None


def _check_levels(parts: Parts) -> None:
    """A level and the next one are of the same fact tables, or they are never in one query."""
    for one in parts.of(ONTOLOGY):
        if one.predicate not in (
            WH + "rollsUpTo",
            WH + "attributeOf",
            WH + "notOver",
            WH + "partly",
            WH + "of",
            WH + "weight",
        ):
            continue
        mine, theirs = tables_of(parts, one.subject), tables_of(parts, one.value)
        if mine and theirs and not mine & theirs:
            said = " ".join(map(parts.short, (one.subject, one.predicate, one.value)))
            message = f"{said}, of other fact tables"
            parts.error(message, one.place, expected=f"one of {', '.join(map(parts.short, sorted(mine)))}")


# ---------------------------------------------------------------- labels
def _check_labels(parts: Parts) -> None:
    groups = (OWL + "Class", QB + "MeasureProperty", QB + "DimensionProperty")
    for kind in groups:
        said: dict[str, list[Statement]] = defaultdict(list)
        for iri in dict.fromkeys(one.subject for one in parts.typed(kind)):
            for one in parts.by_subject[iri]:
                if one.predicate in (RDFS + "label", SKOS + "altLabel") and isinstance(one.quad.object, Literal):
                    said[f"{normalise(one.value)}@{one.quad.object.language or ''}"].append(one)
        for same in said.values():
            for first, second in combinations(same, 2):
                if first.subject != second.subject and _are_rivals(kind, first.subject, second.subject, parts):
                    names = parts.short(second.subject), parts.short(first.subject)
                    message = f'{names[0]} has the label "{second.value}", as {names[1]} has'
                    parts.warn(message, second.place, expected="a label of its own: questions cannot tell them apart")


def _are_rivals(kind: str, first: str, second: str, parts: Parts) -> bool:
    return kind == OWL + "Class" or bool(tables_of(parts, first) & tables_of(parts, second))


# ---------------------------------------------------------------- what nothing gives
def _check_given(parts: Parts, made: frozenset[str]) -> None:
    """Measures, dimensions and other attributes of the domain that no map, chain or formula gives."""
    if not made or any(one.predicate == RML + "predicateMap" for one in parts.of(MAPS)):
        return
    given = made | {one.subject for one in parts.of(ONTOLOGY) if one.predicate in (CHAIN, FORMULA)}
    for one in parts.typed(OWL + "DatatypeProperty"):
        counts = _COUNTING & {*parts.objects(one.subject, WH + "aggregate")}
        if one.part == ONTOLOGY and one.subject not in given and not counts and tables_of(parts, one.subject):
            unread = sorted(made - declared_properties(parts))
            nearest = nearest_iri(one.subject, unread, parts)
            message = f"nothing gives {parts.short(one.subject)}: no map makes it, and it has neither chain nor formula"
            place = one.document.place(one.said.subject_at) if one.said else None
            parts.error(message, place, nearest, about=one.subject)
    _check_instances(parts)


def _check_instances(parts: Parts) -> None:
    """Classes of the domain of which no map makes anything."""
    typed = {one.value for one in parts.of(MAPS) if one.predicate == RML + "class"}
    computed = any(one.value == RDF_TYPE for one in predicate_statements(parts))
    above = {one.value for one in parts.of(ONTOLOGY) if one.predicate == RDFS + "subClassOf"}
    for one in parts.typed(OWL + "Class"):
        if one.part == ONTOLOGY and not computed and one.subject not in typed | above:
            nearest = nearest_iri(one.subject, typed - {s.subject for s in parts.typed(OWL + "Class")}, parts)
            place = one.document.place(one.said.subject_at) if one.said else None
            message = f"no map makes anything of class {parts.short(one.subject)}"
            parts.error(message, place, nearest, about=one.subject)
