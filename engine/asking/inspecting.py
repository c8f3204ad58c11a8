"""What of a question's planning can be looked at without an answer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cached_property

from ...config import Settings
from ...ontology.namespaces import PREFIXES
from ...planner.annotation.reading import Reading
from ...planner.followups.followups import FollowUps
from ...planner.search.plan import Investigation, Planner
from ...store.rdf import serialize_turtle
from .planned import Planned
from .proposals import Proposals, reworded


class Inspecting:
    """Shows how questions are read by a planner."""

    settings: Settings
    proposals: cached_property[Proposals]
    _planner: cached_property[Planner]

    def parse_graph(self, question: str, *, now: datetime) -> str:
        """What was recognised in a question, as Turtle, with a drawing of it in comments."""
        triples = self._planner.parse_graph(question, now=now)
        drawn = "".join(f"# {line}\n" for line in self._planner.drawing(question, now=now))
        return f"{serialize_turtle(triples, dict(PREFIXES))}\n{drawn}"

    def readings(self, question: str, *, now: datetime) -> tuple[Reading, ...]:
        """Ways to read a question, the likeliest first: its core, and the periods and other filters taken out of it."""
        return self._planner.readings(question, now=now)

    def investigate(self, question: str, *, now: datetime) -> Investigation:
        """All plans of a question, with every rule that was tried on the way, whether or not it is understood."""
        return self._planner.investigate(question, now=now)

    def follow_ups(self, *, now: datetime) -> FollowUps:
        """What puts follow-ups into self-contained words; whole conversations: `engine.conversation`."""
        return FollowUps(self._planner, now)

    def reworded(self, question: str, earlier: Sequence[str]) -> tuple[str, ...]:
        """What the language model makes of a follow-up, given the questions before; none where none is configured."""
        return reworded(self.settings, question, earlier)

    def likeliest(self, question: str, *, now: datetime) -> Planned | None:
        """The likeliest tree of a question, be it ever so much in doubt; None where there is none."""
        return self.proposals.likeliest(question, now=now)
