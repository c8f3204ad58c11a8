"""Import of a domain's data: its maps over its files, its profile, and what its ontology computes from these."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from ...config import zone
from ...errors import DomainError, QueryError, UsageError
from ...mappings.rml import CompiledMap
from ...ontology.namespaces import EV, PROFILE_SOURCE, source_graph
from ...parallel import workers_of
from ...store.graph import MemoryGraph
from ...store.ontology_graph import Documents, ontology_quads
from ...store.rdf import NamedNode, Quad, Term, Triple, parse_nquads, write_nquads
from ...store.sparql.reading import check_expression
from ...store.upkeep.seal import digest_of
from ..authoring.domain import Domain
from ..checking.shapes import refuse_wrong_shapes
from .loading import IngestOptions, given_files, home_zone, load, map_for_user, standing_in, workspace, write_run
from .mapping_subprocess import MappingRun, task_of
from .own_subjects import OwnSubjects, own_subjects
from .replacing import TYPE_PROPERTY, Held
from .report import IngestReport, Progress, SourceReport


def ingest_domain(
    domain: Domain, paths: Sequence[Path], directory: Path, options: IngestOptions, progress: Progress
) -> IngestReport:
    """Imports what the domain's maps make of the files they name, as one source, and the domain's profile.

    A file or folder in `paths` stands in for the files of the same names; map documents none of whose files it has are
    then left out (a domain may read the same data in several forms). Raises DomainError, MappingError, UsageError
    for a domain without maps, SourceError where its data cannot be read.
    """
    if not domain.maps and not domain.profile:
        raise UsageError(f"the domain {domain.folder} has no maps and no profile: there is nothing to import")
    refuse_wrong_shapes(domain.folder)
    with workspace(directory, options) as (work, new):
        held = Held(directory, options.settings)
        home = home_zone(options, held.home_zone)
        maps = [map_for_user(path, zone(home)) for path in domain.maps]
        with own_subjects(domain.name, directory, held.entries, options.settings) as own:
            reports = [_data(domain, maps, paths, options, work, progress, own)] if maps else []
        reports += [_profile(domain, work)] if domain.profile else []
        held.settle(reports, work, replace=options.replace, mark=TYPE_PROPERTY)
        if new is not None:
            load(new, work, reports, options, home_zone=home, progress=progress)
    return IngestReport(tuple(reports), (), (), home, options.dry_run)


def _data(
    domain: Domain,
    maps: Sequence[CompiledMap],
    paths: Sequence[Path],
    options: IngestOptions,
    work: Path,
    progress: Progress,
    own: OwnSubjects,
) -> SourceReport:
    instead = _instead(paths, [path for compiled in maps for path in compiled.source_paths])
    maps = [compiled for compiled in maps if not instead or instead.keys() & set(compiled.source_paths)]
    report = SourceReport(domain.name, f"domain {domain.label}")
    target = work / f"{report.name}.nq"
    with target.open("wb") as out:
        for compiled in maps:
            progress.start(compiled.path or domain.name, 0)
            run = _run(compiled, domain, instead, options, report)
            write_run(run, own, out, report, progress, compiled.path or domain.name)
            report.files += [str(instead.get(path, domain.folder / path)) for path in compiled.source_paths]
    own.tell(report)
    progress.step("computing values")
    report.triples += write_computed(target, domain.ontology, source_graph(report.name))
    report.digest = digest_of(target)
    return report


def _run(
    compiled: CompiledMap, domain: Domain, instead: Mapping[str, Path], options: IngestOptions, report: SourceReport
) -> MappingRun:
    if compiled.reads_records:
        raise UsageError(f"{compiled.path}: the map of a domain reads files; it has a source ev:Records")
    chosen = options.settings
    task = task_of(compiled, domain.folder, instead, chosen.limits, source=report.name, workers=workers_of(chosen))
    return MappingRun(task)


def _instead(paths: Sequence[Path], written: Sequence[str]) -> Mapping[str, Path]:
    """Which of the given files stands in for which path of the maps."""
    names = {PurePosixPath(path).name for path in written}
    strange = [str(path) for path in paths if path.is_file() and path.name not in names]
    if strange:
        raise UsageError(f"no map of the domain reads {', '.join(strange)}; they read {', '.join(sorted(names))}")
    return standing_in(written, given_files(paths))


def _profile(domain: Domain, work: Path) -> SourceReport:
    target = work / f"{PROFILE_SOURCE}.nq"
    graph = NamedNode(source_graph(PROFILE_SOURCE))
    quads = [Quad(q.subject, q.predicate, q.object, graph) for q in domain.profile]
    write_nquads(target, quads)
    report = SourceReport(PROFILE_SOURCE, PROFILE_SOURCE, [str(domain.folder / "profile.ttl")])
    report.triples = len(quads)
    report.digest = digest_of(target)
    return report


_CHAINS = """SELECT ?p ?list ?item (COUNT(?before) AS ?place) WHERE {
  ?p owl:propertyChainAxiom ?list . ?list rdf:rest* ?before . ?before rdf:rest* ?cell . ?cell rdf:first ?item
} GROUP BY ?p ?list ?cell ?item ORDER BY ?p ?list ?place"""
_FORMULAS = f"""SELECT ?p ?formula WHERE {{ ?p {NamedNode(EV + "formula")} ?formula }} ORDER BY ?p"""
_KNOWN = "ASK { ?p ?said ?thing }"
_VARIABLE = re.compile(r"[?$](\w+)")


def write_computed(path: Path, ontology: Documents, graph: str) -> int:
    """Adds what the ontology computes to the N-Quads of a source, and says how many triples.

    Raises DomainError for a formula that is wrong, or uses what is no property.
    """
    declared = MemoryGraph(ontology_quads(ontology))
    queries = [*_chain_queries(declared), *_formula_queries(declared), *_source_queries(declared, graph)]
    data = MemoryGraph(parse_nquads(path.read_bytes(), lenient=True))
    node = NamedNode(graph)
    added: dict[Triple, None] = {}
    for _ in queries:  # each pass computes at least one more of those that others build on
        new = [t for prop, query in queries for t in _run_computed(data, prop, query) if t not in added]
        if not new:
            break
        data.add(Quad(t.subject, t.predicate, t.object, node) for t in new)
        added.update(dict.fromkeys(new))
    write_nquads(path, (Quad(t.subject, t.predicate, t.object, node) for t in added), append=True)
    return len(added)


def _run_computed(data: MemoryGraph, prop: str, query: str) -> list[Triple]:
    try:
        return data.construct(query)
    except QueryError as bad:
        raise DomainError(f"the formula of {prop} is wrong: {bad}", expected="an expression of SPARQL") from bad


def _chain_queries(declared: MemoryGraph) -> Iterator[tuple[str, str]]:
    """CONSTRUCTs by property: a chain's value is found along its properties, in the order of their place."""
    chains: dict[tuple[str, str], list[str]] = {}
    for prop, head, item, _ in declared.select(_CHAINS):
        chains.setdefault((str(prop), str(head)), []).append(str(item))
    for (prop, _), items in chains.items():
        yield prop, f"CONSTRUCT {{ ?s {prop} ?v }} WHERE {{ ?s {'/'.join(items)} ?v }}"


def _formula_queries(declared: MemoryGraph) -> Iterator[tuple[str, str]]:
    """CONSTRUCTs by property: the variables of a formula are properties of these names in its own namespace,
    or under ev:."""
    for prop, formula in declared.select(_FORMULAS):
        if prop is None or formula is None:
            continue
        _check_formula(prop, formula.value)
        used = {name: _named(name, prop.value, declared) for name in dict.fromkeys(_VARIABLE.findall(formula.value))}
        body = " ".join(f"?s {named} ?{name} ." for name, named in used.items())
        computed = f"BIND(({formula.value}\n) AS ?value_) FILTER(BOUND(?value_))"
        yield str(prop), f"CONSTRUCT {{ ?s {prop} ?value_ }} WHERE {{ {body} {computed} }}"


def _check_formula(prop: Term, formula: str) -> None:
    """Refuses what is no expression by itself: a bracket that closes what it did not open would end the query's."""
    try:
        check_expression(formula)
    except QueryError as bad:
        raise DomainError(f"the formula of {prop} is wrong: {bad}", expected="an expression of SPARQL") from bad


def _source_queries(declared: MemoryGraph, graph: str) -> Iterator[tuple[str, str]]:
    """CONSTRUCTs that name the source of events where the map does not."""
    classes = " ".join(str(found) for (found,) in declared.select("SELECT ?c WHERE { ?c rdfs:subClassOf+ ev:Event }"))
    test = f"VALUES ?c {{ {classes} }} ?s a ?c FILTER NOT EXISTS {{ ?s ev:source ?known }}"
    yield EV + "source", f"CONSTRUCT {{ ?s ev:source {NamedNode(graph)} }} WHERE {{ {test} }}"


def _named(name: str, prop: str, declared: MemoryGraph) -> NamedNode:
    """The property that a variable of a formula means."""
    space = re.sub(r"[^#/]*$", "", prop)
    for found in (NamedNode(space + name), NamedNode(EV + name)):
        if declared.ask(_KNOWN, {"p": found}):
            return found
    raise DomainError(f"the formula of {prop} uses ?{name}, but {space}{name} is no property")
