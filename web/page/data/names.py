"""Names of files that a browser sends, as names below a folder of ours: nothing else can be named by them."""

from __future__ import annotations

import unicodedata
from pathlib import PurePosixPath
from typing import Final

LONGEST_NAME: Final = 200
"""Bytes of one name; file systems take 255."""
DEEPEST: Final = 24
"""Folders inside one another."""
_LONGEST_SAID: Final = 8_000
_NOT_IN_NAMES: Final = frozenset('<>:"|?*')
"""Signs that some file systems do not take."""
_UNNAMED: Final = "file"


def own_path(said: str) -> PurePosixPath | None:
    """Where a file of that name is kept, relative to a folder; None where too much is said. Signs that lead elsewhere,
    or that no name can have, become "_"; a name that begins with a dot, as hidden ones do, keeps it."""
    if len(said) > _LONGEST_SAID:
        return None
    parts = [_own_name(part) for part in said.replace("\\", "/").split("/") if part.strip(" .")]
    if len(parts) > DEEPEST:
        return None
    return PurePosixPath(*(parts or [_UNNAMED]))


def other_name(path: PurePosixPath, number: int) -> PurePosixPath:
    """The same in another file, where its name is taken."""
    stem = _cut(path.stem, LONGEST_NAME - len(path.suffix.encode()) - 8)
    return path.with_name(f"{stem} ({number}){path.suffix}")


def _own_name(part: str) -> str:
    kept = "".join("_" if _is_odd(sign) else sign for sign in part)
    kept = kept.rstrip(" .") or _UNNAMED
    stem, dot, suffix = kept.rpartition(".")
    if not dot or len(suffix.encode()) > LONGEST_NAME // 4:
        return _cut(kept, LONGEST_NAME)
    return _cut(stem, LONGEST_NAME - len(suffix.encode()) - 1) + dot + suffix


def _is_odd(sign: str) -> bool:
    return sign in _NOT_IN_NAMES or unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def _cut(text: str, most: int) -> str:
    """A text of so many bytes at most."""
    return text.encode()[:most].decode("utf-8", "ignore")
