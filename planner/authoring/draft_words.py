"""Which parts of a tree come from which words of its question: what a drafted rule must carry over, and how."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ...ontology.namespaces import FN
from ...store.graph import Function
from ...store.rdf import Literal, Term
from ..annotation.reading import Reading
from ..patterns.patterns import PatternMatch
from ..patterns.tokens import tokenise

_AUXILIARIES = frozenset({"did", "do", "does", "have", "has", "had", "was", "were", "am", "are", "is"})
_SUBJECTS = frozenset({"i", "we"})
_CONSTANT = re.compile(
    r'"(?P<text>(?:[^"\\]|\\.)*)"|(?P<date>date\(\d+, \d+, \d+\))|(?<![\w."])(?P<number>\d+(?:\.\d+)?)(?!\w)'
)
_MEANINGS = frozenset({"number", "begin", "end", "from", "to", "month", "day", "days", "months", "value"})
"""Variables by which filters say what they mean, rather than how it was said."""
_PREFERRED = ("number", "count", "digits", "amount")
"""Names of patterns for numbers that are general."""


@dataclass(frozen=True)
class Computed:
    """A SPARQL expression."""

    sparql: str


Text = tuple["str | Computed", ...]
"""A text put together of constants and expressions."""


def as_sparql(text: Text) -> str:
    """The text as one SPARQL expression."""
    parts = [literal(part) if isinstance(part, str) else part.sparql for part in text if part != ""]
    if not parts:
        return '""'
    return parts[0] if len(parts) == 1 else f"CONCAT({', '.join(parts)})"


def literal(text: str) -> str:
    """A SPARQL string literal, in the quotes that need no escapes where there are such."""
    quote = "'" if '"' in text and "'" not in text else '"'
    escaped = text.replace("\\", "\\\\").replace(quote, "\\" + quote).replace("\n", "\\n")
    return f"{quote}{escaped}{quote}"


@dataclass(frozen=True)
class Slot:
    """Words of the core that vary: tokens `first` to `last` (exclusive), and what the pattern says for them."""

    first: int
    last: int
    name: str
    extract: str


@dataclass
class Words:
    """The core of the example question, and the slots that the tree's parts were found to come from."""

    reading: Reading
    matches: Sequence[PatternMatch]
    functions: Mapping[str, Function]
    stop_words: frozenset[str]
    keys: Mapping[str, str]
    """Keys of attributes, by the IRI of their property."""
    slots: list[Slot] = field(default_factory=list)
    wheres: list[str] = field(default_factory=list)
    """What the rule's WHERE needs besides the variables of the slots."""

    def query(self, text: str) -> Text:
        """The words that name events, of the question's own where they can be."""
        tokens = tokenise(text).tokens
        found: list[str | Computed] = []
        at = 0
        while at < len(tokens):
            part, width = self._said(tokens, at) or self._span(tokens, at) or (tokens[at].text, 1)
            if found:
                found.append(" ")
            found.append(part)
            at += width
        return _joined(found)

    def _said(self, tokens: Sequence[object], at: int) -> tuple[Computed, int] | None:
        """A statement that fn:said makes of a question's words: "did I listen to it" → "I listened to it"."""
        core = self.reading.core
        said = self.functions[FN + "said"]
        wanted = [getattr(token, "lower", "") for token in tokens[at:]]
        for first, token in enumerate(core.tokens[:-2]):
            subject = core.tokens[first + 1]
            if token.lower not in _AUXILIARIES or subject.lower not in _SUBJECTS:
                continue
            for last in range(len(core.tokens), first + 2, -1):
                clause = core.words(first + 2, last)
                made = said(Literal(token.text), Literal(subject.text), Literal(clause))
                row = [t.lower for t in tokenise(getattr(made, "value", "")).tokens]
                if row and wanted[: len(row)] == row:
                    slot = self._slot(first + 2, last, "e", "_+")
                    if slot is not None:
                        return Computed(f"fn:said({literal(token.lower)}, {literal(subject.text)}, ?{slot.name})"), len(
                            row
                        )
        return None

    def _span(self, tokens: Sequence[object], at: int) -> tuple[Computed, int] | None:
        """The longest run of the core's words that stands here, if it says something."""
        wanted = [getattr(token, "lower", "") for token in tokens[at:]]
        core = [token.lower for token in self.reading.core.tokens]
        for width in range(len(wanted), 0, -1):
            run = wanted[:width]
            if all(word in self.stop_words for word in run):
                continue
            for first in range(len(core) - width + 1):
                if core[first : first + width] == run:
                    slot = self._slot(first, first + width, "x", "_+")
                    if slot is not None:
                        return Computed(f"?{slot.name}"), width
        return None

    def name(self, text: str) -> Text:
        """The name of an attribute: that of a property the question names, or as it is."""
        variable = self._key(text)
        return (Computed(variable),) if variable else (text,)

    def code(self, text: str) -> Text:
        """A condition or function: names, strings, days and numbers that the question has are taken from it."""
        found: list[str | Computed] = []
        end = 0
        for match in _CONSTANT.finditer(text):
            expression, inside = self._constant(match)
            if expression is not None:
                first, last = (match.start() + 1, match.end() - 1) if inside else match.span()
                found += [text[end:first], Computed(expression)]
                end = last
        return _joined([*found, text[end:]])

    def _constant(self, match: re.Match[str]) -> tuple[str | None, bool]:
        if match["text"] is not None:
            return self._key(match["text"]) or self._value(match["text"]), True
        if match["date"] is not None:
            return self._computed(match["date"], ("begin", "end", "value")), False
        return self._computed(match["number"], ("value",)), False

    def _key(self, text: str) -> str | None:
        """The variable for the key of an attribute that the question names."""
        for annotation in self.reading.annotations:
            kind = next((k for k in ("Property", "Target") if k in annotation.kinds), None)
            if kind is None or self.keys.get(annotation.matches or "") != text:
                continue
            slot = self._slot(annotation.first, annotation.last, "p", f"{{@{kind}}}")
            if slot is not None:
                self._where(
                    f"?a var:{slot.name}_matches ?{slot.name}Property . ?{slot.name}Property pg:key ?{slot.name}Key ."
                )
                return f"?{slot.name}Key"
        return self._key_of_filter(text)

    def _key_of_filter(self, text: str) -> str | None:
        """The variable for the key of an attribute that a filter compares."""
        for index, moved in enumerate(self.reading.filters):
            term = moved.annotation.variables.get("property")
            if term is not None and self.keys.get(term.value) == text:
                variable = self._filter_variable(index, "property")
                self._where(f"{variable} pg:key ?f{index}Key .")
                return f"?f{index}Key"
        return None

    def typed(self, name: Text, kind: str, types: Mapping[str, str]) -> Text:
        """The type that an attribute is read as: its own where the name comes from the question and has that type."""
        variable = name[0].sparql if len(name) == 1 and isinstance(name[0], Computed) else ""
        if not variable.endswith("Key") or kind not in types.values():
            return (kind,)
        base = variable.removeprefix("?").removesuffix("Key")
        of = f"?{base}_property" if f"{variable} ." in "".join(self.wheres) and base[0] == "f" else f"?{base}Property"
        self._where(f"{of} pg:extractType ?{base}Type .")
        return (Computed(f"?{base}Type"),)

    def _value(self, text: str) -> str | None:
        """The variable for words that a condition compares with."""
        for annotation in self.reading.annotations:
            if annotation.value == text and "Value" in annotation.kinds:
                slot = self._slot(annotation.first, annotation.last, "v", "{@Value}")
                if slot is not None:
                    self._where(
                        f'?a pg:group ?{slot.name}Group . ?{slot.name}Group pg:name "{slot.name}" ; '
                        f"pg:contains ?{slot.name}Found . ?{slot.name}Found a pg:Value ; pg:value ?{slot.name}Value ."
                    )
                    return f"?{slot.name}Value"
        wanted = [token.lower for token in tokenise(text).tokens]
        core = self.reading.core
        for first in range(len(core.tokens) - len(wanted) + 1):
            if wanted and core.words(first, first + len(wanted)) == text:
                slot = self._slot(first, first + len(wanted), "v", "_+")
                return f"?{slot.name}" if slot else None
        return None

    def _computed(self, written: str, names: Sequence[str]) -> str | None:
        """The variable of a pattern whose value a tree writes so: "the 5 longest" → ?n."""
        for match in sorted(self.matches, key=_generality):
            for name in names:
                if name in match.variables and self._tree(match.variables[name]) == written:
                    slot = self._slot(match.first, match.last, "n", f"{{{match.pattern.name}}}")
                    if slot is not None:
                        return f"fn:tree(?{slot.name})" if name == "value" else f"fn:tree(?{slot.name}_{name})"
        return self._of_filter(written)

    def _of_filter(self, written: str) -> str | None:
        """The variable of a filter that was taken out of the question."""
        for index, moved in enumerate(self.reading.filters):
            names = sorted(moved.annotation.variables, key=lambda name: name not in _MEANINGS)
            for name in names:
                if self._tree(moved.annotation.variables[name]) == written:
                    return f"fn:tree({self._filter_variable(index, name)})"
        return None

    def _filter_variable(self, index: int, name: str) -> str:
        """A variable of a filter, found by the filter's kind: other words for the same are read, too."""
        annotation = self.reading.filters[index].annotation
        kind = next((kind for kind in annotation.kinds if kind != "Filter"), "Filter")
        self._where(f"$this pg:annotation ?f{index} . ?f{index} a pg:{kind} ; var:{name} ?f{index}_{name} .")
        return f"?f{index}_{name}"

    def _tree(self, term: Term) -> str | None:
        made = self.functions[FN + "tree"](term)
        return made.value if isinstance(made, Literal) else None

    def _where(self, line: str) -> None:
        if line not in self.wheres:
            self.wheres.append(line)

    def _slot(self, first: int, last: int, letter: str, extract: str) -> Slot | None:
        """The slot for these words; None where another has some of them."""
        for slot in self.slots:
            if (slot.first, slot.last) == (first, last) and slot.name.startswith(letter):
                return slot
            if slot.first < last and first < slot.last:
                return None
        taken = {slot.name for slot in self.slots}
        name = next(n for n in (letter, *(f"{letter}{i}" for i in range(2, 99))) if n not in taken)
        self.slots.append(Slot(first, last, name, extract))
        return self.slots[-1]


def _generality(match: PatternMatch) -> tuple[int, int, int]:
    """Order of patterns that could stand for the same number: long matches, then patterns made for numbers."""
    name = match.pattern.name
    rank = _PREFERRED.index(name) if name in _PREFERRED else len(_PREFERRED)
    return (match.first - match.last, rank, -len(match.pattern.extracts))


def _joined(parts: Sequence[str | Computed]) -> Text:
    """The parts with neighbouring constants put together."""
    found: list[str | Computed] = []
    for part in parts:
        last = found[-1] if found else None
        if isinstance(part, str) and isinstance(last, str):
            found[-1] = last + part
        elif part != "":
            found.append(part)
    return tuple(found)


def extraction(words: Words) -> str:
    """The pattern's expression: the core's words, with the slots' expressions in their places."""
    slots = sorted(words.slots, key=lambda slot: slot.first)
    parts = list(_pieces(words, slots))
    return " ".join(["^", *parts, "$"])


def _pieces(words: Words, slots: Sequence[Slot]) -> Iterator[str]:
    tokens = words.reading.core.tokens
    at = 0
    while at < len(tokens):
        slot = next((slot for slot in slots if slot.first == at), None)
        if slot is None:
            yield _word(tokens[at].lower)
            at += 1
            continue
        lazy = "?" if slot.extract.endswith("+") and slot is not slots[-1] else ""
        if slot.extract.startswith("{"):
            yield "{" + slot.name + "=" + slot.extract[1:]
        else:
            yield f"<{slot.name}: {slot.extract}{lazy}>"
        at = slot.last


DETERMINERS = frozenset({"the", "my", "our", "a", "an"})


def _word(word: str) -> str:
    """A word as expressions write it; articles may be missing or others."""
    if word in DETERMINERS:
        return "(the | my | our | a | an)?"
    return word if re.fullmatch(r"[\w'’.:€$£&+%/-]+|,", word) else f"/{re.escape(word)}/"
