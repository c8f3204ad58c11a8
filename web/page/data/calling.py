"""What sources and formats are called, and where in an export something stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ....engine.answers.sentence import source_in_words
from ....ontology.namespaces import DIALOGUES, PROFILE_SOURCE
from ....sources.registry import format_named, formats

_PARTS: Final = 3
_IN_ARCHIVE: Final = "!"


@dataclass(frozen=True)
class LeftOut:
    """Something that was left out: the file, where in it, why, and how many records it stands for."""

    path: str
    where: str
    reason: str
    count: int

    @property
    def place(self) -> str:
        """The end of the file's path."""
        return short_path(self.path)


def label_of(kind: str, name: str = "") -> str:
    """What a format is called, without what its source is called by itself."""
    found = format_named(kind)
    label = found.label if found is not None else kind
    said = source_in_words(name)
    rest = label[len(said) :] if said and label.casefold().startswith(f"{said} ".casefold()) else label
    rest = rest.strip()
    return rest[1:-1] if rest.startswith("(") and rest.endswith(")") else rest or label


def known_formats() -> list[str]:
    """What can be imported without a map, each as a line of a list; the profile, which nobody else gives, last."""
    known = [kind for kind in formats() if kind.name != DIALOGUES]
    known.sort(key=lambda kind: kind.name == PROFILE_SOURCE)
    return [_as_line(kind.label) for kind in known]


def _as_line(label: str) -> str:
    """A label as a line begins with it; iCalendar stays so."""
    return label if label[1:2].isupper() else label[:1].upper() + label[1:]


def short_path(path: str) -> str:
    """The end of a path, as far as it tells which file is meant; of one in an archive, its place there."""
    inner = path.replace("\\", "/").rpartition(_IN_ARCHIVE)[2]
    parts = [part for part in inner.split("/") if part not in ("", ".")]
    return "/".join(parts if len(parts) <= _PARTS else ["…", *parts[-_PARTS:]])
