"""A question as a row of pieces: what its words name in the cube, when, how much, and what is done with it.

Of meanings that share words the longest and surest are taken, so that as few words as possible are left over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from ...store.rdf import Term
from ..annotation.annotate import Annotator
from ..annotation.annotations import Annotation
from ..patterns.tokens import Text, tokenise
from .cube import Cube, Dimension

TIMES = frozenset({"TimeRange", "Weekdays", "TimeOfDay", "YearlyMonths", "YearlyDay", "DayTest", "InstantRange"})
SIDED = frozenset({"Growth", "Difference", "Moved", "Ratio", "Versus", "More"})
"""Words beside which "from 2023 to 2024" is two times, not one."""
SIGNS = ("+", "-")
"""Signs that tell names apart that have the same words."""
YEAR = 4
"""Digits of a year."""
BARE = 0.5
"""How sure it is that a number by itself is a year."""
LETTERS = 3
"""Signs of a name that is taken for one only behind its dimension."""
_TESTS = frozenset({"NumberRange", "Personal"})
"""Patterns that tell of a dimension by itself: "young", "my city"."""
_BEGINNING = frozenset({"from", "between"})
_JOINING = frozenset({"to", "and", "until", "till", "through"})
_NONE: Mapping[str, Term] = MappingProxyType({})
_UNREAD = -25.0
"""What a word costs that nothing stands for."""


@dataclass(frozen=True)
class Meaning:
    """What a piece may name: a measure, dimension, member or facts, by IRI, with the member's value."""

    role: str
    iri: str
    value: str = ""
    sure: float = 1.0


@dataclass(frozen=True)
class Piece:
    """Tokens `first` to `last` (exclusive) of a question: `role` is Name (of the cube, by its `meanings`), Time, Test,
    Unit, Unread, or the kind of a word."""

    role: str
    first: int
    last: int
    words: str
    meanings: tuple[Meaning, ...] = ()
    variables: Mapping[str, Term] = field(default_factory=lambda: _NONE)
    kinds: frozenset[str] = frozenset()
    sure: float = 1.0

    def said(self, name: str) -> str:
        """The text of a variable; empty where it is not bound."""
        term = self.variables.get(name)
        return term.value if term is not None else ""


def pieces_of(text: Text, annotator: Annotator, cube: Cube) -> tuple[Piece, ...]:
    """The pieces of a question, in order, with a piece for each word that nothing stands for."""
    lexical = annotator.lexical(text)
    book = annotator.book
    said = [*_words(text, annotator.patterns(text, lexical, book.words))]
    times = [*_times(text, annotator.patterns(text, lexical, book.filters), cube)]
    units = {a.first for a in lexical if "Unit" in a.kinds}
    times = [piece for piece in times if not _is_number(piece, said) and not _is_amount(piece, units)]
    times += _years(text, said, annotator, cube)
    if any(piece.role in SIDED for piece in said):
        times = [half for piece in times for half in (_halves(text, piece, annotator, cube) or (piece,))]
    found = [*_names(text, lexical, cube), *times, *said]
    found += _lettered(text, found, annotator)
    found += _degrees(text, annotator)
    found = _without_chance(found)
    found += [_of(text, "Unit", a, matches=a.matches) for a in lexical if "Unit" in a.kinds]
    return tuple(_best(text, found))


def _lettered(text: Text, found: Sequence[Piece], annotator: Annotator) -> Iterator[Piece]:
    """Grade A, line 4: members whose names would say nothing without that of their dimension."""
    for piece in found:
        named = {one.iri for one in piece.meanings if one.role == "dimension"}
        token = text.tokens[piece.last] if named and piece.last < len(text.tokens) else None
        if token is None or not (token.text.isupper() or token.text.isdigit()) or len(token.text) > LETTERS:
            continue
        span = (piece.last, piece.last + 1)
        for one in annotator.data.values(text, [span]):
            for iri in named.intersection(one.occurs_in) if _is_written(text, *span, one.value or "") else ():
                yield Piece("Name", *span, token.text, (Meaning("member", iri, one.value or ""),))


def _degrees(text: Text, annotator: Annotator) -> Iterator[Piece]:
    """24 °C."""
    for at, token in enumerate(text.tokens):
        unit = annotator.vocabulary.unit_named(f"°{token.text}") if at and token.text in ("C", "F") else None
        if unit is not None and text.tokens[at - 1].text[:1].isdigit():
            yield Piece("Unit", at, at + 1, token.text, (Meaning("unit", unit.iri),))


def _without_chance(found: Sequence[Piece]) -> list[Piece]:
    """The pieces without members that only sound like a grain of time (monthly in "by month"), and without times of day
    that are members of a dimension named behind them ("the night shift")."""
    grains = {(piece.first, piece.last) for piece in found if piece.role == "Grain"}
    named = {(piece.first, one.iri) for piece in found for one in piece.meanings if one.role == "dimension"}
    shifts = {
        piece.last
        for piece in found
        for one in piece.meanings
        if one.role == "member" and (piece.last, one.iri) in named
    }
    kept: list[Piece] = []
    for piece in found:
        if (piece.first, piece.last) in grains and piece.meanings:
            sure = tuple(one for one in piece.meanings if one.role != "member" or one.sure == 1)
            piece = replace(piece, meanings=sure)
            if not sure:
                continue
        if piece.role == "Time" and piece.last in shifts and "TimeRange" not in piece.kinds:
            continue
        kept.append(piece)
    return kept


def _names(text: Text, lexical: Sequence[Annotation], cube: Cube) -> Iterator[Piece]:
    spans: dict[tuple[int, int], list[Meaning]] = {}
    for one in lexical:
        spans.setdefault((one.first, one.last), []).extend(_meanings(one, text.words(one.first, one.last), cube))
    for (first, last), meanings in spans.items():
        meanings = [one for one in meanings if one.role != "member" or _is_written(text, first, last, one.value)]
        if meanings:
            known = {(m.role, m.iri, m.value): m for m in sorted(meanings, key=lambda m: m.sure)}
            sure = max(m.sure for m in known.values())
            yield Piece("Name", first, last, text.words(first, last), tuple(known.values()), sure=sure)


def _is_verb(words: str, dimension: Dimension) -> bool:
    """Whether words only have the stem of a dimension's name: "parking" is no park."""
    said = words.lower()
    return said.endswith(("ing", "ed")) and all(said != label.lower() for label in dimension.labels)


def _is_written(text: Text, first: int, last: int, value: str) -> bool:
    """Whether a member may be meant: one that ends in a sign has it in the question ("O-" is not O+)."""
    begin, length = text.span(first, last)
    behind = text.text[begin + length : begin + length + 1]
    ends = not text.text[begin + length + 1 : begin + length + 2].isalnum()
    return (value[-1:] if value[-1:] in SIGNS else "") == (behind if behind in SIGNS and ends else "")


def _meanings(one: Annotation, words: str, cube: Cube) -> Iterator[Meaning]:
    iri = one.matches or ""
    if "Property" in one.kinds and iri in cube.measures:
        yield Meaning("measure", iri, sure=one.confidence)
    elif "Property" in one.kinds and iri in cube.dimensions and not _is_verb(words, cube.dimensions[iri]):
        yield Meaning("dimension", iri, sure=one.confidence)
    elif "Class" in one.kinds and iri in cube.facts:
        yield Meaning("facts", iri, sure=one.confidence)
    elif "Value" in one.kinds and one.value is not None:
        for prop in one.occurs_in:
            if prop in cube.dimensions:
                yield Meaning("member", prop, one.value, one.confidence)


def _times(text: Text, matched: Iterable[Annotation], cube: Cube) -> Iterator[Piece]:
    for one in matched:
        if TIMES.intersection(one.kinds) or "Refused" in one.kinds:
            yield _of(text, "Time", one)
        elif _TESTS.intersection(one.kinds):
            about = one.variables.get("property")
            if about is not None and about.value in cube.dimensions:
                yield _of(text, "Test", one, matches=about.value)


def _years(text: Text, said: Sequence[Piece], annotator: Annotator, cube: Cube) -> Iterator[Piece]:
    """Years that stand by themselves: revenue 2024. A number that is compared, or has a unit, is none."""
    compared = {piece.last for piece in said if piece.role in ("Compared", "Range", "Top")}
    compared |= {piece.first - 1 for piece in said if piece.role == "ComparedAfter"}
    amounts = {piece.first for piece in said if piece.role == "Number" and piece.last > piece.first + 1}
    for at, token in enumerate(text.tokens):
        measured = at + 1 < len(text.tokens) and annotator.vocabulary.unit_named(text.tokens[at + 1].text) is not None
        if at in compared or at in amounts or measured:
            continue
        if token.text.isdigit() and len(token.text) == YEAR:
            alone = _time_alone(text, at, at + 1, annotator, cube)
            if alone is not None:
                yield replace(alone, sure=BARE)


def _is_number(time: Piece, said: Sequence[Piece]) -> bool:
    """Whether the words of a time compare a number: "over 2000"."""
    begins = {piece.last for piece in said if piece.role == "Compared" and piece.first == time.first}
    return any(piece.role == "Number" and piece.first in begins and piece.last == time.last for piece in said)


def _is_amount(time: Piece, units: Set[int]) -> bool:
    """Whether the words of a time of day are numbers of a unit: "between 2 and 3 hours"."""
    return "TimeOfDay" in time.kinds and time.last in units


def _halves(text: Text, piece: Piece, annotator: Annotator, cube: Cube) -> tuple[Piece, ...]:
    """The two times of "from 2023 to 2024"; none where a time is no such span."""
    tokens = text.tokens[piece.first : piece.last]
    joint = next((at for at, token in enumerate(tokens, start=piece.first) if token.lower in _JOINING), None)
    if joint is None or not tokens or "TimeRange" not in piece.kinds:
        return ()
    first = piece.first + (tokens[0].lower in _BEGINNING)
    parts = [_time_alone(text, *span, annotator, cube) for span in ((first, joint), (joint + 1, piece.last))]
    return tuple(part for part in parts if part is not None) if all(parts) else ()


def _time_alone(text: Text, first: int, last: int, annotator: Annotator, cube: Cube) -> Piece | None:
    """The time that some tokens say by themselves."""
    if first >= last:
        return None
    alone = tokenise(f"in {text.words(first, last)}")
    found = _times(alone, annotator.patterns(alone, annotator.lexical(alone), annotator.book.filters), cube)
    whole = [
        piece for piece in found if piece.last == len(alone.tokens) and piece.first <= 1 and "TimeRange" in piece.kinds
    ]
    best = max(whole, key=lambda piece: (piece.last - piece.first, piece.sure), default=None)
    return replace(best, first=first, last=last, words=text.words(first, last)) if best is not None else None


def _words(text: Text, matched: Iterable[Annotation]) -> Iterator[Piece]:
    for one in matched:
        if "Word" in one.kinds:
            role = next(kind for kind in one.kinds if kind != "Word")
            yield _of(text, role, one)


def _of(text: Text, role: str, one: Annotation, matches: str | None = None) -> Piece:
    meanings = (Meaning("unit", matches),) if matches else ()
    words = text.words(one.first, one.last)
    return Piece(role, one.first, one.last, words, meanings, one.variables, frozenset(one.kinds), one.confidence)


def _best(text: Text, found: Iterable[Piece]) -> list[Piece]:
    """The row of pieces that leaves the fewest words over; of several the one of the longest and surest pieces."""
    ending: dict[int, list[Piece]] = {}
    for piece in found:
        ending.setdefault(piece.last, []).append(piece)
    best: list[tuple[float, Piece | None, int]] = [(0.0, None, 0)]
    for last, token in enumerate(text.tokens, start=1):
        cost = _UNREAD if token.is_word else 0.0
        options = [(best[last - 1][0] + cost, None, last - 1)]
        options += [(best[piece.first][0] + _worth(piece), piece, piece.first) for piece in ending.get(last, ())]
        best.append(max(options, key=lambda option: option[0]))
    row: list[Piece] = []
    at = len(text.tokens)
    while at:
        _, piece, before = best[at]
        if piece is None and text.tokens[before].is_word:
            piece = Piece("Unread", before, at, text.words(before, at))
        if piece is not None:
            row.append(piece)
        at = before
    return row[::-1]


def _worth(piece: Piece) -> float:
    """How much a piece is preferred: long pieces, names of the cube and times before small words."""
    if piece.role == "Light":
        return -1.0
    base = {"Name": 3.0, "Time": 2.0, "FiscalPeriod": 2.2, "Test": 1.6, "Unit": 1.1}.get(piece.role, 1.0)
    return base * (piece.last - piece.first) - 0.6 + piece.sure - 1
