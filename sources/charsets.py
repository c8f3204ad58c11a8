"""Text out of bytes by the label of their character set, as browsers read it (the Encoding Standard).

Labels are often narrower than the truth: what calls itself gb2312 is GBK, what calls itself iso-8859-1 Windows-1252.
What is no text under its label is still given as well as it can be read, with a word of doubt for whoever reports.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import webencodings
from webencodings.labels import LABELS

__all__ = ["Decoded", "decode_bytes", "decoded", "is_known"]

_NO_CHARSETS: Final = frozenset(["punycode", "idna", "unicode-escape", "raw-unicode-escape", "undefined"])
"""Codecs of Python, by their own names, that are no character sets of mails, some of them slow on long input."""
_WIDER: Final = {"gbk": "gb18030"}
"""Where Python's codec of a name is narrower than the Encoding Standard's."""
_PAGE: Final = re.compile(r"(?:x-)?(?:cp|ibm|windows|win|dos|ms|oem|pc)[-_ ]?0*(\d{3,5})\b")
"""A code page of Windows or DOS, however its label is spelled."""
_PAGES: Final = {
    "932": "shift_jis", "936": "gbk", "949": "euc-kr", "950": "big5", "1361": "johab", "20127": "us-ascii",
    "20866": "koi8-r", "21866": "koi8-u", "50220": "iso-2022-jp", "51932": "euc-jp", "51949": "euc-kr",
    "54936": "gb18030", "65000": "utf-7", "65001": "utf-8",
    **{f"{28590 + part}": f"iso-8859-{part}" for part in (*range(1, 10), 13, 15)},
}  # fmt: skip
_SQUEEZED: Final = {
    **{re.sub(r"[^a-z0-9]", "", label): name for label, name in reversed(LABELS.items())},
    "sjiswin": "shift_jis", "xmssjis": "shift_jis", "eucjpwin": "euc-jp", "eucjpms": "euc-jp", "uhc": "euc-kr",
    "utf8mb4": "utf-8",
}  # fmt: skip
"""Labels of the Encoding Standard, and a few that programs made up, without what stands between letters and digits."""
_SINGLE_BYTES: Final = re.compile(r"iso8859|cp(?!9\d\d$)\d|koi8|mac|ascii|latin")
_ESCAPES: Final = re.compile(rb"(\x1b(?:\$[@B]|\([BIJ]))")
_TWICE: Final = re.compile("[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u0192\u02c6\u02dc\u2013-\u2122]")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, and why it may not be what was written; None where nothing speaks against it."""

    text: str
    doubt: str | None = None


def decode_bytes(data: bytes, declared: str | None) -> str:
    """Text of `data` whose character set is `declared`, which may be missing, unknown or wrong."""
    return decoded(data, declared).text


def is_known(label: str) -> bool:
    """Whether a label names a character set."""
    return bool(_codec(label.strip().lower()))


def decoded(data: bytes, declared: str | None) -> Decoded:
    """Text of `data` whose character set is `declared`, with the doubt where this is a guess.

    Valid UTF-8 beyond ASCII is believed against a declared single-byte set: the reverse accident does not happen.
    """
    data = data.removeprefix(b"\xef\xbb\xbf")
    label = (declared or "").strip().strip("\"'").strip().lower()
    name = _codec(label) if label else "utf-8"
    if name.startswith("utf-16") and data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        name = "utf-16"
    plain_bytes = data.isascii() and name not in ("", "utf-8")  # as UTF-8 escapes would be taken for letters
    first = ["utf-8", name] if not name or _SINGLE_BYTES.match(name) else [name, "utf-8"]
    order = [name] if plain_bytes else first if name else ["utf-8"]
    for candidate in order:
        try:
            return Decoded(_mended(data.decode(candidate)))
        except (LookupError, UnicodeError, ValueError):
            continue
    return _guessed(data, name, label)


def _guessed(data: bytes, name: str, label: str) -> Decoded:
    """The likeliest text of bytes that are none under their label."""
    if name == "iso2022_jp":
        text = _japanese(data)
        return Decoded(text, f"bytes that are no text in {label}" if "\ufffd" in text else None)
    if name not in ("", "utf-8"):
        text = data.decode(name, _ERRORS.get(name, "replace"))
        return Decoded(
            text, None if name == "euc_jp" and "\ufffd" not in text else f"bytes that are no text in {label}"
        )
    text = data.decode("utf-8", "replace")
    if text.count("\ufffd") < sum(1 for sign in text if sign > "\x7f") / 2:
        return Decoded(text, "bytes that are no UTF-8")
    why = f"the unknown character set {label[:40]}" if not name else "no UTF-8"
    return Decoded(_mended(data.decode("cp1252", _C1)), f"bytes in {why}, read as Windows-1252")


@lru_cache(maxsize=500)
def _codec(label: str) -> str:
    """The name of Python's codec for a label, "" where nobody knows the label."""
    found = webencodings.lookup(label)
    page = _PAGE.match(label)
    if found is None:
        known = _PAGES.get(page[1], f"windows-{page[1]}") if page else _SQUEEZED.get(re.sub(r"[^a-z0-9]", "", label))
        found = webencodings.lookup(known) if known else None
    if found is not None and found.name not in ("replacement", "x-user-defined"):
        name = _WIDER.get(found.name, found.name)
        return _own_name(name if name != found.name else found.codec_info.name)
    spelled = (label, _PAGES.get(page[1], f"cp{page[1]}") if page else "")
    return next((name for text in spelled if text and (name := _own_name(text))), "")


def _own_name(label: str) -> str:
    """Python's own name of a codec for texts, whatever the spelling; "" for one that it does not have."""
    try:
        name = codecs.lookup(label).name
        b"-".decode(name, "replace")  # LookupError for what is no codec of texts
    except (LookupError, ValueError):
        return ""
    return "" if name.replace("_", "-") in _NO_CHARSETS else name


def _japanese(data: bytes) -> str:
    """ISO-2022-JP with the signs of Windows (①, ㈱) that mail programs put into it and Python refuses."""
    mode, out = b"\x1b(B", list[str]()
    for piece in _ESCAPES.split(data):
        if _ESCAPES.fullmatch(piece):
            mode = piece
        elif mode == b"\x1b(I":
            out.append(bytes(byte | 0x80 for byte in piece).decode("cp932", "replace"))
        elif mode[1:2] == b"$":
            signs = re.findall(rb"[\x21-\x7e]{2}|[^\x21-\x7e]|.", piece, re.DOTALL)
            out.append("".join(_sign(sign) if len(sign) == 2 else sign.decode("ascii", "replace") for sign in signs))
        else:
            out.append(piece.decode("ascii", "replace"))
    return "".join(out)


def _sign(pair: bytes) -> str:
    """The sign of two bytes of JIS X 0208, and of what Windows adds to it."""
    high, low = pair
    lead = (high - 0x21) // 2 + 0x81
    lead += 0x40 if lead > 0x9F else 0
    low += (0x1F if low < 0x60 else 0x20) if high % 2 else 0x7E
    return bytes((lead, low)).decode("cp932", "replace")


def _sign_of_windows(bad: UnicodeError) -> tuple[str, int]:
    """What stands at a place of EUC-JP that Python's codec does not know."""
    if not isinstance(bad, UnicodeDecodeError):
        raise bad
    pair = bad.object[bad.start : bad.start + 2]
    if len(pair) == 2 and all(0xA1 <= byte <= 0xFE for byte in pair):
        return _sign(bytes(byte - 0x80 for byte in pair)), bad.start + 2
    return "\ufffd", bad.end


def _same_number(bad: UnicodeError) -> tuple[str, int]:
    """The bytes that Windows-1252 leaves open are control characters of the same number in the Encoding Standard."""
    if not isinstance(bad, UnicodeDecodeError):
        raise bad
    return bad.object[bad.start : bad.end].decode("latin-1"), bad.end


_NEC: Final = "reqap-kg-nec"
_C1: Final = "reqap-kg-c1"
codecs.register_error(_NEC, _sign_of_windows)
codecs.register_error(_C1, _same_number)
_ERRORS: Final = {"euc_jp": _NEC, "cp1252": _C1}


def _mended(text: str) -> str:
    """`text` decoded once more when all of it is UTF-8 that somebody had read as a Western character set."""
    if _TWICE.search(text):
        for name in ("cp1252", "latin-1"):
            try:
                return text.encode(name).decode("utf-8")
            except UnicodeError:
                continue
    return text
