"""What is wrong in a domain's maps: RML that is none, predicates that the ontology lacks, datatypes that it does not
expect, files and columns that are not there."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from zoneinfo import ZoneInfo

from ...config import Limits
from ...errors import DataError, HostileInput, Place
from ...mappings.rml import CompiledMap, load_map, map_faults, name_read, names_in, references_in
from ...mappings.rml.model import (
    Constant,
    FileSource,
    LogicalSource,
    PredicateObjectMap,
    Reference,
    TermMap,
    TriplesMap,
)
from ...ontology.namespaces import DATA, EV, NUMBERS, PREFIXES, RDFS, RML, XSD
from ...planner.authoring.findings import Finding
from ...planner.authoring.terms import Terms, namespace_of
from ...store.rdf import NamedNode
from ...store.words import nearest_name
from .ontology import chain_items, declared_properties, own_namespaces, predicate_statements
from .parts import MAPS, ONTOLOGY, Parts
from .shapes import nearest_iri

_STRING = XSD + "string"
_SLIP = 2
"""So many letters more or fewer has a misspelt key."""


@dataclass(frozen=True)
class Sources:
    """Where a domain's data are: the folder, and by path as maps write it, the files that stand in."""

    folder: Path
    instead: Mapping[str, Path]
    limits: Limits

    def file(self, path: str) -> Path:
        return self.instead.get(path, self.folder / path)


def load_maps(parts: Parts, zone: ZoneInfo) -> list[CompiledMap]:
    """The maps that are right; what is wrong in the others is told."""
    found: list[CompiledMap] = []
    for path, text in parts.texts(MAPS):
        faults = map_faults(text, path=path, base_iri=DATA, home_zone=zone)
        parts.findings += [Finding.of(bad) for bad in faults]
        if not faults:
            found.append(load_map(text, path=path, base_iri=DATA, home_zone=zone))
    return found


# ---------------------------------------------------------------- what the ontology knows
def check_predicates(parts: Parts, mentioned: Collection[str], terms: Terms) -> None:
    """Predicates of maps that neither the ontology nor a rule speaks of."""
    declared = declared_properties(parts)
    spoken = {one.value for one in parts.of(ONTOLOGY) if isinstance(one.quad.object, NamedNode)}
    spoken |= {one.subject for one in parts.of(ONTOLOGY)}
    for one in predicate_statements(parts):
        iri = one.value
        if (
            iri in declared
            or iri in spoken
            or iri in mentioned
            or namespace_of(iri) not in own_or_unknown(parts, terms)
        ):
            continue
        nearest = nearest_iri(iri, declared | {item.value for item in chain_items(parts)}, parts)
        message = f"the ontology has no {parts.short(iri)}, and no rule asks for it"
        expected = "a property of the ontology, or a link of one of its chains"
        parts.error(message, one.place, nearest, expected, about=iri)


def own_or_unknown(parts: Parts, terms: Terms) -> Collection[str]:
    """Namespaces of predicates that are no vocabulary's that ships or that others define."""
    own = own_namespaces(parts)
    spaces = {namespace_of(one.value) for one in predicate_statements(parts)}
    prefixes = {iri for iri in parts.prefixes.values()} - {*_own_prefixes(parts)}
    return own | (spaces - set(terms.by_namespace) - prefixes)


def _own_prefixes(parts: Parts) -> Iterator[str]:
    """What the domain's files themselves call a namespace, and the project does not."""
    return (
        iri for _, document in parts.documents for iri in document.prefixes.values() if iri not in PREFIXES.values()
    )


def check_datatypes(maps: Sequence[CompiledMap], parts: Parts) -> frozenset[str]:
    """Values of another datatype than the ontology says, as far as the map tells by itself; the properties that have
    them."""
    said = (one for one in parts.of(ONTOLOGY) if one.predicate == RDFS + "range" and not parts.is_wrong_at(one.place))
    ranges = {one.subject: one.value for one in said}
    found: set[str] = set()
    for item in (item for compiled in maps for item in compiled.triples_maps):
        for pair in item.pairs:
            for term in (term for term in pair.objects if isinstance(term, TermMap)):
                wrong = [
                    i for i in _constants(pair.predicates) if _check_datatype(i, ranges.get(i, ""), term, item, parts)
                ]
                found.update(wrong)
    return frozenset(found)


def _constants(terms: Sequence[TermMap]) -> Iterator[str]:
    for term in terms:
        if isinstance(term.expression, Constant) and isinstance(term.expression.term, NamedNode):
            yield term.expression.term.value


def _check_datatype(iri: str, wanted: str, term: TermMap, item: TriplesMap, parts: Parts) -> bool:
    made = _datatype(term, item)
    if not wanted.startswith(XSD) or made is None or made == wanted or (wanted in NUMBERS and made in NUMBERS):
        return False
    name = parts.short(made) if made else "IRIs"
    message = f"the map makes {name} for {parts.short(iri)}, whose rdfs:range is {parts.short(wanted)}"
    place = (term.datatype.place if term.datatype else None) or term.place
    if not parts.is_wrong_at(place):
        parts.error(message, place, expected=f"rml:datatype {parts.short(wanted)}")
    return True


def _datatype(term: TermMap, item: TriplesMap) -> str | None:
    """The datatype of what a term map makes; empty for IRIs, None where it depends on the data."""
    if term.datatype is not None:
        found = term.datatype.expression
        return found.term.value if isinstance(found, Constant) else None
    if term.term_type in ("IRI", "URI"):
        return ""
    if isinstance(term.expression, Reference) and item.source.formulation == "CSV" and term.language is None:
        return _STRING
    return None


# ---------------------------------------------------------------- files and columns
def check_sources(maps: Sequence[CompiledMap], parts: Parts, sources: Sources) -> list[CompiledMap]:
    """Adds what is missing of files and columns; the maps all of whose files can be read."""
    readable: list[CompiledMap] = []
    for compiled in maps:
        before = len(parts.findings)
        names: dict[LogicalSource, frozenset[str] | None] = {}
        for item in compiled.triples_maps:
            if item.source not in names:
                names[item.source] = _names(item, parts, sources)
        _check_names(compiled, names, parts)
        if len(parts.findings) == before:
            readable.append(compiled)
    return readable


def _names(item: TriplesMap, parts: Parts, sources: Sources) -> frozenset[str] | None:
    """The columns or keys of a source; None, with a finding, where it cannot be read."""
    source = item.source.source
    if not isinstance(source, FileSource):
        message = "the map of a domain reads files; it has a source ev:Records"
        parts.error(message, item.source_place, expected='a path below the folder, as in "data/sales.csv"')
        return None
    if not sources.file(source.path).is_file():
        _tell_missing(source.path, item, parts, sources)
        return None
    try:
        return names_in(item.source, sources.file(source.path), sources.limits)
    except (DataError, HostileInput) as bad:
        parts.error(str(bad), _written(source.path, ("source", "path"), item.source_place, parts))
        return None


def _check_names(compiled: CompiledMap, names: Mapping[LogicalSource, frozenset[str] | None], parts: Parts) -> None:
    """References to columns that a table does not have. A record need not have every key: of those that none has, those
    are told without which there is no thing, and those that are written much like another that nothing reads."""
    bare = [replace(one, pairs=tuple(filter(_is_needed, one.pairs))) for one in compiled.triples_maps]
    needed = {reference.place for _, reference in references_in(bare)}
    read = [
        (source, name, one) for source, one in references_in(compiled.triples_maps) if (name := name_read(source, one))
    ]
    for source, name, reference in read:
        there = names.get(source)
        if not there or name in there or not isinstance(source.source, FileSource):
            continue
        table = source.formulation == "CSV"
        always = table or reference.place in needed
        nearest = nearest_name(name, there if always else there - {other for _, other, _ in read})
        if always or (nearest is not None and _are_alike(name, nearest)):
            expected = f"one of {', '.join(sorted(there))}" if table else None
            what = "column" if table else "key"
            parts.error(f"{source.source.path} has no {what} {name}", reference.place, nearest, expected)


def _is_needed(pair: PredicateObjectMap) -> bool:
    """Whether a pair gives what every event has."""
    return not {EV + "sourceId", EV + "start"}.isdisjoint(_constants(pair.predicates))


def _are_alike(name: str, other: str) -> bool:
    """Whether one may be a misspelling of the other: the same path, and a last key that begins alike."""
    (head, _, last), (other_head, _, other_last) = name.rpartition("."), other.rpartition(".")
    return head == other_head and last[:1] == other_last[:1] and abs(len(last) - len(other_last)) <= _SLIP


def _tell_missing(path: str, item: TriplesMap, parts: Parts, sources: Sources) -> None:
    folder = sources.folder
    there = [one.relative_to(folder).as_posix() for one in folder.rglob("*") if one.is_file() and one.suffix != ".ttl"]
    place = _written(path, ("source", "path"), item.source_place, parts)
    parts.error(f"there is no file {path} below {folder}", place, nearest_name(path, there))


def _written(text: str, names: Sequence[str], near: Place | None, parts: Parts) -> Place | None:
    """Where a text is written as the value of an rml: property, at the place or behind it."""
    line = (near.line, near.column) if near else (0, 0)
    for one in parts.of(MAPS):
        place = one.place
        if one.predicate not in {RML + name for name in names} or one.value != text or place is None:
            continue
        if near is None or (place.path == near.path and (place.line, place.column) >= line):
            return place
    return near
