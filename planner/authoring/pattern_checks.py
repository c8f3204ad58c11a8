"""What would keep a pattern from working: outputs that nothing computes, groups that nobody reads, words that no
question has."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...ontology.namespaces import PG
from ...store.sparql.lexer import scanned
from ...store.words import nearest_name, stem
from ..patterns import extraction as ex
from ..patterns.patterns import CompiledPattern
from ..patterns.tokens import tokenise
from ..rules.rulebook import VARIABLE, RuleBook
from .findings import Source, Sources
from .sparql_source import Role, Use, variable_uses
from .terms import INPUTS, Terms, Variables


def check_patterns(sources: Sources, book: RuleBook, terms: Terms, variables: Variables) -> None:
    """Adds the findings for every pattern of the documents."""
    given = variables.inputs
    own = {c.pattern.iri: c for c in book.patterns if c.pattern.path in {d.path for d in sources.documents}}
    extracts = _by_subject(sources.literals(PG + "extract"))
    computes = _by_subject(sources.literals(PG + "compute"))
    read = _read_by_others(book)
    for iri, compiled in own.items():
        for source in extracts.get(iri, ()):
            _check_words(source, terms, sources, only=len(extracts[iri]) == 1)
        _check_outputs(compiled, computes.get(iri, ()), given[compiled.pattern.name], sources, extracts[iri][0])
        _check_inputs(compiled, computes.get(iri, ()), given[compiled.pattern.name], sources)
        _check_groups(compiled, extracts.get(iri, ()), read, sources)


def _by_subject(found: Iterable[Source]) -> Mapping[str, Sequence[Source]]:
    grouped: dict[str, list[Source]] = defaultdict(list)
    for source in found:
        grouped[source.subject].append(source)
    return grouped


# ---------------------------------------------------------------- words
def _check_words(source: Source, terms: Terms, sources: Sources, *, only: bool) -> None:
    """Words as no question has them, and kinds that nothing is annotated as.

    What one of several expressions or alternatives has is a warning: the others match.
    """
    text = source.text.text
    for node, alone in _nodes(ex.parse_extraction(text)):
        fault = _fault(node, terms)
        if fault is not None:
            message, written, hint = fault
            place = source.place(max(0, text.lower().find(written.lower())))
            (sources.error if alone and only else sources.warn)(message, place, hint)


def _fault(node: ex.Expression, terms: Terms) -> tuple[str, str, str | None] | None:
    """What is wrong with one node, the text by which it is found, and what is near."""
    match node:
        case ex.Word(word) if not _is_token(word):
            pieces = " ".join(token.lower for token in tokenise(word).tokens)
            return f"no word of a question reads “{word}”", word, f"“{pieces}”" if pieces else None
        case ex.Stem(word) if stem(word) != word:
            return f"“{word}” is no stem", "~" + word, "~" + stem(word)
        case ex.TokenRegex(regex, False) if re.search(r"[A-Z]", re.sub(r"\\.|\(\?P<\w+>", "", regex)):
            return f"/{regex}/ has capitals; words are compared in lower case, without accents", regex, None
        case ex.Annotated(kind) if kind not in terms.lexical_kinds:
            return f"nothing is annotated as {kind}", "@" + kind, nearest_name(kind, terms.lexical_kinds)
        case _:
            return None


def _is_token(word: str) -> bool:
    tokens = tokenise(word).tokens
    return len(tokens) == 1 and tokens[0].lower == word


def _nodes(tree: ex.Expression, *, alone: bool = True) -> Iterator[tuple[ex.Expression, bool]]:
    """Every node, and whether there is no match without it."""
    yield tree, alone
    match tree:
        case ex.Named(inner=inner):
            yield from _nodes(inner, alone=alone)
        case ex.Repeat(inner=inner, quantifier=quantifier):
            yield from _nodes(inner, alone=alone and quantifier[0] not in "?*")
        case ex.Sequence(parts=parts):
            for part in parts:
                yield from _nodes(part, alone=alone)
        case ex.Alternatives(options=options):
            for option in options:
                yield from _nodes(option, alone=False)
        case _:
            return


# ---------------------------------------------------------------- variables
def _check_outputs(
    compiled: CompiledPattern,
    computes: Sequence[Source],
    words: frozenset[str],
    sources: Sources,
    extract: Source,
) -> None:
    given = words | {u.name for u in _computed(compiled) if u.role != Role.READ}
    for output in compiled.pattern.outputs:
        if output not in given:
            place = computes[0].place() if computes else extract.place()
            best = nearest_name(output, given)
            sources.error(f"nothing computes the output ?{output}", place, f"?{best}" if best else None)


def _computed(compiled: CompiledPattern) -> list[Use]:
    text = compiled.pattern.compute + " " + compiled.pattern.look
    return [use for use in variable_uses(scanned(text)) if use.role in (Role.GIVEN, Role.TRIPLE)]


def _check_inputs(
    compiled: CompiledPattern, computes: Sequence[Source], words: frozenset[str], sources: Sources
) -> None:
    """Variables that a transformation reads and nothing gives, or computes and nothing reads."""
    given = words | INPUTS | {use.name for use in _computed(compiled)}
    for source in computes:
        uses = list(variable_uses(scanned(source.text.text)))
        counts = Counter(use.name for use in uses)
        for use in uses:
            if use.name not in given and use.name != "nothing":
                best = nearest_name(use.name, given)
                told = sources.warn if use.role == Role.MAY_MISS else sources.error
                told(f"nothing gives ?{use.name}", source.place(use.offset), f"?{best}" if best else None)
            elif use.role == Role.GIVEN and counts[use.name] == 1 and use.name not in compiled.pattern.outputs:
                sources.warn(f"?{use.name} is computed and not used", source.place(use.offset))


def _check_groups(
    compiled: CompiledPattern, extracts: Sequence[Source], read: frozenset[str], sources: Sources
) -> None:
    """Named groups that neither the transformation, nor another pattern, nor a rule reads."""
    own = {u.name for u in variable_uses(scanned(compiled.pattern.compute + " " + compiled.pattern.look))}
    own |= set(compiled.pattern.outputs)
    for source in extracts:
        for name in {hole.name for hole in _named(source.text.text)}:
            if name not in read and not any(u == name or u.startswith(name + "_") for u in own):
                at = max(
                    0,
                    min(i for i in (source.text.text.find(f"<{name}:"), source.text.text.find(f"{{{name}")) if i >= 0),
                )
                sources.warn(f"nothing reads the group {name}", source.place(at))


def _named(text: str) -> Iterator[ex.Named]:
    for node, _ in _nodes(ex.parse_extraction(text)):
        if isinstance(node, ex.Named):
            yield node
        elif isinstance(node, ex.Sub) and node.name is not None:
            yield ex.Named(node.name, node)


def _read_by_others(book: RuleBook) -> frozenset[str]:
    """Names of variables that rules ask for, as var:name or pg:name "name", or that a pattern takes of one it uses."""
    found: set[str] = set()
    for rule in book.rules:
        for token in scanned(rule.construct):
            if token.kind == "NAME" and token.text.startswith("var:"):
                found |= {token.text[4:], token.text[4:].split("_")[0]}
            elif token.kind == "IRI" and token.text[1:-1].startswith(VARIABLE):
                found.add(token.text[1:-1].removeprefix(VARIABLE))
            elif token.kind == "STRING":
                found.add(token.text[1:-1])
    for compiled in book.patterns:
        for use in variable_uses(scanned(compiled.pattern.compute)):
            found |= set(use.name.split("_")[1:])
    return frozenset(found)
