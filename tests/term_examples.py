"""How shipped domains, documents and rules use the terms of the vocabularies: one short example for each."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from reqap_kg.errors import ReqapError
from reqap_kg.ontology.namespaces import PREFIXES
from reqap_kg.store.rdf import BlankNode, Literal, NamedNode, Quad, parse_turtle

_FENCE: Final = re.compile(r"^```turtle\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PREFIX: Final = re.compile(r"@prefix\s+([\w-]*):\s*<([^>]*)>")
_USE: Final = re.compile(r"(?<![\w:])([a-z]+:\w+) (\"[^\"]*\"|\?\w+|[a-z]+:\w+|\([^()]*\))(?=[ .;)\n])")
_MADE_UP: Final = {"ex": "https://example.org/garden#", "resorts": "https://example.org/resorts#"}
_BASE: Final = "https://example.org/domain/"
_LONGEST: Final = 110
_CUT: Final = 60
_TEXTS: Final = ("sh:construct", "sh:ask", "pg:compute", "pg:extract")


@dataclass(frozen=True)
class Examples:
    """Examples by term, and the terms that shipped files say several times of the same thing."""

    found: dict[str, str]
    several: frozenset[str]

    def of(self, name: str) -> str:
        """An example of a term; nothing where nothing that ships has it."""
        return self.found.get(name, "")

    @classmethod
    def shipped(cls, root: Path) -> Examples:
        """Those of the domains, then of the documents, the maps, patterns and rules, and the ontology."""
        best: dict[str, tuple[int, bool, int, int, str]] = {}
        several: set[str] = set()
        for rank, text in _documents(root):
            prefixes = {**PREFIXES, **_MADE_UP, **dict(_PREFIX.findall(text))}
            declared = "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in prefixes.items())
            try:
                quads = list(parse_turtle(declared + text, base_iri=_BASE, path="example.ttl"))
            except ReqapError:  # fences that show a part of a file
                continue
            for name, how, example in _uses(quads, _Names(prefixes)):
                one = (how, "[ … ]" in example or " <#" in example, rank, len(example), example)
                best[name] = min(best.get(name, one), one)
            counted = Counter((q.subject, q.predicate.value) for q in quads)
            several |= {_Names(prefixes).short(iri) for (_, iri), count in counted.items() if count > 1}
        return cls({name: example for name, (*_, example) in best.items()}, frozenset(several))


def _documents(root: Path) -> Iterator[tuple[int, str]]:
    for name in ("docs/authoring.md", "docs/planner.md"):
        for found in _FENCE.finditer((root / name).read_text(encoding="utf-8")):
            yield 0, found[1]
    for rank, folder in ((0, "examples"), (1, "mappings"), (2, "ontology")):
        for path in sorted((root / folder).glob("**/*.ttl")):
            if not path.name.endswith("shapes.ttl"):
                yield rank, path.read_text(encoding="utf-8")


@dataclass(frozen=True)
class _Names:
    prefixes: dict[str, str]

    def short(self, iri: str) -> str:
        fitting = [(name, space) for name, space in self.prefixes.items() if space and iri.startswith(space)]
        if not fitting:
            return f"<{iri.removeprefix(_BASE)}>"
        name, space = max(fitting, key=lambda one: len(one[1]))
        return f"{name}:{iri.removeprefix(space)}"

    def term(self, term: object) -> str:
        if isinstance(term, NamedNode):
            return self.short(term.value)
        if isinstance(term, Literal):
            bare = term.datatype.value.rpartition("#")[2] in ("integer", "decimal", "boolean")
            text = re.sub(r"\s+", " ", term.value).strip()
            return text if bare else f'"{text if len(text) <= _CUT else text[: _CUT - 1] + "…"}"'
        return "[ … ]"


def _uses(quads: Iterable[Quad], names: _Names) -> Iterator[tuple[str, int, str]]:
    """Each term that triples use, how plain a use it is (0 is best), and the use."""
    said: dict[object, dict[str, list[object]]] = defaultdict(lambda: defaultdict(list))
    for quad in quads:
        said[quad.subject][names.short(quad.predicate.value)].append(quad.object)
    for subject, about in said.items():
        who = "[]" if isinstance(subject, BlankNode) else names.term(subject)
        for predicate, value in [(name, value) for name, values in about.items() for value in values]:
            text = _nested(value, said, names)
            called = (
                f" ; pg:name {names.term(about['pg:name'][0])}"
                if predicate == "rdf:type" and "pg:name" in about
                else ""
            )
            use = f"{who} {'a' if predicate == 'rdf:type' else predicate} {text}{called} ."
            yield predicate, 1, use
            if isinstance(value, NamedNode) and predicate == "pg:kind":
                yield text, 0, _of_kind(who, about, names)
            elif isinstance(value, NamedNode) and predicate == "rml:predicate":
                yield text, 0, _mapped(text, about, said, names)
            elif isinstance(value, NamedNode) and predicate not in ("rdfs:domain", "rdfs:range"):
                yield text, 1, use
            elif isinstance(value, Literal) and predicate in _TEXTS:
                yield from _inside(predicate, value.value)


def _nested(value: object, said: dict[object, dict[str, list[object]]], names: _Names) -> str:
    """A value, what has no name in brackets with what is said of it, where that is short."""
    if not isinstance(value, BlankNode):
        return names.term(value)
    parts = [f"{name} {_nested(one, said, names)}" for name, values in said.get(value, {}).items() for one in values]
    text = f"[ {' ; '.join(parts)} ]"
    return text if len(text) <= _LONGEST else "[ … ]"


def _of_kind(who: str, about: dict[str, list[object]], names: _Names) -> str:
    kinds = ", ".join(sorted(names.term(kind) for kind in about["pg:kind"]))
    extract = re.sub(r"\s+", " ", min((getattr(one, "value", "") for one in about["pg:extract"]), key=len, default=""))
    text = extract if len(extract) <= _LONGEST else extract[: _CUT - 1] + "…"
    return f'{who} pg:kind {kinds} ; pg:extract "{text}"'


def _mapped(
    text: str, about: dict[str, list[object]], said: dict[object, dict[str, list[object]]], names: _Names
) -> str:
    """A predicate of a map with its object map, where that is a column."""
    objects = [said[one] for one in about["rml:objectMap"] if one in said]
    columns = [names.term(value) for one in objects for value in one.get("rml:reference", [])]
    inside = f"rml:reference {columns[0]}" if columns else "…"
    return f"[ rml:predicate {text} ; rml:objectMap [ {inside} ] ]"


def _inside(predicate: str, text: str) -> Iterator[tuple[str, int, str]]:
    """Terms in SPARQL and in extraction expressions."""
    if predicate == "pg:extract":
        for kind in re.findall(r"\{(?:\w+=)?@(\w+)\}", text):
            yield (
                f"pg:{kind}",
                0,
                f'pg:extract "{text}"' if len(text) <= _LONGEST else f'pg:extract "… {{x=@{kind}}} …"',
            )
        return
    for name, value in _USE.findall(text):
        if not name.partition(":")[2][:1].isupper():
            yield name, 2, f"{name} {value}"
    for value in re.findall(r"(?<=\ba )([a-z]+:[A-Z]\w+)", text):
        yield value, 2, f"?x a {value}"
