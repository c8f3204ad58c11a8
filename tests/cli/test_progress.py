"""Progress where nothing moves: lines now and then, none for short work."""

from __future__ import annotations

from reqap_kg.cli.printing.progress import QUIET_SECONDS, REPEAT_SECONDS, PlainLines


class Clock:
    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_short_work_says_nothing() -> None:
    clock, said = Clock(), list[str]()
    lines = PlainLines(said.append, clock)
    for step in range(10):
        clock.seconds = step * (QUIET_SECONDS - 0.1) / 9
        lines.counted(f"step {step}", step, 10)
    assert said == []


def test_long_work_names_its_step_again_and_again() -> None:
    clock, said = Clock(), list[str]()
    lines = PlainLines(said.append, clock)
    for second in range(61):
        clock.seconds = second
        lines.counted("index", second, 60)
    assert said[0] == "  index: 5 of 60 ..."
    assert len(said) == 1 + (60 - int(QUIET_SECONDS)) // int(REPEAT_SECONDS)


def test_a_new_step_is_said_when_it_begins() -> None:
    clock, said = Clock(), list[str]()
    lines = PlainLines(said.append, clock)
    clock.seconds = QUIET_SECONDS
    lines.start("mail.mbox", 3 * 2**20)
    clock.seconds += 1
    lines.advance(500)
    clock.seconds += 1
    lines.step("loading the store")
    clock.seconds += 0.1
    lines.counted("load the models", 0, 0)
    clock.seconds += 1
    lines.counted("load the models", 0, 0)
    assert said == ["  mail.mbox (3.0 MiB) ...", "  loading the store ...", "  load the models ..."]
