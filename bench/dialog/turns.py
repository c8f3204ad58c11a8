"""How many turns lead to the event that somebody means: the dialog against paging, random questions and the best greedy
tree: `python -m reqap_kg.bench.dialog.turns CASES.jsonl`.

A case is {"store": folder, "now": moment, "question": text, "domain"?: folder}; its answer must be large. A simulated
user means one event and knows all of it. A turn is a reply, or a page of ten rows that is looked at; the last page
counts. Of each answer so many events are drawn.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache, cached_property
from math import ceil
from pathlib import Path
from statistics import mean, median
from time import perf_counter
from typing import Annotated, Any, Final

import typer

from ...config import AnswerDialog, Settings
from ...engine.answers.dialog.dialog import Asking, best_first, candidates, dialog_of, fixed_by, ranking
from ...engine.answers.dialog.enriching import START, attributes_of
from ...engine.answers.dialog.splits import Split, narrowed
from ...engine.knowledge import KnowledgeGraph
from ...errors import ReqapError

program = typer.Typer()
PAGE: Final = 10
_WIDEST: Final = AnswerDialog(frequency=0.0)
Pick = Callable[[Sequence[Split], random.Random], Split | None]
"""Chooses what to ask; None to ask no more."""


@dataclass(frozen=True)
class Policy:
    """A way to choose questions among those that `limits` allow."""

    name: str
    pick: Pick
    limits: AnswerDialog | None = None


def _best(splits: Sequence[Split], dice: random.Random) -> Split | None:
    del dice
    return next(iter(best_first(splits)), None)


def _random(splits: Sequence[Split], dice: random.Random) -> Split | None:
    return dice.choice(splits) if splits else None


def _greedy(splits: Sequence[Split], dice: random.Random) -> Split | None:
    """The question that tells most, be it ever so hard to answer."""
    del dice
    return max(splits, key=lambda split: split.bits, default=None)


POLICIES: Final = (
    Policy("dialog", _best),
    Policy("random questions", _random),
    Policy("best greedy", _greedy, _WIDEST),
)


@dataclass
class Node:
    """What is left of a large answer after some replies, and what is asked then: made once for all who come here."""

    asking: Asking
    policy: Policy
    dice: random.Random
    below: dict[int, Node] = field(default_factory=dict[int, "Node"])

    @cached_property
    def split(self) -> Split | None:
        """What is asked; None where a page holds what is left, or nothing splits it."""
        if len(self.asking.large.events) <= PAGE:
            return None
        return self.policy.pick(splits(self.asking, self.policy.limits), self.dice)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The events as they are ranked."""
        return ranking(replace(self.asking.large, labels=()), self.asking.known.ranked)

    def turns(self, target: str) -> int:
        """Turns until the page with the target is looked at."""
        large, split = self.asking.large, self.split
        if split is None:
            return ceil((self.order.index(target) + 1) / PAGE)
        at = large.events.index(target)
        number = next(number for number, one in enumerate(split.all) if one.members[at])
        if number not in self.below:
            group = split.all[number]
            tree = narrowed(large.tree, split, group.condition, lists=large.form.type == "events")
            kept = tuple(event for event, stays in zip(large.events, group.members, strict=True) if stays)
            asking = replace(self.asking, large=replace(large, tree=tree, events=kept, labels=()))
            self.below[number] = Node(asking, self.policy, self.dice)
        return 1 + self.below[number].turns(target)


def splits(asking: Asking, limits: AnswerDialog | None) -> list[Split]:
    """All splits that may be asked for."""
    large, known = asking.large, asking.known
    fixed, found = fixed_by(large.tree), list[Split]()
    for attribute in attributes_of(large.events, (known.ranked.columns, known.derived), known.vocabulary):
        key = "" if attribute.iri == START else asking.key_of(attribute.iri)
        if key is not None and not (key and key in fixed):
            keys = {attribute.iri: key} if key else {}
            found += candidates((attribute,), keys, len(large.events), limits or known.settings, known.above)
    return found


@dataclass(frozen=True)
class Measured:
    """Mean turns by policy over the drawn events of one answer, its size, and how long its first question took."""

    question: str
    size: int
    turns: dict[str, float]
    seconds: float

    @property
    def ratio(self) -> float:
        """Turns of the dialog to those of the best greedy tree."""
        return self.turns["dialog"] / self.turns["best greedy"]


def measured(known: KnowledgeGraph, question: str, now: datetime, drawn: int, seed: int) -> Measured | None:
    """What the ways of asking cost for one question; None where its answer is not large, or its rows are no events."""
    dialog = known.ask(question, now=now, most_events=None).dialog
    if dialog is None:
        return None
    asking = replace(dialog.asking, key_of=cache(dialog.asking.key_of))
    events = asking.large.events
    targets = random.Random(f"{seed} {question}").sample(events, min(drawn, len(events)))
    roots = {policy.name: Node(asking, policy, random.Random(f"{seed} {question}")) for policy in POLICIES}
    turns = {name: mean(root.turns(target) for target in targets) for name, root in roots.items()}
    turns["paging"] = mean(ceil((events.index(target) + 1) / PAGE) for target in targets)
    begin = perf_counter()
    dialog_of(asking)
    return Measured(question, len(events), turns, perf_counter() - begin)


@program.command()
def main(
    cases: Annotated[Path, typer.Argument(help="JSONL of {store, now, question, domain?}.")],
    drawn: Annotated[int, typer.Option(help="Events that are meant, of each answer.")] = 20,
    seed: Annotated[int, typer.Option(help="The same seed draws the same events.")] = 1,
    out: Annotated[Path | None, typer.Option(help="Where the results go, as JSONL.")] = None,
) -> None:
    """Measure the turns to the event that is meant."""
    rows = [json.loads(line) for line in cases.read_text("utf-8").splitlines() if line.strip()]
    found: list[Measured] = []
    for (store, domain), asked in _by_store(rows).items():
        settings = Settings(domain=Path(domain)) if domain else Settings()
        with KnowledgeGraph.open(Path(store), settings) as known:
            for row in asked:
                found += _measured(known, row, drawn, seed, out)
    print(_told(found, len(rows)))


def _measured(
    known: KnowledgeGraph, row: dict[str, Any], drawn: int, seed: int, out: Path | None
) -> Iterator[Measured]:
    try:
        one = measured(known, row["question"], datetime.fromisoformat(row["now"]), drawn, seed)
    except ReqapError as bad:
        print(f"{row['question']}: {bad}", file=sys.stderr)
        return
    if one is None:
        print(f"{row['question']}: no large answer of events", file=sys.stderr)
        return
    if out is not None:
        with out.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps({**row, "size": one.size, "seconds": one.seconds, **one.turns}) + "\n")
    yield one


def _by_store(rows: Sequence[dict[str, Any]]) -> dict[tuple[str, str], list[dict[str, Any]]]:
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault((row["store"], row.get("domain", "")), []).append(row)
    return found


def _told(found: Sequence[Measured], asked: int) -> str:
    names = ("dialog", "paging", "random questions", "best greedy")
    lines = ["| way to the event | turns, mean | median of answers | most |", "|---|---|---|---|"]
    for name in names:
        turns = [one.turns[name] for one in found]
        lines.append(f"| {name} | {mean(turns):.2f} | {median(turns):.2f} | {max(turns):.1f} |")
    ratio = mean(one.turns["dialog"] for one in found) / mean(one.turns["best greedy"] for one in found)
    slowest = max(one.seconds for one in found) * 1000
    return "\n".join(
        (
            *lines,
            f"{len(found)} large answers of {asked}; dialog to best greedy {ratio:.2f} (median of answers "
            f"{median(one.ratio for one in found):.2f}); a question in {slowest:.0f} ms at most",
        )
    )


if __name__ == "__main__":
    program()
