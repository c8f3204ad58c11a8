"""docs/messages.md: the sentences that people are told, as they stand in the code (`python tests/messages.py`)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
DOCUMENT: Final = ROOT / "docs" / "messages.md"
ASKING: Final = (
    "engine/asking", "engine/answers", "engine/conversation", "engine/functions", "execution",
    "retrieval", "extraction", "planner/search", "planner/annotation", "planner/patterns/limits.py",
)  # fmt: skip
"""What speaks while a question is answered. Messages about files, commands and rules stand with these."""
SHORTEST: Final = 3
"""Words of a sentence."""
HEAD: Final = """# What people are told

The sentences that a question may be answered with besides its values: what is not sure of an answer, why there is none,
how words were read. They are those of the code (`python tests/messages.py` writes this list); “…” stands for words of
the question, of the data, or numbers. What is computed is told by `--explain`.

"""


def document() -> str:
    """The whole list, a section a module."""
    parts = [HEAD]
    for path in sorted(path for part in ASKING for path in _modules(ROOT / part)):
        said = dict.fromkeys(_sentences(ast.parse(path.read_text(encoding="utf-8"))))
        if said:
            parts.append(f"## {path.relative_to(ROOT)}\n\n" + "".join(f"- {one}\n" for one in said) + "\n")
    return "".join(parts).rstrip() + "\n"


def _modules(part: Path) -> Iterator[Path]:
    yield from [part] if part.is_file() else (one for one in part.rglob("*.py") if "__pycache__" not in one.parts)


def _sentences(tree: ast.Module) -> Iterator[str]:
    """Texts with blanks in them, and what is raised, that read as sentences."""
    quoted = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    quoted |= {id(part) for node in ast.walk(tree) for part in _listed(node)}
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if id(node) in quoted or id(node) in inside:
            continue
        text = _text(node)
        if text is not None and _is_sentence(text):
            yield text


def _listed(node: ast.AST) -> list[ast.expr]:
    """Texts that are lists of words: what `_set` and `split` are given."""
    if not isinstance(node, ast.Call):
        return []
    called = node.func
    if isinstance(called, ast.Name) and called.id == "_set":
        return node.args
    return [called.value] if isinstance(called, ast.Attribute) and called.attr == "split" else []


def _text(node: ast.AST) -> str | None:
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value.replace("{}", "…")
    return None


def _is_sentence(text: str) -> bool:
    """Whether a text is told to people: words in plain English, and no query, pattern, tree or list of words."""
    words = text.split()
    plain = sum(word.strip("“”'\",.;:?!()…-–").replace("'", "").isalpha() or "…" in word for word in words)
    coded = any(sign in text for sign in ("\n", "{", "?P<", "http", "lambda", "SELECT", "=", "_", "|", "\\"))
    return len(words) > SHORTEST and not coded and plain >= 0.8 * len(words) and any(w in _VERBS for w in words)


_VERBS: Final = frozenset(
    """is are was were be has have had does do did can could cannot may tells tell told found find finds reads read says
    say said needs need looks look means mean knows know understand understood stands stand begins ends gives give takes
    take names name holds lacks searched used left counted not nothing no none""".split()  # noqa: SIM905 - words
)

if __name__ == "__main__":
    DOCUMENT.write_text(document(), encoding="utf-8")
