"""Whether a text looks like Markdown, which has no signature: front matter, headings, lists and links tell."""

from __future__ import annotations

import csv
import io
import re
from itertools import islice

from ..peek import decode, json_shape, looks_binary
from ..text import plain
from .frontmatter_block import split_front_matter

__all__ = ["markdown_score"]

_HEADING = re.compile(r"^#{1,6}[ \t]+\S", re.MULTILINE)
_MARKS = (
    _HEADING,
    re.compile(r"^\S.*\n(?:={3,}|-{3,})[ \t]*$", re.MULTILINE),
    re.compile(r"^[ \t]*[-*+][ \t]+\[[ xX]\][ \t]", re.MULTILINE),
    re.compile(
        r"(?<!!)\[[^\]\n]{1,200}\]\((?:https?:|/|\.|#|mailto:)[^)\s]{0,2000}\)|!\[[^\]\n]{0,400}\]\([^)\n]{1,400}\)|\[\[[^\[\]\n]{1,400}\]\]"
    ),
    re.compile(r"(?<![\w*])\*\*[^*\n]{1,200}\*\*(?!\*)|(?<!\w)__[^_\n]{1,200}__(?!\w)"),
    re.compile(r"^(?:```|~~~)", re.MULTILINE),
    re.compile(r"^>[ \t]+\S", re.MULTILINE),
)
_LIST = re.compile(r"^[ \t]*[-*+][ \t]+\S", re.MULTILINE)
_CHAT = re.compile(
    r"^[\u200e\u200f]?\[?\d{1,4}[./-]\d{1,2}[./-]\d{2,4},? \d{1,2}[:.]\d\d[^\n]{0,12}?(?:\]| -) ", re.MULTILINE
)
_CLIPPINGS = re.compile(r"^={10}[ \t]*$", re.MULTILINE)
_OTHER = re.compile(
    r"\A#!|^@(?:prefix|base) |^(?:PREFIX|BASE) +\S*:? ?<|\A(?:From |BEGIN:|<|\{|window\.)", re.MULTILINE
)


def markdown_score(head: bytes, path: str) -> float:
    """0 to 0.8. `path` counts only for a text without any mark, which nothing in its content could tell."""
    if not head.strip() or looks_binary(head):
        return 0.0
    text = plain(decode(head))
    keys, body, _ = split_front_matter(text)
    if keys:
        return 0.8
    if _OTHER.search(text) or json_shape(head) is not None or _is_something_else(text):
        return 0.0
    if _HEADING.match(body):
        return 0.0 if _is_table(text) else 0.7
    kinds = sum(1 for mark in _MARKS if mark.search(body))
    if kinds and not _is_table(text):
        return 0.6 if kinds > 1 else 0.4
    if len(_LIST.findall(body)) > 1 and not _is_table(text):
        return 0.3
    named = path.lower().endswith((".md", ".markdown", ".mdown"))
    return 0.2 if named else 0.0


def _is_something_else(text: str) -> bool:
    """A chat's log or the clippings of an e-reader: texts with marks of their own."""
    return len(_CHAT.findall(text)) > 2 or len(_CLIPPINGS.findall(text)) > 1


def _is_table(text: str) -> bool:
    """Whether most rows have the same number, at least three, of fields: CSV."""
    for delimiter in (",", ";", "\t"):
        try:
            rows = [row for row in islice(csv.reader(io.StringIO(text), delimiter=delimiter), 20) if row]
        except csv.Error:
            continue
        if len(rows) > 1 and len(rows[0]) > 2:
            same = sum(1 for row in rows if len(row) == len(rows[0]))
            if same * 4 >= len(rows) * 3:
                return True
    return False
