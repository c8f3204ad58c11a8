"""What a reader sees in the wording of a question: what kind of answer it wants, of which of several, of what time."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Final

from ...store.words import fold


class Wanted(StrEnum):
    """The kind of answer."""

    COUNT = "count"
    AMOUNT = "amount"
    DATE = "date"
    TIME = "time"
    YEAR = "year"
    MONTH = "month"
    WEEKDAY = "weekday"
    TRUTH = "truth"
    VALUE = "value"


@dataclass(frozen=True)
class Wording:
    """`noun`: what the answer is called ("artist"), of an amount the attribute (distance); `unit` is hours or minutes
    where a length of time is asked for in them; `by` the attribute by which one of several is picked (the cheapest).
    `fold`: sum, avg, max, min or "" of an amount. `order`: first
    or last. `most`, `least`: the commonest or rarest is asked for. `distinct`: different ones count. `since`, `until`
    bound the time, `months` are those named."""

    wanted: Wanted
    noun: str = ""
    unit: str = ""
    by: str = ""
    fold: str = ""
    order: str = ""
    most: bool = False
    least: bool = False
    distinct: bool = False
    since: date | None = None
    until: date | None = None
    months: frozenset[int] = frozenset()

    def covers(self, day: date | None) -> bool:
        """Whether a day is in the time that the question names."""
        if day is None:
            return self.since is None and self.until is None and not self.months
        if (self.since and day < self.since) or (self.until and day > self.until):
            return False
        return not self.months or day.month in self.months


_LONGEST: Final = 6
"""Words after "which" among which the name of what is asked for is looked for."""
_MONTHS: Final = tuple(map(str.lower, calendar.month_name[1:]))
_UNITS: Final = (
    "minutes?|mins?|hours?|hrs?|seconds?|km|kms|kilomet(?:er|re)s?|miles?|calories|kcal|euros?|dollars?|steps?"
)
_KINDS: Final = (
    (Wanted.COUNT, r"\b(how many times|how often|number of times)\b"),
    (Wanted.AMOUNT, rf"\b(?:how many|number of|total) (?P<noun>{_UNITS})\b"),
    (Wanted.COUNT, r"\b(?:how many|number of|count of)(?: of my| of the| different| distinct)* (?P<noun>[\w' ]+)"),
    (Wanted.AMOUNT, r"\bhow (?P<noun>much|long|far|heavy|fast|expensive|old)\b"),
    (Wanted.TIME, r"\b(?:what|which) time\b|\btime of day\b|\bat what hour\b"),
    (Wanted.YEAR, r"\b(?:what|which) year\b"),
    (Wanted.MONTH, r"\b(?:what|which) (?:calendar )?months?\b"),
    (Wanted.WEEKDAY, r"\b(?:what|which) (?:weekday|day of the week)\b|\bweekday\b"),
    (Wanted.DATE, r"\bwhen\b|\b(?:what|which) (?:date|day)\b|\bdate of\b"),
    (Wanted.VALUE, r"\b(?P<noun>who|where)(?:m|'s|s)?\b"),
    (
        Wanted.VALUE,
        r"\b(?:what|which)(?:'s| is| was| are| were)?(?: the| my)?(?: (?:two|three|five|ten))? (?P<noun>[\w'-]+)",
    ),
    (Wanted.TRUTH, r"^(?:did|do|does|have|has|had|was|were|is|are)\b"),
    (Wanted.AMOUNT, r"\b(?:total|average|highest|lowest|maximum|minimum) (?P<noun>[\w'& -]+)"),
    (Wanted.VALUE, r"(?P<noun>[\w'& -]+)"),
)
_FOLDS: Final = (
    ("avg", r"\b(average|on average|mean|typical(?:ly)?|usual(?:ly)?)\b"),
    ("max", r"\b(longest|highest|most expensive|biggest|maximum|max|furthest|farthest|largest|fastest|heaviest)\b"),
    ("min", r"\b(shortest|lowest|cheapest|least expensive|smallest|minimum|min|slowest|lightest)\b"),
    ("sum", r"\b(total|altogether|in all|overall|how many|how much|how far|sum)\b"),
)
_BY: Final = (
    ("price", r"\b(?:expensive|cheapest|dearest|priciest)\b"),
    ("duration", r"\b(?:longest|shortest)\b"),
    ("distance", r"\b(?:furthest|farthest)\b"),
)
_AMOUNTS: Final = {
    **dict.fromkeys(("much", "expensive", "euro", "euros", "dollar", "dollars", "cost", "price", "spent"), "price"),
    **dict.fromkeys(("long", "minute", "minutes", "min", "mins", "hour", "hours", "hrs", "seconds"), "duration"),
    **dict.fromkeys(("far", "km", "kms", "kilometer", "kilometers", "kilometre", "kilometres", "miles"), "distance"),
    **dict.fromkeys(("calories", "kcal"), "energy"),
    "fast": "speed",
}
"""The attribute that an amount is of, by its word or unit."""
_TIMES: Final = {"mi": "minutes", "ho": "hours", "hr": "hours"}


def read_wording(question: str, now: datetime) -> Wording:
    """What the words of a question ask for."""
    said = fold(question).strip()
    found = next(((kind, match) for kind, form in _KINDS if (match := re.search(form, said))), (Wanted.VALUE, None))
    kind, match = found
    noun = (match.groupdict().get("noun") or "") if match is not None else ""
    fold_ = next((name for name, form in _FOLDS if re.search(form, said)), "")
    since, until = _period(said, now.date())
    return Wording(
        kind,
        _AMOUNTS.get(noun, noun) if kind is Wanted.AMOUNT else " ".join(noun.split()[:_LONGEST]),
        _TIMES.get(noun[:2] if noun != "miles" else "", "") if kind is Wanted.AMOUNT else "",
        next((name for name, form in _BY if kind is Wanted.VALUE and re.search(form, said)), ""),
        fold_,
        "first" if re.search(r"\b(first|earliest|oldest)\b", said) else _last(said),
        bool(re.search(r"\b(most|usually|favou?rite|top|mostly|commonest)\b", said)),
        bool(re.search(r"\b(least|rarest|fewest)\b", said)),
        bool(re.search(r"\b(different|distinct|unique)\b", said)),
        since,
        until,
        frozenset(n for n, name in enumerate(_MONTHS, 1) if re.search(rf"\b(?:in|of|since)? ?{name}\b", said)),
    )


def _last(said: str) -> str:
    asked = re.search(
        r"\b(latest|most recent|newest)\b|\blast\b(?! (?:year|month|week|summer|winter|spring|autumn))", said
    )
    return "last" if asked else ""


def _period(said: str, today: date) -> tuple[date | None, date | None]:
    """The years, or the period before now, that a question names."""
    years = [int(year) for year in re.findall(r"\b((?:19|20)\d\d)\b", said)]
    if years:
        since = date(min(years), 1, 1)
        return since, None if re.search(r"\b(since|after|from)\b", said) and len(years) == 1 else date(
            max(years), 12, 31
        )
    first = today.replace(day=1)
    for words, since, until in (
        ("this year", date(today.year, 1, 1), today),
        ("last year", date(today.year - 1, 1, 1), date(today.year - 1, 12, 31)),
        ("this month", first, today),
        ("last month", (first - timedelta(days=1)).replace(day=1), first - timedelta(days=1)),
        ("last week", today - timedelta(days=today.weekday() + 7), today - timedelta(days=today.weekday() + 1)),
        ("yesterday", today - timedelta(days=1), today - timedelta(days=1)),
    ):
        if re.search(rf"\b{words}\b", said):
            return since, until
    return None, None
