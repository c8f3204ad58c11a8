"""Annotated texts to tensors: tokens, the places of values and triggers, and the places where there is nothing to
learn."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import torch
from torch import Tensor

from ..models.reading.reader import LONGEST
from ..models.reading.verbalise import Verbalised, verbalise
from ..texts.lexicon.lexicon import Lexicon
from .texts import Annotated, Mention

HINTS_LEFT_OUT: Final = 0.3
"""Share of texts that an epoch reads without hints, so that words count for themselves."""
COMMON: Final = 40
"""Mentions that must give a key for every text to be asked for it."""
RARE_DENIED: Final = 0.3
"""Weight of a key's absence that nobody has judged: of a rare key, and of one whose values authors often imply."""
OFTEN_IMPLIED: Final = 0.25
"""Share of a key's values that are implied from which on its absence is doubtful."""


@dataclass(frozen=True)
class Keys:
    """Keys that every text is asked for, and those of them whose absence is doubtful."""

    common: tuple[str, ...]
    doubtful: frozenset[str]


@dataclass(frozen=True)
class Batch:
    """Texts of one life. `tags` (texts, tokens, keys, 2) and `triggers` (texts, tokens, 2) are 0 or 1, `known` and
    `real` (texts, tokens) say how much each counts. Of `mentions`: `texts` (mentions,), `weights` and `parts`
    (mentions, tokens), where a trigger stands and what is told of it; `valued` (texts, tokens) is what belongs to any.
    """

    life: str
    inputs: dict[str, Tensor]
    keys: tuple[str, ...]
    tags: Tensor
    known: Tensor
    triggers: Tensor
    real: Tensor
    mentions: tuple[Mention, ...]
    texts: Tensor
    weights: Tensor
    parts: Tensor

    @property
    def valued(self) -> Tensor:
        """Tokens (texts, tokens) that are told of some mention."""
        found = torch.zeros(self.real.shape)
        for text, part in zip(self.texts.tolist(), self.parts, strict=True):
            found[text] = torch.maximum(found[text], part)
        return found


def keys_of(texts: Sequence[Annotated]) -> Keys:
    """The keys that training texts give often."""
    given, implied = Counter[str](), Counter[str]()
    for text in texts:
        for mention in text.mentions:
            given.update({said.key for said in mention.said if said.span})
            implied.update({said.key for said in mention.said if said.implied})
    common = tuple(sorted(key for key, count in given.items() if count >= COMMON))
    return Keys(common, frozenset(key for key in common if implied[key] >= OFTEN_IMPLIED * given[key]))


@dataclass(frozen=True)
class Lines:
    """A text with its line, and the line without hints."""

    text: Annotated
    hinted: Verbalised
    plain: Verbalised


def read_lines(texts: Sequence[Annotated], lexicon: Lexicon) -> list[Lines]:
    """The texts, verbalised once."""
    return [Lines(text, text.line(lexicon), verbalise(text.document)) for text in texts]


def batches(read: Sequence[Lines], tokenizer: Any, keys: Keys, size: int, random: Random) -> list[Batch]:
    """Batches of texts of one life and about the same length, in random order; some are read without hints."""
    chunks: list[list[Lines]] = []
    for own in _by_life(read):
        ordered = sorted(own, key=lambda one: len(one.text.document.text) + random.random() * 60)
        chunks += [ordered[at : at + size] for at in range(0, len(ordered), size)]
    random.shuffle(chunks)

    def drawn(one: Lines) -> Verbalised:
        return one.hinted if random.random() >= HINTS_LEFT_OUT else one.plain

    return [batch([(one.text, drawn(one)) for one in chunk], tokenizer, keys) for chunk in chunks]


def in_order(read: Sequence[Lines], tokenizer: Any, keys: Keys, size: int) -> list[Batch]:
    """The same with all hints, life by life, for measuring."""
    chunks = [own[at : at + size] for own in _by_life(read) for at in range(0, len(own), size)]
    return [batch([(one.text, one.hinted) for one in chunk], tokenizer, keys) for chunk in chunks]


def _by_life(read: Sequence[Lines]) -> list[list[Lines]]:
    found: dict[str, list[Lines]] = defaultdict(list)
    for one in read:
        found[one.text.life].append(one)
    return list(found.values())


def batch(read: Sequence[tuple[Annotated, Verbalised]], tokenizer: Any, keys: Keys) -> Batch:
    """One batch, of texts with their lines."""
    found = tokenizer(
        [line.line for _, line in read],
        truncation=True,
        max_length=LONGEST,
        padding=True,
        pad_to_multiple_of=16,
        return_offsets_mapping=True,
        return_tensors="pt",
    )
    inputs = {name: found[name] for name in ("input_ids", "attention_mask", "token_type_ids")}
    own = [{said.key for mention in text.mentions for said in mention.said} for text, _ in read]
    asked = (*keys.common, *sorted(set().union(*own) - set(keys.common)))
    held = _Tensors(found["offset_mapping"], asked)
    for row, (text, line) in enumerate(read):
        held.deny(row, [key for key in asked if key not in own[row] and _doubtful(key, keys)], RARE_DENIED)
        held.deny(row, [s.key for m in text.mentions for s in m.said if s.implied and not s.span], 0.0)
        for mention in text.mentions:
            held.add(row, mention, line.shift)
    return Batch(read[0][0].life, inputs, asked, *held.tensors())


def _doubtful(key: str, keys: Keys) -> bool:
    return key in keys.doubtful or key not in keys.common


class _Tensors:
    """Labels of a batch while it is made."""

    def __init__(self, offsets: Tensor, keys: Sequence[str]) -> None:
        texts, tokens = offsets.shape[:2]
        self._offsets = offsets
        self._column = {key: place for place, key in enumerate(keys)}
        self._tags = torch.zeros(texts, tokens, len(keys), 2)
        self._real = (offsets[..., 1] > offsets[..., 0]).float()
        self._known = self._real.unsqueeze(-1).repeat(1, 1, len(keys))
        self._triggers = torch.zeros(texts, tokens, 2)
        self._mentions: list[tuple[Mention, int, Tensor, Tensor]] = []

    def deny(self, row: int, keys: Sequence[str], weight: float) -> None:
        """Makes the absence of keys in a text count less."""
        for key in keys:
            self._known[row, :, self._column[key]] *= weight

    def add(self, row: int, mention: Mention, shift: int) -> None:
        """A mention of a text that begins at `shift` of its line."""
        parts, trigger = torch.zeros(self._real.shape[1]), None
        if mention.trigger is not None:
            trigger = self._inside(row, mention.trigger, shift)
            self._mark(self._triggers[row], trigger)
            parts[trigger] = 1.0
        for said in mention.said:
            inside = self._inside(row, said.span, shift) if said.span else None
            if inside is not None and inside.any():
                self._mark(self._tags[row, :, self._column[said.key]], inside)
                self._known[row, inside, self._column[said.key]] = 1.0
                parts[inside] = 1.0
        if trigger is not None and trigger.any():
            self._mentions.append((mention, row, trigger.float() / trigger.sum(), parts))

    def tensors(self) -> tuple[Tensor, Tensor, Tensor, Tensor, tuple[Mention, ...], Tensor, Tensor, Tensor]:
        """In the order in which Batch holds them."""
        none = torch.zeros(0, self._real.shape[1])
        return (
            self._tags,
            self._known,
            self._triggers,
            self._real,
            tuple(mention for mention, *_ in self._mentions),
            torch.tensor([row for _, row, _, _ in self._mentions], dtype=torch.long),
            torch.stack([weights for _, _, weights, _ in self._mentions]) if self._mentions else none,
            torch.stack([parts for *_, parts in self._mentions]) if self._mentions else none,
        )

    def _inside(self, row: int, span: tuple[int, int], shift: int) -> Tensor:
        begins, ends = self._offsets[row, :, 0], self._offsets[row, :, 1]
        return (begins < span[1] + shift) & (ends > span[0] + shift) & (ends > begins)

    @staticmethod
    def _mark(tags: Tensor, inside: Tensor) -> None:
        """Tokens of a span, and where it begins."""
        tags[inside, 0] = 1.0
        tags[inside.nonzero()[:1].flatten(), 1] = 1.0
