"""What the API takes, as types: requests are validated by them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Final, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from ...config.parts import EARLIEST, LATEST
from ...engine.knowledge import MOST_EVENTS
from ...operators.syntax.limits import MAX_LENGTH
from ...planner.patterns.limits import LONGEST_QUESTION, check_question

MOST_TURNS: Final = 50
MOST_LISTED: Final = 1_000_000
MOST_PLANS: Final = 100
LONGEST_TURN: Final = 4_000
_MOMENT: Final = (
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?(Z|[+-][0-9]{2}:[0-9]{2})?)?$"
)
_EXAMPLE: Final = "How many runs did I do in 2024?"
T = TypeVar("T")


def _checked(question: str) -> str:
    check_question(question)
    return question


def _known_year(given: str) -> str:
    year = datetime.fromisoformat(given).year
    if not EARLIEST <= year <= LATEST:  # years are counted back and forth from now
        raise ValueError(f"expected a year from {EARLIEST} to {LATEST}")
    return given


Question = Annotated[
    str, Field(min_length=1, max_length=LONGEST_QUESTION, examples=[_EXAMPLE]), AfterValidator(_checked)
]
Moment = Annotated[str, Field(pattern=_MOMENT, examples=["2025-03-01T12:00:00"]), AfterValidator(_known_year)]
Text = Annotated[str, Field(max_length=LONGEST_TURN)]
Listed = Annotated[int, Field(ge=0, le=MOST_LISTED)]


class Request(BaseModel):
    """What a request says: nothing but what is named here."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, use_attribute_docstrings=True)


class AtMoment(Request):
    """What is asked at a moment."""

    now: Moment | None = None
    """The wall-clock time of asking; the clock's where none is given."""

    def moment(self, clock: datetime) -> datetime:
        """The time of asking."""
        return clock if self.now is None else datetime.fromisoformat(self.now).replace(tzinfo=None)


class QuestionTurn(Request):
    """An earlier question, with what it was answered."""

    question: Text
    answer: Text | int | float | bool | Annotated[list[Text | int | float | bool], Field(max_length=1_000)] | None = (
        None
    )


class SpokenTurn(Request):
    """Something that was said earlier, and by whom."""

    speaker: Annotated[str, Field(max_length=200)]
    text: Text


class Find(AtMoment):
    """A question."""

    question: Question
    """The question, in English: at most 120 words."""
    events: Listed = MOST_EVENTS
    """How many of the events behind the answer are listed; 0 for all."""
    explain: bool = False
    """Whether every part of the tree is run by itself, with its rows and time."""


class Ask(Find):
    """A question, after the turns of a conversation."""

    context: Annotated[list[Question | QuestionTurn | SpokenTurn], Field(max_length=MOST_TURNS)] | None = None
    """Earlier turns, the oldest first."""

    @property
    def turns(self) -> list[Any] | None:
        """The context as the engine takes it."""
        if self.context is None:
            return None
        return [one if isinstance(one, str) else one.model_dump(exclude_none=True) for one in self.context]


class Plan(AtMoment):
    """A question whose tree is wanted."""

    question: Question
    """The question, in English: at most 120 words."""
    top: Annotated[int, Field(ge=1, le=MOST_PLANS)] | None = None
    """So many trees that it may become, the likeliest first; without, the one that would be run."""


class Run(AtMoment):
    """An operator tree to be run."""

    tree: Annotated[
        str, Field(min_length=1, max_length=MAX_LENGTH, examples=['APPLY(l=RETRIEVE(query="I ran"), fct=len)'])
    ]
    """The tree in text form (docs/operators.md)."""
    events: Listed = MOST_EVENTS
    """How many of the events behind the answer are listed; 0 for all."""
    explain: bool = False
    """Whether every part of the tree is run by itself, with its rows and time."""
