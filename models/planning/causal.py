"""A causal language model as a parser of questions: the base model with an adapter writes logical forms.

The base model is SmolLM2-135M-Instruct, as `reqap-kg models install` fetches it, or any model of Llama's shape for
which an adapter was trained (training/causal.py). It writes token by token under the grammar of forms, in words of the
question, several forms side by side. The base model is loaded when a question is parsed, no sooner.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp, log
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...config import CAUSAL_SIZES, SMALLEST
from ...operators.forms.decoding import BETWEEN, form_of
from ...operators.forms.grammar import Form
from .adapter import load_adapter
from .base_model import base_model
from .form_tokens import Asked, Cursor, FormTokens
from .installing import installed
from .parser import MOST_STEPS, NOWHERE, WIDTH, Guess

if TYPE_CHECKING:
    from torch import Tensor

    from .base_model import BaseModel
    from .llama import Llama, Past

UNLIKELY: Final = log(0.005)
"""How much less likely than the best a form is that is not followed."""
FILE: Final = "adapter.safetensors"
"""What was learnt, in the folder that training writes."""
SHIPPED: Final = Path(__file__).parents[1] / "trained" / "causal" / FILE


def causal_parser(
    name: str, own_keys: Sequence[str] = (), folder: Path | None = None, *, small: bool = True
) -> CausalParser:
    """The parser of the settings: XS, or a folder that training wrote. Raises ConfigError where weights are not
    there."""
    adapter = SHIPPED if name == SMALLEST else Path(name).expanduser() / FILE
    return CausalParser(adapter, own_keys, folder, small=small)


def place_of(base: str, folder: Path | None) -> Path | str:
    """Where a base model is, by its name in an adapter: XS, a size, a name of the hub or a folder. Raises ConfigError
    where XS is not installed."""
    return installed(folder) if base == SMALLEST else CAUSAL_SIZES.get(base, base)


@dataclass(frozen=True)
class _Path:
    """A form that is being written: how likely, how far, its last token, the row of the step before."""

    score: float
    cursor: Cursor
    last: int
    row: int


class CausalParser:
    """Parses questions. `adapter` is a file of what was learnt, which names its base model; `own_keys` are the
    attributes of a domain, without which those of personal events are known; `folder` is where installed weights lie;
    not `small`, weights stay single floats. Raises ConfigError where weights are not there."""

    def __init__(
        self, adapter: Path, own_keys: Sequence[str] = (), folder: Path | None = None, *, small: bool = True
    ) -> None:
        self._adapter = load_adapter(adapter)
        self._base = place_of(self._adapter.base, folder)
        self._small = small
        self.own_keys = own_keys

    def parse(
        self,
        words: Sequence[str],
        gaps: Sequence[str] | None = None,
        marks: Sequence[frozenset[str]] = (),
        width: int = WIDTH,
    ) -> tuple[Guess, ...]:
        """Up to `width` forms of a question given as words (those of earlier questions before it), the likeliest first.
        `gaps` says what stands between each word and the next; `marks` what the data knows of each."""
        import torch

        with torch.inference_mode():
            paths = self._beam(tuple(words), marks, width)
        scores: dict[Form, float] = {}
        for path in paths:
            form = form_of(path.cursor.steps, words, gaps)
            scores[form] = scores.get(form, 0.0) + exp(path.score)
        return tuple(Guess(form, score) for form, score in sorted(scores.items(), key=lambda one: -one[1]))

    def _beam(self, words: tuple[str, ...], marks: Sequence[frozenset[str]], width: int) -> list[_Path]:
        import torch

        begin = max((at + 1 for at, word in enumerate(words) if word == BETWEEN), default=0)
        asked = Asked(self._tokens, words, begin, frozenset(self.keys))
        choices = _Choices(asked, len(self._tokens.own))
        live, done = [_Path(0.0, Cursor(asked), 0, 0)], list[_Path]()
        model, past = self._loaded
        ids = torch.tensor([self._tokens.prompt(words, marks)[1:]])
        for _ in range(MOST_STEPS):
            states, past = model(ids, past)
            scores = model.scores(states[:, -1], choices.columns)
            grown = choices.grown(live, scores, width)
            done += [path for path in grown[: 2 * width] if path.cursor.done]
            done.sort(key=lambda path: -path.score)
            least = done[0].score + UNLIKELY if done else NOWHERE
            live = [path for path in grown if not path.cursor.done and path.score > least][:width]
            if not live or (len(done) >= width and live[0].score < done[width - 1].score):
                break
            past = _followed(past, [path.row for path in live])
            ids = torch.tensor([[path.last] for path in live])
        return done[:width]

    @property
    def keys(self) -> Sequence[str]:
        """The attributes that it can name."""
        return self.own_keys or self._adapter.personal

    @property
    def asides(self) -> frozenset[str]:
        """Words, case-folded, that a form may leave out."""
        return frozenset(self._adapter.asides)

    @cached_property
    def _held(self) -> BaseModel:
        return base_model(self._base)

    @cached_property
    def _tokens(self) -> FormTokens:
        held, adapter = self._held, self._adapter
        return FormTokens(held.tokenizer, held.shape.vocabulary, held.begin, adapter.keys, adapter.words)

    @cached_property
    def _loaded(self) -> tuple[Llama, Past]:
        """The model, and what it keeps of the first token, which is the same in all questions."""
        import torch

        from .llama import Llama
        from .small import in_eight_bits, smoothed

        adapter = self._adapter
        model = Llama(self._held.shape, self._held.weights, self._tokens.meanings, adapter.shape)
        model.load_state_dict(dict(adapter.weights))
        model.merge()
        if self._small:
            smoothed(model, adapter.ranges)
        with torch.inference_mode():
            _, begun = model.eval()(torch.tensor([[self._tokens.begin]]))
        return in_eight_bits(model) if self._small else model, begun


class _Choices:
    """The tokens that may be said of one question, as columns of the model's scores."""

    def __init__(self, asked: Asked, own: int) -> None:
        import torch

        base = asked.tokens.base
        spelled = (asked.own, asked.tokens.known, asked.rare)
        texts = sorted({token for one in spelled for following in one.next.values() for token in following})
        self.columns: Tensor = torch.tensor(texts, dtype=torch.long)
        self._tokens = [*texts, *range(base, base + own)]
        self._places = torch.zeros(base + own, dtype=torch.long)
        self._places[self._tokens] = torch.arange(len(self._tokens))
        self._masks: dict[frozenset[int], Tensor] = {}

    def grown(self, live: Sequence[_Path], scores: Tensor, width: int) -> list[_Path]:
        """Each path with its likeliest next tokens, the likeliest first."""
        found: list[_Path] = []
        for row, path in enumerate(live):
            allowed = path.cursor.allowed()
            logs = scores[row].masked_fill(self._mask(allowed), NOWHERE).log_softmax(-1)
            values, places = logs.topk(min(width, len(allowed)))
            for value, place in zip(values.tolist(), places.tolist(), strict=True):
                token = self._tokens[place]
                found.append(_Path(path.score + value, path.cursor.after(token), token, row))
        return sorted(found, key=lambda path: -path.score)

    def _mask(self, allowed: frozenset[int]) -> Tensor:
        """True where a token is not allowed."""
        import torch

        if allowed not in self._masks:
            mask = torch.ones(len(self._tokens), dtype=torch.bool)
            mask[self._places[list(allowed)]] = False
            self._masks[allowed] = mask
        return self._masks[allowed]


def _followed(past: Past, rows: Sequence[int]) -> Past:
    """The keys and values of some rows."""
    import torch

    if past[0] is not None and list(rows) == list(range(past[0][0].shape[0])):
        return past
    chosen = torch.tensor(rows)
    return [(one[0][chosen], one[1][chosen]) if one is not None else None for one in past]
