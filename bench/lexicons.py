"""What each lexicon earns: EXTRACT and questions on two lives with it, without it, and with parts of its cues.

    python -m reqap_kg.bench.lexicons DATA [--questions]
    python -m reqap_kg.bench.lexicons --texts FILE [FILE ...]

DATA holds the lives p1 and p2 in the layout of the development personas. The lexicons of `ontology/lexicons` are left
out one by one, then each third of their cues (an entry names its most usual words first). Texts are read once: what the
reader marks, people and times stay, the lexicon varies. `--questions` also asks all questions without each file (some
minutes each); there, everything is read anew. `--texts` counts the values of annotated texts (training/data) that some
cue implies: of lives that no cue was chosen by, if there are any.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from time import process_time
from typing import Any, Final

from ..config import Settings
from ..engine.admin.extraction import ExtractionRequest, extract_values
from ..engine.importing.ingest import ingest
from ..engine.importing.loading import IngestOptions
from ..engine.knowledge import KnowledgeGraph
from ..execution.context import Tables
from ..extraction.context import Texts
from ..extraction.extract_texts import texts_of
from ..models.reading.reader import Extractor
from ..models.reading.readers import Readers
from ..retrieval.context import RetrieveContext
from ..store.cache_file import NoteCache
from ..texts.document import Document, Span
from ..texts.lexicon.lexicon import Lexicon, load_lexicon
from ..texts.lexicon.lexicon_file import Entry, read_entries
from ..texts.lexicon.world import world
from .extraction import is_right
from .personas import right_answer, rows_of
from .table import Figure

LIVES: Final = ("p1", "p2")
PARTS: Final = 3
_CITIES: Final = {"trip_destination": "city"}
_OF_TEXTS_ALONE: Final = ("mentions", "times", "event_time", "day_first")
"""What a page finds in its text that no lexicon of concepts changes."""

Content = Sequence[tuple[str, bytes]]


@dataclass(frozen=True, slots=True)
class Variant:
    """The lexicon less some of its cues: what is left out in words, how many cues that are, and what is left."""

    left_out: str
    cues: int
    lexicon: Lexicon


def shipped() -> Content:
    """The lexicon files of the package."""
    folder = files("reqap_kg.ontology").joinpath("lexicons")
    return sorted((entry.name, entry.read_bytes()) for entry in folder.iterdir() if entry.name.endswith(".ttl"))


def variants(content: Content) -> Iterator[Variant]:
    """Without each file, and without each third of the cues that are its own."""
    entries = read_entries(content)[0]
    for name, _ in content:
        others = read_entries([file for file in content if file[0] != name])[0]
        own = _own(entries, others)
        yield Variant(name, sum(map(len, own.values())), Lexicon(others, world=world))
        for part in range(PARTS):
            gone = {of: set(_part(cues, part)) for of, cues in own.items()}
            left = tuple(_less(entry, gone.get((entry.key, entry.value), set())) for entry in entries)
            yield Variant(
                f"{name}, third {part + 1} of {PARTS}", sum(map(len, gone.values())), Lexicon(left, world=world)
            )


def _own(entries: Iterable[Entry], others: Iterable[Entry]) -> dict[tuple[str, str], list[str]]:
    """The cues by key and value that only the left-out file tells."""
    known: dict[tuple[str, str], set[str]] = {}
    for entry in others:
        known.setdefault((entry.key, entry.value), set()).update(entry.cues, entry.weak)
    own: dict[tuple[str, str], list[str]] = {}
    for entry in entries:
        of = (entry.key, entry.value)
        own.setdefault(of, []).extend(cue for cue in (*entry.cues, *entry.weak) if cue not in known.get(of, ()))
    return own


def _part(cues: Sequence[str], part: int) -> Sequence[str]:
    size = len(cues)
    return cues[-(-part * size // PARTS) : -(-(part + 1) * size // PARTS)]


def _less(entry: Entry, gone: set[str]) -> Entry:
    if gone.isdisjoint((*entry.cues, *entry.weak)):
        return entry
    cues, weak = (tuple(cue for cue in held if cue not in gone) for held in (entry.cues, entry.weak))
    return replace(entry, cues=cues, weak=weak)


@dataclass
class Remembered:
    """The reader of the full lexicons, asked once for each text and key: marks do not change with the lexicon."""

    reader: Extractor
    marks: dict[tuple[str, str], tuple[Span, ...]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.reader.name

    @property
    def identity(self) -> str:
        return self.reader.identity

    @property
    def reads_once(self) -> bool:
        return self.reader.reads_once

    def tag(self, requests: Sequence[tuple[str, Document]]) -> list[tuple[Span, ...]]:
        """Spans as they were marked first."""
        new = [(key, document) for key, document in requests if (key, document.event) not in self.marks]
        for (key, document), spans in zip(new, self.reader.tag(new) if new else (), strict=True):
            self.marks[key, document.event] = spans
        return [self.marks[key, document.event] for key, document in requests]


@dataclass(frozen=True)
class _Reads(Readers):
    """Readers whose extractor is given."""

    marked: Extractor | None = None

    @cached_property
    def extractor(self) -> Extractor:
        assert self.marked is not None
        return self.marked


@dataclass
class Subject:
    """A life, opened: its gold rows, what reads it, and its texts as the full lexicons have them."""

    name: str
    rows: Sequence[Mapping[str, Any]]
    context: RetrieveContext
    first: Texts | None = None

    def right(self, lexicon: Lexicon) -> Counter[str]:
        """Right values by key with a lexicon."""
        context = replace(self.context, known=Tables(), notes=NoteCache(None), lexicon_factory=lambda: lexicon)
        texts = texts_of(context)
        for page in self.first.everything() if self.first else ():
            held = vars(page)
            vars(texts.page_of(page.document)).update({name: held[name] for name in _OF_TEXTS_ALONE if name in held})
        found = extract_values([ExtractionRequest(str(r["event"]), r["key"], r["type"]) for r in self.rows], context)
        self.first = self.first or texts
        return Counter(r["key"] for r, read in zip(self.rows, found, strict=True) if is_right(r, read.value))


def opened(folder: Path, work: Path, stack: ExitStack) -> Subject:
    """A life, imported and opened."""
    now = datetime.fromisoformat(json.loads((folder / "profile.json").read_text(encoding="utf-8"))["now"])
    store = work / folder.name
    ingest([folder / "observables.jsonl", folder / "profile.json"], store, IngestOptions(Settings(), now))
    known = stack.enter_context(KnowledgeGraph.open(store))
    context = known._context(now)
    assert context.readers is not None
    context = replace(context, readers=_Reads(marked=Remembered(context.readers.extractor)))
    return Subject(folder.name, rows_of(folder / "extraction.jsonl"), context)


def measure(data: Path, say: Callable[[str], None]) -> None:
    """Says a line for each variant: what it costs on each life, and of which keys."""
    content = shipped()
    with tempfile.TemporaryDirectory() as work, ExitStack() as stack:
        lives = [opened(data / life, Path(work), stack) for life in LIVES]
        whole = Lexicon(read_entries(content)[0], world=world)
        full = {life.name: life.right(whole) for life in lives}
        totals = " | ".join(f"{sum(full[life.name].values())} of {len(life.rows)}" for life in lives)
        say(f"| left out | cues | {' | '.join(LIVES)} | keys |\n|---|---|---|---|---|\n| nothing | | {totals} | |")
        for variant in variants(content):
            found = {life.name: life.right(variant.lexicon) for life in lives}
            say(_line(variant, full, found))


def _line(variant: Variant, full: Mapping[str, Counter[str]], found: Mapping[str, Counter[str]]) -> str:
    changed: Counter[str] = Counter()
    lost = []
    for life in LIVES:
        keys = full[life].keys() | found[life].keys()
        by_key = {key: found[life][key] - full[life][key] for key in keys}
        changed.update({key: 0 for key in keys})
        for key, number in by_key.items():
            changed[key] += number
        lost.append(f"{sum(by_key.values()):+d}")
    keys_told = ", ".join(f"{key} {number:+d}" for key, number in sorted(changed.items()) if number)
    return f"| {variant.left_out} | {variant.cues} | {' | '.join(lost)} | {keys_told} |"


def ask(data: Path, say: Callable[[str], None]) -> None:
    """Says how many questions each life answers, with all lexicons and without each file."""
    content = shipped()
    with tempfile.TemporaryDirectory() as work:
        for left_out in (None, *(name for name, _ in content)):
            extra = () if left_out is None else (_taking_away(content, left_out, Path(work)),)
            right = [_answered(data / life, Path(work), Settings(lexicons=extra)) for life in LIVES]
            say(str(Figure(f"questions without {left_out or 'nothing'}", ", ".join(right))))


def _taking_away(content: Content, name: str, work: Path) -> Path:
    """A user's lexicon that takes away all cues of a shipped file."""
    text = dict(content)[name].decode()
    path = work / f"without-{name}"
    path.write_text(text.replace("ev:cue", "ev:notCue").replace("ev:weakCue", "ev:notCue"), encoding="utf-8")
    return path


def _answered(folder: Path, work: Path, settings: Settings) -> str:
    now = datetime.fromisoformat(json.loads((folder / "profile.json").read_text(encoding="utf-8"))["now"])
    store = work / f"{folder.name}-questions"
    if not store.exists():
        ingest([folder / "observables.jsonl", folder / "profile.json"], store, IngestOptions(settings, now))
    questions = rows_of(folder / "questions.jsonl")
    with KnowledgeGraph.open(store, settings) as known:
        known.read_ahead(now=now)
        right = sum(right_answer(known, row) for row in questions)
    return f"{folder.name} {right} of {len(questions)}"


def implied(paths: Iterable[Path]) -> list[Figure]:
    """Of the values that annotated texts tell, how many a cue of the text implies, in all and by key."""
    lexicon = load_lexicon()
    told, found = Counter[str](), Counter[str]()
    for row in (row for path in paths for row in rows_of(path)):
        cues = lexicon.cues("\n\n".join(row[part] for part in ("subject", "location", "text") if row.get(part)))
        for key, value in ((key, said["value"]) for one in row["tells"] for key, said in one["values"].items()):
            of = _CITIES.get(key, key)
            if of in lexicon.keys and value is not None:
                told[key] += 1
                found[key] += any(cue.key == of and _plain(cue.value) == _plain(str(value)) for cue in cues)
    every = Figure("values that a cue implies", f"{sum(found.values())} of {sum(told.values())}")
    return [every, *(Figure(key, f"{found[key]} of {count}") for key, count in told.most_common())]


def _plain(value: str) -> str:
    return value.casefold().replace("_", " ").replace("'", "").replace("’", "")


def main(arguments: Sequence[str]) -> None:
    """Prints the table, and the processor time that it took."""
    parser = argparse.ArgumentParser(prog="python -m reqap_kg.bench.lexicons")
    parser.add_argument("data", type=Path, nargs="?", help="a folder with the lives p1 and p2")
    parser.add_argument("--texts", type=Path, nargs="+", default=(), help="annotated texts")
    parser.add_argument("--questions", action="store_true", help="ask all questions without each file")
    given = parser.parse_args(arguments)
    for figure in implied(given.texts) if given.texts else ():
        print(figure)
    if given.data is not None:
        (ask if given.questions else measure)(given.data, lambda line: print(line, flush=True))
    print(Figure("processor time", f"{process_time():.0f} s"))


if __name__ == "__main__":
    main(sys.argv[1:])
