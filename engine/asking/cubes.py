"""What reads questions to the fact tables of a domain."""

from __future__ import annotations

from functools import cache
from typing import Final

from ...planner.cubes.cube import Dimension, cube_of
from ...planner.cubes.reading import CubeReader
from ...planner.search.plan import Planner
from ...store.index.statistics import Statistics
from ...store.ontology_graph import WAREHOUSE
from ...store.rdf import NamedNode
from ..authoring.domain import Domain

FEW_MEMBERS: Final = 2
"""Members up to which a dimension may say that something is so or not."""
_MEMBERS: Final = "SELECT DISTINCT ?v WHERE {{ ?fact {} ?v }}"


def cube_reader(
    planner: Planner, domain: Domain | None, statistics: Statistics, *, rules_first: bool = False
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
