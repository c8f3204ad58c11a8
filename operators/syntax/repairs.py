"""What is put right in a text before it is read as a tree, and how that is said.

Language models write trees almost rightly. Each thing that is put right is a rule with a name; what was done is handed
on with the tree, so nothing is guessed in silence. What no rule names is refused. `RULES` lists the rules in the order
in which they are tried; those of whole texts are here and keep every other character where it stands, so that places in
errors stay true. Those of calls and arguments are in `argument_repairs`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ...errors import Place, TreeSyntaxError
from .limits import bracket_positions, place_in, quoted_end

RULES: tuple[tuple[str, str], ...] = (
    ("code-fence", "The tree stands between ``` fences or in backticks; what stands around them is left out."),
    ("label", "A label stands before the tree: `Assistant:`, `plan =`, `return`, `(1)`."),
    ("typographic-quotes", "“…”, ‘…’, „…“ and «…» that delimit a text are quotes."),
    ("trailing-parentheses", "Closing parentheses are missing at the very end, or there are too many of them."),
    ("other-argument-name", "An argument has another name: `list=` for `l=`, `condition=` for FILTER's `filter=`."),
    ("names-in-one-text", "One text holds several names with commas between."),
    ("one-name-for-list", "A name stands where a list of names is meant."),
    ("one-type-for-list", "A type stands where a list of types is meant."),
    ("type-in-quotes", 'A type stands in quotes: "float".'),
    ("type-synonym", "A type has another name: string, integer, number, List[str]."),
    ("value-missing", "ARGMIN or ARGMAX does not say what to answer."),
    ("other-join-names", "A JOIN's condition calls its two sides something else than i1 and i2."),
)
"""Names of the rules and what each puts right, in the order in which they are tried."""


@dataclass(frozen=True)
class Repair:
    """Something that was put right: the rule's name (one of RULES), what was done, and where."""

    rule: str
    message: str
    place: Place

    def __str__(self) -> str:
        return f"{self.place}: {self.message} ({self.rule})"


@dataclass(frozen=True)
class _Change:
    """A text put right: the new text, where the first change is, and what was done."""

    text: str
    position: int
    message: str


def repaired(text: str) -> tuple[str, tuple[Repair, ...]]:
    """The text of a whole tree put right, and what was done. Raises TreeSyntaxError for an unterminated quote."""
    return _applied(text, _TEXT_RULES, 1, 1)


def repaired_inside(text: str, line: int, column: int) -> tuple[str, tuple[Repair, ...]]:
    """A condition in quotes put right: only its quotes."""
    return _applied(text, (("typographic-quotes", _typographic_quotes),), line, column)


def _applied(
    text: str, rules: tuple[tuple[str, Callable[[str], _Change | None]], ...], line: int, column: int
) -> tuple[str, tuple[Repair, ...]]:
    found: list[Repair] = []
    for name, rule in rules:
        change = rule(text)
        if change is not None:
            found.append(Repair(name, change.message, place_in(text, change.position, line, column)))
            text = change.text
    return text, tuple(found)


def _blanked(text: str, start: int, end: int) -> str:
    """The text with spaces in a stretch of it, lines kept."""
    return text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]


# ---------------------------------------------------------------- fences, labels
def _outside_quotes(text: str) -> Iterator[int]:
    """Positions outside ASCII quotes and comments."""
    position = 0
    while position < len(text):
        if text[position] in "\"'#":
            position, _ = quoted_end(text, position)
        else:
            yield position
            position += 1


# Every repetition is possessive: a hostile text must not make a search slow.
_LANGUAGE = re.compile(r"[ \t]*+[A-Za-z+-]*+(?=\s)")
_LABEL = re.compile(
    r"\s*+(?:(?:\(\d++(?:\.\d++)*+\)|\d++(?:\.\d++)*+[.)]|[-*])\s++)?+"
    r"(?:(?:\*{0,2}+[A-Za-z][A-Za-z ]{0,30}+\*{0,2}+:\*{0,2}+|[A-Za-z_]\w{0,30}+\s*+=|return\b)\s*+){0,3}+"
    r"(?=(?:\{\{?+\s*+)?+[A-Za-z_]++\s*+\()"
)


def _code_fence(text: str) -> _Change | None:
    """One fenced block, or a text in backticks. Two blocks are two trees, which no rule chooses from."""
    if "`" not in text:
        return None
    fences = [at for at in _outside_quotes(text) if text.startswith("```", at) and (at == 0 or text[at - 1] != "`")]
    if len(fences) in (1, 2):
        return _unfenced(text, fences)
    stripped = text.strip()
    if len(stripped) > 2 and stripped[0] == stripped[-1] == "`" and stripped.count("`") == 2:
        start, end = text.index("`"), text.rindex("`")
        return _Change(_blanked(_blanked(text, start, start + 1), end, end + 1), start, "the tree stands in backticks")
    return None


def _unfenced(text: str, fences: list[int]) -> _Change:
    language = _LANGUAGE.match(text, fences[0] + 3)
    start, end = language.end() if language else fences[0] + 3, fences[-1]
    if len(fences) == 1:
        opening = bool(text[start:].strip())
        start, end = (start, len(text)) if opening else (0, end)
    made = _blanked(_blanked(text, end, len(text)), 0, start)
    return _Change(made, fences[0], "what stands outside the code fence is left out")


def _label(text: str) -> _Change | None:
    """A label before the tree: at most a number and three words with a colon or `=`."""
    match = _LABEL.match(text)
    if match is None or not match.group().strip():
        return None
    start = len(text) - len(text.lstrip())
    return _Change(_blanked(text, 0, match.end()), start, f"{match.group().strip()!r} before the tree is left out")


# ---------------------------------------------------------------- quotes
_CLOSING = {"“": "”“", "”": "”", "„": "“”", "«": "»", "‘": "’", "’": "’", "‚": "‘’"}
_SINGLE = "‘’‚"
_BEHIND = re.compile(r"\s*+(?:[,)\]}:=!<>]|in\b|and\b|or\b|$)")


def _typographic_quotes(text: str) -> _Change | None:
    """Typographic quotes that delimit; an apostrophe inside ‘…’ is one unless a comma or a bracket follows it."""
    made = list(text)
    first: int | None = None
    position = 0
    while position < len(text):
        if text[position] in "\"'#":
            position, _ = quoted_end(text, position)
            continue
        if text[position] in _CLOSING:
            end = _closing(text, position)
            sign = _delimiter(text[position + 1 : end]) if end is not None else None
            if end is None or sign is None:
                return None
            made[position] = made[end] = sign
            first = position if first is None else first
            position = end
        position += 1
    return None if first is None else _Change("".join(made), first, "typographic quotes are quotes")


def _closing(text: str, start: int) -> int | None:
    """Where the quote that opens at `start` closes."""
    wanted = _CLOSING[text[start]]
    for position in range(start + 1, len(text)):
        if text[position] == "\n":
            return None
        if text[position] in wanted and (text[start] not in _SINGLE or _BEHIND.match(text, position + 1)):
            return position
    return None


def _delimiter(inside: str) -> str | None:
    """The ASCII quote that does not stand inside."""
    return next((sign for sign in "\"'" if sign not in inside), None)


# ---------------------------------------------------------------- parentheses
def _trailing_parentheses(text: str) -> _Change | None:
    """Parentheses missing or left over at the very end; those inside are for the reader to refuse."""
    try:
        brackets = list(bracket_positions(text))
    except TreeSyntaxError:
        return None
    stack: list[str] = []
    pairs = {")": "(", "]": "[", "}": "{"}
    for order, position in enumerate(brackets):
        sign = text[position]
        if sign not in pairs:
            stack.append(sign)
        elif stack and stack[-1] == pairs[sign]:
            stack.pop()
        else:
            return None if stack else _surplus(text, brackets[order:])
    if not stack or set(stack) != {"("} or len(stack) > _MOST_MISSING:
        return None
    end = len(text.rstrip())
    return _Change(text + "\n" + ")" * len(stack), end, f"{len(stack)} missing ) added at the end")


_MOST_MISSING = 20


def _surplus(text: str, positions: list[int]) -> _Change | None:
    """The text without the parentheses from the first of `positions` on, where nothing else follows."""
    rest = text[positions[0] :]
    if rest.replace(")", "").strip() or len(positions) > _MOST_MISSING:
        return None
    return _Change(
        _blanked(text, positions[0], len(text)), positions[0], f"{len(positions)} needless ) at the end left out"
    )


_TEXT_RULES: tuple[tuple[str, Callable[[str], _Change | None]], ...] = (
    ("code-fence", _code_fence),
    ("label", _label),
    ("typographic-quotes", _typographic_quotes),
    ("trailing-parentheses", _trailing_parentheses),
)
