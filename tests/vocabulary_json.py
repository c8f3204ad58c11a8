"""docs/reference/json.md: the objects of `ask --json` and `plan --json`, as the service describes them."""

# ruff: noqa: E501 - paragraphs of the page

from __future__ import annotations

from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin

from pydantic import BaseModel

from reqap_kg.web.api.responses import (
    Answer,
    Choice,
    Dialog,
    Event,
    Explained,
    Frequency,
    Planned,
    Plans,
    Step,
    Table,
    Told,
    Way,
)

OBJECTS: Final[tuple[tuple[str, tuple[type[BaseModel], ...]], ...]] = (
    ("`reqap-kg ask --json`, `reqap-kg run --json`", (Answer, Event, Table, Told, Explained)),
    ("`dialog`: an answer that is too large", (Dialog, Way, Choice, Frequency)),
    ("`reqap-kg plan --json`", (Planned, Step, Plans)),
)
_HEAD: Final = """# JSON of `ask` and `plan`

What programs read. Fields that are marked *may be missing* stand only where there is something to say; all others always do.
`null` is nothing. The service gives the same objects ([service.md](../service.md)), and tests hold both against this list.
`--plan` and `--chart` are told by `reqap-kg ask --help`; errors by [printing.md](../printing.md).

"""
_NAMES: Final = {
    Plans: "With `--top K`",
    Step: "A step",
    Event: "An event",
    Table: "`table`",
    Told: "`told`",
    Explained: "`explained` (with `--explain`)",
    Choice: "A choice",
    Way: "Another way to ask (`more`)",
    Frequency: "`frequency`",
}
_MORE: Final = """
## Beside these

| field | where | what it is |
|---|---|---|
| `chart` | `ask --chart FILE --json` | `kind`, `reason` and `spec` (Vega-Lite) of the chart; null where nothing can be drawn |
| `id` | `ask --batch` | that of the line of the batch |
| `understood` | `ask --batch` | false where the question was not understood; may be missing |
| `error` | `ask --batch` | why the line cannot be asked; may be missing |
| `plans` | `plan --top K --json` | plans, the likeliest first |
"""


def json_page() -> str:
    """The page."""
    parts = [_HEAD.rstrip() + "\n"]
    for title, models in OBJECTS:
        parts.append(f"\n## {title}\n")
        for model in models:
            heading = f"\n### {_NAMES[model]}\n" if model in _NAMES else ""
            parts.append(f"{heading}\n| field | type | what it is |\n|---|---|---|\n")
            parts += [_row(name, field) for name, field in model.model_fields.items()]
    return "".join(parts) + _MORE


def _row(name: str, field: Any) -> str:
    missing = "" if field.is_required() else " *May be missing.*"
    kind = _typed(field.annotation) if field.is_required() else _typed(field.annotation).removesuffix(" or null")
    return f"| `{name}` | {kind} | {' '.join((field.description or '').split())}{missing} |\n"


def fields_without_words() -> list[str]:
    """Fields that nothing is said of."""
    return [
        f"{model.__name__}.{name}"
        for _, models in OBJECTS
        for model in models
        for name, field in model.model_fields.items()
        if not field.description
    ]


def _typed(kind: Any) -> str:
    """A type in words."""
    if get_origin(kind) in (Union, UnionType):
        words = [_typed(one) for one in get_args(kind) if one is not NoneType]
        null = [" or null"] if NoneType in get_args(kind) else []
        return ("value" if len(words) > 1 else words[0]) + "".join(null)
    if get_origin(kind) is list:
        return f"list of {_typed(get_args(kind)[0])}"
    if get_origin(kind) is dict:
        return f"object of {_typed(get_args(kind)[1])}"
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return kind.__name__.lower()
    return {str: "text", int: "integer", float: "number", bool: "boolean"}[kind]


def _described(model: type[BaseModel]) -> set[str]:
    return set(model.model_fields)


def undescribed_fields(value: Any, model: type[BaseModel] = Answer, path: str = "") -> list[str]:
    """Fields of a real answer, or plan, that the page does not have."""
    found: list[str] = []
    for name, inner in value.items():
        at = f"{path}{name}"
        if name not in _described(model):
            found.append(at)
            continue
        below = next((one for one in _models_in(model.model_fields[name].annotation)), None)
        for one in inner if isinstance(inner, list) else [inner]:
            if below is not None and isinstance(one, dict):
                found += undescribed_fields(one, below, f"{at}.")
    return found


def _models_in(kind: Any) -> list[type[BaseModel]]:
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return [kind]
    return [model for one in get_args(kind) for model in _models_in(one)]
