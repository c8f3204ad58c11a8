"""`reqap-kg bench distil`."""

from __future__ import annotations

from pathlib import Path

from ...bench.distilling import distil
from ...bench.running import RunOptions
from ...bench.suites.base import Options
from ..common import machine_zone, plural, settings
from ..options.domain_option import chosen_domain
from ..printing.console import print_json, say
from ..printing.progress import steps_bar


def distil_command(
    directory: Path,
    out: Path,
    top: int,
    split: str,
    read: str | None,
    only: str,
    stores: Path | None,
    limit: int | None,
    config: Path | None,
    as_json: bool,
) -> None:
    """Writes the steps, with a bar on a terminal; says how many questions were kept, and why others were not."""
    options = RunOptions(
        settings=settings(config),
        suite=Options(read=read, only=only, domain=chosen_domain()),
        stores=stores,
        limit=limit,
        zone=machine_zone(),
    )
    with steps_bar(visible=not as_json) as tell:
        done = distil(directory, out, split, top, options, tell or (lambda *_: None))
    if as_json:
        print_json(done.as_json())
        return
    say(f"{plural(done.questions, 'question')} in {done.seconds:,.0f} s: {done.kept:,} kept, written to {out}")
    reasons = f"{done.wrong:,} wrong, {done.declined:,} declined, {done.failed:,} failed"
    say(f"{reasons}, {done.unanswered:,} left out because their answer is nothing")
