"""The parse graph: a question, its annotations and the vocabulary they point to, as RDF for the rules (QUASL, section
III).

    ?question a pg:Question (or pg:Phrase) ; pg:text "…" ; pg:core "…" ; pg:filters ", in 2023" ; pg:unknown "" ;
              pg:annotation ?a ; pg:word ?w .
    ?a a pg:Property (pg:Class, pg:Verb, pg:Unit, pg:Value, pg:Person, pg:Concept, or the pattern's kinds) ;
       pg:words "…" ; pg:span ?s ; pg:offset 3 ; pg:length 6 (in the core; pg:questionOffset, pg:questionLength in the
       question as it was asked, only in what is printed) ; pg:confidence 1.0 ; pg:matches ?resource ; pg:value "…" ;
       pg:occursIn ?property ; pg:how "part" (or "spelling", "meaning") ;
       pg:pattern ?pattern ; pg:eventClass ?class ; var:begin "2023-01-01"^^xsd:date ; pg:group ?g ;
       pg:says ?w ; pg:stood 12 (the place in the core that a filter's words were taken from) ;
       pg:rest "the text without a filter's words" .
    ?g pg:name "e" ; pg:words "…" ; pg:span ?s ; pg:contains ?annotationInside .

The vocabulary: ?class a pg:EventClass ; pg:under ?itselfAndAncestors ; pg:labelProperty ?p ; rdfs:label "…".
?property a pg:EventProperty ; rdfs:label "…" ; pg:key "maximum_heart_rate" ; pg:extractType "float" ;
    pg:answerType "number" ; rdfs:domain ?class ; rdfs:range ?type ; pg:unit ?unit ; pg:unitKind ?quantity .
?unit pg:symbol "km" ; pg:kindOfUnit ?quantity ; pg:factor 1000.0e0 .
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ...ontology.namespaces import KEY, PG, RDF_TYPE, RDFS, XSD
from ...store.rdf import Literal, NamedNode, Subject, Triple
from ...store.vocabulary import EVENT, ClassInfo, PropertyInfo, UnitInfo, Vocabulary, key_label
from ..patterns.tokens import Text
from ..rules.rulebook import VARIABLE
from .annotate import Annotation
from .reading import Reading

GENERAL_NAME = PG + "generalName"
"""Stands for the attribute 'title' of events whose class has no naming attribute of its own: EXTRACT finds each
class's."""
_TYPE = NamedNode(RDF_TYPE)
_LABEL = NamedNode(RDFS + "label")


def pg(name: str) -> NamedNode:
    """A term of the parse vocabulary."""
    return NamedNode(PG + name)


def vocabulary_triples(vocabulary: Vocabulary) -> Iterator[Triple]:
    """What rules may ask of the vocabulary."""
    for info in vocabulary.event_classes():
        yield from _class_triples(info)
    yield from _attribute(NamedNode(GENERAL_NAME), "title", "str", "text")
    units = {unit.symbol: unit for unit in vocabulary.units.values()}
    for prop in vocabulary.properties.values():
        yield from _property_triples(prop, units.get(prop.unit or ""))
    for unit in vocabulary.units.values():
        node = NamedNode(unit.iri)
        yield Triple(node, pg("symbol"), Literal(unit.symbol))
        yield Triple(node, pg("factor"), Literal(str(unit.factor), datatype=NamedNode(XSD + "double")))
        if unit.kind:
            yield Triple(node, pg("kindOfUnit"), NamedNode(unit.kind))


def _class_triples(info: ClassInfo) -> Iterator[Triple]:
    node = NamedNode(info.iri)
    yield Triple(node, _TYPE, pg("EventClass"))
    yield Triple(node, _LABEL, Literal(info.label))
    for ancestor in sorted(info.ancestors | {info.iri}):
        yield Triple(node, pg("under"), NamedNode(ancestor))
    if info.label_property:
        yield Triple(node, pg("labelProperty"), NamedNode(info.label_property))
    yield Triple(node, pg("naming"), NamedNode(info.label_property or GENERAL_NAME))


def _property_triples(prop: PropertyInfo, unit: UnitInfo | None) -> Iterator[Triple]:
    node = NamedNode(prop.iri)
    yield from _attribute(node, prop.label, extract_type(prop), _answer_type(prop))
    for domain in prop.domain:
        yield Triple(node, NamedNode(RDFS + "domain"), NamedNode(domain))
    if prop.range:
        yield Triple(node, NamedNode(RDFS + "range"), NamedNode(prop.range))
    if unit is not None:
        yield Triple(node, pg("unit"), NamedNode(unit.iri))
        yield Triple(node, pg("unitKind"), NamedNode(unit.kind))


def _attribute(node: NamedNode, label: str, kind: str, answer: str) -> Iterator[Triple]:
    yield Triple(node, _TYPE, pg("EventProperty"))
    yield Triple(node, _LABEL, Literal(label))
    yield Triple(node, pg("key"), Literal(attribute_key(label)))
    yield Triple(node, pg("extractType"), Literal(kind))
    yield Triple(node, pg("answerType"), Literal(answer))


_EXTRACT_TYPES = {
    XSD + "decimal": "float",
    XSD + "double": "float",
    XSD + "float": "float",
    XSD + "integer": "int",
    XSD + "int": "int",
    XSD + "date": "date",
    XSD + "dateTime": "datetime",
    XSD + "time": "time",
    XSD + "boolean": "bool",
}


def extract_type(prop: PropertyInfo) -> str:
    """How EXTRACT reads a property."""
    return "list" if prop.multiple else _EXTRACT_TYPES.get(prop.range or "", "str")


def _answer_type(prop: PropertyInfo) -> str:
    if prop.unit == "s":
        return "duration"
    kind = _EXTRACT_TYPES.get(prop.range or "", "str")
    return {"float": "number", "int": "number", "str": "text", "bool": "boolean"}.get(kind, kind)


def attribute_key(label: str) -> str:
    """The name of an attribute in trees: 'maximum heart rate' → 'maximum_heart_rate'."""
    return re.sub(r"\W+", "_", label).strip("_").lower()


def question_triples(
    node: NamedNode,
    reading: Reading,
    vocabulary: Vocabulary,
    nouns: Mapping[str, str],
    *,
    phrase: bool,
    unknown: Sequence[str] = (),
    stop_words: frozenset[str] = frozenset(),
) -> Iterator[Triple]:
    """The parse graph of one reading; `phrase` tells an open leaf that names events from a whole question; `unknown`
    are the words that nothing annotates; all but the `stop_words` of a whole question are its pg:word."""
    yield Triple(node, _TYPE, pg("Phrase" if phrase else "Question"))
    yield Triple(node, pg("text"), Literal(reading.text))
    yield Triple(node, pg("core"), Literal(reading.core.text))
    yield Triple(node, pg("filters"), Literal(reading.filter_words))
    yield Triple(node, pg("unknown"), Literal(" ".join(unknown)))
    said = frozenset[int]() if phrase else _words(reading.core, stop_words)
    for index in sorted(said):
        yield Triple(node, pg("word"), pg_node(node, f"w{index}"))
        yield Triple(pg_node(node, f"w{index}"), pg("words"), Literal(reading.core.tokens[index].text))
    numbered = [(pg_node(node, f"a{index}"), a) for index, a in enumerate(reading.annotations)]
    for at, annotation in numbered:
        yield from _annotation(node, at, annotation)
        for event_class in _event_classes(annotation, vocabulary):
            yield Triple(at, pg("eventClass"), NamedNode(event_class))
        if "Target" in annotation.kinds:
            yield from _target(at, annotation, reading, vocabulary, nouns)
        yield from _place(node, at, annotation, reading.core)
        yield from _groups(node, at, annotation, reading.core, numbered)
        for index in said.intersection(range(annotation.first, annotation.last)):
            yield Triple(at, pg("says"), pg_node(node, f"w{index}"))
    yield from _moved(node, reading)


def _words(text: Text, stop_words: frozenset[str]) -> frozenset[int]:
    """The tokens that say something by themselves."""
    return frozenset(i for i, token in enumerate(text.tokens) if token.is_word and token.lower not in stop_words)


def place_triples(node: NamedNode, reading: Reading) -> Iterator[Triple]:
    """Where the words of each annotation stand in the question as it was asked: what is printed, not what rules look
    at."""
    placed = [(f"a{n}", reading.core.origin(a.first, a.last)) for n, a in enumerate(reading.annotations)]
    placed += [(f"f{n}", filter_.place) for n, filter_ in enumerate(reading.filters)]
    placed += [(f"x{n}", aside.place) for n, aside in enumerate(reading.asides)]
    for name, (offset, length) in placed:
        yield Triple(pg_node(node, name), pg("questionOffset"), Literal(offset))
        yield Triple(pg_node(node, name), pg("questionLength"), Literal(length))


def pg_node(question: NamedNode, name: str) -> NamedNode:
    """A node of the parse graph below a question."""
    return NamedNode(f"{question.value}/{name}")


def _annotation(question: NamedNode, at: NamedNode, annotation: Annotation) -> Iterator[Triple]:
    yield Triple(question, pg("annotation"), at)
    for kind in annotation.kinds:
        yield Triple(at, _TYPE, pg(kind))
    yield Triple(at, pg("confidence"), Literal(annotation.confidence))
    if annotation.matches:
        yield Triple(at, pg("matches"), NamedNode(annotation.matches))
    if annotation.value is not None:
        yield Triple(at, pg("value"), Literal(annotation.value))
    for prop in annotation.occurs_in:
        yield Triple(at, pg("occursIn"), NamedNode(prop))
    if annotation.how:
        yield Triple(at, pg("how"), Literal(annotation.how))
    if annotation.pattern:
        yield Triple(at, pg("pattern"), NamedNode(annotation.pattern))
    for name, term in annotation.variables.items():
        yield Triple(at, NamedNode(VARIABLE + name), term)


def _target(
    at: NamedNode, target: Annotation, reading: Reading, vocabulary: Vocabulary, nouns: Mapping[str, str]
) -> Iterator[Triple]:
    """How a target goes with the rest: whether other words speak of the same events, and the noun that names these.

    pg:fits is "yes", "no", or "unknown" where no other word tells of a class; pg:noun is empty where another word is
    one.
    """
    own = target.variables.get("class")
    others = [a for a in reading.annotations if not a.overlaps(target)]
    told = {c for a in others for c in _event_classes(a, vocabulary) if "Property" not in a.kinds}
    fits = "unknown"
    if own is not None and told:
        info = vocabulary.classes.get(own.value)
        fits = "yes" if any(_related(own.value, c, vocabulary) for c in told) else "no"
        named_itself = _names_class(target, own.value, reading) and all(_kin(own.value, c, vocabulary) for c in told)
        if fits == "no" and ((info is not None and info.any_verb) or named_itself):
            fits = "unknown"
    verbs = {(a.first, a.last) for a in others if "Verb" in a.kinds}
    nouns_beside = [a for a in others if "Class" in a.kinds and (a.first, a.last) not in verbs]
    named = own is not None and any(_related(own.value, a.matches, vocabulary) for a in nouns_beside)
    names_events = target.variables["namesEvents"].value == "true"
    noun = "" if own is None or named else nouns.get(own.value, "")
    if not noun and names_events:
        noun = reading.core.words(target.first, target.last)
    if target.matches and target.matches.startswith(KEY):
        label = key_label(target.matches) or ""
        yield from _attribute(NamedNode(target.matches), label, "str", "text")
    yield Triple(at, pg("fits"), Literal(fits))
    yield Triple(at, pg("noun"), Literal(noun))
    if names_events:
        yield Triple(at, _TYPE, pg("NamesEvents"))


def _names_class(target: Annotation, own: str, reading: Reading) -> bool:
    """Whether the target's own words name its class: "which podcast did I listen to" is sure, whatever else one
    listens to."""
    same = (a for a in reading.annotations if (a.first, a.last) == (target.first, target.last) and "Class" in a.kinds)
    return any(a.matches == own for a in same)


def _related(one: str, other: str | None, vocabulary: Vocabulary) -> bool:
    return other is not None and (vocabulary.is_a(one, other) or vocabulary.is_a(other, one))


def _kin(one: str, other: str, vocabulary: Vocabulary) -> bool:
    """Whether both are kinds of something that is more than an event: one listens to podcasts and to music, but a book
    that was bought is none that was read."""
    kinds = (info.iri for info in vocabulary.event_classes() if info.iri != EVENT)
    return any(vocabulary.is_a(one, kind) and vocabulary.is_a(other, kind) for kind in kinds)


def _event_classes(annotation: Annotation, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Classes of the events that an annotation speaks of: the class itself, or the domains of a concept's property."""
    iri = annotation.matches
    if iri is None:
        return ()
    if iri in vocabulary.classes:
        return (iri,) if {"Class", "Verb"}.intersection(annotation.kinds) else ()
    concept = vocabulary.concepts.get(iri)
    if concept is None or concept.property is None or concept.property not in vocabulary.properties:
        return ()
    return vocabulary.properties[concept.property].domain


def _place(question: NamedNode, at: Subject, span: Annotation, text: Text) -> Iterator[Triple]:
    offset, length = text.span(span.first, span.last)
    yield Triple(at, pg("span"), pg_node(question, f"s{span.first}-{span.last}"))
    yield Triple(at, pg("offset"), Literal(offset))
    yield Triple(at, pg("length"), Literal(length))
    yield Triple(at, pg("words"), Literal(text.words(span.first, span.last)))


def _groups(
    question: NamedNode,
    at: NamedNode,
    annotation: Annotation,
    text: Text,
    numbered: list[tuple[NamedNode, Annotation]],
) -> Iterator[Triple]:
    for group in annotation.groups:
        node = pg_node(at, f"{group.name}{group.first}")
        yield Triple(at, pg("group"), node)
        yield Triple(node, pg("name"), Literal(group.name))
        yield Triple(node, pg("span"), pg_node(question, f"s{group.first}-{group.last}"))
        offset, _ = text.span(group.first, group.last)
        yield Triple(node, pg("offset"), Literal(offset))
        yield Triple(node, pg("words"), Literal(text.words(group.first, group.last)))
        for other, inside in numbered:
            if group.first <= inside.first and inside.last <= group.last and not inside.pattern:
                yield Triple(node, pg("contains"), other)


def _stood(core: Text, offset: int) -> int:
    """The character of the core before which words stood that were taken out of the question from `offset` on."""
    behind = (n for n in range(len(core.tokens)) if core.origin(n, n + 1)[0] >= offset)
    first = next(behind, None)
    return len(core.text) if first is None else core.span(first, first + 1)[0]


def _moved(question: NamedNode, reading: Reading) -> Iterator[Triple]:
    """Filters and asides: they have words and, for filters, the rest of the text and their order."""
    for index, filter_ in enumerate(reading.filters):
        at = pg_node(question, f"f{index}")
        yield from _annotation(question, at, filter_.annotation)
        others = [f.words for place, f in enumerate(reading.filters) if place != index]
        yield Triple(at, pg("words"), Literal(filter_.words))
        yield Triple(at, pg("position"), Literal(index))
        yield Triple(at, pg("stood"), Literal(_stood(reading.core, filter_.place[0])))
        yield Triple(at, pg("rest"), Literal(", ".join([reading.core.text, *others])))
        if index == len(reading.filters) - 1:
            yield Triple(at, _TYPE, pg("LastFilter"))
    for index, aside in enumerate(reading.asides):
        at = pg_node(question, f"x{index}")
        yield from _annotation(question, at, aside.annotation)
        yield Triple(at, pg("words"), Literal(aside.words))
