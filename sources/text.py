"""Readable text from HTML and from bytes whose character set is wrong: what mails, posts and calendar notes hold.

Markup, invisible parts and link targets are left out; blocks become lines. Input is bounded and walked with explicit
stacks, so that neither size nor nesting of hostile markup exhausts anything.
"""

from __future__ import annotations

import codecs
import html
import re
import unicodedata
from collections import Counter
from html.entities import html5
from pathlib import PurePosixPath
from typing import Final

__all__ = ["decode_bytes", "html_to_text", "looks_like_html", "plain", "slug", "stem_slug", "unescape"]

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
_WESTERN = frozenset(["iso-8859-1", "latin-1", "latin1", "us-ascii", "ascii", "iso8859-1", "ansi_x3.4-1968"])
_NO_CHARSETS = frozenset(["punycode", "idna", "unicode-escape", "raw-unicode-escape", "undefined"])
"""Codecs of Python, by their own names, that are no character sets of mails, some of them slow on long input."""
_TWICE = re.compile("[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u0192\u02c6\u02dc\u2013-\u2122]")
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
    """What a reader sees of `markup`: blocks as lines, no link targets, no invisible parts.

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


def decode_bytes(data: bytes, declared: str | None) -> str:
    """Text of `data` whose character set is `declared`, which may be missing, unknown or wrong.

    Valid UTF-8 beyond ASCII is believed against a declared single-byte set: the reverse accident does not happen.
    """
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    name = (declared or "utf-8").strip().strip("\"'").lower()
    if _codec(name) in _NO_CHARSETS:
        name = "utf-8"
    if name in _WESTERN:  # as browsers do: what is declared so is Windows-1252 in truth
        name = "cp1252"
    order = ["utf-8", name] if name.startswith(("iso-8859", "windows-125", "cp125")) else [name, "utf-8"]
    for candidate in [*order, "cp1252"]:
        try:
            return _mended(data.decode(candidate))
        except (LookupError, UnicodeError, ValueError):
            continue
    return data.decode("latin-1")


def _codec(name: str) -> str:
    """Python's own name of a codec, whatever the spelling; "" for one that it does not have."""
    try:
        return codecs.lookup(name).name.replace("_", "-")
    except (LookupError, ValueError):
        return ""


def _mended(text: str) -> str:
    """`text` decoded once more when all of it is UTF-8 that somebody had read as a Western character set."""
    if _TWICE.search(text):
        for name in ("cp1252", "latin-1"):
            try:
                return text.encode(name).decode("utf-8")
            except UnicodeError:
                continue
    return text


def slug(text: str, *, most: int = 40) -> str:
    """`text` as a name of letters a-z, digits and hyphens; empty when nothing of it can be written so."""
    ascii_only = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", ascii_only).strip("-")[:most].strip("-")


def stem_slug(path: str) -> str:
    """The slug of a file's name without its endings, also inside an archive (`export.zip!mail/Inbox.mbox`)."""
    return slug(PurePosixPath(path.rsplit("!", 1)[-1].replace("\\", "/")).name.split(".")[0])
