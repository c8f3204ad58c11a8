"""What is given to Oxigraph of a query: the tokens that were parsed, printed anew; never the text as it was written.

Oxigraph would really call out on SERVICE, and its parser, which knows no tokens, sees that keyword where the
specification sees none. So there is no guard on the text: what the grammar does not read is refused, and Oxigraph reads
what the grammar read.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate

from ...errors import Place, QueryError
from ...ontology.namespaces import PREFIXES
from .lexer import SparqlToken, check_nesting, place_in, tokens_of, unescaped
from .parser import check_grammar
from .printing import printed

MAX_QUERY_CHARS = 1_000_000
_KEPT_CHARS = 20_000


def read_query(query: str) -> str:
    """The text of a query that Oxigraph may be given.

    Raises QueryError with line, column and what was expected for what is no query of SPARQL 1.1, for SERVICE, FROM and
    updates, for a prefix that is not declared, and for a query that is too long or too deeply nested.
    """
    return _read_kept(query) if len(query) <= _KEPT_CHARS else _read(query)


def check_where(fragment: str) -> None:
    """Refuses what is not the inside of a WHERE by itself: braces that close what they did not open, for one. Prefixes
    are left to the query that it becomes part of.

    Raises QueryError as read_query does."""
    _check(fragment, "group_graph_pattern_sub")


def check_expression(fragment: str) -> None:
    """Refuses what is not an expression by itself. Raises QueryError as read_query does."""
    _check(fragment, "expression")


def read_tokens(query: str) -> tuple[str, tuple[SparqlToken, ...]]:
    """A query with its codepoint escapes resolved, and its tokens. Raises QueryError for what is no query."""
    text, tokens = _tokens(query)
    check_grammar(tokens, text, "query")
    return text, tokens


def place_as_written(query: str, line: int, column: int) -> Place:
    """Where in a query that was read stands what Oxigraph found at a place of the text that it was given."""
    text, tokens = _tokens(query)
    shown = printed(tokens, text, PREFIXES)
    ends = [0, *accumulate(len(part) + 1 if part else 0 for part in shown)]
    at = bisect_right(ends, column - 1) - 1 if line == 1 else len(tokens)
    return place_in(text, tokens[at].offset if at < len(tokens) else len(text))


@lru_cache(maxsize=4096)
def _read_kept(query: str) -> str:
    """Rules and templates are run many times; what was read stays read."""
    return _read(query)


def _read(query: str) -> str:
    text, tokens = _tokens(query)
    check_grammar(tokens, text, "query")
    return " ".join(part for part in printed(tokens, text, PREFIXES) if part)


@lru_cache(maxsize=4096)
def _check(fragment: str, start: str) -> None:
    text, tokens = _tokens(fragment)
    check_grammar(tokens, text, start)


def _tokens(query: str) -> tuple[str, tuple[SparqlToken, ...]]:
    if len(query) > MAX_QUERY_CHARS:
        raise QueryError(f"the query has {len(query)} characters; at most {MAX_QUERY_CHARS} are allowed")
    text = unescaped(query)
    tokens = tuple(tokens_of(text))
    check_nesting(tokens, text)
    return text, tokens
