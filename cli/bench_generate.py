"""`reqap-kg bench generate`."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path

import typer

from ..bench.lives.generate import UNTIL, Made, Wanted, generate
from .common import plural, print_json
from .progress import steps_bar


def generate_command(
    directory: Path,
    personas: int,
    seed: int,
    events: int,
    questions: int,
    every_template: bool,
    until: datetime | None,
    exports: bool,
    as_json: bool,
) -> None:
    """Writes the lives, with a bar on a terminal; says what was made."""
    last = UNTIL if until is None else until.replace(hour=12)
    wanted = Wanted(personas, seed, events, questions, every_template, last, exports)
    with steps_bar(visible=not as_json and sys.stderr.isatty()) as tell:
        written: list[Made] = []

        def count(made: Made) -> None:
            written.append(made)
            if tell is not None:
                tell("writing lives", len(written), personas)

        made = generate(directory, wanted, count)
    if as_json:
        print_json({"made": [vars(one) for one in made]})
        return
    for one in made:
        counts = f"{one.observables:,} observables of {one.canonical:,} events"
        asked = f"{plural(one.questions, 'question')} from {plural(one.templates, 'template')}"
        typer.echo(f"{directory / one.split / one.persona}: {counts}, {asked}")
