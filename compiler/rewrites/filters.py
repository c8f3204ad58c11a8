"""What the rewrites that move conditions have in common."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ...operators.conditions import links, operands
from ...operators.expressions import Call, Expression, Lambda
from ...operators.names import free_names
from ...operators.nodes import Extract, Filter, GroupBy, Join, Map, Node, Retrieve, Unnest
from ...operators.standard import STANDARD
from .attributes import Shape, Side, shape, sides
from .expressions import as_filter, conjunction, reads, renamed_attributes, renamed_row
from .places import Place, Setting, top_down


def tests(node: Filter) -> tuple[Expression, ...]:
    """The parts of a FILTER's condition, each of which must hold."""
    return operands(node.condition.body)


def attributes_read(node: Filter, test: Expression) -> frozenset[str] | None:
    """The attributes that a part of a FILTER's condition reads, None where it does more with the row."""
    return reads(test, node.condition.parameter)


def filtered(rows: Node, like: Filter, kept: Iterable[Expression]) -> Node:
    """The rows that parts of the condition of `like` hold for; the rows themselves for no part."""
    found = tuple(kept)
    return within(rows, replace(like.condition, body=conjunction(found))) if found else rows


def within(rows: Node, condition: Lambda) -> Node:
    """The rows that a condition holds for: in one FILTER, where they are filtered already, its condition after theirs.

    One FILTER is found by the next rewrite as it goes down; a pile of them would take a round for each.
    """
    if isinstance(rows, Filter):
        body = renamed_row(condition.body, condition.parameter, rows.condition.parameter)
        if body is not None:
            return Filter(rows.input, replace(rows.condition, body=conjunction((rows.condition.body, body))))
    return Filter(rows, condition)


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


def filters_below_groups(tree: Node, setting: Setting) -> Node:
    """The tree with conditions over keys below the GROUP_BY."""
    return top_down(tree, setting, _moved_below_groups)


def _moved_below_groups(node: Node, _place: Place) -> Node:
    if not isinstance(node, Filter) or not isinstance(node.input, Map):
        return node
    groups = _groups(node.input.input)
    if groups is None:
        return node
    keys = frozenset(groups.names) - {node.input.name}
    movable = [test for test in tests(node) if _about(node, test, keys)]
    if not movable:
        return node
    rows = replace(node.input, input=_below_groups(node.input.input, node, movable))
    return filtered(rows, node, (test for test in tests(node) if test not in movable))


def _groups(node: Node) -> GroupBy | None:
    """The GROUP_BY below FILTERs over its groups."""
    while isinstance(node, Filter):
        node = node.input
    return node if isinstance(node, GroupBy) else None


def _about(node: Filter, test: Expression, keys: frozenset[str]) -> bool:
    names = attributes_read(node, test)
    return names is not None and bool(names) and names <= keys


def _below_groups(node: Node, like: Filter, movable: list[Expression]) -> Node:
    if isinstance(node, Filter):
        return replace(node, input=_below_groups(node.input, like, movable))
    assert isinstance(node, GroupBy)
    return replace(node, input=filtered(node.input, like, movable))


_ROWS = ("i1", "i2")


def filters_below_join(tree: Node, setting: Setting) -> Node:
    """The tree with one-sided conditions on their side of the JOIN."""
    return top_down(tree, setting, _moved_below_join)


def _moved_below_join(node: Node, place: Place) -> Node:
    if isinstance(node, Join):
        return _from_condition(node)
    if isinstance(node, Filter) and isinstance(node.input, Join):
        return _from_filter(node, node.input, place)
    return node


def _from_condition(node: Join) -> Node:
    """Parts of the JOIN's condition that need only one row of the pair. One without any other part stays as it is."""
    inputs, rest = [node.left, node.right], list[Expression]()
    for whole in operands(node.condition):
        stays = list[Expression]()
        for part in links(whole):
            at = _row(part)
            condition = None if at is None else as_filter(part, _ROWS[at])
            if at is None or condition is None:
                stays.append(part)
            else:
                inputs[at] = within(inputs[at], condition)
        rest += [whole] if len(stays) == len(links(whole)) else stays
    if (inputs[0] is node.left and inputs[1] is node.right) or not rest:
        return node
    return Join(inputs[0], inputs[1], conjunction(rest))


def _row(part: Expression) -> int | None:
    """Which of i1, i2 a part is about alone."""
    names = free_names(part)
    return next((at for at, row in enumerate(_ROWS) if names == {row}), None)


def _from_filter(node: Filter, join: Join, place: Place) -> Node:
    held = sides(join, place.standard, place.below(join).named)
    if held is None:
        return node
    inputs, rest = [join.left, join.right], list[Expression]()
    for whole in tests(node):
        stays = list[Expression]()
        for part in links(whole):
            at = _side(node, part, held)
            if at is None or (at == 1 and _nearest(join.condition)):
                stays.append(part)
            else:
                own = renamed_attributes(part, node.condition.parameter, lambda name: held[name][1])
                inputs[at] = filtered(inputs[at], node, (own,))
        rest += [whole] if len(stays) == len(links(whole)) else stays
    if inputs[0] is join.left and inputs[1] is join.right:
        return node
    return filtered(replace(join, left=inputs[0], right=inputs[1]), node, rest)


def _side(node: Filter, part: Expression, held: dict[str, Side]) -> int | None:
    """The side of a JOIN that has all that a part of a condition reads."""
    names = attributes_read(node, part)
    if not names or not names <= held.keys():
        return None
    found = {held[name][0] for name in names}
    return found.pop() if len(found) == 1 else None


def _nearest(condition: Expression) -> bool:
    return any(isinstance(part, Call) and part.function == "nearest" for part in operands(condition))


def filters_below_rows(tree: Node, setting: Setting) -> Node:
    """The tree with FILTERs below the MAPs, UNNESTs and RETRIEVEs that they do not need."""
    return top_down(tree, setting, _moved_below_rows)


def _moved_below_rows(node: Node, _place: Place) -> Node:
    if not isinstance(node, Filter):
        return node
    over, added = node.input, _added(node.input)
    if added is None:
        return node
    movable = [test for test in tests(node) if _free(node, test, added)]
    if not movable:
        return node
    if isinstance(over, Retrieve):
        assert over.source is not None
        rows: Node = replace(over, source=filtered(over.source, node, movable))
    else:
        assert isinstance(over, Map | Unnest)
        rows = replace(over, input=filtered(over.input, node, movable))
    return filtered(rows, node, (test for test in tests(node) if test not in movable))


def _added(node: Node) -> frozenset[str] | None:
    """The attributes that a node adds to the rows below it; None where it does something else."""
    if isinstance(node, Retrieve) and node.source is not None:
        return frozenset()
    if isinstance(node, Map) and shape(node.input) is Shape.ROWS:
        return frozenset({node.name})
    return frozenset({node.item_name or node.name}) if isinstance(node, Unnest) else None


def _free(node: Filter, test: Expression, added: frozenset[str]) -> bool:
    names = attributes_read(node, test)
    return names is not None and not names & added
