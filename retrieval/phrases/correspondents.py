"""Who sent what to whom: 'mails Sjoerd sent me', 'messages to Bia', 'emails I received', 'posts I wrote'.

The verbs stand in the ontology, on the class (ev:outgoingVerb, ev:incomingVerb, ev:authoringVerb), and so do the small
words before a sender and a recipient (ev:cueWord). Who is the subject and who the object comes from the words' order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from ...ontology.namespaces import EV
from ...operators.resolution import Constraint
from ...store.index.index import Value
from ...store.vocabulary import ClassInfo
from ...store.words import fold, normalise, words
from ...texts.phrase import Phrase, Span, Token
from .reading import Reading, Source, in_scope

SENDER: Final = EV + "sender"
RECIPIENT: Final = EV + "recipient"
DIRECTION: Final = EV + "direction"
_ME: Final = frozenset({"i", "me", "we", "us", "myself", "ourselves"})
_PASSIVE: Final = frozenset({"was", "were", "been", "being", "is", "are", "am", "got", "get", "getting"})
_ASKED: Final = frozenset({"who", "whom"})
_DETERMINERS: Final = frozenset({"my", "our", "the", "a", "an"})
_JOINED: Final = frozenset({"and", "or"})
_LONGEST_NAME: Final = 5


@dataclass
class _Parties:
    """What the phrase says of either side; `me` holds the sides on which the owner is."""

    me: set[str] = field(default_factory=set)
    others: dict[str, list[str]] = field(default_factory=dict)
    taken: set[int] = field(default_factory=set)

    def add(self, side: str, who: tuple[Span, tuple[str, ...]] | None) -> None:
        if who is not None:
            self.others.setdefault(side, []).extend(who[1])
            self.taken.update(who[0])


def take_correspondents(phrase: Phrase, reading: Reading, scope: frozenset[str], source: Source) -> Reading:
    """The reading of messages with their sender, recipient and direction as constraints."""
    outgoing = _verbs(scope, lambda info: info.outgoing_verbs, source)
    incoming = _verbs(scope, lambda info: info.incoming_verbs, source)
    if not outgoing and not incoming:
        return reading
    parties = _Parties()
    for place, word in enumerate(map(_folded, phrase.tokens)):
        if (word in outgoing or word in incoming) and not _is_noun(phrase, place, scope, source):
            sides = (SENDER, RECIPIENT) if word in outgoing else (RECIPIENT, SENDER)
            _take_verb(phrase, place, sides, reading, parties, scope, source)
        for side in (SENDER, RECIPIENT):
            if word in source.vocabulary.properties[side].cue_words:
                _take_party(phrase, place + 1, side, parties, scope, source)
    _take_owners(phrase, reading, parties, scope, source)
    return _constrained(reading, parties, scope, source)


def take_authoring(phrase: Phrase, reading: Reading, scope: frozenset[str], source: Source) -> Reading:
    """'posts I wrote', 'notes I took': the verb goes with the class; what the owner did not make is left out."""
    verbs = _verbs(scope, lambda info: info.authoring_verbs, source)
    if not verbs or (reading.homonym and not reading.strong and not _noun(phrase, verbs, scope, source)):
        return reading
    used, authored = set[int](), False
    for span in phrase.spans(range(len(phrase.tokens))):
        spoken = " ".join(fold(phrase.tokens[i].text) for i in span)
        if spoken in verbs and used.isdisjoint(span) and _is_mine(phrase, span.start, reading):
            used.update(span)
            authored = True
    authored = authored or _is_possessed(phrase, reading)
    flag = next((source.vocabulary.classes[c].not_authored for c in sorted(scope)), None)
    strong = reading.strong or bool(used)
    reading = replace(reading, free=tuple(i for i in reading.free if i not in used), strong=strong)
    if not authored or flag is None or not _all_have(flag, scope, source):
        return reading
    return replace(reading, constraints=(*reading.constraints, Constraint(flag, ("false", "0"))))


def party_values(text: str, side: str, scope: frozenset[str], source: Source) -> tuple[str, ...]:
    """Values of the sender or recipient that `text` names: a person under any name, or a name in part."""
    people = source.people.called(text)
    if people:
        names = [name for person in people for name in person.names]
        calls = dict.fromkeys([*names, *(person.names[0].split()[0] for person in people), text])
        equal = [v for call in calls for v in source.index.equal_to(call)]
        longer = [v for name in names if len(words(name)) > 1 for v in source.index.containing(name)]
        held = [v.text for v in (*equal, *_names(longer)) if v.prop == side]
        return tuple(dict.fromkeys([*names, *held]))
    found = (*source.index.equal_to(text), *_names(source.index.containing(text)))
    return tuple(dict.fromkeys(v.text for v in found if v.prop == side and in_scope(v, scope)))


def _names(values: Iterable[Value]) -> list[Value]:
    return [v for v in values if len(words(v.text)) <= _LONGEST_NAME]


def _take_verb(
    phrase: Phrase,
    place: int,
    sides: tuple[str, str],
    reading: Reading,
    parties: _Parties,
    scope: frozenset[str],
    source: Source,
) -> None:
    """The subject before a verb and the object right after it; a verb without a subject is passive or an adjective."""
    subject, passive = _before(phrase, place)
    mine, theirs = (sides[1], sides[0]) if passive else sides
    after = _folded(phrase.tokens[place + 1]) if place + 1 < len(phrase.tokens) else ""
    object_me = after in _ME and not passive
    if object_me:
        parties.me.add(theirs)
    elif not passive:
        _take_party(phrase, place + 1, theirs, parties, scope, source)
    who = _party_ending(phrase, subject, mine, scope, source) if subject is not None else None
    word = _folded(phrase.tokens[subject]) if subject is not None else ""
    if word in _ME:
        parties.me.add(mine)
    elif who is not None:
        parties.add(mine, who)
    elif word in _ASKED or object_me:
        pass
    elif (subject is None or subject not in reading.free) and not _told_side(phrase, place, parties, scope, source):
        parties.me.add(sides[0])
    elif subject is not None and subject in reading.free:
        return
    parties.taken.add(place)


def _told_side(phrase: Phrase, place: int, parties: _Parties, scope: frozenset[str], source: Source) -> bool:
    """Whether somebody after a verb without a subject says which way it went: 'sent to me', 'received by Clara'."""
    for after in range(place + 1, len(phrase.tokens)):
        for side in (SENDER, RECIPIENT):
            if _folded(phrase.tokens[after]) in source.vocabulary.properties[side].cue_words:
                probe = _Parties()
                _take_party(phrase, after + 1, side, probe, scope, source)
                if probe.me or probe.others:
                    return True
    return bool(parties.others)


def _take_party(
    phrase: Phrase, start: int, side: str, parties: _Parties, scope: frozenset[str], source: Source
) -> None:
    """The owner or people from a place on: 'me', 'my sister', 'Clara and Otto'."""
    while start < len(phrase.tokens):
        if _folded(phrase.tokens[start]) in _ME:
            parties.me.add(side)
            return
        who = _party_from(phrase, start, side, scope, source)
        if who is None:
            return
        parties.add(side, who)
        start = who[0].end + 1
        if start >= len(phrase.tokens) or _folded(phrase.tokens[start - 1]) not in _JOINED:
            return


def _party_from(
    phrase: Phrase, start: int, side: str, scope: frozenset[str], source: Source
) -> tuple[Span, tuple[str, ...]] | None:
    while start < len(phrase.tokens) and _folded(phrase.tokens[start]) in _DETERMINERS:
        start += 1
    for end in range(min(len(phrase.tokens), start + _LONGEST_NAME), start, -1):
        values = party_values(phrase.words(Span(start, end)), side, scope, source)
        if values and not phrase.tokens[end - 1].function:
            return Span(start, end), values
    return None


def _party_ending(
    phrase: Phrase, last: int, side: str, scope: frozenset[str], source: Source
) -> tuple[Span, tuple[str, ...]] | None:
    for start in range(max(0, last + 1 - _LONGEST_NAME), last + 1):
        values = party_values(phrase.words(Span(start, last + 1)), side, scope, source)
        if values and not phrase.tokens[start].function:
            return Span(start, last + 1), values
    return None


def _take_owners(phrase: Phrase, reading: Reading, parties: _Parties, scope: frozenset[str], source: Source) -> None:
    """'Clara's mails', 'my sister's last email': the sender in the possessive before the class."""
    for place, token in enumerate(phrase.tokens):
        if not fold(token.text).endswith("'s") or place not in reading.free or place in parties.taken:
            continue
        if any(after not in reading.free for after in range(place + 1, min(place + 3, len(phrase.tokens)))):
            parties.add(SENDER, _party_ending(phrase, place, SENDER, scope, source))


def _before(phrase: Phrase, place: int) -> tuple[int | None, bool]:
    """The last word before a verb that may be its subject, and whether the verb is in the passive."""
    passive = False
    for before in range(place - 1, -1, -1):
        word = _folded(phrase.tokens[before])
        if word in _ME or word in _ASKED or not phrase.tokens[before].function:
            return before, passive
        passive = passive or word in _PASSIVE
    return None, passive


def _constrained(reading: Reading, parties: _Parties, scope: frozenset[str], source: Source) -> Reading:
    """The sides as constraints; where the owner stands on one, by the direction if all events have it, else by name."""
    constraints = [Constraint(side, tuple(dict.fromkeys(who))) for side, who in sorted(parties.others.items())]
    owners = [name for person in source.people.people if person.owner for name in person.names]
    for side in sorted(parties.me):
        known = (v for name in owners for v in source.index.equal_to(name) if v.prop == side and in_scope(v, scope))
        held = tuple(dict.fromkeys(v.text for v in known))
        if _all_have(DIRECTION, scope, source) or (not held and _some_have(DIRECTION, scope, source)):
            constraints.append(Constraint(DIRECTION, ("sent" if side == SENDER else "received",)))
        elif not parties.others.keys() - {side}:
            if not held:
                return reading
            constraints.append(Constraint(side, held))
    if not constraints:
        return reading
    free = tuple(i for i in reading.free if i not in parties.taken)
    told = len(reading.free) - len(free)
    return replace(
        reading,
        free=free,
        constraints=(*reading.constraints, *constraints),
        exact=reading.exact + told,
        addressed=True,
    )


def _verbs(scope: Iterable[str], pick: Callable[[ClassInfo], Iterable[str]], source: Source) -> frozenset[str]:
    known = [source.vocabulary.classes[c] for c in scope if c in source.vocabulary.classes]
    return frozenset(fold(verb) for info in known for verb in pick(info))


def _noun(phrase: Phrase, verbs: frozenset[str], scope: frozenset[str], source: Source) -> bool:
    """Whether a noun of the class stands in the phrase, so that a verb is not all that names it."""
    labels = {normalise(lb) for c in scope for lb in source.vocabulary.classes[c].labels}
    return any(
        normalise(token.text) in labels
        and (_folded(token) not in verbs or (place > 0 and _folded(phrase.tokens[place - 1]) not in _ME))
        for place, token in enumerate(phrase.tokens)
    )


def _is_noun(phrase: Phrase, place: int, scope: frozenset[str], source: Source) -> bool:
    """Whether a word that is both ('mail', 'text') is the noun here: first in the phrase or after a small word."""
    labels = [label for c in scope if c in source.vocabulary.classes for label in source.vocabulary.classes[c].labels]
    if _folded(phrase.tokens[place]) not in {word for label in labels for word in words(label)}:
        return False
    before = phrase.tokens[place - 1] if place else None
    return before is None or (before.function and _folded(before) not in _ME | _ASKED)


def _is_mine(phrase: Phrase, place: int, reading: Reading) -> bool:
    """Whether the owner is a verb's subject, or nobody is named as it."""
    subject, _ = _before(phrase, place)
    return subject is None or _folded(phrase.tokens[subject]) in _ME or subject not in reading.free


def _is_possessed(phrase: Phrase, reading: Reading) -> bool:
    """'my posts': the owner's word right before the class."""
    named = [i for i in range(1, len(phrase.tokens)) if i not in reading.free]
    return any(fold(phrase.tokens[i - 1].text) in ("my", "our") for i in named)


def _all_have(prop: str, scope: frozenset[str], source: Source) -> bool:
    """Whether every event of the scope has the property, so that none is lost by asking for it."""
    counted = dict(source.index.all_properties(sorted(scope))).get(prop, 0)
    return 0 < sum(n for klass, n in source.index.classes() if klass in scope) <= counted


def _some_have(prop: str, scope: frozenset[str], source: Source) -> bool:
    return any(held == prop for held, _ in source.index.all_properties(sorted(scope)))


def _folded(token: Token) -> str:
    return fold(token.text)
