"""Writes a benchmark: folders of lives in train, dev and test, by persona and by template (paper, Table 2)."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any, Final

from ...errors import UsageError
from .build import Life, build
from .catalogue import stream
from .exports import write_exports
from .gold import Gold
from .judged import extraction, retrieval
from .questions import Template, questions, templates
from .verbalising import Reworded

SHARES: Final = {"train": 0.6, "dev": 0.1, "test": 0.3}
"""Of personas and of templates, as in the paper: 12, 2 and 6 of 20 personas."""
UNTIL: Final = datetime(2025, 10, 1, 12)
"""The latest moment of asking, unless another is given."""


@dataclass(frozen=True)
class Wanted:
    """How much is made. `events` are observables of each life, `questions` the most of each; with `every_template` all
    lives are asked all templates, else only those of their part. `until`: the latest moment of asking."""

    personas: int = 20
    seed: int = 1
    events: int = 45_000
    questions: int = 200
    every_template: bool = False
    until: datetime = UNTIL
    exports: bool = True
    """Whether the observables are written as the services export them, too."""


@dataclass(frozen=True)
class Made:
    """What was written for one life."""

    split: str
    persona: str
    observables: int
    canonical: int
    questions: int
    templates: int


def split_personas(number: int) -> list[str]:
    """The part of each persona: a lone one is for testing; of many, six, one and three of ten."""
    dev = 1 if 3 <= number < 15 else round(number * SHARES["dev"])
    test = max(1, round(number * SHARES["test"]))
    return ["train"] * (number - dev - test) + ["dev"] * dev + ["test"] * test


def split_templates(seed: int) -> dict[str, list[Template]]:
    """Templates by part: none is in two, and every kind of question (the first word of ids) is shared out evenly."""
    parts: dict[str, list[Template]] = {split: [] for split in SHARES}
    rng = stream(seed, "templates")
    kinds: dict[str, list[Template]] = {}
    for template in templates():
        kinds.setdefault(template.id.split("-")[0], []).append(template)
    due = dict.fromkeys(SHARES, 0.0)
    for among in kinds.values():
        for template in rng.sample(among, k=len(among)):
            for split, share in SHARES.items():
                due[split] += share
            split = max(due, key=lambda name: due[name])
            due[split] -= 1
            parts[split].append(template)
    return parts


def generate(
    folder: Path,
    wanted: Wanted,
    tell: Callable[[Made], None] = lambda _: None,
    reword: Callable[[Life], tuple[Life, Reworded]] | None = None,
) -> list[Made]:
    """Writes DIR/train, DIR/dev and DIR/test with a folder a persona, and what was made as DIR/benchmark.json.

    The same arguments write the same files; what `reword` does to texts is counted in benchmark.json.
    Raises UsageError where the folder is not empty or a number too small.
    """
    if wanted.personas < 1 or wanted.events < 1 or wanted.questions < 0:
        raise UsageError("at least one persona with one event is needed")
    if folder.exists() and any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty")
    parts = split_templates(wanted.seed)
    made: list[Made] = []
    reworded: dict[str, Any] = {}
    for split, number in zip(split_personas(wanted.personas), count(1), strict=False):
        life = build(f"p{number}", wanted.seed, wanted.events, wanted.until)
        if reword is not None:
            life, counted = reword(life)
            reworded[life.persona.id] = vars(counted)
        among = templates() if wanted.every_template else parts[split]
        made.append(_write(folder / split / life.persona.id, split, life, wanted, among))
        tell(made[-1])
    about = {
        "wanted": {**vars(wanted), "until": wanted.until.isoformat()},
        "made": [vars(one) for one in made],
        "templates": {split: [template.id for template in among] for split, among in parts.items()},
        **({} if reword is None else {"verbalised": reworded}),
    }
    (folder / "benchmark.json").write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return made


def _write(folder: Path, split: str, life: Life, wanted: Wanted, among: Sequence[Template]) -> Made:
    folder.mkdir(parents=True)
    profile = life.persona.profile()
    (folder / "profile.json").write_text(json.dumps(profile, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if wanted.exports:
        write_exports(folder / "exports", profile, life.observables())
    write_rows(folder / "canonical.jsonl", life.canonical())
    write_rows(folder / "observables.jsonl", life.observables())
    with (folder / "links.csv").open("w", encoding="utf-8", newline="") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(("canonical_id", "observable_id", "expressed_attributes", "exact_time"))
        rows.writerows(life.links())
    write_rows(folder / "occurrences.jsonl", life.occurrences())
    write_rows(folder / "retrieval.jsonl", retrieval(life))
    write_rows(folder / "extraction.jsonl", extraction(life))
    with Gold(life, folder / "canonical.jsonl") as gold:
        asked = list(questions(life, gold, wanted.questions, among, stream(wanted.seed, life.persona.id, "questions")))
    write_rows(folder / "questions.jsonl", asked)
    used = {row["template"] for row in asked}
    return Made(split, life.persona.id, len(life.accounts), len(life.events), len(asked), len(used))


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Writes rows as JSON Lines, in UTF-8."""
    with path.open("w", encoding="utf-8") as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
