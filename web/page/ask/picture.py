"""The operator tree as a picture: boxes with what an operator does, its rows and its time, and lines between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ....engine.answers.formats import integer, period_in_words
from ....engine.answers.statement import period_in
from ....execution.explain import Explained
from ....operators.nodes import (
    Apply,
    ArgMax,
    ArgMin,
    Extract,
    Filter,
    GroupBy,
    Join,
    Map,
    Node,
    Retrieve,
    Unnest,
    children,
)
from ....operators.wording import limited, wording
from ....store.words import key_words

WIDTH: Final = 176
HEIGHT: Final = 66
LOW: Final = 50
_ASIDE: Final = 28
_BELOW: Final = 28
_EDGE: Final = 2
_TITLE_LETTERS: Final = 20
_DETAIL_LETTERS: Final = 27
_NAMES: Final = {"APPLY": "Compute", "SUM": "Add up", "AVG": "Average", "MIN": "Least", "MAX": "Greatest"}


@dataclass(frozen=True)
class Box:
    """An operator: where it stands, what it is called, what it does, how many rows it gives and how long it took with
    all that is below it; `path` is the way to it from the top."""

    x: float
    y: float
    title: str
    detail: str
    rows: str
    time: str
    path: str
    told: str
    """All of it in a sentence."""

    @property
    def height(self) -> int:
        """How high it is: what is said in its title needs no line of its own."""
        return HEIGHT if self.detail else LOW


@dataclass(frozen=True)
class Line:
    """From the bottom of a box to the top of one below."""

    x: float
    y: float
    to_x: float
    to_y: float

    @property
    def d(self) -> str:
        """Its way, as SVG has it."""
        middle = (self.y + self.to_y) / 2
        return f"M{self.x} {self.y}C{self.x} {middle} {self.to_x} {middle} {self.to_x} {self.to_y}"


@dataclass(frozen=True)
class Picture:
    """All boxes and lines, and how large they are together."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]


def picture(tree: Node, told: Explained | None, locale: str) -> Picture:
    """The picture of a tree and how it was computed, where that is known: leaves side by side, an operator above the
    middle of its own."""
    boxes: list[Box] = []
    lines: list[Line] = []
    leaves = 0
    tops = _tops(tree, locale)

    def place(node: Node, one: Explained | None, path: tuple[int, ...]) -> float:
        nonlocal leaves
        below = children(node)
        parts = list(zip(below, one.below if one is not None else (None,) * len(below), strict=True))
        across = [place(part, told, (*path, at)) for at, (part, told) in enumerate(parts)]
        y = tops[len(path)]
        if across:
            x = (across[0] + across[-1]) / 2
        else:
            x = _EDGE + leaves * (WIDTH + _ASIDE)
            leaves += 1
        middle = x + WIDTH / 2
        box = _box(node, one, x, y, path, locale)
        lines.extend(Line(middle, y + box.height, at + WIDTH / 2, tops[len(path) + 1]) for at in across)
        boxes.append(box)
        return x

    place(tree, told, ())
    deepest = max(box.y + box.height for box in boxes)
    widest = max(box.x for box in boxes) + WIDTH
    return Picture(widest + _EDGE, deepest + _EDGE, tuple(sorted(boxes, key=lambda box: box.path)), tuple(lines))


def _tops(tree: Node, locale: str) -> list[float]:
    """Where each level begins: below the highest box of the one above."""
    found, level, y = [], [tree], float(_EDGE)
    while level:
        found.append(y)
        y += max(HEIGHT if detail_of(node, locale) else LOW for node in level) + _BELOW
        level = [part for node in level for part in children(node)]
    return found


def _box(node: Node, one: Explained | None, x: float, y: float, path: Sequence[int], locale: str) -> Box:
    title, detail, name = title_of(node), detail_of(node, locale), ".".join(map(str, path))
    if one is None:
        cut = _cut(title, _TITLE_LETTERS), _cut(detail, _DETAIL_LETTERS)
        return Box(x, y, *cut, "", "", name, ": ".join(filter(None, (title, detail))))
    rows, time = integer(one.rows, locale), in_time(one.ms)
    how = _how(one)
    counted = f"{rows} {'row' if one.rows == 1 else 'rows'}"
    said = f"{title}: {', '.join(filter(None, (detail, counted, time, how)))}"
    below = " · ".join(filter(None, (time, how)))
    return Box(
        x, y, _cut(title, _TITLE_LETTERS), _cut(detail, _DETAIL_LETTERS), rows, _cut(below, _DETAIL_LETTERS),
        name, said,
    )  # fmt: skip


def title_of(node: Node) -> str:
    """What an operator is called in the picture."""
    if isinstance(node, Retrieve):
        return f"Retrieve “{node.query}”"
    if isinstance(node, Extract):
        return f"Extract {', '.join(map(key_words, node.names))}"
    if isinstance(node, Apply):
        return "Count" if wording(node).startswith("the number of ") else "Compute"
    if isinstance(node, ArgMax | ArgMin):
        return "The most" if isinstance(node, ArgMax) else "The least"
    plain = {Filter: "Filter", Join: "Join", GroupBy: "Group", Map: "Of each", Unnest: "One by one"}
    return plain.get(type(node)) or _NAMES.get(type(node).__name__.upper(), type(node).__name__)


def detail_of(node: Node, locale: str) -> str:
    """What it does, as far as its title does not say it."""
    if isinstance(node, Filter):
        period = period_in(node.condition.body)
        said = period_in_words(period, locale) if period is not None else ""
        return said or limited(node.condition.body)
    if isinstance(node, Join):
        told = wording(node)
        left, right = wording(node.left), wording(node.right)
        return told.removeprefix(left).removesuffix(right).strip() or "together"
    if isinstance(node, GroupBy):
        return f"by {', '.join(map(key_words, node.names))}"
    if isinstance(node, Map):
        told = wording(node)
        return told.partition(" of ")[0] if isinstance(node.input, GroupBy) else key_words(node.name)
    if isinstance(node, ArgMax | ArgMin):
        return key_words(node.value_name)
    if isinstance(node, Unnest):
        return key_words(node.item_name or node.name)
    if isinstance(node, Retrieve):
        return "" if node.source is None else "among what is below"
    name = getattr(node, "name", "")
    return key_words(name) if isinstance(name, str) else ""


def _how(one: Explained) -> str:
    """Where its rows come from, in words."""
    if one.how.startswith("derivation"):
        return "read earlier"
    if one.how.startswith("reused"):
        return "computed before"
    return "computed" if one.how.startswith("computed") else ""


def in_time(ms: float) -> str:
    """A length of time: 3 ms, 0.4 s."""
    return f"{round(ms)} ms" if ms < 1000 else f"{ms / 1000:.1f} s"


def node_at(tree: Node, path: Sequence[int]) -> Node | None:
    """The operator at the end of a path; None where there is none."""
    for at in path:
        parts = children(tree)
        if at >= len(parts):
            return None
        tree = parts[at]
    return tree


def lines_of(picture_: Picture) -> Iterator[str]:
    """All of it as sentences, for those who do not see it."""
    for box in picture_.boxes:
        yield box.told


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
