"""One way to read a question: its core, the filters taken out of it, and the words that say nothing.

Filters (in 2023, on Mondays, over 10 km) and asides (in hours, ever, please) may stand anywhere. Patterns for the
question's frame would have to expect them everywhere; so they are taken out first, and what is left is the core that
frames match.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path

from ..patterns.tokens import Respelt, Text, Token, carried, respelt, tokenise
from .annotate import Annotation, Annotator

MAX_READINGS = 3
_OPAQUE = "\x02"
_MOVED = frozenset({"Filter", "Aside"})


@dataclass(frozen=True)
class Filter:
    """A filter that was taken out: its words, what they mean, and where they stood in the question as it was asked
    (offset and length)."""

    words: str
    annotation: Annotation
    place: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Reading:
    """The core with its annotations, the filters and asides in order, and the words left out.

    Annotations of the core count its tokens; those of filters and asides count the question's.
    """

    core: Text
    annotations: tuple[Annotation, ...]
    filters: tuple[Filter, ...] = ()
    asides: tuple[Filter, ...] = ()
    notes: tuple[str, ...] = ()
    """Misspelt words that were put right, and words that were read as others of like meaning."""
    sure: float = 1.0
    """How sure it is that these were meant."""
    numbers: tuple[int, ...] = ()
    """Of each token of the core its number in the question, where that can be told."""

    @property
    def filter_words(self) -> str:
        """What a rule puts behind the words of an open leaf: ', last month, in the morning', or nothing."""
        return "".join(f", {f.words}" for f in self.filters)

    @property
    def text(self) -> str:
        """The core with its filters behind it."""
        return self.core.text + self.filter_words


def readings(question: str, annotator: Annotator, *, whole: bool = True) -> tuple[Reading, ...]:
    """Ways to read the question, the likeliest first: they differ where a value of the data reads like a filter.

    Only the core of a `whole` question is matched with frames. Misspelt words are put right. Where the rule book wants
    near matches always, they stand beside the others.
    """
    text, corrections = annotator.corrected(tokenise(question))
    notes = tuple(correction.note for correction in corrections)
    found = _read(text, annotator, whole, notes)
    if annotator.settings.always:
        found = tuple(_nearer(reading, annotator, whole) for reading in found)
    return (*_worded(text, annotator, notes, otherwise=False), *found) if whole else found


def worded_readings(question: str, annotator: Annotator) -> tuple[Reading, ...]:
    """Readings of a question as a whole that patterns of the kind Otherwise give; none where none of them matches."""
    text, corrections = annotator.corrected(tokenise(question))
    return _worded(text, annotator, tuple(correction.note for correction in corrections), otherwise=True)


def _worded(text: Text, annotator: Annotator, notes: tuple[str, ...], *, otherwise: bool) -> tuple[Reading, ...]:
    """The question with its filters in their places, without the words that say nothing, if a Wording matches it."""
    if not annotator.book.wordings or not text.tokens:
        return ()
    moved = annotator.patterns(text, annotator.lexical(text), annotator.book.filters)
    noise = [a for a in _disjoint(moved) if "Noise" in a.kinds]
    rest, kept = _rest(text, {index for a in noise for index in range(a.first, a.last)})
    core = carried(rest, text, kept)
    if not core.tokens:
        return ()
    lexical = annotator.lexical(core)
    masked = _masked(core, annotator, {core.words(a.first, a.last).lower() for a in lexical if "Value" in a.kinds})
    filters = annotator.patterns(core, lexical, annotator.book.filters) if rest != text.text else moved
    known = [*lexical, *(a for a in filters if "Noise" not in a.kinds)]
    found = annotator.patterns(masked, known, annotator.book.wordings)
    chosen = [a for a in found if "Wording" in a.kinds and ("Otherwise" in a.kinds) == otherwise]
    if not chosen:
        return ()
    said = tuple(Filter(text.words(a.first, a.last), a, text.origin(a.first, a.last)) for a in noise)
    sure = prod(by.sure for by in dict.fromkeys(text.put.values()))
    return (Reading(core, (*lexical, *chosen), (), said, notes, sure),)


def near_readings(question: str, annotator: Annotator, *, whole: bool = True) -> tuple[Reading, ...]:
    """Readings with the words that nothing knows replaced by labels that they come near, by parts or by meaning; none
    where there are no such."""
    text, corrections = annotator.corrected(tokenise(question))
    if not text.tokens or annotator.settings.always:
        return ()
    best = _read(text, annotator, whole, ())[0]
    if not best.numbers:
        return ()
    found = [
        replace(a, first=best.numbers[a.first], last=best.numbers[a.last - 1] + 1)
        for a in _near_matches(best, annotator)
    ]
    notes = tuple(correction.note for correction in corrections)
    made: list[Reading] = []
    for chosen in _ways([a for a in found if a.value is None]):
        put = {(a.first, a.last): Respelt(_in_number(annotator, a, text), a.confidence, a.how) for a in chosen}
        told = tuple(f"“{text.words(*span)}”: read as “{by.words}”" for span, by in put.items())
        made += _read(respelt(text, put), annotator, whole, notes + told)[:1]
    return tuple(made)


def _ways(found: Sequence[Annotation]) -> Iterable[list[Annotation]]:
    """Near matches that share no word, the likeliest first; then with each rival label in the place of the surest."""
    best = _disjoint(found)
    if not best:
        return
    yield best
    said = {(a.first, a.last, a.near) for a in best}
    spans = {(a.first, a.last): a for a in best}
    for rival in sorted(found, key=lambda a: -a.confidence):
        span = (rival.first, rival.last)
        if span in spans and (*span, rival.near) not in said and len(said) < len(best) + MAX_READINGS - 1:
            said.add((*span, rival.near))
            yield [rival if a is spans[span] else a for a in best]


def _in_number(annotator: Annotator, near: Annotation, text: Text) -> str:
    """The label of what a word comes near, in the plural if the word is in it."""
    label = annotator.label_of(near)
    said = text.words(near.first, near.last).lower()
    is_plural = annotator.book.forms.singular(said) != said and annotator.book.forms.singular(label) == label
    return f"{label}s" if is_plural else label


def _read(text: Text, annotator: Annotator, whole: bool, notes: tuple[str, ...]) -> tuple[Reading, ...]:
    if not text.tokens:
        return ()
    lexical = annotator.lexical(text)
    patterns = annotator.patterns(text, lexical, annotator.book.filters)
    values = [a for a in lexical if "Value" in a.kinds]
    chance = {id(v) for v in values if any(_is_chance(v, p, annotator) for p in patterns)}
    choices = _choices(patterns, [v for v in values if id(v) not in chance], [v for v in values if id(v) in chance])
    own = annotator.book.own
    shipped = [a for a in patterns if a.pattern not in own]
    return tuple(
        _reading(text, chosen, annotator, whole, (*notes, *_read_otherwise(text, chosen, shipped, own)))
        for chosen in choices
    )


def _read_otherwise(
    text: Text, chosen: Sequence[Annotation], shipped: Sequence[Annotation], own: Mapping[str, str]
) -> Iterator[str]:
    """Words that a pattern that does not ship reads, and a shipped one would read, too: whoever asks may not know."""
    for one in chosen:
        path = own.get(one.pattern or "")
        rivals = (a for a in shipped if a.overlaps(one) and a.variables != one.variables)
        if path is not None and next(rivals, None) is not None:
            yield f"“{text.words(one.first, one.last)}” is read by the patterns of {Path(path).name}"


def _is_chance(value: Annotation, pattern: Annotation, annotator: Annotator) -> bool:
    """Whether a value only happens to say some words and of a filter beside them: anybody may send a mail with the
    subject "runs in 2024". What a property names that is no title, such as a song's, says it on purpose."""
    inside = value.first < pattern.first and pattern.last < value.last
    return value.overlaps(pattern) and not pattern.covers(value) and not inside and _is_title(value, annotator)


def _is_title(value: Annotation, annotator: Annotator) -> bool:
    """Whether a value stands in titles, subjects and keys that nobody described, and in nothing else."""
    known = annotator.vocabulary.properties
    return bool(value.occurs_in) and not any(iri in known and not known[iri].topical for iri in value.occurs_in)


def _nearer(reading: Reading, annotator: Annotator, whole: bool) -> Reading:
    """The reading with near matches for the words that nothing knows; itself where there are none."""
    lexical = [a for a in reading.annotations if a.pattern is None]
    found = _near_matches(reading, annotator)
    if not found:
        return reading
    lexical += found
    patterns = annotator.book.frames if whole else annotator.book.markers
    frames = annotator.patterns(reading.core, lexical, patterns)
    return replace(reading, annotations=(*lexical, *frames))


def _near_matches(reading: Reading, annotator: Annotator) -> list[Annotation]:
    """Near matches for words of the core that nothing knows."""
    lexical = [a for a in reading.annotations if a.pattern is None]
    return annotator.loose(reading.core, lexical, [a for a in reading.annotations if a.pattern])


def _choices(
    patterns: Sequence[Annotation], values: Sequence[Annotation], chance: Sequence[Annotation]
) -> Iterable[list[Annotation]]:
    """Sets of filters and values that share no word: longest first, then the surer; then with each value's rival
    instead; values by `chance` come last."""
    best = _disjoint([*patterns, *values])
    yield best
    rivals = [v for v in best if "Value" in v.kinds and any(p.overlaps(v) for p in patterns)]
    for value in rivals[: MAX_READINGS - 1]:
        yield _disjoint([*patterns, *(v for v in values if not v.overlaps(value))])
    losers = [v for v in values if v not in best and any(p in best and p.overlaps(v) for p in patterns)] + [*chance]
    for value in losers[: MAX_READINGS - 1 - len(rivals)]:
        yield _disjoint([value, *(a for a in (*patterns, *values) if not a.overlaps(value))])


def _disjoint(candidates: Iterable[Annotation]) -> list[Annotation]:
    chosen: list[Annotation] = []
    for annotation in sorted(candidates, key=lambda a: (-a.length, -a.confidence, a.first)):
        if not any(annotation.overlaps(other) for other in chosen):
            chosen.append(annotation)
    return sorted(chosen, key=lambda a: a.first)


def _reading(
    text: Text, chosen: Sequence[Annotation], annotator: Annotator, whole: bool, notes: tuple[str, ...]
) -> Reading:
    moved = [a for a in chosen if _MOVED.intersection(a.kinds)]
    taken = {index for a in moved for index in range(a.first, a.last)}
    rest, kept = _rest(text, taken)
    core = carried(rest, text, kept)
    protected = {text.words(a.first, a.last).lower() for a in chosen if "Value" in a.kinds}
    lexical = annotator.lexical(core) if core.tokens else []
    masked = _masked(core, annotator, protected)
    patterns = annotator.book.frames if whole else annotator.book.markers
    frames = annotator.patterns(masked, lexical, patterns) if core.tokens else []
    said = [Filter(text.words(a.first, a.last), a, text.origin(a.first, a.last)) for a in moved]
    # A month without a year goes around the events while the filter that says the year can still be seen.
    said.sort(key=lambda f: "OpenYear" in f.annotation.kinds and any("TimeRange" in o.annotation.kinds for o in said))
    return Reading(
        core,
        (*lexical, *frames),
        tuple(f for f in said if "Filter" in f.annotation.kinds),
        tuple(f for f in said if "Filter" not in f.annotation.kinds),
        notes,
        prod(by.sure for by in dict.fromkeys(text.put.values())),
        tuple(kept) if len(kept) == len(core.tokens) else (),
    )


def _rest(text: Text, taken: set[int]) -> tuple[str, list[int]]:
    """The words that were not taken, with the question's own spacing and without commas that part nothing; and their
    numbers."""
    kept = [index for index in range(len(text.tokens)) if index not in taken]
    while kept and not _says(text.tokens[kept[0]]):
        kept.pop(0)
    while kept and not _says(text.tokens[kept[-1]]):
        kept.pop()
    parts: list[str] = []
    said: list[int] = []
    for position, index in enumerate(kept):
        token = text.tokens[index]
        if not _says(token) and position and not _says(text.tokens[kept[position - 1]]):
            continue
        joined = position > 0 and kept[position - 1] == index - 1
        gap = text.text[text.tokens[index - 1].end : token.offset] if joined else " "
        parts.append((gap if position else "") + ("," if token.lower == "," else token.text))
        said.append(index)
    return "".join(parts).strip(), said


def _says(token: Token) -> bool:
    return token.is_word or token.lower == '"'


def _tells_company(value: Annotation, lexical: Sequence[Annotation]) -> bool:
    """Whether a value is somebody's name after a word or two: the note "With Ann" is no title."""
    return any("Person" in a.kinds and value.first < a.first and a.last == value.last for a in lexical)


def _masked(core: Text, annotator: Annotator, protected: set[str]) -> Text:
    """The core with the words of values of several words made opaque: 'Most Girls' must not read as 'most'. A title
    that begins as the question does may be the question."""
    hidden: set[int] = set()
    lexical = annotator.lexical(core) if core.tokens else []
    for annotation in lexical:
        words = core.words(annotation.first, annotation.last)
        is_name = annotation.confidence == 1.0 and annotation.length > 1 and words != words.lower()
        if (
            "Value" in annotation.kinds
            and is_name
            and words.lower() in protected
            and not _tells_company(annotation, lexical)
            and not (annotation.first == 0 and _is_title(annotation, annotator))
        ):
            hidden.update(range(annotation.first, annotation.last))
    tokens = tuple(
        replace(token, lower=_OPAQUE, stem=_OPAQUE) if index in hidden else token
        for index, token in enumerate(core.tokens)
    )
    return replace(core, tokens=tokens)
