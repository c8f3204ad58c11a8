"""The patterns, rules and words that planning works with, read from Turtle: the shipped ones and a user's own."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from math import nan
from pathlib import Path
from types import MappingProxyType
from typing import Final

from ...errors import QueryError, RuleError
from ...ontology.namespaces import PG, PREFIXES, RDF_TYPE, SH
from ...operators.reading.currencies import WORDS
from ...operators.reading.names import english_abbreviations, english_month, months_abroad, whole_months, whole_weekdays
from ...store.folder import PATTERNS
from ...store.graph import MEMORY, Function, MemoryGraph
from ...store.rdf import BlankNode, Literal, NamedNode, Quad, Subject, parse_turtle
from ...store.sparql.lexer import scanned
from ...store.sparql.reading import check_where, read_query
from ...texts.time.feasts import holiday_documents
from ..patterns.functions import extension_functions
from ..patterns.inflection import Forms
from ..patterns.patterns import CompiledPattern, Names, Pattern, compile_patterns, needed_for, summaries
from ..patterns.summaries import Kept

VARIABLE = "https://w3id.org/reqap-kg/parse/variable#"
"""Namespace of the predicates that hold a match's variables, `var:` in rules."""
RULE_PREFIXES = f"PREFIX var: <{VARIABLE}>\n"
CASES = "cases"
"""Folder of the shipped cases of `rules test`, which are no part of the rule book."""


@dataclass(frozen=True)
class Rule:
    """One `sh:SPARQLRule`: lower `order` is tried first; it runs only where one of its triggers was annotated.

    One that `infers` (a pg:Inference) builds no tree: what it constructs is added to the parse graph, for rules of
    later orders. A pg:ChatRule reads a question as one `of_chats`, about what was said in them.
    """

    iri: str
    label: str
    order: float
    triggers: frozenset[str]
    construct: str
    infers: bool = False
    of_chats: bool = False


@dataclass(frozen=True)
class RuleBook:
    """Everything declarative: patterns for filters and words, patterns for the question's frame, rules, words."""

    patterns: tuple[CompiledPattern, ...]
    filters: tuple[CompiledPattern, ...]
    """Those for filters and asides, with those they use."""
    frames: tuple[CompiledPattern, ...]
    """Those for the core of a whole question."""
    markers: tuple[CompiledPattern, ...]
    """Those for the core of an open leaf."""
    words: tuple[CompiledPattern, ...]
    wordings: tuple[CompiledPattern, ...]
    """Those for a question with its filters, asked before all others or where these lead to no tree."""
    rules: tuple[Rule, ...]
    forms: Forms
    quads: tuple[Quad, ...]
    """What the documents say besides patterns and rules: rules may ask for it."""
    stop_words: frozenset[str]
    nouns: Mapping[str, str]
    """How queries name the events of a class, by its IRI."""
    own: Mapping[str, str]
    """The file of each pattern that does not ship."""

    @staticmethod
    def term(name: str) -> str:
        """The IRI of a kind of annotation."""
        return PG + name

    @property
    def functions(self) -> Mapping[str, Function]:
        """Extension functions that patterns and rules may call, by IRI (docs/reference/fn.md)."""
        return extension_functions(self.forms)


def shipped_rulebook(folder: Path | None = None) -> RuleBook:
    """The rule book for personal events, read once; summaries of its patterns are kept in the folder."""
    if not _SHIPPED:
        _SHIPPED.append(load_rulebook(shipped_documents(), folder))
    return _SHIPPED[0]


_SHIPPED: Final[list[RuleBook]] = []


def load_rulebook(
    documents: Iterable[tuple[str, str]], folder: Path | None = None, without: Collection[str] = ()
) -> RuleBook:
    """The rule book of Turtle documents, given as (path, text), `without` patterns and rules of these IRIs. Where
    summaries of its patterns are in the folder, these are not read before a question may match them; else they are
    written there. Raises RuleError with the place of what is wrong."""
    documents = tuple(documents)
    quads: list[Quad] = []
    paths: dict[str, str] = {}
    for path, text in documents:
        for quad in _quads_of(path, text):
            if without and isinstance(quad.subject, NamedNode) and quad.subject.value in without:
                continue
            quads.append(quad)
            if isinstance(quad.subject, NamedNode):
                paths[quad.subject.value] = path
    said = _said(quads)
    rules = _rules(said)
    compiled = _compiled(documents, _patterns(said, paths), cache(lambda: _names(said)), folder)
    shipped = _shipped_paths()
    patterns_and_rules = {c.pattern.iri for c in compiled} | {rule.iri for rule in rules}
    book = RuleBook(
        patterns=compiled,
        filters=needed_for(compiled, frozenset({"Filter", "Aside"})),
        frames=needed_for(compiled, frozenset({"Frame", "Marker"})),
        markers=needed_for(compiled, frozenset({"Marker", "Phrasing"})),
        wordings=needed_for(compiled, frozenset({"Wording"})),
        words=needed_for(compiled, frozenset({"Word"})),
        rules=rules,
        forms=_forms(said),
        quads=tuple(q for q in quads if _is_word(q.subject, patterns_and_rules)),
        stop_words=frozenset(word for text in _values(said, PG + "stopWords").values() for word in text.split()),
        nouns=MappingProxyType(_values(said, PG + "noun")),
        own=MappingProxyType({c.pattern.iri: path for c in compiled if (path := c.pattern.path or "") not in shipped}),
    )
    check_rules(book, frozenset(iri for iri, path in paths.items() if path not in shipped))
    return book


def _compiled(
    documents: tuple[tuple[str, str], ...], patterns: Sequence[Pattern], names: Names, folder: Path | None
) -> tuple[CompiledPattern, ...]:
    if folder is None:
        return compile_patterns(patterns, names)
    kept = Kept(folder / PATTERNS, documents)
    known = kept.read()
    compiled = compile_patterns(patterns, names, known)
    if not known:
        kept.write(summaries(compiled))
    return compiled


@lru_cache(maxsize=128)
def _quads_of(path: str, text: str) -> tuple[Quad, ...]:
    """The triples of a document; kept, since rule books that differ in one document are loaded one after the other."""
    own = own_prefixes(text)
    read = (
        _spelled_out(quad, own) if own and quad.predicate.value in _QUERIES else quad
        for quad in parse_turtle(text, path=path, error=RuleError)
    )
    return tuple(Quad(quad.subject, quad.predicate, quad.object, MEMORY) for quad in read)


_PREFIX = re.compile(r"(?i)(?:^|(?<=[\s.]))@?prefix\s+([\w-]*):\s*<([^>\s]*)>")
_QUERIES = frozenset({SH + "construct", PG + "compute", PG + "look"})


def own_prefixes(text: str) -> dict[str, str]:
    """Prefixes of a document that are none of the project's: its rules may use them too."""
    return {prefix: iri for prefix, iri in _PREFIX.findall(text) if prefix not in PREFIXES and prefix != "var"}


def _spelled_out(quad: Quad, prefixes: Mapping[str, str]) -> Quad:
    """The triple with the document's own prefixes written out in its SPARQL."""
    query = quad.object.value if isinstance(quad.object, Literal) else ""
    parts: list[str] = []
    end = 0
    for token in scanned(query):
        prefix, _, name = token.text.partition(":")
        if token.kind in ("NAME", "NAMESPACE") and prefix in prefixes:
            parts += [query[end : token.offset], f"<{prefixes[prefix]}{name}>"]
            end = token.offset + len(token.text)
    return Quad(quad.subject, quad.predicate, Literal("".join(parts) + query[end:])) if parts else quad


def shipped_documents(sets: Iterable[str] = ("personal",)) -> list[tuple[str, str]]:
    """The shipped documents of these sets, as (path, text): what a user's own are added to."""
    left_out = tuple(place for name, places in _ONLY.items() if name not in sets for place in places)
    return [(path, text) for path, text in _shipped_files() if not path.startswith(left_out)]


_ONLY = {
    "personal": (
        "mappings/planner/rules/",
        "mappings/planner/patterns/frames.ttl",
        "mappings/planner/patterns/conversation.ttl",
    ),
    "warehouse": ("mappings/planner/warehouse/",),
}
"""Documents that only some domains have; all others are everywhere."""


def _shipped_files() -> Iterable[tuple[str, str]]:
    yield from _turtle_files(files("reqap_kg.mappings").joinpath("planner"), "mappings/planner")
    yield from holiday_documents()


@lru_cache(maxsize=1)
def _shipped_paths() -> frozenset[str]:
    return frozenset(path for path, _ in _shipped_files())


def _turtle_files(folder: Traversable, path: str) -> Iterable[tuple[str, str]]:
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        if entry.is_dir() and entry.name != CASES:
            yield from _turtle_files(entry, f"{path}/{entry.name}")
        elif entry.name.endswith(".ttl"):
            yield f"{path}/{entry.name}", entry.read_text(encoding="utf-8")


Said = Mapping[Subject, Mapping[str, Sequence[str]]]
"""What is said of each subject: values by property, in order."""


def _said(quads: Iterable[Quad]) -> Said:
    """What triples say; read here, as SPARQL takes ten times as long for a whole rule book."""
    found: dict[Subject, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for quad in quads:
        if isinstance(quad.subject, NamedNode | BlankNode):
            found[quad.subject][quad.predicate.value].add(getattr(quad.object, "value", str(quad.object)))
    ordered = sorted(found, key=lambda subject: subject.value)
    return {subject: {name: sorted(same) for name, same in sorted(found[subject].items())} for subject in ordered}


def _values(said: Said, predicate: str) -> dict[str, str]:
    return {subject.value: values[predicate][-1] for subject, values in said.items() if predicate in values}


def _details(said: Said, kind: str, name: str) -> dict[str, Mapping[str, Sequence[str]]]:
    found = {subject: values for subject, values in said.items() if kind in values.get(RDF_TYPE, ())}
    if not all(isinstance(subject, NamedNode) for subject in found):
        raise RuleError(f"a {name} has no IRI", expected="an IRI as the subject")
    return {subject.value: values for subject, values in found.items()}


def _patterns(said: Said, paths: Mapping[str, str]) -> list[Pattern]:
    found = []
    for iri, values in _details(said, PG + "Pattern", "pg:Pattern").items():
        extracts = values.get(PG + "extract", [])
        if not extracts:
            raise RuleError(f"pattern {iri} has no pg:extract", expected="an extraction expression")
        found.append(
            Pattern(
                iri=iri,
                label=_one(values, "http://www.w3.org/2000/01/rdf-schema#label") or iri,
                extracts=tuple(extracts),
                kinds=tuple(kind.removeprefix(PG) for kind in values.get(PG + "kind", [])),
                compute=_one(values, PG + "compute") or "",
                look=_one(values, PG + "look") or "",
                outputs=tuple(values.get(PG + "output", [])),
                applies_to=tuple(values.get(PG + "appliesTo", [])),
                confidence=_number(iri, "pg:confidence", _one(values, PG + "confidence"), 1.0, (0.0, 1.0)),
                path=paths.get(iri),
            )
        )
    return found


def _names(said: Said) -> dict[str, list[str]]:
    named: dict[str, set[str]] = defaultdict(set)
    for values in said.values():
        for kind in values.get(RDF_TYPE, ()) if PG + "name" in values else ():
            named[kind].update(values[PG + "name"])
    found: dict[str, list[str]] = defaultdict(list, grammar_names())
    for kind in sorted(named):
        found[re.split("[#/]", kind)[-1]] += sorted(named[kind])
    return found


def _is_word(subject: object, iris: set[str]) -> bool:
    return not isinstance(subject, NamedNode) or subject.value not in iris


def _one(values: Mapping[str, Sequence[str]], predicate: str) -> str | None:
    found = values.get(predicate)
    return found[0] if found else None


def _number(iri: str, name: str, said: str | None, default: float, bounds: tuple[float, float]) -> float:
    """The number that a property says. Raises RuleError where it says none, or one out of bounds."""
    if said is None:
        return default
    least, most = bounds
    try:
        found = float(said)
    except ValueError:
        found = nan
    if not least <= found <= most:  # a NaN is not, either
        raise RuleError(f"{iri}: {name} is {said!r}", expected=f"a number from {least:g} to {most:g}")
    return found


def _rules(said: Said) -> tuple[Rule, ...]:
    found = []
    for iri, values in _details(said, SH + "SPARQLRule", "sh:SPARQLRule").items():
        construct = _one(values, SH + "construct")
        if construct is None:
            raise RuleError(f"rule {iri} has no sh:construct", expected="a SPARQL CONSTRUCT")
        found.append(
            Rule(
                iri=iri,
                label=_one(values, "http://www.w3.org/2000/01/rdf-schema#label") or iri,
                order=_number(iri, "sh:order", _one(values, SH + "order"), 0.0, (-1e9, 1e9)),
                triggers=frozenset(values.get(PG + "trigger", [])),
                construct=RULE_PREFIXES + construct,
                infers=PG + "Inference" in values.get(RDF_TYPE, []),
                of_chats=PG + "ChatRule" in values.get(RDF_TYPE, []),
            )
        )
    return tuple(sorted(found, key=lambda rule: (rule.order, rule.iri)))


def _forms(said: Said) -> Forms:
    singular = {
        plural: one
        for values in said.values()
        for plural in values.get(PG + "plural", ())
        for one in values.get(PG + "singular", ())
    }
    return Forms(MappingProxyType(singular))


def check_rules(book: RuleBook, iris: frozenset[str] | None = None) -> None:
    """Refuses patterns and rules, these or all, that are not SPARQL CONSTRUCTs, or that wait for a pattern or kind that
    does not exist. What ships was checked before."""
    known = {c.pattern.iri for c in book.patterns}
    known |= {PG + kind for c in book.patterns for kind in c.pattern.kinds}
    for compiled in (one for one in book.patterns if iris is None or one.pattern.iri in iris):
        _check_closed(f"pattern {compiled.pattern.name}", compiled.pattern.compute, whole=False)
        if compiled.pattern.look:
            _check_closed(f"pattern {compiled.pattern.name}", compiled.pattern.look)
    for rule in (one for one in book.rules if iris is None or one.iri in iris):
        unknown = rule.triggers - known
        if unknown:
            raise RuleError(f"rule {rule.iri} waits for {sorted(unknown)[0]}, which no pattern gives")
        _check_closed(f"rule {rule.iri}", rule.construct)
        try:
            _check_construct(rule.construct)
        except QueryError as bad:
            raise RuleError(f"rule {rule.iri}: {bad}") from bad
        if not re.search(r"[$?]this\b", rule.construct):
            raise RuleError(f"rule {rule.iri} does not look at $this", expected="$this, the question")


@lru_cache(maxsize=4096)
def _check_construct(query: str) -> None:
    """Raises QueryError for what is no SPARQL CONSTRUCT with the functions that rules may call."""
    MemoryGraph(functions=extension_functions(Forms())).construct(query)


@lru_cache(maxsize=4096)
def _check_closed(what: str, query: str, *, whole: bool = True) -> None:
    """Refuses a query, or the inside of a WHERE, that is none by itself or would reach the network or other data."""
    try:
        if whole:
            read_query(query)
        else:
            check_where(query)
    except QueryError as bad:
        raise RuleError(f"{what}: {bad}") from bad


_PEOPLE: Final = frozenset({"avril", "julio", "junio", "marco", "marts"})
"""Months that are first names or words, too: they need a day's number beside them, as short ones do (mars)."""
_LONG: Final = 5
"""Letters from which on the name of a month in another language stands alone."""

_NO_SUMS: Final = frozenset({"ft", "squid", "won", "tl", "lei"})
"""Words for currencies that mean something else behind a number of a question."""
_SPOKEN: Final = ("EUR", "USD", "GBP", "CHF", "SEK", "NOK", "DKK", "JPY", "INR", "PLN", "CNY")
"""Codes that people write in small letters, too."""


@lru_cache(maxsize=1)
def grammar_names() -> dict[str, list[str]]:
    """Names by kind, in small letters: Month (whole or short), MonthAbroad (in other languages), Weekday, WeekdayShort,
    Weekdays (plural), MonthOwn and WeekdayOwn ("monday's"), Currency."""
    months, days = [name.lower() for name in whole_months()], [name.lower() for name in whole_weekdays()]
    alone = [name for name in months_abroad() if len(name) >= _LONG and name not in _PEOPLE]
    short = sorted(english_abbreviations())
    return {
        "Month": [*months, *(name for name in short if english_month(name)), *alone],
        "MonthAbroad": list(months_abroad()),
        "Weekday": days,
        "WeekdayShort": [name for name in short if not english_month(name)],
        "Weekdays": [f"{name}s" for name in days],
        "MonthOwn": [f"{name}'s" for name in months],
        "Currency": [*(word for word in WORDS if word not in _NO_SUMS), *(code.lower() for code in _SPOKEN), "€", "£"],
        "WeekdayOwn": [f"{name}'s" for name in days],
    }
