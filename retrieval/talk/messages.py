"""RETRIEVE of what was said: the messages of a list that speak of something, as many as deserve it.

A question that tells both when and what is answered in this order: conditions on time, session and speaker leave a
list of messages, and what is left is ranked by content (Alonso et al. 2024, section 4). The paper takes the nearest
ten; here a message is taken while its score is near the best one's, so that a clear answer comes alone.

Who speaks is a preference and not a condition, since what somebody mentions is often told in the answer to it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ...errors import ConfigError
from ...execution.derivations.derive import Hit, is_derived, write_hits
from ...models.encoder import Encoder
from ...ontology.namespaces import EV
from ...operators.expressions import Boolean, Comparison, Lambda
from ...operators.message_queries import MESSAGES, Content, MessageQuery, read_message_query
from ...operators.nodes import Extract, Filter, Node, Retrieve, walk
from ...operators.resolution import DerivedMatch
from ...operators.syntax.printing import format_expression
from ...operators.wording import condition as in_words
from ...store.rdf import NamedNode
from ...store.words import fold, stem
from ..context import RetrieveContext
from .words import ASKING, ASKS_MOMENT, ASKS_NUMBER, NUMBER, OWN, SAYS, moment, sentences

SCORED: Final = 3
"""Which way of scoring it is: what another one found is not taken over."""
MOST: Final = 10
"""Messages that are taken at most."""
LEAST: Final = 3
"""Messages that are taken at least, if there are so many: what scores best is not always what was meant."""
SHORT: Final = 14
"""A list of so many messages at most is a short one, such as those of a day."""
LEAST_OF_SHORT: Final = 5
"""Messages of a short list that are taken at least: there what is left out costs more than what is taken in vain."""
CUT: Final = 0.4
"""How far below the best score a message may be. Weights and cut were calibrated on 178 questions of six conversations,
each conversation held out once (docs/benchmarks.md)."""
MANY: Final = 2000
"""A list is long from here on."""
FROM_WORDS: Final = 400
"""Of a long list only so many messages, those that share most words with the question, are compared by meaning."""
MOST_MENTIONS: Final = 50_000
"""Messages that mention something at most."""
NEAR: Final = 0.6
"""Cosine of a message with what is looked for, and NEAR_WORDS times the share of its words that the message has, from
which on the message mentions it in other words."""
NEAR_WORDS: Final = 0.3
MOST_OF_IT: Final = 0.6
"""The same share where there is no model."""
Events = Callable[[Node], Sequence[str]]
"""Runs the tree of a list: the IRIs of its events."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What counts besides the cosine of a message's text with the question."""

    words: float = 0.4
    speaker: float = 0.3
    asking: float = -0.1
    """For the share of a message's sentences that are questions: what is looked for is told."""
    telling: float = 0.15
    """Where somebody speaks of themselves."""
    words_before: float = 0.3
    """For the words of the message just before, which this one may answer."""
    like_before: float = 0.2
    """For its cosine with the question."""
    asked_before: float = 0.3
    """For the same, if it asks something."""
    words_further: float = 0.2
    """For the words of the message before that one."""
    number: float = 0.3
    """Where a number is asked for and the message has one."""
    moment: float = 0.2
    """Where a time is asked for and the message tells of one."""
    words_alone: float = 1.0
    """For words where there is no model."""


@dataclass(frozen=True, slots=True)
class Said:
    """A message of a chat."""

    iri: str
    text: str
    sender: str
    chat: str = ""
    place: int | None = None
    """Its place in the chat."""


def asks_about(tree: Node) -> Iterator[Retrieve]:
    """The RETRIEVEs of a tree that rank messages or take those that mention something."""
    for node in walk(tree):
        if isinstance(node, Retrieve) and node.source is not None and read_message_query(node.query) is not None:
            yield node


def said_about(
    query: MessageQuery, sources: Sequence[Node], context: RetrieveContext, events: Events
) -> tuple[DerivedMatch, tuple[str, ...], tuple[str, ...]]:
    """The messages of any of these lists that a query is about, with notes and warnings; written as a derivation."""
    mentioned, about = query.content is Content.MENTION, query.topic
    listed, left_out = _listed([source for source in sources if not _is_whole(source)], events)
    found = _found_by_words(about, context, mentioned=mentioned) if any(map(_is_whole, sources)) else ()
    messages = _messages(context, [*listed, *found])
    encoder, warnings = _encoder(context)
    name, identity = (encoder.name, encoder.identity) if encoder is not None else ("words", "words")
    how = "mentioned" if mentioned else "ranked"
    step = context.step("RETRIEVE", str(query), f"{name}, {how} {SCORED}", identity, reading=[m.iri for m in messages])
    if not is_derived(context.graph, step):
        hits = _mentions(about, messages, context) if mentioned else _ranked(about, messages, context)
        write_hits(context.graph, step, hits, ended=context.now)
    note = f"'{about}' was looked for by content among {len(messages)} messages"
    return DerivedMatch(step.activity, plain=True), (note, *left_out), warnings


def _listed(sources: Sequence[Node], events: Events) -> tuple[dict[str, None], tuple[str, ...]]:
    """The events of these lists. Where several conditions leave none ("over Christmas, as we said on 17 December"), one
    of them is of what was said and not of when: one without which something is left is left out, and that told. The
    narrowest of the others says when: "in September, according to the chat of 12 August" is of that day.
    """
    listed = dict.fromkeys(iri for source in sources for iri in events(source))
    if listed or len(sources) != 1:
        return listed, ()
    fewer = ((events(tree), left_out) for tree, left_out in without_one(sources[0]) if not _is_whole(tree))
    some = [(found, left_out) for found, left_out in fewer if found]
    if not some:
        return listed, ()
    # The time of day is left out before the day.
    found, left_out = min(some, key=lambda one: ('"start_time"' not in format_expression(one[1]), len(one[0])))
    return dict.fromkeys(found), (f"nothing was said then: left out “{in_words(left_out.body)}”",)


def without_one(tree: Node) -> Iterator[tuple[Node, Lambda]]:
    """The list without one of its conditions, the outermost first, and that condition."""
    conditions, read = _conditions(tree)
    if read is None or not conditions:
        return
    for at, condition in enumerate(conditions):
        others = conditions[:at] + conditions[at + 1 :]
        yield _filtered(read, others) if others else read.input, condition
    for fewer, left_out in without_one(read.input):
        yield _filtered(replace(read, input=fewer), conditions), left_out


def _conditions(tree: Node) -> tuple[tuple[Lambda, ...], Extract | None]:
    """The conditions of FILTERs that stand on one EXTRACT, the outermost first, and that."""
    conditions: list[Lambda] = []
    while isinstance(tree, Filter):
        conditions += _parts(tree.condition)
        tree = tree.input
    return tuple(conditions), tree if isinstance(tree, Extract) else None


def _parts(condition: Lambda) -> list[Lambda]:
    """The conditions that one asks for together; two ends of a span stay together."""
    body = condition.body
    if not (isinstance(body, Boolean) and body.operator == "and"):
        return [condition]
    parts: list[Lambda] = []
    for one in body.operands:
        last = parts[-1].body if parts else None
        if isinstance(one, Comparison) and isinstance(last, Comparison) and _is_span(last, one):
            parts[-1] = replace(condition, body=Boolean("and", (last, one)))
        else:
            parts.append(replace(condition, body=one))
    return parts


def _is_span(low: Comparison, high: Comparison) -> bool:
    ends = low.operators[0] in (">=", ">") and high.operators[0] in ("<=", "<")
    return ends and format_expression(low.left) == format_expression(high.left)


def _filtered(tree: Node, conditions: Sequence[Lambda]) -> Node:
    for condition in reversed(conditions):
        tree = Filter(tree, condition)
    return tree


def _is_whole(source: Node) -> bool:
    """Whether a list is that of all messages, which need not be run to be searched."""
    return isinstance(source, Retrieve) and source.query == MESSAGES and source.source is None


def _ranked(about: str, messages: Sequence[Said], context: RetrieveContext) -> tuple[Hit, ...]:
    if not messages:
        return ()
    asked = asked_of(about, messages)
    rare = _rarity(asked, context)
    if len(messages) > MANY:
        told = scored(asked, rare, messages, None)
        messages = [messages[at] for at in sorted(range(len(messages)), key=lambda at: -told[at])[:FROM_WORDS]]
    likeness = _likeness(about, asked, messages, context)
    scores = scored(asked, rare, messages, likeness)
    return tuple(Hit(messages[at].iri, round(min(1.0, 0.5 + max(0.0, scores[at]) / 4), 4)) for at in taken(scores))


def taken(scores: Sequence[float]) -> tuple[int, ...]:
    """Which of the messages with these scores deserve to be taken, best first."""
    best = max(scores)
    order = sorted(range(len(scores)), key=lambda at: -scores[at])[:MOST]
    least = LEAST_OF_SHORT if len(scores) <= SHORT else LEAST
    return tuple(at for rank, at in enumerate(order) if scores[at] >= best - CUT or rank < least)


def _mentions(about: str, messages: Sequence[Said], context: RetrieveContext) -> tuple[Hit, ...]:
    """All messages that have every telling word; where none has, those that come near by words and meaning."""
    asked = Asked(_telling_stems(about), about, None)
    whole = [m for m in messages if asked.stems and set(asked.stems) <= set(map(stem, _words(m.text)))]
    if whole or not messages:
        return tuple(Hit(message.iri, 1.0) for message in whole)
    rare = _rarity(asked, context)
    told = _shares(asked, rare, messages)
    near = sorted(range(len(messages)), key=lambda at: -told[at])[:FROM_WORDS]
    likeness = _likeness(about, asked, [messages[at] for at in near], context)
    if likeness is None:
        return tuple(Hit(messages[at].iri, round(told[at], 4)) for at in near if told[at] >= MOST_OF_IT)
    sure = {at: alike + told[at] * NEAR_WORDS for at, alike in zip(near, likeness, strict=True)}
    return tuple(Hit(messages[at].iri, round(min(score, 1.0), 4)) for at, score in sure.items() if score >= NEAR)


def _telling_stems(about: str) -> tuple[str, ...]:
    words = _words(about)
    return tuple(dict.fromkeys(stem(word) for word in words if word not in ASKING)) or tuple(map(stem, words))


def _found_by_words(about: str, context: RetrieveContext, *, mentioned: bool) -> tuple[str, ...]:
    """Messages of the whole store to look at: all that have every telling word, or the best by BM25."""
    stems = _telling_stems(about)
    whole = context.index.containing(" ".join(stems), limit=MOST_MENTIONS) if mentioned else ()
    if whole:
        values = [value.id for value in whole]
        found = context.index.events_with(values, (EV + "ChatMessage",), limit=MOST_MENTIONS)
        return tuple(event.iri for event in found)
    return _by_words(about, context)


@dataclass(frozen=True)
class Asked:
    """What a question looks for: its telling words, stemmed; those words as text; whose message it expects."""

    stems: tuple[str, ...]
    core: str
    speaker: str | None
    number: bool = False
    """Whether a number is asked for."""
    moment: bool = False
    """Whether a time is asked for."""


def asked_of(about: str, messages: Sequence[Said]) -> Asked:
    """Reads a question against the people who speak in the messages."""
    people = {message.sender for message in messages if message.sender}
    named = [person for person in sorted(people) if _calls(person, about)]
    telling = [word for word in _words(about) if word not in ASKING and not any(_calls(p, word) for p in named)]
    saying = [person for person in named if re.search(rf"\b{re.escape(_first(person))}\b{SAYS}", about, re.IGNORECASE)]
    one = saying or named
    stems = tuple(dict.fromkeys(map(stem, telling)))
    number, moment = ASKS_NUMBER.search(about) is not None, ASKS_MOMENT.search(about) is not None
    return Asked(stems, " ".join(telling), one[0] if len(one) == 1 else None, number, moment)


def _rarity(asked: Asked, context: RetrieveContext) -> dict[str, float]:
    """How much each of the telling words says: more where few messages have it."""
    number = sum(n for iri, n in context.index.classes() if iri == EV + "ChatMessage")
    return {word: math.log(1 + number / (1 + context.index.frequency(word))) for word in asked.stems}


def scored(
    asked: Asked, rare: Mapping[str, float], messages: Sequence[Said], likeness: Sequence[float] | None
) -> list[float]:
    """A score for each message; `rare` is the weight of each telling word, `likeness` are cosines, None where there is
    no model."""
    weights = Weights()
    told = _shares(asked, rare, messages)
    asking = [_questions(message.text) for message in messages]
    alike = likeness if likeness is not None else [0.0] * len(messages)
    of_words = weights.words if likeness is not None else weights.words_alone
    found: list[float] = []
    placed = _before(messages)
    for at, (message, before) in enumerate(zip(messages, placed, strict=True)):
        score = of_words * told[at] + alike[at]
        score += weights.speaker * (message.sender == asked.speaker) + weights.asking * asking[at]
        score += weights.telling * bool(OWN.search(message.text)) + _answering(asked, message.text, weights)
        if before is not None:
            like = weights.like_before + weights.asked_before * (asking[before] > 0)
            score += weights.words_before * told[before] + like * alike[before]
            further = placed[before]
            score += weights.words_further * told[further] if further is not None else 0.0
        found.append(score)
    return found


def _answering(asked: Asked, text: str, weights: Weights) -> float:
    """For a message that has what is asked for: a number, a time."""
    number = asked.number and NUMBER.search(text) is not None
    tells_moment = asked.moment and moment().search(text) is not None
    return weights.number * number + weights.moment * tells_moment


def _before(messages: Sequence[Said]) -> list[int | None]:
    """Of each message which of the others was said just before it in its chat."""
    placed = {(m.chat, m.place): at for at, m in enumerate(messages) if m.place is not None}
    return [placed.get((m.chat, m.place - 1)) if m.place is not None else None for m in messages]


def _shares(asked: Asked, rare: Mapping[str, float], messages: Sequence[Said]) -> list[float]:
    """What share of the telling words each message has, rare ones weighing more."""
    total = sum(rare.values()) or 1.0
    stems = (frozenset(map(stem, _words(message.text))) for message in messages)
    return [sum(rare[word] for word in asked.stems if word in said) / total for said in stems]


def _likeness(about: str, asked: Asked, messages: Sequence[Said], context: RetrieveContext) -> list[float] | None:
    """Cosines of the messages with the question: the mean of it as it was asked and of its telling words."""
    encoder, _ = _encoder(context)
    if encoder is None:
        return None
    vectors = context.cache.vectors(
        [message.text for message in messages], identity=encoder.identity, encode=encoder.encode
    )
    questions = [about, asked.core or about]
    one, other = context.cache.vectors(questions, identity=encoder.identity, encode=encoder.encode)
    return [float(value) for value in vectors @ ((one + other) / 2)]


def _encoder(context: RetrieveContext) -> tuple[Encoder | None, tuple[str, ...]]:
    try:
        return context.encoder_factory(), ()
    except ConfigError as missing:
        return None, (f"searched by words only: {missing}",)


def _by_words(about: str, context: RetrieveContext) -> tuple[str, ...]:
    """Messages of the whole store that share telling words with a question, the best by BM25."""
    stems = [stem(word) for word in _words(about) if word not in ASKING]
    values = [value for value, _ in context.index.with_any(stems, limit=FROM_WORDS)]
    found = context.index.events_with(values, (EV + "ChatMessage",), limit=FROM_WORDS)
    return tuple(event.iri for event in found)


def _messages(context: RetrieveContext, iris: Sequence[str]) -> list[Said]:
    """The messages of these IRIs that have a text, in the order of their IRIs' list."""
    found: dict[str, Said] = {}
    for begin in range(0, len(iris), _AT_ONCE):
        nodes = " ".join(str(NamedNode(iri)) for iri in iris[begin : begin + _AT_ONCE])
        rows = context.graph.select(_TEXTS.replace("%EVENTS%", nodes))
        for iri, text, *told in rows:
            if iri is not None and text is not None:
                sender, chat, place = (term.value if term is not None else "" for term in told)
                said = Said(iri.value, text.value, sender, chat, int(place) if place else None)
                found.setdefault(iri.value, said)
    return [found[iri] for iri in dict.fromkeys(iris) if iri in found]


def _questions(text: str) -> float:
    """The share of a text's sentences that are questions."""
    said = sentences(text)
    return sum(sentence.endswith("?") for sentence in said) / len(said)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+|\d+", re.sub(r"['’]s\b", "", fold(text)))


def _first(person: str) -> str:
    return person.split()[0]


def _calls(person: str, text: str) -> bool:
    """Whether a text names a person, whole or by the first name."""
    return re.search(rf"\b{re.escape(fold(_first(person)))}\b", fold(text)) is not None


_AT_ONCE: Final = 2000
# An OPTIONAL of two triples would be joined by hashing: all messages would be read for a few of them. Their class is
# asked for last: as a pattern beside so many values it would be read whole, for each of them.
_TEXTS: Final = """
SELECT ?e ?text ?sender ?chat ?place {
  VALUES ?e { %EVENTS% } ?e ev:text ?text . OPTIONAL { ?e ev:sender ?sender }
  OPTIONAL { ?e ev:chat ?chat } OPTIONAL { ?e ev:positionInLog ?place }
  FILTER EXISTS { ?e a ev:ChatMessage }
}
"""
