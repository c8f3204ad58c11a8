"""`reqap-kg sparql`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from ..config import LONGEST, own_text
from ..engine.functions.sparql_calls import find_calls
from ..errors import UsageError
from ..store.queries.deadline import within
from ..store.queries.results import ResultFormat, run_query, unknown_terms
from .common import settings, time_of
from .opening import opened, opened_to_read
from .printing.console import data, paged, print_table, say
from .printing.safe_text import csv_escaped, json_escaped, rdf_escaped, shown

_FORMS: Final[dict[ResultFormat, Callable[[str], str]]] = {
    ResultFormat.TABLE: shown,
    ResultFormat.JSON: json_escaped,
    ResultFormat.CSV: csv_escaped,
    ResultFormat.TSV: rdf_escaped,
    ResultFormat.TURTLE: rdf_escaped,
}
"""How each form is made safe to print; all but CSV say the same as before."""


def sparql_command(
    query: str | None,
    file: Path | None,
    wanted: str,
    timeout: float | None,
    store: Path | None,
    now: str | None,
    config: Path | None,
) -> None:
    """Runs a query given as text or file, within the time limit, and prints the answer."""
    if wanted not in tuple(ResultFormat):
        raise UsageError(f"unknown format {wanted!r}; expected one of {', '.join(ResultFormat)}")
    text = read_text(query, file, "a query")
    chosen = settings(config)
    seconds = timeout if timeout is not None else chosen.query_seconds
    if not 0 < seconds <= LONGEST:  # also what is no number
        raise UsageError(f"--timeout is a number of seconds between 0 and {LONGEST:,}")
    if find_calls(text):
        answer = _with_functions(text, ResultFormat(wanted), seconds, store, now, config)
    else:
        with opened_to_read(store, chosen) as graph:
            answer, unknown = within(
                seconds, lambda: (run_query(graph, text, ResultFormat(wanted)), unknown_terms(text, graph))
            )
        for warning in unknown:
            say(f"warning: {warning}", err=True)
    if isinstance(answer, str):
        data(_FORMS[ResultFormat(wanted)](answer))
    else:
        with paged():
            print_table(answer)


def _with_functions(
    query: str, wanted: ResultFormat, seconds: float, store: Path | None, now: str | None, config: Path | None
) -> str | list[tuple[str, ...]]:
    """The answer of a query that calls `rq:` functions; how their texts were read goes to standard error."""
    with opened(store, config) as known:
        found = known.sparql_text(query, wanted, now=time_of(now), seconds=seconds)
    for note in found.notes:
        say(f"note: {note}", err=True)
    for warning in found.warnings:
        say(f"warning: {warning}", err=True)
    return found.value


def read_text(text: str | None, file: Path | None, what: str) -> str:
    """The text as given, or that of a file ('-' is standard input). Raises UsageError unless exactly one is given."""
    if (text is None) == (file is None):
        raise UsageError(f"expected {what} or -f FILE")
    if text is not None:
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as bad:
            coding = sys.getfilesystemencoding()
            raise UsageError(f"{what} holds bytes that are no text in this session's encoding ({coding})") from bad
        return text
    if str(file) == "-":
        return sys.stdin.read()
    try:
        return own_text(Path(str(file)))
    except (OSError, UnicodeDecodeError) as bad:
        raise UsageError(f"{file} cannot be read: {bad}") from bad
