"""What the values of a column are: periods, weekdays, hours, numbers, steps of a scale, places or names."""

from __future__ import annotations

import calendar
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ..answer import Plain
from .frame import Grain, Type
from .periods import as_period, first_day, period_of

Values = Sequence[Plain | None]
_WEEKDAYS: Final = tuple(calendar.day_name)
_MONTHS: Final = tuple(calendar.month_name)[1:]
_HOURS: Final = frozenset({"hour", "hour_of_day", "start_hour", "end_hour", "hour_of_the_day"})
_COARSER: Final = (("year", Grain.YEAR), ("quarter", Grain.QUARTER), ("month", Grain.MONTH), ("week", Grain.WEEK))
_SCALES: Final = (
    ("night", "morning", "noon", "afternoon", "evening"),
    ("very low", "low", "medium", "high", "very high"),
    ("tiny", "small", "medium", "large", "huge"),
    ("never", "rarely", "sometimes", "often", "always"),
    ("spring", "summer", "autumn", "winter"),
    ("primary", "secondary", "tertiary"),
)
_NUMBER: Final = r"[-+]?\d{1,15}(?:[.,]\d{1,10})?"
_BAND: Final = re.compile(
    rf"(?P<under>(?:<|≤|<=|under|below|up to) ?)?(?P<low>{_NUMBER})(?: ?(?:-|–|to) ?{_NUMBER}| ?\+| and (?:over|more))?"
    r"(?: [^\W\d]{1,10})?",
    re.IGNORECASE,
)
_PLAIN_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?")
_MOST: Final = 1e100
"""What is as great is no value: no axis shows it, and sums of such run over. What is as small is 0."""
_MOST_WHOLE: Final = 2**53
_LEFT_OUT: Final = frozenset({"Cc", "Cs"})
_BLANK: Final = "(blank)"
_NO_SIGNS: Final = frozenset("\ufffe\uffff\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f")
"""What is no sign in XML, and signs that turn the direction of what follows them in a line."""
MOST_LETTERS: Final = 200


@dataclass(frozen=True)
class Read:
    """The values of a column as charts have them, and what they are."""

    values: tuple[Plain | None, ...]
    type: Type
    grain: Grain | None = None
    order: tuple[Plain, ...] = ()


def clean(text: str) -> str:
    """A text in one line without signs that no picture can show, or that turn what stands beside it; cut where it is
    too long for any label."""
    spaced = " ".join(text[: MOST_LETTERS * 4].split())
    kept = "".join(c for c in spaced if unicodedata.category(c) not in _LEFT_OUT and c not in _NO_SIGNS)
    return kept if len(kept) <= MOST_LETTERS else kept[: MOST_LETTERS - 1] + "…"


def read_column(name: str, values: Values) -> Read:
    """What the values of a column are, told by the values; by its name only what numbers mean."""
    names = _cleaned(value for value in values if isinstance(value, str))
    plain = tuple(names[value] if isinstance(value, str) else _plain(value) for value in values)
    known = [value for value in plain if value is not None]
    if not known:
        return Read(plain, Type.NOMINAL)
    if all(isinstance(value, int | float) for value in known):
        return _of_numbers(_word(name), plain)
    texts = tuple(None if value is None else str(value) for value in plain)
    return _of_texts(_word(name), texts)


def _cleaned(names: Iterable[str]) -> dict[str, str]:
    """Texts as they are shown; those that would look alike are numbered, as they are not the same."""
    found: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for name in dict.fromkeys(names):
        shown = clean(name) or _BLANK
        counts[shown] += 1
        found[name] = shown if counts[shown] == 1 else f"{shown} ({counts[shown]})"
    return found


def _word(name: str) -> str:
    return re.sub(r"_\d+$", "", name.strip().lower().replace(" ", "_"))


def _plain(value: Plain | None) -> Plain | None:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, int | float) or not abs(value) < _MOST:
        return None
    if value and abs(value) < 1 / _MOST:
        return 0.0
    return float(value) if abs(value) > _MOST_WHOLE else value


def _of_numbers(name: str, values: tuple[Plain | None, ...]) -> Read:
    """Numbers: years, hours, weekdays and months where the column is called so."""
    whole = [int(v) for v in values if isinstance(v, int | float) and float(v).is_integer()]
    if len(whole) == sum(value is not None for value in values):
        least, most = min(whole), max(whole)
        if (name == "year" or name.endswith("_year")) and least >= 1000 and most <= 2999:
            return Read(tuple(None if v is None else f"{int(v):04d}" for v in values), Type.TEMPORAL, Grain.YEAR)
        if name in _HOURS and least >= 0 and most <= 23:
            return _scale(values, tuple(range(24)), Grain.HOUR)
        if name == "weekday" and least >= 0 and most <= 6:
            return _scale(_named(values, _WEEKDAYS, 0), _WEEKDAYS, Grain.WEEKDAY)
        if name in ("month", "month_of_year") and least >= 1 and most <= 12:
            return _scale(_named(values, _MONTHS, 1), _MONTHS, Grain.MONTH_OF_YEAR)
    return Read(values, Type.QUANTITATIVE)


def _named(values: Values, names: Sequence[str], first: int) -> tuple[Plain | None, ...]:
    return tuple(None if value is None else names[int(value) - first] for value in values)


def _scale(values: Values, order: tuple[Plain, ...], grain: Grain | None = None) -> Read:
    return Read(tuple(values), Type.ORDINAL, grain, order)


def _of_texts(name: str, texts: tuple[str | None, ...]) -> Read:
    known = [text for text in texts if text is not None]
    return (
        _of_time(name, texts, known)
        or _calendar_names(texts, known)
        or _of_written_numbers(name, texts, known)
        or _of_scale(texts, known)
        or Read(texts, Type.NOMINAL)
    )


def _of_time(name: str, texts: tuple[str | None, ...], known: Sequence[str]) -> Read | None:
    """Periods of one grain, or moments; days of a column that is called by a longer period are the first of these."""
    found = [period_of(text) for text in known]
    grains = {one[0] for one in found if one is not None}
    if None in found or not grains:
        return None
    if len(grains) > 1 and grains != {Grain.DAY, None}:
        return None
    grain = None if None in grains else next(iter(grains))
    written = {text: one[1] for text, one in zip(known, found, strict=True) if one is not None}
    if grain is Grain.DAY:
        grain, written = _coarser(name, written)
    return Read(tuple(None if text is None else written[text] for text in texts), Type.TEMPORAL, grain)


def _coarser(name: str, written: dict[str, str]) -> tuple[Grain, dict[str, str]]:
    for word, grain in _COARSER:
        if name == word or name.endswith(f"_{word}"):
            periods = {text: as_period(first_day(day, Grain.DAY), grain) for text, day in written.items()}
            if all(first_day(periods[text], grain).isoformat() == day for text, day in written.items()):
                return grain, periods
    return Grain.DAY, written


def _calendar_names(texts: tuple[str | None, ...], known: Sequence[str]) -> Read | None:
    """Weekdays and months by name, whole or by three letters."""
    for names, grain in ((_WEEKDAYS, Grain.WEEKDAY), (_MONTHS, Grain.MONTH_OF_YEAR)):
        forms = {form: name for name in names for form in (name.casefold(), name[:3].casefold())}
        if all(text.casefold() in forms for text in known):
            named = tuple(None if text is None else forms[text.casefold()] for text in texts)
            return _scale(named, names, grain)
    return None


def _of_written_numbers(name: str, texts: tuple[str | None, ...], known: Sequence[str]) -> Read | None:
    """Numbers that groups have as text; not those that begin with a zero, which are names."""
    if not all(_PLAIN_NUMBER.fullmatch(text) for text in known):
        return None
    numbers = (None if text is None else float(text) for text in texts)
    return _of_numbers(name, tuple(int(n) if n is not None and n.is_integer() else n for n in numbers))


def _of_scale(texts: tuple[str | None, ...], known: Sequence[str]) -> Read | None:
    """Steps of a scale: 20-29, 60+, or words that follow one another."""
    distinct = list(dict.fromkeys(known))
    for scale in _SCALES:
        if len(distinct) > 1 and all(text.casefold() in scale for text in distinct):
            steps = sorted((scale.index(text.casefold()), text) for text in distinct)
            return _scale(texts, tuple(text for _, text in steps))
    bands = {text: _BAND.fullmatch(text) for text in distinct}
    if len(distinct) < 2 or not all(bands.values()) or all(text.isdecimal() for text in distinct):
        return None
    return _scale(texts, tuple(sorted(distinct, key=_beginning)))


def _beginning(text: str) -> tuple[float, bool]:
    band = _BAND.fullmatch(text)
    return (0.0, False) if band is None else (float(band["low"].replace(",", ".")), band["under"] is None)
