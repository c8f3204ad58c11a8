"""Keeps out of every answer where files of this machine lie."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from ...config import Settings

_PLACE: Final = "…"
_ANY: Final = re.compile(
    r"(?<![^\s'\"“”:;,()<>])/(?:[^\s/'\"“”:;,()<>]++/)++[^\s/'\"“”:;,()<>]*+|(?<!\w)[A-Za-z]:\\[^\s'\"“”;,()<>]*+"
)
"""An absolute path of two parts or more."""


class Hidden:
    """Texts and values without these paths; what a message says of others is left out, too."""

    def __init__(self, paths: Iterable[str]) -> None:
        known = sorted({path.rstrip("/\\") for path in paths}, key=len, reverse=True)
        listed = "|".join(re.escape(path) for path in known if len(path) > 1)
        self._known = re.compile(rf"(?<![\w.-])(?:{listed})(?![\w-])") if listed else None

    @classmethod
    def of(cls, directory: Path, settings: Settings) -> Hidden:
        """Hides the folder of the store, and the files and folders that the settings name."""
        return cls([str(directory), str(directory.resolve()), *_named(settings)])

    def message(self, text: str) -> str:
        """What an error says, without any path."""
        return _ANY.sub(_PLACE, self.text(text))

    def text(self, text: str) -> str:
        """A text without the known paths; what else looks like a path may be of the data."""
        return self._known.sub(_PLACE, text) if self._known is not None else text

    def value(self, value: Any) -> Any:
        """A value as JSON can say it, all of its texts without the known paths."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {key: self.value(held) for key, held in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(held) for held in value]
        if isinstance(value, float) and not math.isfinite(value):
            return str(value)
        return value


def _named(settings: Settings) -> Iterator[str]:
    """Absolute paths among the settings."""
    for _, value in settings:
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, Path):
                yield from (str(one), str(one.absolute()), str(one.resolve()))
            elif isinstance(one, str) and Path(one).is_absolute():
                yield one
