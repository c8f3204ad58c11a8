"""Pass: every Read becomes what it is in SPARQL, a triple beside the events or a table joined by hashing.

A store looks a triple up for every event, which costs several times what reading the whole property costs for one of
its subjects. So where most of those that have the property are wanted, a subquery reads it whole.
"""

from __future__ import annotations

from ...ontology.namespaces import EV
from .algebra import Exists, Extend, Filter, Iri, LeftJoin, Literal, Not, Pattern, Read, Select, Step, Var, triple
from .steps import within

_PRECISION = Iri(EV + "timePrecision")


def lowered(pattern: Pattern) -> Pattern:
    """The pattern with each Read as other operators."""
    return tuple(made for step in pattern for made in _lowered(within(step, lowered)))


def _lowered(step: Step) -> Pattern:
    if not isinstance(step, Read):
        return (step,)
    held = step.held if step.whole else step.variable
    found: Pattern = (triple(step.event, step.property, held),)
    if step.timed:
        found += (no_day(step.event),)
    if step.whole:
        found = (Select((step.event, step.variable), (*found, Extend(step.variable, held))),)
    return (LeftJoin(found),) if step.optional else found


def no_day(event: Var) -> Filter:
    """Keeps events whose time is more than a day: a day without a time is not midnight."""
    return Filter(Not(Exists((triple(event, _PRECISION, Literal("day")),))))
