"""JSONPath (RFC 9535) compiled to plain functions: names, indexes and wildcards run as dictionary look-ups, the rest
in python-jsonpath. A path that is no JSONPath but a bare name is that key, so `Start Time` may be written as it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from jsonpath import JSONPath
from jsonpath.exceptions import JSONPathError
from jsonpath.segments import JSONPathChildSegment
from jsonpath.selectors import IndexSelector, NameSelector, WildcardSelector

from ....errors import MappingError, Place
from .jsonpath_filter import compile_filter
from .jsonpath_library import ENVIRONMENT, found_by

Getter = Callable[[Any], list[Any]]
Step = str | int | None
"""A name, an index, or None for a wildcard."""


@dataclass(frozen=True)
class Path:
    """A compiled path. `steps` are its plain steps when it has no others, else None.

    `names` are the leading names (wildcards left out) of what it reads, and `whole` says that it reads all of that: an
    index or a filter reads only part.
    """

    text: str
    get: Getter
    steps: tuple[Step, ...] | None
    names: tuple[str, ...]
    whole: bool


def parse(text: str, place: Place | None = None) -> JSONPath:
    """The parsed query. Raises MappingError where it is no JSONPath."""
    try:
        query = ENVIRONMENT.compile(text)
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
    if not text.startswith("$"):
        return _bare(text, place)
    query = parse(text, place)
    return _compiled(text, query, tuple(query.segments), place)


def _bare(text: str, place: Place | None) -> Path:
    if not any(character in text for character in ".[*@"):
        return Path(text, _getter((text,)), (text,), (text,), True)
    dotted = compile_path("$." + text if not text.startswith("[") else "$" + text, place)
    inner = dotted.get

    def literally_first(value: Any) -> list[Any]:
        if isinstance(value, dict) and text in value:
            return [value[text]]
        return inner(value)

    return Path(text, literally_first, dotted.steps, dotted.names, dotted.whole)


def _compiled(text: str, query: JSONPath, segments: tuple[Any, ...], place: Place | None) -> Path:
    steps = plain_steps(segments)
    names, whole = _reads(steps if steps is not None else (*_leading(segments), 0))
    if steps is None:
        return Path(text, found_by(query, place), None, names, False)
    return Path(text, _getter(steps), steps, names, whole)


def plain_steps(segments: Iterable[Any]) -> tuple[Step, ...] | None:
    """The steps of segments that each are one name, one index or a wildcard; None when there are others."""
    steps: list[Step] = []
    for segment in segments:
        selectors = segment.selectors if isinstance(segment, JSONPathChildSegment) else ()
        if len(selectors) != 1:
            return None
        selector = selectors[0]
        if isinstance(selector, NameSelector):
            steps.append(selector.name)
        elif isinstance(selector, IndexSelector):
            steps.append(selector.index)
        elif isinstance(selector, WildcardSelector):
            steps.append(None)
        else:
            return None
    return tuple(steps)


def _leading(segments: tuple[Any, ...]) -> tuple[Step, ...]:
    """The plain steps before the first segment that is not plain."""
    for end in range(len(segments), -1, -1):
        steps = plain_steps(segments[:end])
        if steps is not None:
            return steps
    return ()


def _reads(steps: tuple[Step, ...]) -> tuple[tuple[str, ...], bool]:
    names: list[str] = []
    for step in steps:
        if isinstance(step, int):
            return tuple(names), False
        if step is not None:
            names.append(step)
    return tuple(names), True


def _getter(steps: tuple[Step, ...]) -> Getter:
    if not steps:
        return lambda value: [value]
    if len(steps) == 1 and isinstance(steps[0], str):
        return _one_name(steps[0])

    def get(value: Any) -> list[Any]:
        found = [value]
        for step in steps:
            found = _step(found, step)
        return found

    return get


def _one_name(name: str) -> Getter:
    def get(value: Any) -> list[Any]:
        if type(value) is dict:
            found = value.get(name)
            return [] if found is None else [found]
        return []

    return get


def _step(values: list[Any], step: Step) -> list[Any]:
    if step is None:
        found: list[Any] = []
        for value in values:
            if isinstance(value, list):
                found += value
            elif isinstance(value, dict):
                found += value.values()
        return found
    if isinstance(step, str):
        return [value[step] for value in values if isinstance(value, dict) and step in value]
    return [value[step] for value in values if isinstance(value, list) and -len(value) <= step < len(value)]


@dataclass(frozen=True)
class RecordIterator:
    """An iterator over one record of a stream. `is_root` when an iteration is the record itself.

    `names` lead to where the iterations stand below the record.
    """

    iterate: Getter
    is_root: bool
    names: tuple[str, ...]


def compile_record_iterator(text: str, place: Place | None = None) -> RecordIterator:
    """An iterator as a record stream reads it: `$` stands for the record, `$[*]` and `$[?test]` range over the stream.

    So `$[?@.source == 'workout']` is the record if the test holds, and `$.friends[*]` each friend of a record.
    """
    query = parse(text, place)
    segments = tuple(query.segments)
    test: Callable[[Any], bool] | None = None
    if segments and isinstance(segments[0], JSONPathChildSegment) and len(segments[0].selectors) == 1:
        selector = segments[0].selectors[0]
        if isinstance(selector, WildcardSelector):
            segments = segments[1:]
        else:
            test = compile_filter(selector, place)
            segments = segments[1:] if test else segments
    rest = _rest(text, query, segments, place)
    if test is None:
        return RecordIterator(rest.get, not segments, rest.names)
    return RecordIterator(_filtered(test, rest.get), not segments, rest.names)


def _rest(text: str, query: JSONPath, segments: tuple[Any, ...], place: Place | None) -> Path:
    if len(segments) == len(query.segments):
        return _compiled(text, query, segments, place)
    tail = JSONPath(env=ENVIRONMENT, segments=segments, pseudo_root=False)
    return _compiled(text, tail, segments, place)


def stream_parts(text: str, place: Place | None = None) -> tuple[tuple[str, ...], Getter] | None:
    """An iterator cut at its first wildcard or filter: the names before it, and what is to be done with each member.

    None when something other than names stands before it.
    """
    query = parse(text, place)
    segments = tuple(query.segments)
    names: list[str] = []
    for at, segment in enumerate(segments):
        selectors = segment.selectors if isinstance(segment, JSONPathChildSegment) else ()
        if len(selectors) != 1:
            return None
        selector = selectors[0]
        if isinstance(selector, NameSelector):
            names.append(selector.name)
            continue
        rest = _rest(text, query, segments[at + 1 :], place).get
        if isinstance(selector, WildcardSelector):
            return tuple(names), rest
        test = compile_filter(selector, place)
        return None if test is None else (tuple(names), _filtered(test, rest))
    return None


def _filtered(test: Callable[[Any], bool], get: Getter) -> Getter:
    return lambda item: get(item) if test(item) else []
