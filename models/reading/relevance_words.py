"""What words say of a query and a line: how much of the query stands in the text or in what is known of it, names,
concepts that agree or contradict, and what sort of text it is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ...store.words import fold, stem, words
from ...texts.hints import concepts
from ...texts.lexicon.lexicon import Lexicon
from ...texts.tokens import atoms

_KINDS: Final = ("calendar entry", "my mail", "mail from", "my post", "my note", "my chat", "chat from")
WORD_FEATURES: Final = 10 + len(_KINDS)
_SMALL: Final = frozenset(
    words(
        "a an the this that these those my our your his her their its i me we us you he she they it and or of in "
        "on at to for from by with without as into about up out over off some any all one someone anyone somebody "
        "something anything go went going gone do did doing done have had having get got got take took made make "
        "made be am is are was were been there things thing which what when where who how times time myself"
    )
)
_HEAD: Final = re.compile(
    r"^(?P<head>[^(:]{1,80}?)(?: \((?P<hints>[^()]*(?:\([^()]*\)[^()]*)*)\))?: (?P<text>.*)$", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Query:
    """Stemmed words that say something, names among them, and concepts that the lexicons find."""

    words: frozenset[str]
    names: frozenset[str]
    concepts: frozenset[str]


@dataclass(frozen=True, slots=True)
class Line:
    """A verbalised event taken apart again."""

    head: str
    text: str
    words: frozenset[str]
    hinted: frozenset[str]
    concepts: frozenset[str]
    keys: frozenset[str]
    length: int


def read_query(query: str, lexicon: Lexicon) -> Query:
    """A query's words."""
    said = atoms(query)
    kept = [word for word in said if fold(word) not in _SMALL]
    names = frozenset(stem(fold(word)) for word in kept if word[0].isupper() and word != said[0])
    return Query(frozenset(stem(fold(w)) for w in kept), names, frozenset(concepts(query, lexicon)))


def read_line(line: str) -> Line:
    """A line's parts: "mail from Ann (Ann is sister Ann Bell; cuisine Thai): Re: dinner | ..."."""
    found = _HEAD.match(line)
    head, hints, text = (found["head"], found["hints"] or "", found["text"]) if found else ("", "", line)
    told = frozenset(hint for hint in hints.split("; ") if hint)
    said = words(f"{head} {text}")
    return Line(
        head=head,
        text=text,
        words=frozenset(map(stem, said)),
        hinted=frozenset(map(stem, words(hints))),
        concepts=told,
        keys=frozenset(_key(hint) for hint in told),
        length=len(said),
    )


def _key(concept: str) -> str:
    """The key of a hint: "doctor type dentist" is one of "doctor"."""
    return concept.split(" ", 1)[0]


def word_features(query: Query, line: Line) -> list[float]:
    """The features, WORD_FEATURES of them."""
    size = max(1, len(query.words))
    direct, known = query.words & line.words, query.words & (line.words | line.hinted)
    same = query.concepts & line.concepts
    against = {c for c in query.concepts - line.concepts if _key(c) in line.keys}
    return [
        len(direct) / size,
        len(known) / size,
        float(not query.words - line.words - line.hinted),
        len(query.names & (line.words | line.hinted)) / max(1, len(query.names)),
        float(bool(query.names)),
        len(same) / max(1, len(query.concepts)),
        float(bool(query.concepts)),
        len(against) / max(1, len(query.concepts)),
        float(len(query.words)),
        min(line.length, 100) / 100.0,
        *(float(line.head.startswith(kind)) for kind in _KINDS),
    ]
