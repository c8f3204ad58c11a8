"""What each text says of who took part and what it was, as EXTRACT reads it: read once for each generation, for
RETRIEVE.

Kept beside the generation's index. Only rules and lexicons read them (milliseconds a text), so a first question need
not wait for a model.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ..operators.nodes import AttributeType
from .documents import documents, text_events
from .extract_texts import texts_of
from .text_hints import fingerprint
from .text_values import METHOD, read_values

if TYPE_CHECKING:
    from .context import RetrieveContext

FILE: Final = "facts.json"
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
        state = f"{context.generation} {fingerprint(context.lexicon, context.profile)} {METHOD}"
        held = _kept(context, state)
        if held is None:
            held = _read(context)
            _keep(held, context, state)
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


def _kept(context: RetrieveContext, state: str) -> Facts | None:
    path = context.index_folder / FILE if context.index_folder is not None else None
    if path is None or not path.is_file():
        return None
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None  # half written or foreign: they are read anew
    return stored["facts"] if isinstance(stored, dict) and stored.get("state") == state else None


def _keep(found: Facts, context: RetrieveContext, state: str) -> None:
    if context.index_folder is not None:
        scratch = context.index_folder / f"{FILE}.new"
        scratch.write_text(json.dumps({"state": state, "facts": found}, ensure_ascii=False), encoding="utf-8")
        scratch.replace(context.index_folder / FILE)
