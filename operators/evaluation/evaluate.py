"""What expressions mean: their value over plain Python values. The compiler's SPARQL must agree with this.

Values: int, Decimal (all fractional numbers), str, bool, date, time, datetime, timedelta, relativedelta, tuples (for
lists; Members for sets), Table (dicts), rows (mappings from attribute to value, a missing attribute left out or None),
tuples of rows. None is a missing value; a list without items is an empty tuple.

An expression over a missing value, a division by zero, or a number read from a text that is none has no value:
`NoValue` is raised. `x is None` asks; `and`, `or` need only the side that decides, and give a default as Python's do
(`x or 0`); a condition without a value does not hold; inside any(), all() and folds (sum, min, …) items without a
value do not count.

Nothing but NoValue and TreeTypeError is raised. What is computed is bounded (`budget`): TreeTypeError beyond.
"""

from __future__ import annotations

from . import evaluate_lists as _lists  # noqa: F401 - what they register is the evaluator
from . import evaluate_values as _values  # noqa: F401
from .budget import Steps
from .evaluator import Environment, evaluate, evaluate_function, holds, truth
from .values import NoValue

__all__ = ["Environment", "NoValue", "Steps", "evaluate", "evaluate_function", "holds", "truth"]
