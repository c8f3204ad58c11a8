"""What lexicons and profile know about the words of every text of a store, kept beside the generation's index.

Reading a text for cues takes about a millisecond, so it is done once for each text and kept by content: a new import
reads only what is new.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from ..execution.context import Table
from ..execution.derivations.values_read import CacheFile
from ..store.cache_file import NoteCache
from ..store.graph import Graph
from ..store.index.index import Progress
from ..texts.document import Document
from ..texts.hints import hints
from ..texts.lexicon.lexicon import Lexicon
from ..texts.lexicon.world import world_edition
from ..texts.people.mentions import Profile, mentions
from .context import ExtractContext
from .documents import READS, documents, text_events

_METHOD: Final = "2"
"""Changes when the same text may have other hints."""
_EVERY: Final = 100
_SEPARATOR: Final = "\x1f"
_NAME: Final = "hints"

Hints = Mapping[str, tuple[str, ...]]
HINTS: Final = Table[None, Hints](_NAME)
"""The hints of the store's texts."""


def hints_of(context: ExtractContext) -> Hints:
    """Hints of the store's texts, opened once."""
    return context.once(
        HINTS,
        None,
        lambda: open_hints(
            context.index_folder,
            context.graph,
            context.lexicon,
            context.profile,
            state=f"{context.state(READS)} {fingerprint(context.lexicon, context.profile)}",
            cache=context.notes,
            progress=context.progress,
        ),
    )


def open_hints(
    folder: Path | None,
    graph: Graph,
    lexicon: Lexicon,
    profile: Profile,
    *,
    state: str,
    cache: NoteCache,
    progress: Progress | None = None,
) -> Hints:
    """Hints by event, for all text events: from the file of the generation, else read now. `state` names all that they
    depend on: the texts' sources, lexicons, profile."""
    file = CacheFile(folder, _NAME, state)
    kept = file.read()
    if kept is not None:
        return {event: tuple(told) for event, told in kept.items()}
    found = read_hints(list(documents(text_events(graph), graph).values()), lexicon, profile, cache, progress)
    file.write(found)
    return found


def read_hints(
    read: Sequence[Document], lexicon: Lexicon, profile: Profile, cache: NoteCache, progress: Progress | None = None
) -> Hints:
    """Hints of documents; only texts that the cache does not know are read."""
    about = fingerprint(lexicon, profile)
    keys = {document.event: _key(document) for document in read}
    known = cache.get(keys.values(), about)
    missing = list({keys[d.event]: d for d in read if keys[d.event] not in known}.values())
    for start in range(0, len(missing), _EVERY):
        if progress:
            progress("read texts", start, len(missing))
        batch = missing[start : start + _EVERY]
        new = {keys[d.event]: _SEPARATOR.join(hints(d, lexicon, profile, mentions(d, profile))) for d in batch}
        cache.put(new, about)
        known |= new
    return {event: tuple(filter(None, known[key].split(_SEPARATOR))) for event, key in keys.items()}


def fingerprint(lexicon: Lexicon, profile: Profile) -> str:
    """Hash of what hints depend on besides the text."""
    told = repr(
        (
            _METHOD,
            world_edition() if lexicon.world else "",
            len(lexicon.entries),
            sorted(map(repr, lexicon.entries)),
            profile.owner,
            profile.people,
        )
    )
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def with_hints(read: Mapping[str, Document], held: Hints) -> dict[str, Document]:
    """The documents with their hints."""
    return {event: replace(document, hints=held.get(event, ())) for event, document in read.items()}


def _key(document: Document) -> str:
    said = (document.kind, document.text, document.sender, document.by_owner, *document.recipients)
    return hashlib.sha256(_SEPARATOR.join(map(str, said)).encode()).hexdigest()
