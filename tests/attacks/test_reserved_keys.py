"""What a reader or the importer says of a record (its source, its id, its place) is out of reach of what it holds."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from damaged_exports import EXPORTS
from hypothesis import given, settings
from hypothesis import strategies as st

from reqap_kg.config import Settings
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions, map_for_format
from reqap_kg.mappings.rml import CompiledMap, plain_records
from reqap_kg.ontology.namespaces import EV, KEY
from reqap_kg.sources.base import BadRecord, Format, ReadContext, as_told
from reqap_kg.sources.registry import format_named
from reqap_kg.store.generations import open_graph
from reqap_kg.store.rdf import Quad, parse_nquads

RESERVED = tuple(
    f"_{name}"
    for name in [
        "source",
        "id",
        "where",
        "path",
        "type",
        "kind",
        "class",
        "start",
        "end",
        "label",
        "time",
        "sender",
        "senderAddress",
        "text",
        "instant",
        "certainty",
        "precision",
        "startInstant",
        "duration",
        "thread",
        "inReplyTo",
        "direction",
        "own",
        "title",
        "tags",
        "boost",
        "repost",
        "seconds",
        "series",
        "vague",
        "published",
        "distanceUnit",
        "elevation",
        "averageSpeed",
        "episode",
        "season",
        "movie",
        "content",
    ]
)
VALUES: tuple[Any, ...] = ("mail", "1@b.test", "", "../../x y<>", "2001-01-01T00:00:00Z", "workout")
ODD: tuple[Any, ...] = (*VALUES, None, 7, True, ["a", "b"], {"a": "b"})
Said = dict[str, Any]
_MAPS = ("nicknames",)
"""Objects whose keys are data."""


@dataclass(frozen=True)
class Held:
    """A file in memory."""

    data: bytes
    path: str = "export/file"

    @property
    def size(self) -> int:
        return len(self.data)

    def open(self) -> Any:
        return io.BytesIO(self.data)

    def head(self, size: int = 65536) -> bytes:
        return self.data[:size]


def _in_objects(value: Any, said: Said) -> Any:
    """A JSON value with the keys in every object of it that has a plain value, so not in those that are only maps."""
    if isinstance(value, list):
        return [_in_objects(inner, said) for inner in value]
    if not isinstance(value, dict):
        return value
    inside = {key: inner if key in _MAPS else _in_objects(inner, said) for key, inner in value.items()}
    plain = any(not isinstance(inner, dict) for inner in value.values())
    return {**said, **inside, **said} if plain else inside


def _json(text: str, said: Said) -> str:
    begin = re.search(r"[\[{]", text)
    assert begin is not None
    prefix, body = text[: begin.start()], text[begin.start() :]
    try:
        return prefix + json.dumps(_in_objects(json.loads(body), said))
    except json.JSONDecodeError:
        return "".join(json.dumps(_in_objects(json.loads(line), said)) + "\n" for line in body.splitlines())


def _csv(text: str, said: Said) -> str:
    rows = list(csv.reader(io.StringIO(text)))
    out = io.StringIO()
    more = [[str(value) for value in said.values()] for _ in rows[1:]]
    csv.writer(out).writerows(row + added for row, added in zip(rows, [list(said), *more], strict=True))
    return out.getvalue()


def _before(mark: str, line: str) -> Callable[[str, Said], str]:
    """Puts a line for each key in front of every line that begins with `mark`."""

    def put(text: str, said: Said) -> str:
        lines = "".join(line.format(key=key, value=value) for key, value in said.items())
        return re.sub(rf"^{mark}", lambda found: lines + found.group(), text, flags=re.MULTILINE)

    return put


def _xml(text: str, said: Said) -> str:
    said = {key: str(value).replace("<", "").replace(">", "") for key, value in said.items()}
    attributes = "".join(f' {key}="{value}"' for key, value in said.items())
    entries = "".join(f'<MetadataEntry key="{key}" value="{value}"/>' for key, value in said.items())
    return text.replace("<Workout ", f"<Workout{attributes} ").replace("</Workout>", entries + "</Workout>")


PUT: dict[str, Callable[[str, Said], str]] = {
    "mail": _before("Subject", "{key}: {value}\n"),
    "markdown": _before("title:", "{key}: '{value}'\n"),
    "netflix-activity": _csv,
    "amazon-orders": _csv,
    "apple-health": _xml,
} | {
    name: _json
    for name in [
        "chatgpt",
        "chat-json",
        "google-keep",
        "mastodon",
        "x-posts",
        "spotify-extended",
        "spotify-account",
        "key-value",
        "profile",
        "dialogues",
    ]
}
"""How keys of one's own are put into the records of each format that has any."""
_READ_AS_OWN = {"_tags", "_title", "_time"}
"""What a note may call its own tags and dates: keys are read without regard to underscores."""
WITHOUT_KEYS = {"whatsapp", "netflix-history", "icalendar"}
"""Formats whose records hold what the reader names, or names of which none begins with _."""


@cache
def _map(name: str) -> CompiledMap:
    form = format_named(name)
    assert form is not None
    return map_for_format(form, ZoneInfo("UTC"))


def _quads(form: Format, text: str) -> list[Quad]:
    context = ReadContext(ZoneInfo("UTC"), "2025-03-01T12:00:00", owner_names=("A",))
    records = form.read(Held(text.encode()), context)
    made = _map(form.name).map_records(records, graph="urn:g", source="here")
    return list(parse_nquads("".join(part for part in made if not isinstance(part, BadRecord)).encode()))


def _told(quads: list[Quad]) -> Counter[tuple[str, str]]:
    """What is said, without what is kept under key:, and without identifiers, which may be made of a whole record."""
    kept = [quad for quad in quads if not quad.predicate.value.startswith((KEY, EV + "sourceId"))]
    data = "https://w3id.org/reqap-kg/data/here/"
    return Counter((quad.predicate.value, re.sub(f"<{data}[^>]*>", "thing", str(quad.object))) for quad in kept)


def test_every_format_is_attacked() -> None:
    assert set(EXPORTS) == set(PUT) | WITHOUT_KEYS


@pytest.mark.parametrize("name", sorted(PUT))
def test_keys_of_a_record_change_nothing_that_the_reader_says(name: str) -> None:
    form = format_named(name)
    assert form is not None
    honest = _told(_quads(form, EXPORTS[name]))
    assert honest
    values = ODD if PUT[name] is _json else VALUES
    keys = [key for key in RESERVED if name != "markdown" or key not in _READ_AS_OWN]
    rounds = st.dictionaries(st.sampled_from(keys), st.sampled_from(values), min_size=1)

    @settings(max_examples=6)
    @given(rounds)
    def attacked(said: Said) -> None:
        quads = _quads(form, PUT[name](EXPORTS[name], {"_source": values[0], "_id": values[1], **said}))
        assert _told(quads) == honest
        subjects = {str(quad.subject) for quad in quads}
        assert all("/data/here/" in subject or subject.startswith("_:") for subject in subjects), subjects

    attacked()


@pytest.mark.smoke
@given(st.dictionaries(st.text("_keyid", max_size=9), st.integers(), max_size=8))
def test_no_key_is_lost_and_none_is_the_readers(told: dict[str, int]) -> None:
    record = as_told(told.items())
    assert sorted(record.values()) == sorted(told.values())
    assert not any(key.startswith("_") for key in record)
    assert {key: told[key] for key in told if not key.startswith("_")}.items() <= record.items()


def test_a_post_does_not_become_a_mail(tmp_path: Path) -> None:
    (tmp_path / "mail.mbox").write_text(EXPORTS["mail"], encoding="utf-8")
    post = json.loads(EXPORTS["mastodon"])
    post["orderedItems"][0]["object"] |= {"id": "1@b.test", "_source": "mail"}
    (tmp_path / "outbox.json").write_text(json.dumps(post), encoding="utf-8")
    ingest([tmp_path], tmp_path / "store", IngestOptions(Settings(), datetime(2025, 3, 1, 12)))
    with open_graph(tmp_path / "store") as graph:
        rows = graph.select('SELECT ?s ?g ?t { GRAPH ?g { ?s ev:sourceId "1@b.test" ; ev:start ?t } }')
        assert len({str(row[0]) for row in rows}) == len(list(rows)) == 2


def test_records_of_a_file_for_ones_own_map(tmp_path: Path) -> None:
    path = tmp_path / "any.json"
    path.write_text(
        json.dumps([{"_source": "mail", "_path": "x", "_where": "y", "_id": odd} for odd in (None, [], {})])
    )
    found = [record for record in plain_records(path) if isinstance(record, dict)]
    assert {record["_path"] for record in found} == {str(path)}
    assert len({record["_id"] for record in found}) == 3
    assert all(record["_where"] != "y" for record in found)
