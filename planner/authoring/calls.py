"""What functions in the SPARQL of patterns and rules are given: how many arguments, and regular expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from inspect import Parameter, signature

from ...ontology.namespaces import FN, PREFIXES
from ...store.graph import Function, MemoryGraph
from ...store.sparql.lexer import SparqlToken, scanned
from ...store.sparql.source import decoded, iri_of
from .findings import Source, Sources
from .sparql_source import closing

_MATCHING = frozenset({"REGEX", "REPLACE"})


def check_calls(source: Source, functions: Mapping[str, Function], graph: MemoryGraph, sources: Sources) -> None:
    """Adds a finding for each call of a function of the project with too few or too many arguments, and for each
    regular expression that is none."""
    tokens = scanned(source.text.text)
    prefixes = {**PREFIXES, **source.document.prefixes}
    for at, token in enumerate(tokens[:-1]):
        if tokens[at + 1].text != "(":
            continue
        given = list(_arguments(tokens, at + 1))
        function = functions.get(iri_of(token, prefixes) or "")
        if function is not None:
            _check_count(token, len(given), function, source, sources)
        elif token.kind == "WORD" and token.text.upper() in _MATCHING and len(given) > 1:
            _check_pattern(given[1], source, graph, sources)


def _arguments(tokens: Sequence[SparqlToken], opening: int) -> Iterator[Sequence[SparqlToken]]:
    end = closing(tokens, opening)
    begin = opening + 1
    at = begin
    while at < end:
        if tokens[at].text in ("(", "[", "{"):
            at = closing(tokens, at)
        elif tokens[at].text == ",":
            yield tokens[begin:at]
            begin = at + 1
        at += 1
    if begin < end:
        yield tokens[begin:end]


def arity(function: Function) -> tuple[int, int | None]:
    """The least and the greatest number of arguments; None where any number will do."""
    wanted = signature(function).parameters.values()
    least = sum(one.default is Parameter.empty and one.kind is not Parameter.VAR_POSITIONAL for one in wanted)
    return least, None if any(one.kind is Parameter.VAR_POSITIONAL for one in wanted) else len(wanted)


def _check_count(token: SparqlToken, given: int, function: Function, source: Source, sources: Sources) -> None:
    least, most = arity(function)
    if least <= given and (most is None or given <= most):
        return
    expected = str(least) if least == most else f"at least {least}" if most is None else f"{least} to {most}"
    name = "fn:" + (iri_of(token, {**PREFIXES, **source.document.prefixes}) or "").removeprefix(FN)
    sources.error(f"{name} has {given} arguments", source.place(token.offset), expected=expected)


def _check_pattern(argument: Sequence[SparqlToken], source: Source, graph: MemoryGraph, sources: Sources) -> None:
    if len(argument) != 1 or argument[0].kind != "STRING":
        return
    token = argument[0]
    rows = graph.select(f'SELECT (REGEX("", {token.text}) AS ?known) WHERE {{}}')
    if any(row[0] is None for row in rows):
        text = decoded(token).text
        message = f"{text} is no regular expression{_why(text)}"
        sources.error(message, source.place(token.offset), expected="one as SPARQL has them, with its brackets closed")


def _why(text: str) -> str:
    try:
        re.compile(text)
    except re.error as bad:
        return f": {bad.msg}"
    return ""
