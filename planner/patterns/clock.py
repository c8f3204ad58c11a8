"""The time of asking, as the transformations of patterns read it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from ...ontology.namespaces import XSD
from ...store.rdf import Literal, NamedNode, Term


@dataclass(frozen=True)
class Clock:
    """What the transformations may read of the time of asking."""

    now: datetime

    def variables(self) -> dict[str, Term]:
        """?now (wall clock, no zone), ?today and ?weekday (1 = Monday)."""
        wall = self.now.replace(tzinfo=None, microsecond=0)
        return {
            "now": Literal(wall.isoformat(), datatype=NamedNode(XSD + "dateTime")),
            "today": Literal(wall.date().isoformat(), datatype=NamedNode(XSD + "date")),
            "weekday": Literal(str(wall.isoweekday()), datatype=NamedNode(XSD + "integer")),
        }
