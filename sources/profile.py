"""profile.json: who the person is, people and their relations, jobs, studies, homes, pets and preferences."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from .base import BadRecord, Format, Identities, InputFile, ReadContext, Record, as_told
from .json.jsonstream import json_document
from .peek import json_shape

__all__ = ["FORMAT"]

_PEOPLE = {
    "mother": "mother",
    "father": "father",
    "parents": "parent",
    "siblings": "sibling",
    "brothers": "brother",
    "sisters": "sister",
    "partner": "partner",
    "partner_entry": "partner",
    "spouse": "spouse",
    "husband": "husband",
    "wife": "wife",
    "kids": "child",
    "children": "child",
    "other_family": "relative",
    "family": "relative",
    "relatives": "relative",
    "grandparents": "grandparent",
    "friends": "friend",
    "colleagues": "colleague",
    "neighbours": "neighbour",
    "neighbors": "neighbour",
    "people": "acquaintance",
}
"""Keys whose values are people, and the relation of those that state none."""
_PARTS = {
    "pets": "pet",
    "education": "education",
    "career": "job",
    "jobs": "job",
    "residences": "residence",
    "homes": "residence",
}
_OTHER = frozenset({"nicknames", "preferences"})
_OWN = frozenset({"birth_date", "gender", "lives_in", "languages", "now", "currency", "birth_city", "first_name"})


def _recognise(file: InputFile) -> float:
    shape = json_shape(file.head())
    if shape is None or shape.kind != "object" or not shape.has("name"):
        return 0.0
    parts = len(set(shape.keys) & (set(_PEOPLE) | set(_PARTS) | _OTHER))
    return 0.95 if parts >= 2 or (parts and set(shape.keys) & _OWN) else 0.0


def _read(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    """The owner, then people, jobs, studies, homes, pets and preferences; `_kind` tells them apart.

    Keys of the owner that are no such list stay with the owner.
    """
    profile = json_document(file, context.limits)
    owner = as_told((key, value) for key, value in profile.items() if not _is_part(key, value))
    owner |= {"_id": "owner", "_kind": "owner"}
    nicknames = _nicknames(profile.get("nicknames"))
    owner["nickname"] = _together(owner.get("nickname"), nicknames.pop(str(profile.get("name")), []))
    yield owner
    bad: list[BadRecord] = []
    yield from _people(profile, nicknames, file.path, bad)
    identities = Identities()
    for key, kind in _PARTS.items():
        for entry in _entries(profile.get(key), f"$.{key}", file.path, bad):
            record = {**entry, "_kind": kind}
            parts = [str(entry.get(name) or "") for name in _NAMING if isinstance(entry.get(name), str)]
            record["_id"] = identities.number(f"{kind}-{_slug(' '.join(parts))}")
            yield record
    yield from _preferences(profile.get("preferences"))
    yield from bad


_NAMING = ("name", "title", "company", "degree", "institution", "place", "address", "city", "start")


def _is_part(key: str, value: Any) -> bool:
    """Whether a key of the profile becomes entries of their own."""
    if key in _PEOPLE or key in _PARTS:
        return isinstance(value, dict | list)
    return key in _OTHER and isinstance(value, dict)


def _people(profile: Record, nicknames: dict[str, list[str]], path: str, bad: list[BadRecord]) -> Iterator[Record]:
    """One record per person: entries with the same name are one, the more exact relation wins."""
    people: dict[str, Record] = {}
    for key, relation in _PEOPLE.items():
        for entry in _entries(profile.get(key), f"$.{key}", path, bad):
            name = entry.get("name")
            if not isinstance(name, str) or not name.strip():
                bad.append(BadRecord(path, f"$.{key}", "a person without a name"))
                continue
            person = people.setdefault(name, {"name": name})
            vague = person.get("_vague", True)
            for inner, value in entry.items():
                if value is not None and (inner not in person or (inner == "relation" and vague)):
                    person[inner] = value
            person["_vague"] = vague and entry.get("relation") is None
            person.setdefault("relation", relation)
    for name, names in nicknames.items():
        person = people.setdefault(name, {"name": name})
        person["nickname"] = _together(person.get("nickname"), names)
    identities = Identities()
    for name, person in people.items():
        person.pop("_vague", None)
        yield {**person, "_kind": "person", "_id": identities.number(f"person-{_slug(name)}")}


def _together(first: Any, more: list[str]) -> list[str]:
    """The names of both, each once."""
    known = [first] if isinstance(first, str) else list(first) if isinstance(first, list) else []
    return list(dict.fromkeys(str(name) for name in [*known, *more] if name))


def _nicknames(value: Any) -> dict[str, list[str]]:
    """Nicknames by full name, from `{full name: nickname or list}`."""
    if not isinstance(value, dict):
        return {}
    return {name: _together(names, []) for name, names in value.items()}


def _entries(value: Any, where: str, path: str, bad: list[BadRecord]) -> Iterator[Record]:
    """The objects under a key: one, or a list; a plain name counts as an object with that name."""
    if value is None:
        return
    for index, entry in enumerate(value if isinstance(value, list) else [value]):
        if isinstance(entry, dict):
            yield as_told(entry.items())
        elif isinstance(entry, str) and entry.strip():
            yield {"name": entry}
        else:
            bad.append(BadRecord(path, f"{where}[{index}]", "neither an object nor a name"))


def _preferences(value: Any) -> Iterator[Record]:
    """One record per preference, with its kind in words and its values."""
    if not isinstance(value, dict):
        return
    identities = Identities()
    for key, found in value.items():
        if found in (None, "", []):
            continue
        yield {
            "kind": re.sub(r"[_-]+", " ", key).strip(),
            "values": found,
            "_kind": "preference",
            "_id": identities.number(f"preference-{_slug(key)}"),
        }


def _slug(text: str) -> str:
    """Letters and digits joined by hyphens, for the end of an IRI; letters outside ASCII without their marks."""
    plain = unicodedata.normalize("NFKD", text)
    bare = "".join(char for char in plain if not unicodedata.combining(char)).lower()
    return re.sub(r"[\W_]+", "-", bare).strip("-") or "unnamed"


FORMAT = Format(
    name="profile",
    label="profile (who you are, people, jobs, homes, preferences)",
    map_file="profile.ttl",
    recognise=_recognise,
    read=_read,
    source_name=lambda _file: "profile",
)
