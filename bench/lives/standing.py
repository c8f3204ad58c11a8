"""Whether other words for a text still say all that it expresses, and nothing new.

It is strict rather than clever: every value that the generator put there must stand letter by letter, since gold
answers rest on it; a good wording that is refused costs nothing but variety.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from ...operators.reading.names import english_names
from .accounts import Account
from .persona import Persona

_HIDDEN: Final = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
_NUMBER: Final = re.compile(
    r"\d+(?:[.,:/]\d+)*|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twice|half)\b"
)
_MOMENT: Final = re.compile(
    rf"\b(?:{'|'.join(sorted(english_names(), key=len, reverse=True))}|today|tonight"
    r"|yesterday|tomorrow|morning|afternoon|evening|night|(?:last|next) \w+|ago|weekend|noon|midnight)\b"
)
_UNDONE: Final = re.compile(r"\b(?:not|no|never|without|nobody|cancel\w*|call\w* off|postpone\w*)\b|n['’]t\b")
_MARKUP: Final = re.compile(r"```|\*\*|^#+ |^>|</?[a-z!][^<>]*>|https?://|www\.|\]\(", re.MULTILINE | re.IGNORECASE)
_NAME: Final = re.compile(r"(?<=[\w,;] )[^\W\d_a-z][\w'’]*")


def stands(text: str, account: Account, persona: Persona) -> bool:
    """Whether a wording may take the place of an account's text: plain, of like length, with all that it must express,
    and without numbers, days, people, names or denials that are new or gone."""
    old = str(account.shown["text"])
    if not len(old) / 3 <= len(text) <= 2 * len(old) + 80 or not _plain(text, old):
        return False
    if _undone(text) != _undone(old) or _people(text, persona) != _people(old, persona) or not _known(text, old):
        return False
    groups = list(needed(account, persona))
    if len(groups) < 2:
        return _same(text, old) and all(_has(text, value) for group in groups for value in group)
    lines, before = text.splitlines(), old.splitlines()
    return len(lines) == len(before) == len(groups) and all(
        _same(line, was) and all(_has(line, value) for value in group)
        for line, was, group in zip(lines, before, groups, strict=True)
    )


def needed(account: Account, persona: Persona) -> Iterator[list[str]]:
    """What a wording must have, by line of a log, else once: what slots put there, and what of the events and which
    people stand there."""
    old = str(account.shown["text"])
    many = len(account.stated) > 1
    parts = old.splitlines() if many else [old]
    for place, (part, stated) in enumerate(zip(parts, account.stated or ((),), strict=True)):
        found = list(stated)
        for told in account.tells[place : place + 1] if many else account.tells:
            for attribute in sorted(told.attributes):
                value = told.row.get(attribute)
                among: list[object] = value if isinstance(value, list) else [value]
                found += [one for one in among if isinstance(one, str) and _has(part, one)]
        yield list(dict.fromkeys([*found, *sorted(_people(part, persona))]))


def _has(text: str, value: str) -> bool:
    """Whether a value stands in a text as whole words, however its letters are cased."""
    words, among = " ".join(value.casefold().split()), " ".join(text.casefold().split())
    return words in among and re.search(rf"(?<!\w){re.escape(words)}(?!\w)", among) is not None


def _same(text: str, old: str) -> bool:
    """The same numbers and moments, neither more nor less."""
    return all(set(form.findall(text.casefold())) == set(form.findall(old.casefold())) for form in (_NUMBER, _MOMENT))


def _undone(text: str) -> bool:
    return _UNDONE.search(text.casefold()) is not None


def _people(text: str, persona: Persona) -> set[str]:
    known = (persona.first, *(name for one in (*persona.family, *persona.friends) for name in (one.called, one.name)))
    return {name for name in known if _has(text, name)}


def _known(text: str, old: str) -> bool:
    """Whether names, which are words with a capital within a sentence, are the old text's."""
    words = set(re.findall(r"\w+", old.casefold()))
    return all(
        re.split("['’]", name.casefold())[0] in words | {"i"} for name in _NAME.findall(text) if name[0].isupper()
    )


def _plain(text: str, old: str) -> bool:
    """No markup, no quotation around it all, no signs that cannot be seen but for line breaks and what joins emoji."""
    hidden = any(unicodedata.category(sign) in _HIDDEN for sign in text if sign not in "\n\u200d")
    quoted = text[:1] in "\"“'`" and text[:1] != old[:1]
    return not hidden and not quoted and _MARKUP.search(text) is None
