"""Which file a logical source means: below its root, never outside it, however the path is written."""

from __future__ import annotations

from pathlib import Path, PurePosixPath, PureWindowsPath

from ....errors import DataError, MappingError, Place
from ..model import FileSource


def check_relative(source: FileSource, place: Place | None) -> None:
    """Refuse paths that cannot be below a root: absolute ones and those with `..`. Raises MappingError."""
    own = source.root if source.root not in ("MappingDirectory", "CurrentWorkingDirectory") else ""
    for text in (source.path, own):
        parts = PurePosixPath(text.replace("\\", "/")).parts
        absolute = PurePosixPath(text).is_absolute() or bool(PureWindowsPath(text).drive) or text.startswith("\\")
        if absolute or ".." in parts or "\0" in text:
            raise MappingError(f"{text!r} leads out of its root", place=place, expected="a path below the map's folder")
    if not source.path:
        raise MappingError("an empty path", place=place, expected="a path below the map's folder")


def file_of(source: FileSource, mapping_directory: Path, working_directory: Path) -> Path:
    """The file of a source. Raises DataError when it is missing, no file, or (through a link) outside its root."""
    root = working_directory if source.root == "CurrentWorkingDirectory" else mapping_directory
    folder = root if source.root in ("CurrentWorkingDirectory", "MappingDirectory") else root / source.root
    path = folder / source.path
    try:
        real = path.resolve()
        inside = real.is_relative_to(root.resolve())
        present = real.is_file()
    except (OSError, RuntimeError, ValueError) as bad:
        raise DataError(f"{source.path}: cannot be looked up: {bad}") from bad
    if not inside:
        raise DataError(f"{source.path}: leads out of {root} through a link")
    if not present:
        raise DataError(f"{source.path}: no such file in {folder}")
    return real
