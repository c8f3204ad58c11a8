"""The bundled parser: questions to logical forms (its card is in models/trained/parser).

MiniLM with its upper layers tuned reads the question and those before it; a small decoder writes the form under its
grammar, with pointers to the question's words. Two such networks, of different seeds, read each question: what both
write is likelier. torch is imported when a question is really parsed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...config import DEFAULT_ENCODER
from ...errors import ConfigError
from ...operators.forms.decoding import BETWEEN, END, State, Step, Want, form_of
from ...operators.forms.grammar import Form
from ..encoder import LightEncoder, installed_weights
from .beams import NOWHERE, WIDTH, Guess, beam, guesses

if TYPE_CHECKING:
    from torch import Tensor

    from .parser_member import Member
    from .parser_network import Names

FOLDER: Final = Path(__file__).parents[1] / "trained" / "parser"
WEIGHTS: Final = "seed-{seed}.safetensors"
"""The weights of one network; there may be several, each of which has a say."""
NAMES: Final = "names.json"


def label_of(key: str) -> str:
    """An attribute's name as words."""
    return key.replace("_", " ")


@dataclass(frozen=True)
class _Path:
    score: float
    steps: tuple[Step, ...]
    state: State
    last: int
    row: int

    @property
    def done(self) -> bool:
        return bool(self.steps) and self.steps[-1].symbol == END


def _end_of_turn(words: Sequence[str], place: int) -> int:
    """Where the question that a word belongs to ends."""
    return next((at for at in range(place, len(words)) if words[at] == BETWEEN), len(words))


class Parser:
    """Parses questions. `own_keys` are the attributes of a domain, by their names in forms; without them those of
    personal events are known. Raises ConfigError where the encoder's weights are not installed."""

    def __init__(self, encoder: Path | None = None, folder: Path = FOLDER, own_keys: Sequence[str] = ()) -> None:
        self.own_keys = own_keys
        self._encoder_folder = encoder or installed_weights()
        self._folder = folder

    def parse(
        self,
        words: Sequence[str],
        gaps: Sequence[str] | None = None,
        marks: Sequence[frozenset[str]] = (),
        width: int = WIDTH,
    ) -> tuple[Guess, ...]:
        """Forms of a question given as words (those of earlier questions before it), the likeliest first: up to `width`
        of each network, a form's probability the mean of what they give it. `gaps` says what stands between each word
        and the next; `marks` what the data knows of each: attributes, `KINDS`."""
        import torch

        found: list[tuple[Form, float]] = []
        for member in self._members:
            with torch.inference_mode():
                paths = self._beam(member, list(words), marks, width)
            forms = (form_of(path.steps, words, gaps) for path in paths)
            found += [(form, exp(path.score) / len(self._members)) for form, path in zip(forms, paths, strict=True)]
        return guesses(found)

    def _beam(self, member: Member, words: list[str], marks: Sequence[frozenset[str]], width: int) -> list[_Path]:
        import torch

        from .parser_network import step_of

        names, keys = self._names, self.keys
        reading = member.read(words, marks, keys, self._own_vectors)
        masks = member.network.masks(len(keys), len(words))
        masks[:, names.size : names.size + len(keys)] &= self._known

        def grow(live: Sequence[_Path]) -> Iterator[_Path]:
            if at := len(live[0].steps):
                reading.follow([path.row for path in live])
            found = reading.next([path.last for path in live], at)
            for row, path in enumerate(live):
                mask = masks[path.state.next]
                if path.state.next is Want.LAST_WORD:
                    mask = mask.clone()
                    ends = names.size + len(keys) + len(words)
                    mask[ends : ends + path.state.first] = False
                    mask[ends + _end_of_turn(words, path.state.first) :] = False
                scores = torch.log_softmax(found[row].masked_fill(~mask, NOWHERE), -1)
                values, places = scores.topk(min(width, int(mask.sum())))
                for value, place in zip(values.tolist(), places.tolist(), strict=True):
                    step = step_of(place, names, keys, len(words))
                    yield _Path(path.score + value, (*path.steps, step), path.state.after(step), place, row)

        return beam(_Path(0.0, (), State(), names.begin, 0), grow, width)

    @cached_property
    def _members(self) -> tuple[Member, ...]:
        from .parser_member import Member

        found = sorted(self._folder.glob(WEIGHTS.format(seed="*")))
        if not found:
            raise ConfigError(f"the parser's weights {self._folder / WEIGHTS.format(seed='*')} are not there")
        return tuple(Member(path, self._encoder_folder, self._names) for path in found)

    @cached_property
    def _said(self) -> dict[str, list[str]]:
        return json.loads((self._folder / NAMES).read_text(encoding="utf-8"))

    @cached_property
    def asides(self) -> frozenset[str]:
        """Words, case-folded, that a form may leave out."""
        return frozenset(self._said["asides"])

    @cached_property
    def _names(self) -> Names:
        from .parser_network import Names

        return Names(tuple(self._said["words"]))

    @property
    def keys(self) -> Sequence[str]:
        """The attributes that it can name."""
        return self.own_keys or self._said["keys"]

    @cached_property
    def _known(self) -> Tensor:
        """Which attributes the data has."""
        import torch

        known = frozenset(self.own_keys or self._said["personal"])
        return torch.tensor([key in known for key in self.keys])

    @cached_property
    def _own_vectors(self) -> Tensor | None:
        import torch

        labels = [label_of(key) for key in self.own_keys]
        encoder = LightEncoder(DEFAULT_ENCODER, self._encoder_folder)
        return torch.tensor(encoder.encode(labels)) if labels else None
