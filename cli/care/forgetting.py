"""`reqap-kg forget`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TypeVar

from ...config import Settings
from ...engine.admin.forgetting import forget_and_read
from ...engine.admin.forgetting_events import ForgottenEvents, Period, forget_events
from ...engine.admin.manage import forget
from ...engine.conversation.kept import forget_dialogues
from ...engine.derivations import TELLS, forget_derived
from ...errors import UsageError
from ...ontology.namespaces import DIALOGUE_SOURCE
from ...store.folder import JOURNAL
from ...store.generations import held_before
from ...texts.words import counted
from ..common import settings, store_directory, time_of
from ..data import ReadAhead
from ..printing.console import print_json, say
from ..printing.progress import progress_bar

T = TypeVar("T")


@dataclass(frozen=True)
class Wanted:
    """What is to be forgotten, as it was said."""

    source: str | None = None
    first: str | None = None
    last: str | None = None
    person: str | None = None
    derived: bool = False
    dialogues: bool = False

    def check(self) -> None:
        """Raises UsageError for two wishes at once."""
        period = "--from and --until" if self.first or self.last else ""
        parts = (period, "--person" if self.person else "", "--derived" if self.derived else "")
        said = [one for one in (*parts, "--dialogues" if self.dialogues else "") if one]
        if len(said) > 1 or (said and said[0] != "--derived" and self.source not in (None, DIALOGUE_SOURCE)):
            raise UsageError(
                f"{said[0]} goes without the name of a source, and without other options of what to forget"
            )


def forget_command(wanted: Wanted, dry_run: bool, store: Path | None, config: Path | None, as_json: bool) -> None:
    """Takes out what is wanted, and says what went; what the texts that stay tell is made ready again."""
    wanted.check()
    chosen, source, derived = settings(config), wanted.source, wanted.derived
    if wanted.first or wanted.last or wanted.person:
        _forget_events(wanted, dry_run, store_directory(store), chosen, as_json)
        return
    if dry_run:
        raise UsageError("--dry-run goes with --from, --until or --person")
    if wanted.dialogues or source == DIALOGUE_SOURCE:
        _forget_dialogues(store_directory(store), chosen, as_json)
        return
    if derived:
        _forget_derived(source or "", store, chosen, as_json)
        return
    if source is None:
        raise UsageError("expected the name of a source, --from, --until, --person, --derived or --dialogues")
    directory = store_directory(store)
    index, gone = _forgotten(partial(forget, source, directory, chosen), directory, chosen, as_json)
    told = {"forgotten": gone.name, "events": gone.events, "triples": gone.triples}
    said = f"forgot {gone.name}: {counted(gone.events, 'event')}, {counted(gone.triples, 'triple')}"
    _say_forgotten(told, [said], index, directory, as_json)


def _forget_events(wanted: Wanted, dry_run: bool, directory: Path, chosen: Settings, as_json: bool) -> None:
    """Takes out the events of a period, or all that tells of somebody; `dry_run` only says how many these are."""
    what = wanted.person or Period(_day(wanted.first), _day(wanted.last))
    if dry_run:
        found, index = forget_events(directory, chosen, what, dry_run=True), None
    else:
        index, found = _forgotten(partial(forget_events, directory, chosen, what), directory, chosen, as_json)
    told = {"forgotten": dict(found.events), "triples": found.triples, "names": list(found.names), "dry_run": dry_run}
    _say_forgotten(told, list(_lines(found, dry_run)), index, directory, as_json)


def _lines(found: ForgottenEvents, dry_run: bool) -> Sequence[str]:
    verb = "would forget" if dry_run else "forgot"
    named = f"looked for {', '.join(f'“{name}”' for name in found.names)}"
    counts = {source: counted(count, "event") if count else "what is said" for source, count in found.events.items()}
    each = [f"{verb} {count} in {source}" for source, count in counts.items()]
    again = "a newer export that has these events brings them back"
    return [*([named] if found.names else []), *(each or ["nothing tells of that"]), *([again] if each else [])]


def _day(text: str | None) -> date | None:
    """A day as it was typed. Raises UsageError."""
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError as bad:
        raise UsageError(f"{text!r} is no day; expected one such as 2024-05-31") from bad


def _say_forgotten(
    told: dict[str, object], lines: Sequence[str], index: ReadAhead | None, directory: Path, as_json: bool
) -> None:
    held = held_before(directory)
    if as_json:
        print_json({**told, "still_held": list(held), "index": index.as_json() if index else None})
        return
    for line in lines:
        say(line)
    if index is not None:
        say(index.told)
    _tell_held(held)
    if (directory / JOURNAL).is_file():
        say("what was said of it in chats stays until reqap-kg forget --dialogues")


def _forgotten(
    forgets: Callable[[], T], directory: Path, chosen: Settings, as_json: bool
) -> tuple[ReadAhead | None, T]:
    """What is ready for questions again, where anything was, and what was taken out."""
    begin = perf_counter()
    with progress_bar(visible=not as_json, text="forgetting") as progress:
        found = forget_and_read(forgets, directory, chosen, now=time_of(None), progress=progress.counted)
    if found.missing:
        return ReadAhead(missing=found.missing), found.gone
    if found.ahead is None:
        return None, found.gone
    seconds = round(perf_counter() - begin, 1)
    return ReadAhead(found.ahead.texts, found.ahead.telling, seconds), found.gone


def _tell_held(held: Sequence[str]) -> None:
    if held:
        say(f"another process still reads the store as it was ({', '.join(held)}): those files go when it ends")


def _forget_dialogues(directory: Path, chosen: Settings, as_json: bool) -> None:
    gone = forget_dialogues(directory, chosen)
    held = held_before(directory)
    if as_json:
        print_json({"forgotten": DIALOGUE_SOURCE, **gone.as_json(), "still_held": list(held)})
    else:
        say(f"forgot {counted(gone.dialogues, 'dialogue')} with reqap-kg, {counted(gone.questions, 'question')}")
        _tell_held(held)


def _forget_derived(containing: str, store: Path | None, chosen: Settings, as_json: bool) -> None:
    place = store_directory(store)
    gone = forget_derived(place, containing, lock_seconds=chosen.lock_seconds, access=chosen.access)
    triples = sum(found.triples for found in gone)
    held = held_before(store_directory(store))
    if as_json:
        print_json({"forgotten": [found.as_json() for found in gone], "triples": triples, "still_held": list(held)})
    else:
        say(f"forgot {counted(len(gone), 'derivation')}, {counted(triples, 'triple')}")
        if any(found.info.operator == TELLS for found in gone):
            say("what only texts tell is in no answer until reqap-kg index has read them")
        _tell_held(held)
