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

__all__ = ["Line", "Said", "day_order", "group_name", "moment_of", "read_line", "said_in"]

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
_OF_WHATSAPP: Final = re.compile(
    r"""end-to-end|ende-zu-ende|de\sbout\sen\sbout|extremo\sa\sextremo|ponta\sa\sponta|end-to-end-versleut|
    crittograf\w{1,20}\send|uçtan\suca|сквозн\w{1,20}\sшифр|端到端|端對端|전송\s?중|
    security\scode|sicherheitsnummer|código\sde\s(seguridad|segurança)|
    \b(created|changed|left|added|removed|joined|invited|pinned|renamed|deleted)\b.{0,60}\b(this\s)?(group|community|
    subject|icon|number|description|settings|message|timer|admin|link)\b|
    \bjoined\susing\b|\bdisappearing\smessages\b|\bis\snow\sa[n]?\s(admin|contact)\b|\bchanged\sto\s\+|
    \b(you're|you\sare)\snow\san\sadmin\b|\bblocked\sthis\scontact\b|\bbusiness\saccount\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""What WhatsApp itself writes into a chat, by the words that are in it."""
_DELETED: Final = re.compile(
    r"(this message was deleted|you deleted this message|(diese|du hast diese) nachricht (wurde )?gelöscht|"
    r"ce message a été supprimé|vous avez supprimé ce message|se eliminó este mensaje|eliminaste este mensaje|"
    r"questo messaggio è stato eliminato|hai eliminato questo messaggio|mensagem apagada|esta mensagem foi apagada|"
    r"(dit|je hebt dit) bericht (werd )?verwijderd|null)\.?",
    re.IGNORECASE,
)
_EDITED: Final = re.compile(r"<[^<>\n]{0,40}(edited|bearbeitet|modifié|edit\w{1,20}|bewerkt)[^<>\n]{0,20}>$")
_CALL: Final = re.compile(
    r"(missed (group )?(voice|video) call|(voice|video) call, (no answer|.{0,20}\d).{0,20}|"
    r"(verpasster (sprach|video)anruf)|"
    r"appel (vocal|vidéo) manqué|(videol|l)lamada (de voz )?perdida|chiamata (vocale|video) persa|"
    r"chamada de (voz|vídeo) perdida|gemiste (spraak|video)oproep)\b.{0,40}",
    re.IGNORECASE,
)
"""A call that WhatsApp notes as if somebody had written it."""
_FILE: Final = re.compile(
    r"<?\s{0,20}(?:attached|anhang|adjunto|pièce jointe|allegato|anexado|bijlage)"
    r"\s{0,20}:\s{0,20}([^<>\n]{1,500})>",
    re.IGNORECASE,
)
_FILE_ANDROID: Final = re.compile(
    rf"^[{_MARKS}]*([\w. ()-]+\.\w{{2,5}}) \((?:file attached|datei angehängt|fichier joint|archivo adjunto|"
    r"file allegato|arquivo anexado|bestand bijgevoegd)\)[ \n]*",
    re.IGNORECASE,
)
_OMITTED: Final = re.compile(r"<[^\W\d_]++(?:\s[^\W\d_]++){0,4}\s?>")
"""Android's "<Media omitted>" in any language."""
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


def said_in(rest: str) -> Said:
    """What a message says, given whole with its further lines."""
    found = _SENDER.match(rest)
    if found is None or _QUOTED.search(found[1]):
        return Said("", _plain(rest))
    text = rest[found.end() :]
    automatic = re.match(r"\s*\u200e", text) is not None
    if (automatic or not text.strip()) and _OF_WHATSAPP.search(text) and not _FILE.search(text):
        return Said("", _plain(text))
    if automatic is False and _OF_WHATSAPP.search(found[1]):
        return Said("", _plain(rest))
    text = _EDITED.sub("", text.rstrip())
    if automatic and _CALL.fullmatch(_plain(text)):
        return Said("", _plain(text))
    if _DELETED.fullmatch(_plain(text)):
        return Said(_plain(found[1]), "", deleted=True)
    return _with_files(_plain(found[1]), text, automatic)


def _with_files(sender: str, text: str, automatic: bool) -> Said:
    """A message with what is attached to it taken out of its words."""
    files = [name.strip() for name in _FILE.findall(text)]
    words = _FILE.sub("", text)
    if (attached := _FILE_ANDROID.match(words)) is not None:
        files.append(attached[1].strip())
        words = words[attached.end() :]
    words = _plain(words)
    if not files and (_OMITTED.fullmatch(words) or (automatic and _is_omission(words))):
        return Said(sender, "", (_kind(words),))
    return Said(sender, words, tuple(files))


def _is_omission(words: str) -> bool:
    """Whether what iOS writes for itself stands for something left out ("image omitted", in any language)."""
    return "\n" not in words and len(words.split()) <= 4 and re.search(r"[.:!?,\d]", words) is None


def _kind(words: str) -> str:
    """What was left out: its kind where it is told in English, else as it is written."""
    told = words.strip("<>").casefold()
    return next((kind for kind in _KINDS if f"{told} ".startswith(f"{kind} ")), words.strip("<>"))


def group_name(told: str) -> str | None:
    """The name that a group has from now on, when WhatsApp says that it was made or renamed."""
    names = _QUOTED.findall(told)
    return names[-1].strip() if names and len(names) <= 2 else None


def _plain(text: str) -> str:
    return re.sub(rf"[{_MARKS}]", "", text).strip()
