"""Answers on a terminal: the answer first, then how it was read, then what it rests on; the plan only where it is asked
for."""

from __future__ import annotations

import json
from dataclasses import dataclass

from ...engine.answers.answer import Answer, Evidence, Table
from ...engine.answers.dialog.dialog import Dialog
from ...engine.answers.dialog.replies import numbered
from ...engine.answers.sentence import SHOWN, listed
from ...store.words import key_words
from ...texts.words import counted
from ..common import moment
from .console import block, most_of_a_cell, print_table, query, say
from .layout import cut

_ROWS = 5


@dataclass(frozen=True)
class Shown:
    """How much of an answer is printed: values and rows of events; None for all."""

    values: int | None = SHOWN
    rows: int | None = _ROWS

    @classmethod
    def of(cls, limit: int | None, everything: bool) -> Shown:
        """As --limit and --all say."""
        if everything:
            return cls(None, None)
        return cls() if limit is None else cls(limit, limit)


SOME = Shown()
"""As much as is shown where nothing is said."""


def print_whole(answer: Answer, explain: bool, shown: Shown, beside: str = "") -> None:
    """An answer with what is `beside` it, how it was read, and what it rests on; to `explain`, with its plan, query and
    timings."""
    if answer.resolved:
        say(f"read as: {answer.resolved}")
    print_answer(answer, shown.values, "--all shows them")
    if beside:
        block(beside)
    say(f"read as: {read_as(answer)}")
    for warning in answer.warnings:
        say(f"warning: {warning}")
    for note in answer.notes:
        say(f"note: {note}")
    for part in answer.each:
        print_evidence(part, None if explain else shown.rows)
    say()
    if explain:
        for part in answer.each:
            _print_explanation(part)
        return
    say("(--explain shows the plan, the SPARQL and all evidence)")


def read_as(answer: Answer) -> str:
    """How a question was read, in plain English."""
    return "; and ".join(filter(None, (part.in_words for part in answer.each)))


def print_answer(answer: Answer, most: int | None, more: str) -> None:
    """What answers each thing that is asked: a sentence, or its values a line each where a comma in one would hide
    where the next begins, and its table, then what is not sure; `more` says how to see values beyond `most`."""
    for part in answer.each:
        _print_part(part, most, more)
    for doubt in answer.doubt:
        say(doubt)


def _print_part(answer: Answer, most: int | None, more: str) -> None:
    if answer.page:
        for line in answer.page.splitlines():
            say(line)
        return
    if answer.dialog is not None and most is not None:
        say(answer.dialog.text)
        if answer.answer_type == "events":
            return
    values = answer.listed[:most]
    if len(answer.listed) > 1 and any("," in value for value in values):
        for value in values:
            say(f"- {value}")
        rest = len(answer.listed) - len(values)
        told = "more than " if answer.more_events else ""
        behind = f"from {told}{counted(len(answer.events), 'event')}" if answer.events else ""
        if rest or behind:
            say("; ".join(filter(None, (f"… and {rest:,} more ({more})" if rest else "", behind))))
    else:
        say(answer.said(most))
    if answer.table is not None:
        rows = [tuple("" if value is None else str(value) for value in row) for row in answer.table.rows]
        print_table([_titles(answer, answer.table), *rows[:most]])
        if most is not None and len(rows) > most:
            say(f"… {counted(len(rows) - most, 'more row')} ({more})")


def _titles(answer: Answer, table: Table) -> tuple[str, ...]:
    """The names of a table's columns in words; the last with its unit, where it measures groups."""
    names = tuple(key_words(name) for name in table.columns)
    if answer.answer_type != "table" or answer.unit is None:
        return names
    return (*names[:-1], f"{names[-1]} ({answer.unit})")


def print_question(dialog: Dialog) -> None:
    """What a dialog asks first, its choices by number, and what else one may reply."""
    if not dialog.questions:
        return
    first, *others = dialog.questions
    say(first.text)
    say(f"  {numbered(first.all)}")
    ways = listed([f"by {question.name}" for question in others], "or")
    say(f"  {f'or {ways}; ' if ways else ''}a number, a name, “all”, “none of these” or “undo”")


def print_evidence(answer: Answer, most: int | None, more: str = "--all shows them") -> None:
    """The first `most` of the events behind an answer, of a large one those that are ranked highest; `more` says where
    the others are."""
    if not answer.events:
        return
    shown, reason = _first_events(answer, most)
    say()
    rows = [(moment(e.start), cut(e.label, most_of_a_cell()), e.type, e.source) for e in shown]
    print_table([("when", "what", "kind", "source"), *rows])
    left = len(answer.events) - len(shown)
    if left or answer.more_events:
        hidden = (
            f"{counted(left, 'more event')}{' and others' if answer.more_events else ''}" if left else "more events"
        )
        say(f"… {hidden} ({more}{f'; {reason}' if reason else ''})")


def _first_events(answer: Answer, most: int | None) -> tuple[tuple[Evidence, ...], str]:
    """The events that are shown first, and why these."""
    dialog = answer.dialog
    if dialog is None or most is None or answer.answer_type != "events":
        return answer.events[:most], ""
    known = {event.iri: event for event in answer.events}
    ranked = tuple(known[iri] for iri in dialog.ranked if iri in known)
    return ranked[:most], dialog.reason


def _print_explanation(answer: Answer) -> None:
    say(f"plan (by {answer.planner}, score {answer.score:.2f}):")
    block(answer.plan)
    say()
    for rule, question in answer.steps:
        say(f"  {rule}: {question}")
    for key in answer.keys:
        say(f"  {key}")
    if answer.explained is not None:
        say()
        lines = [(text, f"{rows:,}", f"{ms:,.1f}", how) for text, rows, ms, how in answer.explained.lines()]
        print_table([("operator", "rows", "ms", "from"), *lines])
    say()
    say("SPARQL:")
    query(answer.sparql)
    say()
    say("timings (ms): " + json.dumps(answer.timings_ms))
