"""The shapes of whole queries, from `templates/sparql`; patterns are put together in Python (docs/decisions/007)."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from .scope import Lines

if TYPE_CHECKING:
    from jinja2 import Environment, Template


def rendered(name: str, **values: Any) -> Lines:
    """The lines of a template. Its values are terms and lines of patterns, which hold no line breaks of their own."""
    return tuple(_template(name).render(**values).rstrip("\n").split("\n"))


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import Environment, StrictUndefined

    # Queries are no HTML; whatever stands in quotes was escaped by compile_terms.
    return Environment(autoescape=False, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)  # noqa: S701


@lru_cache(maxsize=16)
def _template(name: str) -> Template:
    text = files("reqap_kg.templates").joinpath("sparql", f"{name}.rq.j2").read_text(encoding="utf-8")
    return _environment().from_string(text)
