"""Measures, dimensions and attributes of the fact tables, with labels that questions can tell apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...store.words import normalise
from ...texts.words import is_word
from .model import Column, Fact, Guess, Kind, Link, Path, Property, Table
from .names import called, is_key, is_summed, local_name, of_kind, singular, synonyms, without_key
from .roles import Role, column_role, counted, reached

_GENERIC = ("name", "title", "code", "number", "description", "type", "status", "kind", "date", "value")
_OWN = ("type", "start", "end", "source", "kind", "label", "time", "date", "day")
_NO_LABELS = (
    *_OWN,
    "it",
    "the",
    "as",
    "since",
    "from",
    "to",
    "on",
    "at",
    "by",
    "in",
    "of",
    "is",
    "has",
    "per",
    "who",
    "what",
    "when",
    "where",
)
_MONEY_WORDS = ("amount", "revenue", "total", "sale", "cost", "turnover", "paid", "payment", "income", "profit")


def properties_of(
    facts: Sequence[Fact], tables: Sequence[Table], links: Sequence[Link]
) -> tuple[list[Property], list[Guess]]:
    """All properties, and what is told of columns that are none."""
    by_name = {table.name: table for table in tables}
    found: list[Property] = []
    told: list[Guess] = []
    times = {(f.time[0][-1].target if f.time[0] else f.table, f.time[1].number) for f in facts if f.time}
    for (name, number), ways in _places(facts, links, by_name).items():
        if (name, number) in times:
            continue
        table, column = by_name[name], by_name[name].columns[number]
        own = next((fact for fact in facts if fact.table == name and any(f == name and not p for f, p in ways)), None)
        role = _label_role(column) if _is_label(table, column, ways) else column_role(column, table, links, own)
        told += role.guesses if role.role in ("", "attribute") else ()
        if role.role == "measure":  # reached by links, a figure would count once for each row that refers to it
            ways = [way for way in ways if not way[1]]
        if role.role:
            found += _made(table, column, role, ways)
    found = _merged(found)
    for fact in facts:
        kind = Kind.INTEGER
        label = counted(fact)
        local = local_name(label, "number")
        found.append(Property(local, label, None, ((fact.table, ()),), kind, "measure", aggregate="count"))
    labels = {normalise(fact.label) for fact in facts}
    return _ranked(_revenue(_apart(found, labels), facts), by_name), told


Ways = list[tuple[str, Path]]


def _places(facts: Sequence[Fact], links: Sequence[Link], tables: dict[str, Table]) -> dict[tuple[str, int], Ways]:
    """Every column that a fact reaches, with the facts and the links by which they do."""
    found: dict[tuple[str, int], Ways] = {}
    for fact in facts:
        for path, at in reached(fact.table, links):
            table = tables[at]
            foreign = {link.column for link in links if link.table == at}
            for column in table.columns:
                keyed = column.number in table.key and (not path or column.number != table.label)
                hidden = keyed and (bool(path) or is_key(called(column.name).words) or column.kind is Kind.INTEGER)
                if column.number not in foreign and not hidden and column.number != table.first_name:
                    found.setdefault((at, column.number), []).append((fact.table, path))
    return found


def _is_label(table: Table, column: Column, ways: Ways) -> bool:
    return column.number == table.label and any(path for _, path in ways)


def _label_role(column: Column) -> Role:
    return Role("dimension", of_kind=of_kind(called(column.name)))


def _made(table: Table, column: Column, role: Role, ways: Ways) -> Iterator[Property]:
    """The property of a column, or one for each of several ways by which a fact reaches it."""
    groups: dict[str, Ways] = {}
    for fact, path in ways:
        groups.setdefault(_way(path, [p for f, p in ways if f == fact]), []).append((fact, path))
    for way, several in groups.items():
        label, others = _labels(table, column, several[0][1], way)
        name = called(column.name)
        link_kind = of_kind(called(several[0][1][-1].words)) if several[0][1] else ""
        named = bool(several[0][1]) and column.number == table.label
        found = Property(
            local_name(label, f"column{column.number + 1}"), label, (table.name, column.number), tuple(several),
            Kind.TEXT if named else column.kind, role.role, others, role.aggregate, named=named, guesses=role.guesses,
        )  # fmt: skip
        unit = name.unit if column.numeric else ""
        member_kind = link_kind or of_kind(called(table.name)) if column.number == table.label else ""
        others = tuple(dict.fromkeys((*others, *synonyms(label, column.name))))
        yield replace(found, others=others, unit=unit, of_kind=member_kind or role.of_kind)


def _way(path: Path, all_paths: list[Path]) -> str:
    """What tells a path from the others of the same fact; nothing where there is one."""
    if len(all_paths) < 2:
        return ""
    same = sum(bool(other) and bool(path) and other[-1].words == path[-1].words for other in all_paths)
    return path[-1].words if same == 1 else path[0].words if path else ""


def _labels(table: Table, column: Column, path: Path, way: str) -> tuple[str, tuple[str, ...]]:
    """The label of a column, and other words for it."""
    name = called(column.name)
    own = singular(called(table.name).words)
    said = " ".join(_written_out(word, own) for word in name.words.split())
    words = singular(said) if column.kind is Kind.TEXT else said
    bare = words.removeprefix(f"{own} ") if path else words
    if path and column.number == table.label:
        last = path[-1].words
        label = last if not way or way == last else f"{way} {last}"
        return label, tuple(one for one in (own,) if one != label and not way)
    bare = without_key(bare) if is_key(bare) and len(bare.split()) > 1 and column.kind is Kind.TEXT else bare
    bare = bare.removeprefix("is ").removeprefix("has ") if not column.numeric else bare
    label = f"{way} {bare}" if way else f"{path[-1].words} {bare}" if path and bare in _GENERIC else bare
    label = label if any(sign.isalnum() for sign in label) else f"column {column.number + 1}"
    if label in _NO_LABELS or len(label) == 1 or (label in _GENERIC[:2] and not column.numeric):
        return f"{own} {label}", (label,) if label in (*_OWN, *_GENERIC[:2]) else ()
    counting, _, what = label.partition(" ")
    if counting in ("number", "count") and what and column.numeric and not what.startswith("of "):
        return f"number of {what}", (what,)
    others = [name.unit_words, f"{label} in {name.unit_words}"] if name.unit_words else []
    others += [f"{label} in {name.money}"] if name.money else []
    return label, tuple(dict.fromkeys(other for other in others if other and other != label and column.numeric))


def _merged(found: Sequence[Property]) -> list[Property]:
    """The properties, those dimensions as one that several fact tables have under the same name."""
    kept: dict[object, Property] = {}
    for number, one in enumerate(found):
        own = one.role == "dimension" and not any(path for _, path in one.paths)
        key = (one.label, one.kind) if own else number
        before = kept.get(key)
        if before is not None and one.column:
            one = replace(before, paths=before.paths + one.paths, also=(*before.also, one.column))
        kept[key] = one
    return list(kept.values())


def _written_out(word: str, table: str) -> str:
    """A word of a column, written out where it is the beginning of one of the table's name: `res` of reservations."""
    if not 3 <= len(word) <= 5 or is_word(word):
        return word
    return next((whole for whole in table.split() if whole.startswith(word)), word)


def _apart(found: Sequence[Property], facts: set[str]) -> list[Property]:
    """The properties with labels and names that no two share, nor one that is found by links with a fact table."""
    kept: list[Property] = []
    labels: set[str] = set()
    locals_: set[str] = {"start", "end", "label"}
    for one in sorted(found, key=_first_named):
        label = one.label
        as_fact = normalise(label) in facts and all(path for _, path in one.paths) and not one.named
        if (as_fact or normalise(label) in labels) and one.column is not None:
            label = f"{_owner(one)} {label}"
        number = 2
        plain = label
        while not normalise(label) or normalise(label) in labels:
            label, number = f"{plain} {number}", number + 1
        labels.add(normalise(label))
        others = tuple(other for other in one.others if normalise(other) not in labels)
        labels.update(map(normalise, others))
        local = base = local_name(label, "column")
        number = 2
        while local.lower() in locals_:
            local, number = f"{base}{number}", number + 1
        locals_.add(local.lower())
        kept.append(replace(one, label=label, local=local, others=others))
    return kept


def _first_named(one: Property) -> tuple[bool, bool, int]:
    own = any(not path for _, path in one.paths)
    return one.role == "attribute", not (one.named or own), min(len(path) for _, path in one.paths)


def _owner(one: Property) -> str:
    path = one.paths[0][1]
    return path[-1].words if path else singular(called(one.column[0]).words) if one.column else "row"


def _revenue(found: list[Property], facts: Sequence[Fact]) -> list[Property]:
    """The properties, with what a quantity at a price comes to, where a table has no sum of money itself."""
    for fact in facts:
        mine = [one for one in found if any(table == fact.table for table, _ in one.paths)]
        own = [one for one in mine if one.role == "measure" and one.column]
        money = any(one.label.split()[-1] in _MONEY_WORDS for one in own)
        quantity = next((one for one in own if "quantity" in one.label.split()), None)
        prices = [one for one in mine if "price" in one.label.split() and one.kind in (Kind.DECIMAL, Kind.INTEGER)]
        taken = {one.label for one in found}
        if quantity and len(prices) == 1 and not money and "revenue" not in taken:
            why = f"computed: {quantity.label} times {prices[0].label}"
            found.append(
                Property(
                    "revenue", "revenue", None, ((fact.table, ()),), Kind.DECIMAL, "measure", ("turnover",),
                    formula=f"?{quantity.local} * ?{prices[0].local}", guesses=(Guess("revenue", why, "leave it out"),),
                )
            )  # fmt: skip
    return found


def _ranked(found: Sequence[Property], tables: dict[str, Table]) -> list[Property]:
    """The properties with preferences: which is meant where a question names none."""
    measures = sorted((p for p in found if p.role == "measure"), key=lambda p: _measure_rank(p, tables))
    dimensions = sorted((p for p in found if p.role == "dimension"), key=lambda p: _dimension_rank(p, tables))
    rest = [p for p in found if p.role == "attribute"]
    return [
        *(replace(p, preference=_step(0.9, n) if p.aggregate != "count" else 0.1) for n, p in enumerate(measures)),
        *(replace(p, preference=_step(0.8, n)) for n, p in enumerate(dimensions)),
        *rest,
    ]


def _step(first: float, number: int) -> float:
    return round(max(0.12, first - 0.07 * number), 2)


def _measure_rank(one: Property, tables: dict[str, Table]) -> int:
    if one.aggregate == "count":
        return 9
    name = called(tables[one.column[0]].columns[one.column[1]].name) if one.column else called(one.label)
    if one.aggregate == "avg":
        return 3
    money = bool(one.formula or name.money) or one.label.split()[-1] in _MONEY_WORDS
    return 0 if money else 1 if is_summed(name) else 2


def _dimension_rank(one: Property, tables: dict[str, Table]) -> tuple[int, int]:
    assert one.column is not None
    column = tables[one.column[0]].columns[one.column[1]]
    depth = min(len(path) for _, path in one.paths)
    plain = 4 if column.kind is not Kind.TEXT else 3 if depth and not one.named else 0 if one.named else 1
    return plain + (0 if 2 <= column.distinct <= 200 else 2), depth
