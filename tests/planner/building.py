"""Builders of trees in text form, so that the tables of expected trees can be read."""

from __future__ import annotations

DATE, TIME, MOMENT = "date.fromisoformat", "time.fromisoformat", "datetime.fromisoformat"


def get(query: str) -> str:
    return f'RETRIEVE(query="{query}")'


def ext(inner: str, **attributes: str) -> str:
    names = ", ".join(f'"{name}"' for name in attributes)
    return f"EXTRACT(l={inner}, attr_names=[{names}], attr_types=[{', '.join(attributes.values())}])"


def keep(inner: str, condition: str) -> str:
    return f"FILTER(l={inner}, filter=lambda attr: {condition})"


def days(inner: str, begin: str | None, end: str | None) -> str:
    def day(text: str) -> str:
        return f"date({', '.join(str(int(part)) for part in text.split('-'))})"

    if begin == end and begin:
        condition = f'attr["start_date"] == {day(begin)}'
    else:
        parts = [f'attr["start_date"] >= {day(begin)}'] if begin else []
        parts += [f'attr["start_date"] <= {day(end)}'] if end else []
        condition = " and ".join(parts)
    return keep(ext(inner, start_date=DATE), condition)


def year(inner: str, number: int) -> str:
    return days(inner, f"{number}-01-01", f"{number}-12-31")


def count(inner: str) -> str:
    return f"APPLY(l={inner}, fct=len)"


def total(inner: str, name: str, kind: str = "float") -> str:
    return f'SUM(l={ext(inner, **{name: kind})}, attr_name="{name}")'


def fold(operator: str, inner: str, name: str, kind: str = "float") -> str:
    return f'{operator}(l={ext(inner, **{name: kind})}, attr_name="{name}")'


def unnest(inner: str, name: str) -> str:
    return f'UNNEST(l={inner}, nested_attr_name="{name}")'


def group(inner: str, name: str) -> str:
    return f'GROUP_BY(l={inner}, attr_names=["{name}"])'


def counts(inner: str) -> str:
    return f'MAP(l={inner}, fct=len, res_name="count")'


def arg(operator: str, inner: str, by: str, value: str) -> str:
    return f'{operator}(l={inner}, arg_attr_name="{by}", val_attr_name="{value}")'


def most(events: str, name: str, kind: str = "str", operator: str = "ARGMAX") -> str:
    read = ext(events, **{name: kind})
    rows = unnest(read, name) if kind == "list" else read
    return arg(operator, counts(group(rows, name)), "count", name)


def when_most(events: str, name: str, key: str, operator: str = "ARGMAX") -> str:
    keyed = f'MAP(l={ext(events, start_date=DATE)}, fct=lambda attr: {key}, res_name="{name}")'
    return arg(operator, counts(group(keyed, name)), "count", name)


def edge(operator: str, events: str, name: str, kind: str = "str") -> str:
    return arg(operator, ext(events, start_datetime=MOMENT, **{name: kind}), "start_datetime", name)


SONGS = get("songs I listened to")
MONTH = 'date(attr["start_date"].year, attr["start_date"].month, 1)'


def keyed(inner: str, name: str, key: str) -> str:
    """Rows with the key that they are grouped by."""
    return f'MAP(l={inner}, fct=lambda attr: {key}, res_name="{name}")'


def summed(operator: str, rows: str, measure: str, name: str) -> str:
    """The group whose sum of a measure is greatest or least."""
    fold = f'fct=lambda group: sum(row["{measure}"] for row in group), res_name="total"'
    return arg(operator, f"MAP(l={rows}, {fold})", "total", name)
