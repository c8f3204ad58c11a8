"""Sentences from rules, for texts and for questions.

A rule is a list of forms. In a form `(a|b|)` is one of these, `[a]` is `(a|)`, `<rule>` another rule,
`{slot}` a value. A
form is used only where all of its slots have values. ⟨ and ⟩ become brackets.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

_TOKEN: Final = re.compile(r"([()\[\]|]|<[^<>]+>|\{[^{}]+\})")

Values = Mapping[str, str | None]


@dataclass(frozen=True)
class _Choice:
    forms: tuple[tuple[_Node, ...], ...]


_Node = str | _Choice
_Form = tuple[_Node, ...]


class Grammar:
    """Rules by name. `expand` gives a sentence and the slots that it names."""

    def __init__(self, rules: Mapping[str, Sequence[str]]) -> None:
        self._rules = rules

    def __contains__(self, rule: str) -> bool:
        return rule in self._rules

    def expand(self, rng: random.Random, rule: str, values: Values) -> tuple[str, frozenset[str]] | None:
        """One sentence of a rule; None where every form names a slot without a value."""
        return self.fill(rng, _Choice(tuple(map(_parsed, self._rules[rule]))), values)

    def say(self, rng: random.Random, form: str, values: Values) -> tuple[str, frozenset[str]] | None:
        """One sentence of a form that stands outside the rules."""
        return self.fill(rng, _Choice((_parsed(form),)), values)

    def fill(self, rng: random.Random, choice: _Choice, values: Values) -> tuple[str, frozenset[str]] | None:
        """One sentence of the forms of a choice."""
        used: set[str] = set()
        text = self._written(rng, choice, values, used)
        return None if text is None else (_tidy(text), frozenset(used))

    def _written(self, rng: random.Random, node: _Node, values: Values, used: set[str]) -> str | None:
        if isinstance(node, _Choice):
            for form in rng.sample(node.forms, k=len(node.forms)):
                if self._possible(form, values):
                    parts = [self._written(rng, part, values, used) for part in form]
                    return "".join(part or "" for part in parts)
            return None
        if node.startswith("{"):
            used.add(node[1:-1])
            return values[node[1:-1]]
        if node.startswith("<"):
            return self._written(rng, self._rule(node), values, used)
        return node

    def _rule(self, node: str) -> _Choice:
        return _Choice(tuple(map(_parsed, self._rules[node[1:-1]])))

    def _possible(self, form: _Form, values: Values) -> bool:
        return all(self._can(node, values) for node in form)

    def _can(self, node: _Node, values: Values) -> bool:
        if isinstance(node, _Choice):
            return any(self._possible(form, values) for form in node.forms)
        if node.startswith("{"):
            return bool(values.get(node[1:-1]))
        return self._can(self._rule(node), values) if node.startswith("<") else True


@lru_cache(maxsize=8192)
def slots(form: str) -> tuple[str, ...]:
    """The slots that a form names, in order."""
    return tuple(dict.fromkeys(re.findall(r"\{([^{}]+)\}", form)))


@lru_cache(maxsize=8192)
def _parsed(form: str) -> _Form:
    tokens = [token for token in _TOKEN.split(form) if token]
    nodes, rest = _sequence(tokens, 0)
    if rest != len(tokens):
        raise ValueError(f"a bracket is closed that was not opened: {form}")
    return nodes


def _sequence(tokens: Sequence[str], at: int) -> tuple[_Form, int]:
    nodes: list[_Node] = []
    while at < len(tokens) and tokens[at] not in "|)]":
        if tokens[at] in "([":
            choice, at = _choice(tokens, at)
            nodes.append(choice)
        else:
            nodes.append(tokens[at])
            at += 1
    return tuple(nodes), at


def _choice(tokens: Sequence[str], at: int) -> tuple[_Choice, int]:
    forms: list[_Form] = [()] if tokens[at] == "[" else []
    while True:
        form, at = _sequence(tokens, at + 1)
        forms.append(form)
        if at >= len(tokens):
            raise ValueError(f"a bracket stays open: {''.join(tokens)}")
        if tokens[at] != "|":
            return _Choice(tuple(forms)), at + 1


def _tidy(text: str) -> str:
    text = re.sub(r"[ \t]{2,}", " ", text.replace("⟨", "(").replace("⟩", ")"))
    text = re.sub(r"(?<! ) +([,.!?;:])", r"\1", text)
    return re.sub(r"(?:(?<! ) +)?\n *", "\n", text).strip()
