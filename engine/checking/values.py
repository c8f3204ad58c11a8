"""What a domain's maps make of its data: the values of each property, against which profiles and cases are checked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from ...config import Settings
from ...errors import DataError, DomainError, HostileInput, MappingError, Place, SourceError
from ...mappings.rml import CompiledMap
from ...ontology.namespaces import NUMBERS, QB, RDFS, XSD, source_graph
from ...planner.authoring.findings import Finding
from ...sources.base import BadRecord
from ...store.rdf import Literal, parse_nquads
from ...store.words import fold, nearest_name
from ..authoring.domain import PROFILE_BASE
from ..importing.ingest_domain import write_computed
from ..importing.mapping_subprocess import MappingRun, task_of
from .maps import Sources
from .ontology import chain_items, predicate_statements
from .parts import ONTOLOGY, PROFILE, Parts, Statement

Values = Mapping[str, Mapping[str, str]]
"""The values of each property, with their datatypes; those of links are IRIs, with the empty datatype."""
Run = Callable[[CompiledMap, Sources], Iterator[str | BadRecord]]
_MOST: Final = 20_000
"""Values of one property that are kept; of one with more nothing is told."""
_TOLD: Final = 10
"""Records that were kept out, which are told one by one."""
_SOURCE: Final = "check"


def in_a_process(settings: Settings) -> Run:
    """Runs a map as imports do, in a process of its own."""

    def run(compiled: CompiledMap, sources: Sources) -> Iterator[str | BadRecord]:
        task = task_of(compiled, sources.folder, sources.instead, settings.limits, source=_SOURCE)
        return MappingRun(task).chunks()

    return run


def here(compiled: CompiledMap, sources: Sources) -> Iterator[str | BadRecord]:
    """Runs a map that is trusted, in this process."""
    graph, folder = source_graph(_SOURCE), sources.folder
    return compiled.map_sources(folder, graph=graph, instead=sources.instead, strict=False, limits=sources.limits)


def read_values(maps: Sequence[CompiledMap], parts: Parts, sources: Sources, run: Run) -> Values:
    """The values that the maps make and the ontology computes; what goes wrong in it is told."""
    if not maps:
        return {}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "made.nq"
        with path.open("wb") as out:
            for compiled in maps:
                for chunk in _chunks(compiled, parts, sources, run):
                    out.write(chunk.encode())
        with suppress(DomainError):  # wrong formulas were told
            write_computed(path, parts.domain.ontology, source_graph(_SOURCE))
        found: dict[str, dict[str, str]] = defaultdict(dict)
        things: set[str] = set()
        for quad in parse_nquads(path.read_bytes(), lenient=True):
            known = found[quad.predicate.value]
            things.add(getattr(quad.subject, "value", ""))
            if len(known) <= _MOST:
                kind = quad.object.datatype.value if isinstance(quad.object, Literal) else ""
                known[getattr(quad.object, "value", "")] = kind
    _check_links(parts, found, things)
    return found


def _check_links(parts: Parts, values: Values, things: set[str]) -> None:
    """Links by which chains go, to what the data say nothing of."""
    for iri in dict.fromkeys(item.value for item in chain_items(parts)):
        links = [value for value, kind in values.get(iri, {}).items() if not kind]
        lost = [value for value in links if value not in things]
        place = next((one.place for one in predicate_statements(parts) if one.value == iri), None)
        if lost and len(lost) == len(links):
            message = f"{parts.short(iri)} links to <{lost[0]}>, and no map says anything of such a thing"
            parts.error(message, place, expected="the template of a subject map")
        elif lost and len(values[iri]) <= _MOST:
            message = f"{len(lost)} of {len(links)} links {parts.short(iri)} lead nowhere, such as that to <{lost[0]}>"
            parts.warn(message, place, expected="a row of the table that it links to")


def _chunks(compiled: CompiledMap, parts: Parts, sources: Sources, run: Run) -> Iterator[str]:
    told = 0
    try:
        for chunk in run(compiled, sources):
            if isinstance(chunk, str):
                yield chunk
            elif (told := told + 1) <= _TOLD:
                parts.warn(f"{chunk.path}, {chunk.where} is kept out: {chunk.reason}", _place_of(chunk, sources))
    except MappingError as bad:
        parts.findings.append(Finding.of(bad))
    except (DataError, SourceError, HostileInput) as bad:
        parts.error(str(bad), Place(1, 1, compiled.path))


def _place_of(bad: BadRecord, sources: Sources) -> Place:
    line = next((word for word in bad.where.replace(",", " ").split() if word.isdecimal()), "1")
    return Place(int(line), 1, str(sources.file(bad.path)))


# ---------------------------------------------------------------- what is compared with them
def check_profile(parts: Parts, values: Values) -> None:
    """Values of the profile that the dimension does not have, or that come near to one that another has; a profile in
    which nobody is who asks."""
    named = {one.subject: one for one in parts.of(PROFILE)}
    if named and PROFILE_BASE + "owner" not in named:
        first = next(parts.of(PROFILE))
        place = first.document.place(first.said.subject_at) if first.said else None
        near = nearest_name("owner", [iri.removeprefix(PROFILE_BASE) for iri in named])
        parts.warn("nobody in the profile is <owner>, who asks", place, "<owner>" if near else None)
    dimensions = {one.subject for one in parts.typed(QB + "DimensionProperty")}
    for one in parts.of(PROFILE):
        if not isinstance(one.quad.object, Literal):
            continue
        held = values.get(one.predicate, {})
        if one.predicate in dimensions:
            if held and len(held) <= _MOST and one.value not in held:
                _tell(one, held, parts)
        elif not any(one.value in values.get(prop, {}) for prop in dimensions):
            _check_near(one, [v for prop in sorted(dimensions) for v in values.get(prop, {})], parts)


def _tell(one: Statement, held: Mapping[str, str], parts: Parts) -> None:
    nearest = nearest_value(one.value, held)
    expected = None if nearest else f"one of {', '.join(sorted(held)[:5])}" + (", …" if len(held) > 5 else "")
    parts.error(f'the data have no {parts.short(one.predicate)} "{one.value}"', one.place, nearest, expected)


def _check_near(one: Statement, held: Sequence[str], parts: Parts) -> None:
    """Of what is no dimension, such as a name, only what is a value but for its accents and capitals is told."""
    alike = next((value for value in held if fold(value) == fold(one.value)), None)
    if alike is not None and alike != one.value:
        parts.warn(f'the data do not have "{one.value}" in this spelling', one.place, f'"{alike}"')


def nearest_value(text: str, held: Mapping[str, str]) -> str | None:
    """The value that was most likely meant, in quotes."""
    by_fold = {fold(value): value for value in held}
    best = by_fold.get(fold(text)) or by_fold.get(nearest_name(fold(text), by_fold) or "")
    return f'"{best}"' if best else None


def check_ranges(parts: Parts, values: Values, told: Collection[str]) -> None:
    """Values that are of another datatype than the ontology says, where the data show it; of those `told`, it is known
    already."""
    for one in parts.of(ONTOLOGY):
        if one.predicate != RDFS + "range" or not one.value.startswith(XSD) or one.subject in told:
            continue
        if parts.is_wrong_at(one.place):
            continue
        for value, kind in values.get(one.subject, {}).items():
            if kind != one.value and not (kind in NUMBERS and one.value in NUMBERS):
                name, other = parts.short(one.value), parts.short(kind) if kind else "a link"
                message = f'{parts.short(one.subject)} has rdfs:range {name}; the data have "{value}", of {other}'
                parts.error(message, one.place, expected=f"{other}, or a map that makes {name}")
                break
