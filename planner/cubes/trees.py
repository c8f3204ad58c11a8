"""The operator tree of a cube query, and the form of its answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ...operators.expressions import Literal
from ...operators.syntax.printing import format_expression
from ..search.plan import AnswerForm
from .cube import Attribute, Cube, Dimension
from .query import Condition, CubeQuery, Kept, Key, Metric, Order, Pair, Value

MOST_COMPARED: Final = 12
"""Members up to which values are compared; more of them are a distribution."""
_GRAINS: Final = {
    "month": "date({0}.year, {0}.month, 1)",
    "month_of_year": "{0}.month",
    "year": "{0}.year",
    "quarter": "date({0}.year, (({0}.month - 1) // 3) * 3 + 1, 1)",
    "weekday": "{0}.weekday()",
    "day": "{0}",
    "week": "{0} - timedelta(days={0}.weekday())",
}
_FOLDS: Final = {"sum": "sum", "avg": "mean", "min": "min", "max": "max"}
_TOTALS: Final = {"sum": "SUM", "avg": "AVG", "min": "MIN", "max": "MAX"}


def quoted(text: str) -> str:
    """A text as trees write it."""
    return format_expression(Literal(text))


def tree_of(query: CubeQuery, cube: Cube) -> str:
    """The text of the tree."""
    return _Writer(query, cube).tree()


def form_of(query: CubeQuery) -> AnswerForm:
    """What the answer looks like."""
    measures = tuple(one.attribute.iri for value in query.values for one in metrics(value) if one.attribute is not None)
    dimensions = tuple(key.attribute.iri for key in query.by if key.attribute is not None)
    limits = tuple(dict.fromkeys(one.on for one in query.where if one.on))
    kind, column = _answer(query)
    unit = (
        query.values[0].attribute.unit
        if query.values
        and isinstance(query.values[0], Metric)
        and query.values[0].attribute
        and query.values[0].way not in ("count", "distinct")
        else None
    )
    return AnswerForm(kind, unit, column, query.shape == "members", _analysis(query), measures, dimensions, limits)


def metrics(value: Value) -> tuple[Metric, ...]:
    """The metrics of a value."""
    return (value.left, value.right) if isinstance(value, Pair) else (value,)


def name_of(value: Value) -> str:
    """What a value is called in trees."""
    if isinstance(value, Pair):
        return {"percent": "share"}.get(value.way, value.way)
    if value.way == "count":
        return "number"
    assert value.attribute is not None
    return value.attribute.key if value.way != "distinct" else f"number_of_{value.attribute.key}"


def _answer(query: CubeQuery) -> tuple[str, str | None]:
    shape = query.shape
    if shape in ("events", "exists", "when"):
        return {"events": "events", "exists": "boolean", "when": "date"}[shape], None
    if shape in ("rank", "mean") or shape.endswith("groups"):
        return "number", None
    if query.by and (query.order is not None or not query.values or shape in ("members", "without", "absent")):
        grain = query.by[0].grain
        return (grain if grain in ("month", "weekday") else "text"), query.by[0].name
    if not query.by:
        is_test = bool(query.values) and isinstance(query.values[0], Pair) and query.values[0].way in ("more", "fewer")
        return ("boolean" if is_test else "number"), None
    return "number", "share" if shape == "share" else name_of(query.values[0])


def _analysis(query: CubeQuery) -> str:
    if not query.by or query.shape in ("events", "exists", "when", "rank", "mean") or query.shape.endswith("groups"):
        return "" if query.shape == "events" else "number"
    if query.shape in ("members", "without", "absent") or not query.values:
        return "list"
    if query.shape == "share":
        return "share"
    if query.order is not None:
        return "ranking"
    dimensions = [key.attribute for key in query.by if isinstance(key.attribute, Dimension)]
    limited = {one.on for one in query.where}
    if query.distribution:
        return "distribution"
    if any(key.grain for key in query.by) or any(one.sort == "time" for one in dimensions):
        return "trend"
    if any(one.is_number for one in dimensions):
        return "distribution"
    if len(query.by) == 1 and dimensions and dimensions[0].sort == "place" and not query.sides:
        return "places"
    many = any(one.members > MOST_COMPARED and one.iri not in limited for one in dimensions)
    return "distribution" if many and not query.sides else "comparison"


class _Writer:
    """Writes one query."""

    def __init__(self, query: CubeQuery, cube: Cube) -> None:
        self.query = query
        self.cube = cube

    # ------------------------------------------------------------ facts
    def facts(self, facts: str, where: Iterable[Condition], reads: Iterable[Attribute] = ()) -> str:
        """The facts that count, with what is read of them."""
        where = tuple(where)
        columns = {one.key: one.kind for condition in where for one in condition.reads} | {o.key: o.kind for o in reads}
        tree = f"RETRIEVE(query={quoted(self.cube.facts[facts].label)})"
        if columns:
            names = ", ".join(quoted(key) for key in sorted(columns))
            kinds = ", ".join(columns[key] for key in sorted(columns))
            tree = f"EXTRACT(l={tree}, attr_names=[{names}], attr_types=[{kinds}])"
        if not where:
            return tree
        return f"FILTER(l={tree}, filter=lambda attr: {_all(where, 'attr')})"

    def rows(self, value: Value | None, where: Iterable[Condition], by: tuple[Key, ...], facts: str = "") -> str:
        """The facts of a value, with their groups' keys."""
        found = metrics(value) if value is not None else ()
        reads = [one for metric in found for one in _read(metric)]
        reads += [key.attribute for key in by if key.attribute is not None]
        tree = self.facts(found[0].facts if found else facts, where, reads)
        for key in by:
            if key.grain:
                tree = f"MAP(l={tree}, fct=lambda attr: {self._grain(key.grain)}, res_name={quoted(key.name)})"
        return tree

    def _grain(self, grain: str) -> str:
        if grain == "hour":
            return 'attr["start_time"].hour'
        day = 'attr["start_date"]'
        if grain.startswith("fiscal"):
            begins = self.cube.fiscal or 1
            later = 0 if begins == 1 else 1
            year = f"{day}.year + ({later} if {day}.month >= {begins} else 0)"
            return year if grain == "fiscal_year" else f"({year}) * 10 + (({day}.month - {begins}) % 12) // 3 + 1"
        return _GRAINS[grain].format(day)

    # ------------------------------------------------------------ values
    def total(self, value: Value, where: tuple[Condition, ...]) -> str:
        """One value of all facts."""
        if isinstance(value, Pair):
            return self._pair_total(value, where)
        where = self.limits(value, where)
        if value.where:
            where = (*where, *value.where)
            value = Metric(value.facts, value.way, value.attribute, value.weight, (), value.at)
        rows = self.rows(value, where, ())
        if value.way == "count":
            return f"APPLY(l={rows}, fct=len)"
        assert value.attribute is not None
        if value.way in _TOTALS and value.weight is None:
            return f"{_TOTALS[value.way]}(l={rows}, attr_name={quoted(value.attribute.key)})"
        if value.way == "distinct":
            return f"APPLY(l=GROUP_BY(l={rows}, attr_names=[{quoted(value.attribute.key)}]), fct=len)"
        return f"APPLY(l={rows}, fct=lambda rows: {computed(value, 'rows')})"

    @staticmethod
    def limits(metric: Metric, where: Iterable[Condition]) -> tuple[Condition, ...]:
        """The conditions that the facts of a metric can have; `Head.unmet` tells of those that none has."""
        return tuple(one for one in where if all(metric.facts in column.facts for column in one.reads))

    def _pair_total(self, pair: Pair, where: tuple[Condition, ...]) -> str:
        left, right = self.total(pair.left, where), self.total(pair.right, where)
        return f"APPLY(l={left}, fct=lambda value: {_paired(pair, 'value', f'{right}.result')})"

    def table(self, values: tuple[Value, ...], where: tuple[Condition, ...]) -> str:
        """The values of each group."""
        by = self.query.by
        keys = ", ".join(quoted(key.name) for key in by)
        if not values:
            return f"GROUP_BY(l={self.rows(None, where, by, self.query.facts)}, attr_names=[{keys}])"
        tables = [self._column(value, where, keys) for value in values]
        same = " and ".join(f"i1.{key.name} == i2.{key.name}" for key in by)
        tree = tables[0]
        for other in tables[1:]:
            tree = f"JOIN(l1={tree}, l2={other}, condition={quoted(same)})"
        return tree

    def _column(self, value: Value, where: tuple[Condition, ...], keys: str) -> str:
        by, name = self.query.by, quoted(name_of(value))
        found = metrics(value)
        if len({metric.facts for metric in found}) == 1:
            if isinstance(value, Pair):
                body = _paired(value, *(computed(one, "group") for one in found))
            elif value.where:
                where = (*where, *value.where)
                body = computed(Metric(value.facts, value.way, value.attribute, value.weight, (), value.at), "group")
            else:
                body = computed(value, "group")
            function = "len" if body == "len(group)" else f"lambda group: {body}"
            groups = f"GROUP_BY(l={self.rows(value, where, by)}, attr_names=[{keys}])"
            return f"MAP(l={groups}, fct={function}, res_name={name})"
        assert isinstance(value, Pair)
        sides = []
        for side, metric in zip(("left", "right"), found, strict=True):
            rows = self.rows(metric, (*self.limits(metric, where), *metric.where), by)
            plain = Metric(metric.facts, metric.way, metric.attribute, metric.weight, (), metric.at)
            body = computed(plain, "group")
            groups = f"GROUP_BY(l={rows}, attr_names=[{keys}])"
            sides.append(f"MAP(l={groups}, fct=lambda group: {body}, res_name={quoted(side)})")
        same = " and ".join(f"i1.{key.name} == i2.{key.name}" for key in by)
        joined = f"JOIN(l1={sides[0]}, l2={sides[1]}, condition={quoted(same)})"
        sides_of_row = 'row["left"]', 'row["right"]'
        return f"MAP(l={joined}, fct=lambda row: {_paired(value, *sides_of_row)}, res_name={name})"

    # ------------------------------------------------------------ the whole
    def tree(self) -> str:
        """The tree of the query."""
        query = self.query
        if query.shape in ("events", "exists", "when"):
            return self._of_facts()
        if not query.by:
            total = self.total(query.values[0], query.where)
            return f"APPLY(l={total}, fct=lambda value: value {query.factor})" if query.factor else total
        if query.shape in ("without", "without_groups", "absent", "absent_groups"):
            tree = self._without() if query.shape.startswith("without") else self._absent()
            return f"APPLY(l={tree}, fct=len)" if query.shape.endswith("groups") else tree
        tree = self._groups()
        if query.shape == "groups":
            return f"APPLY(l={tree}, fct=len)"
        return self._shaped(tree) if query.values else tree

    def _groups(self) -> str:
        """The groups that are kept, with their values."""
        tree = self.table(self.query.values, self.query.where)
        for kept in self.query.kept:
            tree = self._kept(tree, kept)
        return tree

    def _shaped(self, tree: str) -> str:
        """What is made of a table."""
        query = self.query
        name = name_of(query.values[0])
        if query.shape == "mean":
            return self._mean(tree, name)
        if query.shape == "share":
            whole = self.total(query.values[0], query.where)
            tree = f'MAP(l={tree}, fct=lambda row: 100 * row["{name}"] / {whole}.result, res_name="share")'
            name = "share"
        if query.shape == "running":
            return self._running(tree, name)
        if query.shape == "rank":
            return self._rank(tree, name)
        return ordered(tree, name, query.order) if query.order is not None else tree

    def _of_facts(self) -> str:
        query = self.query
        reads = [query.ranked_by] if query.ranked_by is not None else []
        rows = self.facts(query.facts, query.where, reads)
        if query.shape == "exists":
            if query.by:
                return f"APPLY(l={self._groups()}, fct=lambda rows: len(rows) > 0)"
            return f"APPLY(l={rows}, fct=lambda rows: len(rows) > 0)"
        if query.shape == "when":
            return f'{"MIN" if query.end == "first" else "MAX"}(l={rows}, attr_name="start_date")'
        if query.end:
            number = max(1, query.order.number if query.order else 1)
            cut = f"[:{number}]" if query.end == "first" else f"[-{number}:]"
            return f'APPLY(l={rows}, fct=lambda rows: sorted(rows, key=lambda row: row["start_datetime"]){cut})'
        if query.order is not None and query.ranked_by is not None:
            return ordered(rows, query.ranked_by.key, query.order)
        return rows

    def _without(self) -> str:
        """Members of all facts of which none meets the conditions that are negated."""
        (key,) = query_by = self.query.by
        metric = self.query.values[0]
        assert isinstance(metric, Metric)
        rows = self.rows(Metric(metric.facts, "count", None, None, metric.where), self.query.where, query_by)
        inside = _all(metric.where, "row") if metric.where else "True"
        tree = f"GROUP_BY(l={rows}, attr_names=[{quoted(key.name)}])"
        tree = f'MAP(l={tree}, fct=lambda group: sum(1 for row in group if {inside}), res_name="number")'
        return f'FILTER(l={tree}, filter=lambda row: row["number"] == 0)'

    def _absent(self) -> str:
        """Members that other facts have, and these have not."""
        (key,) = self.query.by
        metric = self.query.values[0]
        assert isinstance(metric, Metric)
        assert key.attribute is not None
        own = f'row["{key.name}"]'
        these = self.facts(metric.facts, self.query.where, [key.attribute])
        held = f"APPLY(l={these}, fct=lambda rows: set({own} for row in rows))"
        rows = self.facts(self.query.facts, (), [key.attribute])
        kept = f'FILTER(l={rows}, filter=lambda attr: attr["{key.name}"] not in {held}.result)'
        return f"GROUP_BY(l={kept}, attr_names=[{quoted(key.name)}])"

    def _kept(self, tree: str, kept: Kept) -> str:
        name = name_of(kept.value)
        if kept.number is None and isinstance(kept.value, Metric) and kept.value.way == "avg":
            whole = self.total(kept.value, self.query.where)
            return f'FILTER(l={tree}, filter=lambda row: row["{name}"] {kept.test} {whole}.result)'
        if kept.number is not None:
            return f'FILTER(l={tree}, filter=lambda row: row["{name}"] {kept.test} {kept.number})'
        return (
            f'FILTER(l={tree}, filter=lambda row: row["{name}"] {kept.test} AVG(l={tree}, attr_name="{name}").result)'
        )

    def _mean(self, tree: str, name: str) -> str:
        if self.query.over == "median":
            return f'APPLY(l={tree}, fct=lambda rows: median([row["{name}"] for row in rows]))'
        return f'{_TOTALS[self.query.over]}(l={tree}, attr_name="{name}")'

    def _running(self, tree: str, name: str) -> str:
        key = self.query.by[0].name
        pairs = f'JOIN(l1={tree}, l2={tree}, condition="i1.{key} >= i2.{key}")'
        groups = f'GROUP_BY(l={pairs}, attr_names=["{key}"])'
        return f'MAP(l={groups}, fct=lambda group: sum(row["{name}_2"] for row in group), res_name="running_total")'

    def _rank(self, tree: str, name: str) -> str:
        key = self.query.by[0].name
        sign = "<" if self.query.order is not None and self.query.order.way == "least" else ">"
        own = f'max(r["{name}"] for r in rows if r["{key}"] == {quoted(self.query.subject)})'
        return f'APPLY(l={tree}, fct=lambda rows: 1 + sum(1 for row in rows if row["{name}"] {sign} {own}))'


def ordered(tree: str, name: str, order: Order) -> str:
    """The rows of a table in order, or the best of them; all that are as good as the last of the wanted number."""
    value, key = f'row["{name}"]', quoted(name)
    most = order.way == "most"
    reverse = ", reverse=True" if most else ""
    if order.within:
        same = f'max(r[{key}] for r in rows if r["{order.within}"] == row["{order.within}"])'
        best = same if most else same.replace("max(", "min(", 1)
        return f"APPLY(l={tree}, fct=lambda rows: [row for row in rows if {value} == {best}])"
    if order.one:
        best = f"{'MAX' if most else 'MIN'}(l={tree}, attr_name={key}).result"
        return f"FILTER(l={tree}, filter=lambda row: {value} == {best})"
    if order.place > 1:
        at = f"APPLY(l={tree}, fct=lambda rows: sorted(set(row[{key}] for row in rows){reverse})[{order.place - 1}])"
        return f"FILTER(l={tree}, filter=lambda row: {value} == {at}.result)"
    if order.number:
        known = f"[{value} for row in rows if {value} is not None]"
        least = f"APPLY(l={tree}, fct=lambda rows: sorted({known}{reverse})[:{order.number}][-1])"
        tree = f"FILTER(l={tree}, filter=lambda row: {value} {'>=' if most else '<='} {least}.result)"
    return f"APPLY(l={tree}, fct=lambda rows: sorted(rows, key=lambda row: {value}{reverse}))"


def computed(metric: Metric, rows: str) -> str:
    """What a metric is of rows."""
    where = _all(metric.where, "row") if metric.where else ""
    inside = f" if {where}" if where else ""
    if metric.way == "count":
        return f"sum(1 for row in {rows}{inside})" if where else f"len({rows})"
    assert metric.attribute is not None
    value = f'row["{metric.attribute.key}"]'
    if metric.weight is not None and metric.way == "avg":
        weight = f'row["{metric.weight.key}"]'
        return f"sum({value} * {weight} for row in {rows}{inside}) / sum({weight} for row in {rows}{inside})"
    if metric.way == "distinct":
        return f"len(set({value} for row in {rows}{inside}))"
    both = f"{value} is not None" + (f" and {where}" if where else "")
    known = f"[{value} for row in {rows} if {both}]"
    if metric.way == "median":
        return f"median({known})"
    if metric.way == "percentile":
        return f"percentile({known}, {metric.at})"
    return f"{_FOLDS[metric.way]}({value} for row in {rows}{inside})"


def _read(metric: Metric) -> list[Attribute]:
    found = [one for condition in metric.where for one in condition.reads]
    return found + [one for one in (metric.attribute, metric.weight) if one is not None]


def _all(where: Iterable[Condition], row: str) -> str:
    parts = [one.text.replace("{}", row) for one in where]
    if len(parts) == 1:
        return parts[0]
    return " and ".join(f"({part})" if " or " in part or " if " in part else part for part in parts)


def _paired(pair: Pair, left: str, right: str) -> str:
    scale = f"{pair.scale} * " if pair.scale != 1 else ""
    return {
        "ratio": f"{scale}({left}) / ({right})",
        "percent": f"100 * ({left}) / ({right})",
        "minus": f"({left}) - ({right})",
        "growth": f"100 * (({right}) - ({left})) / ({left})",
        "more": f"({left}) > ({right})",
        "fewer": f"({left}) < ({right})",
    }[pair.way]
