"""docs/reference: the terms of the vocabularies that authors write, as ontology, shapes, code and shipped files have
them (`python tests/vocabulary.py`)."""

# ruff: noqa: E501 - paragraphs of the pages

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from term_examples import Examples
from vocabulary_functions import functions_page
from vocabulary_json import json_page

from reqap_kg.mappings.rml.documents.document import EV_PROPERTIES, PROPERTIES
from reqap_kg.ontology.namespaces import PREFIXES, RDFS
from reqap_kg.store.rdf import BlankNode, NamedNode, Quad, parse_turtle

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "docs" / "reference"
_TOPIC: Final = re.compile(r"^# -{10,} (.+)|^([a-z]+:\w+) (?:a|rdfs:comment) ", re.MULTILINE)
_DEMANDS: Final = "domain-shapes.ttl"
"""The shapes whose messages say what is expected; those of others are sentences."""
_MANY: Final = 6
_SENTENCES: Final = re.compile(r"[.!?]$")


@dataclass(frozen=True)
class Page:
    """A page: its name, title and head, and the ontology's files whose terms of one prefix stand on it."""

    name: str
    title: str
    head: str
    files: tuple[str, ...]
    prefixes: tuple[str, ...]
    first: str = "terms"


PAGES: Final = (
    Page(
        "pg", "pg: patterns, rules, cases, domains",
        "What stands in `patterns/`, `rules/`, `questions.ttl` and `domain.ttl`, and what rules find in a parse graph. How to write them"
        " is in [authoring.md](../authoring.md) and [planner.md](../planner.md).",
        ("parse.ttl",), ("pg",),
    ),
    Page(
        "wh", "wh: measures and dimensions",
        "What an ontology says of tables of figures, with `pg:ruleSet \"warehouse\"`. Guide: [authoring.md](../authoring.md), section 3.",
        ("warehouse.ttl",), ("wh", "qb"), "fact tables, measures, dimensions",
    ),
    Page(
        "ev", "ev: events and what is said of them",
        "Classes and attributes that ship, to be used in maps and profiles, and what an ontology may say of its own. What is marked"
        " *record* is of the import or a derivation rather than of an event, and is not asked for.",
        ("core.ttl", "events.ttl", "mapping.ttl"), ("ev",),
    ),
    Page(
        "qud", "qud: operator trees",
        "What rules construct. What each operator does, and the text form of trees, is in [operators.md](../operators.md).",
        ("operators.ttl",), ("qud",), "operators and what they are given",
    ),
    Page(
        "rml", "rml: maps",
        "RML as it is read here; [mapping-functions.md](../mapping-functions.md) is the guide. Classes (`rml:TriplesMap`, `rml:SubjectMap`, …)"
        " may be said, and need not be.",
        ("mapping.ttl",), ("rml",),
    ),
)  # fmt: skip


@dataclass
class Said:
    """What is known of a term."""

    comment: str = ""
    domain: list[str] = field(default_factory=list)
    range: list[str] = field(default_factory=list)
    allowed: list[str] = field(default_factory=list)
    once: bool = False
    internal: bool = False


def pages() -> dict[str, str]:
    """Every page of the reference by the name of its file."""
    terms, examples = _terms(), Examples.shipped(ROOT)
    found = {f"{page.name}.md": _page(page, terms, examples) for page in PAGES}
    return {"README.md": _index(), **found, "fn.md": functions_page(), "json.md": json_page()}


def undescribed() -> list[str]:
    """Terms of the pages of which nothing is said."""
    terms = _terms()
    named = [name for page in PAGES for _, names in _topics(page) for name in names]
    return [name for name in named if not terms.get(name, Said()).comment]


def _quads(path: Path) -> Iterable[Quad]:
    return parse_turtle(path.read_text(encoding="utf-8"), path=path.name)


def short(iri: str) -> str:
    """An IRI with the prefix that documents use."""
    for prefix, namespace in PREFIXES.items():
        if iri.startswith(namespace) and prefix != "data":
            return f"{prefix}:{iri.removeprefix(namespace)}"
    return f"<{iri}>"


def _terms() -> dict[str, Said]:
    """What is said of each term, by its short name."""
    documents = {path.name: list(_quads(path)) for path in sorted((ROOT / "ontology").glob("*.ttl"))}
    found: dict[str, Said] = {}
    labels: dict[str, str] = {}
    for quad in (quad for quads in documents.values() for quad in quads):
        if isinstance(quad.subject, NamedNode):
            name, value = short(quad.subject.value), getattr(quad.object, "value", "")
            _add(found.setdefault(name, Said()), short(quad.predicate.value), value)
            if quad.predicate.value == RDFS + "label":
                labels[name] = value
    for name, said in found.items():
        said.comment = said.comment or _sentence(labels.get(name, ""))
    for file, quads in documents.items():
        if file.endswith("shapes.ttl"):
            _add_shapes(quads, found, "Must be {}." if file == _DEMANDS else "{}")
    for kind, names in (*PROPERTIES.items(), *EV_PROPERTIES.items()):
        for name in names:
            found[short(name) if ":" in name else f"rml:{name}"].domain.append(kind)
    return found


def _add(said: Said, predicate: str, value: str) -> None:
    match predicate:
        case "rdfs:comment":
            said.comment = value
        case "rdfs:domain":
            said.domain.append(short(value))
        case "rdfs:range":
            said.range.append(short(value))
        case "ev:internal":
            said.internal |= value == "true"
        case _:
            pass


def _sentence(text: str) -> str:
    first = text[:1] if ":" in text.partition(" ")[0] else text[:1].upper()
    return text if not text else first + text[1:] + ("" if _SENTENCES.search(text) else ".")


def _add_shapes(quads: Sequence[Quad], found: dict[str, Said], demand: str) -> None:
    """What shapes demand of the values of a term, and of what it is said."""
    at: dict[tuple[object, str], list[object]] = {}
    for quad in quads:
        at.setdefault((quad.subject, short(quad.predicate.value)), []).append(quad.object)

    def one(node: object, name: str) -> str | None:
        return next((getattr(value, "value", None) for value in at.get((node, name), [])), None)

    for (shape, name), values in list(at.items()):
        if name == "sh:path" and isinstance(values[0], NamedNode) and short(values[0].value) in found:
            said, message = found[short(values[0].value)], one(shape, "sh:message") or ""
            said.once |= one(shape, "sh:maxCount") == "1"
            listed = [shown(value) for value in _listed(at, at.get((shape, "sh:in"), []))]
            limits = any(
                (shape, part) in at for part in ("sh:class", "sh:datatype", "sh:minInclusive", "sh:pattern", "sh:or")
            )
            text = "one of " + ", ".join(f"`{value}`" for value in listed) if listed else message if limits else ""
            text = f"Must be {text}." if listed else _sentence(demand.format(text)) if text else ""
            if text and text not in said.allowed:
                said.allowed.append(text)
        if name == "sh:targetSubjectsOf" and (of := one(shape, "sh:class")):
            for value in values:
                if isinstance(value, NamedNode) and short(value.value) in found:
                    found[short(value.value)].domain.append(short(of))


def _listed(at: dict[tuple[object, str], list[object]], heads: Sequence[object]) -> Iterator[object]:
    for head in heads:
        while isinstance(head, BlankNode):
            yield at[head, "rdf:first"][0]
            head = at[head, "rdf:rest"][0]


def shown(value: object) -> str:
    """A value of a shape as an author writes it."""
    return short(value.value) if isinstance(value, NamedNode) else str(getattr(value, "value", value))


def _topics(page: Page) -> list[tuple[str, list[str]]]:
    """Topics of a page in the order of its files, each with its terms in alphabetical order."""
    found: dict[str, list[str]] = {}
    for file in page.files:
        topic = page.first
        for match in _TOPIC.finditer((ROOT / "ontology" / file).read_text(encoding="utf-8")):
            if match[1]:
                topic = match[1].partition(" (")[0]
            elif match[2].partition(":")[0] in page.prefixes and match[2] not in found.setdefault(topic, []):
                found[topic].append(match[2])
    return [(topic, sorted(names, key=str.casefold)) for topic, names in found.items() if names]


def _page(page: Page, terms: dict[str, Said], examples: Examples) -> str:
    parts = [f"# {page.title}\n\n{page.head}\n"]
    for topic, names in _topics(page):
        parts.append(f"\n## {topic[0].upper() + topic[1:]}\n\n| term | what it says | example |\n|---|---|---|\n")
        parts += [_row(name, terms[name], examples) for name in names]
    return "".join(parts)


def _row(name: str, said: Said, examples: Examples) -> str:
    kinds = list(dict.fromkeys(said.domain))
    more = [f"Of {', '.join(kinds) if len(kinds) < _MANY else 'any kind of term map'}." if kinds else ""]
    more.append(f"Values: {', '.join(said.range)}." if said.range else "")
    more += said.allowed
    more.append("Once." if said.once else "May stand several times." if name in examples.several else "")
    more.append("*record*" if said.internal and name.startswith("ev:") else "")
    example = examples.of(name)
    told = " ".join(filter(None, (said.comment, *more)))
    return f"| `{name}` | {cell(told)} | {f'`{cell(example)}`' if example else ''} |\n"


def cell(text: str) -> str:
    """Text in a cell of a table."""
    return re.sub(r"\s+", " ", text).replace("|", "\\|").strip()


def _index() -> str:
    rows = [f"- [{page.title}]({page.name}.md)" for page in PAGES]
    return (
        "# Reference of the vocabulary\n\n"
        "All terms that the files of a domain may use, by prefix. The guide is [authoring.md](../authoring.md).\n\n"
        + "\n".join(
            [
                *rows,
                "- [fn: functions of maps, of patterns and rules](fn.md)",
                "- [JSON of `ask` and `plan`](json.md)",
            ]
        )
        + "\n\nThese pages are made of `ontology/*.ttl`, of the shapes that `domain check` and `ingest` hold files against, of the registries"
        " of functions, and of the shipped domains, from which the examples are; long texts are cut (`…`). “Of” is what a term is said of, “Values” is of what"
        " type its values are, “Must be” what the shapes demand. `python tests/vocabulary.py` writes them anew.\n"
    )


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for file, text in pages().items():
        (FOLDER / file).write_text(text, encoding="utf-8")
