"""The expression algebra of conditions and functions: what may stand in FILTER, JOIN, MAP and APPLY.

It is a small part of Python's expression syntax (ReQAP, appendix A.2, allows "arbitrary filter conditions expressed
as Python code"), held as data: the compiler turns it into SPARQL, the evaluator computes it over Python values, and
nothing ever runs it as Python. Constructors refuse what is outside the algebra with TreeTypeError.
"""

from __future__ import annotations

from dataclasses import dataclass
from keyword import iskeyword

from ..errors import TreeTypeError
from .algebra import (
    BINARY,
    BUILTINS,
    CALLS,
    COMPARISONS,
    COUNTED,
    FIELDS,
    KEYWORDS,
    METHOD_KEYWORDS,
    METHODS,
    check_arity,
)


class Node:
    """Root of the operators (`nodes.py`)."""

    __slots__ = ()


class Expression:
    """Root of the algebra; every expression is a frozen dataclass."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Literal(Expression):
    """A number, text, truth value or None."""

    value: str | int | float | bool | None

    def __post_init__(self) -> None:
        if isinstance(self.value, float) and (self.value != self.value or abs(self.value) == float("inf")):
            raise TreeTypeError("a number must be finite")
        if isinstance(self.value, int) and abs(self.value) >= 10**30:
            raise TreeTypeError("a number must have at most 30 digits")
        if isinstance(self.value, str):
            check_text(self.value)

    def __eq__(self, other: object) -> bool:
        """Equal in value and type: 1, 1.0 and True are three literals."""
        return isinstance(other, Literal) and type(self.value) is type(other.value) and self.value == other.value

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


@dataclass(frozen=True, slots=True)
class Name(Expression):
    """A parameter of a lambda, i1 or i2 of a JOIN, or the variable of a comprehension."""

    identifier: str

    def __post_init__(self) -> None:
        _identifier(self.identifier)


@dataclass(frozen=True, slots=True)
class Attribute(Expression):
    """One attribute of an event: `attr["start_date"]`, `i1.start_date`."""

    base: Expression
    name: str

    def __post_init__(self) -> None:
        if not self.name:
            raise TreeTypeError("an attribute needs a name")
        check_text(self.name)


@dataclass(frozen=True, slots=True)
class Field(Expression):
    """A part of a value: `.year`, `.hour`, `.days`."""

    base: Expression
    name: str

    def __post_init__(self) -> None:
        if self.name not in FIELDS:
            raise TreeTypeError(f"no part .{self.name}; there are {', '.join(sorted(FIELDS))}")
        if isinstance(self.base, Name) and self.base.identifier in ("i1", "i2"):
            raise TreeTypeError(f"{self.base.identifier} is an event; it has attributes")


@dataclass(frozen=True, slots=True)
class Method(Expression):
    """A method of a value: `.lower()`, `.weekday()`, `.replace(day=1)`."""

    base: Expression
    name: str
    arguments: tuple[Expression, ...] = ()
    keywords: tuple[tuple[str, Expression], ...] = ()

    def __post_init__(self) -> None:
        if self.name not in METHODS:
            raise TreeTypeError(f"no method .{self.name}(); there are {', '.join(sorted(METHODS))}")
        _keywords(f".{self.name}()", self.keywords, METHOD_KEYWORDS.get(self.name, frozenset()))
        check_arity(f".{self.name}()", len(self.arguments), METHODS[self.name])


@dataclass(frozen=True, slots=True)
class Call(Expression):
    """A function: `len(x)`, `date(2024, 3, 1)`, `timedelta(days=1)`."""

    function: str
    arguments: tuple[Expression, ...] = ()
    keywords: tuple[tuple[str, Expression], ...] = ()

    def __post_init__(self) -> None:
        if self.function not in CALLS:
            raise TreeTypeError(f"no function {self.function}(); there are {', '.join(sorted(CALLS))}")
        _keywords(f"{self.function}()", self.keywords, KEYWORDS.get(self.function, frozenset()))
        parts = len(self.keywords) if self.function in COUNTED else 0
        check_arity(f"{self.function}()", len(self.arguments) + parts, CALLS[self.function])


@dataclass(frozen=True, slots=True)
class Index(Expression):
    """One item of a list or text, by position: `x[0]`, `x[-1]`."""

    base: Expression
    position: int


@dataclass(frozen=True, slots=True)
class Slice(Expression):
    """Part of a list or text: `x[:5]`, `x[1:3]`."""

    base: Expression
    start: int | None = None
    stop: int | None = None


@dataclass(frozen=True, slots=True)
class Binary(Expression):
    """Arithmetic, and `+` between texts."""

    operator: str
    left: Expression
    right: Expression

    def __post_init__(self) -> None:
        if self.operator not in BINARY:
            raise TreeTypeError(f"no operator {self.operator}; there are {' '.join(sorted(BINARY))}")


@dataclass(frozen=True, slots=True)
class Negative(Expression):
    """`-x`. A negative number is a Literal."""

    operand: Expression

    def __post_init__(self) -> None:
        if isinstance(self.operand, Literal):
            raise TreeTypeError("write a negative number as one literal")


@dataclass(frozen=True, slots=True)
class Not(Expression):
    """`not x`."""

    operand: Expression


@dataclass(frozen=True, slots=True)
class Boolean(Expression):
    """`a and b and c`, `a or b`."""

    operator: str
    operands: tuple[Expression, ...]

    def __post_init__(self) -> None:
        if self.operator not in ("and", "or"):
            raise TreeTypeError(f"no operator {self.operator}; there are and, or")
        if len(self.operands) < 2:
            raise TreeTypeError(f"{self.operator} needs two sides")


@dataclass(frozen=True, slots=True)
class Comparison(Expression):
    """`a < b`, and chains: `a <= b < c`."""

    left: Expression
    operators: tuple[str, ...]
    rights: tuple[Expression, ...]

    def __post_init__(self) -> None:
        if len(self.operators) != len(self.rights) or not self.rights:
            raise TreeTypeError("a comparison needs one operator between two neighbours")
        for operator, right in zip(self.operators, self.rights, strict=True):
            if operator not in COMPARISONS:
                raise TreeTypeError(f"no comparison {operator}; there are {', '.join(sorted(COMPARISONS))}")
            if operator in ("is", "is not") and right != Literal(None):
                raise TreeTypeError(f"{operator} compares with None only; use == or !=")


@dataclass(frozen=True, slots=True)
class Conditional(Expression):
    """`a if test else b`."""

    test: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Collection(Expression):
    """`[a, b]`, `(a, b)`, `{a, b}`; `kind` is list, tuple or set."""

    kind: str
    items: tuple[Expression, ...]

    def __post_init__(self) -> None:
        if self.kind not in ("list", "tuple", "set"):
            raise TreeTypeError(f"no collection {self.kind}; there are list, tuple, set")
        if self.kind == "set" and not self.items:
            raise TreeTypeError("a set needs an item")


@dataclass(frozen=True, slots=True)
class Comprehension(Expression):
    """`element for variable in iterable if condition`; `kind` is generator, list or set."""

    kind: str
    element: Expression
    variable: str
    iterable: Expression
    conditions: tuple[Expression, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in ("generator", "list", "set"):
            raise TreeTypeError(f"no comprehension {self.kind}; there are generator, list, set")
        _identifier(self.variable)


Target = str | tuple["Target", ...]
"""What a loop binds: a name, or the parts of an item: `a, b`."""


@dataclass(frozen=True, slots=True)
class Loop(Expression):
    """One `for target in iterable if condition` of Loops; it sees what the loops before it bind."""

    target: Target
    iterable: Expression
    conditions: tuple[Expression, ...] = ()

    def __post_init__(self) -> None:
        names = target_names(self.target)
        for name in names:
            _identifier(name)
        if not names or len(set(names)) != len(names):
            raise TreeTypeError("a loop needs names that differ")


@dataclass(frozen=True, slots=True)
class Loops(Expression):
    """A comprehension over several loops or parts of items: `b - a for a, b in zip(x, y)`.

    One loop over one name is a Comprehension.
    """

    kind: str
    element: Expression
    loops: tuple[Loop, ...]

    def __post_init__(self) -> None:
        if self.kind not in ("generator", "list", "set"):
            raise TreeTypeError(f"no comprehension {self.kind}; there are generator, list, set")
        if not self.loops:
            raise TreeTypeError("a comprehension needs a loop")
        if len(self.loops) == 1 and isinstance(self.loops[0].target, str):
            raise TreeTypeError("write one loop over one name as a Comprehension")


@dataclass(frozen=True, slots=True)
class Answer(Expression):
    """The one value that another tree answers: `MIN(l=…, attr_name="start_date").result`."""

    tree: Node


@dataclass(frozen=True, slots=True)
class Lambda(Expression):
    """A function of one event, group, list or value: `lambda attr: attr["start_date"].year == 2022`."""

    parameter: str
    body: Expression

    def __post_init__(self) -> None:
        _identifier(self.parameter)


@dataclass(frozen=True, slots=True)
class Builtin(Expression):
    """A function by name: `len`."""

    name: str

    def __post_init__(self) -> None:
        if self.name not in BUILTINS:
            raise TreeTypeError(f"no function {self.name} by name alone; there are {', '.join(sorted(BUILTINS))}")


Function = Lambda | Builtin


def check_text(text: str) -> None:
    """Raises TreeTypeError for a text that no file or query can hold (half of a surrogate pair)."""
    try:
        text.encode()
    except UnicodeEncodeError as bad:
        raise TreeTypeError(f"a text may not hold {text[bad.start]!r}") from bad


def target_names(target: Target) -> tuple[str, ...]:
    """The names that a loop binds."""
    return (target,) if isinstance(target, str) else tuple(name for part in target for name in target_names(part))


def _identifier(name: str) -> None:
    if not name.isidentifier() or iskeyword(name) or name.startswith("__"):
        raise TreeTypeError(f"{name!r} is not a name")


def _keywords(what: str, given: tuple[tuple[str, Expression], ...], allowed: frozenset[str]) -> None:
    names = [name for name, _ in given]
    for name in names:
        if name not in allowed:
            raise TreeTypeError(f"{what} takes no {name}=; it takes {', '.join(sorted(allowed)) or 'none'}")
    if len(set(names)) != len(names):
        raise TreeTypeError(f"{what} is given the same keyword twice")
