"""English words and their forms, by lemminflect's dictionaries (read when the first word is asked for, in some 0.2 s).

What the dictionaries do not know ("podcasts") is inflected as regular words are; their guessing models are not used.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Final

_MANY: Final = 16384
_VERB: Final = "VERB"
_PAST: Final = "VBD"
Forms = Mapping[str, tuple[str, ...]]


@lru_cache(maxsize=_MANY)
def is_word(word: str) -> bool:
    """Whether the dictionary has a folded word, in any form: "nice" and "reading", not "lisbon"."""
    return bool(_lemmas(word))


@lru_cache(maxsize=_MANY)
def infinitives(word: str) -> tuple[str, ...]:
    """The verbs of which a folded word may be a form, the likeliest first: "found" of find and found."""
    return _lemmas(word).get(_VERB, ())


@lru_cache(maxsize=_MANY)
def past(word: str) -> str:
    """The past of a folded verb in any form: "swims" → swam; "found" is one already."""
    verbs = infinitives(word)
    if is_past(word):
        return word
    if verbs:
        return _of_verb(word if word in verbs else verbs[0], _PAST)[0]
    from lemminflect.core.InflectionRules import InflectionRules

    return InflectionRules.buildRegVerb(_regular_infinitive(word))[1]


@lru_cache(maxsize=_MANY)
def is_past(word: str) -> bool:
    """Whether a folded word may be the past of a verb: "ate", "played", "read"."""
    verbs = infinitives(word)
    return any(word in _of_verb(verb, _PAST) for verb in verbs) if verbs else _ends_as_past(word)


@lru_cache(maxsize=_MANY)
def is_own_past(word: str) -> bool:
    """Whether a folded word is a verb's infinitive and its past alike: "read", "put"."""
    return word in infinitives(word) and word in _of_verb(word, _PAST)


@lru_cache(maxsize=_MANY)
def is_past_participle(word: str) -> bool:
    """Whether a folded word may stand after "have": "eaten", "played", "read"."""
    verbs = infinitives(word)
    return any(word in _of_verb(verb, "VBN") for verb in verbs) if verbs else _ends_as_past(word)


@lru_cache(maxsize=_MANY)
def is_gerund(word: str) -> bool:
    """Whether a folded word may be the -ing form of a verb."""
    if not word.endswith("ing") or word in infinitives(word):
        return False
    return bool(infinitives(word)) or (len(word) > 5 and not is_word(word))


@lru_cache(maxsize=_MANY)
def infinitive_of_gerund(word: str) -> str:
    """The infinitive of a folded -ing form: "cycling" → cycle."""
    return (*infinitives(word), _regular_infinitive(word))[0]


@lru_cache(maxsize=_MANY)
def singular(word: str) -> str:
    """The singular of a folded noun: "stories" → story; a word that is no plural as it is."""
    known = _lemmas(word)
    nouns = known.get("NOUN", ())
    if nouns:
        return word if word in nouns and not word.endswith("s") else nouns[0]
    return _regular_singular(word) if not known or _VERB in known else word  # "jogs" is a verb's form, "always" none


def plural(noun: str) -> str:
    """The regular plural of a noun: entry → "entries"."""
    if noun.endswith(("s", "sh", "ch", "x")):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else f"{noun}s"


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 event", "2,340 events"."""
    return f"{number:,} {noun if number == 1 else plural(noun)}"


@lru_cache(maxsize=_MANY)
def positives(word: str) -> tuple[str, ...]:
    """What a folded comparative or superlative may be of: "dirtiest" → dirty."""
    known = _lemmas(word)
    found = dict.fromkeys((*known.get("ADJ", ()), *known.get("ADV", ())))
    return tuple(plain for plain in found if plain != word)


def _lemmas(word: str) -> Forms:
    return _lemma_dictionary()(word)


@lru_cache(maxsize=1)
def _lemma_dictionary() -> Callable[[str], Forms]:
    """Lemmas of a word by part of speech."""
    from lemminflect import getAllLemmas

    with uncollected():
        getAllLemmas("")
    return getAllLemmas


@lru_cache(maxsize=1)
def _form_dictionary() -> Callable[[str, str], Forms]:
    """Forms of a lemma of a part of speech, by Penn tag."""
    from lemminflect import getAllInflections

    with uncollected():
        getAllInflections("", _VERB)
    return getAllInflections


def _of_verb(verb: str, tag: str) -> tuple[str, ...]:
    """Forms of a verb by their Penn tag; a participle that the dictionary does not tell apart is the past."""
    forms = _form_dictionary()(verb, _VERB)
    return forms.get(tag) or forms.get(_PAST, ())


def _ends_as_past(word: str) -> bool:
    return len(word) > 3 and word.endswith("ed") and not word.endswith("eed") and not is_word(word)


def _regular_infinitive(word: str) -> str:
    if word.endswith("ing") and len(word) > 5:
        return word[:-3]
    return word if word.endswith("ss") else _regular_singular(word)


def _regular_singular(word: str) -> str:
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("sses", "shes", "ches", "xes", "zes")) else word[:-1]


@contextmanager
def uncollected() -> Iterator[None]:
    """Reads a large table without a search for garbage meanwhile: none of it is any, and the searches take a third of
    the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
