"""`reqap-kg rules`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import typer

from ..config import Settings
from ..engine.authoring import Workshop
from ..engine.drafting import draft_rule
from ..engine.explaining import Explanation, explain, explain_one
from ..engine.ingest import IngestOptions
from ..engine.ingest_domain import ingest_domain
from ..engine.knowledge import KnowledgeGraph
from ..errors import UsageError
from ..planner.rule_cases import NOW, Case, Result
from ..planner.rule_findings import Finding, Severity
from .common import machine_zone, plural, print_json, print_table, settings, time_of
from .opening import opened
from .progress import progress_bar


def check_command(files: list[Path], config: Path | None, as_json: bool) -> None:
    """Prints the findings; exit code 2 where one is an error."""
    workshop = Workshop.of(files, settings(config))
    found = workshop.check()
    wrong = [finding for finding in found if finding.severity == Severity.ERROR]
    if as_json:
        print_json([_finding(finding) for finding in found])
    for finding in () if as_json else found:
        typer.echo(str(finding), err=True)
    if wrong:
        raise typer.Exit(2)
    if not as_json:
        patterns, rules = workshop.counts()
        said = f"fine, but for {plural(len(found), 'warning')}" if found else "fine"
        typer.echo(f"{said}: {plural(patterns, 'pattern')} and {plural(rules, 'rule')} added")


def _finding(finding: Finding) -> dict[str, Any]:
    place = finding.place
    return {
        "severity": str(finding.severity),
        "path": place.path if place else None,
        "line": place.line if place else None,
        "column": place.column if place else None,
        "message": finding.message,
        "nearest": finding.nearest,
    }


def test_command(files: list[Path], store: Path | None, config: Path | None, as_json: bool) -> None:
    """Tries the cases; exit code 1 where one fails."""
    chosen = settings(config)
    workshop = Workshop.of(files, chosen)
    cases = workshop.cases()
    with _data(store, replace_rules(chosen, workshop), workshop) as known:
        results = workshop.test(cases, known)
    failed = [result for result in results if not result.passed]
    if as_json:
        print_json([_result(result) for result in results])
    else:
        for result in failed:
            _print_failure(result)
        typer.echo(f"{plural(len(results), 'case')}: {len(results) - len(failed)} passed, {len(failed)} failed")
    if failed:
        raise typer.Exit(1)


def replace_rules(chosen: Settings, workshop: Workshop) -> Settings:
    """The settings with the files that are being written among the rules."""
    paths = tuple(Path(path) for path, _ in workshop.own)
    known = set(workshop.domain.rules if workshop.domain else ()) | set(chosen.rules)
    return chosen.model_copy(update={"rules": (*chosen.rules, *(path for path in paths if path not in known))})


@contextmanager
def _data(store: Path | None, chosen: Settings, workshop: Workshop) -> Iterator[KnowledgeGraph | None]:
    """The store to try cases over: the one given, else a domain's data, imported for the occasion, else none."""
    if store is not None:
        with KnowledgeGraph.open(store, chosen) as known:
            yield known
    elif workshop.domain is not None and workshop.domain.maps:
        with TemporaryDirectory() as folder:
            options = IngestOptions(chosen, NOW, default_zone=machine_zone())
            with progress_bar(visible=True) as progress:
                ingest_domain(workshop.domain, [], Path(folder) / "store", options, progress)
            with KnowledgeGraph.open(Path(folder) / "store", chosen) as known:
                yield known
    else:
        yield None


def _print_failure(result: Result) -> None:
    case = result.case
    typer.echo(f"{case.place or case.iri}: {case.question}\n  {result.problem}")
    for tree in case.trees:
        typer.echo(f"  expected {tree}")
    if result.got:
        typer.echo(f"  got      {result.got}")
        typer.echo("  by       " + ", ".join(_local(rule) for rule, _ in result.steps))


def _result(result: Result) -> dict[str, Any]:
    case: Case = result.case
    return {
        "case": case.iri,
        "question": case.question,
        "passed": result.passed,
        "problem": result.problem,
        "expected": list(case.trees),
        "got": result.got,
        "rules": [_local(rule) for rule, _ in result.steps],
    }


def _local(iri: str) -> str:
    return iri.rsplit("#", 1)[-1].rsplit("/", 1)[-1]


def list_command(config: Path | None, patterns: bool, as_json: bool) -> None:
    """Prints the rules, and the patterns if wanted."""
    book = Workshop.of((), settings(config)).rulebook
    if as_json:
        rows = [{"rule": r.iri, "label": r.label, "order": r.order, "triggers": sorted(r.triggers)} for r in book.rules]
        found = [
            {"pattern": c.pattern.iri, "label": c.pattern.label, "kinds": list(c.pattern.kinds)} for c in book.patterns
        ]
        print_json({"rules": rows, "patterns": found} if patterns else {"rules": rows})
        return
    listed = [(f"{r.order:g}", _local(r.iri), r.label, ", ".join(sorted(map(_local, r.triggers)))) for r in book.rules]
    print_table([("order", "rule", "what it does", "waits for"), *listed])
    if patterns:
        shown = [(c.pattern.name, ", ".join(c.pattern.kinds), c.pattern.label) for c in book.patterns]
        typer.echo("")
        print_table([("pattern", "kinds", "what it matches"), *shown])


def explain_command(
    question: str, store: Path | None, now: str | None, rule: str | None, config: Path | None, as_json: bool
) -> None:
    """Prints which rules fired, which almost did, and what was missing; exit code 4 where the question was not
    understood."""
    with opened(store, config) as known:
        found = known.investigate(question, now=time_of(now))
    if rule is not None:
        lines = list(explain_one(found, rule, time_of(now)))
        if not lines:
            raise UsageError(f"there is no rule or pattern {rule}; `reqap-kg rules list --patterns` lists them")
        typer.echo("\n".join(lines))
        return
    explained = explain(found, time_of(now))
    if as_json:
        print_json(explained.as_json())
    else:
        _print_explained(explained)
    if explained.failure:
        raise typer.Exit(3)


def _print_explained(explained: Explanation) -> None:
    for told in explained.told:
        indent = "  " * told.depth
        filters = ", ".join(f"“{words}”" for words in told.filters)
        typer.echo(f"{indent}“{told.question}”" + (f": “{told.core}”, with {filters}" if filters else ""))
        for fired in told.fired:
            typer.echo(f"{indent}  fired   {fired.rule} ({fired.label})")
            for piece in fired.pieces:
                typer.echo(f"{indent}          {piece}")
        for almost in told.almost:
            typer.echo(f"{indent}  almost  {_local(almost.rule.iri)} ({almost.rule.label})")
            for reason in almost.reasons:
                typer.echo(f"{indent}          {reason}")
        for began in told.began:
            typer.echo(f"{indent}  began   pattern {began.pattern.pattern.name} ({began.pattern.pattern.label})")
            typer.echo(f"{indent}          {began}")
    typer.echo("")
    typer.echo(f"not understood: {explained.failure}" if explained.failure else f"plan: {explained.tree}")


def new_command(
    question: str,
    tree: str,
    name: str | None,
    out: Path | None,
    store: Path | None,
    now: str | None,
    config: Path | None,
) -> None:
    """Prints the draft, or writes it to a file, and shows what questions with other values become."""
    chosen = settings(config)
    workshop = Workshop.of((), chosen)
    if out is not None and out.exists():
        raise UsageError(f"{out} is there already; give the name of a new file")
    with _data(store, chosen, workshop) as known:
        made = draft_rule(question, tree, time_of(now) if now else NOW, workshop, known, name)
    if out is None:
        typer.echo(made.draft.turtle)
    else:
        out.write_text(made.draft.turtle, encoding="utf-8")
        typer.echo(f"wrote {out}; add it to the domain's rules/, or to `rules` in the settings", err=True)
    for varied, became in made.variants:
        typer.echo(f"# with other values: {varied}\n#   {became}", err=True)
