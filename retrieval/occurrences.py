"""Stage 5 of RETRIEVE: de-duplication. What tells of one happening becomes one occurrence.

First the hits are completed (`find_occurrences`): a record that shows what a found text tells is found with it, and of
a text that tells of several happenings the parts that are meant stand in its place. Then hits of the same happening are
joined to one row (`join_occurrences`). The paper joins what overlaps in time; here a mail of the day after is joined,
too (`extraction/coreference`). The second step rests on what was written of the first, so it is done again by itself
when the links between texts and records change.
"""

from __future__ import annotations

from dataclasses import replace

from ..execution.context import RetrieveContext
from ..extraction.coreference.links import Linked
from ..extraction.coreference.occurrences import merged, with_records
from ..extraction.parts import with_parts
from ..operators.resolution import DerivedMatch, RetrieveMatch
from .candidate_set import CandidateSet
from .relevance_score import COMPANY


def find_occurrences(found: CandidateSet, context: RetrieveContext) -> CandidateSet:
    """The hits with the records that show what they tell, and parts of texts for texts that tell of several happenings.
    Records are meant for themselves where the query names their class, and left out where it asks for company."""
    search, hits = found.search, found.kept
    if search.models.events is None or search.scope.named:
        return found
    if not COMPANY.search(search.query):
        hits = with_records(hits, context)
    return replace(found, kept=with_parts(search.query, hits, search.models.events, context))


def join_occurrences(activity: str, context: RetrieveContext, links: Linked | None = None) -> RetrieveMatch:
    """The hits of a derivation, those of one happening as one row; `links` of theirs go before those of the store."""
    return merged(DerivedMatch(activity), context, links)
