"""What reads questions to the fact tables of a domain, and its readings as plans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from ...planner.cubes.cube import Dimension, cube_of
from ...planner.cubes.reading import CubeReader, CubeReading
from ...planner.search.plan import Planner
from ...store.index.statistics import Statistics
from ...store.ontology_graph import WAREHOUSE
from ...store.rdf import NamedNode
from ..authoring.domain import Domain
from .grounds import not_used
from .planned import Planned

CUBE: Final = "cube"
"""What proposes the trees of questions to fact tables."""
MOST_UNREAD: Final = 1
"""Words that the reading of a question to fact tables may leave out."""
UNREAD: Final = 0.4
"""How likely an answer is that has nothing for some words."""
FEW_MEMBERS: Final = 2
"""Members up to which a dimension may say that something is so or not."""
_MEMBERS: Final = "SELECT DISTINCT ?v WHERE {{ ?fact {} ?v }}"


def cube_reader(
    planner: Planner, domain: Domain | None, statistics: Statistics, rules_first: bool = False
) -> CubeReader | None:
    """The reader of a domain that declares fact tables and is read by the shipped words for them; None for others."""
    if domain is None or WAREHOUSE not in domain.uses:
        return None

    def counted(iri: str) -> int:
        held = statistics.properties.get(iri)
        return held.values if held is not None else 0

    cube = cube_of(planner.graph, planner.vocabulary, counted)

    def members(dimension: Dimension) -> tuple[str, ...]:
        if not 0 < dimension.members <= FEW_MEMBERS:
            return ()
        rows = planner.graph.select(_MEMBERS.format(NamedNode(dimension.iri)))
        return tuple(term.value for (term,) in rows if term is not None)

    return CubeReader(planner, cube, cache(members), rules_first or domain.has_rules) if cube.facts else None


def of_cube(read: CubeReading) -> Planned:
    """A reading of a question to fact tables as a plan; it is in doubt where it leaves words out."""
    planned = Planned(read.tree, read.form, CUBE, 1.0, (), read.notes)
    unread = tuple(f"not read: “{word}”" for word in read.unread)
    planned = replace(planned, notes=(*read.notes, *unread))
    return doubting(planned, read.unread)


def doubting(planned: Planned, words: Sequence[str]) -> Planned:
    """The plan, in doubt where it has nothing for some words."""
    if not words:
        return planned
    return replace(planned, probability=min(planned.probability, UNREAD), doubt=(*planned.doubt, not_used(words)))
