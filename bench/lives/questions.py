"""Questions with gold answers: templates filled with what a life has, their SQL run over its canonical events."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from .accounts import day_words
from .blanks import Blank, Blanks
from .build import Life
from .catalogue import stock
from .gold import TABLES, Gold, behind, complexity
from .grammar import Grammar, slots
from .persona import Persona
from .slots import money

_TRIES: Final = 6
_MOST_EVENTS: Final = 500
"""Above that, the events behind an answer are not listed."""
_LONGEST: Final = 8
"""How many values a list may have for a question to be one that people ask."""
_STARTS: Final = (
    "How",
    "What",
    "Which",
    "When",
    "Who",
    "Whom",
    "Where",
    "On",
    "In",
    "At",
    "Did",
    "With",
    "Total",
    "Number",
)
_TEXT_TABLES: Final = (
    "meeting", "celebration", "doctor_appointment", "milestone", "trip", "trip_event", "food_event", "text_observable",
)  # fmt: skip


@dataclass(frozen=True)
class Template:
    """A question with blanks, in one or many phrasings, and its SQL."""

    id: str
    ask: tuple[str, ...]
    sql: str
    type: str
    unit: str | None = None
    top: int = 0
    people: bool = False
    none: bool = False

    @property
    def blanks(self) -> tuple[str, ...]:
        """The slots of the SQL."""
        return slots(self.sql)


def templates() -> list[Template]:
    """All templates, in the order of the file."""
    made = []
    for name, row in stock("questions").items():
        if name != "words":
            ask = row["ask"] if isinstance(row["ask"], list) else [row["ask"]]
            made.append(Template(**{**row, "id": name, "ask": tuple(ask)}))
    return made


def questions(
    life: Life, gold: Gold, wanted: int, among: Sequence[Template], rng: random.Random
) -> Iterator[dict[str, Any]]:
    """Up to so many different questions, the templates in turn; lines of questions.jsonl."""
    grammar, blanks = Grammar(stock("questions")["words"]), Blanks(life, rng)
    asked: set[str] = set()
    rounds = [template for _ in range(_TRIES) for template in rng.sample(list(among), k=len(among))]
    for template in rounds:
        if len(asked) >= wanted:
            return
        row = _question(life, gold, template, (grammar, blanks, rng))
        if row is not None and row["question"].casefold() not in asked:
            asked.add(row["question"].casefold())
            yield {"id": f"{life.persona.id}-q{len(asked):03}"} | row


def _question(
    life: Life, gold: Gold, template: Template, tools: tuple[Grammar, Blanks, random.Random]
) -> dict[str, Any] | None:
    grammar, blanks, rng = tools
    named = tuple(dict.fromkeys((*template.blanks, *slots(rng.choice(template.ask)))))
    for _ in range(_TRIES):
        drawn = blanks.draw(named)
        if drawn is None:
            continue
        sql = template.sql
        for slot, blank in drawn.items():
            sql = sql.replace("{" + slot + "}", blank.sql)
        answer = _answer(gold, template, sql)
        if answer is None:
            continue
        text = _said(grammar, rng, template, drawn)
        if text is not None:
            return _row(life.persona, template, sql, answer, text) | {
                "complexity": _complexity(gold, template, sql, drawn, answer),
                "events": _events(gold, sql),
                "tables": [table for table in (*TABLES, "food_event", "text_observable") if table in sql],
            }
    return None


def _said(grammar: Grammar, rng: random.Random, template: Template, drawn: Mapping[str, Blank]) -> str | None:
    forms = [form for form in template.ask if set(slots(form)) <= drawn.keys()]
    said = grammar.say(rng, rng.choice(forms), {slot: blank.said for slot, blank in drawn.items()}) if forms else None
    if said is None:
        return None
    missing = set(template.blanks) - set(said[1]) - {"me"}
    if any(drawn[slot].sql != "TRUE" for slot in missing):
        return None
    opening = grammar.expand(rng, "opening", {}) if rng.random() < 0.06 else None
    first, *rest = said[0].split(" ")
    text = " ".join((opening[0], first.lower() if first in _STARTS else first, *rest)) if opening else said[0]
    manner = rng.random()
    if manner < 0.12:
        text = text[0].lower() + text[1:].removesuffix("?")
    return text.casefold() if manner < 0.04 else text[0].upper() + text[1:] if manner > 0.3 else text


def _answer(gold: Gold, template: Template, sql: str) -> list[Any] | None:
    """The values of the answer; None where there are none, or where they are not the only right ones."""
    rows = gold.rows(sql)
    values = list(dict.fromkeys(row[0] for row in rows if row[0] is not None))
    if template.none:
        return ([] if template.type == "none" else values) if not values or values == [0] else None
    if not values or values == [0]:
        return None
    if template.top:
        tied = len(rows) > template.top and rows[template.top - 1][1] == rows[template.top][1]
        return None if tied or len(values) < template.top else values[: template.top]
    if template.type == "list":
        return sorted(values, key=str) if len(values) <= _LONGEST else None
    return values if len(values) == 1 else None


def _complexity(gold: Gold, template: Template, sql: str, drawn: Mapping[str, Blank], answer: list[Any]) -> list[str]:
    """Multi-source are the questions that records alone do not answer rightly."""
    joins = any(blank.joins for blank in drawn.values())
    found = complexity(sql, top=bool(template.top), joins=joins)
    if joins or any(table in sql for table in _TEXT_TABLES):
        return [*found, "multi-source"]
    values = list(dict.fromkeys(row[0] for row in gold.rows(sql, recorded=True)))
    same = sorted(map(str, values[: len(answer)])) == sorted(map(str, answer))
    return found if same else [*found, "multi-source"]


def _events(gold: Gold, sql: str) -> list[str]:
    query = behind(sql)
    found = sorted(row[0] for row in gold.rows(query)) if query else []
    return found if len(found) <= _MOST_EVENTS else []


def _row(persona: Persona, template: Template, sql: str, answer: list[Any], text: str) -> dict[str, Any]:
    unit = persona.currency if template.unit == "currency" else template.unit
    return {
        "question": text, "now": persona.now.isoformat(sep=" "), "answer": answer, "answer_type": template.type,
        "unit": unit,
        "complexity": [], "tables": [], "sql": sql, "also_accept": _also(persona, template, answer),
        "template": template.id,
    }  # fmt: skip


def _also(persona: Persona, template: Template, answer: list[Any]) -> list[str]:
    """Other spellings of the answer."""
    if template.none:
        return ["none", "never", "zero"]
    if template.people:
        return [persona.called(name) for name in answer]
    value = answer[0]
    if template.type == "date":
        day = date.fromisoformat(value[:10])
        return [day_words(day), f"{day:%B} {day.day}, {day.year}"]
    if template.type in ("weekday", "month"):
        return [str(value)[:3]]
    if template.unit == "currency":
        return [money(value, persona.currency)]
    return []
