"""Why a rule did not fire: what of its WHERE the parse graph lacks (`rules explain`).

A rule almost fired where its triggers were there and its WHERE has a solution once one part of it is left out: that
part is what was missing. Where no single part is, the first one that the parts before it leave without solution is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import ReqapError
from ...store.graph import Graph
from ...store.rdf import Literal, NamedNode, Term
from ...store.sparql.lexer import scanned
from ..rules.rulebook import Rule
from ..search.plan import Investigation
from ..search.trace import Asked, Outcome, Refusal
from .sparql_source import Part, Query, construct_parts, where_parts
from .terms import shortened

_ACTUAL = "standsThere"
SHOWN = 3
"""Solutions whose values are shown."""


@dataclass(frozen=True)
class Missing:
    """A part of a WHERE that has no solution, and the values that its variables have without it."""

    part: str
    kind: str
    values: tuple[str, ...] = ()
    more: bool = False
    """Whether more is missing: without this part there still is no solution."""

    def __str__(self) -> str:
        seen = f"; there, {' or '.join(self.values)}" if self.values else ""
        what = {
            "filter": "does not hold",
            "bind": "has no value",
            "triple": "is not in the parse graph",
        }.get(self.kind, "has no solution")
        return f"{_one_line(self.part)} {what}{seen}{', and more is missing' if self.more else ''}"


@dataclass(frozen=True)
class Almost:
    """A rule that was tried on a question and gave nothing, with what was missing or why its trees were dropped."""

    rule: Rule
    question: str
    depth: int
    missing: tuple[Missing, ...]
    refusals: tuple[Refusal, ...] = ()

    @property
    def close(self) -> bool:
        """Whether only one thing was missing."""
        return bool(self.refusals) or not any(one.more for one in self.missing)

    @property
    def reasons(self) -> tuple[str, ...]:
        """All that kept it from firing, in words."""
        dropped = tuple(f"{r.reason}" + (f" in {r.tree}" if r.tree else "") for r in self.refusals)
        return (*(str(one) for one in self.missing), *dict.fromkeys(dropped))


def almost_fired(found: Investigation) -> list[Almost]:
    """Rules that were run without leading to a tree, in the order in which they were tried; each question once."""
    told: dict[tuple[str, str], Almost] = {}
    for asked in found.asked:
        for trial in asked.trials:
            key = (trial.rule.iri, asked.question)
            if key in told or trial.outcome not in (Outcome.NO_SOLUTION, Outcome.REFUSED):
                continue
            missing = missing_parts(trial.rule, asked, found.knowledge) if trial.outcome == Outcome.NO_SOLUTION else ()
            if missing or trial.refusals:
                told[key] = Almost(trial.rule, asked.question, asked.depth, missing, tuple(trial.refusals))
    return list(told.values())


def missing_parts(rule: Rule, asked: Asked, graph: Graph) -> tuple[Missing, ...]:
    """What a rule lacks on one reading; nothing where it is for another sort of question, or not to be told."""
    query = construct_parts(rule.construct)
    if query is None:
        return ()
    parts = where_parts(query)
    if not _is_for(parts, asked) or _solutions(query, parts, asked, graph):
        return ()
    without = [
        (part, _solutions(query, [p for p in parts if p is not part], asked, graph)) for part in _removable(parts)
    ]
    alone = [(part, rows) for part, rows in without if rows]
    conditions = [(part, rows) for part, rows in alone if part.kind != "triple"]
    found = [
        _missing(part, _instead(query, parts, part, asked, graph) if part.kind == "triple" else rows)
        for part, rows in conditions or alone
    ]
    return tuple(found) if found else _first_missing(query, parts, asked, graph)


def _instead(query: Query, parts: Sequence[Part], missing: Part, asked: Asked, graph: Graph) -> list[dict[str, Term]]:
    """What stands where a triple with a certain object was looked for."""
    tokens = scanned(missing.text.removesuffix(" ."))
    if not tokens or tokens[-1].kind not in ("STRING", "NUMERIC", "NAME", "IRI"):
        return []
    asking = Part("triple", f"{missing.text[: tokens[-1].offset]} ?{_ACTUAL} .", missing.offset)
    found = _solutions(query, [asking if part is missing else part for part in parts], asked, graph)
    return [{_ACTUAL: row[_ACTUAL]} for row in found if _ACTUAL in row]


def _first_missing(query: Query, parts: Sequence[Part], asked: Asked, graph: Graph) -> tuple[Missing, ...]:
    """The part before which there still are solutions, going through them in order, conditions last."""
    ordered = sorted(parts, key=lambda part: part.kind in ("filter", "group"))
    rows: list[dict[str, Term]] = []
    for index, part in enumerate(ordered):
        now = _solutions(query, ordered[: index + 1], asked, graph)
        if not now:
            stands = _instead(query, ordered[: index + 1], part, asked, graph) if part.kind == "triple" else []
            return (_missing(part, stands or rows, more=True),)
        rows = now
    return ()


def _is_for(parts: Sequence[Part], asked: Asked) -> bool:
    """Whether the rule is for questions of this sort at all: whole ones, or open leaves."""
    sort = "Phrase" if asked.whole else "Question"
    texts = [" ".join(part.text.split()) for part in parts if part.kind == "triple"]
    return not any(text.startswith("$this a") and text.rstrip(" .").endswith(f"pg:{sort}") for text in texts)


def _removable(parts: Sequence[Part]) -> list[Part]:
    """Parts that say something of what is there: not those by which the others are reached."""
    return [part for part in parts if part.kind != "optional" and "pg:annotation ?" not in " ".join(part.text.split())]


def _solutions(query: Query, parts: Sequence[Part], asked: Asked, graph: Graph) -> list[dict[str, Term]]:
    where = "\n".join(part.text for part in parts)
    if "$this" not in where and "?this" not in where:
        return []
    head = query.text[: query.text.upper().index("CONSTRUCT")]
    text = f"{head} SELECT * WHERE {{ {where} }} LIMIT {SHOWN}"
    try:
        found = graph.select(text, {"this": asked.node})
    except ReqapError:  # a part that cannot stand without another
        return []
    rows = (zip(found.variables, row, strict=True) for row in found)
    return [{name: term for name, term in row if term is not None} for row in rows]


def _missing(part: Part, rows: Sequence[dict[str, Term]], *, more: bool = False) -> Missing:
    told = [f"it is {_shown(row[_ACTUAL])}" for row in rows if _ACTUAL in row]
    for row in rows:
        values = [f"?{name} is {_shown(row[name])}" for name in part.variables if name in row and _tells(row[name])]
        if values:
            told.append(", ".join(values))
    return Missing(part.text, part.kind, tuple(dict.fromkeys(told)), more)


def _tells(term: Term) -> bool:
    """Whether a value says something to a reader: nodes of the parse graph do not."""
    return not (isinstance(term, NamedNode) and term.value.startswith("urn:question"))


def _shown(term: Term) -> str:
    if isinstance(term, NamedNode):
        return shortened(term.value)
    return f'"{term.value}"' if isinstance(term, Literal) else "something"


def _one_line(text: str) -> str:
    found = " ".join(text.split()).removesuffix(" .")
    return found if len(found) < 160 else found[:157] + "…"
