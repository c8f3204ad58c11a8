"""rml:template cut into pieces (RML-Core, Template): `{reference}`; a backslash escapes braces and itself."""

from __future__ import annotations

from ...errors import MappingError, Place
from .model import Reference, Template


def parse_template(text: str, place: Place | None = None) -> Template:
    """The pieces of a template. Raises MappingError for braces that do not pair and for other escapes."""
    parts: list[str | Reference] = []
    piece: list[str] = []
    inside = False
    characters = iter(text)
    for character in characters:
        if character == "\\":
            piece.append(_escaped(next(characters, ""), place))
        elif character == "{":
            if inside:
                raise _bad("a brace inside a reference", place)
            parts.append("".join(piece))
            piece, inside = [], True
        elif character == "}":
            if not inside:
                raise _bad("a closing brace without an opening one", place)
            if not piece:
                raise _bad("an empty reference {}", place)
            parts.append(Reference("".join(piece), place))
            piece, inside = [], False
        else:
            piece.append(character)
    if inside:
        raise _bad("a brace that is never closed", place)
    parts.append("".join(piece))
    return Template(tuple(part for part in parts if part), place)


def _escaped(character: str, place: Place | None) -> str:
    if character not in ("\\", "{", "}"):
        raise _bad(f"the escape \\{character}", place)
    return character


def _bad(what: str, place: Place | None) -> MappingError:
    expected = "references in single braces; other braces and backslashes behind a backslash (two of them in Turtle)"
    return MappingError(f"{what} in a template", place=place, expected=expected)
