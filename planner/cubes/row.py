"""The pieces of a question as one fact table reads them, and which of them have been read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from .cube import Attribute, Cube, Dimension, Measure
from .pieces import Meaning, Piece

_YES = frozenset({"yes", "true", "y", "1", "ja", "oui", "sim"})
ALIKE = 4
"""Letters by which a verb and the noun of what it did are alike."""
_NO = frozenset({"no", "false", "n", "0", "nein", "non", "nao"})


@dataclass
class Row:
    """Pieces in order; `facts` is the table that the question is read as one about; `members` gives some values of a
    dimension. What was read is in `read`."""

    pieces: Sequence[Piece]
    cube: Cube
    facts: str
    members: Callable[[Dimension], Sequence[str]]
    read: set[int] = field(default_factory=set)
    names: dict[int, Meaning] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for at, piece in enumerate(self.pieces):
            if piece.role == "Name":
                self.names[at] = self._meant(at, piece)

    def _meant(self, at: int, piece: Piece) -> Meaning:
        """What a name means here: what this table has, the surest, by what stands around it."""
        own = [one for one in piece.meanings if self._has(one)] or list(piece.meanings)
        own = [self._counted(one) for one in own]
        counted = self.role(self.before(at)) in ("HowMany",)
        liked = (
            {"facts": 3, "dimension": 2, "measure": 1, "member": 0}
            if counted
            else {"measure": 3, "dimension": 2, "facts": 1, "member": 0}
        )
        return max(
            own,
            key=lambda one: (round(one.sure, 1), liked[one.role], self._near(at, one), self._preference(one), one.iri),
        )

    def _counted(self, one: Meaning) -> Meaning:
        """A measure that counts facts names these."""
        measure = self.cube.measures.get(one.iri) if one.role == "measure" else None
        if measure is None or measure.aggregate != "count" or not measure.facts:
            return one
        return Meaning("facts", self.facts if self.facts in measure.facts else min(measure.facts), "", one.sure)

    def _near(self, at: int, one: Meaning) -> int:
        """Whether a member's dimension is named beside it."""
        if one.role != "member":
            return 0
        places = {at - 1, at + 1, self.before(at), self.after(at)}
        near = [self.pieces[other] for other in places if other is not None and 0 <= other < len(self.pieces)]
        beside = [meaning.iri for piece in near for meaning in piece.meanings if meaning.role == "dimension"]
        return 2 if one.iri in beside else int(any(self.cube.related(one.iri, iri) for iri in beside))

    def _has(self, one: Meaning) -> bool:
        if one.role == "facts":
            return one.iri == self.facts
        found = self.cube.attribute(one.iri)
        return found is not None and self.facts in found.facts

    def _preference(self, one: Meaning) -> float:
        found = self.cube.attribute(one.iri)
        return found.preference if found is not None else 0.0

    def deeds(self, facts: str) -> list[int]:
        """The verbs that tell of such facts: "sold" of sales, "delivered" of deliveries."""
        labels = {word for label in self.cube.facts[facts].labels for word in label.lower().split()}
        begins = {word[:ALIKE] for word in labels if len(word) >= ALIKE}
        found: list[int] = []
        for at, piece in enumerate(self.pieces):
            if piece.role not in ("Light", "Does", "Unread"):
                continue
            words = piece.words.lower().split()
            if labels & set(piece.said("nouns").split()) or any(word[:ALIKE] in begins for word in words):
                found.append(at)
        return found

    # ------------------------------------------------------------ where things stand
    def role(self, at: int | None) -> str:
        """The role of a piece; for names that of what they mean."""
        if at is None or not 0 <= at < len(self.pieces):
            return ""
        return self.names[at].role if at in self.names else self.pieces[at].role

    def after(self, at: int, over: Iterable[str] = ("Light", "Does")) -> int | None:
        """The next piece that is no small word."""
        over = set(over)
        return next((i for i in range(at + 1, len(self.pieces)) if self.role_of_piece(i) not in over), None)

    def before(self, at: int, over: Iterable[str] = ("Light", "Does")) -> int | None:
        """The piece before that is no small word."""
        over = set(over)
        return next((i for i in range(at - 1, -1, -1) if self.role_of_piece(i) not in over), None)

    def role_of_piece(self, at: int) -> str:
        """The role of a piece as it was found."""
        return self.pieces[at].role

    def all(self, role: str) -> list[int]:
        """The places of a role that have not been read."""
        return [at for at in range(len(self.pieces)) if at not in self.read and self.role(at) == role]

    def take(self, *places: int | None) -> None:
        """Marks pieces as read."""
        self.read.update(at for at in places if at is not None)

    # ------------------------------------------------------------ what names mean
    def measure(self, at: int | None) -> Measure | None:
        """The measure that a piece names."""
        return self.cube.measures.get(self.names[at].iri) if at is not None and self.role(at) == "measure" else None

    def dimension(self, at: int | None) -> Dimension | None:
        """The dimension that a piece names."""
        return self.cube.dimensions.get(self.names[at].iri) if at is not None and self.role(at) == "dimension" else None

    def column(self, at: int | None) -> Attribute | None:
        """The measure or dimension that a piece names."""
        return self.measure(at) or self.dimension(at)

    def truth(self, one: Dimension) -> tuple[str, str] | None:
        """How a dimension that is either so or not writes both, as trees do; None for another one."""
        if one.kind == "bool":
            return "True", "False"
        values = self.members(one) if one.kind == "str" else ()
        if len(values) != 2:
            return None
        yes = next((value for value in values if value.lower() in _YES), None)
        no = next((value for value in values if value.lower() in _NO), None)
        return (yes, no) if yes is not None and no is not None else None

    @property
    def unread(self) -> tuple[str, ...]:
        """The words that nothing stands for, in order."""
        quiet = {"Light", "And", "Which", "HowMuch", "Does"}
        inside = quiet | {"Exists", "When"}  # "the month in which there were", "when it was over 20 degrees"
        left = (at for at in range(len(self.pieces)) if at not in self.read)
        return tuple(self.pieces[at].words for at in left if self.role_of_piece(at) not in (inside if at else quiet))
