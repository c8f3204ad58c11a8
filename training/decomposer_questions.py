"""Questions that train the decomposer, with their sketches: made from a grammar (data/decomposer.toml) by a seed.

Words that an event's form brings are kept for the sub-question; everything else of a template is what the operator
used up. Half of the questions are carelessly typed.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from ..texts.tokens import pieces

DATA: Final = Path(__file__).parent / "data" / "decomposer.toml"
NOTHING: Final = ""
_PERIODS: Final = {"day": "daily", "week": "weekly", "month": "monthly", "year": "yearly"}
_NUMBERS: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
PERIODIC: Final = frozenset({"per", "sum_per", "max_per"})
"""Operators whose key is a period."""
_WHEN: Final = ("when", "on which day", "what day", "on what date", "which date")
_OPEN, _CLOSE = "\x01", "\x02"
_SLOT: Final = re.compile(r"\{(\w+)\}")
_CHOICE: Final = re.compile(r"\(([^()]*)\)")
_OPTION: Final = re.compile(r"\[([^\[\]]*)\]")
"""Marks, and what planner.proposers.sketching counts as words."""
_KEYBOARD: Final = {"a": "s", "e": "r", "i": "o", "o": "p", "t": "r", "n": "m", "s": "d", "r": "t", "l": "k", "h": "j"}


@dataclass(frozen=True)
class Labelled:
    """A question as words, with what it asks for; `kept`: the words that name the events."""

    words: tuple[str, ...]
    operator: str
    key: str
    measure: str
    kept: tuple[bool, ...]


@dataclass(frozen=True)
class Event:
    """What can happen, in the forms in which questions say it."""

    kind: str
    forms: Mapping[str, str]


@lru_cache(maxsize=1)
def grammar() -> Mapping[str, Any]:
    """The grammar as it stands in the file."""
    return tomllib.loads(DATA.read_text(encoding="utf-8"))


def operators() -> tuple[str, ...]:
    """Operators, "none" for questions that are no sketch."""
    return tuple(grammar()["ask"])


def keys() -> tuple[str, ...]:
    """Attributes that answer, "" first."""
    return (NOTHING, *grammar()["keys"], "week")


def measures() -> tuple[str, ...]:
    """Attributes that are measured, "" first."""
    return (NOTHING, *grammar()["measures"])


def questions(count: int, seed: int) -> Iterator[Labelled]:
    """So many questions, all operators in turn; templates with more choices come more often."""
    rng = random.Random(seed)
    asked: Mapping[str, Sequence[str]] = grammar()["ask"]
    weights = {name: [1 + form.count("|") ** 0.5 for form in forms] for name, forms in asked.items()}
    made = 0
    names = [name for name, forms in asked.items() for _ in range(3 if name in ("count", "most", "none") else 2)]
    while made < count:
        operator = rng.choice(names)
        found = _question(operator, rng.choices(asked[operator], weights[operator])[0], rng)
        if found is not None:
            made += 1
            yield found


def _question(operator: str, template: str, rng: random.Random) -> Labelled | None:
    slots = set(_SLOT.findall(template))
    bare = bool(slots & {"K", "KK", "WHO"}) and not slots & {"KLY"} and operator not in PERIODIC and rng.random() < 0.5
    event = rng.choice(_events("bare" if bare else "events"))
    key, key_words = _key(slots, event, rng, periodic=operator in PERIODIC)
    measure, about = _measure(slots, event, rng)
    if key is None or measure is None:
        return None
    text = _expanded(template, rng)
    said = {**key_words, **about, "n": rng.choice([rng.choice(_NUMBERS), str(rng.randint(2, 10))])}
    filled = _SLOT.sub(lambda match: _slot(match[1], event, said, rng), text)
    if "?!" in filled:
        return None
    words, kept = _words(_around(filled, rng))
    words, kept = _careless(words, kept, rng)
    return Labelled(tuple(words), operator, key, measure, tuple(kept))


@lru_cache(maxsize=2)
def _events(which: str) -> tuple[Event, ...]:
    rows = ([part.strip() for part in line.split("|")] for line in grammar()[which])
    return tuple(Event(kind, dict(zip("BPGSs", forms, strict=True))) for kind, *forms in rows)


def _key(slots: set[str], event: Event, rng: random.Random, *, periodic: bool) -> tuple[str | None, dict[str, str]]:
    """An attribute that fits the slots, with its words; "" where none is asked for, None where none fits."""
    held: Mapping[str, Mapping[str, Any]] = grammar()["keys"]
    if periodic:
        key = rng.choice(list(_PERIODS))
        return key, {"KLY": _PERIODS[key], "K": key}
    if "WHEN" in slots:
        return "day", {"WHEN": rng.choice(_WHEN)}
    if "WHO" in slots:
        asking = [name for name, key in held.items() if "ask" in key and event.kind in key["kinds"]]
        if not asking:
            return None, {}
        key = rng.choice(asking)
        return key, {"WHO": rng.choice(held[key]["ask"])}
    if not slots & {"K", "KK"}:
        return NOTHING, {}
    usual = rng.random() < 0.35
    fitting = [name for name, key in held.items() if event.kind in key["kinds"] or (usual and key.get("calendar"))]
    if not fitting:
        return None, {}
    key = rng.choice(fitting)
    word = rng.choice(held[key]["words"])
    return key, {"K": word, "KK": _plural(word)}


def _measure(slots: set[str], event: Event, rng: random.Random) -> tuple[str | None, dict[str, str]]:
    """A measure that fits the slots, with its words."""
    wanted = slots & {"U", "W", "V", "HOW", "MOST", "LEAST"}
    if not wanted:
        return NOTHING, {}
    held: Mapping[str, Mapping[str, Any]] = grammar()["measures"]
    lists = {"U": "units", "W": "words", "V": "verbs", "HOW": "how", "MOST": "most", "LEAST": "least"}
    fitting = [n for n, m in held.items() if event.kind in m["kinds"] and all(m[lists[slot]] for slot in wanted)]
    if not fitting:
        return None, {}
    name = rng.choice(fitting)
    return name, {slot: rng.choice(held[name][lists[slot]]) for slot in sorted(wanted)}


def _slot(name: str, event: Event, said: Mapping[str, str], rng: random.Random) -> str:
    """The words of a slot; those of an event's form between marks, sometimes with more said of it."""
    if name in event.forms:
        more = f" {rng.choice(grammar()['modifiers'])}" if rng.random() < 0.25 else ""
        held = _SLOT.sub(lambda match: rng.choice(grammar()["names"][match[1]]), event.forms[name] + more)
        return f"{_OPEN}{held}{_CLOSE}"
    if name in said:
        return said[name]
    return rng.choice(grammar()["names"][name]) if name in grammar()["names"] else "?!"


def _expanded(template: str, rng: random.Random) -> str:
    """One of the ways in which a template can be read."""
    text = template
    while _CHOICE.search(text) or _OPTION.search(text):
        text = _OPTION.sub(lambda match: rng.choice(match[1].split("|")) if rng.random() < 0.5 else "", text, count=1)
        text = _CHOICE.sub(lambda match: rng.choice(match[1].split("|")), text, count=1)
    return text


def _around(text: str, rng: random.Random) -> str:
    """The question with what people say around one."""
    said: Mapping[str, Sequence[str]] = grammar()["around"]
    before = rng.choice(said["before"]) + " " if rng.random() < 0.2 else ""
    if rng.random() < 0.1:
        front = _SLOT.sub(lambda match: rng.choice(grammar()["names"][match[1]]), rng.choice(grammar()["fronts"]))
        before += f"{_OPEN}{front}{_CLOSE}{rng.choice((',', ''))} "
    after = " " + rng.choice(said["after"]) if rng.random() < 0.15 else ""
    return before + text + after + ("?" if rng.random() < 0.5 else "")


def _words(text: str) -> tuple[list[str], list[bool]]:
    words: list[str] = []
    kept: list[bool] = []
    inside = False
    for piece in [piece.text for piece in pieces(text)]:
        if piece in (_OPEN, _CLOSE):
            inside = piece == _OPEN
        else:
            words.append(piece)
            kept.append(inside)
    return words, kept


def _careless(words: list[str], kept: list[bool], rng: random.Random) -> tuple[list[str], list[bool]]:
    """Half of them without capitals, a fifth with typing errors, some without little words."""
    if rng.random() < 0.5:
        words = [word.lower() for word in words]
    elif words:
        words[0] = words[0][:1].upper() + words[0][1:]
    if rng.random() < 0.2:
        words = [_typo(word, rng) if len(word) > 3 and rng.random() < 0.25 else word for word in words]
    if rng.random() < 0.1:
        pairs = [(w, k) for w, k in zip(words, kept, strict=True) if w.lower() not in ("the", "my", "a", "an", "of")]
        words, kept = [w for w, _ in pairs], [k for _, k in pairs]
    return words, kept


def _typo(word: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(word) - 1)
    kind = rng.randrange(4)
    if kind == 0:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if kind == 1:
        return word[:at] + word[at + 1 :]
    if kind == 2:
        return word[:at] + word[at] + word[at:]
    return word[:at] + _KEYBOARD.get(word[at], word[at]) + word[at + 1 :]


def _plural(word: str) -> str:
    """Of the last word, or of the one before "of" ("kinds of food")."""
    head, of, rest = word.partition(" of ")
    if head.endswith(("s", "series")):
        return word
    if head == "person":
        return "people"
    if head.endswith("y") and head[-2] not in "aeiou":
        return f"{head[:-1]}ies{of}{rest}"
    return f"{head}{'es' if head.endswith(('ch', 'sh')) else 's'}{of}{rest}"
