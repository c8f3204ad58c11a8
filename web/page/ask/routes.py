"""The addresses of asking: the start, an answer, and the parts of its page that come when they are wanted."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from ....engine.answers.answer import Table
from ....engine.answers.evidence import attributes_table, evidence
from ....engine.asking.examples import Example
from ....engine.knowledge import KnowledgeGraph
from ....errors import ReqapError
from ....store.generations import EventGraph
from ...api.streaming import Streamed, Tell, step_of
from ...http.problems import problem_of
from ..data.jobs import changing
from ..frame.pages import Gone, Pages
from .answering import Answering
from .asked import Asked, Said, number_in, path_in
from .beside import other_readings, turned_down, ways_to_go_on
from .how import rows_of
from .kept import Kept, happened, ordered, size_of
from .panels import panel_of
from .reading import chips_of, in_period, narrower
from .rows import Reading
from .view import answered_in_words, tabs_of, view_of

T = TypeVar("T")
_ROWS: Final = 50
"""Reasons that are loaded at once."""
_MOST_ROWS: Final = 10_000_000
_MOST_PARTS: Final = 100
_AT_ONCE: Final = 1_000
"""Events that are read at once for a file."""


@dataclass
class Ask:
    """Answers requests about questions."""

    pages: Pages
    answering: Answering
    _examples: tuple[str, tuple[Example, ...]] | None = field(default=None, init=False)

    # ------------------------------------------------------------ pages
    async def home(self, request: Request) -> Response:
        """The start, or the page of a question: its answer comes by a stream, or stands in it where `whole` is said, as
        for browsers without scripts."""
        asked, whole = Asked.of(request.query_params), "whole" in request.query_params
        if asked is None:
            return await self._start(request, whole=whole)
        if not whole:
            values = {"asked": asked, "question": asked.said.question, "view": None}
            return self.pages.shown(request, "ask/page.html.j2", part="ask", title=asked.said.question, **values)
        view = await self.pages.do(request, lambda known: self._view(known, asked))
        return self.pages.shown(request, "ask/page.html.j2", part="ask", title=view["question"], view=view, **view)

    async def run_tree(self, request: Request) -> Response:
        """Where a tree is answered under a question's words: its own address. A form gives `q`, `tree` and `after`."""
        given = parse_qsl((await request.body()).decode("utf-8", "replace"), keep_blank_values=True)
        fields = dict(given)
        if not fields.get("tree", "").strip():
            raise HTTPException(422)
        after = tuple(Said.read(value) for name, value in given if name == "after")
        asked = Asked(Said(" ".join(fields.get("q", "").split()), fields["tree"].strip()), after)
        return RedirectResponse(asked.address(), 303)

    async def _start(self, request: Request, *, whole: bool) -> Response:
        examples = await self._found(request) if whole else self._kept_examples()
        return self.pages.shown(request, "ask/start.html.j2", part="ask", examples=examples)

    async def start(self, request: Request) -> Response:
        """The questions of the start, or an invitation where there are no data."""
        return self.pages.fragment("ask/examples.html.j2", examples=await self._found(request))

    async def _found(self, request: Request) -> tuple[Example, ...]:
        kept = self._kept_examples()
        if kept is None:
            now = self._now()
            kept = await self._beside(request, lambda known: known.examples(now=now))
            self._examples = self.answering.state, kept
        return kept

    def _kept_examples(self) -> tuple[Example, ...] | None:
        kept = self._examples
        return kept[1] if kept is not None and kept[0] == self.answering.state else None

    # ------------------------------------------------------------ the answer
    async def answer(self, request: Request) -> Response:
        """The answer with its steps, as Server-Sent Events; the last has the fragments of the page."""
        asked = self._asked(request)
        return Streamed(
            self.pages.works, lambda known, tell: self._streamed(known, asked, tell), self.pages.hidden,
            self.pages.logger,
        ).response  # fmt: skip

    def _streamed(self, known: KnowledgeGraph, asked: Asked, tell: Tell) -> dict[str, Any]:
        tell({**step_of("planning"), "text": "Reading the question"})

        def hear(what: str, text: str) -> None:
            if what == "read as":
                tell({**step_of("read as"), "text": f"Read as “{text}”"})
            else:
                tell({**step_of("planned", 1, 1), "text": "Looking"})

        try:
            view = self._view(known, asked, hear)
        except ReqapError as bad:
            problem = problem_of(bad, self.pages.hidden)
            note = self.pages.rendered("problem.html.j2", problem=problem)
            return {"html": note, "margin": "", "title": asked.said.question, "after": [], "said": problem.detail}
        chain = view["asked"].next("").after
        return {
            "html": self.pages.rendered("ask/answer.html.j2", **view),
            "margin": self.pages.rendered("ask/margin.html.j2", **view),
            "title": view["question"],
            "after": [str(said) for said in chain],
            "said": answered_in_words(view["answer"]),
        }

    def _view(
        self, known: KnowledgeGraph, asked: Asked, hear: Callable[[str, str], None] | None = None
    ) -> dict[str, Any]:
        view = view_of(self.answering.answered(known, asked, self._now(), hear), asked, known)
        return {**view, "changing": changing(self.pages.held.directory)}

    # ------------------------------------------------------------ parts
    async def show(self, request: Request) -> Response:
        """One of the tabs, or further rows of a table in it."""
        asked, measure = self._asked(request), "measure" in request.query_params
        first = number_in(request.query_params, "first", most=_MOST_ROWS)

        def does(known: KnowledgeGraph) -> tuple[str, dict[str, Any]]:
            kept = self._kept(known, asked)
            tabs = tabs_of(kept, known)
            if asked.show not in [tab.name for tab in tabs.all()]:
                raise HTTPException(404)
            panel = panel_of(kept, asked, asked.show, tabs, known, first=first, measure=measure)
            return panel.template, panel.values

        # what may take long is stopped with the page that wants it
        found = await (self.pages.do(request, does) if measure else self._beside(request, does))
        is_more = first > 0 and found[0] == "ask/table.html.j2"
        return self.pages.fragment("ask/table_rows.html.j2" if is_more else found[0], **found[1])

    async def rows(self, request: Request) -> Response:
        """Further reasons."""
        asked = self._asked(request)
        first = number_in(request.query_params, "first", most=_MOST_ROWS)

        def does(known: KnowledgeGraph) -> dict[str, Any]:
            kept = self._kept(known, asked)
            reading = Reading(known.graph, kept.vocabulary, kept.sought, kept.answer.locale, asked.sure)
            above = happened(kept, known, first - 1, 1) if first else ()
            shown = happened(kept, known, first, _ROWS)
            at = first + len(shown)
            left = size_of(kept, known) - at
            return {
                "rows": reading.rows(shown, above[0].start if above else None),
                "left": f"{left:,} more" if left > 0 else "",
                "next_rows": asked.part("rows", first=str(at)),
                "first": first,
            }

        return self.pages.fragment("ask/rows.html.j2", **await self._beside(request, does))

    async def left_out(self, request: Request) -> Response:
        """What was left out, and why."""
        asked = self._asked(request)
        found, skipped = await self._beside(request, lambda known: turned_down(self._kept(known, asked), known))
        return self.pages.fragment("ask/left_out.html.j2", found=found, skipped=skipped)

    async def also(self, request: Request) -> Response:
        """Other readings of the question."""
        asked = self._asked(request)
        kept = await self._beside(request, lambda known: self._kept(known, asked))

        def do(does: Callable[[KnowledgeGraph], T]) -> Any:
            return self._beside(request, does)

        plain = asked.plain
        links = await other_readings(kept, plain, do, do) if asked.said.tree is None and kept.answer.plan else ()
        return self.pages.fragment("ask/also.html.j2", links=links)

    async def on(self, request: Request) -> Response:
        """Ways to go on."""
        asked = self._asked(request)
        kept = await self._beside(request, lambda known: self._kept(known, asked))

        def do(does: Callable[[KnowledgeGraph], T]) -> Any:
            return self._beside(request, does)

        links = await ways_to_go_on(kept, replace(asked, at=None), do, do)
        return self.pages.fragment("ask/on.html.j2", links=links)

    async def conditions(self, request: Request) -> Response:
        """Conditions that may be added."""
        asked = self._asked(request)

        def does(known: KnowledgeGraph) -> dict[str, Any]:
            kept = self._kept(known, asked)
            has_period = any(chip.is_period for chip in chips_of(kept, asked, known))
            return {"narrower": narrower(kept, asked, known), "has_period": has_period, "fields": asked.plain.fields}

        return self.pages.fragment("ask/conditions.html.j2", **await self._beside(request, does))

    async def in_period(self, request: Request) -> Response:
        """Where a question is answered of other days."""
        asked, given = self._asked(request).plain, request.query_params
        found = await self._beside(request, lambda known: in_period(self._kept(known, asked), asked, known, given))
        return RedirectResponse(found, 303)

    async def node(self, request: Request) -> Response:
        """The rows of an operator."""
        asked, path = self._asked(request), path_in(request.query_params, "node")
        number = number_in(request.query_params, "number", most=_MOST_PARTS)
        found = await self._beside(request, lambda known: rows_of(self._kept(known, asked), number, path, known))
        if found is None:
            raise HTTPException(404)
        alone = Asked(Said(asked.said.question, found.tree), asked.after).address()
        return self.pages.fragment("ask/node.html.j2", found=found, alone=alone, back=asked.part("margin"))

    async def margin(self, request: Request) -> Response:
        """The reasons, as they stand beside the answer."""
        asked = self._asked(request)
        view = await self._beside(request, lambda known: view_of(self._kept(known, asked), asked, known))
        return self.pages.fragment("ask/margin.html.j2", **view)

    async def table(self, request: Request) -> Response:
        """The rows that the answer rests on, as a file; read a part at a time, beside the engine's work."""
        asked = self._asked(request)

        def does(known: KnowledgeGraph) -> tuple[Kept, list[str]]:
            kept = self._kept(known, asked)
            return kept, list(ordered(kept, known)) if kept.answer.more_events else []

        kept, order = await self._beside(request, does)
        if kept.answer.table is not None and kept.answer.answer_type == "table":
            return csv_of([kept.answer.table])
        order = order or list({event.iri: None for part in kept.answer.each for event in part.events})
        parts = [order[at : at + _AT_ONCE] for at in range(0, len(order), _AT_ONCE)]
        return csv_of([await self.pages.read(lambda graph, part=part: _table(graph, part, kept)) for part in parts])

    # ------------------------------------------------------------ how it is done
    def _asked(self, request: Request) -> Asked:
        asked = Asked.of(request.query_params)
        if asked is None:
            raise HTTPException(422)
        return asked

    def _now(self) -> datetime:
        """The time of asking, to the minute: what was asked a moment ago is known."""
        return self.pages.now().replace(second=0, microsecond=0)

    def _kept(self, known: KnowledgeGraph, asked: Asked) -> Kept:
        return self.answering.answered(known, asked, self._now())

    async def _beside(self, request: Request, does: Callable[[KnowledgeGraph], T]) -> T:
        """What a short piece of work gives. It is not begun for a page that is gone, and never stopped: what a stopped
        piece leaves in memory is read anew, which would cost whoever asks next more than it takes."""
        if await request.is_disconnected():
            raise Gone
        return await self.pages.works.done(does)


def _table(graph: EventGraph, part: list[str], kept: Kept) -> Table:
    return attributes_table(graph, evidence(graph, part), kept.vocabulary)


def routes(pages: Pages) -> list[BaseRoute]:
    """All that is asked."""
    ask = Ask(pages, Answering(pages.held))
    parts = {
        "start": ask.start, "answer": ask.answer, "show": ask.show, "rows": ask.rows, "left-out": ask.left_out,
        "also": ask.also, "on": ask.on, "conditions": ask.conditions, "node": ask.node, "margin": ask.margin,
    }  # fmt: skip
    return [
        Route("/", ask.home, methods=["GET"]),
        Route("/in-period", ask.in_period, methods=["GET"]),
        Route("/run-tree", ask.run_tree, methods=["POST"]),
        Route("/answer.csv", ask.table, methods=["GET"]),
        *(Route(f"/parts/ask/{name}", does, methods=["GET"]) for name, does in parts.items()),
    ]


_MARK: Final = "\ufeff"
"""What has spreadsheets read the file as UTF-8."""
_FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")


def csv_of(tables: Sequence[Table]) -> Response:
    """Tables one below the other, with the columns of all of them."""
    columns = list(dict.fromkeys(name for table in tables for name in table.columns))
    written = io.StringIO()
    lines = csv.writer(written)
    lines.writerow([_unharmed(name) for name in columns])
    for table in tables:
        at = {name: place for place, name in enumerate(table.columns)}
        for row in table.rows:
            lines.writerow([_unharmed(row[at[name]]) if name in at else "" for name in columns])
    headers = {"Content-Disposition": 'attachment; filename="answer.csv"'}
    return Response(_MARK + written.getvalue(), headers=headers, media_type="text/csv; charset=utf-8")


def _unharmed(value: Any) -> Any:
    """A value as no spreadsheet takes it for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULAS) else value
