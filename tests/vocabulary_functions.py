"""docs/reference/fn.md: the functions of maps and those of patterns and rules, each with an example that is run."""

# ruff: noqa: E501 - a table

from __future__ import annotations

from typing import Any, Final

from reqap_kg.mappings.rml import FUNCTIONS
from reqap_kg.planner.patterns.functions import extension_functions
from reqap_kg.planner.patterns.inflection import Forms
from reqap_kg.store.graph import MemoryGraph

DAY: Final = '"2025-09-14"^^xsd:date'
RULES: Final = {
    "addDays": ("date, n", "So many days later; earlier, if n is negative.", f"fn:addDays({DAY}, 30)"),
    "addMonths": ("date, n", "The same day so many months later, or the last of that month.", 'fn:addMonths("2025-03-31"^^xsd:date, -1)'),
    "best": (
        "by, way, n, name", "The function that gives an attribute of the n best rows: by is what is compared, way is most or least.",
        'fn:best("count", "most", 3, "artist")',
    ),
    "case": ("value, \"in=out|in=out\", default", "The out of the first in that equals the value, whatever its case; else the default.", 'fn:case("Noon", "noon=12:00|midnight=00:00")'),
    "currency": ("name", "The ISO 4217 code of the currency that a sign, code or word names.", 'fn:currency("quid")'),
    "date": ("year, month, day", "That day. Months below 1 and above 12 run into other years; what is no day has no value.", "fn:date(2024, 13, 1)"),
    "daysBetween": ("date, date", "How many days there are from one to the other.", f'fn:daysBetween("2025-09-01"^^xsd:date, {DAY})'),
    "feast": ("falls, year", "First day of a holiday (pg:falls) in a year.", 'fn:feast("easter - 2", 2025)'),
    "feastAfter": ("falls, date", "First day of the next after a day.", f'fn:feastAfter("12-25", {DAY})'),
    "feastBefore": ("falls, date", "First day of the latest before a day.", f'fn:feastBefore("12-25", {DAY})'),
    "feastEnd": ("falls, lasts, begin", "Its last day, where it begins on that day.", 'fn:feastEnd("12-25", 2, "2024-12-25"^^xsd:date)'),
    "month": ("name", "The number of a month, in the languages in which exports are read.", 'fn:month("März")'),
    "nthWeekday": ("year, month, weekday, n", "The nth such weekday of a month; -1 is the last, -2 the one before.", "fn:nthWeekday(2025, 9, 7, -1)"),
    "onFeast": (
        "falls, lasts, expression, from, to", "The condition that a day is one of the holiday's, in the years from … to ….",
        """fn:onFeast("easter", 1, 'attr["start_date"]', 2024, 2025)""",
    ),
    "past": ("phrase", "The phrase with its verb in the past.", 'fn:past("listen to")'),
    "plain": ("text", "Folded: lower case, without accents.", 'fn:plain("Café")'),
    "said": ("auxiliary, subject, phrase", "What a question says, as a statement.", 'fn:said("did", "I", "listen to ABBA")'),
    "shift": ("date, n, unit", "n decades C, years Y, quarters Q, months M, fortnights F, weeks W or days D later; n may have a half.", f'fn:shift({DAY}, 2, "W")'),
    "singular": ("noun", "Its singular.", 'fn:singular("TV shows")'),
    "timeKey": ("unit, expression, yearIsFixed", "What events are grouped by: month, year, weekday, hour or day.", """fn:timeKey("month", 'attr["start_date"]', true)"""),
    "times": ("expression, from, to", "The condition that a time of day lies there, over midnight, too.", """fn:times('attr["start_time"]', "22:00", "05:00")"""),
    "tree": ("value", "A date, date-time or number as trees write it.", f"fn:tree({DAY})"),
    "unitBegin": ("date, unit", "First day of that week (from Monday) W, month M, quarter Q, year Y, decade C, weekend E.", f'fn:unitBegin({DAY}, "W")'),
    "unitEnd": ("date, unit", "Its last day.", f'fn:unitEnd({DAY}, "Q")'),
    "weekday": ("date", "1 for Monday to 7 for Sunday.", f"fn:weekday({DAY})"),
    "weekdayNamed": ("name", "The number of a weekday, in the languages in which exports are read.", 'fn:weekdayNamed("Fri")'),
}  # fmt: skip
"""Arguments, meaning and an example of each function that patterns and rules may call."""
_HEAD: Final = """# fn: functions

Two sets share the prefix: those that maps call, and those that patterns and rules call in SPARQL. Examples of both are run
when this page is made.

## Of maps

Called by `rml:functionExecution`; inputs are named. All that each does, with more examples, is in
[mapping-functions.md](../mapping-functions.md). Times below are for the home zone Europe/Dublin.

| function | inputs | gives | example |
|---|---|---|---|
"""
_RULES_HEAD: Final = """
## Of patterns and rules

Called in `pg:compute`, `pg:look` and `sh:construct`, with arguments in this order. An argument that is none leaves the
expression without a value, so that words do not mean this.

| function | arguments | gives | example |
|---|---|---|---|
"""


def functions_page() -> str:
    """The page."""
    maps = [
        f"| `fn:{name}` | {one.signature} | {_cell(_first(one.summary))} {one.result}. | {_mapped(one.examples)} |\n"
        for name, one in sorted(FUNCTIONS.items(), key=lambda item: item[0].casefold())
    ]
    rules = [
        f"| `fn:{name}` | {_cell(arguments)} | {_cell(what)} | `{_cell(call)}` is `{_cell(_value(call))}` |\n"
        for name, (arguments, what, call) in sorted(RULES.items(), key=lambda item: item[0].casefold())
    ]
    return _HEAD + "".join(maps) + _RULES_HEAD + "".join(rules)


def registered() -> set[str]:
    """Local names of the functions of patterns and rules."""
    return {iri.rpartition("#")[2] for iri in extension_functions(Forms())}


def _mapped(examples: Any) -> str:
    one = examples[0]
    inputs = "; ".join(f"{name} {_values(value)}" for name, value in one.inputs)
    return f"{inputs}: {_values(one.output)}"


def _values(value: Any) -> str:
    if value is None:
        return "nothing"
    return ", ".join(f"`{_cell(str(one))}`" for one in (value if isinstance(value, list | tuple) else [value]))


def _first(text: str) -> str:
    """The first sentence."""
    head, stop, _ = text.partition(". ")
    return head + "." if stop else text


def _value(call: str) -> str:
    graph = MemoryGraph(functions=extension_functions(Forms()))
    ((found,),) = graph.select(f"SELECT ?v WHERE {{ BIND({call} AS ?v) }}")
    return "nothing" if found is None else found.value


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
