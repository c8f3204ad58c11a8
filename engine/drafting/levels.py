"""Hierarchies: which dimension rolls up to which, and which are attributes of members."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from .model import Column, Dependency, Guess, Kind, Link, Property, Table
from .names import called, is_level, of_kind, plural

Dependencies = Callable[[Table, Sequence[Column]], list[Dependency]]


def with_levels(
    found: Sequence[Property], tables: Sequence[Table], dependencies: Dependencies
) -> tuple[list[Property], list[Guess]]:
    """The properties with what they roll up to, or are attributes of."""
    by_name = {table.name: table for table in tables}
    up: dict[str, tuple[str, Guess]] = {}
    attributes: dict[str, tuple[str, Guess]] = {}
    for table in tables:
        groups: dict[tuple[object, ...], list[Property]] = {}
        for one in found:
            if one.role == "dimension" and one.column and one.column[0] == table.name:
                groups.setdefault(one.paths, []).append(one)
        for several in groups.values():
            columns = [table.columns[one.column[1]] for one in several if one.column and _is_group(one)]
            _inside(table, several, dependencies(table, columns), up, attributes)
            _of_members(table, several, up, attributes)
    _along_links(found, by_name, up)
    told = [guess for _, guess in (*up.values(), *attributes.values())]
    shared = {one.local: {table for table, _ in one.paths} for one in found}
    return [
        replace(
            one,
            rolls_up_to=up[one.local][0] if one.local in up and shared[one.local] & shared[up[one.local][0]] else "",
            attribute_of=attributes[one.local][0] if one.local in attributes and one.local not in up else "",
        )
        for one in found
    ], told


def _is_group(one: Property) -> bool:
    return one.kind in (Kind.TEXT, Kind.BOOLEAN) or (one.kind is Kind.INTEGER and not one.named)


def _inside(
    table: Table,
    several: Sequence[Property],
    held: Sequence[Dependency],
    up: dict[str, tuple[str, Guess]],
    attributes: dict[str, tuple[str, Guess]],
) -> None:
    """Levels by dependencies between columns: each city is in one country."""
    named = {one.column[1]: one for one in several if one.column}
    pairs = {(one.column, one.on) for one in held}
    for one in sorted(held, key=lambda d: -table.columns[d.on].distinct):
        by_way = any((one.column, other) in pairs and (other, one.on) in pairs for other in named)
        below, above = named[one.column], named[one.on]
        if by_way or below.kind is not Kind.TEXT:
            continue
        why = f"every {below.label} has one {above.label} ({one.members:,} {plural(below.label)})"
        if above.kind is Kind.TEXT and _is_level(above) and below.local not in up:
            up[below.local] = above.local, Guess(f"{below.label} → {above.label}", why)
        elif above.local not in attributes:
            other = "wh:rollsUpTo" if above.kind is Kind.TEXT else ""
            attributes[above.local] = below.local, Guess(f"{above.label}: of each {below.label}", why, other)


def _is_level(one: Property) -> bool:
    name = called(one.label)
    return is_level(name) or of_kind(name) == "place"


def _of_members(
    table: Table,
    several: Sequence[Property],
    up: dict[str, tuple[str, Guess]],
    attributes: dict[str, tuple[str, Guess]],
) -> None:
    """What stands in the table that facts refer to is of its members."""
    member = next((one for one in several if one.named), None)
    if member is None:
        return
    above = {target for target, _ in up.values()}
    for one in several:
        if one is member or one.local in attributes:
            continue
        why = f"every {member.label} has one {one.label} ({table.rows:,} {plural(member.label)})"
        if one.kind is Kind.TEXT and _is_level(one) and one.local not in above and member.local not in up:
            up[member.local] = one.local, Guess(f"{member.label} → {one.label}", why)
        elif one.local not in above:
            attributes[one.local] = member.local, Guess(f"{one.label}: of each {member.label}", why)


def _along_links(found: Sequence[Property], tables: Mapping[str, Table], up: dict[str, tuple[str, Guess]]) -> None:
    """Levels by keys: each row of the one table refers to one of the other."""
    named = [one for one in found if one.named]
    for below in named:
        ways = dict(below.paths)
        for above in named:
            link = _next(ways, dict(above.paths))
            if link is None or below.local in up or below is above:
                continue
            rows = tables[link.table].rows
            why = f"every {below.label} has one {above.label} ({rows:,} {plural(below.label)})"
            if _is_level(above) or sum(1 for other in named if _next(ways, dict(other.paths))) == 1:
                up[below.local] = above.local, Guess(f"{below.label} → {above.label}", why)


def _next(below: Mapping[str, tuple[Link, ...]], above: Mapping[str, tuple[Link, ...]]) -> Link | None:
    """The link that leads from the one to the other, in some fact table."""
    for table, path in below.items():
        way = above.get(table, ())
        if len(way) == len(path) + 1 and way[: len(path)] == path:
            return way[-1]
    return None
