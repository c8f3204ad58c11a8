"""Texts that make a regular expression slow, derived from its own syntax tree, and how its time grows with them.

A repetition is slow where what it matches may also be matched in another way, or from another start: so each
repetition is fed with many copies of what it takes, after what leads up to it, and before something at which it fails.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import log
from re import _constants as op  # pyright: ignore[reportAttributeAccessIssue]
from re import _parser as parser  # pyright: ignore[reportAttributeAccessIssue]
from time import thread_time
from types import FrameType
from typing import Any

SIGNS = " a1-.,\n'\"A\t\r_/:@<>()[]{}|&+*#$%=;!?\\~é€“’–…中😀\u0301\u0660\x0b"
"""Characters tried wherever a set takes them."""
MIXED = (
    "a ",
    "1.",
    "1,",
    "1 ",
    "a-",
    "A ",
    "Aa ",
    "a.",
    "1:",
    "- ",
    "<a",
    ">\n",
    ", ",
    ". ",
    "\n\n",
    "\r\n",
    " \n",
    "('",
    "a'",
    "12.",
    "1/",
)
"""Pieces of texts as people, programs and attackers write them."""
LONG = 50
"""Repetitions that are allowed more often than this are pumped."""
SIZES = (1_000, 4_000, 16_000)
SWIFT_SECONDS = 0.000_3
"""Whatever takes less at 4,000 characters is linear: a quadratic pattern takes 8 million steps there."""
LAZY_SECONDS = 0.006
"""Whatever takes more at 4,000 characters is judged by that and less, for it may take minutes at more."""
FEW_SECONDS = 0.004
"""Less than this at 16,000 characters is no growth that matters."""
SECONDS_PER_SIGN = 0.000_02
"""More for each character of a long text, and a mail of some megabytes takes a minute: linear, and still too slow."""
STEEPEST = 1.45
"""Time may grow as this power of the length, by measured points."""
PATIENCE_SECONDS = 0.5


@dataclass(frozen=True)
class Pump:
    """A text of any length: `before`, as many `body` as it takes, and `after`."""

    before: str
    body: str
    after: str

    def text(self, length: int) -> str:
        return self.before + self.body * max(1, length // len(self.body)) + self.after


@dataclass(frozen=True)
class Slow:
    """Time grew with a pump as a power of the length; `seconds` at the longest text that was tried."""

    pump: Pump
    power: float
    seconds: float


class _TooLongError(Exception):
    """Patience ran out."""


@contextmanager
def _patience(seconds: float) -> Iterator[None]:
    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise _TooLongError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def seconds(run: Callable[[str], object], text: str, times: int = 1, patience: float = PATIENCE_SECONDS) -> float:
    """Least processor time of a run; infinite where it was stopped."""
    best = float("inf")
    for _ in range(times):
        try:
            with _patience(patience):
                begun = thread_time()
                run(text)
                best = min(best, thread_time() - begun)
        except _TooLongError:
            return float("inf")
    return best


def slow(
    run: Callable[[str], object], pump: Pump, *, swift: float = SWIFT_SECONDS, least: float = SECONDS_PER_SIGN
) -> Slow | None:
    """What a run's time does with ever more of a pump, if it grows faster than the text does, or is long for each
    character: more than `least`. What takes less than `swift` at 4,000 characters is not looked at further."""
    patience = max(PATIENCE_SECONDS, 2 * least * SIZES[2])
    middle = seconds(run, pump.text(SIZES[1]), patience=patience)
    if middle < swift:
        return None
    few = seconds(run, pump.text(SIZES[0]), patience=patience)
    if middle > LAZY_SECONDS * swift / SWIFT_SECONDS:
        known = middle < float("inf")
        return _judged(run, pump, SIZES[:2], least) if known else Slow(pump, float("inf"), middle)
    most = seconds(run, pump.text(SIZES[2]), patience=patience)
    grows = _power(middle, most) > STEEPEST or _power(few, most, SIZES[2] / SIZES[0]) > STEEPEST
    if most < least * SIZES[2] and not (grows and most > FEW_SECONDS):
        return None
    return _judged(run, pump, SIZES[1:], least)


def _judged(run: Callable[[str], object], pump: Pump, sizes: tuple[int, ...], least: float) -> Slow | None:
    """Measured again, more than once, and at longer texts, against chance: what a busy machine does to a time."""
    few, many = sizes
    patience = max(PATIENCE_SECONDS, 2 * least * many)
    at_few, at_many = (seconds(run, pump.text(size), 3, patience) for size in sizes)
    power = _power(at_few, at_many, many / few)
    if power > STEEPEST and at_many > FEW_SECONDS:
        longer = many * many // few
        power = min(power, _power(at_many, seconds(run, pump.text(longer), 3, 16 * patience), longer / many))
        return Slow(pump, power, at_many) if power > STEEPEST else None
    return Slow(pump, power, at_many) if at_many > least * many else None


def _power(at_few: float, at_many: float, ratio: float = 4.0) -> float:
    return float("inf") if at_many == float("inf") else log(max(at_many, 1e-9) / max(at_few, 1e-9)) / log(ratio)


def pumps(pattern: str | bytes, flags: int = 0) -> list[Pump]:
    """Texts to try on a pattern, each once: those that its own repetitions call for."""
    tree = parser.parse(pattern, flags)
    bodies: dict[tuple[str, str], None] = {}
    for before, body in _repeated(list(tree), ""):
        for one in body:
            bodies[before, one] = bodies["", one] = None
            if before:
                bodies["", before + one] = bodies["", before] = None
    leads = {before for before, _ in bodies if before}
    for lead in sorted(leads)[:3]:
        for piece in SIGNS[:6]:
            bodies[lead, piece] = None
    whole = _shortest(list(tree))
    if whole:
        bodies["", whole] = bodies["", whole + " "] = bodies["", whole + "a"] = bodies["", whole[:-1] or "a"] = None
    return [Pump(before, body, after) for before, body in bodies if body for after in ("", "\x01")]


def generic_pumps() -> list[Pump]:
    """What stands in any text, for every pattern."""
    return [Pump("", body, after) for body in (*SIGNS, *MIXED) for after in ("", "\x01")]


def _repeated(nodes: list[Any], before: str) -> Iterator[tuple[str, list[str]]]:
    """Every long repetition below nodes: what leads up to it, and some texts that it takes."""
    for kind, value in nodes:
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            most, inner = value[1], list(value[2])
            if most is op.MAXREPEAT or most > LONG:
                yield before, _some(inner)
            yield from _repeated(inner, before)
        else:
            for inside in _inside(kind, value):
                yield from _repeated(inside, before)
        before += _shortest([(kind, value)])


def _inside(kind: Any, value: Any) -> Iterable[list[Any]]:
    if kind is op.SUBPATTERN:
        return [list(value[3])]
    if kind is op.BRANCH:
        return [list(branch) for branch in value[1]]
    if kind in (op.ASSERT, op.ASSERT_NOT):
        return [list(value[1])]
    if kind is op.ATOMIC_GROUP:
        return [list(value)]
    if kind is op.GROUPREF_EXISTS:
        return [list(part) for part in value[1:] if part is not None]
    return []


def _shortest(nodes: list[Any]) -> str:
    """A short text that the nodes match, assertions left aside."""
    return (_some(nodes, most=1) or [""])[0]


def _some(nodes: list[Any], most: int = 40) -> list[str]:
    """Some texts that the nodes match, one after the other."""
    found = [""]
    for kind, value in nodes:
        options = _texts(kind, value, most)
        found = [one + other for one in found[: max(1, most // max(1, len(options)))] for other in options][:most]
    return [one for one in found if one]


def _texts(kind: Any, value: Any, most: int) -> list[str]:
    if kind is op.LITERAL:
        return [chr(value)]
    if kind in (op.IN, op.NOT_LITERAL, op.ANY):
        return _signs(kind, value)[:most]
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        inner = _some(list(value[2]), most)
        least = [one * value[0] for one in inner] if value[0] else [""]
        return (least if value[0] else ["", *inner])[:most]
    if kind is op.SUBPATTERN:
        return _some(list(value[3]), most) or [""]
    if kind is op.ATOMIC_GROUP:
        return _some(list(value), most) or [""]
    if kind is op.BRANCH:
        return [text for branch in value[1] for text in _some(list(branch), max(1, most // 8))[:2]][:most] or [""]
    return [""]


def _signs(kind: Any, value: Any) -> list[str]:
    """Characters of a set: first those tried everywhere, then its own."""
    tried = [sign for sign in SIGNS if _takes(kind, value, sign)]
    if kind is op.IN:
        own = [chr(v if k is op.LITERAL else v[0]) for k, v in value if k in (op.LITERAL, op.RANGE)]
        tried += [sign for sign in own if sign not in tried and _takes(kind, value, sign)]
    return tried or ["\x02"]


def _takes(kind: Any, value: Any, sign: str) -> bool:
    code = ord(sign)
    if kind is op.ANY:
        return sign != "\n"
    if kind is op.NOT_LITERAL:
        return code != value
    negated = bool(value) and value[0][0] is op.NEGATE
    return negated != any(_one_takes(one, detail, code) for one, detail in value)


def _one_takes(kind: Any, value: Any, code: int) -> bool:
    if kind is op.LITERAL:
        return code == value
    if kind is op.RANGE:
        return value[0] <= code <= value[1]
    if kind is op.CATEGORY:
        sign = {op.CATEGORY_DIGIT: r"\d", op.CATEGORY_NOT_DIGIT: r"\D", op.CATEGORY_SPACE: r"\s"}
        sign |= {op.CATEGORY_NOT_SPACE: r"\S", op.CATEGORY_WORD: r"\w", op.CATEGORY_NOT_WORD: r"\W"}
        return re.match(sign[value], chr(code)) is not None
    return False


RUNS: dict[str, Callable[[Any, Any], object]] = {
    "search": lambda pattern, text: pattern.search(text),
    "match": lambda pattern, text: pattern.match(text),
    "fullmatch": lambda pattern, text: pattern.fullmatch(text),
    "finditer": lambda pattern, text: sum(1 for _ in pattern.finditer(text)),
}
"""What is done with a pattern; `sub`, `split` and `findall` go through a text as `finditer` does."""


def slowest(compiled: Any, methods: Iterable[str], *, tried: list[Pump] | None = None) -> dict[str, Slow]:
    """Methods of a compiled pattern that are slower than linear, each with the first pump that shows it."""
    found: dict[str, Slow] = {}
    for method in sorted({method if method in RUNS else "finditer" for method in methods}):
        for pump in [*pumps(compiled.pattern, compiled.flags), *generic_pumps()] if tried is None else tried:
            as_bytes = isinstance(compiled.pattern, bytes)

            def run(text: str, method: str = method, as_bytes: bool = as_bytes) -> object:
                return RUNS[method](compiled, text.encode() if as_bytes else text)

            if (shown := slow(run, pump)) is not None:
                found[method] = shown
                break
    return found
