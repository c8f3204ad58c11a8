"""Logical forms that are written side by side, whatever network writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from ...operators.forms.grammar import Form

NOWHERE: Final = -1e9
"""The score of a step that the grammar does not allow."""
WIDTH: Final = 5
"""How many forms are followed side by side."""
MOST_STEPS: Final = 110


@dataclass(frozen=True)
class Guess:
    """A form and how likely a parser holds it, between 0 and 1."""

    form: Form
    score: float


class FormParser(Protocol):
    """What reads questions as logical forms."""

    @property
    def keys(self) -> Sequence[str]:
        """The attributes that it can name."""
        ...

    def parse(
        self,
        words: Sequence[str],
        gaps: Sequence[str] | None = None,
        marks: Sequence[frozenset[str]] = (),
        width: int = WIDTH,
    ) -> tuple[Guess, ...]:
        """Forms of a question given as words (those of earlier questions before it), the likeliest first. `gaps` says
        what stands between each word and the next; `marks` what the data knows of each."""
        ...


class Path(Protocol):
    """A form that is being written: the logarithm of how likely, and whether it is complete."""

    @property
    def score(self) -> float: ...

    @property
    def done(self) -> bool: ...


P = TypeVar("P", bound=Path)


def beam(first: P, grow: Callable[[Sequence[P]], Iterable[P]], width: int, unlikely: float = NOWHERE) -> list[P]:
    """The likeliest complete forms, `width` at most. `grow` gives paths with each of their next steps; a path that is
    less likely than the best form by more than `unlikely`, a logarithm, is not followed."""
    live, done = [first], list[P]()
    for _ in range(MOST_STEPS):
        grown = sorted(grow(live), key=lambda path: -path.score)
        done += [path for path in grown[: 2 * width] if path.done]
        done.sort(key=lambda path: -path.score)
        least = done[0].score + unlikely if done else NOWHERE
        live = [path for path in grown if not path.done and path.score > least][:width]
        if not live or (len(done) >= width and live[0].score < done[width - 1].score):
            break
    return done[:width]


def guesses(scored: Iterable[tuple[Form, float]]) -> tuple[Guess, ...]:
    """Forms with their scores, the likeliest first; those of equal forms are added."""
    scores: dict[Form, float] = {}
    for form, score in scored:
        scores[form] = scores.get(form, 0.0) + score
    return tuple(Guess(form, score) for form, score in sorted(scores.items(), key=lambda one: -one[1]))
