"""The events that a RETRIEVE stands for, as a pattern."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import TreeTypeError
from ..ontology.namespaces import EV, RDF_TYPE
from ..operators.resolution import ClassMatch, Constraint, RetrieveMatch
from .sparql.algebra import Exists, Filter, In, Iri, Not, Pattern, Values, Var, call, text, triple

TYPE, RETRIEVED = Iri(RDF_TYPE), Iri(EV + "retrievedBy")


def matching(match: RetrieveMatch, event: Var, fresh: Callable[[str], Var]) -> Pattern:
    """The pattern of the events that a match holds for; `fresh` gives variables of its own. Raises TreeTypeError for a
    constraint that accepts nothing."""
    if isinstance(match, ClassMatch):
        constraints = (step for one in match.constraints for step in _constraint(one, event, fresh))
        return (*of_classes(match.classes, event, fresh), *constraints)
    found = triple(event, RETRIEVED, Iri(match.activity))
    if match.same is None:
        return (found,)
    return found, Filter(Not(Exists((triple(event, Iri(match.same), fresh("happening")),))))


def of_classes(classes: tuple[str, ...], event: Var, fresh: Callable[[str], Var]) -> Pattern:
    """The pattern of the events of any of some classes."""
    if len(classes) == 1:
        return (triple(event, TYPE, Iri(classes[0])),)
    kind = fresh("class")
    return Values(kind, tuple(map(Iri, classes))), triple(event, TYPE, kind)


def _constraint(constraint: Constraint, event: Var, fresh: Callable[[str], Var]) -> Pattern:
    if not constraint.values:
        raise TreeTypeError(f"no value of <{constraint.property}> is accepted")
    if constraint.spelled is not None and len(constraint.spelled) == 1:
        return (triple(event, Iri(constraint.property), text(constraint.spelled[0])),)
    held = fresh("held")
    found = triple(event, Iri(constraint.property), held)
    if constraint.spelled is not None:
        return Values(held, tuple(map(text, constraint.spelled))), found
    values = tuple(text(value.lower()) for value in constraint.values)
    return found, Filter(In(call("LCASE", call("STR", held)), values))
