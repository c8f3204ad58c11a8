"""How often the likeliest reading answers rightly: python -m reqap_kg.bench.readings FILE --lives DIR

FILE is a file of the corpus with questions about generated lives (`bench.generate`), which lie in DIR as p1, p2 … for
g1, g2 …; or the folder of a persona with questions and answers. What is right for a question of the corpus is what its
own form answers over the life; questions whose form has no answer are left out. Prints shares, and writes each answer
with what speaks for it to --out, which `training.ranking` fits the ranking on.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..config import Settings
from ..engine.asking.candidates import UNTOLD, Reading, Readings
from ..engine.asking.grounds import LIKELY, SURE, Evidence, Weights
from ..engine.knowledge import KnowledgeGraph
from ..errors import ReqapError
from ..evaluation.running import RunOptions, open_life
from ..evaluation.suites import suite_called
from ..evaluation.suites.base import Life, Options
from ..evaluation.suites.comparing_personas import right
from ..planner.proposers.parsing import FIRST, Before, Parsed
from ..training.corpus import Pair, read_corpus
from .trust import bins, calibration_error


@dataclass(frozen=True)
class Answered:
    """One answer of a question: how likely, what speaks for it, whether it is right."""

    evidence: Evidence
    right: bool
    form: str = ""

    @property
    def probability(self) -> float:
        """By the weights as they are."""
        return Weights().probability(self.evidence)


@dataclass(frozen=True)
class Case:
    """A question with all its answers."""

    question: str
    life: str
    author: str
    later: bool
    answers: tuple[Answered, ...]
    untold: bool = False
    """Whether no record tells the answer, so that none is right."""

    def as_json(self) -> dict[str, Any]:
        """Its line in --out."""
        told = (
            {"right": one.right, "form": one.form, "evidence": one.evidence.values(), "probability": one.probability}
            for one in self.answers
        )
        of = {"question": self.question, "life": self.life, "author": self.author, "untold": self.untold}
        return {**of, "answers": list(told)}

    @property
    def is_right(self) -> bool:
        """Whether the answer that is given is right, or none is given where none is right."""
        best = self.best
        return self.untold if best is None or best.probability < LIKELY else best.right

    @property
    def best(self) -> Answered | None:
        """The likeliest answer."""
        return max(self.answers, key=lambda one: one.probability, default=None)


def of_pairs(pairs: Sequence[Pair], life: Life, known: KnowledgeGraph) -> Iterator[Case]:
    """Questions of the corpus about one life, those whose own form has an answer."""
    for pair in pairs:
        reader = known.proposals.readings(pair.question, life.now)
        gold = None if reader is None else _plain(gold_of(reader, pair, life))
        if gold is None:
            continue
        found = known.proposals.weighed(pair.question, Before(pair.earlier, pair.before), now=life.now)
        told = tuple(Answered(evidence, _plain(one.value) == gold, str(one.form)) for one, evidence in found)
        yield Case(pair.question, pair.life, pair.author, bool(pair.earlier), told, gold == UNTOLD)


def gold_of(reader: Readings, pair: Pair, life: Life) -> object:
    """What the form of a pair answers: the type and the values, a pair of these where two things are asked, `UNTOLD`
    where no record tells; None where it answers nothing."""
    if pair.form.operator == UNTOLD:
        return UNTOLD
    try:
        found = reader.borne_out(pair.question, Parsed(pair.form, 1.0), life.now, [])
    except ReqapError:
        return None
    return None if found is None else found.value


def _plain(value: object) -> object:
    """An answer's values for comparison, without their order."""
    if not isinstance(value, tuple):
        return value
    kind, values = value
    if not isinstance(kind, str):  # two things are asked
        return _plain(kind), _plain(values)
    assert isinstance(values, tuple)
    return tuple(sorted(str(round(one, 2) if isinstance(one, float) else one).casefold() for one in values))


def of_persona(folder: Path, life: Life, known: KnowledgeGraph) -> Iterator[Case]:
    """Questions of a persona with answers by hand."""
    rows = {gold.id: gold.row for gold in suite_called("personas").gold(folder, Options())}
    for question in life.questions:
        row = rows[question.id]
        found = known.proposals.weighed(question.text, FIRST, now=question.now)
        told = tuple(Answered(evidence, right(row, _values(one)), str(one.form)) for one, evidence in found)
        yield Case(question.text, life.name, folder.name, False, told, right(row, []))


def _values(reading: Reading) -> list[Any]:
    planned, value = reading.planned, reading.value
    return list(value[1]) if planned is not None and planned.also is None and isinstance(value, tuple) else []


def report(cases: Sequence[Case], name: str) -> Iterator[str]:
    """Hit@1, what is answered and how much of it is right, what is wrong without a sign of doubt."""
    best = [one for one in (case.best for case in cases) if one is not None]
    answered = [one for one in best if one.probability >= LIKELY]
    correct = sum(one.right for one in answered)
    silent = sum(not one.right for one in answered if one.probability >= SURE)
    total, hit = len(cases) or 1, sum(case.is_right for case in cases)
    among = sum(any(one.right for one in case.answers) for case in cases)
    yield (
        f"{name:14} {len(cases):5} Hit@1 {hit / total:.3f}  answered {len(answered) / total:.3f}  precision "
        f"{correct / (len(answered) or 1):.3f}  wrong without doubt {silent / total:.3f}  among all {among / total:.3f}"
    )


def calibration(cases: Sequence[Case]) -> Iterator[str]:
    """Bins of equal size, least likely first: probability, share right; and the expected calibration error."""
    best = [one for one in (case.best for case in cases) if one is not None]
    for said, true, count in bins(best):
        yield f"  probability {said:.2f}  right {true:.2f}  ({count})"
    yield f"  expected calibration error {calibration_error(best):.3f}"


def main() -> None:
    """Asks, prints and writes."""
    arguments = argparse.ArgumentParser(prog="python -m reqap_kg.bench.readings", description=__doc__)
    arguments.add_argument("file", type=Path, help="a file of the corpus, or the folder of a persona")
    arguments.add_argument("--lives", type=Path, help="generated lives that questions of the corpus are about")
    arguments.add_argument("--stores", type=Path, required=True, help="where stores are kept")
    arguments.add_argument("--out", type=Path, required=True, help="each answer with what speaks for it, JSON Lines")
    arguments.add_argument("--causal", metavar="NAME", help="a causal language model that parses, too")
    given = arguments.parse_args()
    settings = Settings(causal_model=given.causal)
    cases = list(_asked(given.file, given.lives, given.stores, settings))
    with given.out.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(case.as_json(), ensure_ascii=False) + "\n" for case in cases)
    groups = {"all": cases, "later turns": [case for case in cases if case.later]}
    groups |= {f"author {one}": [c for c in cases if c.author == one] for one in sorted({c.author for c in cases})}
    for name, held in groups.items():
        if held:
            print(*report(held, name), sep="\n")
    print(*calibration(cases), sep="\n")


def _asked(file: Path, lives: Path | None, stores: Path, settings: Settings) -> Iterator[Case]:
    options = RunOptions(settings, suite=replace(Options(), work=stores / "written"))
    if lives is None:
        for life in suite_called("personas").lives(file, options.suite):
            with open_life(life, stores, options, _silent) as known:
                yield from of_persona(file, life, known)
        return
    pairs = read_corpus(file)
    for name in sorted({pair.life for pair in pairs}):
        folder = lives / f"p{name[1:]}"
        if not name[1:].isdigit() or not folder.is_dir():
            continue
        for life in suite_called("personas").lives(folder, options.suite):
            with open_life(replace(life, name=f"gen-{life.name}"), stores, options, _silent) as known:
                yield from of_pairs([pair for pair in pairs if pair.life == name], life, known)


def _silent(_: str, _done: int, _total: int) -> None:
    """Tells nothing of the import."""


if __name__ == "__main__":
    main()
