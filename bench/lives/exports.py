"""A life's observables as the services export them: the same layout as the development personas' `exports/`.

What a service's export does not say is lost, as in life: further artists of a song, categories of products, the time
zone of the wall clock (moments are UTC, or have an offset). Trailers stand among what was watched.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from icalendar import Calendar, Event
from lxml import etree  # pyright: ignore[reportAttributeAccessIssue] - compiled, without stubs

Shown = Mapping[str, Any]
ZONES: Final = {
    "Cork": "Europe/Dublin",
    **dict.fromkeys(("Leeds", "Glasgow"), "Europe/London"),
    "Portland": "America/Los_Angeles",
    "Pittsburgh": "America/New_York",
    "Austin": "America/Chicago",
    "Hamburg": "Europe/Berlin",
    "Utrecht": "Europe/Amsterdam",
    "Toronto": "America/Toronto",
    "Melbourne": "Australia/Melbourne",
    "Malmö": "Europe/Stockholm",
    "Lyon": "Europe/Paris",
    "Gdańsk": "Europe/Warsaw",
    "Bengaluru": "Asia/Kolkata",
}
"""The time zones of the cities in which personas live; UTC elsewhere."""
_SONGS_A_FILE: Final = 16_000
_ACTIVITIES: Final = {
    "run": "Running",
    "swim": "Swimming",
    "cycl": "Cycling",
    "bik": "Cycling",
    "yoga": "Yoga",
    "hik": "Hiking",
    "walk": "Walking",
    "row": "Rowing",
    "pilates": "Pilates",
    "climb": "Climbing",
    "tennis": "Tennis",
    "ski": "CrossCountrySkiing",
}
"""Kinds of workout that a watch knows, by how their names begin; others are Other."""
_VIEWED: Final = (
    *("Profile Name", "Start Time", "Duration", "Attributes", "Title", "Supplemental Video Type", "Device Type"),
    *("Bookmark", "Latest Bookmark", "Country"),
)
_ORDERED: Final = (
    *("Website", "Order ID", "Order Date", "Purchase Order Number", "Currency", "Unit Price", "Unit Price Tax"),
    *("Shipping Charge", "Total Discounts", "Total Owed", "ASIN", "Product Condition", "Quantity", "Order Status"),
    *("Shipment Status", "Product Name"),
)


def zone_of(profile: Shown) -> str:
    """The IANA name of the time zone in which a person lives."""
    return ZONES.get(str(profile.get("lives_in") or "").partition(",")[0], "UTC")


def write_exports(folder: Path, profile: Shown, observables: Iterable[Shown]) -> None:
    """Writes `folder` with one export per service, and the profile. The same arguments write the same files."""
    by_source: dict[str, list[Shown]] = {}
    for shown in observables:
        by_source.setdefault(shown["source"], []).append(shown)
    folder.mkdir(parents=True)
    _json(folder / "profile.json", profile, indent=1)
    home = ZoneInfo(zone_of(profile))
    for source, write in _WRITERS.items():
        if source in by_source:
            write(folder, by_source[source], profile, home)
    watched = [*by_source.get("movie_stream", ()), *by_source.get("tvseries_stream", ())]
    if watched:
        _netflix(folder, watched, profile, home)


def _start(shown: Shown, home: ZoneInfo) -> datetime:
    return datetime.fromisoformat(f"{shown['start_date']}T{shown['start_time']}").replace(tzinfo=home)


def _end(shown: Shown, home: ZoneInfo) -> datetime:
    if not shown.get("end_time"):
        return _start(shown, home)
    return datetime.fromisoformat(f"{shown['end_date']}T{shown['end_time']}").replace(tzinfo=home)


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _digest(*parts: object) -> str:
    return sha256("\x1f".join(map(str, parts)).encode()).hexdigest()


def _json(path: Path, value: Any, indent: int | None = None) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=indent), encoding="utf-8")


def _calendar(folder: Path, entries: Sequence[Shown], profile: Shown, home: ZoneInfo) -> None:
    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", "-//Example//Calendar//EN")
    calendar.add("x-wr-timezone", home.key)
    calendar.add("x-wr-calname", str(profile["first_name"]))
    for shown in entries:
        event = Event()
        event.add("uid", f"{shown['id']}@calendar.example")
        event.add("dtstamp", _start(shown, home).astimezone(UTC))
        event.add("dtstart", _start(shown, home))
        event.add("dtend", _end(shown, home))
        for key in ("summary", "location", "description"):
            if shown.get(key):
                event.add(key, shown[key])
        calendar.add_component(event)
    (folder / "calendar.ics").write_bytes(calendar.to_ical())


def _mail(folder: Path, mails: Sequence[Shown], profile: Shown, home: ZoneInfo) -> None:  # noqa: ARG001
    with (folder / "mail.mbox").open("wb") as out:
        for shown in mails:
            message, sent = EmailMessage(), _start(shown, home)
            message["From"] = _address(shown["sender"])
            message["To"] = _address(shown["recipient"])
            message["Subject"] = str(shown.get("subject") or "")
            message["Date"] = sent.strftime("%a, %d %b %Y %H:%M:%S %z")
            message["Message-ID"] = f"<{shown['id']}@mail.example>"
            message.set_content(str(shown["text"]))
            out.write(f"From MAILER-DAEMON {sent.astimezone(UTC):%a %b %d %H:%M:%S %Y}\n".encode())
            lines = message.as_bytes().splitlines()
            out.writelines((b">" + line if line.startswith(b"From ") else line) + b"\n" for line in lines)
            out.write(b"\n")


def _address(name: object) -> str:
    said = str(name or "unknown").replace('"', "")
    return f'"{said}" <{_digest(said)[:8]}@mail.example>'


def _posts(folder: Path, posts: Sequence[Shown], profile: Shown, home: ZoneInfo) -> None:  # noqa: ARG001
    actor = "https://social.example/users/me"
    items = []
    for shown in posts:
        place, at = f"{actor}/statuses/{shown['id']}", _utc(_start(shown, home))
        said = str(shown["text"]).replace("&", "&amp;").replace("<", "&lt;").replace("\n", "<br>")
        note = {"id": place, "type": "Note", "published": at, "content": f"<p>{said}</p>", "tag": []}
        items.append({"id": f"{place}/activity", "type": "Create", "actor": actor, "published": at, "object": note})
    about = {"@context": "https://www.w3.org/ns/activitystreams", "id": "outbox.json", "type": "OrderedCollection"}
    _json(folder / "outbox.json", {**about, "totalItems": len(items), "orderedItems": items})


def _notes(folder: Path, notes: Sequence[Shown], profile: Shown, home: ZoneInfo) -> None:  # noqa: ARG001
    for shown in notes:
        at = int(_start(shown, home).timestamp()) * 1_000_000
        note = {"color": "DEFAULT", "isTrashed": False, "isPinned": False, "isArchived": False}
        note |= {"textContent": shown["text"], "title": shown.get("title") or ""}
        note |= {"userEditedTimestampUsec": at, "createdTimestampUsec": at}
        name = f"{shown['start_date']}T{str(shown['start_time']).replace(':', '_')}-{shown['id']}.json"
        _json(folder / "Takeout" / "Keep" / name, note)


def _spotify(folder: Path, songs: Sequence[Shown], profile: Shown, home: ZoneInfo) -> None:  # noqa: ARG001
    rows = [
        {
            "ts": _utc(_end(shown, home)),
            "platform": "android",
            "ms_played": round(float(shown["duration"]) * 1000),
            "conn_country": "ZZ",
            "master_metadata_track_name": shown["song_name"],
            "master_metadata_album_artist_name": shown["song_artist"][0],
            "master_metadata_album_album_name": shown.get("song_album"),
            "spotify_track_uri": f"spotify:track:{_digest(shown['song_name'], *shown['song_artist'])[:22]}",
            "episode_name": None,
            "episode_show_name": None,
            "spotify_episode_uri": None,
            "reason_start": "trackdone",
            "reason_end": "trackdone",
            "shuffle": False,
            "skipped": False,
            "offline": False,
            "incognito_mode": False,
        }
        for shown in songs
    ]
    for number, at in enumerate(range(0, len(rows), _SONGS_A_FILE)):
        part = folder / "Spotify Extended Streaming History" / f"Streaming_History_Audio_{number}.json"
        _json(part, rows[at : at + _SONGS_A_FILE])


def _amazon(folder: Path, orders: Sequence[Shown], profile: Shown, home: ZoneInfo) -> None:  # noqa: ARG001
    rows = []
    for shown in orders:
        price, _, currency = str(shown["price"]).partition(" ")
        quantity = int(shown.get("product_quantity") or 1)
        number = _digest(shown["id"], shown["shop"])
        order = (
            f"{int(number[:6], 16) % 1000:03}-{int(number[6:14], 16) % 10**7:07}-{int(number[14:22], 16) % 10**7:07}"
        )
        cells = (shown["shop"], order, _utc(_start(shown, home)), "Not Available", currency)
        prices = (f"{float(price) / quantity:.2f}", "0", "0", "'0'", price)
        rows.append(
            (*cells, *prices, f"B0{number[:8].upper()}", "New", quantity, "Closed", "Shipped", shown["product"])
        )
    _csv(folder / "amazon" / "Retail.OrderHistory.1" / "Retail.OrderHistory.1.csv", _ORDERED, rows)


def _netflix(folder: Path, watched: Sequence[Shown], profile: Shown, home: ZoneInfo) -> None:
    """The latest first; after every twentieth film or episode a trailer, which nobody chose to watch."""
    rows: list[tuple[object, ...]] = []
    ordered = sorted(watched, key=lambda shown: (str(shown["start_date"]), str(shown["start_time"]), shown["id"]))
    for place, shown in enumerate(ordered):
        begin, length = _start(shown, home).astimezone(UTC), timedelta(seconds=float(shown["duration"]))
        country = f"ZZ ({shown['country']})"
        cells = (_title(shown), "", shown["device"], _clock(length), _clock(length), country)
        rows.append((profile["first_name"], f"{begin:%Y-%m-%d %H:%M:%S}", _clock(length), "", *cells))
        if place % 20 == 0:
            seen, short = begin - timedelta(minutes=3), timedelta(seconds=48)
            cells = (f"{_title(shown)} (Trailer)", "TRAILER", shown["device"], _clock(short), _clock(short), country)
            rows.append((profile["first_name"], f"{seen:%Y-%m-%d %H:%M:%S}", _clock(short), "Autoplayed", *cells))
    _csv(folder / "netflix" / "CONTENT_INTERACTION" / "ViewingActivity.csv", _VIEWED, rows[::-1])


def _clock(length: timedelta) -> str:
    seconds = int(length.total_seconds())
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _title(shown: Shown) -> str:
    if shown["source"] == "movie_stream":
        return str(shown["stream_full_title"])
    number = shown["episode_number"]
    return f"{shown['tvseries_title']}: Season {shown['tvseries_season']}: {shown['episode_name']} (Episode {number})"


def _csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(header)
        writer.writerows(rows)


def _health(folder: Path, workouts: Sequence[Shown], profile: Shown, home: ZoneInfo) -> None:
    root = etree.Element("HealthData", locale="en_IE")
    for shown in workouts:
        begin, end = (f"{moment:%Y-%m-%d %H:%M:%S %z}" for moment in (_start(shown, home), _end(shown, home)))
        kind = str(shown["workout_type"])
        known = next((name for stem, name in _ACTIVITIES.items() if any(w.startswith(stem) for w in kind.split())), "")
        span = {"startDate": begin, "endDate": end}
        workout = etree.SubElement(
            root,
            "Workout",
            workoutActivityType=f"HKWorkoutActivityType{known or 'Other'}",
            duration=str(shown["duration"]),
            durationUnit="min",
            sourceName=f"{profile['first_name']}’s watch",
            creationDate=end,
            **span,
        )
        etree.SubElement(workout, "MetadataEntry", key="HKWorkoutBrandName", value=kind)
        for name, values in _measured(shown):
            etree.SubElement(workout, "WorkoutStatistics", type=f"HKQuantityTypeIdentifier{name}", **span, **values)
    place = folder / "apple_health_export" / "export.xml"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True))


def _measured(shown: Shown) -> Iterable[tuple[str, dict[str, str]]]:
    if shown.get("distance") is not None:
        unit = str(shown.get("distance_unit") or "km")
        yield "DistanceWalkingRunning", {"sum": str(shown["distance"]), "unit": {"miles": "mi"}.get(unit, unit)}
    if shown.get("average_heart_rate") is not None:
        rates = {"average": "average_heart_rate", "minimum": "minimum_heart_rate", "maximum": "maximum_heart_rate"}
        known = {name: str(shown[key]) for name, key in rates.items() if shown.get(key) is not None}
        yield "HeartRate", {**known, "unit": "count/min"}
    if shown.get("calories") is not None:
        yield "ActiveEnergyBurned", {"sum": str(shown["calories"]), "unit": "kcal"}


_WRITERS: Final[Mapping[str, Callable[[Path, Sequence[Shown], Shown, ZoneInfo], None]]] = {
    "calendar": _calendar,
    "mail": _mail,
    "social_media": _posts,
    "note": _notes,
    "music_stream": _spotify,
    "online_purchase": _amazon,
    "workout": _health,
}
