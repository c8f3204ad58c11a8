"""Extraction expressions: the little language in which patterns say which words they match (QUASL, section IV-B).

A question is a row of tokens; an expression describes a run of them:

    word            that word, without case          ~listen         any word with the same stem
    /\\d{4}/         a word that the expression matches wholly (without '.', '[^', \\W, \\S, \\D, which cross words)
    _               any word                         !/i|we/         any word but these
    ,               a comma
    a b             one after the other              a | b           one or the other
    ( … )           grouping                         ? * + {2,4}     repetition; a further ? takes as few as it can
    <n: … >         a named group, exported as ?n    ^  $            start and end of the question
    {month}         another pattern                  {m=month}       … with its variables as ?m_…, its ?value as ?m
    {@Property}     words annotated as that kind     {p=@Property}   … as the named group p
    {#Holiday}      a pg:name of things of a class   {h=#Holiday}    … as the named group h

Expressions compile to one expression of the `regex` module over an encoded row of tokens, run with a timeout.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from ...errors import Place, RuleError

TOKEN_END = "\x1e"  # noqa: S105 -- a separator, no password
FIELD_END = "\x1f"
MAX_DEPTH = 50
MAX_COPIES = 2_000
"""Words that repeats with a count may ask for: the matcher writes each of them out."""
"""Groups that may stand inside one another."""
MAX_ANNOTATED_TOKENS = 12
"""Longest run of tokens that one `{@Kind}` can match."""


@dataclass(frozen=True)
class Word:
    text: str


@dataclass(frozen=True)
class Stem:
    text: str


@dataclass(frozen=True)
class TokenRegex:
    """A word that the expression matches wholly, or, when `negated`, any other word."""

    source: str
    negated: bool = False


@dataclass(frozen=True)
class AnyToken:
    pass


@dataclass(frozen=True)
class Edge:
    """Start (True) or end (False) of the question."""

    start: bool


@dataclass(frozen=True)
class Annotated:
    """Words that were annotated as a kind ('Property', 'Class', 'Unit', …)."""

    kind: str


@dataclass(frozen=True)
class Listed:
    """One of the names (`pg:name`) that the documents give to things of a class ('Holiday')."""

    kind: str


@dataclass(frozen=True)
class Sub:
    """Another pattern; with a name its variables are exported under that name."""

    pattern: str
    name: str | None


@dataclass(frozen=True)
class Named:
    name: str
    inner: Expression


@dataclass(frozen=True)
class Sequence:
    parts: tuple[Expression, ...]


@dataclass(frozen=True)
class Alternatives:
    options: tuple[Expression, ...]


@dataclass(frozen=True)
class Repeat:
    inner: Expression
    quantifier: str


Expression = (
    Word | Stem | TokenRegex | AnyToken | Edge | Annotated | Listed | Sub | Named | Sequence | Alternatives | Repeat
)

_LEXEMES = re.compile(
    r"""(?P<space>\s+)
  | (?P<but>!(?=/))
  | (?P<regex>/(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.){1,200}+\])++/)
  | (?P<named><[A-Za-z]\w*:)
  | (?P<sub>\{(?:(?P<sub_name>[A-Za-z]\w*)\s*=\s*)?(?P<at>[@\#])?(?P<sub_pattern>[A-Za-z][\w:.-]*)\})
  | (?P<repeat>(?:[?*+]|\{\d+(?:,\d*)?\})\??)
  | (?P<stem>~[\w'’-]+)
  | (?P<any>_(?!\w))
  | (?P<sign>[()|>^$])
  | (?P<word>[\w'’.:€$£&+%/-]+|,)
    """,
    re.VERBOSE,
)
_PLAIN = re.compile(r"[a-z']+(?:\|[a-z']+)*")
_MOST_SIGNS = 200
_CLASS = re.compile(r"\[(?!\^)(?:[^\]\\]|\\[^WSD]){1,200}\]")
_CROSSES = re.compile(r"(?<!\\)(?:\\\\)*(?:\.|\[\^|\\[WSDB])")


@dataclass(frozen=True)
class _Lexeme:
    kind: str
    text: str
    offset: int
    name: str | None = None
    pattern: str | None = None


def parse_extraction(source: str, path: str | None = None) -> Expression:
    """The expression that `source` writes. Raises RuleError with line and column inside the expression."""
    return _Parser(source, path).parse()


def sub_patterns(expression: Expression) -> Iterator[Sub]:
    """Every reference to another pattern, in order."""
    return (leaf for leaf in _leaves(expression) if isinstance(leaf, Sub))


def kinds_listed(expression: Expression) -> Iterator[str]:
    """The class of each `{#Class}`, in order."""
    return (leaf.kind for leaf in _leaves(expression) if isinstance(leaf, Listed))


def _copies(expression: Expression) -> int:
    """The most words that an expression asks for one by one: `(a b){2,3}` asks for six."""
    match expression:
        case Repeat(inner, quantifier):
            counts = [int(count) for count in re.findall(r"[0-9]{1,9}", quantifier)]
            return max(1, *counts) * _copies(inner) if counts else _copies(inner)
        case Named(inner=inner):
            return _copies(inner)
        case Sequence(parts=parts) | Alternatives(options=parts):
            return sum(map(_copies, parts))
        case _:
            return 1


def _leaves(expression: Expression) -> Iterator[Expression]:
    """The expressions that hold no other, in order."""
    match expression:
        case Named(inner=inner) | Repeat(inner=inner):
            yield from _leaves(inner)
        case Sequence(parts=parts) | Alternatives(options=parts):
            for part in parts:
                yield from _leaves(part)
        case _:
            yield expression


def with_names(expression: Expression, names: Mapping[str, tuple[Expression, ...]]) -> Expression:
    """The expression with each `{#Class}` written out as the names that things of that class have.

    Raises RuleError for a class of which nothing is named.
    """
    match expression:
        case Listed(kind):
            if not names.get(kind):
                raise RuleError(f"nothing of the class {kind} has a pg:name", expected="things with names")
            return Alternatives(names[kind])
        case Named(name, inner):
            return Named(name, with_names(inner, names))
        case Repeat(inner, quantifier):
            return Repeat(with_names(inner, names), quantifier)
        case Sequence(parts):
            return Sequence(tuple(with_names(part, names) for part in parts))
        case Alternatives(options):
            return Alternatives(tuple(with_names(option, names) for option in options))
        case _:
            return expression


def needs(expression: Expression) -> tuple[frozenset[str], ...]:
    """What must be in a question for the expression to match at all: of each set, one word or, as '@name', one
    annotation.

    A quick test before the real one; an expression about which nothing is sure needs nothing.
    """
    match expression:
        case Word(text):
            return (frozenset({text}),)
        case TokenRegex(source, False) if _PLAIN.fullmatch(source):
            return (frozenset(source.split("|")),)
        case Annotated(name) | Sub(name, _):
            return (frozenset({"@" + name}),)
        case Named(_, inner):
            return needs(inner)
        case Sequence(parts):
            return tuple(dict.fromkeys(need for part in parts for need in needs(part)))
        case Alternatives(options):
            each = [needs(option) for option in options]
            return (frozenset().union(*(max(found, key=_rarity) for found in each)),) if all(each) else ()
        case Repeat(inner, quantifier):
            return () if quantifier[0] in "?*" or quantifier.startswith("{0") else needs(inner)
        case _:
            return ()


def _rarity(need: frozenset[str]) -> int:
    """The higher, the less likely a question has any of these: long words are rare, annotations are not."""
    return min((_AS_RARE if word.startswith("@") else len(word) for word in need), default=0)


_AS_RARE: Final = 4
"""An annotation is as rare as a word of so many letters."""


class _Parser:
    """Recursive descent over the lexemes of one expression."""

    def __init__(self, source: str, path: str | None) -> None:
        self._source = source
        self._path = path
        self._lexemes = list(self._lex())
        self._next = 0
        self._depth = 0

    def parse(self) -> Expression:
        found = self._alternatives()
        rest = self._peek()
        if rest is not None:
            raise self._error(f"{rest.text!r} closes nothing", rest.offset, "a word, a group or the end")
        return found

    def _lex(self) -> Iterator[_Lexeme]:
        at = 0
        while at < len(self._source):
            found = _LEXEMES.match(self._source, at)
            if found is None:
                raise self._error(f"cannot read {self._source[at]!r}", at, "a word, /regex/, ~stem, group or {pattern}")
            kind = next(k for k in _KINDS if found.group(k) is not None)
            if kind == "sub" and found.group("at"):
                kind = "annotated" if found.group("at") == "@" else "listed"
            if kind != "space":
                yield _Lexeme(kind, found.group(), at, found.group("sub_name"), found.group("sub_pattern"))
            at = found.end()

    def _peek(self) -> _Lexeme | None:
        return self._lexemes[self._next] if self._next < len(self._lexemes) else None

    def _error(self, message: str, offset: int, expected: str) -> RuleError:
        line = self._source.count("\n", 0, offset) + 1
        column = offset - self._source.rfind("\n", 0, offset)
        place = Place(line, column, self._path)
        return RuleError(f"in an extraction expression: {message}", place=place, expected=expected)

    def _alternatives(self) -> Expression:
        """One level deeper: groups inside groups end somewhere."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            at = self._lexemes[self._next - 1].offset
            raise self._error("groups inside too many groups", at, f"at most {MAX_DEPTH - 1} inside one another")
        options = [self._sequence()]
        while (head := self._peek()) is not None and head.text == "|":
            self._next += 1
            options.append(self._sequence())
        self._depth -= 1
        return options[0] if len(options) == 1 else Alternatives(tuple(options))

    def _sequence(self) -> Expression:
        parts: list[Expression] = []
        while (head := self._peek()) is not None and head.text not in ("|", ")", ">"):
            parts.append(self._repeated())
        if not parts:
            raise self._error("nothing to match", head.offset if head else len(self._source), "at least one word")
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def _repeated(self) -> Expression:
        inner = self._atom()
        head = self._peek()
        if head is not None and head.kind == "repeat":
            self._next += 1
            repeated = Repeat(inner, head.text)
            if _copies(repeated) > MAX_COPIES:
                raise self._error(
                    "repeats inside repeats ask for too many words", head.offset, f"at most {MAX_COPIES} in all"
                )
            return repeated
        return inner

    def _atom(self) -> Expression:
        head = self._take()
        match head.kind:
            case "word":
                return Word(head.text.lower().replace("’", "'"))
            case "stem":
                return Stem(head.text[1:].lower())
            case "any":
                return AnyToken()
            case "regex":
                return self._token_regex(head)
            case "but":
                return replace(self._token_regex(self._take()), negated=True)
            case "named":
                return Named(head.text[1:-1], self._closed(head, ">"))
            case "sub" | "annotated" | "listed":
                return _reference(head)
            case _:
                return self._sign(head)

    def _take(self) -> _Lexeme:
        self._next += 1
        return self._lexemes[self._next - 1]

    def _sign(self, head: _Lexeme) -> Expression:
        if head.text == "(":
            return self._closed(head, ")")
        if head.text in ("^", "$"):
            return Edge(head.text == "^")
        raise self._error(f"{head.text!r} stands where a word should", head.offset, "a word or a group")

    def _closed(self, opening: _Lexeme, closing: str) -> Expression:
        inner = self._alternatives()
        head = self._peek()
        if head is None or head.text != closing:
            raise self._error(f"{opening.text!r} is not closed", opening.offset, repr(closing))
        self._next += 1
        return inner

    def _token_regex(self, lexeme: _Lexeme) -> TokenRegex:
        source = lexeme.text[1:-1]
        if any(int(count) > _MOST_SIGNS for count in re.findall(r"[{,]([0-9]{1,9})", source)):
            raise self._error("a count of signs that no word has", lexeme.offset, f"at most {_MOST_SIGNS}")
        if _CROSSES.search(_CLASS.sub("", source)):
            raise self._error(
                "this regular expression could run over the end of a word",
                lexeme.offset,
                "character classes that list their characters",
            )
        try:
            re.compile(source)
        except re.error as bad:
            raise self._error(f"malformed regular expression: {bad}", lexeme.offset, "a regular expression") from bad
        return TokenRegex(source)


def _reference(lexeme: _Lexeme) -> Expression:
    name = lexeme.pattern or ""
    if lexeme.kind == "sub":
        return Sub(name, lexeme.name)
    what = Annotated(name) if lexeme.kind == "annotated" else Listed(name)
    return Named(lexeme.name, what) if lexeme.name else what


_KINDS = ("space", "but", "regex", "named", "sub", "repeat", "stem", "any", "sign", "word")
