"""`reqap-kg doctor`."""

from __future__ import annotations

from pathlib import Path

import typer

from ..engine.admin.doctor import IN_USE, Finding, Outcome, examine
from ..texts.words import counted
from .common import settings, store_directory
from .printing.console import print_json, say


def doctor_command(store: Path | None, repair: bool, config: Path | None, as_json: bool) -> None:
    """Says what was found of each part; exit code 1 where something is damaged or lost."""
    directory = store_directory(store)
    found: list[Finding] = []
    for finding in examine(directory, settings(config), repair=repair):
        found.append(finding)
        if not as_json and (finding.outcome is not Outcome.FINE or finding.said == IN_USE):
            say(f"{finding.part}: {finding.outcome.value}{f' ({finding.said})' if finding.said else ''}")
    bad = [finding for finding in found if finding.outcome in (Outcome.DAMAGED, Outcome.LOST)]
    if as_json:
        rows = [{"part": one.part, "outcome": one.outcome.value, "said": one.said} for one in found]
        print_json({"store": str(directory), "whole": not bad, "findings": rows})
    elif all(one.outcome is Outcome.FINE for one in found):
        say(f"Store is healthy ({counted(len(found), 'check')})")
    elif any(one.outcome is Outcome.DAMAGED for one in bad):
        say("reqap-kg doctor --repair mends what can be mended")
    if bad:
        raise typer.Exit(1)
