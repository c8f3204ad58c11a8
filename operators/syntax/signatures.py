"""How operators are written in text: their arguments, which may be left out, and what else models call them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ..expressions import Answer, Attribute, Comparison, Function, Lambda, Name
from ..nodes import (
    Apply,
    ArgMax,
    ArgMin,
    AttributeType,
    Avg,
    Extract,
    Filter,
    GroupBy,
    Join,
    Map,
    Max,
    Min,
    Node,
    Qud,
    Retrieve,
    Sum,
    Unnest,
)

TYPES: Mapping[str, AttributeType] = {
    "str": AttributeType.STR,
    "int": AttributeType.INT,
    "float": AttributeType.FLOAT,
    "bool": AttributeType.BOOL,
    "list": AttributeType.LIST,
    "date": AttributeType.DATE,
    "date.fromisoformat": AttributeType.DATE,
    "time": AttributeType.TIME,
    "time.fromisoformat": AttributeType.TIME,
    "datetime": AttributeType.DATETIME,
    "datetime.fromisoformat": AttributeType.DATETIME,
    "datetime.fromtimestamp": AttributeType.DATETIME,
    "duration": AttributeType.DURATION,
    "timedelta": AttributeType.DURATION,
}
"""Types by the names that the paper's plans give them."""

TYPE_SYNONYMS: Mapping[str, AttributeType] = {
    **dict.fromkeys(("string", "text"), AttributeType.STR),
    "integer": AttributeType.INT,
    **dict.fromkeys(("number", "double", "decimal"), AttributeType.FLOAT),
    "boolean": AttributeType.BOOL,
    **dict.fromkeys(("set", "tuple"), AttributeType.LIST),
    "datetime.date": AttributeType.DATE,
    "datetime.time": AttributeType.TIME,
    **dict.fromkeys(("datetime.datetime", "timestamp"), AttributeType.DATETIME),
    "datetime.timedelta": AttributeType.DURATION,
}
"""Other names of types, in lower case."""

DEFAULT_RESULT = "map_result"
"""MAP's res_name where there is none (ReQAP, Figure 4)."""


@dataclass(frozen=True)
class Signature:
    """How an operator is written: parameter → how its argument is read; arguments may stand by position in this order.

    `synonyms` are other names of the parameters.
    """

    build: Callable[..., Node]
    parameters: tuple[tuple[str, str], ...]
    optional: frozenset[str] = frozenset()
    synonyms: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters' names."""
        return tuple(name for name, _ in self.parameters)

    def written(self, operator: str) -> str:
        """The signature as text."""
        return f"{operator}({', '.join(f'{name}=…' for name in self.names)})"


def _map(source: Node, function: Function, name: str | None) -> Node:
    return Map(source, function, DEFAULT_RESULT if name is None else name)


def _arg(build: type[ArgMin] | type[ArgMax]) -> Callable[..., Node]:
    """ARGMIN, ARGMAX; without val_attr_name, which the paper makes optional, the rows themselves are the answer.

    Of counted groups that have one key the answer is the key. Of other rows it is all that hold the least or greatest
    value: a FILTER by MIN or MAX.
    """
    extreme = Min if build is ArgMin else Max

    def made(source: Node, arg_name: str, value_name: str | None) -> Node:
        if value_name is not None:
            return build(source, arg_name, value_name)
        if isinstance(source, Map) and isinstance(source.input, GroupBy) and len(source.input.names) == 1:
            return build(source, arg_name, source.input.names[0])
        best = Answer(extreme(source, arg_name))
        return Filter(source, Lambda("attr", Comparison(Attribute(Name("attr"), arg_name), ("==",), (best,))))

    return made


_L = ("l", "tree")
_INPUT = dict.fromkeys(("list", "events", "input"), "l")
_CONDITION = dict.fromkeys(("condition", "predicate", "fct"), "filter")
_FUNCTION = dict.fromkeys(("function", "func"), "fct")
_KEYS = dict.fromkeys(("attributes", "keys", "names"), "attr_names")
_NAME = dict.fromkeys(("attr", "attribute", "name"), "attr_name")
_ARG = dict.fromkeys(("arg", "arg_name", "attr_name"), "arg_attr_name")
_VAL = dict.fromkeys(("val", "value", "val_name"), "val_attr_name")
_SIDES = {"left": "l1", "right": "l2", **dict.fromkeys(("on", "filter"), "condition")}
_EXTRACT = Signature(
    Extract,
    (_L, ("attr_names", "names"), ("attr_types", "types")),
    synonyms={**_INPUT, **_KEYS, "types": "attr_types"},
)
_FOLD = {**_INPUT, **_NAME}
_EXTREME = (_L, ("arg_attr_name", "text"), ("val_attr_name", "text"))
_QUD = Signature(Qud, (("question", "text"),), synonyms={"query": "question"})

SIGNATURES: Mapping[str, Signature] = {
    "QUD": _QUD,
    "QU": _QUD,
    "RETRIEVE": Signature(
        Retrieve, (("query", "text"), ("l", "tree")), frozenset({"l"}), synonyms={**_INPUT, "question": "query"}
    ),
    "EXTRACT": _EXTRACT,
    "SELECT": _EXTRACT,
    "JOIN": Signature(Join, (("l1", "tree"), ("l2", "tree"), ("condition", "condition")), synonyms=_SIDES),
    "GROUP_BY": Signature(GroupBy, (_L, ("attr_names", "names")), synonyms={**_INPUT, **_KEYS}),
    "FILTER": Signature(Filter, (_L, ("filter", "lambda")), synonyms={**_INPUT, **_CONDITION}),
    "MAP": Signature(
        _map,
        (_L, ("fct", "function"), ("res_name", "text")),
        frozenset({"res_name"}),
        {**_INPUT, **_FUNCTION, "name": "res_name"},
    ),
    "APPLY": Signature(Apply, (_L, ("fct", "function")), synonyms={**_INPUT, **_FUNCTION}),
    "UNNEST": Signature(
        Unnest,
        (_L, ("nested_attr_name", "text"), ("unnested_attr_name", "text")),
        frozenset({"unnested_attr_name"}),
        {**_INPUT, "attr_name": "nested_attr_name"},
    ),
    "ARGMIN": Signature(_arg(ArgMin), _EXTREME, frozenset({"val_attr_name"}), {**_INPUT, **_ARG, **_VAL}),
    "ARGMAX": Signature(_arg(ArgMax), _EXTREME, frozenset({"val_attr_name"}), {**_INPUT, **_ARG, **_VAL}),
    "MIN": Signature(Min, (_L, ("attr_name", "text")), synonyms=_FOLD),
    "MAX": Signature(Max, (_L, ("attr_name", "text")), synonyms=_FOLD),
    "SUM": Signature(Sum, (_L, ("attr_name", "text")), synonyms=_FOLD),
    "AVG": Signature(Avg, (_L, ("attr_name", "text")), synonyms=_FOLD),
}
"""The operators by name; QU and SELECT are the names that the paper's figures give QUD and EXTRACT."""

NAMES = frozenset(SIGNATURES)
EXPECTED_TREE = "an operator: " + ", ".join(sorted(NAMES - {"QU", "SELECT"}))


def fold_name(operator: str) -> str | None:
    """The function that folds a list as the operator folds rows; None for other operators."""
    return {"SUM": "sum", "MIN": "min", "MAX": "max", "AVG": "mean"}.get(operator)
