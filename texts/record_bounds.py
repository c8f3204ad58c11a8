"""Whether a record keeps to the limits: every reader's records pass here, whatever format they were in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..config import Limits

__all__ = ["passed_limit"]


def passed_limit(record: Mapping[str, Any], limits: Limits) -> str | None:
    """Which limit on keys, values, texts or nesting a record passes, in words; None where it keeps to all."""
    keys = values = 0
    layer: list[Any] = [record]
    for _ in range(limits.depth + 1):
        keys += sum(len(inner) for inner in layer if isinstance(inner, Mapping))
        values += sum(map(len, layer))
        if keys > limits.record_keys:
            return f"a record of more than {limits.record_keys} keys"
        if values > limits.record_values:
            return f"a record of more than {limits.record_values} values"
        texts, layer = _within(layer)
        if any(len(text) > limits.field_characters for text in texts):
            return f"a text longer than {limits.field_characters} characters"
        if not layer:
            return None
    return f"nested more than {limits.depth} deep"


def _within(layer: Iterable[Any]) -> tuple[list[str], list[Any]]:
    """The texts and keys, and the containers, that the containers of a layer hold."""
    texts: list[str] = []
    inner: list[Any] = []
    for container in layer:
        if isinstance(container, Mapping):
            texts += [key for key in container if isinstance(key, str)]
            container = container.values()
        for item in container:
            if isinstance(item, str):
                texts.append(item)
            elif isinstance(item, Mapping | list | tuple):
                inner.append(item)
    return texts, inner
