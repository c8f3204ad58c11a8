"""Text to logical form, and form to the steps that a decoder is taught.

A form is written `count(events("runs", time="in May", distance>"10 km"))`. Conditions behind the arguments of an
operator that gives events are its `where`s. Events that stand where a value is wanted are shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from ..errors import LocatedError, Place
from ..operators.forms.decoding import CLOSE, STOP, Step
from ..operators.forms.grammar import DEFAULTS, EVENTS, OPERATORS, VALUES, Form, Sort, Words

MOST_DEPTH: Final = 16
_TOKEN: Final = re.compile(r'(?:(?P<name>[a-z][a-z_]*)|(?P<words>"[^"\n]*")|(?P<test>!=|>=|<=|=|>|<)|(?P<mark>[(),]))')


class FormSyntaxError(LocatedError):
    """A logical form in text does not parse."""


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    column: int


def parse_form(text: str, *, line: int = 1) -> Form:
    """The form that a text says. Raises FormSyntaxError with line, column and what was expected."""
    reader = _Reader(_tokens(text, line), line, len(text) + 1)
    form = reader.value(0)
    reader.end()
    return form


def _tokens(text: str, line: int) -> list[_Token]:
    found: list[_Token] = []
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        match = _TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            expected = "a name, words in quotes or a comparison"
            raise FormSyntaxError(f"found {text[at]}", place=Place(line, at + 1), expected=expected)
        found.append(_Token(match.lastgroup, match[match.lastgroup], match.start(match.lastgroup) + 1))
        at = match.end()
    return found


class _Reader:
    def __init__(self, tokens: list[_Token], line: int, end: int) -> None:
        self._tokens, self._line, self._end, self._at = tokens, line, end, 0

    def _peek(self, ahead: int = 0) -> _Token:
        at = self._at + ahead
        return self._tokens[at] if at < len(self._tokens) else _Token("end", "the end", self._end)

    def _next(self) -> _Token:
        token = self._peek()
        self._at += 1
        return token

    def _wrong(self, token: _Token, expected: str, nearest: str | None = None) -> FormSyntaxError:
        place = Place(self._line, token.column)
        return FormSyntaxError(f"found {token.text}", place=place, expected=expected, nearest=nearest)

    def _mark(self, mark: str) -> None:
        token = self._next()
        if token.text != mark or token.kind != "mark":
            raise self._wrong(token, f"“{mark}”")

    def end(self) -> None:
        """Raises FormSyntaxError where something is left."""
        if self._at < len(self._tokens):
            raise self._wrong(self._peek(), "nothing more")

    def value(self, depth: int) -> Form:
        """A value; events that stand where a value is wanted are shown."""
        form = self._form(depth)
        return Form("show", (form,)) if form.operator in EVENTS else form

    def _form(self, depth: int) -> Form:
        token = self._next()
        if token.kind != "name" or token.text not in OPERATORS:
            near = get_close_matches(token.text, OPERATORS, 1)
            raise self._wrong(token, "an operator", near[0] if near else None)
        if depth > MOST_DEPTH:
            raise self._wrong(token, f"at most {MOST_DEPTH} operators inside one another")
        self._mark("(")
        form = Form(token.text, self._arguments(token.text, depth))
        while form.operator in EVENTS and self._peek().text == ",":
            self._next()
            form = Form("where", (form, *self._condition()))
        self._mark(")")
        return form

    def _arguments(self, operator: str, depth: int) -> tuple[Form | Words | str, ...]:
        found: list[Form | Words | str] = []
        wanted = OPERATORS[operator]
        for place, sort in enumerate(wanted):
            is_last = place == len(wanted) - 1
            if is_last and operator in DEFAULTS and not self._words_follow(place > 0):
                found.append(Words(DEFAULTS[operator]))
                break
            if place and wanted[place - 1] is not Sort.TEST:
                self._mark(",")
            found.append(self._argument(sort, depth))
        return tuple(found)

    def _words_follow(self, behind: bool) -> bool:
        return self._peek(1 if behind else 0).kind == "words"

    def _argument(self, sort: Sort, depth: int) -> Form | Words | str:
        token = self._peek()
        if sort is Sort.VALUE:
            return self.value(depth + 1)
        if sort is Sort.EVENTS:
            form = self._form(depth + 1)
            if form.operator in VALUES:
                raise self._wrong(token, f"events, which {form.operator} does not give")
            return form
        return self._leaf(sort)

    def _leaf(self, sort: Sort) -> Words | str:
        token = self._next()
        if sort is Sort.KEY and token.kind == "name" and self._peek().text != "(":
            return token.text
        if sort is Sort.WORDS and token.kind == "words" and token.text.strip('" '):
            return Words(token.text[1:-1].strip())
        if sort is Sort.TEST and token.kind == "test":
            return token.text
        raise self._wrong(token, sort.value)

    def _condition(self) -> tuple[str, str, Words]:
        """`key="words"`, with any comparison."""
        key, test, words = self._leaf(Sort.KEY), self._leaf(Sort.TEST), self._leaf(Sort.WORDS)
        assert isinstance(key, str)
        assert isinstance(test, str)
        assert isinstance(words, Words)
        return key, test, words


Split = Callable[[str], Sequence[str]]
"""Words of a text, as those of the question were parted."""


def steps_of(
    form: Form, split: Split, words: Sequence[str], begin: int = 0, known: frozenset[str] | None = None
) -> list[Step]:
    """The steps that say a form of a question given as words; those from `begin` on are the question itself, before
    them stand earlier ones. Words that neither stand there nor are `known` (all are, where None) are left out. Raises
    ValueError where nothing is left of an argument."""
    return list(_steps(form, _Finder([word.casefold() for word in words], begin, known, split)))


def _steps(form: Form, finder: _Finder) -> Iterator[Step]:
    conditions: list[Form] = []
    while form.operator == "where":
        conditions.append(form)
        inner = form.arguments[0]
        assert isinstance(inner, Form)
        form = inner
    yield Step(symbol=form.operator)
    yield from _arguments(form, finder)
    if form.operator in EVENTS:
        for condition in reversed(conditions):
            yield from _arguments(Form("where", condition.arguments[1:]), finder, OPERATORS["where"][1:])
        yield Step(symbol=STOP)


def _arguments(form: Form, finder: _Finder, sorts: Sequence[Sort] | None = None) -> Iterator[Step]:
    for sort, argument in zip(sorts or OPERATORS[form.operator], form.arguments, strict=True):
        if isinstance(argument, Form):
            yield from _steps(argument, finder)
        elif isinstance(argument, Words):
            yield from finder.steps(finder.split(argument.text))
            yield Step(symbol=CLOSE)
        else:
            yield Step(key=argument) if sort is Sort.KEY else Step(symbol=argument)


@dataclass
class _Finder:
    """Finds words of a form in the question: the longest runs, in the question itself before those in earlier ones."""

    words: Sequence[str]
    begin: int
    known: frozenset[str] | None
    split: Split

    def steps(self, wanted: Sequence[str]) -> Iterator[Step]:
        """Words as steps; one that nobody can say is left out beside others. Raises ValueError where none is left."""
        wanted = [word.casefold() for word in wanted]
        at, said = 0, False
        while at < len(wanted):
            place, size = self._longest(wanted[at:])
            known = self.known is None or wanted[at] in self.known
            if not size and not known:
                place, size = self._alike(wanted[at]), 1
            if size and place >= 0:
                yield Step(place=place)
                yield Step(place=place + size - 1)
            elif known:
                yield Step(word=wanted[at])
            said = said or known or place >= 0
            at += size or 1
        if not said:
            raise ValueError(f"“{' '.join(wanted)}” stands nowhere in the question")

    def _alike(self, word: str) -> int:
        """The place of a word of the question that begins as this one does; -1 where there is none."""
        least = max(4, len(word) - 3)
        return next((at for at in range(self.begin, len(self.words)) if self.words[at][:least] == word[:least]), -1)

    def _longest(self, wanted: Sequence[str]) -> tuple[int, int]:
        best = (0, 0, 0)
        for place in range(len(self.words)):
            size = 0
            while (
                size < len(wanted)
                and place + size < len(self.words)
                and self.words[place + size] == wanted[size]
                and not (place < self.begin <= place + size)
            ):
                size += 1
            best = max(best, (size, int(place >= self.begin), -place)) if size else best
        return -best[2], best[0]
