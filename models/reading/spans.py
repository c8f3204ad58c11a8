"""From what each token is tagged as to spans of the text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...texts.document import SEPARATOR, Span

LEAST: Final = 0.3
"""Probability of being part of a value from which on a token is; callers may ask for more of a span's score."""
BEGINS: Final = 0.5
"""Probability from which on a token begins another value."""
_EDGES: Final = ' \t\n.,;:!?()[]{}<>|"“”–—-&+/@'


def spans_of(
    tags: NDArray[np.float32], offsets: Sequence[Sequence[int]], shift: int, text: str, least: float = LEAST
) -> tuple[Span, ...]:
    """Spans of `text`, best first. `tags`: probabilities (tokens, 2) that a token is part of a value and that it begins
    one; `offsets` of each token in the line in which the text begins at `shift`."""
    runs: list[list[tuple[int, int, float]]] = []
    open_run = False
    for (held, begins), (start, end) in zip(tags.tolist(), offsets, strict=True):
        if end <= shift or end <= start or held < least:
            open_run = False
            continue
        token = (max(0, start - shift), min(len(text), end - shift), held)
        if open_run and (begins < BEGINS or _glued(text, token[0])):
            runs[-1].append(token)
        else:
            runs.append([token])
        open_run = True
    found = [span for run in runs for span in _trimmed(run, text)]
    return tuple(sorted(found, key=lambda span: (-span.score, span.start)))


def trigger_spots(
    tags: NDArray[np.float32], offsets: Sequence[Sequence[int]], most: int, least: float = LEAST
) -> list[tuple[int, int, float]]:
    """(first token, token after the last, probability) of what a line tells of, the likeliest first. `tags`:
    probabilities (tokens, 2) that a token is part of a trigger and that it begins one."""
    runs: list[list[int]] = []
    for place, ((held, begins), (start, end)) in enumerate(zip(tags.tolist(), offsets, strict=True)):
        if end <= start or held < least:
            continue
        if runs and runs[-1][-1] == place - 1 and begins < BEGINS:
            runs[-1].append(place)
        else:
            runs.append([place])
    spots = [(run[0], run[-1] + 1, float(tags[run, 0].max())) for run in runs]
    return sorted(spots, key=lambda spot: (-spot[2], spot[0]))[:most]


def _glued(text: str, at: int) -> bool:
    """Whether a place is within a word."""
    return 0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum()


def _trimmed(run: Sequence[tuple[int, int, float]], text: str) -> list[Span]:
    """A run of tokens as a span of whole words without signs at its edges; it never goes over a part's end."""
    start, end = run[0][0], run[-1][1]
    score = sum(held for *_, held in run) / len(run)
    while _glued(text, start):
        start -= 1
    while _glued(text, end):
        end += 1
    found: list[Span] = []
    for piece in text[start:end].split(SEPARATOR):
        left = len(piece) - len(piece.lstrip(_EDGES))
        kept = piece.strip(_EDGES)
        if kept:
            found.append(Span(start + left, start + left + len(kept), score))
        start += len(piece) + len(SEPARATOR)
    return found
