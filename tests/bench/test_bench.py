"""The benchmarks run, small, and what they measure holds."""

from __future__ import annotations

from reqap_kg.bench import import_speed, kills, startup


def test_an_import_killed_at_a_random_moment_leaves_the_old_or_the_new_state() -> None:
    (figure,) = kills.measure(kills=6, count=150, ahead=False)
    old, new, broken = figure.value.split(" / ")
    assert int(old) + int(new) == 6
    assert broken == "0"


def test_the_import_is_measured_against_the_bulk_load_of_the_same_triples() -> None:
    imported, bare, ratio = import_speed.measure(count=400)
    assert "400 events" in imported.what
    assert imported.value.endswith(" s")
    assert bare.value.endswith(" s")
    assert float(ratio.value) > 0


def test_help_starts_fast() -> None:
    assert float(startup.measure(rounds=5)[-1].value) < 3
