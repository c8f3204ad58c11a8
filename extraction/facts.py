"""What each text says of who took part and what it was, as EXTRACT reads it: read once for each generation, for
RETRIEVE.

Kept beside the generation's index. Only rules and lexicons read them (milliseconds a text), so a first question need
not wait for a model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ..execution.derivations.cache_file import CacheFile
from ..ontology.namespaces import EV
from ..operators.nodes import AttributeType
from .documents import READS, documents, text_events
from .extract_texts import texts_of
from .hints import fingerprint
from .values import METHOD, read_values

if TYPE_CHECKING:
    from ..execution.context import RetrieveContext

KEYS: Final = ("participants", "cuisine", "occasion", "doctor type", "workout type", "milestone type")
_HELD: Final = "facts"

Said = Mapping[str, float]
"""Confidence by value."""
Facts = Mapping[str, Mapping[str, Said]]
"""By event, by key."""


def facts_of(context: RetrieveContext) -> Facts:
    """What the store's texts say, opened once."""
    held = context.known.get(_HELD)
    if held is None:
        state = f"{context.state((*READS, EV + 'location'))} {fingerprint(context.lexicon, context.profile)} {METHOD}"
        file = CacheFile(context.index_folder, _HELD, state)
        held = file.read()
        if held is None:
            held = _read(context)
            file.write(held)
        context.known[_HELD] = held
    return held


def _read(context: RetrieveContext) -> Facts:
    alone = replace(context, readers=None, known={})
    read = tuple(documents(text_events(context.graph), context.graph).values())
    texts = texts_of(alone)
    found: dict[str, dict[str, Said]] = {}
    for done, name in enumerate(KEYS):
        if context.progress:
            context.progress("read texts", done, len(KEYS))
        key = texts.keys.called(name)
        if key is not None:
            for event, values in read_values(read, key, AttributeType.STR, texts).items():
                said = {str(value.value): round(value.confidence, 3) for value in values}
                found.setdefault(event, {})[name] = said
    return found
