"""`reqap-kg domain`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

from ...engine.checking.check import Report, check_domain
from ...errors import UsageError
from ...texts.words import counted
from ..common import machine_zone, settings
from ..options import choose, chosen_domain
from ..printing.console import block, print_json, say
from .findings import finding_as_json


def check_command(folder: Path | None, data: Sequence[Path], config: Path | None, as_json: bool) -> None:
    """Prints the findings; exit code 2 where one is an error."""
    if folder is not None:
        choose(folder)
    chosen = chosen_domain()
    if chosen is None:
        raise UsageError("which domain? Expected its folder: reqap-kg domain check DIR")
    report = check_domain(chosen, settings(config), data, home_zone=machine_zone())
    if as_json:
        print_json([finding_as_json(finding) for finding in report.findings])
    for finding in () if as_json else report.findings:
        block(str(finding), err=True, indent="  ")
    if report.wrong:
        raise typer.Exit(2)
    if not as_json:
        say(_fine(report))


def _fine(report: Report) -> str:
    warnings = len(report.findings)
    said = f"fine, but for {counted(warnings, 'warning')}" if warnings else "fine"
    held = counted(report.files, "file"), counted(report.patterns, "pattern"), counted(report.rules, "rule")
    return f"{said}: {held[0]} with {held[1]} and {held[2]}"
