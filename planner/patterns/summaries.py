"""What is known of patterns before their expressions are read: whom they use, and what must be there for them to match.

Reading some two thousand expressions takes most of the time in which a rule book is loaded, and a question needs a
hundred of them. So the summaries of a rule book are kept in a file, under a digest of the documents and of the code
that reads them; an expression is read when a question may match it. The file holds nothing that is run: whoever
changes it makes patterns match less often, or be tried in vain.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from ...store.folder import write_whole

Needs = tuple[frozenset[str], ...]
_READERS: Final = ("planner.patterns", "planner.rules", "operators.reading", "texts")
_NAMING: Final = "babel"
"""The package that names months in other languages."""


@dataclass(frozen=True)
class Summary:
    """One pattern: the names of those it uses, what each expression needs, the words of the names that it lists."""

    uses: tuple[str, ...]
    needs: tuple[Needs, ...]
    listed: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Kept:
    """The file that keeps the summaries of a rule book of some documents."""

    file: Path
    documents: tuple[tuple[str, str], ...]

    def read(self) -> Mapping[str, Summary]:
        """The summaries by the names of their patterns; none where the file is missing, of others, or damaged."""
        with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):  # it is written anew then
            found = json.loads(self.file.read_bytes())
            if found["key"] == self._key:
                return {name: _read(told) for name, told in found["patterns"].items()}
        return {}

    def write(self, summaries: Mapping[str, Summary]) -> None:
        """Keeps summaries; a store that may only be read keeps none."""
        told = {"key": self._key, "patterns": {name: _written(one) for name, one in summaries.items()}}
        with suppress(OSError):
            write_whole(self.file, json.dumps(told, ensure_ascii=False, separators=(",", ":")))

    @property
    def _key(self) -> str:
        digest = hashlib.sha256(_code())
        for path, text in self.documents:
            digest.update(f"{path}\0{len(text)}\0{text}".encode())
        return digest.hexdigest()


@cache
def _code() -> bytes:
    """A digest of the code that reads expressions."""
    digest = hashlib.sha256(version(_NAMING).encode())
    for package in _READERS:
        folder = files(f"reqap_kg.{package}")
        for file in sorted(folder.iterdir(), key=lambda file: file.name):
            if file.name.endswith(".py"):
                digest.update(file.read_bytes())
    return digest.digest()


def _written(one: Summary) -> dict[str, Any]:
    needs = [[sorted(need) for need in of_expression] for of_expression in one.needs]
    return {"uses": one.uses, "needs": needs, "listed": sorted(one.listed)}


def _read(told: dict[str, Any]) -> Summary:
    needs = tuple(tuple(map(_words, of_expression)) for of_expression in told["needs"])
    return Summary(tuple(_words_in_order(told["uses"])), needs, _words(told["listed"]))


def _words(told: Iterable[str]) -> frozenset[str]:
    return frozenset(_words_in_order(told))


def _words_in_order(told: Iterable[str]) -> list[str]:
    found = list(told)
    if not all(isinstance(word, str) for word in found):
        raise TypeError("a word that is none")
    return found
