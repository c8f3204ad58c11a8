"""What a rule's or transformation's SPARQL names: where variables are given a value and where they are read, which
terms stand in it, and the parts of its WHERE. For telling authors what is wrong or missing; running it is the store's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ...store.sparql.lexer import SparqlToken as Token
from ...store.sparql.lexer import scanned

_CALLS = frozenset({"NAME", "IRI", "WORD"})
_OPENING = {"(": ")", "{": "}", "[": "]"}
_CLAUSES = frozenset({"FILTER", "BIND", "OPTIONAL", "VALUES", "MINUS", "GRAPH", "UNION", "EXISTS", "NOT", "SERVICE"})
_TESTS_PRESENCE = frozenset({"BOUND", "COALESCE"})


class Role(StrEnum):
    """How a variable stands: in a triple, which binds it; given a value by BIND, VALUES or AS; read in an
    expression; asked for by BOUND or COALESCE, where it may be missing; told in the CONSTRUCT's template."""

    TRIPLE = "triple"
    GIVEN = "given"
    READ = "read"
    MAY_MISS = "may miss"
    TEMPLATE = "template"


@dataclass(frozen=True)
class Use:
    """One place of a variable, by its name without sign and its offset in the query."""

    name: str
    role: Role
    offset: int
    tested: bool = False
    """Whether it stands inside EXISTS or MINUS: its value is not asked for."""


def variable_uses(tokens: Sequence[Token]) -> Iterator[Use]:
    """Every place of every variable, in order, `$this` included."""
    stack: list[Role | None] = []
    tests: list[bool] = []
    previous = Token("SIGN", "", 0)
    words: list[str] = []
    for token in tokens:
        if token.text in _OPENING:
            stack.append(_context(token, previous, words, stack))
            tests.append(token.text == "{" and previous.text.upper() in ("EXISTS", "MINUS"))
        elif token.text in _OPENING.values() and stack:
            stack.pop()
            tests.pop()
        elif token.kind == "VAR":
            role = next((context for context in reversed(stack) if context is not None), Role.TRIPLE)
            given = previous.text.upper() == "AS"
            yield Use(token.text[1:], Role.GIVEN if given else role, token.offset, any(tests))
        if token.kind == "WORD":
            words.append(token.text.upper())
        previous = token


def _context(token: Token, previous: Token, words: Sequence[str], stack: Sequence[Role | None]) -> Role | None:
    """What variables inside an opening bracket are; None keeps what holds outside."""
    last = words[-1] if words else ""
    if token.text == "{":
        return Role.TEMPLATE if last == "CONSTRUCT" and previous.text.upper() == "CONSTRUCT" else Role.TRIPLE
    if token.text == "[":
        return None
    if previous.text.upper() == "VALUES":
        return Role.GIVEN
    if previous.text.upper() in _TESTS_PRESENCE:
        return Role.MAY_MISS
    if Role.TEMPLATE in stack:
        return Role.TEMPLATE
    if previous.kind in _CALLS or previous.text in ("(", ",", "=", "!", "&&", "||", "<", ">", "+", "-", "*", "/", "!="):
        return stack[-1] if stack and stack[-1] == Role.MAY_MISS else Role.READ
    return None


@dataclass(frozen=True)
class Query:
    """A CONSTRUCT cut into the tokens of its template and of the inside of its WHERE."""

    text: str
    template: tuple[Token, ...]
    where: tuple[Token, ...]


def construct_parts(text: str) -> Query | None:
    """The parts of a CONSTRUCT with a template; None where it has another form."""
    tokens = scanned(text)
    at = next((i for i, t in enumerate(tokens) if t.kind == "WORD" and t.text.upper() == "CONSTRUCT"), None)
    if at is None or at + 1 >= len(tokens) or tokens[at + 1].text != "{":
        return None
    end = closing(tokens, at + 1)
    opening = next((i for i in range(end + 1, len(tokens)) if tokens[i].text == "{"), None)
    if opening is None:
        return None
    close = closing(tokens, opening)
    if close >= len(tokens):
        return None
    return Query(text, tuple(tokens[at + 2 : end]), tuple(tokens[opening + 1 : close]))


def closing(tokens: Sequence[Token], opening: int) -> int:
    """Index of the bracket that closes the one at `opening`; the length of the row where none does."""
    depth = 0
    for index in range(opening, len(tokens)):
        if tokens[index].text in _OPENING:
            depth += 1
        elif tokens[index].text in _OPENING.values():
            depth -= 1
            if depth == 0:
                return index
    return len(tokens)


@dataclass(frozen=True)
class Part:
    """A part of a WHERE that can be left out: one triple, FILTER, BIND, OPTIONAL or group."""

    kind: str
    """triple, filter, bind, optional or group."""
    text: str
    """As it can stand alone in a WHERE."""
    offset: int

    @property
    def variables(self) -> tuple[str, ...]:
        """Names of its variables, in order."""
        return tuple(dict.fromkeys(t.text[1:] for t in scanned(self.text) if t.kind == "VAR"))


def where_parts(query: Query) -> tuple[Part, ...]:
    """The parts of the WHERE at its top level, triples one by one."""
    return tuple(_parts(list(query.where), query.text))


def _parts(tokens: list[Token], text: str) -> Iterator[Part]:
    at = 0
    while at < len(tokens):
        word = tokens[at].text.upper() if tokens[at].kind == "WORD" else ""
        if tokens[at].text == ".":
            at += 1
        elif word in _CLAUSES or tokens[at].text == "{":
            end = _clause_end(tokens, at)
            yield Part(_kind(word), _slice(tokens, at, end, text), tokens[at].offset)
            at = end
        else:
            end = _triples_end(tokens, at)
            yield from _triples(tokens[at:end], text)
            at = end


def _kind(word: str) -> str:
    return {"FILTER": "filter", "BIND": "bind", "OPTIONAL": "optional"}.get(word, "group")


def _slice(tokens: Sequence[Token], first: int, last: int, text: str) -> str:
    final = tokens[last - 1]
    return text[tokens[first].offset : final.offset + len(final.text)]


def _clause_end(tokens: Sequence[Token], at: int) -> int:
    """Behind a clause: its keyword, what stands between, its bracket, and groups that UNION joins to it."""
    opening = next((i for i in range(at, len(tokens)) if tokens[i].text in ("(", "{")), len(tokens) - 1)
    end = closing(tokens, opening) + 1
    if tokens[at].text.upper() == "VALUES" and end < len(tokens) and tokens[end].text == "{":
        return closing(tokens, end) + 1
    while end < len(tokens) and tokens[end].text.upper() == "UNION":
        end = closing(tokens, end + 1) + 1
    return end


def _triples_end(tokens: Sequence[Token], at: int) -> int:
    depth = 0
    for index in range(at, len(tokens)):
        token = tokens[index]
        if token.text in _OPENING and not (token.text == "{" and depth == 0):
            depth += 1
        elif token.text in _OPENING.values():
            depth -= 1
        elif depth == 0 and (token.text == "." or (token.kind == "WORD" and token.text.upper() in _CLAUSES)):
            return index
        if depth == 0 and token.text == "{":
            return index
    return len(tokens)


def _triples(tokens: Sequence[Token], text: str) -> Iterator[Part]:
    """The triples of one subject: a part for each predicate, with the subject written out."""
    if not tokens:
        return
    width = closing(tokens, 0) + 1 if tokens[0].text in _OPENING else 1
    subject = _slice(tokens, 0, width, text)
    if subject.startswith("[") and width > 2:  # its own triples stand inside
        yield Part("triple", _slice(tokens, 0, len(tokens), text) + " .", tokens[0].offset)
        return
    at = width
    while at < len(tokens):
        end = _until(tokens, at, ";")
        if end > at:
            yield Part("triple", f"{subject} {_slice(tokens, at, end, text)} .", tokens[at].offset)
        at = end + 1


def _until(tokens: Sequence[Token], at: int, sign: str) -> int:
    depth = 0
    for index in range(at, len(tokens)):
        if tokens[index].text in _OPENING:
            depth += 1
        elif tokens[index].text in _OPENING.values():
            depth -= 1
        elif depth == 0 and tokens[index].text == sign:
            return index
    return len(tokens)
