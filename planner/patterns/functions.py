"""The extension functions that patterns and rules may call in SPARQL, under fn: (docs/reference/fn.md)."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from types import MappingProxyType

from ...ontology.namespaces import FN, XSD
from ...operators.reading.currencies import currency_of
from ...operators.reading.names import month_said, weekday_of
from ...store.graph import Function
from ...store.rdf import Literal, NamedNode, Term
from ...store.words import fold
from ...texts.time import feasts
from .inflection import Forms

_DATE = NamedNode(XSD + "date")


def extension_functions(forms: Forms) -> Mapping[str, Function]:
    """The functions by IRI; a wrong argument leaves the expression unbound, as SPARQL's own functions do."""
    return MappingProxyType(
        {
            FN + "past": _text_function(forms.past),
            FN + "singular": _text_function(forms.singular),
            FN + "case": _case,
            FN + "date": _date,
            FN + "addDays": _add_days,
            FN + "addMonths": _add_months,
            FN + "weekday": _weekday,
            FN + "month": _named(month_said, 0),
            FN + "currency": _currency,
            FN + "weekdayNamed": _named(weekday_of, 1),
            FN + "said": _said(forms),
            FN + "tree": _tree,
            FN + "times": _times,
            FN + "timeKey": _time_key,
            FN + "best": _best,
            FN + "shift": _shift,
            FN + "unitBegin": _unit_begin,
            FN + "unitEnd": _unit_end,
            FN + "daysBetween": _days_between,
            FN + "plain": _text_function(fold),
            FN + "nthWeekday": _nth_weekday,
            FN + "feast": _feast,
            FN + "feastBefore": _feast_near(feasts.latest),
            FN + "feastAfter": _feast_near(feasts.upcoming),
            FN + "feastEnd": _feast_end,
            FN + "onFeast": _on_feast,
        }
    )


def _text_function(function: Callable[[str], str]) -> Function:
    def call(term: Term) -> Term | None:
        return Literal(function(term.value)) if isinstance(term, Literal) else None

    return call


def _case(value: Term, table: Term, default: Term | None = None) -> Term | None:
    """fn:case(value, "in=out|in=out", default): the out of the first in that equals value, without case."""
    wanted = value.value.strip().casefold()
    for entry in table.value.split("|"):
        key, _, out = entry.partition("=")
        if key.strip() == wanted:
            return Literal(out.strip())
    return default


def _whole(term: Term) -> int | None:
    try:
        number = float(term.value)
    except ValueError:
        return None
    return int(number) if number == int(number) else None


def _day(term: Term) -> date | None:
    try:
        return date.fromisoformat(term.value[:10])
    except ValueError:
        return None


def _literal(day: date) -> Literal:
    return Literal(day.isoformat(), datatype=_DATE)


def _date(year: Term, month: Term, day: Term) -> Term | None:
    """fn:date(year, month, day): months below 1 and above 12 run into other years; a day that the month lacks has no
    value."""
    y, m, d = _whole(year), _whole(month), _whole(day)
    if y is None or m is None or d is None:
        return None
    y, m = y + (m - 1) // 12, (m - 1) % 12 + 1
    if not 1 <= y <= 9999 or not 1 <= d <= monthrange(y, m)[1]:
        return None
    return _literal(date(y, m, d))


def _add_days(day: Term, days: Term) -> Term | None:
    """fn:addDays(date, days)."""
    start, count = _day(day), _whole(days)
    if start is None or count is None:
        return None
    try:
        return _literal(start + timedelta(days=count))
    except OverflowError:
        return None


def _add_months(day: Term, months: Term) -> Term | None:
    """fn:addMonths(date, months): the same day, or the month's last where it has none such."""
    start, count = _day(day), _whole(months)
    if start is None or count is None:
        return None
    total = start.year * 12 + start.month - 1 + count
    year, month = total // 12, total % 12 + 1
    if not 1 <= year <= 9999:
        return None
    return _literal(date(year, month, min(start.day, monthrange(year, month)[1])))


def _weekday(day: Term) -> Term | None:
    """fn:weekday(date): 1 for Monday to 7 for Sunday."""
    found = _day(day)
    return Literal(found.isoweekday()) if found else None


def _named(read: Callable[[str], int | None], more: int) -> Function:
    """fn:month(name): 1 to 12; fn:weekdayNamed(name): 1 for Monday to 7; a plural or an 's behind it says the same."""

    def call(name: Term) -> Term | None:
        said = name.value.removesuffix("'s").removesuffix("’s")
        found = read(said)
        found = read(said.removesuffix("s")) if found is None else found
        return None if found is None else Literal(found + more)

    return call


def _currency(name: Term) -> Term | None:
    """fn:currency(name): the code of the currency that a sign, code or word names."""
    found = currency_of(name.value)
    return None if found is None else Literal(found)


_MONTHS = {"C": 120, "Y": 12, "S": 3, "Q": 3, "M": 1}
_DAYS = {"D": 1, "W": 7, "E": 7, "F": 14}


def _shift(day: Term, count: Term, unit: Term) -> Term | None:
    """fn:shift(date, n, unit): n decades C, years Y, quarters Q, months M, fortnights F, weeks W or days D later; n may
    have a half."""
    try:
        many = Decimal(count.value)
    except InvalidOperation:
        return None
    if unit.value in _DAYS:
        return _add_days(day, Literal(round(many * _DAYS[unit.value])))
    months = many * _MONTHS.get(unit.value, 0)
    moved = _add_months(day, Literal(int(months)))
    rest = round((months - int(months)) * 30)
    return _add_days(moved, Literal(rest)) if moved is not None and rest else moved


def _unit_begin(day: Term, unit: Term) -> Term | None:
    """fn:unitBegin(date, unit): the first day of the decade, year, quarter, month or week (from Monday) of a day."""
    at = _day(day)
    if at is None:
        return None
    if unit.value in _DAYS:
        back = {"D": 0, "E": at.isoweekday() - 6}.get(unit.value, at.isoweekday() - 1)
        return _add_days(day, Literal(-back))
    months = _MONTHS.get(unit.value, 1)
    index = (at.year * 12 + at.month - 1) // months * months
    return _literal(date(index // 12, index % 12 + 1, 1)) if index >= 12 else None


def _unit_end(day: Term, unit: Term) -> Term | None:
    """fn:unitEnd(date, unit): the last day of the decade, year, quarter, month, week or weekend of a day."""
    begin = _unit_begin(day, unit)
    if begin is None:
        return None
    if unit.value == "E":
        return _add_days(begin, Literal(1))
    after = _shift(begin, Literal(1), unit)
    return _add_days(after, Literal(-1)) if after is not None else None


def _days_between(first: Term, last: Term) -> Term | None:
    """fn:daysBetween(date, date): the days from one to the other, 0 for the same."""
    start, end = _day(first), _day(last)
    return Literal((end - start).days) if start and end else None


def _nth_weekday(year: Term, month: Term, weekday: Term, nth: Term) -> Term | None:
    """fn:nthWeekday(year, month, weekday, n): the nth such weekday of the month; -1 is its last, -2 the one before."""
    numbers = [_whole(term) for term in (year, month, weekday, nth)]
    if any(number is None for number in numbers):
        return None
    y, m, w, n = (number or 0 for number in numbers)
    found = feasts.nth_weekday(y + (m - 1) // 12, (m - 1) % 12 + 1, w, n) if 1 <= y <= 9000 else None
    return _literal(found) if found else None


def _feast(falls: Term, year: Term) -> Term | None:
    """fn:feast(falls, year): the first day of a holiday in a year (see texts.time.feasts)."""
    wanted = _whole(year)
    found = feasts.feasts(falls.value, 1, wanted) if wanted and 1583 <= wanted <= 4000 else ()
    return _literal(found[0][0]) if found else None


def _feast_near(search: Callable[[str, int, date], tuple[date, date] | None]) -> Function:
    """fn:feastBefore(falls, date) and fn:feastAfter(falls, date): when a holiday last began, or begins next."""

    def call(falls: Term, day: Term) -> Term | None:
        at = _day(day)
        found = search(falls.value, 1, at) if at and 1600 <= at.year <= 3980 else None
        return _literal(found[0]) if found else None

    return call


def _feast_end(falls: Term, lasts: Term, begin: Term) -> Term | None:
    """fn:feastEnd(falls, lasts, begin): the last day of a holiday that begins on a day."""
    first = _day(begin)
    times = feasts.feasts(falls.value, _whole(lasts) or 1, first.year) if first else ()
    return next((_literal(end) for start, end in times if start == first), None)


def _on_feast(falls: Term, lasts: Term, value: Term, first: Term, last: Term) -> Term | None:
    """fn:onFeast(falls, lasts, expression, firstYear, lastYear): the condition that a day is one of the holiday's."""
    years = _whole(first), _whole(last)
    if years[0] is None or years[1] is None:
        return None
    found = list(feasts.in_years(falls.value, _whole(lasts) or 1, years[0], years[1]))
    if all(begin == end for begin, end in found):
        return Literal(f"{value.value} in [{', '.join(_written(begin) for begin, _ in found)}]")
    ranges = (f"{_written(begin)} <= {value.value} <= {_written(end)}" for begin, end in found)
    return Literal(" or ".join(ranges))


def _written(day: date) -> str:
    return f"date({day.year}, {day.month}, {day.day})"


def _said(forms: Forms) -> Function:
    """fn:said(auxiliary, subject, rest): a question's clause as a statement: did, I, "listen to" → "I listened to"."""

    def call(auxiliary: Term, subject: Term, rest: Term) -> Term | None:
        return Literal(statement(forms, auxiliary.value, subject.value, rest.value))

    return call


_DETERMINERS = frozenset(
    {"a", "an", "the", "my", "our", "some", "any", "no", "lunch", "dinner", "breakfast", "brunch", "coffee"}
)
_SUBJECTS = {"i've": "I", "i'd": "I", "i": "I", "we've": "we", "we'd": "we", "that": "", "which": "", "who": ""}
_ADVERBS = frozenset({"really", "actually", "also", "already", "still", "even", "both"})


def statement(forms: Forms, auxiliary: str, subject: str, rest: str) -> str:
    """The clause "did I listen to" as the statement "I listened to"."""
    who, had = _subject(subject)
    words = rest.split()
    if had and words and (words[0].lower() in _DETERMINERS or not forms.may_be_participle(words[0])):
        return f"{who} had {rest}"
    while len(words) > 1 and words[0].lower() in _ADVERBS:
        words.pop(0)
    if not words:
        return who
    if auxiliary.lower() in ("was", "were", "am", "are", "is"):
        return f"{who} {'were' if who == 'we' or ' and ' in who else 'was'} {' '.join(words)}"
    if words[0].lower() == "been" and len(words) > 1:
        if words[1].lower().endswith("ing"):
            words.pop(0)
        elif words[1].lower() in ("to", "for", "on", "out"):
            words[0] = "went"
    return f"{who} {forms.past(' '.join(words))}"


def _subject(subject: str) -> tuple[str, bool]:
    """Who it was, and whether "have" or "had" came with it: it may be the verb itself ("appointments I had")."""
    words = subject.replace("’", "'").split()
    had = len(words) > 1 and words[-1].lower() in ("have", "had")
    if len(words) > 1 and words[-1].lower() in ("have", "had", "did"):
        words.pop()
    return " ".join(filter(None, (_SUBJECTS.get(word.lower(), word) for word in words))), had


def _tree(term: Term) -> Term | None:
    """fn:tree(value): a date, date-time, time or number as trees write it: date(2025, 8, 1)."""
    kind = term.datatype.value.removeprefix(XSD) if isinstance(term, Literal) else ""
    text = term.value
    try:
        if kind == "date":
            day = date.fromisoformat(text[:10])
            return Literal(_written(day))
        if kind == "dateTime":
            at = datetime.fromisoformat(text).replace(tzinfo=None)
            return Literal(f"datetime({at.year}, {at.month}, {at.day}, {at.hour}, {at.minute}, {at.second})")
        number = Decimal(text)
    except (ValueError, InvalidOperation):
        return None
    rounded = round(number, 6)
    return Literal(str(int(rounded)) if rounded == int(rounded) else f"{rounded.normalize():f}")


def written(term: Term) -> str:
    """A date, moment, time or number as trees write it. Raises ValueError for another term."""
    found = _tree(term)
    if found is None:
        raise ValueError(f"{term} is no date and no number")
    return found.value


def time_test(expression: str, start: Term, end: Term) -> str:
    """The condition that a time of day lies between two, the second not included."""
    found = _times(Literal(expression), start, end)
    return found.value if found is not None else ""


def _clock(text: str) -> str:
    hour, minute = text.split(":")[:2]
    return f"time({int(hour)}, {int(minute)})"


def _times(value: Term, start: Term, end: Term) -> Term | None:
    """fn:times(expression, "18:00", "24:00"): the condition that a time of day lies there; the end is not included."""
    what, first, last = value.value, start.value, end.value
    if first == "00:00":
        return Literal(f"{what} < {_clock(last)}") if last != "24:00" else Literal(f"{what} >= time(0, 0)")
    if last in ("24:00", "00:00"):
        return Literal(f"{what} >= {_clock(first)}")
    joint = "and" if first < last else "or"
    return Literal(f"{what} >= {_clock(first)} {joint} {what} < {_clock(last)}")


def _time_key(name: Term, value: Term, year_fixed: Term) -> Term | None:
    """fn:timeKey("month", expression, yearIsFixed): what events are grouped by; a month has its year unless that is
    fixed."""
    what = value.value
    month = f"{what}.month" if year_fixed.value == "true" else f"date({what}.year, {what}.month, 1)"
    keys = {
        "month": month,
        "month_of_year": f"{what}.month",
        "year": f"{what}.year",
        "weekday": f"{what}.weekday()",
        "hour": f"{what}.hour",
        "day": what,
        "week": f"{what} - timedelta(days={what}.weekday())",
    }
    return Literal(keys[name.value]) if name.value in keys else None


def _best(name: Term, way: Term, count: Term, key: Term) -> Term | None:
    """fn:best(attribute, "most" or "least", n, key): the function that gives the key of the n best rows."""
    reverse = ", reverse=True" if way.value == "most" else ""
    ranked = f'sorted(rows, key=lambda row: row["{name.value}"]{reverse})[:{count.value}]'
    return Literal(f'lambda rows: [row["{key.value}"] for row in {ranked}]')


@dataclass(frozen=True)
class Clock:
    """What the transformations may read of the time of asking."""

    now: datetime

    def variables(self) -> dict[str, Term]:
        """?now (wall clock, no zone), ?today and ?weekday (1 = Monday)."""
        wall = self.now.replace(tzinfo=None, microsecond=0)
        return {
            "now": Literal(wall.isoformat(), datatype=NamedNode(XSD + "dateTime")),
            "today": Literal(wall.date().isoformat(), datatype=NamedNode(XSD + "date")),
            "weekday": Literal(str(wall.isoweekday()), datatype=NamedNode(XSD + "integer")),
        }
