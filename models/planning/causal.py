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
from .adapter import load_adapter, load_learnt
from .base_model import base_model
from .beams import MOST_STEPS, NOWHERE, WIDTH, Guess, beam, guesses
from .form_tokens import Asked, Cursor, FormTokens
from .installing import installed
from .shapes import LONGEST

if TYPE_CHECKING:
    from torch import Tensor

    from .llama import Llama, Past

_NOTHING: Final = -1
"""The last token of a form of which nothing is written."""
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
class _Loaded:
    """The model with its vocabulary, and what it keeps of the first token, which is the same in all questions."""

    tokens: FormTokens
    model: Llama
    begun: Past


@dataclass(frozen=True)
class _Path:
    """A form that is being written: how likely, how far, its last token, the row of the step before."""

    score: float
    cursor: Cursor
    last: int
    row: int

    @property
    def done(self) -> bool:
        return self.cursor.done


class CausalParser:
    """Parses questions. `adapter` is a file of what was learnt, which names its base model; `own_keys` are the
    attributes of a domain, without which those of personal events are known; `folder` is where installed weights lie;
    not `small`, weights stay single floats. Raises ConfigError where weights are not there."""

    def __init__(
        self, adapter: Path, own_keys: Sequence[str] = (), folder: Path | None = None, *, small: bool = True
    ) -> None:
        self._file = adapter
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
        `gaps` says what stands between each word and the next; `marks` what the data knows of each. Where there are
        more tokens than the model reads, the earliest questions are left out; none, where the question has too many."""
        import torch

        begin = self._begin_of_what_fits(words, marks)
        if begin is None:
            return ()
        words, marks, gaps = words[begin:], marks[begin:], None if gaps is None else gaps[begin:]
        with torch.inference_mode():
            paths = self._beam(tuple(words), marks, width)
        return guesses((form_of(path.cursor.steps, words, gaps), exp(path.score)) for path in paths)

    def _begin_of_what_fits(self, words: Sequence[str], marks: Sequence[frozenset[str]]) -> int | None:
        """The place of the first word of the longest run of questions that can be read up to the last one; None where
        that one is too long by itself."""
        begins = (0, *(at + 1 for at, word in enumerate(words) if word == BETWEEN))
        tokens = self._loaded.tokens
        return next((at for at in begins if len(tokens.prompt(words[at:], marks[at:])) <= LONGEST - MOST_STEPS), None)

    def _beam(self, words: tuple[str, ...], marks: Sequence[frozenset[str]], width: int) -> list[_Path]:
        import torch

        begin = max((at + 1 for at, word in enumerate(words) if word == BETWEEN), default=0)
        tokens, model, past = self._loaded.tokens, self._loaded.model, self._loaded.begun
        asked = Asked(tokens, words, begin, frozenset(self.keys))
        choices = _Choices(asked, len(tokens.own))
        prompt = torch.tensor([tokens.prompt(words, marks)[1:]])

        def grow(live: Sequence[_Path]) -> list[_Path]:
            nonlocal past
            ids = prompt
            if live[0].last != _NOTHING:
                past = _followed(past, [path.row for path in live])
                ids = torch.tensor([[path.last] for path in live])
            states, past = model(ids, past)
            return choices.grown(live, model.scores(states[:, -1], choices.columns), width)

        return beam(_Path(0.0, Cursor(asked), _NOTHING, 0), grow, width, UNLIKELY)

    @property
    def keys(self) -> Sequence[str]:
        """The attributes that it can name."""
        return self.own_keys or self._adapter.personal

    @cached_property
    def _loaded(self) -> _Loaded:
        import torch

        from .llama import Llama
        from .small import in_eight_bits, smoothed

        base, adapter, learnt = base_model(self._base), self._adapter, load_learnt(self._file)
        tokens = FormTokens(base.tokenizer, base.shape.vocabulary, base.begin, adapter.keys, adapter.words)
        model = Llama(base.shape, base.weights, tokens.meanings, adapter.shape)
        model.load_state_dict(dict(learnt.weights))
        model.merge()
        if self._small:
            smoothed(model, learnt.ranges)
        with torch.inference_mode():
            _, begun = model.eval()(torch.tensor([[tokens.begin]]))
        return _Loaded(tokens, in_eight_bits(model) if self._small else model, begun)


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
        """Each path with its likeliest next tokens."""
        found: list[_Path] = []
        for row, path in enumerate(live):
            allowed = path.cursor.allowed()
            logs = scores[row].masked_fill(self._mask(allowed), NOWHERE).log_softmax(-1)
            values, places = logs.topk(min(width, len(allowed)))
            for value, place in zip(values.tolist(), places.tolist(), strict=True):
                token = self._tokens[place]
                found.append(_Path(path.score + value, path.cursor.after(token), token, row))
        return found

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
