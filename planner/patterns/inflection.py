"""Forms of phrases: the past of a clause, the singular of a noun. Words' forms are a dictionary's (texts/words.py)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ...texts import words

_BEFORE_VERBS = frozenset({"not", "never", "often", "always", "just", "only", "almost"})


@dataclass(frozen=True)
class Forms:
    """Forms as the rule book has them: `singular_of` are plurals that the dictionary reads otherwise."""

    singular_of: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def past(self, phrase: str) -> str:
        """The phrase with its first word, a verb in any form, in the past: 'listen to' → 'listened to'."""
        head, space, rest = phrase.strip().partition(" ")
        lower = head.lower()
        if rest and (lower in _BEFORE_VERBS or (lower.endswith("ly") and not words.infinitives(lower))):
            return head + space + self.past(rest)
        return _as_written(head, words.past(lower)) + space + rest

    def may_be_participle(self, word: str) -> bool:
        """Whether a word can stand after "I have" as a verb: 'listened', 'been', and 'never' before one."""
        lower = word.lower()
        if lower in _BEFORE_VERBS or lower.endswith("ly"):
            return True
        return words.is_past_participle(lower) or words.is_past(lower) or words.is_gerund(lower)

    def base(self, word: str) -> str:
        """The infinitive of a gerund: 'cycling' → 'cycle'; other words as they are."""
        return words.infinitive_of_gerund(word.lower()) if words.is_gerund(word.lower()) else word

    def singular(self, phrase: str) -> str:
        """The phrase with its last word in the singular: 'TV shows' → 'TV show'."""
        start, space, last = phrase.strip().rpartition(" ")
        lower = last.lower()
        return start + space + _as_written(last, self.singular_of.get(lower) or words.singular(lower))


def _as_written(word: str, form: str) -> str:
    """A form of a word with the word's own letters, as far as it has them."""
    shared = 0
    while shared < min(len(word), len(form)) and word[shared].lower() == form[shared]:
        shared += 1
    return word[:shared] + form[shared:]
