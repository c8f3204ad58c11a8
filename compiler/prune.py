"""Leaves out of a query what nothing in it uses: attributes read for an order or an EXTRACT that did not matter."""

from __future__ import annotations

import re
from collections import Counter

from .reads import Reads
from .scope import Lines

_VARIABLE = re.compile(r"\?[A-Za-z_][A-Za-z0-9_]*")
_LEAST = re.compile(r" \(MIN\((\?\w+)\) AS (\?\w+)\)")


def pruned(reads: Reads, lines: Lines) -> Lines:
    """The lines without those that bind a variable, and change nothing else, where no other line has the variable.

    A part that stands twice in a query joins on its events, so what is read of them may go from both. What a BIND names
    may be what parts are joined on.
    """
    uses = Counter(name for line in lines for name in _named(line))
    copies = Counter(line.strip() for line in lines)
    kept = list[str]()
    for line in _without_unused(lines, uses):
        text = line.strip()
        variable = reads.idle(text)
        if variable is not None and uses[variable] == (1 if text.startswith("BIND(") else copies[text]):
            uses.subtract(_named(line))
            copies[text] -= 1
        else:
            kept.append(line)
    return tuple(reversed(kept))


def _without_unused(lines: Lines, uses: Counter[str]) -> list[str]:
    """The lines from last to first, with no attribute in the head of a subquery for events that nothing else names."""
    heads = Counter(line.strip() for line in lines if line.lstrip().startswith("SELECT ?") and "(MIN(" in line)
    shorter = dict[str, str]()
    for head, copies in heads.items():
        shorter[head] = head
        for inner, name in _LEAST.findall(head):
            if uses[name] == copies:
                shorter[head] = shorter[head].replace(f" (MIN({inner}) AS {name})", "")
                uses.subtract({inner: copies, name: copies})
    made = list[str]()
    for line in reversed(lines):
        text = line.strip()
        made.append(line.replace(text, shorter[text]) if text in shorter else line)
    return made


def _named(line: str) -> set[str]:
    return set(_VARIABLE.findall(line))
