"""Dialogs about the large answers of an open store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ....config import AnswerDialog
from ....extraction.extract import Unresolved, resolve_attribute
from ....extraction.extract_texts import text_classes
from ....operators.nodes import AttributeType, Node
from ....operators.resolution import ClassMatch, Resolution, RetrieveMatch
from ....planner.annotation.parse_graph import attribute_key
from ....planner.search.plan import AnswerForm
from ....retrieval.context import RetrieveContext
from ....store.event_kinds import EventKinds
from ....store.graph import StoreGraph
from ....store.index.columns import Columns, Kind
from ....store.index.kept_columns import Ranked, derived_columns
from ....store.vocabulary import Vocabulary
from ....texts.lexicon.world import CITY, world
from ..nouns import events_called, source_of
from .dialog import Asking, Dialog, Known, Large, dialog_of

_READ = {
    Kind.TEXT: AttributeType.STR,
    Kind.NUMBER: AttributeType.FLOAT,
    Kind.TRUTH: AttributeType.BOOL,
    Kind.DAY: AttributeType.DATE,
    Kind.MOMENT: AttributeType.DATE,
}


@dataclass
class Dialogs:
    """Makes dialogs; the columns of the store are opened by `ranked` when the first answer is large."""

    graph: StoreGraph
    kinds: EventKinds
    vocabulary: Vocabulary
    settings: AnswerDialog
    ranked: Callable[[], Ranked]
    _derived: tuple[tuple[str, ...], Columns] | None = field(default=None, init=False)

    def about(
        self,
        tree: Node,
        form: AnswerForm,
        events: Sequence[str],
        labels: Sequence[str],
        values: int,
        resolution: Resolution,
        context: RetrieveContext,
    ) -> Dialog | None:
        """The dialog about the events of an answer; None where the rows of its tree are not one event each. `labels`
        are those of the events, where these are the answer, else there are `values`."""
        source = source_of(tree)
        match = dict(resolution.retrieves).get(source.query) if source is not None else None
        if source is None or match is None:
            return None
        ranked = self.ranked()
        known = Known(
            ranked,
            self._of_derived(),
            self.vocabulary,
            country_of,
            self.settings,
        )
        subject = events_called(source.query, match, self.vocabulary)[0].many
        large = Large(tuple(events), tree, form, subject, values, tuple(labels))
        keys = _Keys(source.query, match, ranked.columns, context)
        return dialog_of(Asking(large, known, keys.of))

    def _of_derived(self) -> Columns:
        """The columns of what is derived, read again when something was derived since."""
        graphs = tuple(self.graph.graphs())
        if self._derived is None or self._derived[0] != graphs:
            self._derived = (graphs, derived_columns(self.graph, self.kinds))
        return self._derived[1]


@dataclass(frozen=True)
class _Keys:
    """How trees name properties of one query's events."""

    query: str
    match: RetrieveMatch
    columns: Columns
    context: RetrieveContext

    def of(self, prop: str) -> str | None:
        """The name that EXTRACT reads as this property and no other, without reading texts; None without one."""
        label = self.context.vocabulary.property_label(prop)
        column = self.columns.columns.get(prop)
        if not label or column is None or self._reads_texts():
            return None
        key = attribute_key(label)
        found = resolve_attribute(self.query, self.match, key, _READ[column.kind], self.context)
        return key if not isinstance(found, Unresolved) and found.match.properties == (prop,) else None

    def _reads_texts(self) -> bool:
        """Whether the keys of these events are read from what texts say."""
        classes = self.match.classes if isinstance(self.match, ClassMatch) else None
        return classes is None or bool(text_classes(classes, self.context))


def country_of(text: str) -> str | None:
    """The country of a town of that name; None where there is none, or towns of several countries are called so."""
    name = world().named(text)
    return name.country or None if name is not None and name.key == CITY else None
