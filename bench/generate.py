"""Invents lives with gold answers: `python -m reqap_kg.bench.generate DIR`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from ..cli.app import run
from ..cli.common import settings
from ..cli.printing.console import print_json, say
from ..cli.printing.progress import steps_bar
from ..errors import UsageError
from ..texts.words import counted
from .lives.build import Life
from .lives.generate import UNTIL, Made, Wanted, generate
from .lives.verbalising import Reworded, verbalised

program = typer.Typer()
_ANSWER_TOKENS = 1_200
"""Room for the longest texts, whatever is set for answers of a planner."""


def generate_command(directory: Path, wanted: Wanted, config: Path | None, *, verbalise: bool, as_json: bool) -> None:
    """Writes the lives, with a bar on a terminal; says what was made."""
    reworded: list[Reworded] = []
    reword = _rewording(config, reworded) if verbalise else None
    with steps_bar(visible=not as_json) as tell:
        written: list[Made] = []

        def count(made: Made) -> None:
            written.append(made)
            if tell is not None:
                tell("writing lives", len(written), wanted.personas)

        made = generate(directory, wanted, count, reword)
    if as_json:
        told = {"verbalised": [vars(one) for one in reworded]} if verbalise else {}
        print_json({"made": [vars(one) for one in made], **told})
        return
    for one in made:
        counts = f"{one.observables:,} observables of {one.canonical:,} events"
        asked = f"{counted(one.questions, 'question')} from {counted(one.templates, 'template')}"
        say(f"{directory / one.split / one.persona}: {counts}, {asked}")
    for one, texts in zip(made, reworded, strict=False):
        kept = f"{texts.refused:,} kept as the answer would not do, {texts.unanswered:,} as none came"
        say(f"{one.persona}: {counted(texts.accepted, 'text')} in the model's words; {kept}")


def _rewording(config: Path | None, reworded: list[Reworded]) -> Callable[[Life], tuple[Life, Reworded]]:
    """Lets the configured language model reword lives, and counts. Raises UsageError where none is configured."""
    chosen = settings(config).language_model
    if chosen.address is None:
        raise UsageError("--verbalise needs a language model: [language_model] address in the settings")
    from ..models.planning.language import AddressModel

    room = max(chosen.answer_tokens, _ANSWER_TOKENS)
    model = AddressModel(chosen.model_copy(update={"samples": 1, "answer_tokens": room}))

    def reword(life: Life) -> tuple[Life, Reworded]:
        changed, counts = verbalised(life, model.complete)
        reworded.append(counts)
        return changed, counts

    return reword


@program.command()
def main(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="An empty or new folder.")],
    personas: Annotated[int, typer.Option(min=1, help="How many lives, shared out to train, dev and test.")] = 20,
    seed: Annotated[int, typer.Option(help="The same seed makes the same files.")] = 1,
    events: Annotated[int, typer.Option(min=1, help="Observable events of each life.")] = 45_000,
    questions: Annotated[int, typer.Option(min=0, help="The most questions of each life.")] = 200,
    every_template: Annotated[
        bool, typer.Option("--every-template", help="Ask every life all templates, not only those of its part.")
    ] = False,
    until: Annotated[
        datetime | None, typer.Option(formats=["%Y-%m-%d"], help="The latest day of asking. Default: 2025-10-01.")
    ] = None,
    exports: Annotated[
        bool, typer.Option("--exports/--no-exports", help="Write what services export, too, in exports/.")
    ] = True,
    verbalise: Annotated[
        bool, typer.Option("--verbalise", help="Let the language model of the settings say the texts in other words.")
    ] = False,
    config: Annotated[Path | None, typer.Option("--config", envvar="REQAP_KG_CONFIG", help="Settings in TOML.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")] = False,
) -> None:
    """Invent lives: what their sources show, and questions with gold answers.

    DIR/train, DIR/dev and DIR/test get a folder a life, in the layout of the suite personas: profile.json,
    observables.jsonl (and the same as exports/) and questions.jsonl, with the gold of each stage in canonical.jsonl,
    links.csv, occurrences.jsonl, retrieval.jsonl and extraction.jsonl.

    \b
      python -m reqap_kg.bench.generate LIVES --personas 5 --events 3000
    """
    last = UNTIL if until is None else until.replace(hour=12)
    wanted = Wanted(personas, seed, events, questions, every_template, last, exports)
    generate_command(directory, wanted, config, verbalise=verbalise, as_json=as_json)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], program, "python -m reqap_kg.bench.generate"))
