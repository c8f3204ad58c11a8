"""What is made ready for questions after an import, so that the first one need not wait."""

from __future__ import annotations

from dataclasses import dataclass

from ...extraction.coreference.links import store_links
from ...extraction.documents import long_texts
from ...extraction.extract_texts import facts_of, precompute_tags
from ...extraction.hints import hints_of
from ...retrieval.candidates import FEW, embed_ahead
from ...retrieval.context import RetrieveContext
from ...retrieval.mentioned import read_ahead


@dataclass(frozen=True)
class Precomputed:
    """What was made ready for questions: `vectors` of distinct values, `texts` read for cues, `telling` of them texts
    that tell of workouts, films or purchases; `cut` of them are too long to be read to their ends."""

    vectors: int
    texts: int
    telling: int
    cut: int = 0


def ahead(context: RetrieveContext) -> Precomputed:
    """Embeds and reads all texts that questions will need; what was read before is kept. Of more than a few thousand
    texts the words that keys ask for are marked only when a question needs them. Raises ConfigError where no model is
    there."""
    vectors, hints = embed_ahead(context), hints_of(context)
    facts_of(context)
    telling = read_ahead(context)
    precompute_tags(context, FEW)
    store_links(context)
    return Precomputed(vectors, len(hints), telling, long_texts(context.graph))
