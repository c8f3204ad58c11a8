"""What each text says of who took part and what it was, as EXTRACT reads it: read once for each generation, for
RETRIEVE.

Kept beside the generation's index. Only rules and lexicons read them (milliseconds a text), so a first question need
not wait for a model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from ..execution.context import Table, Tables
from ..execution.derivations.values_read import CacheFile
from ..ontology.namespaces import EV
from ..operators.nodes import AttributeType
from .context import ExtractContext
from .documents import READS, documents, text_events
from .extract_texts import texts_of
from .hints import fingerprint
from .values import METHOD, read_values

KEYS: Final = ("participants", "cuisine", "occasion", "doctor type", "workout type", "milestone type")
_FACTS: Final = "facts"

Said = Mapping[str, float]
"""Confidence by value."""
Facts = Mapping[str, Mapping[str, Said]]
"""By event, by key."""
_FACTS_OF: Final = Table[None, Facts](_FACTS)


def facts_of(context: ExtractContext) -> Facts:
    """What the store's texts say, opened once."""
    return context.once(_FACTS_OF, None, lambda: _opened(context))


def _opened(context: ExtractContext) -> Facts:
    state = f"{context.state((*READS, EV + 'location'))} {fingerprint(context.lexicon, context.profile)} {METHOD}"
    file = CacheFile(context.index_folder, _FACTS, state)
    held = file.read()
    if held is None:
        held = _read(context)
        file.write(held)
    return held


def _read(context: ExtractContext) -> Facts:
    alone = replace(context, readers=None, known=Tables())
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
