"""A draft as the files of a domain: ontology, map, questions and domain.ttl."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final
from urllib.parse import quote

from ...ontology.namespaces import EV, OWL, PG, QB, QUDT, RDFS, SKOS, WH, XSD
from ...sources.text import slug
from .model import Draft, Fact, Guess, Link, Path, Property, Question
from .names import called, local_name
from .turtle import Writer

BASE: Final = "https://example.org/"
_EDIT: Final = "Drafted from tables by `reqap-kg domain new`; yours to edit (docs/authoring.md)."


def prefix_of(draft: Draft) -> str:
    """The prefix of the domain's own names."""
    found = "".join(sign for sign in draft.name if sign.isascii() and sign.isalnum()).lower()[:20]
    return f"d{found}" if not found[:1].isalpha() or found in _TAKEN else found


_TAKEN: Final = frozenset(
    [
        "ev",
        "fn",
        "owl",
        "pg",
        "qb",
        "qudt",
        "rdf",
        "rdfs",
        "rml",
        "skos",
        "unit",
        "wh",
        "xsd",
        "qud",
        "var",
        "sh",
        "key",
        "case",
        "prov",
    ]
)


def space_of(draft: Draft) -> str:
    """The namespace of the domain's own names."""
    return f"{BASE}{quote(slug(draft.name) or 'domain')}#"


def writer_of(draft: Draft, first: str) -> Writer:
    """An empty document of the domain."""
    return Writer((prefix_of(draft), space_of(draft)), first)


def files_of(draft: Draft, maps: str, now: datetime | None) -> Iterator[tuple[str, str]]:
    """The Turtle files, by their paths in the domain's folder."""
    yield "domain.ttl", _domain(draft)
    yield "ontology.ttl", _ontology(draft)
    yield "maps/tables.ttl", maps
    yield "questions.ttl", _questions(draft, now)


def _domain(draft: Draft) -> str:
    out = writer_of(draft, _EDIT)
    out.say(
        "<>",
        [
            ("a", [out.iri(PG + "Domain")]),
            (out.iri(RDFS + "label"), [out.text(draft.label)]),
            (out.iri(PG + "ruleSet"), [out.text("warehouse")]),
        ],
    )
    return out.whole()


# ---------------------------------------------------------------- ontology
def _ontology(draft: Draft) -> str:
    out = writer_of(draft, _EDIT)
    out.comment("Lines that begin with # say what was guessed and why; (not sure: …) is the other choice.")
    told = {guess for one in (*draft.properties, *draft.facts) for guess in one.guesses}
    told.update(guess for one in draft.properties for guess in _levels_of(draft, one))
    out.heading("fact tables: one row, one fact")
    for guess in draft.guesses:
        if guess not in told:
            out.comment(str(guess))
    _say_facts(draft, out)
    for heading, role in (
        ("measures: what is added up, averaged, counted", "measure"),
        ("dimensions: by what facts are shown and filtered", "dimension"),
        ("what is only told", "attribute"),
    ):
        of_role = [one for one in draft.properties if one.role == role]
        if of_role:
            out.heading(heading)
        for one in of_role:
            _say_property(draft, one, out)
    return out.whole()


def _say_facts(draft: Draft, out: Writer) -> None:
    own = space_of(draft)
    chains: list[str] = []
    for fact in draft.facts:
        _comments(out, fact.guesses)
        label = next((p for p in draft.properties if _is_own_label(draft, fact, p)), None)
        out.say(
            out.iri(own + fact.local),
            [
                ("a", [out.iri(OWL + "Class")]),
                (out.iri(RDFS + "subClassOf"), [out.iri(QB + "Observation")]),
                (out.iri(RDFS + "label"), [out.text(fact.label)]),
                (out.iri(WH + "partOf"), [out.iri(own + "tables")]),
                (out.iri(EV + "labelProperty"), [out.iri(own + label.local)] if label else []),
            ],
        )
        if fact.time and fact.time[0]:
            path, column = fact.time
            steps = [
                *(link_iri(draft, link.table, link.column) for link in path),
                raw_iri(draft, path[-1].target, column.number),
            ]
            chains.append(f"( {' '.join(out.iri(step) for step in steps)} )")
    if chains:
        out.say(out.iri(EV + "start"), [(out.iri(OWL + "propertyChainAxiom"), chains)])


def _is_own_label(draft: Draft, fact: Fact, one: Property) -> bool:
    label = draft.table(fact.table).label
    return one.role == "dimension" and (fact.table, label) in one.columns and (fact.table, ()) in one.paths


def _comments(out: Writer, guesses: Sequence[Guess]) -> None:
    for guess in guesses:
        out.comment(str(guess))


def _levels_of(draft: Draft, one: Property) -> list[Guess]:
    """What was told of a dimension's place among the others."""
    return [guess for guess in draft.guesses if guess.about.startswith((f"{one.label} →", f"{one.label}: of each"))]


def _say_property(draft: Draft, one: Property, out: Writer) -> None:
    own = space_of(draft)
    names = {fact.table: fact.local for fact in draft.facts}
    kinds = {"measure": [QB + "MeasureProperty"], "dimension": [QB + "DimensionProperty"]}.get(one.role, [])
    chains = [_chain(draft, one, path, out) for _, path in one.paths if path]
    _comments(out, one.guesses)
    _comments(out, _levels_of(draft, one))
    out.say(
        out.iri(own + one.local),
        [
            ("a", [out.iri(iri) for iri in (OWL + "DatatypeProperty", *kinds)]),
            (out.iri(RDFS + "label"), [out.text(one.label)]),
            (out.iri(SKOS + "altLabel"), [out.text(other) for other in one.others]),
            (out.iri(RDFS + "domain"), list(dict.fromkeys(out.iri(own + names[table]) for table, _ in one.paths))),
            (out.iri(RDFS + "range"), [out.iri(XSD + range_of(one))]),
            (out.iri(QUDT + "unit"), [out.iri(one.unit)] if one.unit else []),
            (out.iri(EV + "formula"), [out.text(one.formula)] if one.formula else []),
            (out.iri(WH + "aggregate"), [out.text(one.aggregate)] if one.aggregate else []),
            (out.iri(WH + "kind"), [out.text(one.of_kind)] if one.of_kind and one.role == "dimension" else []),
            (out.iri(WH + "rollsUpTo"), [out.iri(own + one.rolls_up_to)] if one.rolls_up_to else []),
            (out.iri(WH + "attributeOf"), [out.iri(own + one.attribute_of)] if one.attribute_of else []),
            (out.iri(WH + "preference"), [str(one.preference)] if kinds else []),
            (out.iri(OWL + "propertyChainAxiom"), list(dict.fromkeys(chains))),
        ],
    )


def range_of(one: Property) -> str:
    """The datatype of a property."""
    return one.kind.value


def _chain(draft: Draft, one: Property, path: Path, out: Writer) -> str:
    assert one.column is not None
    steps = [link_iri(draft, link.table, link.column) for link in path]
    last = RDFS + "label" if one.named else raw_iri(draft, *one.column)
    return f"( {' '.join(map(out.iri, (*steps, last)))} )"


def used_links(draft: Draft) -> frozenset[Link]:
    """The links by which some fact reaches a property or its time."""
    ways = [path for one in draft.properties for _, path in one.paths] + [f.time[0] for f in draft.facts if f.time]
    return frozenset(link for path in ways for link in path)


def link_iri(draft: Draft, table: str, column: int) -> str:
    """The property that links a row to the row that a column of it names; links of one name are one in all tables."""
    link = next(one for one in draft.links if (one.table, one.column) == (table, column))
    same = {(one.target) for one in draft.links if one.words == link.words}
    words = link.words if len(same) == 1 else f"{link.words} {link.target}"
    return space_of(draft) + local_name(f"to {words}", "to")


def raw_iri(draft: Draft, table: str, column: int) -> str:
    """The property of a row that facts refer to, by which a column is found from these."""
    names = [(one.name, at.number) for one in draft.tables for at in one.columns]
    words = called(draft.table(table).columns[column].name).words
    local = local_name(f"has {words}", "has")
    same = [place for place in names if place != (table, column) and _same_raw(draft, place, local)]
    return space_of(draft) + (f"{local}{names.index((table, column)) + 1}" if same else local)


def _same_raw(draft: Draft, place: tuple[str, int], local: str) -> bool:
    return local_name(f"has {called(draft.column(place).name).words}", "has").lower() == local.lower()


# ---------------------------------------------------------------- questions
def _questions(draft: Draft, now: datetime | None) -> str:
    out = writer_of(draft, "Questions that work, with the trees they become: reqap-kg rules test --domain DIR.")
    if not draft.questions:
        out.comment("None could be had: write your own (docs/authoring.md, section 9).")
    for number, one in enumerate(draft.questions, 1):
        out.comment(f"{one.sort}: {_shown(one)}")
        out.say(
            out.iri(f"{space_of(draft)}q{number}"),
            [
                ("a", [out.iri(PG + "Case")]),
                (out.iri(PG + "question"), [out.text(one.text)]),
                (out.iri(PG + "now"), [out.text(now.isoformat())] if now else []),
                (out.iri(PG + "answer"), [out.text(one.answer)] if one.answer in _ANSWERS else []),
                (out.iri(PG + "tree"), [out.quoted(one.tree)]),
            ],
        )
    return out.whole()


_ANSWERS: Final = ("number", "date", "datetime", "time", "text", "events", "boolean", "duration", "month")


def _shown(one: Question) -> str:
    rows = [" ".join(f"{cell:g}" if isinstance(cell, float) else str(cell) for cell in row) for row in one.expected[:3]]
    return "; ".join(rows) + (f" … {len(one.expected)} rows" if len(one.expected) > 3 else "")
