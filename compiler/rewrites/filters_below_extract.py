"""Conditions are tested before EXTRACT reads what they do not need: a date is known, a text must be read by a model.

    FILTER(EXTRACT(x, [start_date, people, mood]), start_date > … and "Ann" in people)
        → EXTRACT(FILTER(EXTRACT(FILTER(EXTRACT(x, [start_date]), start_date > …), [people]), "Ann" in people), [mood])

Tests of nothing that the EXTRACT adds go below it; then those of standard attributes, which every event has as such;
then the others. Where the rows are answered as they are, the order of their attributes must stay, so the names are
parted in their order, and at least two are left to the upper EXTRACT (one alone would be taken for the answer).
"""

from __future__ import annotations

from ...operators.expressions import Expression
from ...operators.nodes import Extract, Filter, Node
from ...operators.standard import STANDARD
from .filters import attributes_read, filtered, tests
from .places import Place, Setting, top_down


def filters_below_extract(tree: Node, setting: Setting) -> Node:
    """The tree with FILTERs below the EXTRACTs, or parts of EXTRACTs, that they do not need."""
    return top_down(tree, setting, _moved)


def _moved(node: Node, place: Place) -> Node:
    if not isinstance(node, Filter) or not isinstance(node.input, Extract):
        return node
    needs = [(test, attributes_read(node, test)) for test in tests(node)]
    if free := [test for test, names in needs if names is not None and not names & set(node.input.names)]:
        return _below(node, node.input, free, (), place)
    known = [(test, names) for test, names in needs if names is not None]
    for chosen in ([(test, names) for test, names in known if names <= STANDARD.keys()], known):
        names = frozenset[str]().union(*(held for _, held in chosen))
        early = _early(node.input.names, names, place)
        if chosen and len(early) < len(node.input.names):
            return _below(node, node.input, [test for test, _ in chosen], early, place)
    return node


def _early(names: tuple[str, ...], needed: frozenset[str], place: Place) -> tuple[str, ...]:
    """The names to extract before a test that needs these."""
    if not place.shown:
        return tuple(name for name in names if name in needed)
    last = max((at for at, name in enumerate(names) if name in needed), default=-1)
    return names[: last + 1]


def _below(node: Filter, extract: Extract, chosen: list[Expression], early: tuple[str, ...], place: Place) -> Node:
    """The FILTER with some of its tests made after only the early names are extracted."""
    types = dict(zip(extract.names, extract.types, strict=True))
    rows = extract.input
    if early:
        rows = Extract(rows, early, tuple(types[name] for name in early))
    rows = filtered(rows, node, chosen)
    late = tuple(name for name in extract.names if name not in early)
    if place.shown and early and len(late) == 1:
        late = (early[-1], *late)
    rows = Extract(rows, late, tuple(types[name] for name in late))
    return filtered(rows, node, (test for test in tests(node) if test not in chosen))
