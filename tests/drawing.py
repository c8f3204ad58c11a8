"""How many random examples a long property test draws.

`make test` draws a fifth (HYPOTHESIS_PROFILE=short), `make test-all` and pytest by hand draw all, `make fuzz` as many
as it is told (FUZZ_TREES, where a test draws a hundred otherwise).
"""

from __future__ import annotations

import os


def drawn(most: int) -> int:
    """The number of examples of a test that draws so many in `make test-all`."""
    told = os.environ.get("FUZZ_TREES")
    if told is not None:
        return max(1, int(told) * most // 100)
    return max(1, most // 5) if os.environ.get("HYPOTHESIS_PROFILE") == "short" else most
