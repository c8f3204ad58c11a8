"""The events of a form in a domain of one's own: rows of a fact table, narrowed by conditions on its attributes.

There, no rule reads the words of a leaf. They name a fact table and members; times are read as everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from ...errors import NotUnderstood
from ...ontology.namespaces import QB
from ...operators.conditions import written_day
from ...operators.expressions import Collection, Expression, Lambda, Literal, Method, Node, Not
from ...operators.nodes import AttributeType, Retrieve
from ...operators.syntax.text import parse_function
from ...store.rdf import Term
from ...store.vocabulary import ClassInfo
from ..annotation.annotations import Annotation
from ..annotation.parse_graph import attribute_key
from ..patterns.tokens import tokenise
from ..search.plan import Planner
from .building import all_of, compared, extracted, kept, own
from .leaves import Condition, Leaves

_SIDES: Final = {">": "end", ">=": "begin", "<": "begin", "<=": "end"}
"""What a comparison with a period compares with: after it is after its end."""


@dataclass(frozen=True)
class Records:
    """Lowers the leaves of a form over a planner's data. `keys` are all attributes that the form names."""

    planner: Planner
    leaves: Leaves
    now: datetime
    keys: frozenset[str]

    def lowered(self, phrase: str, conditions: Sequence[Condition]) -> Node:
        """The tree of rows. Raises NotUnderstood for words that name neither a fact table nor a member, nor a time."""
        fact, members = self._named(phrase)
        made: Node = Retrieve(fact.label)
        for key, test, words in [*members, *conditions]:
            made = self._timed(made, test, words) if key == "time" else self._narrowed(made, fact, key, test, words)
        return made

    # ------------------------------------------------------------ what a phrase names
    def _named(self, phrase: str) -> tuple[ClassInfo, list[Condition]]:
        """The fact table, and a condition for each member that the words name."""
        text = tokenise(phrase)
        found = self.planner.annotated(phrase)
        tables = [one for one in self._tables() if any(a.matches == one.iri for a in found)]
        members = [(a, key) for a in _longest(found) if (key := self._attribute(a)) is not None]
        told = [a for a in found if "Property" in a.kinds or any(a.matches == one.iri for one in tables)]
        covered = {at for a in (*told, *(a for a, _ in members)) for at in range(a.first, a.last)}
        left = [token.text for at, token in enumerate(text.tokens) if at not in covered]
        if left:
            raise NotUnderstood(f"“{' '.join(left)}” names nothing in the data", words=tuple(left))
        return (tables or [self._fitting()])[0], [(key, "=", a.value or "") for a, key in members]

    def _tables(self) -> Iterator[ClassInfo]:
        for info in self.planner.vocabulary.classes.values():
            if QB + "Observation" in info.ancestors and info.iri != QB + "Observation":
                yield info

    def _fitting(self) -> ClassInfo:
        """The fact table that has most of the attributes that the form names."""
        vocabulary = self.planner.vocabulary

        def held(info: ClassInfo) -> int:
            own = (one for one in vocabulary.properties_of(info.iri) if one.domain)
            return sum(attribute_key(one.label) in self.keys for one in own)

        tables = sorted(self._tables(), key=lambda info: (-held(info), info.iri))
        if not tables:
            raise NotUnderstood("the data has no fact table", words=())
        return tables[0]

    def _attribute(self, member: Annotation) -> str | None:
        """The attribute that has a member: one that the form names, else the first; None for what is no member."""
        known = self.planner.vocabulary.properties
        keys = [attribute_key(known[iri].label) for iri in member.occurs_in if iri in known]
        return next((key for key in keys if key in self.keys), keys[0] if keys else None)

    # ------------------------------------------------------------ conditions
    def _narrowed(self, rows: Node, fact: ClassInfo, key: str, test: str, words: str) -> Node:
        if self.leaves.is_measure(key) or test not in ("=", "!="):
            condition = self.leaves.condition(key, test, words)
            kind, body = AttributeType.FLOAT if condition.is_number else AttributeType.STR, condition.body
        else:
            key, values = self._members(fact, key, words)
            kind, body = (
                AttributeType.STR,
                compared(own(key), "in" if test == "=" else "not in", Collection("list", tuple(map(Literal, values)))),
            )
        return kept(extracted(rows, key, kind), body)

    def _members(self, fact: ClassInfo, key: str, words: str) -> tuple[str, list[str]]:
        """The members that words name, and the attribute that has them: the one that is meant, else the only other."""
        may_have = {one.iri: one for one in self.planner.vocabulary.properties_of(fact.iri)}
        by_key: dict[str, list[str]] = {}
        for one in _longest(self.planner.annotated(words)):
            for iri in (iri for iri in one.occurs_in if iri in may_have):
                by_key.setdefault(attribute_key(may_have[iri].label), []).append(one.value or "")
        if key in by_key:
            return key, by_key[key]
        if len(by_key) != 1:
            raise NotUnderstood(f"no {key.replace('_', ' ')} is called “{words}”", words=(words,))
        return next(iter(by_key.items()))

    def _timed(self, rows: Node, test: str, words: str) -> Node:
        """Rows of a time."""
        said = next(times_in(words, self.planner, self.now), None)
        body = _within(said, test) if said is not None else None
        if body is None:
            raise NotUnderstood(f"“{words}” names no time", words=(words,))
        return kept(rows, body)


def _longest(found: Sequence[Annotation]) -> list[Annotation]:
    """Members that words name, without those that stand inside others."""
    members = [one for one in found if one.value and one.occurs_in]
    return [one for one in members if not any(o.length > one.length and o.covers(one) for o in members)]


def times_in(words: str, planner: Planner, now: datetime) -> Iterator[Mapping[str, Term]]:
    """What filters say of the time that words name: `begin` and `end`, `days` of the week, or a `test`."""
    for said in (words, f"on {words}", f"in {words}", f"since {words}"):
        for reading in planner.readings(said, now=now):
            if not reading.core.tokens:
                yield from (found.annotation.variables for found in reading.filters)


def _counts(
    one: Annotation,
    members: Sequence[tuple[Annotation, str | None]],
    attributes: Sequence[Annotation],
    tables: Sequence[ClassInfo],
) -> bool:
    """Whether the words of an annotation are accounted for."""
    return one in attributes or any(one is member for member, _ in members) or one.matches in {t.iri for t in tables}


def _within(said: Mapping[str, Term], test: str) -> Expression | None:
    """A condition on the day for what a filter of times says; None where it says none."""
    began = own("start_date")
    if test in _SIDES:
        edge = said.get(_SIDES[test])
        return None if edge is None else compared(began, test, _date(edge))
    if "test" in said:
        read = parse_function(f"lambda attr: {said['test'].value}")
        assert isinstance(read, Lambda)
        body = read.body
    elif "days" in said:
        numbers = tuple(Literal(int(number) - 1) for number in said["days"].value.split(","))
        body = compared(Method(began, "weekday"), "in", Collection("list", numbers))
    else:
        sides = [(">=", said.get("begin")), ("<=", said.get("end"))]
        parts = [compared(began, sign, _date(edge)) for sign, edge in sides if edge is not None]
        body = all_of(*parts) if parts else None
    return Not(body) if body is not None and test == "!=" else body


def _date(edge: Term) -> Expression:
    return written_day(date.fromisoformat(edge.value[:10]))
