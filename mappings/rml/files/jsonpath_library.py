"""python-jsonpath as maps use it: strict RFC 9535, patterns under a time limit, and errors that name the path."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from jsonpath import JSONPath, JSONPathEnvironment
from jsonpath.exceptions import JSONPathError
from jsonpath.function_extensions import Match, Search

from ....errors import DataError, Place
from ....operators.evaluation.budget import MAX_PATTERN
from ..functions.texts import PATTERN_SECONDS


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


def _environment() -> JSONPathEnvironment:
    environment = JSONPathEnvironment(strict=True)
    environment.function_extensions["match"] = _TimedMatch()
    environment.function_extensions["search"] = _TimedSearch()
    return environment


ENVIRONMENT: Final = _environment()


def found_by(query: JSONPath, place: Place | None) -> Callable[[Any], list[Any]]:
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
