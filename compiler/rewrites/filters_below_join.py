"""What a condition says of one side of a JOIN alone is asked of that side, before rows are paired.

Parts of the JOIN's own condition move, and parts of a FILTER above it. Above the JOIN a name that both sides have was
numbered (`start_date_2`); on its side it has its own name again. Where pairs are chosen by `nearest`, a FILTER above
may not take rows away from the right side: others would become the nearest.
"""

from __future__ import annotations

from dataclasses import replace

from ...operators.conditions import links, operands
from ...operators.expressions import Call, Expression
from ...operators.names import free_names
from ...operators.nodes import Filter, Join, Node
from .attributes import Side, sides
from .expressions import as_filter, conjunction, renamed_attributes
from .filters import attributes_read, filtered, tests, within
from .places import Place, Setting, top_down

_ROWS = ("i1", "i2")


def filters_below_join(tree: Node, setting: Setting) -> Node:
    """The tree with one-sided conditions on their side of the JOIN."""
    return top_down(tree, setting, _moved)


def _moved(node: Node, place: Place) -> Node:
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
