"""How a person writes: case, exclamation marks, emoji, typing errors, and how mails begin and end."""

from __future__ import annotations

import random
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

_EMOJI: Final = ("🙂", "🎉", "😅", "❤️", "🌞", "🙌", "😂", "✨")
_STOP: Final = re.compile(r"(?<!\w)(\w{3,})\.(?=\s|$)")
_WORD: Final = re.compile(r"\b[a-z]{5,}\b")


@dataclass(frozen=True)
class Voice:
    """A manner of writing. Rates are between 0 and 1."""

    lower: bool
    loud: float
    emoji: float
    errors: float
    greeting: str
    farewell: str

    def mail(self, rng: random.Random, text: str, to: str, sign: str, names: Collection[str]) -> str:
        """A mail's text: greeting, body, farewell. `names`: what is spelt right."""
        body = self.write(rng, text, names)
        head = self.greeting.format(name=to)
        return (
            f"{head}\n\n{body}\n\n{self.farewell.format(name=sign)}"
            if head
            else f"{body} {self.farewell.format(name=sign)}"
        )

    def write(self, rng: random.Random, text: str, names: Collection[str]) -> str:
        """Text in this manner."""
        kept = {word.casefold() for name in names for word in re.findall(r"\w+", name)}
        text = _WORD.sub(lambda m: self._slip(rng, m[0]) if m[0] not in kept else m[0], text)
        if self.loud and rng.random() < self.loud:
            text = _STOP.sub(lambda m: m[0] if m[1].casefold() in kept else f"{m[1]}!", text, count=1)
        if rng.random() < self.emoji:
            text += f" {rng.choice(_EMOJI)}"
        return text.lower() if self.lower else text

    def _slip(self, rng: random.Random, word: str) -> str:
        if rng.random() >= self.errors:
            return word
        at = rng.randrange(1, len(word) - 1)
        swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        return rng.choice((swapped, word[:at] + word[at + 1 :]))


def voice(rng: random.Random) -> Voice:
    """Somebody's manner."""
    return Voice(
        lower=rng.random() < 0.2,
        loud=rng.choice((0, 0, 0.3, 0.7)),
        emoji=rng.choice((0, 0, 0.2, 0.6)),
        errors=rng.choice((0, 0, 0, 0.01, 0.03)),
        greeting=rng.choice(
            ("Hi {name},", "Dear {name},", "Hey {name}!", "{name},", "", "Hello {name}", "Morning {name},")
        ),
        farewell=rng.choice(
            (
                "{name}",
                "Best, {name}",
                "x",
                "Love, {name}",
                "Cheers\n{name}",
                "Talk soon, {name}",
                "xx {name}",
                "– {name}",
            )
        ),
    )
