"""Expressions compiled to functions from an iteration to the list of its values (RML-Core, Expressions; RML-FNML)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from typing import Any, Protocol
from zoneinfo import available_timezones

from ....errors import MappingError, Place
from ....ontology.namespaces import XSD
from ....store.rdf import Literal
from ....store.words import nearest_name
from ..functions.functions import FUNCTIONS
from ..functions.types import Function, Unconvertible, told, zone_named
from ..model import Call, Constant, Expression, Reference, Template, TermMap
from ..nquads import is_lexical, text_of
from ..run_state import Run, once_per_iteration

Values = Callable[[Any], list[Any]]
"""From an iteration to Python values: str, int, float, bool, and from functions Decimal, datetime, date, time."""

_NONE: list[Any] = []
_BRACKETS = re.compile(r"\[['\"]([^'\"\]]*)['\"]\]")


class ReferenceCompiler(Protocol):
    """How references of one reference formulation are read: the values, nulls left out."""

    def __call__(self, run: Run, text: str, place: Place | None, empty_is_null: bool) -> Values: ...


@dataclass
class Scope:
    """What expressions of one triples map are compiled in; `calls` are shared, so that equal calls run once."""

    run: Run
    references: ReferenceCompiler
    base_iri: str
    empty_is_null: bool
    decimals: bool
    calls: dict[Call, Values] = field(default_factory=dict)

    def values(self, expression: Expression) -> Values:
        """The compiled expression. Raises MappingError for a reference that is none."""
        if isinstance(expression, Constant):
            fixed = [constant_value(expression)]
            return lambda _: fixed
        if isinstance(expression, Reference):
            return self.references(self.run, expression.text, expression.place, self.empty_is_null)
        if isinstance(expression, Template):
            return template_values(self, expression, _same)
        known = self.calls.get(expression)
        if known is None:
            known = self.calls[expression] = once_per_iteration(self.run, _call(self, expression))
        return known


def _same(text: str) -> str:
    return text


def constant_value(constant: Constant) -> Any:
    """A constant as a Python value: numbers and booleans by datatype, everything else as text."""
    term = constant.term
    if isinstance(term, Literal):
        kind = term.datatype.value
        if not is_lexical(term.value, kind):
            raise MappingError(f"the constant {told(term.value)} is no {kind.rpartition('#')[2]}", place=constant.place)
        if kind == XSD + "integer":
            return int(term.value)
        if kind == XSD + "decimal":
            return Decimal(term.value)
        if kind == XSD + "boolean":
            return term.value in ("true", "1")
    return term.value


def template_values(scope: Scope, template: Template, encode: Callable[[str], str]) -> Values:
    """The texts of a template: one per combination of the values of its references, none when one of them is missing.

    `encode` makes a reference's value safe; the template's own characters stay as they are.
    """
    references = list(dict.fromkeys(part for part in template.parts if isinstance(part, Reference)))
    getters = [scope.values(reference) for reference in references]
    column = {reference: at for at, reference in enumerate(references)}
    places = [column[part] if isinstance(part, Reference) else part for part in template.parts]
    head = places[0] if isinstance(places[0], str) else ""
    if places == ([head, 0] if head else [0]):
        return _one_reference(getters[0], head, encode)

    def get(iteration: Any) -> list[Any]:
        found = []
        for getter in getters:
            values = getter(iteration)
            if not values:
                return _NONE
            found.append([encode(text_of(value)) for value in values])
        return [
            "".join([place if isinstance(place, str) else row[place] for place in places])
            for row in scope.run.combinations(found)
        ]

    return get


def _one_reference(getter: Values, head: str, encode: Callable[[str], str]) -> Values:
    return lambda iteration: [head + encode(text_of(value)) for value in getter(iteration)]


def key_name(reference: str) -> str:
    """A reference as people name the key: `$['Start Time']` is Start Time, `$.geo[*].lat` is geo.lat."""
    return (
        _BRACKETS.sub(r".\1", reference).replace("[*]", "").lstrip("$").strip(".")
        if reference[:1] == "$"
        else reference
    )


def first_key(expression: Expression) -> str:
    """The reference that a note on this expression names: the first one in it."""
    if isinstance(expression, Reference):
        return key_name(expression.text)
    if isinstance(expression, Template):
        return next((key_name(part.text) for part in expression.parts if isinstance(part, Reference)), "template")
    if isinstance(expression, Call):
        keys = [
            first_key(value.expression)
            for _, value in expression.inputs
            if value.expression and _has_reference(value.expression)
        ]
        return keys[0] if keys else f"fn:{expression.function}"
    return "constant"


def _has_reference(expression: Expression) -> bool:
    if isinstance(expression, Call):
        return any(value.expression and _has_reference(value.expression) for _, value in expression.inputs)
    return isinstance(expression, Reference) or (
        isinstance(expression, Template) and any(isinstance(p, Reference) for p in expression.parts)
    )


def references_of(expression: Expression | None) -> list[Reference]:
    """Every reference in an expression, those of nested calls too."""
    if isinstance(expression, Reference):
        return [expression]
    if isinstance(expression, Template):
        return [part for part in expression.parts if isinstance(part, Reference)]
    if isinstance(expression, Call):
        return [reference for _, value in expression.inputs for reference in references_of(value.expression)]
    return []


def _call(scope: Scope, call: Call) -> Values:
    function = FUNCTIONS[call.function]
    _check_constants(scope, call)
    run = partial(function.run, scope.run.home_zone) if function.zoned else function.run
    key = first_key(call)
    single = {name: scope.values(_expression(value)) for name, value in call.inputs if name != function.many}
    arguments = _arguments(function, single)
    if function.many:
        many = [scope.values(_expression(value)) for name, value in call.inputs if name == function.many]
        return _many(scope.run, key, run, many, arguments)
    names = (*function.required, *function.optional)
    fixed = [
        constant_value(value.expression)
        for name, value in call.inputs
        if name != names[0] and isinstance(value.expression, Constant)
    ]
    if len(fixed) == len(call.inputs) - 1 and names[0] in single:
        rest = [_fixed(call, name) for name in names[1:]]
        return _one(scope.run, key, run, single[names[0]], rest)
    return _all(scope.run, key, run, arguments)


def _fixed(call: Call, name: str) -> Any:
    value = next((value.expression for given, value in call.inputs if given == name), None)
    return constant_value(value) if isinstance(value, Constant) else None


def _expression(value: TermMap) -> Expression:
    if value.expression is None:
        raise MappingError(
            "an input without an expression",
            place=value.place,
            expected="rml:reference, rml:template, rml:constant or rml:functionExecution",
        )
    return value.expression


def _check_constants(scope: Scope, call: Call) -> None:
    """Constants that can only be one of a few names are checked before any record is read."""
    for name, value in call.inputs:
        for checked, check in FUNCTIONS[call.function].checks:
            if name == checked and isinstance(value.expression, Constant):
                try:
                    check(constant_value(value.expression))
                except Unconvertible as bad:
                    raise MappingError(f"fn:{name}: {bad}", place=value.place) from bad
        if name == "zone" and isinstance(value.expression, Constant):
            try:
                zone_named(value.expression.term.value, scope.run.home_zone)
            except Unconvertible as bad:
                near = nearest_name(value.expression.term.value[:80], ["UTC", "home", *available_timezones()])
                raise MappingError(
                    str(bad), place=value.place, expected="an IANA name, UTC or home", nearest=near
                ) from bad


def _arguments(function: Function, single: dict[str, Values]) -> list[tuple[Values | None, bool]]:
    """Per parameter its values and whether it is required."""
    return [(single.get(name), True) for name in function.required] + [
        (single.get(name), False) for name in function.optional
    ]


def _outcome(
    run: Run, key: str, function: Callable[..., Any], value: Any, arguments: tuple[Any, ...], found: list[Any]
) -> None:
    try:
        result = function(*arguments)
    except Unconvertible as bad:
        run.note(key, value, str(bad))
        return
    if type(result) is list:
        found += result
    elif result is not None:
        found.append(result)


def _one(run: Run, key: str, function: Callable[..., Any], values: Values, rest: list[Any]) -> Values:
    """One varying parameter, the others constants: the common case."""

    def get(iteration: Any) -> list[Any]:
        found: list[Any] = []
        for value in values(iteration):
            _outcome(run, key, function, value, (value, *rest), found)
        return found

    return get


def _all(run: Run, key: str, function: Callable[..., Any], arguments: list[tuple[Values | None, bool]]) -> Values:
    """Several varying parameters: every combination of their values; nothing when a required one is missing."""

    def get(iteration: Any) -> list[Any]:
        columns = []
        for values, required in arguments:
            column = values(iteration) if values else _NONE
            if required and not column:
                return _NONE
            columns.append(column or [None])
        found: list[Any] = []
        for row in run.combinations(columns):
            _outcome(run, key, function, row[0], row, found)
        return found

    return get


def _many(
    run: Run, key: str, function: Callable[..., Any], many: list[Values], arguments: list[tuple[Values | None, bool]]
) -> Values:
    """All values of all inputs of one name, as one list."""

    def get(iteration: Any) -> list[Any]:
        values = [value for getter in many for value in getter(iteration)]
        rest = [next(iter(getter(iteration)), None) if getter else None for getter, _ in arguments]
        found: list[Any] = []
        if values:
            _outcome(run, key, function, values[0], (values, *rest), found)
        return found

    return get
