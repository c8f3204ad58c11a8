"""What functions and methods give of their arguments, and which arguments they could never take; see `meanings`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...errors import TreeTypeError
from .meanings import (
    EventMeaning,
    ListMeaning,
    Meaning,
    averaged,
    common,
    comparable,
    items_of,
    kind_of,
    ordered,
    said,
    summed,
    unknown,
)
from .types import ANY, BOOL, DATE, DATETIME, DAYS, DURATION, FLOAT, INT, LIST, STR, TIME, Kind, Type

_MADE: dict[str, Meaning] = {
    "str": STR,
    "int": INT,
    "float": FLOAT,
    "bool": BOOL,
    "date": DATE,
    "time": TIME,
    "datetime": DATETIME,
    **dict.fromkeys(("timedelta", "relativedelta"), DURATION),
    "date.today": DATE,
    "datetime.now": DATETIME,
    "date.fromisoformat": DATE,
    "time.fromisoformat": TIME,
    "datetime.fromisoformat": DATETIME,
    "datetime.combine": DATETIME,
    "calendar.monthrange": ListMeaning(INT, (INT, INT)),
    "range": ListMeaning(INT),
}
_TEXTS = frozenset({Kind.STR})
_CALENDAR = DAYS | {Kind.TIME}
_METHODS: dict[str, tuple[frozenset[Kind], Meaning]] = {
    **dict.fromkeys(("lower", "upper", "title", "strip", "join"), (_TEXTS, STR)),
    **dict.fromkeys(("startswith", "endswith"), (_TEXTS, BOOL)),
    "split": (_TEXTS, ListMeaning(STR)),
    "count": (_TEXTS | {Kind.LIST}, INT),
    **dict.fromkeys(("isoformat", "strftime"), (_CALENDAR, STR)),
    "isocalendar": (DAYS, ListMeaning(INT, (INT, INT, INT))),
    "weekday": (DAYS, Type(Kind.INT, "weekday")),
    "isoweekday": (DAYS, Type(Kind.INT, "isoweekday")),
    "date": (DAYS, DATE),
    "time": (frozenset({Kind.DATETIME}), TIME),
    "total_seconds": (frozenset({Kind.DURATION}), Type(Kind.FLOAT, None, "s")),
}
"""Which kinds of values have a method, and what it gives; replace() gives what it is of."""
_NUMBERS = frozenset({Kind.INT, Kind.FLOAT, Kind.BOOL, Kind.DURATION})


def method(name: str, base: Meaning, arguments: Sequence[Meaning]) -> Meaning:
    """What `base.name(…)` gives. Raises TreeTypeError where a value of that kind has no such method."""
    if name == "replace" and kind_of(base) in _TEXTS | _CALENDAR:
        return base
    if name not in _METHODS:
        return ANY
    kinds, result = _METHODS[name]
    if not unknown(base) and kind_of(base) not in kinds:
        raise TreeTypeError(f"{said(base)} has no .{name}()")
    if name in ("startswith", "endswith"):
        for argument in arguments:
            if not unknown(argument) and kind_of(argument) not in (Kind.STR, Kind.LIST):
                raise TreeTypeError(f".{name}() takes a text, not {said(argument)}")
    return result


def call(name: str, arguments: Sequence[Meaning], key: Meaning | None) -> Meaning:
    """What a function gives; `key` is what its key= gives of each item. Raises TreeTypeError."""
    if name in _FUNCTIONS:
        return _FUNCTIONS[name](arguments, key)
    return _MADE.get(name, ANY)


def _first(arguments: Sequence[Meaning], name: str) -> Meaning:
    """What stands in the list that is the one argument."""
    if not arguments:
        return ANY
    item = items_of(arguments[0])
    if item is None:
        raise TreeTypeError(f"{name}() takes a list, not {said(arguments[0])}")
    return item


def _length(arguments: Sequence[Meaning], _key: Meaning | None) -> Meaning:
    if arguments and isinstance(arguments[0], EventMeaning):
        raise TreeTypeError("len() takes a list, not an event")
    _first(arguments, "len")
    return INT


def _sum(arguments: Sequence[Meaning], _key: Meaning | None) -> Meaning:
    return _of_events("sum", summed, _first(arguments, "sum"))


def _mean(arguments: Sequence[Meaning], _key: Meaning | None) -> Meaning:
    return _of_events("mean", averaged, _first(arguments, "mean"))


def _of_events(name: str, fold: Callable[[Meaning], Meaning], item: Meaning) -> Meaning:
    if isinstance(item, EventMeaning):
        raise TreeTypeError(f'{name}() of events; name an attribute: {name}(e["…"] for e in …)')
    return fold(item)


def _extreme(arguments: Sequence[Meaning], key: Meaning | None) -> Meaning:
    if key is not None:
        _sort_key(key)
        return _first(arguments, "min or max")
    if len(arguments) == 1:
        return _sort_key(_first(arguments, "min or max"))
    for one in arguments:
        ordered(one)
        if not comparable(arguments[0], one):
            raise TreeTypeError(f"{said(arguments[0])} cannot be compared with {said(one)}")
    return common(arguments)


def _sort_key(key: Meaning) -> Meaning:
    """What may be sorted by: also the parts of a tuple, in their order, and truth values."""
    if isinstance(key, ListMeaning) and key.parts is not None:
        for part in key.parts:
            _sort_key(part)
        return key
    return key if key == BOOL else ordered(key)


def _sorted(arguments: Sequence[Meaning], key: Meaning | None) -> Meaning:
    item = _first(arguments, "sorted")
    if key is not None or not isinstance(item, EventMeaning):
        _sort_key(item if key is None else key)
    else:
        raise TreeTypeError('events have no order; sorted() needs key=lambda e: e["…"]')
    return _listed(arguments, item)


def _listed(arguments: Sequence[Meaning], item: Meaning) -> ListMeaning:
    whole = arguments[0] if arguments else LIST
    return ListMeaning(item, keys=whole.keys if isinstance(whole, ListMeaning) else ())


def _list(arguments: Sequence[Meaning], _key: Meaning | None) -> Meaning:
    whole = arguments[0] if arguments else LIST
    return whole if isinstance(whole, ListMeaning) else ListMeaning(_first(arguments, "list"))


def _set(arguments: Sequence[Meaning], _key: Meaning | None) -> Meaning:
    return ListMeaning(_first(arguments, "set"))


def _median(arguments: Sequence[Meaning], _key: Meaning | None) -> Meaning:
    item = ordered(_first(arguments, "median"))
    return FLOAT if kind_of(item) is Kind.INT else item


def _percentile(arguments: Sequence[Meaning], _key: Meaning | None) -> Meaning:
    return ordered(_first(arguments[:1], "percentile"))


def _next(arguments: Sequence[Meaning], _key: Meaning | None) -> Meaning:
    return common((_first(arguments, "next"), *arguments[1:]))


def _zip(arguments: Sequence[Meaning], _key: Meaning | None) -> Meaning:
    parts = tuple(_first([argument], "zip") for argument in arguments)
    return ListMeaning(ListMeaning(common(parts), parts))


def _quantified(arguments: Sequence[Meaning], _key: Meaning | None) -> Meaning:
    _first(arguments, "any or all")
    return BOOL


def _number(arguments: Sequence[Meaning], _key: Meaning | None) -> Meaning:
    given = arguments[0] if arguments else ANY
    if not unknown(given) and kind_of(given) not in _NUMBERS:
        raise TreeTypeError(f"a number is needed, not {said(given)}")
    return given


def _round(arguments: Sequence[Meaning], key: Meaning | None) -> Meaning:
    given = _number(arguments, key)
    return INT if len(arguments) == 1 and kind_of(given) is Kind.FLOAT else given


_FUNCTIONS: dict[str, Callable[[Sequence[Meaning], Meaning | None], Meaning]] = {
    "len": _length,
    "sum": _sum,
    "mean": _mean,
    "min": _extreme,
    "max": _extreme,
    "sorted": _sorted,
    "list": _list,
    "set": _set,
    "any": _quantified,
    "all": _quantified,
    "abs": _number,
    "round": _round,
    "median": _median,
    "next": _next,
    "zip": _zip,
    "percentile": _percentile,
}
OF_LISTS = frozenset(
    {"sum", "mean", "median", "percentile", "min", "max", "sorted", "any", "all", "set", "list", "next"}
)
"""Functions that take all values of a tree, where one stands inside."""
