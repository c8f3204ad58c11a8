"""Ablations: each switch of `bench run` is a change of the settings."""

from __future__ import annotations

import pytest

from reqap_kg.cli.bench.bench import CHANGES, Switches
from reqap_kg.config import Settings
from reqap_kg.errors import UsageError


def test_switches_change_the_settings_they_name_and_nothing_else() -> None:
    given = Settings(home_zone="Europe/Oslo")
    assert Switches().applied(given) == given
    found = Switches(no_classifiers=True, keys_only=True).applied(given)
    assert (found.classifiers, found.read_texts) == (False, False)
    assert found.model_copy(update={"classifiers": True, "read_texts": True}) == given


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_a_switch_has_a_setting_or_says_so(name: str) -> None:
    setting, value = CHANGES[name]
    switches = Switches(**{name.replace("-", "_"): True})
    assert switches.names == [name]
    if setting in Settings.model_fields:
        assert getattr(switches.applied(Settings()), setting) == value
    else:
        with pytest.raises(UsageError, match=setting):
            switches.applied(Settings())


def test_rules_alone_and_the_model_alone_exclude_each_other() -> None:
    with pytest.raises(UsageError, match="exclude"):
        Switches(rules_only=True, model_only=True).applied(Settings())
