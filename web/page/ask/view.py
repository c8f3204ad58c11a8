"""What the page shows of an answer: the headlines, what is not sure, how it was read, what it asks, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from ....engine.answers.answer import TOLD, Answer
from ....engine.answers.compared import without
from ....engine.answers.dialog.dialog import Dialog
from ....engine.answers.headline import headline_of
from ....engine.asking.grounds import MAY_TELL_OF_ELSE, without_reason
from ....engine.authoring.domain import own_documents
from ....engine.conversation.turns import is_in_doubt
from ....engine.knowledge import KnowledgeGraph
from ....errors import ReqapError
from ....operators.nodes import Apply
from ....operators.syntax.printing import format_tree
from ....texts.words import counted
from .asked import Asked, Link, alone
from .kept import Kept
from .panels import later, panel_of
from .reading import chips_of
from .rows import Reading, Row, digest
from .tabs import HOW, LISTED, SPARQL, Tab, Tabs

FIRST_ROWS: Final = 6
"""Reasons that stand beside the answer at once."""
ALL: Final = "all"
ALL_OF_THEM: Final = "All of them, by time"
_ACCEPT: Final = "yes please"
_DOUBTFUL_ROWS: Final = 60
"""Reasons among which the least sure is looked for."""


@dataclass(frozen=True)
class Asks:
    """What is asked about a large answer: replies as links, and other ways to ask."""

    title: str
    replies: tuple[Link, ...]
    ways: tuple[Link, ...]
    everything: Link


def view_of(kept: Kept, asked: Asked, known: KnowledgeGraph) -> dict[str, Any]:
    """The values of the template of an answer."""
    answer, asked = kept.answer, replace(asked, at=kept.at)
    tabs = tabs_of(kept, known)
    named = tabs.all()
    shown = next((tab.name for tab in named if tab.name == asked.show), tabs.open_first)
    is_late = answer.more_events and shown not in (HOW, SPARQL)
    panel = (later(asked, shown) if is_late else panel_of(kept, asked, shown, tabs, known)) if shown else None
    return {
        "asked": asked,
        "question": asked.said.question or answer.question,
        "answer": answer,
        "heads": [headline_of(part) for part in answer.each],
        "compared": [numbered(side) for side in kept.sides],
        "declined": answer.missing is not None and not answer.values,
        "leans_on": [leaning.question for leaning in kept.turn.leans_on],
        "resolved": kept.turn.resolved if kept.turn.how else "",
        "undo": asked.before.address() if asked.before is not None else "",
        **_chips(kept, asked, known),
        "offers": _offers(kept, asked),
        "looked": known.looked_for(kept.turn.resolved) if answer.missing is not None and not answer.plan else (),
        "asks": _asks(answer.dialog, asked) if answer.dialog is not None and asked.by != ALL else None,
        "tabs": [_tab(tab, asked) for tab in named],
        "shown": shown,
        "is_listed": any(tab.name == LISTED for tab in named),
        "panel": panel.template if panel is not None else "",
        **(panel.values if panel is not None else {}),
        **why_of(kept, asked, known),
    }


def numbered(side: Answer) -> str:
    """One of the numbers that are compared, and what of: "57 runs in 2024"."""
    head = headline_of(side)
    if head.beside:
        return f"{head.value} {head.beside}"
    return f"{head.value}, {head.sentence[:1].lower()}{head.sentence[1:].rstrip('.')}"


def _chips(kept: Kept, asked: Asked, known: KnowledgeGraph) -> dict[str, Any]:
    """How it was read, and what changes that."""
    chips = chips_of(kept, asked, known)
    can_change = any(chip.others or chip.without or chip.is_period for chip in chips)
    return {"chips": chips, "can_narrow": can_change, "fields": asked.plain.fields}


def tabs_of(kept: Kept, known: KnowledgeGraph) -> Tabs:
    """The tabs of an answer, its charts by the user's own rules, too."""
    return Tabs(kept, known, tuple(own_documents(known.settings.rules)))


def _tab(tab: Tab, asked: Asked) -> dict[str, str]:
    """A tab with the address of the page that has it open, and that of its content."""
    href, part = asked.page(tab.name), asked.part("show", show=tab.name)
    return {"name": tab.name, "label": tab.label, "href": href, "part": part}


def why_of(kept: Kept, asked: Asked, known: KnowledgeGraph) -> dict[str, Any]:
    """The first reasons, how many there are, and what is not sure of them."""
    answer = kept.answer
    reading = Reading(known.graph, kept.vocabulary, kept.sought, answer.locale, asked.sure)
    is_told = any(event.basis == TOLD for event in answer.events)
    rows = reading.rows(kept.happenings[: _DOUBTFUL_ROWS if is_told else FIRST_ROWS])
    return {
        "doubt": doubt_of(kept, asked, rows, known),
        "rows": rows[:FIRST_ROWS],
        "reasons": reasons(kept),
        "left": left_after(kept, min(FIRST_ROWS, len(rows))),
        "next_rows": asked.part("rows", first="0" if answer.more_events else str(FIRST_ROWS)),
    }


def left_after(kept: Kept, shown: int) -> str:
    """How many reasons there are besides those that are shown, in words; "" for none."""
    if kept.answer.more_events:
        return ALL_OF_THEM
    more = len(kept.happenings) - shown
    return f"{more:,} more" if more > 0 else ""


def reasons(kept: Kept) -> str:
    """How many records or texts an answer rests on: "57 records", "11 events, 17 texts"."""
    events = {event.iri: event for part in kept.answer.each for event in part.events}
    if not events:
        return ""
    if kept.answer.more_events:
        return f"more than {len(events):,} records"
    told = sum(event.basis == TOLD for event in events.values())
    if not told:
        return counted(len(events), "record")
    noun = "text" if told == len(events) else "record"
    happened = len(kept.happenings)
    return (
        counted(len(events), noun)
        if happened == len(events)
        else (f"{counted(happened, 'event')}, {counted(len(events), noun)}")
    )


def _offers(kept: Kept, asked: Asked) -> list[Link]:
    """Questions that have an answer, where this one has none, or asks what can be asked."""
    answer, found = kept.answer, list[Link]()
    if is_in_doubt(kept.turn):
        reading = getattr(kept.turn.failure, "reading", "")
        found.append(Link(f"{reading[:1].upper()}{reading[1:]}?", asked.next(_ACCEPT).address()))
    if answer.missing is not None and answer.missing.offered:
        found.append(Link(answer.missing.offered, alone(answer.missing.offered)))
    if answer.page:
        found += [Link(str(value), alone(str(value))) for value in answer.values if str(value).endswith("?")]
    return found


def _asks(dialog: Dialog, asked: Asked) -> Asks | None:
    if not dialog.questions:
        return None
    chosen = next((one for one in dialog.questions if one.name == asked.by), dialog.questions[0])
    plain = asked.plain
    ways = [Link(one.name, replace(plain, by=one.name).address()) for one in dialog.questions if one is not chosen]
    everything = Link(f"show all {dialog.size:,}", replace(plain, by=ALL).address())
    question = asked.said.question
    replies = (Link(one.label, asked.next(question, one.tree).address(), f"{one.count:,}") for one in chosen.all)
    return Asks(f"{chosen.text.partition(':')[0].rstrip('?')}?", tuple(replies), tuple(ways), everything)


def answered_in_words(answer: Answer) -> str:
    """The answer as a sentence, for the title of a page and for those who have it read to them."""
    return answer.text if len(answer.text) < 300 else f"{answer.text[:299].rstrip()}…"


_SAID: Final = "I am not sure: "
_READ: Final = "I am not sure that this is what you meant: "
_MOST_EVENTS: Final = 1_000
_MOST_TRIED: Final = 3


@dataclass(frozen=True)
class Doubt:
    """What is not sure, in a word and a sentence; `title` and `words` are of the happening that can be decided, by the
    addresses `yes` and `no`."""

    short: str
    sentence: str
    title: str = ""
    words: str = ""
    yes: str = ""
    no: str = ""


def doubt_of(kept: Kept, asked: Asked, rows: Sequence[Row], known: KnowledgeGraph) -> Doubt | None:
    """What is not sure of an answer; None where it is sure."""
    answer = kept.answer
    unsure = [row for row in rows if row.unsure]
    if not answer.doubt and not unsure:
        return None
    if unsure:
        tried = (_decided(kept, asked, row, known) for row in unsure[:_MOST_TRIED])
        decided = next((one for one in tried if one is not None), None)
        if decided is not None:
            number = len(unsure)
            return replace(decided, short="Not sure of one." if number == 1 else f"Not sure of {number}.")
    left = _undecided(answer.doubt[0], decided=bool(asked.sure) and not unsure) if answer.doubt else ""
    return _in_words(left) if left else None


def _undecided(sentence: str, *, decided: bool) -> str:
    """What of a doubt is left where somebody decided of every happening that it was about; "" for nothing."""
    if not decided or sentence.startswith(_READ):
        return "" if decided else sentence
    return without_reason(sentence, MAY_TELL_OF_ELSE)


def _in_words(sentence: str) -> Doubt:
    if sentence.startswith(_READ):
        return Doubt("Is this what you meant?", "How it was read stands below.")
    told = sentence.removeprefix(_SAID)
    return Doubt("Not sure." if told != sentence else "", _capital(told))


def _decided(kept: Kept, asked: Asked, row: Row, known: KnowledgeGraph) -> Doubt | None:
    """The question whether a happening counts; None where the tree cannot tell it from others."""
    words = row.said[0] if row.said else ""
    tree = _tree_without(kept, row, lambda text: known.run(text, now=kept.at, most_events=_MOST_EVENTS))
    if tree is None:
        return None
    yes = asked.with_sure(digest(row.iri)).plain.address()
    no = asked.plain.with_tree(tree).address()
    return Doubt("", "", row.label, words, yes, no)


def _tree_without(kept: Kept, row: Row, run: Callable[[str], Answer]) -> str | None:
    """The tree without a happening, if all that it leaves out is that one."""
    if kept.tree is None or not row.day or len(kept.sought.queries) != 1:
        return None
    if kept.answer.more_events or kept.answer.also is not None or not isinstance(kept.tree, Apply):
        return None
    text = format_tree(without(kept.tree, kept.sought.queries[0], datetime.fromisoformat(row.day)))
    try:
        left = run(text)
    except ReqapError:  # its time cannot be compared
        return None
    gone = {event.iri for event in kept.answer.events} - {event.iri for event in left.events}
    own = next((one for one in kept.happenings if one.event.iri == row.iri), None)
    is_own = own is not None and gone == {own.event.iri, *(other.iri for other in own.others)}
    return text if is_own else None


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
