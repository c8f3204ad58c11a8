"""Annotations of words that nothing names as they stand: parts of labels and values, and labels of like meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ...store.words import stem
from ...texts.words import positives
from ..patterns.tokens import Text
from .annotations import Annotation
from .matching import Encode, Label, LabelIndex, MatchSettings, Near

_KEPT = 6
"""Rival readings of the same words."""
_RIVAL_MEANING = 0.9
_ALL_KNOWN = 0.6
"""Least score of a label all of whose words that are said mean something else by themselves."""
_LONGEST = 4
"""Words of a phrase that is compared by meaning."""
_PART_OF_VALUE = 0.35
TermsOf = Callable[[str], Iterable[Annotation]]
"""The annotations of a label's own words."""


@dataclass(frozen=True)
class Fuzzy:
    """Finds near matches for the tokens that are left; `terms` says of which kinds a term is."""

    labels: LabelIndex
    settings: MatchSettings
    near: Near
    terms: TermsOf
    stop_words: frozenset[str]

    def annotations(self, text: Text, known: Sequence[Annotation], taken: frozenset[int]) -> list[Annotation]:
        """Near matches of a text whose `known` annotations leave words over; `taken` are the
        tokens that patterns name."""
        covered = {i for a in known for i in range(a.first, a.last)}
        content = [i for i, t in enumerate(text.tokens) if t.is_word and t.lower not in self.stop_words]
        open_ = [i for i in content if i not in covered and i not in taken]
        if not open_ and not self.settings.always:
            return []
        values = list(self._values(text, open_))
        left = [i for i in open_ if not any(a.first <= i < a.last for a in values)]
        parts = list(self._parts(text, content, left, known))
        left = [i for i in left if not any(a.first <= i < a.last for a in parts)]
        found = [*values, *parts]
        encode = self.near.encode
        if encode is not None:
            found += self._by_meaning(text, [i for i in left if text.tokens[i].lower.isalpha()], encode)
        return found

    # ------------------------------------------------------------ words of a label
    def _parts(
        self, text: Text, content: Sequence[int], open_: Sequence[int], known: Sequence[Annotation]
    ) -> Iterator[Annotation]:
        stems = {i: _stems(text, i) for i in content}
        found = [p for p in self.labels.partial(stems) if self._counts(p.tokens, p.score, open_)]
        best = {i: max((p.score for p in found if i in p.tokens), default=0.0) for i in content}
        taken: dict[int, int] = dict.fromkeys(content, 0)
        for partial in found:
            at = [i for i in partial.tokens if i in open_] or list(partial.tokens)
            rival, most = self.settings.rival, self.settings.most
            if not any(partial.score >= rival * best[i] and taken[i] < most for i in at):
                continue
            for i in at:
                taken[i] += 1
            for first, last in self._runs(text, partial.tokens):
                if not any((a.first, a.last, a.matches) == (first, last, partial.label.iri) for a in known):
                    yield from self._named(partial.label, first, last, 0.95 * partial.score, "part")

    def _counts(self, tokens: Sequence[int], score: float, open_: Sequence[int]) -> bool:
        if not set(tokens).isdisjoint(open_):
            return score >= self.settings.part
        return self.settings.always and len(tokens) > 1 and score >= _ALL_KNOWN

    def _runs(self, text: Text, tokens: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Runs of the tokens, joined over small words: 'percent of men' is one."""
        first = last = tokens[0]
        for i in tokens[1:]:
            between = text.tokens[last + 1 : i]
            if all(t.is_word and t.lower in self.stop_words for t in between):
                last = i
            else:
                yield first, last + 1
                first = last = i
        yield first, last + 1

    def _named(self, label: Label, first: int, last: int, confidence: float, how: str) -> Iterator[Annotation]:
        """What the label's own words are annotated as, for the term that it is of."""
        for term in self.terms(label.text):
            of_class = term.variables.get("class")
            if term.matches == label.iri or (of_class is not None and of_class.value == label.iri):
                sure = round(term.confidence * confidence, 4)
                yield replace(term, first=first, last=last, confidence=sure, how=how, near=label.text)

    # ------------------------------------------------------------ values
    def _values(self, text: Text, open_: Sequence[int]) -> Iterator[Annotation]:
        source = self.near.values
        if source is None:
            return
        done: set[int] = set()
        spans = (span for stretch in _stretches(open_) for span in _inner(*stretch))
        for first, last in sorted(spans, key=lambda span: (span[0] - span[1], span)):
            if not done.isdisjoint(range(first, last)):
                continue
            near = [v for v in source.in_part(text.words(first, last))[:_KEPT] if v.similarity >= _PART_OF_VALUE]
            done.update(range(first, last) if near else ())
            for value in near:
                sure = round(0.8 * value.similarity, 4)
                yield Annotation(
                    first, last, ("Value",), matches=value.prop, value=value.text, confidence=sure, how=value.how
                )

    # ------------------------------------------------------------ meaning
    def _by_meaning(self, text: Text, open_: Sequence[int], encode: Encode) -> Iterator[Annotation]:
        phrases = [span for stretch in _stretches(open_) for span in _inner(*stretch)]
        if not phrases:
            return
        ranked = self.labels.by_meaning([text.words(*span).lower() for span in phrases], encode)
        scored = [
            (labels[0][1] + 0.03 * (span[1] - span[0] - 1), span, labels)
            for span, labels in zip(phrases, ranked, strict=True)
            if labels
        ]
        done: set[int] = set()
        for _, (first, last), labels in sorted(scored, key=lambda entry: (-entry[0], entry[1])):
            best = labels[0][1]
            if best < self.settings.meaning or not done.isdisjoint(range(first, last)):
                continue
            done.update(range(first, last))
            for label, score in labels[:_KEPT]:
                if score >= max(self.settings.meaning, _RIVAL_MEANING * best):
                    yield from self._named(label, first, last, 0.6 * score, "meaning")


def _stems(text: Text, at: int) -> tuple[str, ...]:
    """The stem of a word, and of what it may be a comparative or superlative of."""
    token = text.tokens[at]
    return tuple(dict.fromkeys((token.stem, *(stem(base) for base in positives(token.lower)))))


def _stretches(tokens: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Runs of adjacent tokens, as first and end."""
    start = 0
    for at in range(1, len(tokens) + 1):
        if at == len(tokens) or tokens[at] != tokens[at - 1] + 1:
            yield tokens[start], tokens[at - 1] + 1
            start = at


def _inner(first: int, last: int) -> Iterator[tuple[int, int]]:
    for a in range(first, last):
        for b in range(a + 1, min(last, a + _LONGEST) + 1):
            yield a, b
