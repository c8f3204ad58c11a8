"""An answer as a page shows it: its value first and largest, a few words beside it, and a sentence on what it rests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from ...store.words import key_words, words
from ...texts.words import plural
from .answer import TOLD, Answer, Evidence
from .formats import integer, month_in_words, period_in_words
from .nouns import EVENTS
from .outcomes import Reason
from .sentence import listed, source_in_words
from .statement import COUNT, Period, Statement

MOST_TOGETHER: Final = 3
"""Values that stand together as the largest words."""
LONGEST_VALUE: Final = 90
"""Letters of values that stand together as the largest words; longer ones are left to the sentence."""
_LONGEST_LIMIT: Final = 60
_MOST_SOURCES: Final = 3
_MEANT: Final = "; do you mean: "
_HOW_OFTEN: Final = frozenset({"often", "times"})
_DECLINED: Final = {
    Reason.NOT_UNDERSTOOD: "I don’t understand this question.",
    Reason.ASKS_WHY: "I can’t say why.",
    Reason.NO_SUCH_DATA: "I can’t answer that from your data.",
    Reason.NOTHING_MATCHES: "I found nothing.",
}
_LEAST_EVENTS: Final = 12
"""Events of which it is told how they are spread."""
_LEAST_DAYS: Final = 60
_MOST_DAYS_APART: Final = 45
_MONTH: Final = range(28, 32)
_NUMBERS: Final = (
    "",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


@dataclass(frozen=True)
class Headline:
    """What is largest (`value`, words rather than a number where `in_words`), what stands `beside` it, and the
    sentence below; any of them may be empty."""

    value: str
    beside: str
    sentence: str
    in_words: bool = True
    values: tuple[str, ...] = ()
    """What answers, one below the other, where that is more than fits the largest words."""


def headline_of(answer: Answer) -> Headline:
    """The headline of one answer; what else a question asks has its own."""
    if answer.page:
        return Headline("", "", answer.page)
    if not answer.values:
        return _declined(answer)
    if answer.answer_type == "table":
        value, _, rest = answer.said().partition(": ")
        number, _, noun = value.partition(" ")
        return Headline(number, noun, _sentence(rest), in_words=False) if rest else Headline("", "", value)
    if answer.answer_type == "events":
        return _of_events(answer)
    if _is_count(answer):
        return _of_count(answer)
    return _of_values(answer)


def declined_in(answer: Answer) -> str:
    """Why there is no answer, without what is offered instead, which a page offers as a link."""
    missing = answer.missing
    if missing is None:
        return answer.said()
    text = missing.text.replace(f"; I can answer “{missing.offered}”", "") if missing.offered else missing.text
    return f"{text.partition(_MEANT)[0].rstrip('.')}." if _MEANT in text else text


def _declined(answer: Answer) -> Headline:
    reason = answer.missing.reason if answer.missing is not None else Reason.NOTHING_MATCHES
    return Headline(_DECLINED[reason], "", declined_in(answer))


def _is_count(answer: Answer) -> bool:
    stated = answer.statement
    return (
        stated is not None
        and stated.operation == COUNT
        and len(answer.values) == 1
        and isinstance(answer.values[0], int)
        and not isinstance(answer.values[0], bool)
    )


def _of_count(answer: Answer) -> Headline:
    assert answer.statement is not None
    number = int(answer.values[0])
    beside = _called(answer, answer.statement, number)
    if answer.missing is not None:
        return Headline(integer(number, answer.locale), beside, _capital(answer.missing.text), in_words=False)
    parts = [behind_in_words(answer, number), _by_records(answer), _spread(answer, answer.statement.period)]
    return Headline(integer(number, answer.locale), beside, " ".join(filter(None, parts)), in_words=False)


def _of_events(answer: Answer) -> Headline:
    number, different = len(answer.values), len(set(answer.values))
    stated = answer.statement
    if number == 1:
        label, _, day = answer.listed[0].rpartition(", ")
        return Headline(label or answer.listed[0], day, behind_in_words(answer, 1))
    beside = _called(answer, stated, number) if stated is not None else EVENTS.many
    if 1 < different < number * 0.9:
        beside = f"{beside}, {integer(different, answer.locale)} different"
    period = stated.period if stated is not None else Period()
    parts = [behind_in_words(answer, number), _spread(answer, period)]
    return Headline(integer(number, answer.locale), beside, " ".join(filter(None, parts)), in_words=False)


def _of_values(answer: Answer) -> Headline:
    """The value as the sentence begins with it, then the rest of the sentence; many values below each other."""
    said, alone = answer.said(), len(answer.values) == 1
    value = answer.listed[0] if alone else said.rpartition(" (from ")[0]
    if not alone and (len(answer.values) > MOST_TOGETHER or len(value) > LONGEST_VALUE):
        return _of_many(answer)
    if not value or not said.startswith(value):
        return Headline("", "", said)
    is_number = alone and answer.answer_type in ("number", "duration")
    return Headline(value, "", _sentence(said[len(value) :]), in_words=not is_number)


def _of_many(answer: Answer) -> Headline:
    """How many values there are, and of what."""
    number = len(answer.listed)
    stated = answer.statement
    beside = f"of {_called(answer, stated, len(answer.events))}" if stated is not None and answer.events else "answers"
    if stated is not None and number == len(answer.events) and stated.called != EVENTS:
        beside = _called(answer, stated, number)
    sentence = behind_in_words(answer, len(answer.events))
    return Headline(integer(number, answer.locale), beside, sentence, in_words=False, values=answer.listed)


def _sentence(rest: str) -> str:
    """What follows a value, as a sentence of its own: ", the total …" or " (from 9 events, by Netflix)."."""
    told = rest.strip().lstrip(",:;").strip().rstrip(".")
    if told.startswith("("):
        told = told[1:].replace(")", "", 1) if told.count("(") == 1 else told
    return f"{_capital(told)}." if told else ""


def _called(answer: Answer, stated: Statement, number: int) -> str:
    """What was counted, and of when: "runs in 2024"."""
    when = period_in_words(stated.period, answer.locale)
    if stated.called == EVENTS and _HOW_OFTEN & set(words(answer.question)):
        return " ".join(filter(None, ("time" if number == 1 else "times", when)))
    limits = [] if stated.called == EVENTS else [one for one in stated.limits if len(one) <= _LONGEST_LIMIT]
    return ", ".join((" ".join(filter(None, (stated.called.counted(number), when))), *limits))


# ---------------------------------------------------------------- what it rests on
def behind_in_words(answer: Answer, happenings: int) -> str:
    """By what it is recorded or told: "Told by 17 calendar entries, mails and notes." `happenings` is how many there
    are, of which some may be told several times."""
    told = [event for event in answer.events if event.basis == TOLD]
    if not answer.events or answer.more_events:
        return ""
    if not told:
        names = _sources(answer.events)
        return f"Recorded by {listed(names)}." if len(names) <= _MOST_SOURCES else f"From {len(names)} sources."
    once = " Those that tell of one happening count once." if len(answer.events) > happenings else ""
    if len(told) == len(answer.events):
        return f"Told by {_tellers(told, answer.locale)}.{once}"
    recorded = _sources([event for event in answer.events if event.basis != TOLD])
    return f"Recorded by {listed(recorded)}, and told by {_tellers(told, answer.locale)}.{once}"


def _sources(events: Sequence[Evidence]) -> list[str]:
    return list(dict.fromkeys(source_in_words(event.source) for event in events))


def _tellers(events: Sequence[Evidence], locale: str) -> str:
    """ "17 calendar entries, mails and notes": the most frequent kinds first."""
    kinds = Counter(teller_in_words(event.type) for event in events)
    if len(events) == 1:
        return f"a {next(iter(kinds))}"
    return f"{integer(len(events), locale)} {listed([plural(kind) for kind, _ in kinds.most_common()])}"


def teller_in_words(kind: str) -> str:
    """What a text is called that tells of something: "calendar entry", "mail"; a part of one is a text."""
    return "text" if kind == "Telling" else key_words(kind)


def _by_records(answer: Answer) -> str:
    """What it would be by records alone, where that is another number."""
    told = answer.told
    if told is None or told.recorded == answer.values or not told.recorded:
        return ""
    return f"By records alone {integer(int(told.recorded[0]), answer.locale)}."


def _spread(answer: Answer, period: Period) -> str:
    """How often, and when most: "About one every six days; most in February and August." """
    days = sorted(date.fromisoformat(event.start[:10]) for event in answer.events if event.start)
    if answer.more_events or len(days) < _LEAST_EVENTS:
        return ""
    first = period.first if period.first != date.min else days[0]
    last = min(period.last, max(days[-1], date(days[-1].year, 12, 31))) if period.last != date.max else days[-1]
    span = (last - first).days + 1
    if span < _LEAST_DAYS:
        return ""
    said = "; ".join(filter(None, (_rhythm(span / len(days)), _most(days, answer.locale))))
    return f"{_capital(said)}." if said else ""


def _rhythm(apart: float) -> str:
    """How often, from the days that lie between two on average."""
    if apart < 0.75:
        return f"about {_number(round(1 / apart))} a day"
    days = round(apart)
    if days > _MOST_DAYS_APART:
        return ""
    if days in (1, 7, *_MONTH):
        return f"about one a { {1: 'day', 7: 'week'}.get(days, 'month') }"
    return f"about one every {_number(days)} days"


def _most(days: Sequence[date], locale: str) -> str:
    """The one or two months with most."""
    counted = Counter((day.year, day.month) for day in days)
    most = max(counted.values())
    found = sorted(month for month, number in counted.items() if number == most)
    if len(counted) < 3 or len(found) > 2 or most < 3:
        return ""
    one_year = len({year for year, _ in counted}) == 1
    return f"most in {listed(list(_months(found, locale, one_year=one_year)))}"


def _months(found: Sequence[tuple[int, int]], locale: str, *, one_year: bool) -> Iterator[str]:
    for year, month in found:
        said = month_in_words(date(year, month, 1), locale)
        yield said.replace(f" {year}", "") if one_year else said


def _number(value: int) -> str:
    return _NUMBERS[value] if 0 < value < len(_NUMBERS) else str(value)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
