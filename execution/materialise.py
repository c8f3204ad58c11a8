"""Computes the parts of a tree that its query cannot say, or would say badly, and puts leaves for them into the tree.

Joins that no hash table answers are found by sorting; operators whose functions SPARQL cannot express are evaluated
over rows. Each result is written once, as derived triples, so that what is left of the tree is one SPARQL query.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

from ..compiler.compile import compile_tree
from ..compiler.query import CompiledQuery, Shape
from ..compiler.table import TableColumn, TableQuery, compile_table
from ..errors import TreeTypeError
from ..operators.checking.types import INT, Kind, Type
from ..operators.conditions import conjunction
from ..operators.derived import Derived, Matches, Shared, original
from ..operators.expressions import Collection, Expression, Field, Lambda, Method
from ..operators.names import joined_names
from ..operators.nodes import (
    Apply,
    ArgMax,
    ArgMin,
    Avg,
    Extract,
    Filter,
    GroupBy,
    Join,
    Map,
    Max,
    Min,
    Node,
    Qud,
    Sum,
    Unnest,
    children,
    rebuilt,
    walk,
)
from ..operators.standard import standard_attributes, used_names
from .computed import Place, reused, written, written_pairs
from .joins.counting import counting
from .joins.join_sides import Pairs, Side, merged_columns
from .joins.joining import Condition, counted, is_at_hand, joined, parted, unknown_on_both
from .joins.range_join import Integers
from .row_operators import Answered, EvaluationScope, Grouped, Many, One, Row, operate
from .tables import PARTS, Found, RowTable, read_table, read_values, type_of

T = TypeVar("T")
_FOLDING = (Apply, Min, Max, Sum, Avg, ArgMin, ArgMax)
_BY_ROWS = (Join, Filter, Map, GroupBy, Unnest, *_FOLDING)
_Folding = Apply | Min | Max | Sum | Avg | ArgMin | ArgMax
_MOST_PARTS = 64
FEW_PAIRS = 100_000
"""Pairs of a JOIN that are only counted are made all the same up to so many: they are the evidence."""


@dataclass(frozen=True)
class Part:
    """A part that was computed, for the explanation of an answer; `rows` is None where an earlier result was reused."""

    tree: Node
    graph: str
    seconds: float
    rows: int | None
    unlisted: bool = False
    """Whether it rests on more pairs of events than anybody could list."""

    @property
    def reused(self) -> bool:
        """Whether its result stood in the graph."""
        return self.rows is None


@dataclass
class Materialiser:
    """Prepares one tree. `folder` keeps columns for later joins."""

    tree: Node
    place: Place
    folder: Path | None = None
    parts: list[Part] = field(default_factory=list)
    pairs: dict[str, Pairs] = field(default_factory=dict)
    """The pairs of JOINs that were found just now, by the graph that they are written to."""
    _counts: dict[Matches, tuple[Integers, Side]] = field(default_factory=dict, init=False)

    @classmethod
    def of(cls, tree: Node, place: Place, folder: Path | None = None) -> Materialiser:
        """For a whole tree."""
        return cls(tree, replace(place, standard=standard_attributes(tree)), folder)

    @cached_property
    def _scope(self) -> EvaluationScope:
        known: dict[Node, tuple[Any, ...]] = {}

        def answers(tree: Node) -> tuple[Any, ...]:
            if tree not in known:
                known[tree] = self._values(tree)
            return known[tree]

        return EvaluationScope(self.place.now, answers)

    # ------------------------------------------------------------ compiling what can be compiled
    def prepared(self) -> tuple[Node, CompiledQuery]:
        """The tree with leaves for what was computed, and its query. Raises TreeTypeError, TooLarge."""
        return self._compiled(self.tree)

    def _compiled(self, tree: Node) -> tuple[Node, CompiledQuery]:
        return self._retried(
            tree, lambda at: compile_tree(at, self.place.resolution, self.place.now, standard=self.place.standard)
        )

    def _table_query(self, tree: Node, used: frozenset[str] | None = None) -> tuple[Node, TableQuery]:
        named = None if used is None else used | used_names(tree)
        names = tuple(name for name in self.place.standard if named is None or name in named)
        return self._retried(
            tree, lambda at: compile_table(at, self.place.resolution, self.place.now, standard=names, used=used)
        )

    def _retried(self, tree: Node, compiled: Callable[[Node], T]) -> tuple[Node, T]:
        """Compiles, with a leaf in the place of each operator that could not be, until all can."""
        tree = self._ahead(tree)
        for _ in range(_MOST_PARTS):
            try:
                return tree, compiled(tree)
            except TreeTypeError as bad:
                tree = self._without(tree, bad)
        raise TreeTypeError("too many parts of the tree cannot be said in SPARQL")

    def _without(self, tree: Node, bad: TreeTypeError) -> Node:
        failing = bad.node
        if not isinstance(failing, _BY_ROWS) or isinstance(failing, GroupBy):
            raise bad
        leaf = self._below(tree, failing)._leaf(failing)
        changed = rebuilt(tree, lambda node: leaf if node == failing else node)
        if changed == tree:
            raise bad
        return changed

    def _ahead(self, tree: Node) -> Node:
        """What is computed in any case: shared parts, and what is counted instead of joined."""

        def change(node: Node) -> Node:
            if isinstance(node, Shared):
                return self._below(tree, node)._shared(node.tree)
            counts = counting(node, self.place.standard)
            return node if counts is None else self._counted(node, counts)

        return rebuilt(tree, change)

    def _counted(self, node: Node, counts: Node) -> Node:
        """The leaf for what counts the pairs of a JOIN; the node itself where they are few enough to be evidence."""
        matches = next(part for part in walk(counts) if isinstance(part, Matches))
        found = reused(self.place, original(node), None) is not None
        if not found and int(self._partners(matches)[0].sum()) <= FEW_PAIRS:
            return node
        return self._leaf(node, counts)

    def _below(self, tree: Node, node: Node) -> Materialiser:
        """For part of a tree: what EXTRACTs above it name, RETRIEVEs in it do not give by themselves."""
        named = extracted_above(tree, node)
        given = tuple(name for name in self.place.standard if name not in named)
        return replace(self, place=replace(self.place, standard=given))

    def _shared(self, tree: Node) -> Node:
        """The leaf for a part that stands several times; the part itself where computing it again costs less. Of an
        EXTRACT, that of its input: values are read in any case."""
        if isinstance(tree, Extract):
            return replace(tree, input=self._shared(tree.input))
        small = isinstance(tree, _FOLDING) or (isinstance(tree, Map) and gives_groups(tree.input))
        if not small and not any(isinstance(part, Join) for part in walk(tree)):
            return tree
        return tree if isinstance(tree, Derived) else self._leaf(tree)

    # ------------------------------------------------------------ computing the rest
    def _leaf(self, node: Node, counts: Node | None = None) -> Node:
        """The leaf for a node, computed now or before; `counts` says the same without the pairs of a JOIN."""
        source, begin = original(node), perf_counter()
        behind = None if counts is not None or isinstance(node, Join) else _input(node)
        leaf, rows = reused(self.place, source, behind), None
        if leaf is None and isinstance(node, Join):
            leaf, rows = self._joined(node, source)
        elif leaf is None:
            leaf, rows = self._evaluated(counts or node, source, behind)
        self.parts.append(Part(source, leaf.iri, perf_counter() - begin, rows, counts is not None))
        return GroupBy(leaf, _keys(node)) if gives_groups(node) else leaf

    def _evaluated(self, node: Node, source: Node, behind: Node | None) -> tuple[Derived, int]:
        found, table = self._operated(node)
        if isinstance(found, Grouped):
            found = tuple(row for group in found.groups for row in group)
        if isinstance(found, tuple):
            made = _table(node, found, table)
            return written(self.place, source, made, None if made.queries else behind), len(found)
        return written(self.place, source, found, behind), len(found.values) if isinstance(found, Many) else 1

    def _operated(self, node: Node) -> tuple[Answered, RowTable]:
        """What an operator over rows answers, and the rows that it had."""
        found, table = self._answered(_input(node))
        return operate(node, (found,), self._scope), table

    def _partners(self, node: Matches) -> tuple[Integers, Side]:
        """How many partners each row of the left side has, and the side; found once."""
        if node not in self._counts:
            left, right, condition = self._sides(node, frozenset(node.needed))
            self._counts[node] = counted(condition, left, right), left
            left.keep()
            right.keep()
        return self._counts[node]

    def _matches(self, node: Matches) -> RowTable:
        """The rows of the left side with their numbers of partners; one row for all where only their sum is needed."""
        counts, left = self._partners(node)
        column = TableColumn(node.name, INT)
        if not node.needed:
            return RowTable((column,), (Row({node.name: int(counts.sum())}),))
        before = left.table
        pairs = zip(before.rows, counts.tolist(), strict=True)
        rows = tuple(row.adding(node.name, n) for row, n in pairs if n or not node.having)
        return replace(before, columns=(*before.columns, column), rows=rows)

    def _answered(self, node: Node) -> tuple[Answered, RowTable]:
        """What a node answers as Python values: read from the graph where it can be compiled."""
        if isinstance(node, Matches):
            table = self._matches(node)
            return table.rows, table
        if gives_groups(node) or counts_matches(node):
            found, table = self._operated(node)
            return found, _table(node, found, table) if isinstance(found, tuple) else table
        tree, query = self._compiled(node)
        if query.shape is Shape.ROWS:
            table = read_table(self._table_query(tree)[1], self.place.graph)
            return table.rows, table
        values = read_values(query, self.place.graph)
        none = RowTable((), ())
        return (Many(values), none) if query.shape is Shape.VALUES else (One(values[0] if values else None), none)

    def _values(self, tree: Node) -> tuple[Any, ...]:
        """The values that a tree answers, those that are missing left out."""
        _, query = self._compiled(tree)
        return read_values(query, self.place.graph)

    # ------------------------------------------------------------ joins
    def _sides(self, node: Join | Matches, needed: frozenset[str] = frozenset()) -> tuple[Side, Side, Condition]:
        condition, compared = parted(node.condition), attributes_of(node.condition)
        left = self._side("i1", node.left, condition.left, compared | needed)
        return left, self._side("i2", node.right, condition.right, compared), condition

    def pairs_of(self, prepared: Node) -> Pairs | None:
        """The pairs that a prepared tree answers, if it is a JOIN that was made just now or whose columns are kept, or
        one by days and moments alone."""
        if isinstance(prepared, Join):
            return replace(self, parts=[])._timed(prepared)
        if not isinstance(prepared, Derived) or not isinstance(prepared.source, Join) or not prepared.pairs:
            return None
        if prepared.iri in self.pairs:
            return self.pairs[prepared.iri]
        left, right, condition = replace(self, parts=[])._sides(prepared.source)
        if not is_at_hand(condition, left, right):
            return None
        return Pairs((left, right), joined(condition, left, right), merged_columns(left, right))

    def _timed(self, node: Join) -> Pairs | None:
        """The pairs of a JOIN that SPARQL can say, too, where days and moments are all that it needs: columns of them
        are kept for the next time. None for any other."""
        left, right, condition = self._sides(node)
        columns, named = merged_columns(left, right), attributes_of(node.condition)
        held = [column for side in (left, right) for column in side.query.columns if column.name in named]
        if condition.rest or condition.nearest or not condition.compared or len(held) != len(columns):
            return None
        if not all(column.origin and column.type.kind in (Kind.DATE, Kind.DATETIME) for column in held):
            return None
        if not (left.plain and right.plain) or unknown_on_both(condition, left, right):
            return None
        places = joined(condition, left, right)
        left.keep()
        right.keep()
        return Pairs((left, right), places, columns)

    def _side(self, name: str, tree: Node, own: tuple[Expression, ...], needed: frozenset[str]) -> Side:
        test = conjunction(own)
        if test is not None:
            tree = Filter(tree, Lambda(name, test))
        tree, full = self._table_query(tree)
        needed |= {c.name for c in full.columns if c.origin is None}

        def query(names: frozenset[str]) -> TableQuery:
            return self._table_query(tree, needed | names)[1]

        def read(names: frozenset[str]) -> Found:
            asked = replace(query(names), columns=full.columns)
            return Found(asked, self.place.graph.select(asked.query.sparql))

        identity = f"{self.place.step(tree).generation}\n{query(frozenset()).query.sparql}"
        return Side(name, read, self._scope, identity, full, self.folder)

    def _joined(self, node: Join, source: Node) -> tuple[Derived, int]:
        left, right, condition = self._sides(node)
        one, other = joined(condition, left, right)
        columns = merged_columns(left, right)
        queries = (*left.query.queries, *right.query.queries)
        left.keep()
        right.keep()
        if left.plain and right.plain:
            mine, theirs = ([event.decode() for event in side.events] for side in (left, right))
            pairs = [(mine[a], theirs[b]) for a, b in zip(one.tolist(), other.tolist(), strict=True)]
            leaf = written_pairs(self.place, source, columns, pairs, queries)
            self.pairs[leaf.iri] = Pairs((left, right), (one, other), columns)
            return leaf, len(pairs)
        rows = tuple(_pair(left.table.rows[a], right.table.rows[b]) for a, b in zip(one, other, strict=True))
        return written(self.place, source, RowTable(columns, rows, queries), None), len(rows)


def gives_groups(node: Node) -> bool:
    """Whether a node answers groups."""
    return isinstance(node, GroupBy) or (isinstance(node, Filter) and gives_groups(node.input))


def counts_matches(node: Node) -> bool:
    """Whether the rows that a node works on come from counting the matches of a join."""
    if isinstance(node, Matches):
        return True
    return isinstance(node, Filter | Map | GroupBy | Unnest | _Folding) and counts_matches(node.input)


def _keys(node: Node) -> tuple[str, ...]:
    return node.names if isinstance(node, GroupBy) else _keys(_input(node))


def extracted_above(tree: Node, part: Node, named: frozenset[str] = frozenset()) -> frozenset[str]:
    """The names that EXTRACTs above a part of a tree give its events, as far up as rows are the same rows."""
    if tree == part:
        return named
    for below in children(tree):
        if any(node == part for node in walk(below)):
            direct = any(getattr(tree, name, None) is below for name in ("input", "left", "right", "source", "tree"))
            if not direct or isinstance(tree, GroupBy | Min | Max | Sum | Avg | ArgMin | ArgMax):
                named = frozenset()
            elif isinstance(tree, Extract):
                named |= frozenset(tree.names)
            return extracted_above(below, part, named)
    return named


def _input(node: Node) -> Node:
    return node.input  # type: ignore[attr-defined]


def _table(node: Node, rows: tuple[Row, ...], before: RowTable) -> RowTable:
    """Rows with the types of their attributes: as they were read, or as their values are."""
    added = _added(node)
    lost = isinstance(node, Map) and gives_groups(node.input)
    kept = _keys(_input(node)) if lost else tuple(column.name for column in before.columns)
    held = {column.name: replace(column, origin=None) if lost else column for column in before.columns}
    known = {name: held[name] for name in kept if name != added}
    names = list(rows[0]) if rows else [*known, *([added] if added else [])]
    columns = tuple(
        known.get(name) or TableColumn(name, _named(node, type_of([row[name] for row in rows]))) for name in names
    )
    return RowTable(columns, rows, () if lost else before.queries, added or before.focus)


def _named(node: Node, kind: Type) -> Type:
    """The type of tuples, with the parts of the calendar that their items are: (month, year) is a month.

    A list is of any length, however many items its values happen to have.
    """
    body = node.function.body if isinstance(node, Map) and isinstance(node.function, Lambda) else None
    if kind.kind is not Kind.TUPLE or not kind.part:
        return kind
    if not isinstance(body, Collection) or body.kind != "tuple":
        kinds = set(kind.part.rstrip("*").split(","))
        return replace(kind, part=f"{kinds.pop()}*") if len(kinds) == 1 else kind
    names = [item.name if isinstance(item, Field | Method) and item.name in PARTS else None for item in body.items]
    kinds = kind.part.split(",")
    return replace(kind, part=",".join(name or other for name, other in zip(names, kinds, strict=True)))


def _added(node: Node) -> str | None:
    """The attribute that an operator adds."""
    if isinstance(node, Map):
        return node.name
    return (node.item_name or node.name) if isinstance(node, Unnest) else None


def _pair(left: Row, right: Row) -> Row:
    return Row(joined_names(left, right), (*left.events, *right.events))


def attributes_of(expression: Expression) -> frozenset[str]:
    """The attributes that an expression uses, by name."""
    return used_names(Filter(Qud("?"), Lambda("x", expression)))
