"""The parser's decoder: writes the steps of a logical form over the encoder's words (operators/forms/decoding.py).

At each step it chooses among symbols and known words (one table), attributes (by the vectors of their labels, so that
one that training never saw can be chosen), and words of the question (pointers: one for the first word of a span, one
for its last). What the grammar does not allow is masked, in training, too. Words that the data knows are marked with
the attributes that have them as values (schema linking, as in RAT-SQL and BRIDGE).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn.functional import gelu, log_softmax, scaled_dot_product_attention

from ...operators.forms.decoding import ALLOWED, KINDS, SYMBOLS, Step, Want
from ...store.words import fold, stem
from ..bert import Bert, BertFiles

ENCODED: Final = 384
"""Size of the encoder's vectors."""
NOWHERE: Final = -1e9


@dataclass(frozen=True)
class Names:
    """What a parser can say: symbols and known words, in the order of its table."""

    words: tuple[str, ...]

    @property
    def size(self) -> int:
        """Symbols, known words, and the beginning."""
        return len(SYMBOLS) + len(self.words) + 1

    @property
    def begin(self) -> int:
        return self.size - 1


@dataclass(frozen=True)
class Memory:
    """An encoded question: `words` (batch, words, 384), `gone` where there is none (batch, words), attributes (keys,
    384)."""

    words: Tensor
    gone: Tensor
    keys: Tensor


class Attention(nn.Module):
    """Attention of several heads; keys and values may be kept."""

    def __init__(self, size: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(size, size)
        self.kept = nn.Linear(size, 2 * size)
        self.out = nn.Linear(size, size)

    def seen(self, given: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values of what is attended to, each (batch, heads, length, size of a head)."""
        key, value = self.kept(given).chunk(2, -1)
        return self._split(key), self._split(value)

    def forward(self, x: Tensor, seen: tuple[Tensor, Tensor], mask: Tensor | None) -> Tensor:
        found = scaled_dot_product_attention(self._split(self.query(x)), *seen, attn_mask=mask)
        return self.out(found.transpose(1, 2).flatten(2))

    def _split(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)


class Block(nn.Module):
    """One layer: what was said, the question, a feed-forward part; each normed before."""

    def __init__(self, size: int, heads: int, wide: int, drop: float) -> None:
        super().__init__()
        self.own = Attention(size, heads)
        self.cross = Attention(size, heads)
        self.wide = nn.Linear(size, wide)
        self.narrow = nn.Linear(wide, size)
        self.norms = nn.ModuleList(nn.LayerNorm(size) for _ in range(3))
        self.drop = nn.Dropout(drop)

    def forward(
        self,
        x: Tensor,
        question: tuple[Tensor, Tensor],
        gone: Tensor,
        mask: Tensor | None,
        past: tuple[Tensor, Tensor] | None,
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """The layer's output and what later steps see of these."""
        normed = self.norms[0](x)
        seen = self.own.seen(normed)
        if past is not None:
            seen = (torch.cat([past[0], seen[0]], 2), torch.cat([past[1], seen[1]], 2))
        x = x + self.drop(self.own(normed, seen, mask))
        x = x + self.drop(self.cross(self.norms[1](x), question, gone))
        return x + self.drop(self.narrow(gelu(self.wide(self.norms[2](x))))), seen


class ParserNetwork(nn.Module):
    """Log-probabilities of the next steps, shape (batch, steps, table + keys + 2 × words)."""

    LONGEST: Final = 120

    def __init__(self, names: Names, *, size: int = 256, layers: int = 3, heads: int = 4, drop: float = 0.1) -> None:
        super().__init__()
        self.names = names
        self.size = size
        self.kinds = nn.Embedding(len(KINDS), ENCODED)
        self.value_of = nn.Linear(ENCODED, ENCODED, bias=False)
        self.name_of = nn.Linear(ENCODED, ENCODED, bias=False)
        self.memory = nn.Linear(ENCODED, size)
        self.said = nn.Embedding(names.size, size)
        self.key = nn.Linear(ENCODED, size)
        self.starts = nn.Linear(ENCODED, size)
        self.ends = nn.Linear(ENCODED, size)
        self.place = nn.Embedding(self.LONGEST, size)
        self.blocks = nn.ModuleList(Block(size, heads, 3 * size, drop) for _ in range(layers))
        self.norm = nn.LayerNorm(size)
        self.table = nn.Linear(size, names.size)
        self.points = nn.Linear(size, 3 * size)
        self.drop = nn.Dropout(drop)
        nn.init.normal_(self.said.weight, std=0.05)
        nn.init.normal_(self.place.weight, std=0.02)
        for marking in (self.kinds, self.value_of, self.name_of):
            nn.init.zeros_(marking.weight)

    @property
    def layers(self) -> list[Block]:
        """The layers, in order."""
        return [block for block in self.blocks if isinstance(block, Block)]

    def linked(self, words: Tensor, marks: Tensor, keys: Tensor) -> Tensor:
        """Words with what the data knows of them: `marks` as `marks_of` gives them."""
        table = torch.cat([self.kinds.weight, self.value_of(keys), self.name_of(keys)])
        return words + marks @ table

    def questions(self, memory: Memory) -> list[tuple[Tensor, Tensor]]:
        """What the layers see of a question, computed once."""
        given = self.memory(memory.words)
        return [block.cross.seen(given) for block in self.layers]

    def inputs(self, memory: Memory, said: Tensor, first: int) -> Tensor:
        """Vectors of steps (batch, steps), numbered as the output is; `first` is the number of the first step."""
        size, keys, words = self.names.size, len(memory.keys), memory.words.shape[1]
        starts, ends = size + keys, size + keys + words
        of_key = self.key(memory.keys)[(said - size).clamp(0, keys - 1)]
        of_word = (
            self._at(memory.words, said - starts, self.starts),
            self._at(memory.words, said - ends, self.ends),
        )
        found = self.said(said.clamp(max=size - 1))
        for begin, vectors in ((size, of_key), (starts, of_word[0]), (ends, of_word[1])):
            found = torch.where((said >= begin).unsqueeze(-1), vectors.to(found.dtype), found)
        return self.drop(found + self.place.weight[first : first + said.shape[1]])

    @staticmethod
    def _at(words: Tensor, places: Tensor, layer: nn.Linear) -> Tensor:
        """Words at places, through a layer."""
        chosen = places.clamp(0, words.shape[1] - 1).unsqueeze(-1).expand(-1, -1, ENCODED)
        return layer(words.gather(1, chosen))

    def logits(self, x: Tensor, memory: Memory) -> Tensor:
        x = self.norm(x)
        key, start, end = self.points(x).chunk(3, -1)
        scale = math.sqrt(self.size)
        gone = memory.gone.unsqueeze(1)
        return torch.cat(
            [
                self.table(x),
                key @ self.key(memory.keys).T / scale,
                (start @ self.starts(memory.words).transpose(1, 2) / scale).masked_fill(gone, NOWHERE),
                (end @ self.ends(memory.words).transpose(1, 2) / scale).masked_fill(gone, NOWHERE),
            ],
            -1,
        )

    def forward(self, memory: Memory, said: Tensor, allowed: Tensor, known: Tensor) -> Tensor:
        """For training: all steps of each form at once. `allowed` (batch, steps) is what is wanted at each, `known`
        (batch, keys) which attributes the data has."""
        steps = said.shape[1]
        later = torch.ones(steps, steps, dtype=torch.bool).tril()
        x = self.inputs(memory, said, 0)
        seen = memory.gone.logical_not()[:, None, None, :]
        for block, question in zip(self.layers, self.questions(memory), strict=True):
            x, _ = block(x, question, seen, later, None)
        masks = self.masks(len(memory.keys), memory.words.shape[1])[allowed]
        size = self.names.size
        masks[:, :, size : size + len(memory.keys)] &= known.unsqueeze(1)
        return log_softmax(self.logits(x, memory).float().masked_fill(~masks, NOWHERE), -1)

    def masks(self, keys: int, words: int) -> Tensor:
        """What may come for each `Want`, shape (wants, table + keys + 2 × words)."""
        size, known = self.names.size, len(SYMBOLS)
        found = torch.zeros(len(Want), size + keys + 2 * words, dtype=torch.bool)
        for want, symbols in ALLOWED.items():
            found[want, [SYMBOLS.index(symbol) for symbol in symbols]] = True
        found[[Want.KEY, Want.CONDITION], size : size + keys] = True
        for want in (Want.WORDS, Want.MORE_WORDS):
            found[want, known : size - 1] = True
            found[want, size + keys : size + keys + words] = True
        found[Want.LAST_WORD, size + keys + words :] = True
        return found


def marks_of(words: Sequence[Sequence[str]], known: Sequence[Sequence[frozenset[str]]], keys: Sequence[str]) -> Tensor:
    """What each word of some questions is marked with, shape (batch, words, kinds + 2 × keys): the kinds and the
    attributes of which it is `known` to be a value, then the attributes that it names. The latter are found here."""
    at_key = {key: at for at, key in enumerate(keys)}
    named: dict[str, list[int]] = {}
    for key, at in at_key.items():
        for word in key.split("_"):
            named.setdefault(stem(word), []).append(at)
    found = torch.zeros(len(words), max(map(len, words)), len(KINDS) + 2 * len(keys))
    for row, question in enumerate(words):
        for place, word in enumerate(question):
            for mark in known[row][place] if place < len(known[row]) else ():
                if mark in KINDS or mark in at_key:
                    found[row, place, KINDS.index(mark) if mark in KINDS else len(KINDS) + at_key[mark]] = 1.0
            found[row, place, [len(KINDS) + len(keys) + at for at in named.get(stem(fold(word)), ())]] = 1.0
    return found


def numbered(steps: Sequence[Step], names: Names, keys: Mapping[str, int], words: int) -> list[int]:
    """Numbers of steps in the network's output. Raises KeyError for a word or attribute that it cannot say."""
    known = {word: len(SYMBOLS) + at for at, word in enumerate(names.words)}
    found: list[int] = []
    ends = False
    for step in steps:
        if step.symbol:
            found.append(SYMBOLS.index(step.symbol))
        elif step.key:
            found.append(names.size + keys[step.key])
        elif step.word:
            found.append(known[step.word])
        else:
            found.append(names.size + len(keys) + step.place + (words if ends else 0))
            ends = not ends
    return found


def step_of(number: int, names: Names, keys: Sequence[str], words: int) -> Step:
    """The step that a number of the output stands for."""
    if number < len(SYMBOLS):
        return Step(symbol=SYMBOLS[number])
    if number < names.size:
        return Step(word=names.words[number - len(SYMBOLS)])
    number -= names.size
    return Step(key=keys[number]) if number < len(keys) else Step(place=(number - len(keys)) % words)


LONGEST: Final = 160
"""Pieces of words of a question and of those before it; what is longer is cut at its end."""
TUNED: Final = (2, 3, 4, 5)
"""Layers of the encoder that the training tunes."""


def is_tuned(name: str) -> bool:
    """Whether the training tunes a parameter of the encoder."""
    return any(name.startswith(f"encoder.layer.{layer}.") for layer in TUNED)


@dataclass(frozen=True)
class WordEncoder:
    """Reads questions given as words."""

    tokenizer: Tokenizer
    bert: Bert

    @classmethod
    def of(cls, folder: Path, tuned: Mapping[str, Tensor]) -> WordEncoder:
        """From the encoder's folder, with the parameters that were tuned in place of its own."""
        files = BertFiles(folder)
        return cls(files.tokenizer(LONGEST), Bert(files, {**files.weights(), **tuned}))

    def encode(self, questions: Sequence[Sequence[str]]) -> tuple[Tensor, Tensor]:
        """(batch, words, 384), each word as its first piece stands in it, and where there is none (batch, words)."""
        encodings = self.tokenizer.encode_batch([list(words) for words in questions], is_pretokenized=True)
        states, _ = self.bert.states(encodings)
        places = torch.zeros(len(questions), max(map(len, questions)), dtype=torch.long)
        gone = torch.ones_like(places, dtype=torch.bool)
        for row, encoding in enumerate(encodings):
            for place, word in enumerate(encoding.word_ids):
                if word is not None and gone[row, word]:
                    places[row, word], gone[row, word] = place, False
        return states.float().gather(1, places.unsqueeze(-1).expand(-1, -1, ENCODED)), gone
