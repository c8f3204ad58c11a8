"""The happenings that texts tell of (event_mentions.py) as events of their own in the derivation that read them, each
linked to the record that shows it and to what other texts tell of it.

Such an event is `a ev:Telling` and says of which class it `ev:tells`; it has the properties of that class. It is no
event of the class itself: what counts records alone stays as it is, and a RETRIEVE of the class takes both.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final

from ...execution.derivations.derive import Hit
from ...ontology.namespaces import EV, RDF_TYPE, RDFS, XSD
from ...operators.resolution import Constraint
from ...store.graph import Graph
from ...store.rdf import Literal, NamedNode, Term, Triple
from ...store.words import normalise
from ..context import ExtractContext, Texts
from ..coreference.links import SAME, TELLING, TELLS, TOLD_IN
from ..extract_texts import texts_of
from ..keys import TextKey
from ..page import Page
from .event_mentions import EventMention, Shown, known, same_event
from .films import films_told
from .purchases import purchases_told
from .workouts import Sports, workouts_told

METHOD: Final = "5"
"""Changes when the same texts may tell of other happenings."""
Reader = Callable[[Page, float], Sequence[EventMention]]
"""Reads the happenings of a class out of a text, given the probability that it tells of any."""
_NUMBERS: Final = frozenset(
    {"price", "distance", "duration", "maximumHeartRate", "averageHeartRate", "minimumHeartRate"}
)
_MOSTLY: Final = 0.8
"""Share of a shop's purchases in one category from which on another of that shop is taken for one."""
_LONGEST_LABEL: Final = 80


def tellings_of(
    klass: str, texts: Sequence[Page], likely: Mapping[str, float], context: ExtractContext
) -> list[Triple]:
    """The happenings of a class that texts tell of, as triples; `likely` is the probability by text that it tells of
    any. Nothing for a class that no reader here knows."""
    records = records_of(klass, context.graph)
    reader = reader_of(klass, context, records)
    if reader is None:
        return []
    found: list[EventMention] = []
    for page in texts:
        for number, one in enumerate(reader(page, likely.get(page.document.event, 0.0)), start=1):
            name = f"{one.event}#told-{klass.rsplit('#', 1)[-1]}-{number}"
            found.append(
                EventMention(name, one.day, one.day_said, one.time, one.end_time, one.values, one.text, one.sure)
            )
    triples = [triple for one in found for triple in _triples(klass, one, context.graph, records)]
    return [*triples, *_links(klass, found, records)]


def reader_of(klass: str, context: ExtractContext, records: Records) -> Reader | None:
    """What reads the happenings of a class; None for a class that nothing here reads."""
    texts = texts_of(context)
    known(texts, *(key for key in texts.keys.keys if key.name in _KEYS))
    reader = _READERS.get(klass)
    return reader(texts, records) if reader is not None else None


def _films(texts: Texts, _: Records) -> Reader:
    return lambda page, _: films_told(page, texts)


def _purchases(texts: Texts, _: Records) -> Reader:
    return lambda page, _: purchases_told(page, texts)


def _workouts(texts: Texts, records: Records) -> Reader | None:
    kind = next((key for key in texts.keys.keys if key.name == _SPORT), None)
    if kind is None:
        return None
    sports = _sports(kind, records)
    return lambda page, likely: workouts_told(page, texts, sports, likely=likely)


_READERS: Final[Mapping[str, Callable[[Texts, Records], Reader | None]]] = {
    EV + "MovieStream": _films,
    EV + "Purchase": _purchases,
    EV + "Workout": _workouts,
}


def _sports(key: TextKey, records: Records) -> Sports:
    shown = [one for own in records.by_day.values() for one in own]
    held = [(one.number("distance"), one.number("duration"), one.first("workoutType")) for one in shown]
    measured = ((float(d), float(t), kind) for d, t, kind in held if d and t and kind)
    return Sports(key, tuple(sorted(measured)), frozenset(kind for _, _, kind in held if kind))


_SPORT: Final = "workout type"
_KEYS: Final = ("movie title", _SPORT, "product", "shop")


# ---------------------------------------------------------------- records
@dataclass(frozen=True)
class Records:
    """The records of a class by day, the datatype of each property's values, and the category by shop and product."""

    by_day: Mapping[date, Sequence[Shown]]
    datatypes: Mapping[str, str]
    categories: Mapping[str, str]


def records_of(klass: str, graph: Graph) -> Records:
    held: dict[str, dict[str, list[Term]]] = defaultdict(lambda: defaultdict(list))
    for event, prop, value in graph.select(f"SELECT DISTINCT ?e ?p ?v {{ ?e a {NamedNode(klass)} ; ?p ?v }}"):
        if event is not None and prop is not None and value is not None and prop.value.startswith(EV):
            held[event.value][prop.value.removeprefix(EV)].append(value)
    by_day: dict[date, list[Shown]] = defaultdict(list)
    datatypes: dict[str, str] = {}
    for event, own in held.items():
        for name, terms in own.items():
            if name not in datatypes and isinstance(terms[0], Literal):
                datatypes[name] = terms[0].datatype.value
        start = next((term.value for term in own.get("start", ())), "")
        if len(start) >= 10:
            values = {name: tuple(term.value for term in terms) for name, terms in own.items()}
            by_day[date.fromisoformat(start[:10])].append(Shown(event, date.fromisoformat(start[:10]), values, start))
    return Records(by_day, datatypes, _categories(held.values()))


def _categories(held: Iterable[Mapping[str, Sequence[Term]]]) -> dict[str, str]:
    """The category of nearly all purchases of a product, or of a shop."""
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    for own in held:
        for category in own.get("category", ()):
            for name in ("product", "shop"):
                for term in own.get(name, ()):
                    counted[normalise(term.value)][category.value] += 1
    found = {}
    for name, categories in counted.items():
        category, number = categories.most_common(1)[0]
        if number >= _MOSTLY * categories.total():
            found[name] = category
    return found


# ---------------------------------------------------------------- triples
def _triples(klass: str, one: EventMention, graph: Graph, records: Records) -> list[Triple]:
    node, text = NamedNode(one.event), NamedNode(one.event.partition("#told-")[0])
    found = [
        Triple(node, NamedNode(RDF_TYPE), NamedNode(TELLING)),
        Triple(node, NamedNode(TELLS), NamedNode(klass)),
        Triple(node, NamedNode(TOLD_IN), text),
        Triple(node, NamedNode(EV + "text"), Literal(one.text)),
        Triple(node, NamedNode(RDFS + "label"), Literal(_label(one))),
        *_times(node, one),
    ]
    for name, values in _valued(one, records).items():
        datatype = records.datatypes.get(name) or (XSD + "decimal" if name in _NUMBERS else XSD + "string")
        if name in _NUMBERS and datatype.endswith("integer"):
            values = tuple(str(round(float(value))) for value in values)
        found += [Triple(node, NamedNode(EV + name), Literal(str(v), datatype=NamedNode(datatype))) for v in values]
    rows = graph.select(f"SELECT DISTINCT ?p ?v {{ VALUES ?p {{ ev:source ev:sourceId }} {text} ?p ?v }}")
    return [
        *found,
        *(Triple(node, prop, value) for prop, value in rows if isinstance(prop, NamedNode) and value is not None),
    ]


def _valued(one: EventMention, records: Records) -> dict[str, tuple[str, ...]]:
    """The values as texts; with the category that the person's records give such a product, or nearly all of the
    shop's."""
    values = {name: tuple(f"{v:f}" if not isinstance(v, str) else v for v in own) for name, own in one.values.items()}
    if "category" in records.datatypes:
        named = [normalise(text) for name in ("product", "shop") for text in values.get(name, ())]
        category = next((records.categories[name] for name in named if name in records.categories), None)
        if category is not None:
            values["category"] = (category,)
    return values


def _times(node: NamedNode, one: EventMention) -> list[Triple]:
    start = datetime.combine(one.day, one.time or time())
    found = [Triple(node, NamedNode(EV + "start"), _moment(start)), Triple(node, NamedNode(EV + "day"), _day(one.day))]
    if one.time is None:
        return [*found, Triple(node, NamedNode(EV + "timePrecision"), Literal("day"))]
    if one.end_time is not None:
        end = datetime.combine(one.day, one.end_time)
        found.append(Triple(node, NamedNode(EV + "end"), _moment(end if end > start else end + timedelta(days=1))))
    return found


def _moment(value: datetime) -> Literal:
    return Literal(value.isoformat(timespec="seconds"), datatype=NamedNode(XSD + "dateTime"))


def _day(value: date) -> Literal:
    return Literal(value.isoformat(), datatype=NamedNode(XSD + "date"))


def _label(one: EventMention) -> str:
    named = next((one.first(name) for name in ("movieTitle", "product", "workoutType") if one.first(name)), None)
    text = " ".join(one.text.split())
    return str(named) if named else text[:_LONGEST_LABEL]


# ---------------------------------------------------------------- the same happening
def _links(klass: str, found: Sequence[EventMention], records: Records) -> list[Triple]:
    """From what texts tell to the record that shows it, else to what another text tells of it."""
    same = NamedNode(SAME)
    triples: list[Triple] = []
    told: dict[date, list[Shown]] = defaultdict(list)
    for one in found:
        node = NamedNode(one.event)
        shown = same_event(klass, one, _around(records.by_day, one.day))
        if shown is None:
            others = [other for other in _around(told, one.day) if not _of_one_text(other.event, one.event)]
            shown = same_event(klass, one, others)
        if shown is not None:
            triples.append(Triple(node, same, NamedNode(shown.event)))
        values = {name: tuple(str(v) for v in own) for name, own in one.values.items()}
        told[one.day].append(Shown(one.event, one.day, values, one.day.isoformat()))
    return triples


def _of_one_text(one: str, other: str) -> bool:
    return one.partition("#told-")[0] == other.partition("#told-")[0]


def _around(by_day: Mapping[date, Sequence[Shown]], day: date) -> list[Shown]:
    """What is of a day or of one of the four before and behind it, nearest first."""
    near = sorted(range(-4, 5), key=lambda days: (abs(days), days))
    return [shown for days in near for shown in by_day.get(day + timedelta(days=days), ())]


# ---------------------------------------------------------------- reading
def derived_events(
    classes: Sequence[str], constraints: Sequence[Constraint], activities: Iterable[str], context: ExtractContext
) -> tuple[Hit, ...]:
    """The told happenings of classes that were read by some derivations, as far as they satisfy the constraints."""
    graphs = [NamedNode(activity.partition("#")[0]) for activity in activities]
    wanted = " ".join(str(NamedNode(iri)) for iri in classes)
    found: dict[str, None] = {}
    for graph in graphs:
        rows = context.graph.select(
            f"SELECT DISTINCT ?e {{ VALUES ?c {{ {wanted} }} "
            f"GRAPH {graph} {{ ?e {NamedNode(TELLS)} ?c }} }} ORDER BY ?e"
        )
        events = [event.value for (event,) in rows if event is not None]
        for constraint in constraints:
            held = _having(constraint, graph, context)
            events = [event for event in events if event in held]
        found.update(dict.fromkeys(events))
    return tuple(Hit(event, 1.0) for event in found)


def _having(constraint: Constraint, graph: NamedNode, context: ExtractContext) -> frozenset[str]:
    said = {n for v in constraint.values for n in context.vocabulary.synonyms(v, constraint.property)}
    accepted = {normalise(text) for text in (*constraint.values, *said)}
    rows = context.graph.select(
        f"SELECT DISTINCT ?e ?v {{ GRAPH {graph} {{ ?e {NamedNode(constraint.property)} ?v }} }}"
    )
    return frozenset(e.value for e, v in rows if e is not None and v is not None and normalise(v.value) in accepted)


def texts_read(activities: Iterable[str], context: ExtractContext) -> frozenset[str]:
    """The texts of whose happenings there are events."""
    graphs = " ".join(str(NamedNode(activity.partition("#")[0])) for activity in activities)
    rows = context.graph.select(
        f"SELECT DISTINCT ?t {{ VALUES ?g {{ {graphs} }} GRAPH ?g {{ ?e {NamedNode(TOLD_IN)} ?t }} }}"
    )
    return frozenset(text.value for (text,) in rows if text is not None)
