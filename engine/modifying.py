"""Large answers: what is asked about them, and what a reply leaves (query answer modification)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import cached_property

from ..config import Settings
from ..execution.run import Result
from ..retrieval.context import RetrieveContext
from ..store.event_kinds import EventKinds, event_kinds
from ..store.generations import EventGraph
from ..store.index.index import Progress
from ..store.index.kept_columns import Ranked, open_columns
from ..store.vocabulary import Vocabulary
from .answers.answer import Answer, Table
from .answers.dialog.asked import Dialogs
from .answers.evidence import attributes_table
from .asking.ready import Ready


class Modifying:
    """Asks back about large answers of a store."""

    graph: EventGraph
    settings: Settings
    vocabulary: Vocabulary
    _state: str
    _progress: Progress | None
    _context: Callable[[datetime], RetrieveContext]

    def with_dialog(self, answer: Answer, ready: Ready, found: Result, now: datetime) -> Answer:
        """The answer with the dialog about it, where it is too large."""
        if not self._is_large(answer) or ready.planned.also is not None:
            return answer
        if answer.more_events and answer.answer_type != "events":
            found = ready.runnable.run(self.graph, None)
        told = answer.told.events if answer.told is not None else ()
        events = tuple(dict.fromkeys((*found.events, *(event.iri for event in told))))
        labels = {event.iri: event.label for event in answer.events} if answer.answer_type == "events" else {}
        dialog = self._dialogs_about.about(
            ready.planned.node,
            ready.planned.form,
            events,
            [labels.get(iri, "") for iri in events] if labels else (),
            0 if labels else len(answer.values),
            ready.resolution,
            self._context(now),
        )
        return replace(answer, dialog=dialog)

    def rests_on(self, answer: Answer) -> Table:
        """What an answer rests on as rows: its groups, where these are the answer, else its events with all of their
        attributes."""
        if answer.table is not None and answer.answer_type == "table":
            return answer.table
        events = {event.iri: event for part in answer.each for event in part.events}
        return attributes_table(self.graph, tuple(events.values()), self.vocabulary)

    def _is_large(self, answer: Answer) -> bool:
        """Whether more rows answer than are shown as they are."""
        listed = answer.answer_type not in ("none", "boolean", "table") and answer.analysis in ("", "list", "places")
        return (
            listed and bool(answer.plan) and not answer.page and len(answer.values) > self.settings.dialog.answer_rows
        )

    @cached_property
    def _dialogs_about(self) -> Dialogs:
        return Dialogs(self.graph, self._kinds, self.vocabulary, self.settings.dialog, lambda: self.ranked)

    @cached_property
    def ranked(self) -> Ranked:
        """The values of all instances as columns, and their InfoRank; computed once a generation."""
        folder = self.graph.index_directory
        return open_columns(folder, self.graph, self._kinds, generation=self._state, progress=self._progress)

    @cached_property
    def _kinds(self) -> EventKinds:
        return event_kinds(self.graph, self.vocabulary)
