"""`reqap-kg domain new`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import Any

from ...engine.drafting.draft import Drafted, draft_domain
from ...engine.drafting.rows import MOST_ROWS
from ...engine.drafting.trying import WANTED
from ...texts.words import counted
from ..common import machine_zone, settings
from ..printing.console import block, paged, print_json, say
from ..printing.progress import progress_bar


def new_command(
    folder: Path, given: Sequence[str], name: str | None, config: Path | None, *, copy: bool, force: bool, as_json: bool
) -> None:
    """Drafts, and tells what was guessed and which questions work."""
    with progress_bar(visible=not as_json, text="drafting") as progress:
        made = draft_domain(
            folder,
            given,
            settings(config),
            progress,
            name=name or "",
            copy=copy,
            force=force,
            home_zone=machine_zone(),
        )
    if as_json:
        print_json(_as_json(made))
        return
    with paged():
        for guess in made.draft.told:
            block(str(guess), indent="  ")
        say()
        for question in made.tried.kept:
            say(f"  {question.text}")
        block(_summary(made))
        named = quote(str(folder))
        say(f"next: reqap-kg ingest --domain {named}, then ask with --domain {named}; edit {folder}/ontology.ttl")


def _summary(made: Drafted) -> str:
    kept, asked = len(made.tried.kept), made.tried.asked
    wrote = (
        f"wrote {made.folder}: {counted(len(made.files), 'file')}, {counted(len(made.draft.properties), 'property')}"
    )
    over = f" (over the first {MOST_ROWS:,} rows)" if made.sampled else ""
    tried = f"; {counted(kept, 'question')} of {asked} that were tried{over} are right by a direct computation"
    few = f" (fewer than {WANTED}: the tables allow no more)" if kept < WANTED else ""
    return f"{wrote}{tried}{few}"


def _as_json(made: Drafted) -> dict[str, Any]:
    draft = made.draft
    return {
        "folder": str(made.folder),
        "files": list(made.files),
        "tables": [{"name": table.name, "rows": table.rows, "columns": len(table.columns)} for table in draft.tables],
        "facts": [{"table": fact.table, "label": fact.label} for fact in draft.facts],
        "properties": [{"label": one.label, "role": one.role, "type": one.kind.value} for one in draft.properties],
        "guesses": [{"about": one.about, "why": one.why, "other": one.other or None} for one in draft.told],
        "questions": [{"question": one.text, "plan": one.tree} for one in made.tried.kept],
        "tried": made.tried.asked,
        "left_out": [{"question": text, "why": why} for text, why in made.tried.failed],
    }
