"""How an event stands before a model: one line of text, with what the lexicons and the profile know about its words.

Source: the paper's verbalised key-value pairs with notable user information (ReQAP section 3.2.2). What a text
presupposes (bacalhau is Portuguese, Tom is my brother) is put into words, so that a small model need not know it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ...texts.document import Document

MOST_HINTS: Final = 10


@dataclass(frozen=True, slots=True)
class Verbalised:
    """`line` is what a model reads; a character at offset i of the document's text is at `shift` + i of it."""

    line: str
    shift: int


def verbalise(document: Document) -> Verbalised:
    """A text event in one line: its kind and sender, hints such as "cuisine Italian", then the text itself."""
    known = f" ({'; '.join(dict.fromkeys(document.hints[:MOST_HINTS]))})" if document.hints else ""
    head = f"{document.heading}{known}: "
    return Verbalised(head + document.text, len(head))


def verbalise_pairs(kind: str, pairs: Sequence[tuple[str, str]]) -> str:
    """A record of key-value pairs in one line: "purchase: product = kettle; shop = Argos". Patterns look the same."""
    return f"{kind}: " + "; ".join(f"{key} = {value}" for key, value in pairs)
