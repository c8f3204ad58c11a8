"""Whether a tree says what the words of a question ask for: those that it has nothing for are told."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Final

from .pieces import Piece
from .values import SORTS

_SIGNS: Final = {
    "Not": ("!=", "not in", "not (", "== 0", "is None", "== False"),
    "Never": ("!=", "not in", "not (", "== 0", "is None"),
    "Compared": (">", "<", "==", "!="),
    "ComparedAfter": (">", "<"),
    "ThanAverage": ("AVG(", "mean("),
    "Range": ("<=", " - ", "GROUP_BY"),
    "By": ("GROUP_BY",),
    "Per": ("GROUP_BY", " / ", "AVG(", "mean("),
    "GrainEach": ("GROUP_BY",),
    "Share": ("100 *",),
    "AsShare": ("100 *",),
    "Ratio": (" / ",),
    "Difference": (" - ", "abs("),
    "Growth": (" - ",),
    "Running": ("_2",),
    "Percentile": ("sorted(", "median("),
    "Top": ("sorted(", "max(", "min(", "MAX(", "MIN(", "ARGMAX(", "ARGMIN("),
    "Rank": ("1 + sum",),
    "Than": (">", "<", " - ", " / ", "GROUP_BY"),
    "Edge": ("MIN(", "MAX(", "sorted(", "ARGM", "[0]", "[-1]"),
}
"""What a tree that says such a word has one of."""
_UNREAD: Final = ("not read:", "left out:")
_AGGREGATES: Final = {
    "avg": ("AVG(", "mean(", " / "),
    "median": ("median(",),
    "max": ("max(", "MAX("),
    "min": ("min(", "MIN("),
}


def unaccounted(
    pieces: Sequence[Piece], tree: str, notes: Iterable[str] = (), *, strange: bool = True
) -> tuple[str, ...]:
    """The words of a question that a tree has nothing for, in order, and those that its notes say were not read. Words
    that neither the cube nor these words know, and times, count only where they are `strange` to rules, too."""
    told = [word for note in notes if note.startswith(_UNREAD) for word in re.findall("“([^”]*)”", note)]
    both = {"By", "Per"} <= {piece.role for piece in pieces}  # then the groups are those of "by"
    pieces = [piece for piece in pieces if strange or piece.role not in ("Unread", "Time")]
    lacking = [piece.words for piece in pieces if not _is_said(piece, tree)]
    lacking += [piece.words for piece in pieces if both and piece.role == "Per" and " / " not in tree]
    return tuple(dict.fromkeys([*lacking, *told]))


def _is_said(piece: Piece, tree: str) -> bool:
    if piece.role == "Unread":
        return piece.words.lower() in tree.lower()
    if piece.role == "Number":
        return _number(piece.said("number")) in _numbers(tree)
    if piece.role == "Aggregate":
        return any(sign in tree for sign in _AGGREGATES.get(piece.said("aggregate"), ("",)))
    if piece.role == "Name" and all(one.role == "member" for one in piece.meanings):
        return any(one.value in tree for one in piece.meanings)
    if piece.role == "Time":
        return "start_" in tree or any(piece.said(name)[:4] in tree for name in ("begin", "end") if piece.said(name))
    if piece.role == "Top" and piece.said("m") in SORTS:
        return any(word in tree.lower() for word in SORTS[piece.said("m")])
    signs = _SIGNS.get(piece.role)
    return signs is None or any(sign in tree for sign in signs)


def _number(text: str) -> Decimal:
    return Decimal(text).normalize()


def _numbers(tree: str) -> Iterator[Decimal]:
    """The numbers of a tree, by themselves and in parts of units that are converted."""
    for found in re.findall(r"\d+(?:\.\d+)?", tree):
        number = Decimal(found)
        yield number.normalize()
        for factor in (60, 3600, 1000):
            yield (number / factor).normalize()
