"""The attributes of a happening that several events tell of: what the one that stands for it lacks, another may have.

"We combine them into a single event with all key-value pairs" (the paper, step 5 of section 3.2.1). Values are copied
into a derivation of their own, and only where something is lacking, so that a query reads one more property at most.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from ...execution.derivations.derive import Step, activity_triples, is_derived, keep
from ...ontology.namespaces import DERIVED, EV
from ...operators.resolution import AttributeMatch, DerivedMatch, RetrieveMatch
from ...store.graph import Graph
from ...store.rdf import NamedNode, Term, Triple
from ..context import ExtractContext

OPERATOR: Final = "OCCURRENCES"
METHOD: Final = "2"
VALUE: Final = "#value"
_MOMENTS: Final = {EV + "start": "start", EV + "end": "end"}
_AT_ONCE: Final = 2000


def of_coreferents(match: RetrieveMatch, attribute: AttributeMatch, context: ExtractContext) -> AttributeMatch:
    """The attribute as the happenings have it that a RETRIEVE found: with the values of all events that tell of them,
    and starts and ends of when they took place."""
    if not isinstance(match, DerivedMatch):
        return attribute
    moved = {iri: match.moment(name) for iri, name in _MOMENTS.items()}
    properties = tuple(moved.get(iri) or iri for iri in attribute.properties)
    others = _others(match, context.graph)
    if not others or any(moved.get(iri) for iri in attribute.properties):
        return replace(attribute, properties=properties)
    whole = attribute.multiple and any(iri.startswith(DERIVED) for iri in properties)
    step = _step(match, properties, context, whole=whole)
    if not is_derived(context.graph, step):
        _write(step, properties, others, context, whole=whole)
    value = step.graph + VALUE
    if not context.graph.ask(f"ASK {{ ?e {NamedNode(value)} ?v }}"):
        return replace(attribute, properties=properties)
    return replace(attribute, properties=(value, *properties) if whole else (*properties, value))


def standing_for(match: RetrieveMatch, graph: Graph) -> dict[str, str]:
    """For each hit of a RETRIEVE that another one stands for, that one."""
    if not isinstance(match, DerivedMatch) or match.same is None:
        return {}
    rows = graph.select(f"SELECT DISTINCT ?e ?o {{ ?e {NamedNode(match.same)} ?o }}")
    return {event.value: first.value for event, first in rows if event is not None and first is not None}


def _step(match: DerivedMatch, properties: Sequence[str], context: ExtractContext, *, whole: bool) -> Step:
    graphs = {iri.partition("#")[0] for iri in (match.same or "", *properties) if iri.startswith(DERIVED)}
    told = [iri for iri in properties if not iri.startswith(DERIVED)]
    text = f"{' or '.join(f'<{iri}>' for iri in properties)} of <{match.happenings}>"
    return context.step("EXTRACT", text, OPERATOR, METHOD, reads=(*sorted(graphs), *told), reading=whole)


def _others(match: DerivedMatch, graph: Graph) -> dict[str, list[str]]:
    """The other events that tell of each happening of several."""
    found: dict[str, list[str]] = defaultdict(list)
    for event, first in sorted(standing_for(match, graph).items()):
        found[first].append(event)
    return dict(found)


def _write(
    step: Step, properties: Sequence[str], others: Mapping[str, Sequence[str]], context: ExtractContext, *, whole: bool
) -> None:
    """Writes what the events that stand for happenings lack; of lists that were read from texts the `whole`: who took
    part is told by one text and by another."""
    held = _values([*others, *(event for own in others.values() for event in own)], properties, context.graph)
    value, triples = NamedNode(step.graph + VALUE), list[Triple]()
    for first, own in others.items():
        told = [held[event] for event in own if event in held]
        values = dict.fromkeys((*held.get(first, ()), *(one for each in told for one in each)))
        if whole and len(values) > len(held.get(first, ())):
            triples += [Triple(NamedNode(first), value, one) for one in values]
        elif first not in held and told:
            triples += [Triple(NamedNode(first), value, one) for one in told[0]]
    facts = activity_triples(context.graph, step, context.now, results=len(triples))
    keep(context.graph, step, [*facts, *triples])


def _values(events: Sequence[str], properties: Sequence[str], graph: Graph) -> dict[str, tuple[Term, ...]]:
    """The values of events: of the first property that each has."""
    found: dict[str, tuple[Term, ...]] = {}
    for prop in properties:
        of_property: dict[str, list[Term]] = defaultdict(list)
        for begin in range(0, len(events), _AT_ONCE):
            nodes = " ".join(str(NamedNode(iri)) for iri in events[begin : begin + _AT_ONCE])
            rows = graph.select(
                f"SELECT DISTINCT ?e ?v {{ VALUES ?e {{ {nodes} }} ?e {NamedNode(prop)} ?v }} ORDER BY ?e ?v"
            )
            for event, value in rows:
                if event is not None and value is not None:
                    of_property[event.value].append(value)
        for event, values in of_property.items():
            found.setdefault(event, tuple(values))
    return found
