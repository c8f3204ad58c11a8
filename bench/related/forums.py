"""Forums as tasks of retrieval: a question, and its answers among all answers.

    python -m reqap_kg.bench.related.forums OUT FOLDER [FOLDER ...] [--rule strict|paper] [--part train|check|test]

A folder holds the tables that examples/qa-forum reads. When a question is asked nothing is known of its answers: a
figure is one of strict neighbourhoods. By `paper` even the links between both are known.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from datetime import datetime
from pathlib import Path
from typing import Annotated, Final

import typer

from ...config import Settings
from ...engine.authoring.domain import load_domain
from ...engine.importing.ingest_domain import ingest_domain
from ...engine.importing.loading import IngestOptions
from ...engine.importing.report import Silent
from ...retrieval.neighbourhood.walking import Rule
from ...training.related.task import Task, joined
from .walked import Walked

DOMAIN: Final = Path(__file__).parents[2] / "examples" / "qa-forum"
_ANSWERS: Final = "SELECT ?q ?a { ?a <https://w3id.org/reqap-kg/example/forum#answers> ?q } ORDER BY ?q ?a"


def forum_task(folder: Path, store: Path, rule: Rule, part: str) -> Task:
    """The task of a forum, imported into `store` unless it is there."""
    if not store.is_dir():
        options = IngestOptions(Settings(domain=DOMAIN), datetime(2026, 1, 1))
        ingest_domain(load_domain(DOMAIN), [folder], store, options, Silent())
    with Walked.open(store, folder.name, DOMAIN) as walked:
        answers = defaultdict[str, list[str]](list)
        for question, answer in walked.known.graph.select(_ANSWERS):
            if question is not None and answer is not None:
                answers[question.value].append(answer.value)
        among = frozenset(answer for own in answers.values() for answer in own)
        cases = [walked.case("answer", question, own, among, rule, part) for question, own in sorted(answers.items())]
        return Task(walked.documents(sorted(among)), tuple(cases))


def main(
    out: Annotated[Path, typer.Argument(help="Folder for documents.jsonl and cases.jsonl.")],
    folders: Annotated[list[Path], typer.Argument(metavar="FOLDER...", help="Tables of forums.")],
    rule: Annotated[Rule, typer.Option(help="What of a neighbourhood counts.")] = Rule.STRICT,
    part: Annotated[str, typer.Option(help="train, check or test.")] = "train",
) -> None:
    """Writes forums as a task."""
    with tempfile.TemporaryDirectory() as work:
        tasks = [forum_task(one, Path(work) / str(number), rule, part) for number, one in enumerate(folders)]
    joined(tasks).write(out)
    typer.echo(f"{out}: {sum(len(task.cases) for task in tasks):,} cases")


if __name__ == "__main__":
    typer.run(main)
