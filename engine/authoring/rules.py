"""The rule book that questions are planned with: the shipped patterns and rules, and the user's own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ...config import own_text
from ...errors import UsageError
from ...planner.rules.rulebook import RuleBook, load_rulebook, shipped_documents, shipped_rulebook


def rulebook_with(paths: Sequence[Path], folder: Path | None = None) -> RuleBook:
    """The shipped rule book with the files' patterns and rules added; the folder keeps what makes loading it again
    quick.

    Raises UsageError where a file cannot be read, RuleError with the place of what is wrong in it.
    """
    if not paths:
        return shipped_rulebook(folder)
    return load_rulebook([*shipped_documents(), *own_documents(paths)], folder)


def own_documents(paths: Iterable[Path]) -> list[tuple[str, str]]:
    """A user's files of rules, as (path, Turtle). Raises UsageError where one cannot be read."""
    return [(str(path), _text(path)) for path in paths]


def _text(path: Path) -> str:
    try:
        return own_text(path)
    except (OSError, UnicodeDecodeError) as bad:
        raise UsageError(f"the rules {path} cannot be read: {bad}") from bad
