"""What a query may not contain.

pyoxigraph would really call out on SERVICE, so it is refused before running (DESIGN section 7).
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..errors import Place, QueryError

MAX_QUERY_CHARS = 1_000_000
_KEPT_CHARS = 20_000

# Everything in which a keyword is not a keyword, in the order of the SPARQL 1.1 grammar's longest match:
# comments, long and short strings, IRIs, variables, blank nodes, prefixed names (either side of the colon).
# A prefix of more characters than any has is read as words: what follows it is then looked at too, never passed over.
_NOT_KEYWORDS = re.compile(
    r"""
    (?P<iri><[^<>"{}|^`\\\x00-\x20]*>)
  | (?P<comment>\#[^\n\r]*)
  | (?P<long>\"{3}(?:[^"\\]|\\.|\"(?!\"\"))*\"{3}|'{3}(?:[^'\\]|\\.|'(?!''))*'{3})
  | (?P<short>"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*')
  | (?P<variable>[?$][\w]+)
  | (?P<name>[\w][\w.-]{0,200}:(?:[\w.:-]|%[0-9A-Fa-f]{2}|\\.)*|:(?:[\w.:-]|%[0-9A-Fa-f]{2}|\\.)+)
  | (?P<word>[A-Za-z_][\w]*)
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
# Oxigraph's parser works without tokens: it reads `SERVICE:x` as the keyword and a name, and may do so after a dot.
_SERVICE_IN_NAME = re.compile(r"(?i)(?:^|\.)service(?::|\.|$)")
_FROM = re.compile(r"(?i)from(?::|$)")
_UPDATES = frozenset({"INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "COPY", "MOVE", "ADD"})
_QUERY_FORMS = frozenset({"SELECT", "ASK", "CONSTRUCT", "DESCRIBE"})


def check_query(query: str) -> None:
    """Refuses what could reach the network or write. Raises QueryError with the place.

    Codepoint escapes are resolved first (SPARQL 1.1 section 19.2), so that an escaped keyword is seen as one.
    """
    if len(query) > MAX_QUERY_CHARS:
        raise QueryError(f"the query has {len(query)} characters; at most {MAX_QUERY_CHARS} are allowed")
    if len(query) <= _KEPT_CHARS:
        _check_kept(query)
    else:
        _check(query)


def check_rule_query(query: str) -> None:
    """As check_query, and refuses data of the query's own too (FROM): rules look at what they are given. Raises
    QueryError with the place."""
    check_query(query)
    text = _ESCAPE.sub(_unescape, query)
    for match in _NOT_KEYWORDS.finditer(text):
        if match.lastgroup in ("word", "name") and _FROM.match(match.group()):
            raise QueryError(
                "FROM would read other data",
                place=_place(text, match.start()),
                expected="a query over the question, the vocabulary and the data it is given",
            )


@lru_cache(maxsize=1024)
def _check_kept(query: str) -> None:
    """Rules and templates are run many times; what was found to be allowed stays allowed."""
    _check(query)


def _check(query: str) -> None:
    text = _ESCAPE.sub(_unescape, query)
    form_seen = False
    for match in _NOT_KEYWORDS.finditer(text):
        if match.lastgroup not in ("word", "name"):
            continue
        word = match.group().upper()
        if word == "SERVICE" or (match.lastgroup == "name" and _SERVICE_IN_NAME.search(word)):
            raise QueryError(
                "SERVICE would reach the network",
                place=_place(text, match.start()),
                expected="a query over this store only",
            )
        if word in _UPDATES and not form_seen:
            raise QueryError(
                f"{word} would write",
                place=_place(text, match.start()),
                expected="SELECT, ASK, CONSTRUCT or DESCRIBE",
            )
        form_seen = form_seen or word in _QUERY_FORMS


def _unescape(match: re.Match[str]) -> str:
    code = int(match.group(1) or match.group(2), 16)
    return chr(code) if code <= 0x10FFFF else match.group()


def _place(text: str, offset: int) -> Place:
    line_start = text.rfind("\n", 0, offset) + 1
    return Place(text.count("\n", 0, offset) + 1, offset - line_start + 1)
