"""Texts that tell of several happenings, part by part: each part is an event in the derivation that found it, linked to
the calendar entry or record of the same happening; a RETRIEVE that finds such a text takes the parts that are meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, time
from typing import Final

from ..execution.derivations.derive import activity_triples, is_derived, keep
from ..models.coreference.accounts import Account, account_of_text
from ..models.coreference.model import links, load_weights
from ..ontology.namespaces import EV, RDF_TYPE, RDFS, XSD
from ..store.rdf import Literal, NamedNode, Triple
from ..texts.document import Document
from ..texts.tellings import Telling, tellings
from .context import ExtractContext
from .coreference.links import SAME, TOLD_IN, store_accounts
from .coreference.links import reads as happenings
from .documents import TELLING
from .extract_texts import texts_of
from .life import load_life
from .page import Page

OPERATOR, WHAT, METHOD = "TELLS", "parts of texts", "1"
_LONGEST_LABEL: Final = 80


def read_parts(context: ExtractContext) -> None:
    """Writes the parts of the texts that tell of several happenings, once."""
    step = context.step(OPERATOR, WHAT, OPERATOR, METHOD, reads=happenings(context.vocabulary))
    if is_derived(context.graph, step):
        return
    found = {page.document.event: (page, parts) for page in texts_of(context).everything() if (parts := _parts(page))}
    if not found:
        return
    triples = activity_triples(context.graph, step, context.now, results=sum(len(own) for _, own in found.values()))
    accounts: dict[str, Account] = {}
    for page, parts in found.values():
        about = _about(page.document.event, context)
        for number, part in enumerate(parts, start=1):
            name = f"{page.document.event}#told-part-{number}"
            triples += [*_triples(name, page.document, part), *(Triple(NamedNode(name), p, o) for p, o in about)]
            accounts[name] = _account(name, page.document, part, context)
    keep(context.graph, step, [*triples, *_links(accounts, context)])


def _parts(page: Page) -> tuple[Telling, ...]:
    return tellings(page.document, page.times)


def _about(event: str, context: ExtractContext) -> list[tuple[NamedNode, NamedNode | Literal]]:
    """Source and the source's own identifier of a text."""
    rows = context.graph.select(
        f"SELECT DISTINCT ?p ?v {{ VALUES ?p {{ ev:source ev:sourceId }} {NamedNode(event)} ?p ?v }}"
    )
    return [(p, v) for p, v in rows if isinstance(p, NamedNode) and isinstance(v, NamedNode | Literal)]


def _triples(name: str, document: Document, part: Telling) -> list[Triple]:
    node = NamedNode(name)
    text = document.text[part.start : part.end].strip()
    start = datetime.combine(part.day, part.time or time())
    found = [
        Triple(node, NamedNode(RDF_TYPE), NamedNode(TELLING)),
        Triple(node, NamedNode(TOLD_IN), NamedNode(document.event)),
        Triple(node, NamedNode(EV + "text"), Literal(text)),
        Triple(node, NamedNode(RDFS + "label"), Literal(" ".join(text.split())[:_LONGEST_LABEL])),
        Triple(node, NamedNode(EV + "start"), _literal(start.isoformat(timespec="seconds"), "dateTime")),
        Triple(node, NamedNode(EV + "day"), _literal(part.day.isoformat(), "date")),
    ]
    if part.time is None:
        found.append(Triple(node, NamedNode(EV + "timePrecision"), Literal("day")))
    return found


def _literal(text: str, kind: str) -> Literal:
    return Literal(text, datatype=NamedNode(XSD + kind))


def has_parts(context: ExtractContext) -> bool:
    """Whether parts of texts were read ahead."""
    return context.graph.ask(
        f"ASK {{ ?a a ev:Derivation ; ev:operator {Literal(OPERATOR)} ; ev:query {Literal(WHAT)} }}"
    )


def parts_of(events: Iterable[str], context: ExtractContext) -> dict[str, list[str]]:
    """The parts of texts, by text."""
    nodes = " ".join(str(NamedNode(iri)) for iri in events)
    rows = context.graph.select(
        f"SELECT DISTINCT ?t ?e {{ VALUES ?t {{ {nodes} }} ?e {NamedNode(TOLD_IN)} ?t "
        f'FILTER(CONTAINS(STR(?e), "#told-part-")) }} ORDER BY ?t ?e'
    )
    found: dict[str, list[str]] = {}
    for text, part in rows:
        if text is not None and part is not None:
            found.setdefault(text.value, []).append(part.value)
    return found


# ---------------------------------------------------------------- the same happening
def _account(name: str, document: Document, part: Telling, context: ExtractContext) -> Account:
    """What a part says, as of the day when the whole was written."""
    own = replace(document, event=name, title="", location="", body=document.text[part.start : part.end].strip())
    return account_of_text(own, context.lexicon, load_life(context.graph).profile)


def _links(accounts: Mapping[str, Account], context: ExtractContext) -> list[Triple]:
    """From each part to the calendar entry or record that it surely speaks of; each of these once of a text."""
    if not accounts:
        return []
    days = {told.day for account in accounts.values() for told in account.told}
    stated = [a for a in store_accounts(context) if a.stated]
    near = [account for account in stated if account.start.date() in days or account.last_day in days]
    triples: list[Triple] = []
    taken: set[str] = set()
    for link in links([*near, *accounts.values()], load_weights()):
        part, other = (link.other, link.one) if link.other in accounts else (link.one, link.other)
        text = part.partition("#told-")[0]
        if part not in accounts or other in accounts or part in taken or f"{text} {other}" in taken:
            continue
        taken |= {part, f"{text} {other}"}
        triples.append(Triple(NamedNode(part), NamedNode(SAME), NamedNode(other)))
    return triples
