"""What the data knows of the words of a question: people, and values of attributes (schema linking).

The parser is told it word by word, so that it need not guess whether "Hozier" is an artist or a friend.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from ...errors import NotUnderstood
from ...ontology.namespaces import EV
from ...operators.forms.decoding import OWNER, PERSON
from ...texts.tokens import Piece
from ..annotation.annotations import Annotation
from ..patterns.tokens import tokenise
from ..search.plan import Planner

SUBJECTS: Final = frozenset({"i", "me", "we", "us", "she", "he", "they", "myself", "herself", "himself"})
"""Pronouns that say who asks, or whose life it is."""
_OWN: Final = """SELECT ?own { { BIND("me" AS ?own) ?said ev:sender ?own ; ev:session ?held }
    UNION { ?said ev:direction "sent" ; ev:session ?held ; ev:sender ?own } } LIMIT 1"""
_MACHINE: Final = """SELECT ?named { VALUES ?named { "ChatGPT" "Claude" "assistant" "Assistant" }
    ?said ev:sender ?named ; ev:session ?held } LIMIT 1"""
_MACHINES: Final = frozenset({"you", "assistant", "the assistant", "chatgpt", "claude", "the bot", "the ai"})
"""What people call who answers in a chat with a machine."""
_OWNER: Final = "SELECT DISTINCT ?me WHERE { ?me ev:ownerOf ?owned }"
Marks = tuple[frozenset[str], ...]
"""For each word what it may be: `PERSON`, `OWNER`, attributes of which it is a value."""


@dataclass(frozen=True)
class Linking:
    """Looks words up in the planner's data. `keys` are the attributes that may be told, by their names in forms."""

    planner: Planner
    keys: Sequence[str]

    def marks(self, question: str, words: Sequence[Piece]) -> Marks:
        """What the data knows of each word of a question."""
        found: list[set[str]] = [set() for _ in words]
        text = tokenise(question)
        for annotation in self.planner.annotated(question):
            start, length = text.span(annotation.first, annotation.last)
            told = list(self._told(annotation))
            for at, word in enumerate(words) if told else ():
                if word.start < start + length and start < word.end:
                    found[at].update(told)
        return tuple(map(frozenset, found))

    def people(self, words: str) -> tuple[str, ...]:
        """IRIs of people whom words name."""
        found = (a.matches for a in self.planner.annotated(words) if "Person" in a.kinds and a.matches)
        return tuple(dict.fromkeys(found))

    def names_owner(self, words: str) -> bool:
        """Whether words name the person whose life it is, or say "I"."""
        return words.casefold() in SUBJECTS or not self._owners.isdisjoint(self.people(words))

    @cached_property
    def has_chats(self) -> bool:
        """Whether there are messages of chats."""
        return self.planner.graph.ask("ASK { ?message ev:session ?held }")

    def speaker(self, words: str) -> str:
        """Who wrote messages, as the data writes it, by a name or a pronoun. Raises NotUnderstood."""
        said = words.casefold()
        asked = _OWN if said in SUBJECTS else _MACHINE if said in _MACHINES else None
        if asked is not None:
            named = (one.value for (one,) in self.planner.graph.select(asked) if one is not None)
        else:
            told = self.planner.annotated(words)
            named = (one.value for one in told if one.value is not None and EV + "sender" in one.occurs_in)
        found = next(iter(named), None)
        if found is None:
            raise NotUnderstood(f"“{words}” wrote no messages", words=(words,))
        return found

    def _told(self, annotation: Annotation) -> Iterator[str]:
        if "Person" in annotation.kinds:
            yield OWNER if annotation.matches in self._owners else PERSON
        if "Value" in annotation.kinds:
            for prop in annotation.occurs_in:
                yield from self._named.get(prop, ())

    @cached_property
    def _owners(self) -> frozenset[str]:
        return frozenset(me.value for (me,) in self.planner.graph.select(_OWNER) if me is not None)

    @cached_property
    def _named(self) -> Mapping[str, Sequence[str]]:
        """The names of properties, by IRI."""
        found: dict[str, list[str]] = {}
        for key in self.keys:
            for prop in self.planner.vocabulary.properties_named(key.replace("_", " ")):
                found.setdefault(prop.iri, []).append(key)
        return found
