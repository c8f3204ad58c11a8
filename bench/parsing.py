"""How often the parser's forms are those of the corpus: python -m reqap_kg.bench.parsing corpus/test.jsonl

Forms are compared without regard to case and to the order of conditions. One that asks the same in other words counts
as another, so these figures are lower bounds; `bench run` measures answers.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import perf_counter

from ..models.planning.parser import FOLDER, Parser
from ..operators.forms.grammar import Form, Words
from ..planner.proposers.parsing import asked_words
from ..texts.tokens import split
from ..training.corpus import Pair, read_corpus


@dataclass
class Counts:
    """Of so many questions: the first form is the label, one of the five is, the first has the same top operator."""

    questions: int = 0
    first: int = 0
    among: int = 0
    operator: int = 0
    ms: list[float] = field(default_factory=list[float])

    def row(self, name: str) -> str:
        """A line of the table."""
        shares = (f"{count / self.questions:.3f}" for count in (self.first, self.among, self.operator))
        return f"{name:12} {self.questions:5} {'  '.join(shares)}  {median(self.ms):.0f} ms"


def plain(form: object) -> object:
    """A form for comparison."""
    if isinstance(form, Words):
        return " ".join(split(form.text)).casefold()
    if not isinstance(form, Form):
        return form
    conditions: list[object] = []
    while form.operator == "where":
        conditions.append(tuple(map(plain, form.arguments[1:])))
        inner = form.arguments[0]
        assert isinstance(inner, Form)
        form = inner
    return (form.operator, frozenset(conditions), tuple(map(plain, form.arguments)))


def measured(parser: Parser, pairs: Sequence[Pair]) -> Iterator[tuple[str, Counts]]:
    """Counts of all pairs, of second turns, and of each author."""
    found: dict[str, Counts] = defaultdict(Counts)
    for pair in pairs:
        asked = asked_words(pair.question, pair.earlier)
        begin = perf_counter()
        guesses = parser.parse(asked.words, asked.gaps)
        ms = 1000 * (perf_counter() - begin)
        label = plain(pair.form)
        hits = [plain(guess.form) == label for guess in guesses]
        for name in ("all", f"author {pair.author}", *(["later turns"] if pair.earlier else [])):
            counts = found[name]
            counts.questions += 1
            counts.first += hits[:1] == [True]
            counts.among += any(hits)
            counts.operator += bool(guesses) and guesses[0].form.operator == pair.form.operator
            counts.ms.append(ms)
    yield from found.items()


def main() -> None:
    """Prints the table."""
    arguments = argparse.ArgumentParser(prog="python -m reqap_kg.bench.parsing", description=__doc__)
    arguments.add_argument("corpus", type=Path, help="a file of the corpus")
    arguments.add_argument("--model", type=Path, default=FOLDER, help="folder of a trained parser")
    given = arguments.parse_args()
    pairs = [pair for pair in read_corpus(given.corpus) if not pair.keys]
    print(f"{'':12} {'n':>5} first  of 5   operator")
    for name, counts in measured(Parser(folder=given.model), pairs):
        print(counts.row(name))


if __name__ == "__main__":
    main()
