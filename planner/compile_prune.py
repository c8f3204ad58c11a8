"""Leaves out of a query what nothing in it uses: attributes read for an order or an EXTRACT that did not matter."""

from __future__ import annotations

import re
from collections import Counter

from .compile_reads import Reads
from .compile_scope import Lines

_VARIABLE = re.compile(r"\?[A-Za-z_][A-Za-z0-9_]*")


def pruned(reads: Reads, lines: Lines) -> Lines:
    """The lines without those that bind a variable, and change nothing else, where no other line has the variable."""
    named = [set(_VARIABLE.findall(line)) for line in lines]
    uses = Counter(name for names in named for name in names)
    kept = list[str]()
    for line, names in zip(reversed(lines), reversed(named), strict=True):
        variable = reads.idle(line.strip())
        if variable is not None and uses[variable] == 1:
            uses.subtract(names)
        else:
            kept.append(line)
    return tuple(reversed(kept))
