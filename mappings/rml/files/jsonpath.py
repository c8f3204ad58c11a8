"""JSONPath (RFC 9535) by python-jsonpath, with patterns under a time limit and errors that name the path.

What maps mostly write runs as plain functions, fifty times as fast: paths of names and wildcards, and filters that
compare one name with a text. A path that is no JSONPath but a bare name is that key, so `Start Time` may be written as
it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Final

from jsonpath import JSONPath, JSONPathEnvironment
from jsonpath.exceptions import JSONPathError
from jsonpath.filter import FilterExpression, InfixExpression, RelativeFilterQuery, StringLiteral
from jsonpath.function_extensions import Match, Search
from jsonpath.segments import JSONPathChildSegment, JSONPathSegment
from jsonpath.selectors import Filter, NameSelector, WildcardSelector

from ....errors import DataError, MappingError, Place
from ....operators.evaluation.budget import MAX_PATTERN
from ..functions.texts import PATTERN_SECONDS

Getter = Callable[[Any], list[Any]]
_OTHER: Final = object()
"""In place of the name of a step that is no name and no wildcard."""


class _TimedMatch(Match):
    """match(), whose pattern has to match the whole value."""

    def __call__(self, value: object, pattern: object) -> bool:
        return _matched(self, "fullmatch", value, pattern)


class _TimedSearch(Search):
    """search(), whose pattern may match anywhere in the value."""

    def __call__(self, value: object, pattern: object) -> bool:
        return _matched(self, "search", value, pattern)


def _matched(function: Match | Search, how: str, value: object, pattern: object) -> bool:
    """Raises DataError for a pattern that takes too long."""
    if not isinstance(value, str) or not isinstance(pattern, str) or len(pattern) > MAX_PATTERN:
        return False
    compiled: Any = function.check_cache(pattern)
    if compiled is None:
        return False
    try:
        return getattr(compiled, how)(value, timeout=PATTERN_SECONDS) is not None
    except TimeoutError as bad:
        raise DataError(f"the pattern {pattern!r} takes too long on a value of {len(value)} characters") from bad


_ENVIRONMENT: Final = JSONPathEnvironment(strict=True)
_ENVIRONMENT.function_extensions |= {"match": _TimedMatch(), "search": _TimedSearch()}


@dataclass(frozen=True)
class Path:
    """A compiled path. `key` is the key of an object that it is, else None.

    `names` are the leading names (wildcards left out) of what it reads, and `whole` says that it reads all of that: an
    index or a filter reads only part.
    """

    get: Getter
    names: tuple[str, ...]
    whole: bool
    key: str | None = None


@dataclass(frozen=True)
class RecordIterator:
    """An iterator over one record of a stream. `is_root` when an iteration is the record itself.

    `names` lead to where the iterations stand below the record.
    """

    iterate: Getter
    is_root: bool
    names: tuple[str, ...]


def parse(text: str, place: Place | None = None) -> JSONPath:
    """The parsed query. Raises MappingError where it is no JSONPath."""
    try:
        query = _ENVIRONMENT.compile(text)
    except JSONPathError as bad:
        reason = str(bad.args[0] if bad.args else bad).splitlines()[0]
        raise MappingError(
            f"{text!r} is no JSONPath: {reason}",
            place=place,
            expected="JSONPath (RFC 9535), as in $.name or $['a name']",
        ) from bad
    except (OverflowError, ValueError) as bad:
        raise MappingError("a number too large in a JSONPath", place=place, expected="a smaller one") from bad
    except RecursionError as bad:
        raise MappingError("a JSONPath too deep", place=place, expected="fewer brackets") from bad
    if not isinstance(query, JSONPath):
        raise MappingError(f"{text!r} joins several paths", place=place, expected="one JSONPath (RFC 9535)")
    return query


def compile_path(text: str, place: Place | None = None) -> Path:
    """The getter of a reference: from an iterated value to the list of what is found there, nulls included."""
    if text.startswith("$"):
        return _compiled(parse(text, place).segments, place)
    if not any(character in text for character in ".[*@"):
        return _plain((text,))
    dotted = compile_path("$." + text if not text.startswith("[") else "$" + text, place)

    def literally_first(value: Any) -> list[Any]:
        return [value[text]] if isinstance(value, dict) and text in value else dotted.get(value)

    return Path(literally_first, dotted.names, dotted.whole, dotted.key)


def compile_record_iterator(text: str, place: Place | None = None) -> RecordIterator:
    """An iterator as a record stream reads it: `$` stands for the record, `$[*]` and `$[?test]` range over the stream.

    So `$[?@.source == 'workout']` is the record if the test holds, and `$.friends[*]` each friend of a record.
    """
    segments = tuple(parse(text, place).segments)
    first = _selector(segments[0]) if segments else None
    below = segments[1:] if isinstance(first, WildcardSelector | Filter) else segments
    rest = _compiled(below, place)
    get = _filtered(segments[0], rest.get, place) if isinstance(first, Filter) else rest.get
    return RecordIterator(get, not below, rest.names)


def stream_parts(text: str, place: Place | None = None) -> tuple[tuple[str, ...], Getter] | None:
    """An iterator cut at its first wildcard or filter: the names before it, and what is to be done with each member.

    None when something other than names stands before it.
    """
    segments = tuple(parse(text, place).segments)
    names = tuple(takewhile(lambda step: isinstance(step, str), map(_step, segments)))
    first = _selector(segments[len(names)]) if len(names) < len(segments) else None
    if not isinstance(first, WildcardSelector | Filter):
        return None
    rest = _compiled(segments[len(names) + 1 :], place).get
    return names, _filtered(segments[len(names)], rest, place) if isinstance(first, Filter) else rest


def _selector(segment: Any) -> Any:
    """The one selector of a child segment; None where there are more, or it descends."""
    alone = isinstance(segment, JSONPathChildSegment) and len(segment.selectors) == 1
    return segment.selectors[0] if alone else None


def _step(segment: Any) -> Any:
    """The name that a segment selects, None for a wildcard."""
    selector = _selector(segment)
    if isinstance(selector, NameSelector):
        return selector.name
    return None if isinstance(selector, WildcardSelector) else _OTHER


def _compiled(segments: Iterable[Any], place: Place | None) -> Path:
    segments = tuple(segments)
    plain = tuple(takewhile(lambda step: step is not _OTHER, map(_step, segments)))
    if len(plain) == len(segments):
        return _plain(plain)
    query = JSONPath(env=_ENVIRONMENT, segments=segments, pseudo_root=False)
    return Path(_found_by(query, place), tuple(step for step in plain if step is not None), whole=False)


def _plain(steps: tuple[str | None, ...]) -> Path:
    """The path of names and, for None, wildcards."""
    key = steps[0] if len(steps) == 1 else None

    def get(value: Any) -> list[Any]:
        found = [value]
        for step in steps:
            if step is None:
                found = [item for inner in found for item in _members(inner)]
            else:
                found = [inner[step] for inner in found if isinstance(inner, dict) and step in inner]
        return found

    names = tuple(step for step in steps if step is not None)
    return Path(get if steps else lambda value: [value], names, whole=True, key=key)


def _members(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _filtered(segment: JSONPathSegment, get: Getter, place: Place | None) -> Getter:
    """What `get` finds in an item that passes the filter of the segment; nothing in others."""
    compared = _compared_name(segment)
    if compared is None:
        query = JSONPath(env=_ENVIRONMENT, segments=(segment,), pseudo_root=False)
        find = _found_by(query, place)
        return lambda item: get(item) if find([item]) else []
    name, text, equal = compared

    def kept(item: Any) -> list[Any]:
        found = item.get(name) if isinstance(item, dict) else None
        return get(item) if (found == text) == equal else []

    return kept


def _compared_name(segment: JSONPathSegment) -> tuple[str, str, bool] | None:
    """Name, text, and whether they must be equal, of the filter `@.name == 'text'` or `!=`; None for every other."""
    selector = _selector(segment)
    expression: Any = selector.expression if isinstance(selector, Filter) else None
    if isinstance(expression, FilterExpression):
        expression = expression.expression
    if not isinstance(expression, InfixExpression) or expression.operator not in ("==", "!="):
        return None
    query, wanted = expression.left, expression.right
    path: Any = query.path if isinstance(query, RelativeFilterQuery) else None
    steps = [_step(segment) for segment in path.segments] if isinstance(path, JSONPath) else []
    if not isinstance(wanted, StringLiteral) or len(steps) != 1 or not isinstance(steps[0], str):
        return None
    return steps[0], wanted.value, expression.operator == "=="


def _found_by(query: JSONPath, place: Place | None) -> Getter:
    """What a query finds in a list or an object; nothing in anything else. Finding raises DataError where the query
    cannot be run to its end."""
    where = f"{place}: " if place else ""

    def get(value: Any) -> list[Any]:
        if not isinstance(value, dict | list):
            return []
        try:
            return list(query.findall(value))
        except (JSONPathError, RecursionError) as bad:
            raise DataError(f"{where}{query}: the data is nested too deeply for it") from bad
        except DataError as bad:
            raise DataError(f"{where}{query}: {bad}") from bad

    return get
