"""Lines of a WhatsApp export: where a message begins, when it was sent, by whom, and what WhatsApp itself says.

The export is text for reading: its dates are in the order and its words in the language of the phone. iOS writes
`[15/04/2016, 15:04:09] Ann: …`, Android `15/04/2016, 15:04 - Ann: …`; lines without such a beginning go on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from itertools import pairwise
from typing import Final

from ..day_order import DayOrder, infer_order, split_date
from .whatsapp_service import BY_PERSON, CALL, DELETED, EDITED, NO_VOICES, OF_WHATSAPP, OMITTED, Voices, has_name

__all__ = ["Line", "Said", "day_order", "group_name", "moment_of", "read_line", "said_in", "spoken", "without_marks"]

_MARKS: Final = "\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff"
_AM: Final = r"a\.?\s?m\.?|上午|午前|凌晨|早上|오전|ص|πμ|π\.μ\.|de\.|am"
_PM: Final = r"p\.?\s?m\.?|下午|午後|晚上|中午|오후|م|μμ|μ\.μ\.|du\.|pm"
_BEGIN: Final = re.compile(
    rf"""[{_MARKS}\s]*+(?P<open>\[)?[{_MARKS}]*+
    (?P<date>\d{{1,4}}\s?[./年-]\s?[{_MARKS}]*+\d{{1,2}}\s?[./月-]\s?[{_MARKS}]*\d{{1,4}})[日.]?
    [,،{_MARKS}]?\s*+(?:[^\W\d_]{{1,4}}\.?\s++)??
    (?:(?P<before>{_AM}|{_PM})\s?)?
    (?P<hour>\d{{1,2}})[:.h](?P<minute>\d\d)(?:[:.](?P<second>\d\d))?
    (?:\s?[{_MARKS}]*+(?P<after>{_AM}|{_PM}))?[{_MARKS}]*+
    (?(open)\]\s*+|\s?[-–—]\s)""",
    re.IGNORECASE | re.VERBOSE,
)
_BEGAN: Final = date(2009, 1, 1)
_SENDER: Final = re.compile(rf"[{_MARKS}~\s]*+([^\n]{{1,80}}?)[{_MARKS}\s]{{0,20}}:(?:\s|$)")
_QUOTED: Final = re.compile(r"[“\"„«”](.{1,200}?)[”\"“»]")
_FILE: Final = re.compile(
    r"<?\s{0,20}(?:attached|anhang|adjunto|pièce jointe|allegato|anexado|bijlage)\s{0,20}:\s{0,20}([^<>\n]{1,500})>|"
    r"<[^<>\n:]{1,40}:\s?([\w.,()& +-]{1,200}\.\w{2,5})>",
    re.IGNORECASE,
)
"""iOS's name of a file, in any language."""
_FILE_ANDROID: Final = re.compile(rf"^[{_MARKS}]*([\w. ()-]+\.\w{{2,5}}) \([^()\n\d]{{4,40}}\) {{0,5}}(?:\n++|$)")
"""Android's name of a file ("… (file attached)"), in any language."""
_OMITTED: Final = re.compile(r"<[^\W\d_]++(?:\s[^\W\d_]++){0,4}\s?>")
"""Android's "<Media omitted>" in any language."""
_LONGEST: Final = 120
"""Characters of what stands for something left out, with its name and number of pages."""
_KINDS: Final = ("image", "video", "audio", "sticker", "gif", "document", "contact card", "voice message", "media")


@dataclass(frozen=True, slots=True)
class Line:
    """The beginning of a message: date and clock as written, and what follows on the line."""

    date: str
    clock: time
    to_the_second: bool
    rest: str


@dataclass(frozen=True, slots=True)
class Said:
    """What one message is: `sender` is empty for what WhatsApp itself says; words, and names of what is attached."""

    sender: str
    text: str
    attachments: tuple[str, ...] = ()
    deleted: bool = False


def read_line(line: str) -> Line | None:
    """The message that begins on a line, or None where the line goes on with the one before."""
    found = _BEGIN.match(line)
    if found is None:
        return None
    hour, half = int(found["hour"]), found["before"] or found["after"]
    if half:
        hour = hour % 12 + (12 if re.fullmatch(_PM, half, re.IGNORECASE) else 0)
    try:
        clock = time(hour, int(found["minute"]), int(found["second"] or 0))
    except ValueError:
        return None
    return Line(re.sub(rf"[{_MARKS}\s]", "", found["date"]), clock, found["second"] is not None, line[found.end() :])


def day_order(dates: Sequence[str], last: date = date.max) -> DayOrder:
    """In which order these dates, in the order of the log, have day, month and year (`DMY`, `MDY`, `YMD`).

    A log is in the order of time and people write on days that lie close: the order under which most are dates since
    WhatsApp began and up to `last`, fewest go back and all together take least time; between equals what `infer_order`
    says.
    """
    guess = infer_order(dates, _BEGAN, last).order

    def cost(order: str) -> tuple[int, int, int, bool]:
        days = [split_date(text, order) for text in dates]
        known = [day for day in days if day is not None and _BEGAN <= day <= last]
        back = sum(1 for one, two in pairwise(known) if two < one)
        span = (max(known) - min(known)).days if known else 0
        return len(days) - len(known), back, span, order != guess

    best, second = sorted(("DMY", "MDY", "YMD"), key=cost)[:2]
    return DayOrder(best, cost(best)[:3] != cost(second)[:3])


def moment_of(line: Line, order: str) -> datetime | None:
    """When a message was sent, on the phone's clock; None where its date is none."""
    day: date | None = split_date(line.date, order)
    return datetime.combine(day, line.clock) if day is not None else None


def spoken(rest: str) -> tuple[str, str, str]:
    """Under whose name a message stands, what it says, and the mark of direction before it. No name: nobody's."""
    found = _SENDER.match(rest)
    if found is None or _QUOTED.search(found[1]):
        return "", without_marks(rest), ""
    text = rest[found.end() :]
    mark = text.lstrip(" \u202a\u202b\u2068")[:1]
    return without_marks(found[1]), text, mark if mark in ("\u200e", "\u200f") else ""


def said_in(rest: str, voices: Voices = NO_VOICES, *, first: bool = False) -> Said:
    """What a message says, given whole with its further lines. `voices`: who writes in its chat, as far as known;
    `first`: whether it is the chat's first, where a notice stands."""
    sender, text, mark = spoken(rest)
    if not sender or sender in voices.phrases or (not mark and OF_WHATSAPP.search(sender)):
        return Said("", without_marks(rest))
    notice = OF_WHATSAPP.search(text) is not None and not _FILE.search(text)
    if (notice and (mark or first or not text.strip())) or sender in voices.silent:
        return Said("", without_marks(text))
    text = EDITED.sub("", text.rstrip())
    words = without_marks(text)
    if DELETED.fullmatch(words):
        return Said(sender, "", deleted=True)
    said = _with_files(sender, text, voices, marked=bool(mark))
    by_person = not mark or said.attachments or BY_PERSON.search(words)
    # A mark from right to left begins what people write in some languages, too.
    if by_person or (mark == "\u200f" and not CALL.search(words) and not has_name(words, voices.names)):
        return said
    return Said("", words)


def _with_files(sender: str, text: str, voices: Voices, *, marked: bool) -> Said:
    """A message with what is attached to it taken out of its words."""
    files = [(known or any_).strip() for known, any_ in _FILE.findall(text)]
    words = _FILE.sub("", text)
    if (attached := _FILE_ANDROID.match(words)) is not None:
        files.append(attached[1].strip())
        words = words[attached.end() :]
    words = without_marks(words)
    if not files and (_OMITTED.fullmatch(words) or (marked and _is_omission(words, voices))):
        return Said(sender, "", (_kind(words),))
    return Said(sender, words, tuple(files))


def _is_omission(words: str, voices: Voices) -> bool:
    """Whether what stands behind a mark stands for something left out ("image omitted"), and is no notice."""
    if "\n" in words or len(words) > _LONGEST or CALL.search(words):
        return False
    return words in voices.repeated or (OMITTED.search(words) is not None and not has_name(words, voices.names))


def _kind(words: str) -> str:
    """What was left out: its kind where it is told in English, else as it is written."""
    told = words.strip("<>").casefold()
    return next((kind for kind in _KINDS if f"{told} ".startswith(f"{kind} ")), words.strip("<>"))


def group_name(told: str) -> str | None:
    """The name that a group has from now on, when WhatsApp says that it was made or renamed."""
    names = _QUOTED.findall(told)
    return names[-1].strip() if names and len(names) <= 2 else None


def without_marks(text: str) -> str:
    """A text without marks of direction."""
    return re.sub(rf"[{_MARKS}]", "", text).strip()
