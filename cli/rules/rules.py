"""`reqap-kg rules`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import typer

from ...config import Settings
from ...engine.asking.explaining import Explanation, explain, explain_one
from ...engine.authoring.authoring import Workshop
from ...engine.authoring.drafting import draft_rule
from ...engine.importing.ingest_domain import ingest_domain
from ...engine.importing.loading import IngestOptions
from ...engine.knowledge import KnowledgeGraph
from ...errors import UsageError
from ...planner.authoring.cases import NOW, Case, Result
from ...planner.authoring.findings import Severity
from ...texts.words import counted
from ..common import machine_zone, settings, time_of
from ..opening import opened
from ..options import chosen_domain
from ..printing.console import block, data, paged, print_json, print_table, say
from ..printing.progress import progress_bar
from ..printing.safe_text import rdf_escaped
from .domain import check_command as check_whole
from .findings import finding_as_json


def check_command(files: list[Path], config: Path | None, as_json: bool) -> None:
    """Prints the findings; exit code 2 where one is an error. Without files, a domain is checked as a whole."""
    if not files and chosen_domain() is not None:
        check_whole(None, (), config, as_json)
        return
    workshop = Workshop.of(files, settings(config))
    found = workshop.check()
    wrong = [finding for finding in found if finding.severity == Severity.ERROR]
    if as_json:
        print_json([finding_as_json(finding) for finding in found])
    for finding in () if as_json else found:
        block(str(finding), err=True, indent="  ")
    if wrong:
        raise typer.Exit(2)
    if not as_json:
        patterns, rules = workshop.counts()
        said = f"fine, but for {counted(len(found), 'warning')}" if found else "fine"
        say(f"{said}: {counted(patterns, 'pattern')} and {counted(rules, 'rule')} added")


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
        say(f"{counted(len(results), 'case')}: {len(results) - len(failed)} passed, {len(failed)} failed")
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
    say(f"{case.place or case.iri}: {case.question}")
    say(f"  {result.problem}")
    for tree in case.trees:
        say(f"  expected {tree}")
    if result.got:
        say(f"  got      {result.got}")
        say("  by       " + ", ".join(_local(rule) for rule, _ in result.steps))


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
    with paged():
        print_table([("order", "rule", "what it does", "waits for"), *listed])
        if patterns:
            shown = [(c.pattern.name, ", ".join(c.pattern.kinds), c.pattern.label) for c in book.patterns]
            say()
            print_table([("pattern", "kinds", "what it matches"), *shown])


def explain_command(
    question: str, store: Path | None, now: str | None, rule: str | None, config: Path | None, as_json: bool
) -> None:
    """Prints which rules fired, which almost did, and what was missing; exit code 4 where the question was not
    understood."""
    with opened(store, config) as known:
        found = known.investigate(question, now=time_of(now))
    if rule is not None:
        lines = list(explain_one(found, rule))
        if not lines:
            raise UsageError(f"there is no rule or pattern {rule}; `reqap-kg rules list --patterns` lists them")
        block("\n".join(lines))
        return
    explained = explain(found)
    if as_json:
        print_json(explained.as_json())
    else:
        with paged():
            _print_explained(explained)
    if explained.failure:
        raise typer.Exit(3)


def _print_explained(explained: Explanation) -> None:
    for told in explained.told:
        indent = "  " * told.depth
        filters = ", ".join(f"“{words}”" for words in told.filters)
        say(f"{indent}“{told.question}”" + (f": “{told.core}”, with {filters}" if filters else ""))
        for fired in told.fired:
            say(f"{indent}  fired   {fired.rule} ({fired.label})")
            for piece in fired.pieces:
                say(f"{indent}          {piece}")
        for almost in told.almost:
            say(f"{indent}  almost  {_local(almost.rule.iri)} ({almost.rule.label})")
            for reason in almost.reasons:
                say(f"{indent}          {reason}")
    say()
    say(f"not understood: {explained.failure}" if explained.failure else f"plan: {explained.tree}")


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
        data(rdf_escaped(made.draft.turtle).rstrip("\n") + "\n")
    else:
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
            out.write_text(made.draft.turtle, encoding="utf-8")
        except OSError as bad:
            raise UsageError(f"{out} cannot be written: {bad.strerror}") from bad
        say(f"wrote {out}; add it to the domain's rules/, or to `rules` in the settings", err=True)
    for varied, became in made.variants:
        say(f"# with other values: {varied}", err=True)
        say(f"#   {became}", err=True)
