"""`rules new`: a pattern and a rule drafted from one question and its tree (QUASL, section X, future work).

What of the tree comes from the question's words becomes variable; the largest part of it that existing rules make of
the rest of the words becomes an open leaf. Several drafts are made, the more general first; the first that plans the
question to the tree is the one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import datetime

from ...errors import UsageError
from ...ontology.namespaces import QUD
from ...operators.nodes import Extract, Node, Retrieve, walk
from ...operators.syntax.printing import format_tree
from ...operators.syntax.rdf import Blank, Iri, RdfTerm, RdfTriple, Resource, tree_to_rdf
from ..search.plan import Investigation
from .draft_words import DETERMINERS, Computed, Slot, Text, Words, as_sparql, extraction, literal

NAMESPACE = "https://example.org/own#"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_CODE = frozenset({"condition", "function"})
_NAMES = frozenset({"name", "names", "itemName", "argName", "valueName"})


@dataclass(frozen=True)
class Example:
    """The question, the tree that it shall become, and what planning knows of the question."""

    question: str
    tree: Node
    now: datetime
    found: Investigation
    make_words: Callable[[], Words]
    types: Callable[[str], str | None]
    """The type as which a property's key is extracted."""


@dataclass(frozen=True)
class Draft:
    """A pattern and a rule in Turtle, with the example as a case."""

    name: str
    turtle: str
    slots: tuple[Slot, ...]
    """The words that may be others."""


def drafts(example: Example, name: str | None = None) -> Iterator[Draft]:
    """Drafts to be tried, the more general first. Raises UsageError where the question says nothing."""
    if not example.found.asked:
        raise UsageError("the question says nothing")
    for cut in _cuts(example.tree):
        for carried in (True, False):
            yield _draft(example, cut, carried=carried, name=name)


def _cuts(tree: Node) -> Iterator[tuple[Node, ...]]:
    """Parts of the tree that may become open leaves, the largest first; last none: then the rule tells all."""
    sources = [node for node in walk(tree) if isinstance(node, Retrieve)]
    if len(sources) == 1:
        for node in _path(tree, sources[0]):
            yield (node,)
    elif sources:
        yield tuple(dict.fromkeys(sources))
    yield ()


def _path(tree: Node, source: Node) -> list[Node]:
    """From the top to the source."""
    if tree is source:
        return [tree]
    for field in fields(tree):  # type: ignore[arg-type]
        value = getattr(tree, field.name)
        if isinstance(value, Node) and any(node is source for node in walk(value)):
            return [tree, *_path(value, source)]
    return []


def _draft(example: Example, cut: Sequence[Node], *, carried: bool, name: str | None) -> Draft:
    """One draft; `carried` when the leaves get the question's filters, else these must be told by the rule."""
    words = example.make_words()
    writer = _Writer(words, example.types, {id(node) for node in cut}, carried=carried and bool(cut))
    template = writer.template(example.tree)
    called = name or _called(words)
    return Draft(called, _turtle(example, called, words, writer, template), tuple(words.slots))


class _Writer:
    """Writes a tree as the template of a CONSTRUCT, with BINDs for what the question gives."""

    def __init__(self, words: Words, types: Callable[[str], str | None], cut: set[int], *, carried: bool) -> None:
        self._words = words
        self._types = types
        self._cut = cut
        self._carried = carried
        self.binds: list[str] = []

    def template(self, tree: Node, depth: int = 2) -> str:
        """The node as `[ a qud:Sum ; … ]`, its inputs indented."""
        kind = "Qud" if id(tree) in self._cut else type(tree).__name__
        return f"[ {' ; '.join((f'a qud:{kind}', *self._properties(tree, depth)))} ]"

    def _properties(self, tree: Node, depth: int) -> Iterator[str]:
        if id(tree) in self._cut:
            text = self._words.query(next(node.query for node in walk(tree) if isinstance(node, Retrieve)))
            filters: Text = (Computed("?filters"),) if self._carried else ()
            yield f"qud:question {self._bound('events', (*text, *filters))}"
            return
        names = self._names(tree)
        values = sorted(_values(tree), key=lambda pair: isinstance(pair[1], Node))
        for name, value in values:
            if isinstance(value, Node):
                yield f"\n{'  ' * depth}qud:{name} {self.template(value, depth + 1)}"
            else:
                yield f"qud:{name} {self._value(tree, name, value, names)}"

    def _names(self, tree: Node) -> dict[str, Text]:
        own = tree.names if isinstance(tree, Extract) else ()
        return {name: self._words.name(name) for name in own}

    def _value(self, tree: Node, name: str, value: object, names: dict[str, Text]) -> str:
        if isinstance(value, tuple):
            parts = [self._item(tree, name, index, item, names) for index, item in enumerate(value)]
            return f"({' '.join(parts)})"
        return self._item(tree, name, 0, value, names)

    def _item(self, tree: Node, name: str, index: int, value: object, names: dict[str, Text]) -> str:
        text = str(value)
        if name in _CODE:
            return self._bound(name, self._words.code(text))
        if name == "query":
            return self._bound("query", self._words.query(text))
        if name == "types" and isinstance(tree, Extract):
            own = tree.names[index]
            return self._bound("type", self._words.typed(names[own], text, _known(self._types(own), own)))
        return self._bound(name, self._words.name(text)) if name in _NAMES else literal(text)

    def _bound(self, name: str, text: Text) -> str:
        """A constant, a variable, or a variable that a BIND gives the text."""
        if len(text) == 1 and isinstance(text[0], str):
            return literal(text[0])
        expression = as_sparql(text)
        if re.fullmatch(r"\?\w+", expression):
            return expression
        known = next((bind for bind in self.binds if bind.startswith(f"BIND({expression} AS ")), None)
        if known is not None:
            return known.rsplit(" ", 1)[-1].rstrip(")")
        used = {bind.rsplit("?", 1)[-1].rstrip(")") for bind in self.binds}
        variable = next(n for n in (name, *(f"{name}{i}" for i in range(2, 99))) if n not in used)
        self.binds.append(f"BIND({expression} AS ?{variable})")
        return f"?{variable}"


def _known(kind: str | None, name: str) -> dict[str, str]:
    return {} if kind is None else {name: kind}


def _values(tree: Node) -> Iterator[tuple[str, object]]:
    """The properties of one operator in RDF, with nodes for inputs and text for all else."""
    triples = tree_to_rdf(tree)
    own = [
        (p.value.removeprefix(QUD), value) for s, p, value in triples if s == Blank("tree") and p.value.startswith(QUD)
    ]
    inputs = [getattr(tree, f.name) for f in fields(tree) if isinstance(getattr(tree, f.name), Node)]  # type: ignore[arg-type]
    order = iter(inputs)
    for name, value in own:
        if name in ("input", "left", "right"):
            yield name, next(order)
        else:
            yield name, _listed(triples, value)


def _listed(triples: Sequence[RdfTriple], value: RdfTerm) -> object:
    """A literal's text, or the texts of an RDF list."""
    if not isinstance(value, Blank):
        return value.value
    items: list[str] = []
    at: Resource = value
    while at != Iri(_RDF + "nil"):
        items += [o.value for s, p, o in triples if s == at and p.value == _RDF + "first"]
        rest = next((o for s, p, o in triples if s == at and p.value == _RDF + "rest"), None)
        if not isinstance(rest, Blank):
            break
        at = rest
    return tuple(items)


# ---------------------------------------------------------------- the document
def _turtle(example: Example, name: str, words: Words, writer: _Writer, template: str) -> str:
    said = template + " ".join(writer.binds)
    reads = " ; pg:filters ?filters" if "?filters" in said else _no_filters(words)
    matched = f"?a pg:pattern own:{name}Asked{_variables(words, said)} ."
    lines = [
        f"$this a pg:Question{reads} ; pg:annotation ?a .",
        matched,
        *words.wheres,
        *_only_these(words.wheres),
        *writer.binds,
    ]
    where = "\n  ".join(lines)
    top = template.removeprefix("[ ").removesuffix(" ]")
    kind, unit = _answer(example)
    construct = f'CONSTRUCT {{\n  [] {top} ; pg:answerType "{kind}"{unit} }}\nWHERE {{\n  {where}\n}}'
    return _DOCUMENT.format(
        namespace=NAMESPACE,
        name=name,
        label=_in_turtle(example.question),
        extract=_in_turtle(extraction(words)),
        order=f"{_order(example):g}",
        construct=construct.replace("\\", "\\\\").replace('"""', '\\"\\"\\"'),
        question=_in_turtle(example.question),
        now=example.now.isoformat(),
        tree=_in_turtle(format_tree(example.tree)),
    )


_DOCUMENT = '''@prefix pg: <https://w3id.org/reqap-kg/parse#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix own: <{namespace}> .

own:{name}Asked a pg:Pattern ; rdfs:label {label} ; pg:kind pg:Frame ;
  pg:extract {extract} .

own:{name} a sh:SPARQLRule ; rdfs:label {label} ; sh:order {order} ; pg:trigger own:{name}Asked ;
  sh:construct """
{construct}""" .

own:{name}Case a pg:Case ; pg:question {question} ;
  pg:now "{now}" ; pg:rule own:{name} ;
  pg:tree {tree} .
'''


def _variables(words: Words, said: str) -> str:
    """The variables of the match that the rule uses."""
    names = {slot.name for slot in words.slots}
    used = [name for name in dict.fromkeys(re.findall(r"\?(\w+)", said)) if name.split("_")[0] in names]
    return "".join(f" ; var:{name} ?{name}" for name in used if not name.endswith("_matches"))


def _no_filters(words: Words) -> str:
    """A rule that tells what the filters say reads them one by one; one that does not must have none."""
    return "" if words.reading.filters else ' ; pg:filters ""'


def _only_these(wheres: Sequence[str]) -> list[str]:
    """That there is no filter but those that the rule tells of: another would get lost."""
    told = dict.fromkeys(re.findall(r"\?f\d+(?= a )", " ".join(wheres)))
    others = f"FILTER(?other NOT IN ({', '.join(told)}))"
    return [f"FILTER NOT EXISTS {{ $this pg:annotation ?other . ?other a pg:Filter . {others} }}"] if told else []


def _answer(example: Example) -> tuple[str, str]:
    """Answer type and unit, by the top of the tree."""
    top = type(example.tree).__name__
    if top in ("Sum", "Avg"):
        return "number", ""
    if top == "Apply" and "fct=len)" in format_tree(example.tree)[-9:]:
        return "number", ""
    return ("events", "") if top in ("Retrieve", "Filter", "Extract", "Qud") else ("any", "")


def _order(example: Example) -> float:
    """Before the rules that read the question now, or with the others."""
    fired = [trial.rule.order for asked in example.found.asked[:1] for trial in asked.trials if trial.trees]
    return min([*fired, 11]) - 1


def _called(words: Words) -> str:
    """A name of the words that stay."""
    taken = {index for slot in words.slots for index in range(slot.first, slot.last)}
    tokens = enumerate(words.reading.core.tokens)
    said = [t.lower for i, t in tokens if i not in taken and t.lower.isalpha() and t.lower not in DETERMINERS]
    kept = said[:4] or ["asked"]
    return kept[0] + "".join(word.capitalize() for word in kept[1:])


def _in_turtle(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'
