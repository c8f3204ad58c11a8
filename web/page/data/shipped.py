"""Rules and maps to read: those that ship, and those that the settings name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, Literal

from ....config import Settings
from ....engine.authoring.rules import own_documents
from ....planner.rules.rulebook import shipped_documents
from ....sources.registry import formats
from .calling import short_path

Kind = Literal["rules", "maps"]
_PLANNER: Final = "mappings/planner/"


@dataclass(frozen=True)
class Document:
    """A text in Turtle: `name` says which, `about` what it is for; `path` is that of one that the settings name."""

    name: str
    about: str
    text: str
    path: str = ""

    @property
    def own(self) -> bool:
        """Whether it is a person's own."""
        return bool(self.path)


def documents_of(kind: Kind, settings: Settings) -> tuple[Document, ...]:
    """The documents of a kind, a person's own first."""
    if kind == "maps":
        return _maps()
    return (*_own(settings), *_rules())


def _own(settings: Settings) -> tuple[Document, ...]:
    return tuple(
        Document(f"own {number}", short_path(path), text, path)
        for number, (path, text) in enumerate(own_documents(settings.rules))
    )


@cache
def _rules() -> tuple[Document, ...]:
    return tuple(
        Document(path.removeprefix(_PLANNER).removesuffix(".ttl"), _about(text), text)
        for path, text in shipped_documents()
    )


@cache
def _maps() -> tuple[Document, ...]:
    labels: dict[str, list[str]] = {}
    for form in formats():
        labels.setdefault(form.map_file, []).append(form.label)
    folder = files("reqap_kg.mappings")
    return tuple(
        Document(name.removesuffix(".ttl"), ", ".join(said), folder.joinpath(name).read_text(encoding="utf-8"))
        for name, said in sorted(labels.items())
    )


def _about(text: str) -> str:
    """What a document says of itself: the comment that it begins with."""
    said: list[str] = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        said.append(line.lstrip("# ").rstrip("- "))
    return " ".join(said).split(". ")[0].rstrip(".")
