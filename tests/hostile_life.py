"""Exports whose every name, title and text tries to steer a terminal, reorder a line or hide."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

PAYLOAD = (
    "\x1b]0;owned\x07\x1b[2J\x9b31m\x1b]8;;http://evil.example\x1b\\link"
    "\u202eexe\u2066\u200b[red]x[/red][link=http://evil.example]y[/link]\x7f\r\x00=cmd"
)
LINES = f"a{PAYLOAD}\nFORGED\u2028FORGED\x85FORGED"
"""The same over several lines, for fields that may have them."""
FILE_NAME = "\x1b]0;owned\x07[red]\u202etxt\nFORGED"
HEADER = PAYLOAD.replace("\r", "").replace("\x00", "")

_MAIL = f"""From x@example Thu Mar 02 07:12:05 +0000 2023
Message-ID: <{HEADER}@example>
Date: Thu, 02 Mar 2023 08:12:05 +0100
From: "{HEADER}" <evil@example>
To: "You{HEADER}" <you@example>
Subject: Invoice {HEADER}
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="b"

--b
Content-Type: text/plain; charset=utf-8

We had dinner at the trattoria {HEADER}
--b
Content-Type: text/plain; name="{HEADER}.txt"
Content-Disposition: attachment; filename="{HEADER}.txt"

x
--b--

"""
_CALENDAR = f"""BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//x//{HEADER}//EN
X-WR-CALNAME:cal{HEADER}
BEGIN:VEVENT
UID:1{HEADER}
DTSTART:20240510T100000
DTEND:20240510T110000
SUMMARY:Dentist {HEADER}
LOCATION:{HEADER}
DESCRIPTION:{HEADER}\\nFORGED
ATTENDEE;CN="{HEADER}":mailto:evil@example
END:VEVENT
BEGIN:VEVENT
UID:2{HEADER}
DTSTART:{HEADER}
SUMMARY:Broken {HEADER}
END:VEVENT
END:VCALENDAR
"""
_AMAZON = """"Website","Order ID","Order Date","Currency","Unit Price","Quantity","Product Name","Order Status"
"Amazon","1","2024-05-01T10:00:00Z","EUR","3.50","1","=1+1 {0}","Closed"
"Amazon","2{0}","2024-05-02T10:00:00Z{0}","EUR","3.50","1","{0}","Cancelled"
"""


def hostile_life(folder: Path) -> Path:
    """A folder of exports of many formats, with hostile names of files, too."""
    life = folder / f"life{FILE_NAME}"
    life.mkdir(parents=True)
    (life / "mail.mbox").write_text(_MAIL, encoding="utf-8", newline="")
    (life / f"cal{FILE_NAME}.ics").write_text(_CALENDAR, encoding="utf-8", newline="")
    (life / "Retail.OrderHistory.1.csv").write_text(_AMAZON.format(HEADER), encoding="utf-8", newline="")
    (life / f"note{FILE_NAME}.md").write_text(f"---\ndate: 2024-05-01\n---\n# Note {PAYLOAD}\n{LINES}\n", newline="")
    (life / os.fsdecode(b"caf\xe9\x1b.md")).write_text(f"---\ndate: 2024-05-02\n---\n# {PAYLOAD}\n", newline="")
    _write(life / "Streaming_History_Audio_2024_0.json", [_stream(day) for day in range(1, 4)])
    rows = [_keyed(day) for day in range(1, 5)] + [{"source": f"x{LINES}", "start_date": f"no date {LINES}"}]
    _write(life / "lists.json", rows)
    _write(life / "profile.json", {"id": "h", "name": f"Ann {PAYLOAD}", "mother": {"name": f"Bo {PAYLOAD}"}})
    (life / f"junk{FILE_NAME}.json").write_text("{broken " + PAYLOAD)
    with zipfile.ZipFile(life / "members.zip", "w") as archive:
        archive.writestr(f"{HEADER}.md", f"---\ndate: 2024-05-03\n---\n# In a zip {PAYLOAD}\n")
        archive.writestr(f"../{HEADER}.md", "# Out\n")
    return life


def _write(path: Path, value: object) -> None:
    path.write_text(json.dumps(value), encoding="utf-8")


def _stream(day: int) -> dict[str, object]:
    return {
        "ts": f"2024-05-0{day}T10:00:00Z",
        "ms_played": 200_000,
        "master_metadata_track_name": f"Song {LINES}",
        "master_metadata_album_artist_name": f"Artist {LINES}",
        "master_metadata_album_album_name": f"Album {LINES}",
        "spotify_track_uri": f"spotify:track:{day}",
        "platform": LINES,
        "conn_country": "NL",
        "reason_start": LINES,
    }


def _keyed(day: int) -> dict[str, object]:
    return {
        "id": f"{day}{LINES}",
        "source": "workout",
        "start_date": f"2024-05-0{day}",
        "start_time": "10:00:00",
        "workout_type": f"running {LINES}" if day < 3 else "running",
        "distance": float(day),
        "title": f"Run {LINES}",
        f"odd key {LINES}": LINES,
    }
