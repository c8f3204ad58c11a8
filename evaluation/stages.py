"""Where a wrong answer went wrong (ReQAP, section 5, "Error analysis"), by what a run noted and the gold events.

The paper sorted 50 errors by hand into operator tree, RETRIEVE and EXTRACT. Here events decide:

    not asked     there is no prediction
    declined      no answer was given (nothing found, or not understood)
    failed        the run raised an error
    RETRIEVE      a happening that the answer rests on was in no RETRIEVE's result, though others were; or texts that
                  tell of nothing of the kind were among the events behind the answer
    EXTRACT       all happenings were retrieved, but a condition on a value that was read left some out; or the answer
                  rests on exactly the right events, and the value was read from them
    tree          anything else: other events were asked for, a condition is missing, the wrong function was computed
    wrong         an answer was given, and no events are known to tell where it went wrong
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ..extraction.documents import TEXT_CLASSES
from ..operators.nodes import Extract, Node, children
from ..operators.syntax.text import read_tree
from .suites.base import Gold

NOT_ASKED, DECLINED, FAILED = "not asked", "declined", "failed"
TREE, RETRIEVE, EXTRACT, WRONG = "tree", "RETRIEVE", "EXTRACT", "wrong"
TEXTS: Final = frozenset(iri.rsplit("#", 1)[-1] for iri in TEXT_CLASSES)
"""Classes of events that tell in words; others are what they are."""
_TIMES: Final = frozenset(
    {"start_date", "end_date", "start_time", "end_time", "date", "start_datetime", "end_datetime"}
)


def stage_of_error(gold: Gold, trace: Mapping[str, Any] | None, *, asked: bool, declined: bool) -> str:
    """The stage that a question's wrong answer is due to."""
    if not asked:
        return NOT_ASKED
    if trace is not None and trace.get("failed"):
        return FAILED
    if declined:
        return DECLINED
    if gold.happenings is None or trace is None or "retrieved" not in trace:
        return WRONG
    retrieved = {str(event) for found in trace["retrieved"].values() for event in found}
    behind = {str(event): str(kind) for event, kind in trace.get("behind", ())}
    return _by_events(gold.happenings, retrieved, behind, str(trace.get("plan", "")))


def _by_events(
    happenings: tuple[frozenset[str], ...], retrieved: set[str], behind: Mapping[str, str], plan: str
) -> str:
    found = [happening for happening in happenings if happening & retrieved]
    if happenings and not found:
        return TREE if retrieved else RETRIEVE
    if len(found) < len(happenings):
        return RETRIEVE
    rest = [happening for happening in happenings if happening & behind.keys()]
    reads = any(key not in _TIMES for key in keys_of(plan))
    if len(rest) < len(happenings):
        return EXTRACT if reads else TREE
    known = frozenset[str]().union(*happenings)
    others = [kind for event, kind in behind.items() if event not in known]
    if others:
        return RETRIEVE if all(kind in TEXTS for kind in others) else TREE
    return EXTRACT if reads else TREE


def keys_of(plan: str) -> frozenset[str]:
    """The keys that a tree in text form extracts."""
    return frozenset(_keys(read_tree(plan).node)) if plan else frozenset()


def _keys(tree: Node) -> Iterator[str]:
    if isinstance(tree, Extract):
        yield from tree.names
    for part in children(tree):
        yield from _keys(part)
