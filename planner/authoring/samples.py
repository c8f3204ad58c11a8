"""Examples of what a pattern matches, made from its extraction expression: a pattern of which no example can be made
that it matches itself will match nothing that people write."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import singledispatchmethod
from itertools import islice, product

from ...store.sparql.lexer import scanned
from ...store.vocabulary import Vocabulary
from ..patterns import extraction as ex
from ..patterns.patterns import CompiledPattern, Matcher, PatternMatch
from ..patterns.tokens import tokenise
from .sparql_source import Role, variable_uses

MOST = 8
"""Examples made of one expression."""
_WORDS = ("something", "anything", "otherwise")


@dataclass(frozen=True)
class Bit:
    """Words of an example; `kind` is what they count as annotated with, `matches` the resource."""

    text: str
    kind: str | None = None
    matches: str | None = None


Sample = tuple[Bit, ...]


def text_of(sample: Sample) -> str:
    """The example as somebody would write it."""
    return " ".join(bit.text for bit in sample).replace(" ,", ",")


@dataclass
class Sampler:
    """Makes examples; those of patterns that others use are checked before they stand in these."""

    book: Sequence[CompiledPattern]
    vocabulary: Vocabulary
    matcher: Matcher
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Names of things by the local name of their class, for `{#Class}`."""
    _made: dict[str, tuple[Sample, ...]] = field(default_factory=dict)

    def of_pattern(self, compiled: CompiledPattern) -> tuple[Sample, ...]:
        """Examples that the pattern does match, none where none could be made; unchecked where data decides."""
        name = compiled.pattern.name
        if name not in self._made:
            self._made[name] = ()
            tried = self.candidates(compiled)
            if self.looks_up(compiled):
                self._made[name] = tuple(tried[:MOST])
                return self._made[name]
            self._made[name] = tuple(islice((s for s in tried if self.match(compiled, s) is not None), MOST))
        return self._made[name]

    def candidates(self, compiled: CompiledPattern) -> list[Sample]:
        """Examples that the pattern's words allow, checked or not."""
        trees = [ex.parse_extraction(source) for source in compiled.pattern.extracts]
        each = [list(self._samples(tree)) for tree in trees]
        return [sample for rank in range(MOST) for found in each for sample in found[rank : rank + 1]]

    def match(self, compiled: CompiledPattern, sample: Sample) -> PatternMatch | None:
        """The match of the pattern on the whole example."""
        text = tokenise(text_of(sample))
        found = self.matcher.run(self.needed(compiled), text, _known(sample))
        whole = (m for m in found if m.pattern == compiled.pattern and (m.first, m.last) == (0, len(text.tokens)))
        return next(whole, None)

    def needed(self, compiled: CompiledPattern) -> list[CompiledPattern]:
        """The pattern and those below it, in the order in which they run."""
        wanted = set(compiled.uses)
        for other in reversed(self.book):
            if other.pattern.name in wanted:
                wanted |= other.uses
        return [*(c for c in self.book if c.pattern.name in wanted), compiled]

    def looks_up(self, compiled: CompiledPattern) -> bool:
        """Whether data or vocabulary decide if the pattern matches: it, or one that it uses, asks them."""
        return any(other.pattern.look or _asks(other.pattern.compute) for other in self.needed(compiled))

    @singledispatchmethod
    def _samples(self, _node: ex.Expression) -> Iterable[Sample]:
        return ()

    @_samples.register
    def _(self, node: ex.Word) -> Iterable[Sample]:
        return [(Bit(node.text),)]

    @_samples.register
    def _(self, node: ex.Stem) -> Iterable[Sample]:
        return [(Bit(node.text),)]

    @_samples.register
    def _(self, node: ex.TokenRegex) -> Iterable[Sample]:
        if not node.negated:
            return [(Bit(word),) for word in regex_samples(node.source)]
        return [(Bit(word),) for word in _WORDS if not re.fullmatch(node.source, word)]

    @_samples.register
    def _(self, _node: ex.AnyToken) -> Iterable[Sample]:
        return [(Bit(word),) for word in _WORDS[:1]]

    @_samples.register
    def _(self, _node: ex.Edge) -> Iterable[Sample]:
        return [()]

    @_samples.register
    def _(self, node: ex.Annotated) -> Iterable[Sample]:
        return [(bit,) for bit in _annotated(node.kind, self.vocabulary)]

    @_samples.register
    def _(self, node: ex.Listed) -> Iterable[Sample]:
        return [(Bit(name),) for name in self.names.get(node.kind, ())[:3]]

    @_samples.register
    def _(self, node: ex.Sub) -> Iterable[Sample]:
        found = next((c for c in self.book if c.pattern.name == node.pattern), None)
        return () if found is None else self.of_pattern(found)

    @_samples.register
    def _(self, node: ex.Named) -> Iterable[Sample]:
        return self._samples(node.inner)

    @_samples.register
    def _(self, node: ex.Sequence) -> Iterable[Sample]:
        parts = [list(self._samples(part)) for part in node.parts]
        if not all(parts):
            return ()
        if len(parts) <= 3:
            return [tuple(b for one in chosen for b in one) for chosen in islice(product(*parts), MOST)]
        rows = range(min(MOST, max(map(len, parts))))
        return [tuple(b for part in parts for b in part[row % len(part)]) for row in rows]

    @_samples.register
    def _(self, node: ex.Alternatives) -> Iterable[Sample]:
        each = [list(self._samples(option)) for option in node.options]
        return [s for rank in range(MOST) for found in each for s in found[rank : rank + 1]][:MOST]

    @_samples.register
    def _(self, node: ex.Repeat) -> Iterable[Sample]:
        inner = list(self._samples(node.inner))
        if node.quantifier[0] == "{":
            least = int(re.findall(r"\d+", node.quantifier)[0])
            inner = [tuple(b for _ in range(max(1, least)) for b in one) for one in inner]
            return inner if least else [*inner, ()]
        return [*inner[:1], (), *inner[1:]] if node.quantifier[0] in "?*" else inner


def _asks(compute: str) -> bool:
    """Whether a transformation has triple patterns."""
    return any(use.role == Role.TRIPLE for use in variable_uses(scanned(compute)))


def _known(sample: Sample) -> Mapping[tuple[str, int, int], str | None]:
    """What the words of an example were annotated with, by token."""
    found: dict[tuple[str, int, int], str | None] = {}
    first = 0
    for bit in sample:
        last = first + len(tokenise(bit.text).tokens)
        if bit.kind is not None:
            found[bit.kind, first, last] = bit.matches
        first = last
    return found


def _annotated(kind: str, vocabulary: Vocabulary) -> Iterator[Bit]:
    makers: Mapping[str, Callable[[], Iterator[tuple[str, str]]]] = {
        "Property": lambda: _properties(vocabulary),
        "Target": lambda: _properties(vocabulary),
        "Class": lambda: ((c.label, c.iri) for c in vocabulary.event_classes()),
        "Verb": lambda: ((c.verbs[0], c.iri) for c in vocabulary.event_classes() if c.verbs),
        "Unit": lambda: ((u.labels[0], u.iri) for u in vocabulary.units.values() if u.labels),
        "Concept": lambda: ((c.labels[0], c.iri) for c in vocabulary.concepts.values() if c.labels),
    }
    if kind in makers:
        for label, iri in islice(makers[kind](), 3):
            yield Bit(label, kind, iri)
    else:
        yield Bit("Somebody", kind, "urn:something")


def _properties(vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    """One property of each sort: a bare number, a number with a unit, a text."""
    sorts: dict[str, tuple[str, str]] = {}
    for prop in vocabulary.properties.values():
        if not prop.internal:
            number = (prop.range or "").endswith(("decimal", "integer", "double", "float"))
            sort = ("measure" if prop.unit or prop.unit_property else "number") if number else "text"
            sorts.setdefault(sort, (prop.label, prop.iri))
    yield from (sorts[sort] for sort in ("number", "measure", "text") if sort in sorts)


def regex_samples(source: str) -> list[str]:
    """Some words that a regular expression of an extraction expression matches wholly."""
    found = _RegexSampler(source).samples()
    return [word for word in found if word and re.fullmatch(source, word)][: 2 * MOST]


class _RegexSampler:
    """Recursive descent over the part of regular expressions that tokens are matched with."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._at = 0

    def samples(self) -> list[str]:
        return self._alternatives()

    def _peek(self) -> str:
        return self._source[self._at : self._at + 1]

    def _alternatives(self) -> list[str]:
        options = [self._sequence()]
        while self._peek() == "|":
            self._at += 1
            options.append(self._sequence())
        return [w for rank in range(MOST) for found in options for w in found[rank : rank + 1]][: 4 * MOST]

    def _sequence(self) -> list[str]:
        found = [""]
        while self._peek() and self._peek() not in "|)":
            part = self._repeated()
            found = [a + b for b in part for a in found][: 4 * MOST]
        return found

    def _repeated(self) -> list[str]:
        inner = self._atom()
        match = re.compile(r"(?:[?*+]|\{(\d+)(?:,\d*)?\})[?+]?").match(self._source, self._at)
        if match is None:
            return inner
        self._at = match.end()
        if match.group()[0] in "?*":
            return [*inner, ""]
        return [word * max(1, int(match[1] or 1)) for word in inner]

    def _atom(self) -> list[str]:
        char = self._peek()
        self._at += 1
        if char == "(":
            head = re.compile(r"\?(?::|P<\w+>|[=!]|<[=!])").match(self._source, self._at)
            if head is not None:
                self._at = head.end()
            inner = self._alternatives()
            self._at += 1
            return [""] if head is not None and head.group()[-1] in "=!" else inner
        if char == "[":
            end = self._source.find("]", self._at + 1)
            body, self._at = self._source[self._at : end], end + 1
            return [c for c in _CANDIDATES if re.fullmatch(f"[{body}]", c)][:4] or [""]
        if char == "\\":
            escaped = self._peek()
            self._at += 1
            return {"d": ["1", "7"], "w": ["a"], "b": [""], "s": [" "]}.get(escaped, [escaped])
        return ["" if char in "^$" else char]


_CANDIDATES = "1290345678aeznbcdfghijklmopqrstuvwxy-'.,:/+&%€$£ABCDEFGHIJKLMNOPQRSTUVWXYZ_"
