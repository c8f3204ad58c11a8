"""`reqap-kg bench generate`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ...bench.lives.build import Life
from ...bench.lives.generate import Made, Wanted, generate
from ...bench.lives.verbalising import Reworded, verbalised
from ...errors import UsageError
from ..common import plural, settings
from ..printing.console import print_json, say
from ..printing.progress import steps_bar

_ANSWER_TOKENS = 1_200
"""Room for the longest texts, whatever is set for answers of a planner."""


def generate_command(directory: Path, wanted: Wanted, config: Path | None, *, verbalise: bool, as_json: bool) -> None:
    """Writes the lives, with a bar on a terminal; says what was made."""
    counted: list[Reworded] = []
    reword = _rewording(config, counted) if verbalise else None
    with steps_bar(visible=not as_json) as tell:
        written: list[Made] = []

        def count(made: Made) -> None:
            written.append(made)
            if tell is not None:
                tell("writing lives", len(written), wanted.personas)

        made = generate(directory, wanted, count, reword)
    if as_json:
        told = {"verbalised": [vars(one) for one in counted]} if verbalise else {}
        print_json({"made": [vars(one) for one in made], **told})
        return
    for one in made:
        counts = f"{one.observables:,} observables of {one.canonical:,} events"
        asked = f"{plural(one.questions, 'question')} from {plural(one.templates, 'template')}"
        say(f"{directory / one.split / one.persona}: {counts}, {asked}")
    for one, texts in zip(made, counted, strict=False):
        kept = f"{texts.refused:,} kept as the answer would not do, {texts.unanswered:,} as none came"
        say(f"{one.persona}: {plural(texts.accepted, 'text')} in the model's words; {kept}")


def _rewording(config: Path | None, counted: list[Reworded]) -> Callable[[Life], tuple[Life, Reworded]]:
    """Lets the configured language model reword lives, and counts. Raises UsageError where none is configured."""
    chosen = settings(config).language_model
    if chosen.address is None:
        raise UsageError("--verbalise needs a language model: [language_model] address in the settings")
    from ...models.planning.language import AddressModel

    room = max(chosen.answer_tokens, _ANSWER_TOKENS)
    model = AddressModel(chosen.model_copy(update={"samples": 1, "answer_tokens": room}))

    def reword(life: Life) -> tuple[Life, Reworded]:
        changed, counts = verbalised(life, model.complete)
        counted.append(counts)
        return changed, counts

    return reword
