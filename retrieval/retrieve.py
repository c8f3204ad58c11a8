"""RETRIEVE: the events that a query means (ReQAP, section 3.2.1).

A phrase that names a class of events ("I went running", "songs by Hozier") is answered from the ontology and costs no
model (`phrases/named.py`). Any other query goes through five stages, each a function from one `CandidateSet` to the
next:

1. **Candidates** (`candidates.py`): a pool with high recall, by words, by meaning and by the lexicons.
2. **Patterns** (`patterns.py`): the key-value pairs that many candidates have, and whole sources.
3. **Classify patterns** (there, too): relevant ones keep their events, irrelevant ones drop them.
4. **Classify events** (`classify_events.py`): the rest is decided event by event.
5. **Occurrences** (`occurrences.py`): what tells of the same happening becomes one.

What was found is written into the graph with its provenance, so the stages run once for each query, model and state of
the data. What people said to each other in a chat is ranked, not classified: see `talk/messages.py`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ..execution.derivations.derive import Step, is_derived, read_hits, write_hits
from ..store.vocabulary import EVENT
from .candidate_set import CandidateSet, Search, find_models
from .candidates import find_candidates
from .classify_events import classify_events
from .context import RetrieveContext
from .occurrences import find_occurrences, join_occurrences
from .patterns import classify_patterns, find_patterns
from .phrases.named import entries_on_topic, named_events, profile_entries, read_query
from .phrases.naming import unheard
from .retrieved import Retrieved, found_nothing_clear, is_doubtful
from .scope import read_by_search

METHOD: Final = "4"
"""Changes when the same models may find other events."""


def resolve_retrieve(query: str, context: RetrieveContext) -> Retrieved:
    """What a query stands for: a class of events, or what a search finds."""
    own = profile_entries(query, context)
    if own is not None:
        return own
    read = read_query(query, context)
    told = entries_on_topic(read, context)
    found = named_events(read, told, context)
    found = found or _searched(Search(query, read.scope, find_models(context), told), context)
    words = unheard(read.phrase, read.readings.complete)
    told_of = tuple(f"'{word}' of '{query}' was not taken into account; look whether it matters" for word in words)
    return replace(found, warnings=(*found.warnings, *told_of))


def search_events(search: Search, context: RetrieveContext) -> CandidateSet:
    """The five stages: the events that a search finds, before those of one happening are joined; none where the query
    has no word to look for."""
    if not (search.scope.needs or search.scope.named):
        return CandidateSet(search, ())
    candidates = find_candidates(search, context)
    patterns = find_patterns(candidates, context)
    sorted_out = classify_patterns(patterns, context)
    meant = classify_events(sorted_out, context)
    return find_occurrences(meant, context)


def _searched(search: Search, context: RetrieveContext) -> Retrieved:
    """What a search finds, from the graph where it was searched before, one row for each happening."""
    step, how = _step(search, context), ""
    if not is_derived(context.graph, step):
        found = search_events(search, context)
        write_hits(context.graph, step, found.kept, ended=context.now)
        how = _how(found)
    hits = read_hits(context.graph, step.activity)
    told = (found_nothing_clear(search.query),) if is_doubtful(hits) else () if hits else (_nothing(search),)
    return Retrieved(
        join_occurrences(step.activity, context),
        notes=(f"'{search.query}' was searched: {len(hits)} events{how}",),
        warnings=(*search.models.warnings, *told),
        named=tuple(search.scope.named),
        sought=search.scope.sought,
        in_vain=not hits and not search.scope.missing,
    )


def _step(search: Search, context: RetrieveContext) -> Step:
    """The search as a derivation, with all that its result depends on."""
    scope, models = search.scope, search.models
    beyond = scope.beyond if models.events else ()
    reads = (*read_by_search(scope.classes, context.index, context.vocabulary), *((EVENT,) if beyond else ()))
    reading = (replace(scope, beyond=beyond), search.told, METHOD)
    return context.step("RETRIEVE", search.query, models.name, models.identity, reads=reads, reading=reading)


def _how(found: CandidateSet) -> str:
    """How much was classified, for the note."""
    if found.search.models.events is None:
        return ""
    return f" of {found.candidates} candidates, {len(found.patterns)} patterns and {found.read} texts classified"


def _nothing(search: Search) -> str:
    """The warning where a search finds nothing, with the names that would have to be told."""
    names = " and ".join(f"'{name}'" for name in search.scope.missing)
    return f"nothing was found for '{search.query}'" + (f"; it would have to tell of {names}" if names else "")
