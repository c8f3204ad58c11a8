"""A value of an unforeseen type, size, name or encoding in one record: it costs that record, or its file, no other."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from damaged_exports import EXPORTS
from odd_exports import EDGES, NUMBERS, TEXTS, odd_export

from reqap_kg.cli.app import run
from reqap_kg.config import Limits, Settings
from reqap_kg.engine.importing import ingest as importing
from reqap_kg.engine.importing import recognise as recognising
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions, map_for_format
from reqap_kg.engine.importing.replacing import owner_of_profile, zone_of_calendar
from reqap_kg.errors import SourceError
from reqap_kg.mappings.rml.functions.functions import FUNCTIONS
from reqap_kg.mappings.rml.functions.types import Unconvertible
from reqap_kg.sources.base import BadRecord, Format, InputFile, ReadContext, Record
from reqap_kg.sources.detect import detect
from reqap_kg.sources.registry import format_named
from reqap_kg.texts.import_budget import passed_limit

ZONES = ("Europe/Dublin", "Pacific/Kiritimati", "America/Los_Angeles", "UTC")
GOOD = [{"source": "note", "date": "2024-05-05", "text": f"good {number}"} for number in range(5)]
NOW = datetime(2025, 3, 1, 12)
OPTIONS = IngestOptions(Settings(), NOW, dry_run=True)


@dataclass(frozen=True)
class Held:
    """A file in memory."""

    data: bytes
    path: str = "export/file"

    @property
    def size(self) -> int:
        return len(self.data)

    def open(self) -> Any:
        from io import BytesIO

        return BytesIO(self.data)

    def head(self, size: int = 65536) -> bytes:
        return self.data[:size]


def taken(form: Format, file: Held, zone: ZoneInfo) -> int:
    """Reads and maps a file as an import does; how many records are in. Raises SourceError."""
    limits = Limits(record_bytes=100_000)
    context = ReadContext(zone, NOW.isoformat(), limits=limits, owner_names=("A",))
    count = 0

    def records() -> Iterator[Record | BadRecord]:
        nonlocal count
        for record in form.read(file, context):
            if not isinstance(record, BadRecord):
                count += 1
                owner_of_profile(record)
                reason = passed_limit(record, limits)
                record = BadRecord(file.path, "", reason) if reason else record
            yield record

    assert form.source_name(file) is not None
    zone_of_calendar(file)
    for made in map_for_format(form, zone).map_records(records(), graph="http://g/", source="x", limits=limits):
        if isinstance(made, str):
            made.encode()
    return count


@pytest.mark.parametrize("name", sorted(EXPORTS))
def test_odd_values_are_bad_records_or_refused_files(name: str, full_attack: bool) -> None:
    form = format_named(name)
    assert form is not None
    assert detect(Held(EXPORTS[name].encode())) is form
    read = refused = 0
    total = 3000 if full_attack else 60
    for number in range(total):
        luck = random.Random(f"{name} {number}")
        file = Held(odd_export(name, luck))
        zone = ZoneInfo(luck.choice(ZONES))
        try:
            read += taken(form, file, zone)
        except SourceError:
            refused += 1
        try:
            found = detect(file)
        except SourceError:
            continue
        if found is not form:
            try:
                taken(found, file, zone)
            except SourceError:
                refused += 1
    assert read > total / 5, "the oddities must not keep everything out"
    assert refused < total


@pytest.mark.smoke
def test_odd_files_beside_good_ones(tmp_path: Path, full_attack: bool) -> None:
    """Whole imports: the good list beside odd exports of all formats is in, and no reader is at fault."""
    (tmp_path / "good.json").write_text(json.dumps(GOOD))
    for number in range(100 if full_attack else 3):
        for name in EXPORTS:
            (tmp_path / name).write_bytes(odd_export(name, random.Random(f"whole {name} {number}")))
        report = ingest([tmp_path], tmp_path / "store", replace(OPTIONS, debug=True))
        assert {source.name: source.events for source in report.sources}["good"] == len(GOOD), number
        assert not report.faults


HEALTH = (
    '<?xml version="1.0"?><HealthData locale="en"><ExportDate value="2024-06-01 10:00:00 +0100"/>'
    '<Workout workoutActivityType="HKWorkoutActivityTypeRunning" startDate="2024-01-01 10:00:00 +0100" '
    'endDate="2024-01-01 11:00:00 +0100"%s>%s</Workout></HealthData>'
)
CHAT = {"sender": "A", "text": "x", "date": "2024-05-05T10:00:00"}
GPT = {"author": {"role": "user"}, "create_time": 1710000000, "content": {"content_type": "text", "parts": ["x"]}}
ROWS = "\ufeffTitle,Date\r\nOkja,3/4/24\r\nOkja,3/5/24\r\n".encode("utf-16-le")
CUT: dict[str, tuple[bytes | str, int]] = {
    "chat subtype": (json.dumps({"messages": [CHAT] * 9 + [CHAT | {"subtype": ["x"]}]}), 10),
    "chatgpt role": (
        json.dumps(
            [
                {"title": "t", "mapping": {"a": {"message": GPT | {"author": {"role": role}}}}}
                for role in ("user", ["user"], {"a": 1})
            ]
        ),
        1,
    ),
    "csv odd byte": (ROWS + b"A", 2),
    "csv half character": (ROWS[:-6] + b"\x00\xdc" + ROWS[-6:], 1),
    "health no value": (HEALTH % ("", '<MetadataEntry key="device"/>'), 1),
    "health event attribute": (HEALTH % (' WorkoutEvent="x"', '<WorkoutEvent type="a" date="b"/>'), 1),
    "health statistic of a total": (HEALTH % ("", '<WorkoutStatistics type="totalDistance" sum="5"/>'), 1),
    "health statistic of a start": (
        (HEALTH % ("", '<WorkoutStatistics type="startDate" sum="5"/>')).replace("startDate=", "began=", 1),
        0,
    ),
    "end beyond the calendar": (
        json.dumps([{"source": "workout", "date": "9999-12-31", "start_time": "23:00", "end_time": "01:00"}]),
        1,
    ),
    "huge time in a tree": (
        json.dumps(
            [
                {
                    "title": "t",
                    "mapping": {key: {"message": GPT | {"create_time": at}} for key, at in (("a", 1), ("b", 10**400))},
                }
            ]
        ),
        0,
    ),
    "huge time": (json.dumps([*GOOD, {"source": "note", "timestamp": 10**400}]), 5),
}


@pytest.mark.parametrize("what", sorted(CUT))
def test_the_other_records_are_in(what: str) -> None:
    content, expected = CUT[what]
    file = Held(content.encode() if isinstance(content, str) else content)
    form = detect(file)
    context = ReadContext(ZoneInfo("Europe/Dublin"), NOW.isoformat())
    records = [record for record in form.read(file, context) if not isinstance(record, BadRecord)]
    assert len([record for record in records if record.get("_kind") != "session"]) == expected, records


@pytest.mark.parametrize("cut", ['{"name":"Ann","friends":["Bob"],"languages":["en"],"x":"cut of', None])
def test_a_profile_that_cannot_be_read_is_refused_alone(cut: str | None, tmp_path: Path) -> None:
    deep = '{"name":"Ann","friends":["Bob"],"nicknames":{"Bob":"B"},"x":' + "[" * 300 + "]" * 300 + "}"
    (tmp_path / "profile.json").write_text(cut or deep)
    (tmp_path / "good.json").write_text(json.dumps(GOOD))
    report = ingest([tmp_path], tmp_path / "store", OPTIONS)
    assert [(source.name, source.events) for source in report.sources] == [("good", len(GOOD))]
    ((path, reason),) = [(refused.path, refused.reason) for refused in report.refused]
    assert path.endswith("profile.json")
    assert "cut off" in reason or "nested" in reason
    assert not report.faults


def fails(*_: object) -> Any:
    raise TypeError("unhashable type: 'list'")


def fails_late(file: InputFile, context: ReadContext) -> Iterator[Record | BadRecord]:
    yield {"_id": "1", "_kind": "note", "_start": "2024-01-01", "_precision": "day", "text": "one"}
    fails()


STUMBLES = {"read": fails, "late": fails_late, "recognise": fails, "source_name": fails, "map": fails}


@pytest.fixture(params=sorted(STUMBLES))
def stumbling(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a profile at which a reader of ours raises, at one of the places where it may, and a good list."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "profile.json").write_text(EXPORTS["profile"])
    (tmp_path / "in" / "good.json").write_text(json.dumps(GOOD))
    known = format_named("profile")
    assert known is not None
    field = "read" if request.param == "late" else request.param
    broken = known if field == "map" else replace(known, **{field: STUMBLES[request.param]})

    def told(file: InputFile, **_: float) -> Format:
        found = detect(file)
        return broken if found is known and broken.recognise(file) else found

    monkeypatch.setattr(recognising, "detect", told)
    if field == "map":
        shipped = map_for_format

        def mapped(kind: Format, home: ZoneInfo) -> Any:
            compiled = shipped(kind, home)
            if kind is known:
                monkeypatch.setattr(compiled, "map_records", lambda *_, **__: (fails() for _ in "x"))
            return compiled

        monkeypatch.setattr(importing, "map_for_format", mapped)
    return tmp_path / "in"


def test_an_error_that_nobody_foresaw_costs_one_file(stumbling: Path, tmp_path: Path) -> None:
    report = ingest([stumbling], tmp_path / "store", replace(OPTIONS, dry_run=False))
    assert {source.name: source.events for source in report.sources}["good"] == len(GOOD)
    assert [Path(refused.path).name for refused in report.faults] == ["profile.json"]
    assert "a fault of reqap-kg (TypeError: unhashable type: 'list'); please report it" in report.refused[0].reason
    assert "profile" not in {source.name for source in report.sources}
    with pytest.raises(TypeError):
        ingest([stumbling], tmp_path / "store", replace(OPTIONS, debug=True))


def test_the_command_tells_of_it(stumbling: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["ingest", str(stumbling), "--store", str(tmp_path / "store"), "--no-index"]
    assert run(command) == 1
    said = capsys.readouterr()
    assert "good (key-value): 5 records" in said.out
    assert "please report it" in said.err
    assert run([*command, "--json"]) == 1
    assert "please report it" in json.loads(capsys.readouterr().out)["refused"][0]["reason"]
    with pytest.raises(TypeError):
        run(["--debug", *command])


def test_a_file_that_is_named_and_stumbled_at_is_refused(stumbling: Path, tmp_path: Path) -> None:
    report = ingest([stumbling / "profile.json", stumbling / "good.json"], tmp_path / "store", OPTIONS)
    assert [source.name for source in report.sources] == ["good"]
    assert len(report.faults) == 1


INPUTS: tuple[Any, ...] = (
    *EDGES, *TEXTS, *NUMBERS, True, False, float("inf"), float("nan"), Decimal("1E+999"), Decimal("NaN"), date.min,
    date.max, datetime.min, datetime.max, datetime(9999, 12, 31, 23, 59, tzinfo=timezone(timedelta(hours=-14))),
    datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14))), time(23, 59), "home", "%Y|iso", "epoch", "(", "(a)|b",
    "Mon, 01 Jan 2024 10:00:00 +99999999999999", "km", "min", "1",
)  # fmt: skip


@pytest.mark.smoke
@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_functions_of_maps_convert_or_say_why_not(name: str, full_attack: bool) -> None:
    """A map may read any parameter of a function from a record, where any value may stand."""
    function, luck, made = FUNCTIONS[name], random.Random(name), 0
    for _ in range(20_000 if full_attack else 1_000):
        example = dict(luck.choice(function.examples).inputs) if function.examples else {}
        names = (*function.required, *function.optional)
        arguments = [example.get(key) if luck.random() < 0.5 else luck.choice(INPUTS) for key in names]
        if any(value is None for value in arguments[: len(function.required)]):
            continue
        many = [[luck.choice(INPUTS) for _ in range(luck.randint(1, 3))]] if function.many else []
        zone = [ZoneInfo(luck.choice(ZONES))] if function.zoned else []
        with suppress(Unconvertible):
            function.run(*zone, *many, *arguments)
            made += 1
    assert made
