"""The bundled parser: questions to logical forms (its card is in models/trained/parser).

MiniLM with its upper layers tuned reads the question and those before it; a small decoder writes the form under its
grammar, with pointers to the question's words. torch is imported when a question is really parsed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...config import BUNDLED_PARSER, DEFAULT_ENCODER
from ...operators.forms.decoding import BETWEEN, END, State, Step, Want, form_of
from ...operators.forms.grammar import Form
from ..encoder import LightEncoder, installed_weights

if TYPE_CHECKING:
    from torch import Tensor

    from .parser_encoder import WordEncoder
    from .parser_network import Memory, Names, ParserNetwork

FOLDER: Final = Path(__file__).parents[1] / "trained" / "parser"
WEIGHTS: Final = "weights.safetensors"
NAMES: Final = "names.json"
KEYS: Final = "keys"
WIDTH: Final = 5
"""How many forms are followed side by side."""
MOST_STEPS: Final = 110


def label_of(key: str) -> str:
    """An attribute's name as words."""
    return key.replace("_", " ")


@dataclass(frozen=True)
class Guess:
    """A form and how likely the decoder holds it, between 0 and 1."""

    form: Form
    score: float


@dataclass(frozen=True)
class _Path:
    score: float
    steps: tuple[Step, ...]
    state: State
    last: int
    row: int


def _end_of_turn(words: Sequence[str], place: int) -> int:
    """Where the question that a word belongs to ends."""
    return next((at for at in range(place, len(words)) if words[at] == BETWEEN), len(words))


class Parser:
    """Parses questions. `own_keys` are the attributes of a domain, by their names in forms; without them those of
    personal events are known. Raises ConfigError where the encoder's weights are not installed."""

    name = BUNDLED_PARSER

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
        """Forms of a question given as words (those of earlier questions before it), the likeliest first. `gaps` says
        what stands between each word and the next; `marks` what the data knows of each: attributes, `KINDS`."""
        import torch

        with torch.inference_mode():
            paths = self._beam(list(words), marks, width)
        return tuple(Guess(form_of(path.steps, words, gaps), exp(path.score)) for path in paths)

    def _beam(self, words: list[str], marks: Sequence[frozenset[str]], width: int) -> list[_Path]:
        import torch

        from .parser_network import Memory, marks_of, step_of

        network, names, keys = self._network, self._names, self.keys
        encoded, gone = self._encoder.encode([words])
        marked = network.linked(encoded, marks_of([words], [marks], keys), self._key_vectors)
        memory = Memory(marked, gone, self._key_vectors)
        masks = network.masks(len(keys), len(words))
        masks[:, names.size : names.size + len(keys)] &= self._known
        questions = network.questions(memory)
        live = [_Path(0.0, (), State(), names.begin, 0)]
        past: list[tuple[Tensor, Tensor] | None] = [None] * len(network.layers)
        done: list[_Path] = []
        for at in range(MOST_STEPS):
            found, past = self._next(memory, questions, live, past, at)
            grown: list[_Path] = []
            for row, path in enumerate(live):
                mask = masks[path.state.next]
                if path.state.next is Want.LAST_WORD:
                    mask = mask.clone()
                    ends = names.size + len(keys) + len(words)
                    mask[ends : ends + path.state.first] = False
                    mask[ends + _end_of_turn(words, path.state.first) :] = False
                scores = torch.log_softmax(found[row].masked_fill(~mask, -1e9), -1)
                values, places = scores.topk(min(width, int(mask.sum())))
                for value, place in zip(values.tolist(), places.tolist(), strict=True):
                    step = step_of(place, names, keys, len(words))
                    grown.append(_Path(path.score + value, (*path.steps, step), path.state.after(step), place, row))
            grown.sort(key=lambda path: -path.score)
            done += [path for path in grown[: 2 * width] if path.steps[-1].symbol == END]
            live = [path for path in grown if path.steps[-1].symbol != END][:width]
            done.sort(key=lambda path: -path.score)
            if not live or (len(done) >= width and live[0].score < done[width - 1].score):
                break
            rows = torch.tensor([path.row for path in live])
            past = [(kept[0][rows], kept[1][rows]) for kept in past if kept is not None]
        return done[:width]

    def _next(
        self,
        memory: Memory,
        questions: list[tuple[Tensor, Tensor]],
        live: list[_Path],
        past: list[tuple[Tensor, Tensor] | None],
        at: int,
    ) -> tuple[Tensor, list[tuple[Tensor, Tensor] | None]]:
        """What may come after each path, and what later steps see."""
        import torch

        from .parser_network import Memory

        size = len(live)
        wide = Memory(memory.words.expand(size, -1, -1), memory.gone.expand(size, -1), memory.keys)
        x = self._network.inputs(wide, torch.tensor([[path.last] for path in live]), at)
        seen: list[tuple[Tensor, Tensor] | None] = []
        for block, question, before in zip(self._network.layers, questions, past, strict=True):
            shared = (question[0].expand(size, -1, -1, -1), question[1].expand(size, -1, -1, -1))
            x, kept = block(x, shared, None, None, before)
            seen.append(kept)
        return self._network.logits(x, wide)[:, -1], seen

    @cached_property
    def _held(self) -> dict[str, Tensor]:
        from ..weights import load_trained

        return {name: weight.float() for name, weight in load_trained(self._folder / WEIGHTS).items()}

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
    def _key_vectors(self) -> Tensor:
        if not self.own_keys:
            return self._held[KEYS]
        import torch

        labels = [label_of(key) for key in self.own_keys]
        return torch.tensor(LightEncoder(DEFAULT_ENCODER, self._encoder_folder).encode(labels))

    @cached_property
    def _network(self) -> ParserNetwork:
        from .parser_network import ParserNetwork

        network = ParserNetwork(self._names)
        prefix = "decoder."
        network.load_state_dict({n.removeprefix(prefix): w for n, w in self._held.items() if n.startswith(prefix)})
        return network.eval()

    @cached_property
    def _encoder(self) -> WordEncoder:
        from .parser_encoder import WordEncoder, is_tuned

        return WordEncoder.of(self._encoder_folder, {n: w for n, w in self._held.items() if is_tuned(n)})
