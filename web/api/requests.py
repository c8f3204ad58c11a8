"""Reads a request into a model, or says what is wrong with it."""

from __future__ import annotations

import re
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import Request

from ..http.problems import Problem

M = TypeVar("M", bound=BaseModel)
_JSON: Final = "application/json"
_MOST_TOLD: Final = 5
_INTEGER: Final = re.compile(r"-?[0-9]{1,12}")


async def read_body(request: Request, model: type[M]) -> M | Problem:
    """What the JSON object of a request says."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _JSON:
        return Problem(415, "media_type", f"the body is to be {_JSON}")
    try:
        return model.model_validate_json(await request.body())
    except ValidationError as bad:
        return _wrong(bad)


def read_query(request: Request, model: type[M]) -> M | Problem:
    """What the parameters of an address say."""
    given: dict[str, Any] = {}
    for name, value in request.query_params.multi_items():
        if name in given:
            return Problem(422, "usage", f"the parameter {name!r} stands twice")
        field = model.model_fields.get(name)
        given[name] = value if field is None else _typed(value, field.annotation)
    try:
        return model.model_validate(given)
    except ValidationError as bad:
        return _wrong(bad)


def wants_steps(request: Request) -> bool:
    """Whether the client wants the steps of the work as they are known."""
    accepted = request.headers.get("accept", "").split(",")
    return any(kind.partition(";")[0].strip().lower() == "text/event-stream" for kind in accepted)


def _typed(value: str, wanted: Any) -> Any:
    """A parameter as JSON would say it; as it is where it cannot."""
    if wanted is bool and value in ("true", "false"):
        return value == "true"
    if wanted is int and _INTEGER.fullmatch(value):
        return int(value)
    return value


def _wrong(bad: ValidationError) -> Problem:
    """What is wrong, without the values that were given."""
    errors = bad.errors(include_url=False, include_input=False, include_context=False)
    told = dict.fromkeys(_told(error["loc"], error["msg"]) for error in errors[:_MOST_TOLD])
    status = 400 if any(error["type"] == "json_invalid" for error in errors) else 422
    return Problem(status, "usage", "; ".join(told))


def _told(place: tuple[int | str, ...], message: str) -> str:
    where = ".".join(map(str, place))
    return f"{where}: {message}" if where else message
