"""Which rules a question may need: found by their triggers, in the order in which they run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .rulebook import Rule


class RuleIndex:
    """Rules by what they wait for; those that wait for nothing are always needed."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = rules
        self._always = [at for at, rule in enumerate(rules) if not rule.triggers]
        self._by_trigger: dict[str, list[int]] = {}
        for at, rule in enumerate(rules):
            for trigger in rule.triggers:
                self._by_trigger.setdefault(trigger, []).append(at)

    def needed(self, present: Iterable[str]) -> list[Rule]:
        """The rules that wait for nothing, or for one of these kinds and patterns."""
        found = set(self._always)
        for trigger in present:
            found.update(self._by_trigger.get(trigger, ()))
        return [self._rules[at] for at in sorted(found)]
