"""The chart of an answer: what of it is drawn, which kind of chart shows it, and why that kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..answer import Answer
from .data import data_of
from .fitting import can_draw, fitted
from .frame import ChartData
from .rules import Document, Kind, chosen
from .vega import specification


@dataclass(frozen=True)
class Chart:
    """A chart: its kind, why it is of that kind, and the data as it draws them."""

    kind: Kind
    reason: str
    data: ChartData = field(repr=False)

    @cached_property
    def spec(self) -> dict[str, Any]:
        """Its specification in Vega-Lite."""
        return specification(self.kind, self.data)

    def as_json(self) -> dict[str, Any]:
        """Its object for programs."""
        return {"kind": self.kind.value, "reason": self.reason, "spec": self.spec}


def chart_of(answer: Answer, own: Sequence[Document] = ()) -> Chart | None:
    """The chart of an answer; None where there is nothing to draw. `own` are a user's rules, as (path, Turtle). Raises
    RuleError where one of these is wrong."""
    data = data_of(answer)
    return None if data is None else chart_of_data(data, own)


def chart_of_data(data: ChartData, own: Sequence[Document] = ()) -> Chart | None:
    """The chart of some data, by the first rule that holds and whose kind can draw it."""
    for rule in chosen(data, own):
        if rule.kind is Kind.NONE:
            return None
        drawn = fitted(rule.kind, data) if can_draw(rule.kind, data) else None
        if drawn is not None and can_draw(rule.kind, drawn):
            return Chart(rule.kind, rule.reason, drawn)
    return None
