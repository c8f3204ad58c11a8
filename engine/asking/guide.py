"""Questions about the data itself: "What can I ask?", "Tell me about Saoirse". They are answered from the person's own
data: its kinds and times, the people in it, questions that were tried and have an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Final

from ...errors import ReqapError
from ...ontology.namespaces import EV
from ...operators.nodes import Retrieve
from ...operators.syntax.printing import format_tree
from ...planner.patterns.tokens import tokenise
from ...planner.search.plan import Planner
from ...retrieval.people import People, Person
from ...store.graph import Graph
from ...store.rdf import NamedNode
from ...store.vocabulary import Vocabulary
from ...texts.tokens import split
from ...texts.words import counted, plural
from ..answers.answer import Answer
from ..answers.sentence import listed
from .grounds import KnownWords
from .refusal import LONGEST_READ, Nearby, examples_of, frequent_kinds

QUESTIONS: Final = 5
"""Questions that are offered."""
_KINDS: Final = 6
_PEOPLE: Final = 6
_TRIED: Final = 24
_WAYS: Final = (
    "How many {many} did I have in {year}?",
    "When was my last {one}?",
    "In which month of {year} did I have the most {many}?",
    "Where was my last {one}?",
)
_FACTS: Final = """SELECT ?remark ?born ?city ?since WHERE { VALUES ?who { %s }
  OPTIONAL { ?who ev:remark ?remark } OPTIONAL { ?who ev:birthDate ?born }
  OPTIONAL { ?who ev:city ?city } OPTIONAL { ?who ev:knownSince ?since } } LIMIT 1"""
_SAID: Final = ("You note: {}.", "Born on {}.", "Lives in {}.", "You have known each other since {}.")
"""How each of these facts is said."""
_SPAN: Final = "SELECT (MIN(?t) AS ?first) (MAX(?t) AS ?last) WHERE { ?e a %s ; ev:start ?t }"


@dataclass(frozen=True)
class Guide:
    """Answers questions about the data. `run` runs a tree in text form, `nearby` has the data and asks questions."""

    nearby: Nearby
    people: People
    known: KnownWords
    run: Callable[[str], Answer]

    @property
    def _planner(self) -> Planner:
        return self.nearby.planner

    def answer(self, question: str, now: datetime) -> Answer | None:
        """The answer of a question about the data; None for any other, and where it is about what the data lacks."""
        if len(question) > LONGEST_READ:
            return None
        text = tokenise(question)
        if self._planner.matches("asksWhat", text):
            return self._what_to_ask(question, now)
        for match in self._planner.matches("tellsAbout", text):
            about = next((text.words(one.first, one.last) for one in match.groups if one.name == "x"), "")
            lines = list(self._about(about.strip(" ?.!")))
            return _page(question, lines, ()) if lines else None
        return None

    def _what_to_ask(self, question: str, now: datetime) -> Answer:
        """The kinds of events with their years, the people, and questions that work."""
        counts, kinds = self.nearby.statistics.classes, frequent_kinds(self.nearby)
        told = [f"{counted(counts[one.iri].events, one.label)}{self._years(one.iri)}" for one in kinds[:_KINDS]]
        lines = [f"Your data has {listed(told)}."] if told else ["There are no events in your data yet."]
        named = [person.names[0] for person in self.people.people if not person.owner]
        if named:
            more = f" and {len(named) - _PEOPLE:,} more" if len(named) > _PEOPLE else ""
            lines.append(f"Your profile has {', '.join(named[:_PEOPLE])}{more}.")
        works = tuple(islice(self._working(now), QUESTIONS))
        return _page(question, [*lines, *(["For example:"] if works else []), *(f"- {one}" for one in works)], works)

    def _years(self, kind: str) -> str:
        """' (2018 to 2025)': the years of a kind of events."""
        rows = list(self._planner.graph.select(_SPAN % NamedNode(kind)))
        if not rows or rows[0][0] is None or rows[0][1] is None:
            return ""
        first, last = (term.value[:4] for term in rows[0] if term is not None)
        return f" ({first})" if first == last else f" ({first} to {last})"

    def _working(self, now: datetime) -> Iterator[str]:
        """Questions about the data that have an answer: the domain's examples, then some about each kind of events in
        turn."""
        yield from filter(self._works, examples_of(self.nearby.domain)[:_TRIED])
        for at, kind in enumerate(frequent_kinds(self.nearby)[:_TRIED]):
            ways = (*_WAYS[at % len(_WAYS) :], *_WAYS[: at % len(_WAYS)])
            said = (way.format(many=plural(kind.label), one=kind.label, year=now.year - 1) for way in ways)
            yield from islice(filter(self._works, said), 1)

    def _works(self, question: str) -> bool:
        """Whether a question has an answer."""
        try:
            found = self.nearby.ask(question)
        except ReqapError:  # this one does not work
            return False
        return found.answer_type != "none" and found.missing is None

    def _about(self, words: str) -> Iterator[str]:
        """What the profile and the events tell of somebody, or how often and when there was something."""
        people = self.people.meant(words)
        if len(people) == 1:
            yield from self._of_person(people[0])
            return
        if self.known.unknown(split(words)):
            return
        events = format_tree(Retrieve(words))
        days = f'EXTRACT(l={events}, attr_names=["start_date"], attr_types=[date.fromisoformat])'
        trees = (f"APPLY(l={events}, fct=len)", *(f'{one}(l={days}, attr_name="start_date")' for one in ("MIN", "MAX")))
        try:
            count, first, last = (self.run(tree) for tree in trees)
        except ReqapError:  # the words name no events
            return
        if count.missing is None and not count.warnings and first.values and last.values:
            told = counted(int(count.values[0]), "event")
            yield f"Your data has {told} for “{words}”: the first on {first.listed[0]}, the last on {last.listed[0]}."

    def _of_person(self, person: Person) -> Iterator[str]:
        """A page about somebody, in words."""
        name, others = person.names[0], person.names[1:]
        rows = list(self._planner.graph.select(_FACTS % NamedNode(person.iri)))
        facts = [term.value.rstrip(".") if term else "" for term in rows[0]] if rows else []
        called = f", whom you call {listed(others)}," if others else ""
        yield f"{name}{called} is your {person.relation or 'acquaintance'}."
        yield from (said.format(fact) for fact, said in zip(facts, _SAID, strict=False) if fact)
        named: Counter[str] = Counter()
        for value in {found.id: found for said in person.names for found in self.known.index.containing(said)}.values():
            named.update(dict(value.classes))
        labels = self.nearby.vocabulary.classes
        told = [counted(n, labels[kind].label) for kind, n in named.most_common(_KINDS) if kind in labels]
        if told:
            yield f"Named in {listed(told)}."


def _page(question: str, lines: list[str], values: tuple[str, ...]) -> Answer:
    """An answer in lines of text; its values are the questions that are offered, else the lines."""
    page = "\n".join(lines)
    return Answer(question, values or tuple(lines), "text", "", sparql="", planner="guide", score=1.0, page=page)


LONGEST = 40
"""Letters of the longest name: what is longer is a text."""
MOST_OF_EACH = 500
"""Names of one property."""
_SOME = "SELECT ?v { ?e %s ?v } LIMIT 20000"
_TEXTS = frozenset({EV + name for name in ("text", "description", "note", "url")})


def names_in(graph: Graph, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Labels of the vocabulary, then people of the profile, then the values of properties that hold names.

    Looks at MOST_OF_EACH values of each property, so that it takes no longer over a million events.
    """
    found = dict.fromkeys(_labels(vocabulary))
    for name in (*_people(graph), *_values(graph, vocabulary)):
        found.setdefault(name)
    return tuple(found)


def _labels(vocabulary: Vocabulary) -> Iterator[str]:
    for info in vocabulary.classes.values():
        yield from info.labels
        yield from info.verbs
    for concept in vocabulary.concepts.values():
        yield from concept.labels


def _people(graph: Graph) -> Iterator[str]:
    rows = graph.select("SELECT DISTINCT ?name { ?p a ev:Person ; ev:name|ev:nickname|rdfs:label ?name } LIMIT 500")
    return (row[0].value for row in rows if row[0] is not None)


def _values(graph: Graph, vocabulary: Vocabulary) -> Iterator[str]:
    for prop in vocabulary.properties.values():
        if prop.internal or prop.iri in _TEXTS or not (prop.range or "").endswith("#string"):
            continue
        query = f"SELECT DISTINCT ?v {{ {{ {_SOME % NamedNode(prop.iri)} }} }} LIMIT {MOST_OF_EACH}"
        for row in graph.select(query):
            if row[0] is not None and len(row[0].value) <= LONGEST and "\n" not in row[0].value:
                yield row[0].value
