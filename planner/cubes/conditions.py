"""The conditions of a question: members, times, numbers with their units, what is so or not; each with what it leaves
out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal

from .columns import NEGATING, Found, member
from .cube import Dimension
from .numbers import Numbers
from .pieces import Piece
from .query import Condition
from .times import condition_of
from .trees import quoted


@dataclass
class Conditions(Numbers):
    """What a row says of which facts and groups count."""

    def read(self) -> None:
        """Reads them all."""
        self._tests()
        self._ranges()
        self._compared()
        self._averages()
        self._equal()
        self._missing()
        self._times()
        self._members()
        self._so()

    def _tests(self) -> None:
        """Young, my city: what patterns say of a dimension."""
        row = self.row
        for at in row.all("Test"):
            piece = row.pieces[at]
            dimension = row.cube.dimensions[piece.meanings[0].iri]
            if row.facts not in dimension.facts:
                continue
            own = f'{{}}["{dimension.key}"]'
            if "Personal" in piece.kinds:
                text = f"{own} == {quoted(piece.said('value'))}"
                self.notes.append(f"“{piece.words}”: {dimension.label} “{piece.said('value')}”, by your profile")
            else:
                bounds = [
                    f"{own} {sign} {Decimal(piece.said(name)).normalize():f}"
                    for name, sign in (("from", ">="), ("to", "<="))
                    if piece.said(name)
                ]
                text = " and ".join(bounds)
                self.notes.append(f"“{piece.words}”: {text.replace('{}', '').replace('[', '').replace(']', '')}")
            negators = self._negators(at)
            made = Condition(text, (dimension,), piece.words, dimension.iri)
            row.take(at, *negators)
            self.found.append(Found(made.negated() if negators else made, at, at, negated=bool(negators)))

    # ------------------------------------------------------------ numbers

    def _missing(self) -> None:
        """Without a rating, have no rating: facts of which it is not known."""
        row = self.row
        for at in range(len(row.pieces)):
            column, before = row.column(at), row.before(at)
            if column is None or at in row.read or before is None or row.role(before) not in NEGATING:
                continue
            if isinstance(column, Dimension) and (row.truth(column) is not None or row.role(row.after(at)) == "member"):
                continue
            if (
                self._asks_members(before)
                or row.facts not in column.facts
                or row.role(row.after(at)) in ("Compared", "Number")
            ):
                continue
            text = f'{{}}["{column.key}"] is None'
            if column.is_number and column.iri in row.cube.measures:
                text = f'({text} or {{}}["{column.key}"] == 0)'
            self.found.append(Found(Condition(text, (column,), row.pieces[at].words, column.iri), at, at, negated=True))
            row.take(at, before)

    def _times(self) -> None:
        row = self.row
        places = [*row.all("Time"), *row.all("FiscalPeriod")]
        dated = any("TimeRange" in row.pieces[at].kinds and "OpenYear" not in row.pieces[at].kinds for at in places)
        for at in sorted(places):
            piece = row.pieces[at]
            if "Refused" in piece.kinds:
                self.refused = True
                continue
            if "OpenYear" in piece.kinds and dated and piece.said("test" if "TimeRange" in piece.kinds else "open"):
                kinds = frozenset({"DayTest"}) | (piece.kinds & {"Negated"})
                test = piece.variables["test" if "TimeRange" in piece.kinds else "open"]
                piece = replace(piece, kinds=kinds, variables={"test": test})
            made = condition_of(piece, row.cube, row.facts)
            made = self._in_years(at, piece) or made
            if made is None:
                continue
            negated = self._is_negated(at)
            row.take(at, *self._negators(at))
            self.found.append(
                Found(made.negated() if negated else made, at, at, negated=negated or "Negated" in piece.kinds)
            )

    def _in_years(self, at: int, piece: Piece) -> Condition | None:
        """Born in 2019, founded between 2018 and 2020: years of a column, not of the facts."""
        row = self.row
        before = row.before(at)
        column = row.dimension(before)
        begin, end = piece.said("begin")[:4], piece.said("end")[:4]
        if column is None or column.kind != "int" or column.sort == "time" or "TimeRange" not in piece.kinds:
            return None
        own = f'{{}}["{column.key}"]'
        parts = [f"{own} >= {begin}" if begin else "", f"{own} <= {end}" if end else ""]
        text = f"{own} == {begin}" if begin == end else " and ".join(filter(None, parts))
        row.take(before)
        return Condition(text, (column,), piece.words, column.iri)

    # ------------------------------------------------------------ members

    def _members(self) -> None:
        row = self.row
        waiting = [at for at in range(len(row.pieces)) if row.role(at) == "member" and at not in row.read]
        while waiting:
            group = [waiting.pop(0)]
            dimension = row.cube.dimensions[row.names[group[0]].iri]
            joints: list[int] = []
            while waiting and row.names[waiting[0]].iri == dimension.iri:
                between = [i for i in range(group[-1] + 1, waiting[0]) if row.role_of_piece(i) != "Light"]
                nots = [i for i in between if row.role(i) in NEGATING]
                if not all(row.role(i) == "And" for i in between) or nots:
                    break
                joints += between
                group.append(waiting.pop(0))
            if row.facts not in dimension.facts:
                continue
            values = tuple(dict.fromkeys(row.names[at].value for at in group))
            negated = self._is_negated(group[0])
            words = ", ".join(row.pieces[at].words for at in group)
            row.take(*group, *joints, *self._negators(group[0]), *self._beside(group, dimension))
            listed = any(row.pieces[at].words.lower().startswith("and") for at in joints) and len(values) > 1
            made = member(dimension, values, negated, words)
            self.found.append(Found(made, group[0], group[-1], values, negated, listed and not negated))

    def _beside(self, group: list[int], dimension: Dimension) -> list[int]:
        """The name of the dimension beside its members, and the "by" before them."""
        row = self.row
        found: list[int] = []
        for place in (group[0] - 1, group[-1] + 1):
            if row.dimension(place) == dimension and row.role(row.before(place)) not in ("Which", "HowMany", "Top"):
                found.append(place)
        before = row.before(group[0])
        if row.role(before) == "By" and before is not None and row.pieces[before].words.lower() == "by":
            found.append(before)
        return found

    def _so(self) -> None:
        """Emergency consultations, not insured: what is either so or not."""
        row = self.row
        for at in [i for i in range(len(row.pieces)) if row.role(i) == "dimension" and i not in row.read]:
            dimension = row.dimension(at)
            truth = row.truth(dimension) if dimension is not None and row.facts in dimension.facts else None
            before = row.before(at)
            if truth is None or dimension is None or row.role(before) in ("By", "Per", "Which", "And"):
                continue
            negated = self._is_negated(at)
            value = truth[1 if negated else 0]
            said = value if dimension.kind == "bool" else quoted(value or "")
            text = f'{{}}["{dimension.key}"] == {said}'
            row.take(at, *self._negators(at))
            self.found.append(
                Found(Condition(text, (dimension,), row.pieces[at].words, dimension.iri), at, at, negated=negated)
            )
