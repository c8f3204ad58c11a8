"""A small valid export of each format, and damage done to it at random."""

from __future__ import annotations

import json
import random

from moving_exports import MOVING

NETFLIX = (
    "Profile Name,Start Time,Duration,Attributes,Title,Supplemental Video Type,Device Type,Country\n"
    'A,2024-01-01 10:00:00,0:40:00,,"Show: Season 1: ""One""",,TV,IE (Ireland)\n'
    "A,2024-01-02 10:00:00,1:40:00,,Film,,TV,IE (Ireland)\n"
)
AMAZON = (
    "Website,Order ID,Order Date,Currency,Unit Price,Total Owed,ASIN,Quantity,Order Status,Product Name\n"
    "A,1-2,2024-01-01T00:00:00Z,EUR,'1.00',\"1,200.00\",B1,2,Closed,Twine\n"
)
HEALTH = (
    '<?xml version="1.0"?><HealthData><ExportDate value="2024-08-01 10:00:00 +0100"/>'
    '<Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="20" durationUnit="min" totalDistance="2" '
    'totalDistanceUnit="mi" startDate="2024-07-01 18:00:00 +0100" endDate="2024-07-01 18:20:00 +0100">'
    '<MetadataEntry key="HKTimeZone" value="Europe/Dublin"/>'
    '<WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" '
    'average="140" unit="count/min"/></Workout><Record type="HKQuantityTypeIdentifierStepCount"/></HealthData>'
)
SPOTIFY = json.dumps([{"ts": "2024-01-01T00:00:00Z", "ms_played": 5, "episode_name": "é", "skipped": None}] * 3)
ACCOUNT = json.dumps([{"endTime": "2024-01-01 00:00", "msPlayed": 5, "trackName": "é", "artistName": "b"}] * 3)
EVENTS = (
    json.dumps({"id": 1, "source": "workout", "start_date": "2024-01-01", "start_time": "10:00:00", "tags": [1]}) + "\n"
)
PROFILE = json.dumps({"name": "A", "friends": [{"name": "B"}], "pets": [{"name": "C"}], "nicknames": {"B": "b"}})
CALENDAR = (
    "BEGIN:VCALENDAR\r\nX-WR-TIMEZONE:Europe/Rome\r\nBEGIN:VTIMEZONE\r\nTZID:Office\r\nBEGIN:STANDARD\r\n"
    "DTSTART:19700101T000000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
    "BEGIN:VEVENT\r\nUID:a\r\nDTSTART;TZID=Office:20240101T100000\r\nDURATION:PT1H\r\nRRULE:FREQ=WEEKLY;COUNT=9\r\n"
    'EXDATE;TZID=Office:20240108T100000\r\nSUMMARY:Café\r\nATTENDEE;CN="B, C":mailto:b@c.test\r\nEND:VEVENT\r\n'
    "BEGIN:VEVENT\r\nUID:a\r\nRECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Office:20240122T100000\r\n"
    "DTSTART;TZID=Office:20240122T120000\r\nSEQUENCE:1\r\nLAST-MODIFIED:20240101T000000Z\r\nEND:VEVENT\r\n"
    "BEGIN:VEVENT\r\nUID:b\r\nDTSTART;VALUE=DATE:20240301\r\nDTEND:20240303T000000Z\r\nGEO:1;2\r\nEND:VEVENT\r\n"
    "END:VCALENDAR\r\n"
)
MAIL = (
    'From a@b.test Mon Jan 01 10:00:00 2024\nFrom: =?utf-8?q?J=C3=A9?= <a@b.test>\nTo: b@c.test, "D, E" <d@e.test>\n'
    "Date: Mon, 01 Jan 2024 10:00:00 +0100\nMessage-ID: <1@b.test>\nSubject: Hi\n"
    "Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/html; charset=utf-8\n"
    "Content-Transfer-Encoding: quoted-printable\n\n<p>caf=C3=A9<br>x</p>\n--x\n"
    "Content-Disposition: attachment; filename*=utf-8''a%20b\nContent-Transfer-Encoding: base64\n\nAAAA\n--x--\n\n"
    "From a@b.test Tue Jan 02 10:00:00 2024\nSubject: again\n\n>From me\n"
)
NOTE = json.dumps(
    {
        "isTrashed": False,
        "isPinned": False,
        "isArchived": False,
        "createdTimestampUsec": 1700000000000000,
        "title": "é",
        "textContent": "a",
        "listContent": [{"text": "b", "isChecked": True}],
        "labels": [{"name": "c"}],
    }
)
POST = {"id": "o/1", "type": "Note", "published": "2024-01-01T00:00:00Z", "content": "<p>é</p>", "tag": [{"type": "x"}]}
OUTBOX = json.dumps(
    {
        "@context": "https://www.w3.org/ns/activitystreams",
        "orderedItems": [
            {"id": "a/1", "type": "Create", "actor": "me", "object": POST},
            {"type": "Announce", "object": "o"},
        ],
    }
)
TWEETS = "window.YTD.tweets.part0 = " + json.dumps(
    [
        {
            "tweet": {
                "id_str": "1",
                "created_at": "Sat Mar 02 09:15:00 +0000 2024",
                "full_text": "é",
                "entities": {"urls": []},
            }
        }
    ]
    * 2
)
MARKDOWN = (
    "---\ntitle: é\ndate: 2024-01-01\ntags: [a, b]\n---\n\n## 2024-01-02 10:30\n- [x] c #d\n\n## 2024-01-03\n`e`\n"
)
WHATSAPP = (
    "[25/12/2023, 21:05:09] Trip: \u200eMessages and calls are end-to-end encrypted.\n"
    "\u200e[25/12/2023, 21:05:10] Ann: \u200eimage omitted\n"
    "[25/12/2023, 21:06:10] Bo: é\nmore <This message was edited>\n"
)
CHAT = json.dumps(
    {
        "name": "é",
        "messages": [
            {"from": "A", "text": ["a", {"type": "link", "text": "b"}], "date_unixtime": "1709283600", "id": 1},
            {"from": {"name": "B"}, "text": "c", "date": "2024-03-01T09:00:00", "to": ["A"], "mood": [1]},
        ],
    }
)
NODE = {
    "author": {"role": "user"},
    "create_time": 1.7e9,
    "content": {"content_type": "text", "parts": ["é", {"text": "b"}]},
}
CHATGPT = json.dumps(
    [
        {
            "title": "é",
            "create_time": 1.7e9,
            "mapping": {
                "a": {"parent": None, "children": ["b"]},
                "b": {"parent": "a", "children": [], "message": NODE},
            },
            "current_node": "b",
        }
    ]
)
TURNS = json.dumps({"reqap_kg_turn": 0, "time": "2024-03-01T09:00:00", "sender": "me", "text": "é"}) + "\n"
PACKAGE = json.dumps(
    [{"ID": 11, "Timestamp": "2024-03-01 10:00:00", "Contents": "é", "Attachments": "https://a/b"}] * 2
)
ACTIVITY = json.dumps(
    [
        {
            "header": "YouTube",
            "title": "Watched é",
            "titleUrl": "https://www.youtube.com/watch?v=a",
            "subtitles": [{"name": "b"}],
            "time": "2024-01-01T00:00:00Z",
            "products": ["YouTube"],
        }
    ]
    * 3
)
GOODREADS = (
    "Book Id,Title,Author,ISBN13,My Rating,Number of Pages,Date Read,Bookshelves,Exclusive Shelf,My Review\n"
    '1,"A, é",B,"=""9780000000011""",4,312,2023/03/05,"a, b",read,Long\n2,C,D,,0,,,,to-read,\n'
)
SCROBBLES = json.dumps(
    [{"track": [{"artist": {"#text": "é"}, "album": {"#text": ""}, "name": "b", "date": {"uts": "1720214100"}}] * 3}]
)
LISTENS = json.dumps({"listened_at": 1720214100, "track_metadata": {"artist_name": "é", "track_name": "b"}}) + "\n"
DIARY = (
    "Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date\n"
    '2024-03-02,"The, é",1961,https://boxd.it/1,4.5,Yes,"a, b",2024-03-01\n'
)
CLIPPINGS = (
    "Dune (Herbert, Frank)\n- Your Highlight on page 12 | Location 5-6 | Added on Friday, March 1, 2024 8:42:10 PM\n\n"
    "Fear is é.\n==========\n"
)
READ = (
    "Title,Authors,ISBN/UID,Read Status,Dates Read,Star Rating,Review,Tags\n"
    '"A, é",B,1,read,"2021/01/02-2021/02/03, 2023/03/01",4.25,<div>Long</div>,"a, b"\nC,D,,to-read,,,,\n'
)
WATCHED = json.dumps(
    [
        {"id": 1, "watched_at": "2024-07-05T21:15:00Z", "movie": {"title": "é", "year": 1961, "ids": {"trakt": 7}}},
        {"rated_at": "2024-07-05T21:15:00Z", "rating": 9, "show": {"title": "b", "ids": {"trakt": 8}}},
    ]
)
PLAYS = (
    "Song Name,Album Name,Event Type,Event Start Timestamp,Event End Timestamp,Play Duration Milliseconds,"
    "UTC Offset In Seconds\nA é,B,PLAY_END,2024-07-05T21:15:00.5Z,2024-07-05T21:18:20.5Z,200000,7200\n"
)
EXPORTS = {
    "lastfm": SCROBBLES,
    "listenbrainz": LISTENS * 3,
    "letterboxd": DIARY,
    "kindle": CLIPPINGS * 2,
    "storygraph": READ,
    "trakt": WATCHED,
    "apple-music": PLAYS,
    "google-activity": ACTIVITY,
    "goodreads": GOODREADS,
    "discord-package": PACKAGE,
    "whatsapp": WHATSAPP,
    "chatgpt": CHATGPT,
    "chat-json": CHAT,
    "dialogues": TURNS * 2,
    "icalendar": CALENDAR,
    "mail": MAIL,
    "google-keep": NOTE,
    "mastodon": OUTBOX,
    "x-posts": TWEETS,
    "markdown": MARKDOWN,
    "netflix-activity": NETFLIX,
    "netflix-history": 'Title,Date\n"A: Season 1: B",1/2/24\nC,31/12/23\n',
    "amazon-orders": AMAZON,
    "apple-health": HEALTH,
    "spotify-extended": SPOTIFY,
    "spotify-account": ACCOUNT,
    "key-value": EVENTS * 3,
    "profile": PROFILE,
    **MOVING,
}
PIECES = [
    b"\0",
    b"\xff\xfe",
    b'"',
    b"\n",
    b"{",
    b"[[[[",
    b"<",
    b"&a;",
    b"-1",
    b"99999999999999999999",
    b"null",
    b"\xf0\x9f",
    b"Z",
]


def mutated(data: bytes, luck: random.Random) -> bytes:
    for _ in range(luck.randint(1, 4)):
        at, to = sorted(luck.randrange(len(data) + 1) for _ in range(2))
        kind = luck.randrange(4)
        if kind == 0:
            data = data[:at] + luck.choice(PIECES) + data[at:]
        elif kind == 1:
            data = data[:at] + luck.choice(PIECES) + data[min(at + luck.randint(1, 6), len(data)) :]
        elif kind == 2:
            data = data[:at] + data[min(to, at + 40) :]
        else:
            data = data[:to] + data[at:]
    return data
