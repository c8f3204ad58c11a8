"""Text from outside, made safe for a terminal: nothing in it can steer one, reorder a line, or hide.

Titles, file names and mails are written by others. A control sequence in one could set the window's title, forge a link
or clear the screen; an override of the writing direction could show "exe.txt" for "txt.exe". So controls are shown as
symbols (␛), and what has no symbol by its code point (<U+202E>). Formats that have escapes of their own (JSON, N-Quads,
Turtle, SPARQL) use these, and lose nothing.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from typing import Final

_UNSEEN: Final = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, but for tab and line feed
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\ufe00-\ufe0f\ud800-\udfff"
    "\U0001bca0-\U0001bca3\U00013430-\U0001343f\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Characters that steer, reorder or cannot be seen: controls, formats (Unicode's category Cf without those that are
seen, such as Arabic's signs of numbers), separators of lines, fillers, variation selectors, lone surrogates."""
_JOINED: Final = re.compile(
    # A flag of a part of a country: a black flag, letters as tags, the end of tags.
    "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,6}\U000e007f"
    # The look of a sign, or of a digit on a key: at most one selector.
    "|(?<=[0-9#*\xa9\xae\u203c-\u3299\U0001f000-\U0001faff])[\ufe0e\ufe0f](?![\ufe00-\ufe0f])"
    # A joiner between letters of scripts that need it, or between pictures, after the selector of a look.
    "|(?<=[\u0600-\u0dff\u0e00-\u109f\u1780-\u17b3])[\u200c\u200d](?=[\u0600-\u0dff\u0e00-\u109f\u1780-\u17b3])"
    "|(?<=[\u2600-\u27bf\U0001f000-\U0001faff\ufe0f])\u200d(?=[\u2190-\u2bff\U0001f000-\U0001faff])"
)
"""Where such a character is part of what is seen, and stays."""
_UNSAFE: Final = re.compile(f"{_JOINED.pattern}|[{_UNSEEN}]")
_ANY: Final = re.compile(f"[{_UNSEEN}]")
_FORMULA: Final = ("=", "+", "-", "@", "\t", "＝", "＋", "－", "＠")
_SYMBOLS: Final = 0x2400
"""Where the pictures of the 32 controls begin; that of DEL is the 33rd after a space's."""


def shown(text: str) -> str:
    """A text with every character visible and harmless; line feeds and tabs stay. Safe text is given back as it is."""
    return _UNSAFE.sub(_sign, text) if _ANY.search(text) else text


def one_line(text: str) -> str:
    """`shown`, on one line: a line feed is shown as ␊, so that a name cannot pass for a line of its own."""
    return shown(text).replace("\n", "␊").replace("\t", " ")


def _sign(found: re.Match[str]) -> str:
    char = found[0]
    if len(char) > 1 or _JOINED.match(found.string, found.start()):
        return char
    code = ord(char)
    if code < 0x20:
        return chr(_SYMBOLS + code)
    if code == 0x7F:
        return "␡"
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a file name that is no text
        return f"\\x{code - 0xDC00:02x}"
    return f"<U+{code:04X}>"


def json_escaped(text: str) -> str:
    r"""JSON with such characters as \uXXXX. They can stand only in its strings, so it says the same."""
    return _escaped(text, lambda code: "".join(f"\\u{half:04x}" for half in _halves(code)))


def rdf_escaped(text: str) -> str:
    r"""N-Quads, Turtle, SPARQL or its TSV with such characters as \uXXXX or \UXXXXXXXX: it says the same."""
    return _escaped(text, lambda code: f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}")


def _escaped(text: str, escape: Callable[[int], str]) -> str:
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text  # as most are, and a thirtieth of the time
    return _ANY.sub(lambda found: escape(ord(found[0])), text)


def _halves(code: int) -> tuple[int, ...]:
    """The code units of UTF-16."""
    if code < 0x10000:
        return (code,)
    high, low = divmod(code - 0x10000, 0x400)
    return 0xD800 + high, 0xDC00 + low


def csv_escaped(text: str) -> str:
    """CSV for spreadsheets: characters are `shown`, and a text that one would take for a formula follows a "'"."""
    before = csv.field_size_limit(len(text) + 1)  # for one column; it counts for the whole process
    try:
        rows = csv.reader(io.StringIO(text, newline=""))
        return "".join(",".join(_cell(cell) for cell in row) + "\r\n" for row in rows)
    finally:
        csv.field_size_limit(before)


def _cell(text: str) -> str:
    said = shown(text.replace("\r\n", "\n"))
    if said.startswith(_FORMULA) and not _is_number(said):
        said = f"'{said}"
    # Spreadsheets of some countries part cells at semicolons, or at tabs: what follows one must not begin a cell.
    return '"' + said.replace('"', '""') + '"' if any(char in said for char in ',;\t"\n') else said


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
