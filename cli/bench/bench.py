"""`reqap-kg bench`: run and score."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from ...config import Settings
from ...errors import UsageError
from ...evaluation.running import RunOptions, run_suite
from ...evaluation.suites.base import Options
from ...evaluation.systems import Tracing
from ...texts.words import counted
from ..common import machine_zone, settings
from ..options import chosen_domain
from ..printing.console import print_json, print_table, say
from ..printing.progress import steps_bar


@dataclass(frozen=True)
class Switches:
    """Ablations; each is one change of the settings."""

    one_shot: bool = False
    no_classifiers: bool = False
    keys_only: bool = False
    rules_only: bool = False
    model_only: bool = False

    @property
    def names(self) -> list[str]:
        """Those that are on, as on the command line."""
        return [field.name.replace("_", "-") for field in fields(self) if getattr(self, field.name)]

    def applied(self, given: Settings) -> Settings:
        """The settings with what the switches change. Raises UsageError where a switch has no setting here, or two
        exclude each other."""
        if self.rules_only and self.model_only:
            raise UsageError("--rules-only and --model-only exclude each other")
        changed: dict[str, Any] = {}
        for name in self.names:
            changed |= self._change(name)
        return Settings.model_validate({**dict(given), **changed})

    def _change(self, name: str) -> dict[str, Any]:
        setting, value = CHANGES[name]
        if setting not in Settings.model_fields:
            raise UsageError(f"--{name} needs the setting {setting!r}, which this version does not have")
        return {setting: value}


CHANGES: dict[str, tuple[str, Any]] = {
    "one-shot": ("one_shot", True),
    "no-classifiers": ("classifiers", False),
    "keys-only": ("read_texts", False),
    "rules-only": ("proposers", ("rules",)),
    "model-only": ("proposers", ("model",)),
}
"""The setting, and its value, that each switch means."""


def run_command(
    suite: str,
    directory: Path,
    out: Path,
    systems: tuple[str, ...],
    read: str | None,
    only: str,
    stores: Path | None,
    how: tuple[bool, bool, bool],
    tracing: tuple[bool, bool],
    limit: int | None,
    switches: Switches,
    config: Path | None,
    as_json: bool,
) -> None:
    """Answers, with a bar on a terminal; says what was done."""
    fresh, again, cold = how
    options = RunOptions(
        settings=switches.applied(settings(config)),
        suite=Options(read=read, only=only, domain=chosen_domain()),
        systems=systems,
        tracing=Tracing(*tracing),
        stores=stores,
        again=again,
        cold=cold,
        fresh=fresh,
        limit=limit,
        zone=machine_zone(),
        label={"suite": suite, "switches": switches.names},
    )
    with steps_bar(visible=not as_json) as tell:
        done = run_suite(suite, directory, out, options, tell)
    if as_json:
        print_json(done.as_json())
        return
    say(f"{counted(done.answered, 'question')} answered in {done.seconds:,.0f} s" + _told(done.before))
    say(f"{done.declined:,} declined, {done.failed:,} of them failed; written to {', '.join(done.files)}")


def _told(before: int) -> str:
    return f", {before:,} were there before" if before else ""


def score_command(
    suite: str,
    directory: Path,
    predictions: list[Path],
    read: str | None,
    only: str,
    clean: bool,
    misses: int,
    json_out: Path | None,
    html: Path | None,
) -> None:
    """Prints tables, and writes the same as JSON and as a page of charts."""
    from ...evaluation.metrics import scored
    from ...evaluation.report import page, tables, write_json

    found = scored(suite, directory, predictions, Options(read=read, only=only, clean=clean, domain=chosen_domain()))
    if html is not None:
        html.write_text(page(found), encoding="utf-8")
    if json_out is not None and str(json_out) == "-":
        print_json(found.as_json())
        return
    if json_out is not None:
        write_json(json_out, found)
    for title, rows in tables(found, misses):
        say()
        say(title)
        print_table(rows)
