"""Progress: the share of the whole, not names of inner stages; none for short work."""

from __future__ import annotations

import pytest

from reqap_kg.cli.printing.progress import QUIET_SECONDS, REPEAT_SECONDS, PlainLines, Whole

IMPORT = (
    ("loading the store", 0, 0), ("index", 0, 100), ("index", 100, 100), ("load the models", 0, 0), ("embed", 0, 512),
    ("embed", 256, 512), ("embed", 512, 512), ("embed", 0, 30), ("embed", 30, 30), ("read texts", 0, 400),
    ("read texts", 300, 400), ("read texts", 0, 6), ("read events", 0, 340), ("read events", 256, 340),
    ("read events", 0, 392), ("read events", 392, 392),
)  # fmt: skip


class Clock:
    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def plain(clock: Clock, said: list[str]) -> PlainLines:
    return PlainLines("importing", Whole(), said.append, clock)


def test_short_work_says_nothing() -> None:
    clock, said = Clock(), list[str]()
    lines = plain(clock, said)
    for step in range(10):
        clock.seconds = step * (QUIET_SECONDS - 0.1) / 9
        lines.counted("index", step, 10)
    assert said == []


def test_long_work_says_now_and_then_how_far_it_is() -> None:
    clock, said = Clock(), list[str]()
    lines = plain(clock, said)
    for second in range(61):
        clock.seconds = second
        lines.counted("validating", second, 60)
    assert said[0] == "  importing: 8% ..."
    assert said[3] == "  importing: 58% ..."
    assert len(said) == 1 + (60 - int(QUIET_SECONDS)) // int(REPEAT_SECONDS)


def test_a_file_that_is_read_is_named_and_no_inner_stage() -> None:
    clock, said = Clock(), list[str]()
    lines = plain(clock, said)
    clock.seconds = QUIET_SECONDS
    lines.start("mail.mbox", 3 * 2**20)
    clock.seconds += REPEAT_SECONDS
    lines.advance(500)
    for step in IMPORT:
        clock.seconds += REPEAT_SECONDS
        lines.counted(*step)
    assert said[:2] == [
        "  importing: 2%, mail.mbox (3.0 MiB) ...",
        "  importing: 2%, mail.mbox (3.0 MiB), 500 records ...",
    ]
    assert not [line for line in said for step, _, _ in IMPORT if step in line]


@pytest.mark.parametrize("first", [0, 4, 12])
def test_the_share_of_the_whole_never_falls_and_begins_at_nothing(first: int) -> None:
    whole = Whole()
    if not first:
        for _ in range(40):
            whole.file()
    assert whole.share <= 0.08
    shares = []
    for step in IMPORT[first:]:
        whole.reach(*step)
        shares.append(whole.share)
    assert shares == sorted(shares)
    assert shares[0] < 0.2
    assert 0.7 < shares[-1] <= 1


def test_work_of_one_step_that_nobody_foresaw_is_told_by_it() -> None:
    whole = Whole()
    whole.reach("writing lives", 15, 20)
    assert whole.share == 0.75
