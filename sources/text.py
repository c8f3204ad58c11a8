"""Readable text from HTML: what mails, posts and calendar notes hold.

Markup, invisible parts and link targets are left out, but an address that is shown shortened is whole; blocks become
lines. Input is bounded and walked with explicit stacks, so that neither size nor nesting of hostile markup exhausts
anything.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections import Counter
from html.entities import html5
from pathlib import PurePosixPath
from typing import Final

__all__ = ["html_to_text", "looks_like_html", "plain", "slug", "stem_slug", "unescape"]

MAX_HTML: Final = 2 * 2**20
"""Characters of markup that are read; what follows is left out."""
_MAX_NESTING: Final = 400
"""Elements nested deeper than this are read without their structure."""

_TAGS = re.compile(
    r"<(?:br|p|div|span|a|b|i|u|em|strong|ul|ol|li|table|tr|td|html|body|font|img|h[1-6]|pre|blockquote)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]{1,30}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});")
_FILLERS = dict.fromkeys(map(ord, "\u00ad\u034f\u180e\u200b\u200c\u2060\ufeff\u2007"), None)
"""Characters without width that mailers put into previews. U+200D is kept: it joins emoji."""
_SPACES = re.compile(r"[ \t\f\v\u00a0\u2000-\u200a\u202f\u205f\u3000]+")
_NEWLINES = re.compile(r"\r\n?|\u2028|\u2029")
_BREAKS = re.compile(r" ?([\x1e\x1f\n](?:[\x1e\x1f\n ]*[\x1e\x1f\n])?) ?(\x1d)?")
_NESTED = re.compile(
    r"<(/?)(?!(?:br|img|hr|meta|link|input|col|area|base|wbr|p|li)\b)([A-Za-z]\w{0,40})", re.IGNORECASE
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def looks_like_html(text: str) -> bool:
    """Whether a text that may be either is HTML: it has at least one common tag."""
    return bool(_TAGS.search(text[:MAX_HTML]))


def unescape(text: str) -> str:
    """`text` with HTML character references replaced; other ampersands stay."""
    return _ENTITY.sub(_reference, text)


def _reference(found: re.Match[str]) -> str:
    text = found.group()
    # html.unescape would read the beginning of an unknown name as a shorter known one.
    return html.unescape(text) if text[1] == "#" or text[1:] in html5 else text


def plain(text: str) -> str:
    """`text` with one kind of line end, without control characters and without spaces at the ends of lines."""
    text = _CONTROL.sub("", _NEWLINES.sub("\n", text))
    return "\n".join(line.rstrip() for line in text.split("\n")).strip()


def html_to_text(markup: str, *, keep_newlines: bool = False) -> str:
    """What a reader sees of `markup`: blocks as lines, no invisible parts, no link targets but those shown shortened.

    `keep_newlines`: line ends inside the markup are line ends of the text (posts), not spaces (mails).
    """
    markup = _CONTROL.sub("", _NEWLINES.sub("\n", markup[:MAX_HTML]))
    if _nesting(markup) > _MAX_NESTING:
        return _tidy(unescape(re.sub(r"<[^<>]*>", "\n", markup)))
    from .markup import pieces_of  # its parser takes longer to import than most questions take

    return _tidy("".join(pieces_of(markup, keep_newlines=keep_newlines)))


def _nesting(markup: str) -> int:
    """How deep elements nest, those aside that close themselves."""
    depth = most = 0
    held = Counter[str]()  # an end that nothing began takes nothing away
    for found in _NESTED.finditer(markup):
        name, by = found.group(2).lower(), -1 if found.group(1) else 1
        if by > 0 or held[name]:
            held[name] += by
            depth += by
            most = max(most, depth)
    return most


def _tidy(text: str) -> str:
    """Runs of spaces and of block ends made one; `\\x1f` asks for a line end, `\\x1e` for an empty line."""
    text = _SPACES.sub(" ", text.translate(_FILLERS))
    return _BREAKS.sub(_break, text).strip()


def _break(found: re.Match[str]) -> str:
    run = found.group(1)
    if found.group(2):
        return "\n- "
    return "\n\n" if "\x1e" in run or run.count("\n") > 1 else "\n"


def slug(text: str, *, most: int = 40) -> str:
    """`text` as a name of letters a-z, digits and hyphens; empty when nothing of it can be written so."""
    ascii_only = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", ascii_only).strip("-")[:most].strip("-")


def stem_slug(path: str) -> str:
    """The slug of a file's name without its endings, also inside an archive (`export.zip!mail/Inbox.mbox`)."""
    return slug(PurePosixPath(path.rsplit("!", 1)[-1].replace("\\", "/")).name.split(".")[0])
