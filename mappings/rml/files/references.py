"""How references of each reference formulation are read from an iteration (RML-IO registry: JSONPath, CSV, XPath)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....errors import DataError, Place
from ..names import nearest_name
from ..run_state import Run
from ..running.values import ReferenceCompiler, Values, key_name
from .jsonpath import compile_path

_SCALARS = frozenset((str, int, float, bool))
_NONE: list[Any] = []


def json_references(*, lists: bool, nulls: frozenset[Any] = frozenset()) -> ReferenceCompiler:
    """References as JSONPath.

    With `lists`, a list stands for its items, as in record streams; without, it is a data error as RML has it. `nulls`
    are texts that stand for null.
    """

    def compile_reference(run: Run, text: str, place: Place | None, empty_is_null: bool) -> Values:
        path = compile_path(text, place)
        missing = nulls | {""} if empty_is_null else nulls
        tidy = _tidy(run, text, missing, lists=lists)
        if path.steps is not None and len(path.steps) == 1 and isinstance(path.steps[0], str):
            return _of_key(path.steps[0], missing, tidy)
        get = path.get
        return lambda iteration: tidy(get(iteration))

    return compile_reference


def _of_key(key: str, missing: frozenset[Any], tidy: Callable[[list[Any]], list[Any]]) -> Values:
    """A top-level key: the common case."""

    def values(iteration: Any) -> list[Any]:
        if type(iteration) is not dict:
            return _NONE
        value = iteration.get(key)
        if value is None:
            return _NONE
        if type(value) in _SCALARS:
            return [value] if value not in missing else _NONE
        return tidy([value])

    return values


def _tidy(run: Run, text: str, missing: frozenset[Any], *, lists: bool) -> Callable[[list[Any]], list[Any]]:
    key = key_name(text)

    def tidy(found: list[Any]) -> list[Any]:
        kept: list[Any] = []
        for value in found:
            if type(value) in _SCALARS:
                if value not in missing:
                    kept.append(value)
            elif isinstance(value, list):
                if lists:
                    kept += tidy(value)
                else:
                    run.problem(key, value, "a list where one value is asked for; [*] names its items")
            elif isinstance(value, dict):
                run.problem(key, value, "an object where a value is asked for; name one of its keys")
            elif value is not None:
                kept.append(value)
        return kept

    return tidy


def csv_references(nulls: frozenset[str] = frozenset()) -> ReferenceCompiler:
    """References as column names; a name that is no column is a data error."""

    def compile_reference(run: Run, text: str, place: Place | None, empty_is_null: bool) -> Values:
        missing = nulls | {""} if empty_is_null else nulls
        _ = run

        def values(iteration: Any) -> list[Any]:
            try:
                value = iteration[text]
            except KeyError as bad:
                near = nearest_name(text, list(iteration))
                told = f"; did you mean {near!r}?" if near else ""
                where = f"{place}: " if place else ""
                raise DataError(f"{where}no column {text!r}{told}") from bad
            return [value] if value is not None and value not in missing else _NONE

        return values

    return compile_reference
