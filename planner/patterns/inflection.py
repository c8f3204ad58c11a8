"""Forms of English words: the past of a verb, the singular of a noun. Irregular forms are data
(mappings/planner/words.ttl)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

_BEFORE_VERBS = frozenset({"not", "never", "often", "always", "just", "only", "almost"})
_VOWEL = re.compile(r"[aeiouy]")
_DOUBLED = re.compile(r"([bdfgklmnprtz])\1$")
_SHORT = re.compile(r"^[^aeiou]*[aeiou][bdgklmnprt]$")
"""One short vowel and one consonant: the consonant doubles (stop, stopped)."""


@dataclass(frozen=True)
class Forms:
    """Irregular forms: any form of a verb → its past; plural → singular."""

    past_of: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    singular_of: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    participles: frozenset[str] = frozenset()
    """Participles of verbs whose past is not regular; those without one of their own have their past."""

    infinitives: frozenset[str] = frozenset()
    """Infinitives of the same verbs."""

    @cached_property
    def pasts(self) -> frozenset[str]:
        """The pasts that are not regular."""
        return frozenset(self.past_of.values())

    def past(self, phrase: str) -> str:
        """The phrase with its first word, a verb in any form, in the past: 'listen to' → 'listened to'."""
        head, space, rest = phrase.strip().partition(" ")
        is_adverb = head.lower().endswith("ly") and head.lower() not in self.past_of  # "fly" is none
        if rest and (is_adverb or head.lower() in _BEFORE_VERBS):
            return head + space + self.past(rest)
        return self._past_word(head) + space + rest

    def may_be_participle(self, word: str) -> bool:
        """Whether a word can stand after "I have" as a verb: 'listened', 'been', and 'never' before one."""
        lower = word.lower()
        return lower in self.past_of or lower.endswith(("ed", "ing", "ly", "en", "wn")) or lower in _BEFORE_VERBS

    def base(self, word: str) -> str:
        """The infinitive of a gerund: 'cycling' → 'cycle'; other words as they are."""
        return _gerund_base(word.lower(), self.past_of) if word.lower().endswith("ing") else word

    def singular(self, phrase: str) -> str:
        """The phrase with its last word in the singular: 'TV shows' → 'TV show'."""
        start, space, last = phrase.strip().rpartition(" ")
        return start + space + self._singular_word(last)

    def _past_word(self, word: str) -> str:
        lower = word.lower()
        if lower in self.past_of:
            return self.past_of[lower]
        base = _gerund_base(lower, self.past_of)
        base = self._singular_word(base)  # of "swims", as of a noun
        known = next((form for form in (base, base.removesuffix("e")) if form in self.past_of), None)
        if known is not None:  # without -e: of "goes"
            return self.past_of[known]
        if lower.endswith("ed"):
            return word
        return _regular_past(base if base != lower else word)

    def _singular_word(self, word: str) -> str:
        lower = word.lower()
        if lower in self.singular_of:
            return self.singular_of[lower]
        if len(lower) < 4 or lower.endswith(("ss", "us", "is")) or not lower.endswith("s"):
            return word
        if lower.endswith("ies"):
            return word[:-3] + "y"
        if lower.endswith(("sses", "shes", "ches", "xes", "zes")):
            return word[:-2]
        return word[:-1]


def _gerund_base(word: str, known: Mapping[str, str]) -> str:
    """The base form of 'watching'; the word itself where it is no -ing form."""
    if not word.endswith("ing") or len(word) < 5 or not _VOWEL.search(word[:-3]):
        return word
    base = word[:-3]
    if base in known:
        return base
    if _DOUBLED.search(base) and base[:-1] not in ("cal", "fal", "tel", "sel", "pul", "rol", "spel", "pas", "mis"):
        return base[:-1]
    return base + "e" if base + "e" in known or re.search(r"[^aeiou][aeiou][csvz]$|[cgsuv]$", base) else base


def _regular_past(word: str) -> str:
    if word.endswith("e"):
        return word + "d"
    if re.search(r"[^aeiou]y$", word):
        return word[:-1] + "ied"
    if _SHORT.search(word.lower()):
        return word + word[-1] + "ed"
    return word + "ed"


def bases(word: str) -> tuple[str, ...]:
    """What a comparative or superlative may be of, folded: 'dirtiest' → dirty; 'whitest' → white; 'bigger' → big."""
    root = re.sub(r"(est|er)$", "", word)
    if root == word or len(root) < 3:
        return ()
    if root.endswith("i"):
        return (root[:-1] + "y",)
    short = (root[:-1],) if _DOUBLED.search(root) else ()
    return (*short, root, root + "e")
