"""How often parsers write the very form of a question: python -m reqap_kg.bench.net.parsing corpus/validation.jsonl

Exact match of the likeliest form and among the five likeliest, of first and later turns, without marks, since most
lives of the corpus have no data. --causal NAME asks a causal language model (XS, or a folder that training wrote) not
the bundled parser; both are asked where --both is given, too. --recursive asks the words of each leaf again, as long as
its events have more than one word (ReQAP, section 3.1). Prints seconds of the processor a question, and peak memory.
"""

from __future__ import annotations

import argparse
import json
import resource
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time
from typing import Final

from ...models.planning.beams import FormParser, guesses
from ...models.planning.causal import causal_parser
from ...models.planning.parser import Parser
from ...operators.forms.grammar import EVENTS, Form, Words, format_form
from ...planner.forms.lowering import conditions_of
from ...planner.proposers.parsing import FIRST, Before, asked_words
from ...texts.tokens import split
from ...training.corpus import Pair, read_corpus

MOST: Final = 5
DEEPEST: Final = 3
Parse = Callable[[str, Before], Sequence[Form]]
"""Forms of a question, the likeliest first."""


@dataclass(frozen=True)
class Case:
    """A question with what was written, the likeliest first, and the processor's seconds."""

    pair: Pair
    forms: tuple[str, ...]
    seconds: float

    @property
    def gold(self) -> str:
        """The form of the corpus, as those written are compared."""
        return plain(self.pair.form)

    def among(self, most: int) -> bool:
        """Whether the form is one of the first."""
        return self.gold in self.forms[:most]


def plain(form: Form) -> str:
    """A form for comparison: without the difference of capitals."""
    return format_form(form).casefold()


def parse_by(parsers: Sequence[FormParser]) -> Parse:
    """Reads by all parsers together: a form is as likely as they hold it on average."""

    def parse(question: str, before: Before) -> Sequence[Form]:
        asked = asked_words(question, before)
        read = [guess for parser in parsers for guess in parser.parse(asked.words, asked.gaps)]
        return [guess.form for guess in guesses((one.form, one.score) for one in read)]

    return parse


def asked_again(form: Form, parse: Parse, depth: int = 0) -> Form:
    """The form with the words of its leaves read as questions of their own; words that say nothing more stay."""
    if form.operator != "events":
        parts = (asked_again(one, parse, depth) if isinstance(one, Form) else one for one in form.arguments)
        return replace(form, arguments=tuple(parts))
    (words,) = form.arguments
    assert isinstance(words, Words)
    found = next(iter(parse(words.text, FIRST)), None) if len(split(words.text)) > 1 and depth < DEEPEST else None
    if found is None or found.operator != "show":
        return form
    (inner,) = found.arguments
    assert isinstance(inner, Form)
    said, conditions = conditions_of(inner)
    is_new = said.operator in EVENTS and (conditions or said.operator != "events")
    return asked_again(inner, parse, depth + 1) if is_new else form


def measured(pairs: Sequence[Pair], parse: Parse, *, recursive: bool) -> list[Case]:
    """All questions."""
    found: list[Case] = []
    for pair in pairs:
        begin = process_time()
        forms = parse(pair.question, Before(pair.earlier, pair.before))
        if recursive:
            forms = [asked_again(form, parse) for form in forms[:1]] + list(forms[1:])
        found.append(Case(pair, tuple(map(plain, forms)), process_time() - begin))
    return found


def report(cases: Sequence[Case], name: str) -> str:
    """One line of figures."""
    total = len(cases) or 1
    first, five, all_ = (sum(case.among(most) for case in cases) / total for most in (1, MOST, 1000))
    spent = sorted(case.seconds for case in cases)
    median, most = spent[len(spent) // 2], spent[int(len(spent) * 0.95)]
    return (
        f"{name:6} {len(cases):4}  exact {first:.3f}  first five {five:.3f}  all {all_:.3f}  "
        f"processor {median:.2f} s, 95 % {most:.2f} s"
    )


def main() -> None:
    """Asks and prints."""
    arguments = argparse.ArgumentParser(prog="python -m reqap_kg.bench.net.parsing", description=__doc__)
    arguments.add_argument("file", type=Path, help="a file of the corpus")
    arguments.add_argument("--causal", metavar="NAME", help="a causal language model: XS, or a folder")
    arguments.add_argument("--both", action="store_true", help="and the bundled parser")
    arguments.add_argument("--floats", action="store_true", help="the causal model in single floats")
    arguments.add_argument("--recursive", action="store_true", help="ask the words of leaves again")
    arguments.add_argument("--every", type=int, default=1, help="only one question in so many")
    arguments.add_argument("--out", type=Path, help="what was written, JSON Lines")
    given = arguments.parse_args()
    causal = () if given.causal is None else (causal_parser(given.causal, small=not given.floats),)
    bundled = (Parser(),) if given.both or not causal else ()
    parse = parse_by([*bundled, *causal])
    pairs = [pair for pair in read_corpus(given.file) if not pair.keys][:: given.every]
    parse("How often did I swim?", FIRST)  # loads
    cases = measured(pairs, parse, recursive=given.recursive)
    if given.out is not None:
        rows = ({"question": one.pair.question, "gold": one.gold, "forms": one.forms} for one in cases)
        given.out.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    print(report([case for case in cases if not case.pair.earlier], "first"))
    print(report([case for case in cases if case.pair.earlier], "later"))
    print(report(cases, "all"))
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
