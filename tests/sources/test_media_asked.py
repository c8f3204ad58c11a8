"""Questions about what was watched, read, heard and searched, over a few files of each kind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from reqap_kg.config import Settings
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.errors import NotUnderstood

NOW = datetime(2025, 3, 15, 12)
SETTINGS = Settings(home_zone="Europe/Dublin", proposers=("rules",), read_texts=False)


def _video(title: str, day: str, channel: str) -> dict[str, Any]:
    return {
        "header": "YouTube",
        "title": f"Watched {title}",
        "titleUrl": f"https://www.youtube.com/watch?v={title[:3]}",
        "subtitles": [{"name": channel}],
        "time": f"{day}T10:00:00Z",
    }


SEARCH = {
    "header": "YouTube",
    "title": "Searched for hedge shears",
    "titleUrl": "https://www.youtube.com/results?search_query=hedge+shears",
    "time": "2025-01-12T09:00:00Z",
}
VIDEOS = [
    _video("Pruning a hedge", "2025-02-10", "Garden Lab"),
    _video("Mending a gate", "2025-02-12", "Garden Lab"),
    _video("Ferns of Wales", "2025-01-12", "Moss TV"),
    SEARCH,
]
BOOKS = (
    "Book Id,Title,Author,My Rating,Number of Pages,Date Read,Exclusive Shelf\n"
    "11,The Quiet Orchard,Ida Brandt,4,312,2023/03/05,read\n12,Dune,Frank Herbert,5,612,2023/11/20,read\n"
    "13,Salt Roads,Nia Odell,2,200,2024/01/02,read\n14,Later,Nia Odell,0,100,,to-read\n"
)
DIARY = (
    "Date,Name,Year,Letterboxd URI,Rating,Rewatch,Tags,Watched Date\n"
    "2024-03-02,The Gate,1961,https://boxd.it/1,4.5,Yes,,2024-03-01\n"
    "2024-03-09,Low Tide,1999,https://boxd.it/2,3,,,2024-03-08\n"
)
PLANS = "Date,Name,Year,Letterboxd URI\n2024-03-02,Some Day,2024,https://boxd.it/9\n"
CLIPPINGS = "".join(
    f"{book}\n- Your Highlight on page {page} | Added on Thursday, November 2, 2023 8:42:10 PM\n\n{text}\n==========\n"
    for book, page, text in [
        ("Dune (Herbert, Frank)", 12, "Fear kills the mind."),
        ("Dune (Herbert, Frank)", 40, "Sand is everywhere."),
        ("Salt Roads (Odell, Nia)", 4, "The road is white."),
    ]
)
SONGS = (
    "uts,utc_time,artist,artist_mbid,album,album_mbid,track,track_mbid\n"
    "1738404000,,The Fixtures,,Field,,Clover,\n1738404300,,The Fixtures,,Field,,Fern,\n"
    "1738490400,,Gwen Hale,,,,Low Water,\n"
)
TRAKT = [
    {
        "id": 1,
        "watched_at": "2025-02-05T21:15:00Z",
        "episode": {"season": 1, "number": 2, "title": "Pilot"},
        "show": {"title": "Lanterns"},
    }
]
ORDERS = (
    "Website,Order ID,Order Date,Currency,Unit Price,Total Owed,Quantity,Order Status,Product Name\n"
    "A,1-2,2025-01-01T00:00:00Z,EUR,12.00,12.00,1,Closed,The Garden Book (paperback)\n"
)


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeGraph]:
    folder, store = tmp_path_factory.mktemp("exports"), tmp_path_factory.mktemp("store")
    texts = {
        "watch-history.json": json.dumps(VIDEOS),
        "goodreads.csv": BOOKS,
        "diary.csv": DIARY,
        "watchlist.csv": PLANS,
        "My Clippings.txt": CLIPPINGS,
        "lastfm.csv": SONGS,
        "trakt.json": json.dumps(TRAKT),
        "orders.csv": ORDERS,
    }
    for name, text in texts.items():
        Path(folder, name).write_text(text, encoding="utf-8")
    report = ingest([folder], store, IngestOptions(SETTINGS, NOW))
    assert not report.refused
    with KnowledgeGraph.open(store, SETTINGS) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which books did I read in 2023?", ["The Quiet Orchard", "Dune"]),
        ("How many books did I read in 2023?", [2]),
        ("How many pages did I read in 2023?", [924]),
        ("When did I read Dune?", ["2023-11-20"]),
        ("Which book did I rate best?", ["Dune"]),
        ("How many YouTube videos did I watch last month?", [2]),
        ("Which videos did I watch on YouTube last month?", ["Pruning a hedge", "Mending a gate"]),
        ("Which channel did I watch most?", ["Garden Lab"]),
        ("What did I search for?", ["hedge shears"]),
        ("Which film did I rate best?", ["The Gate"]),
        ("What is my lowest rated film?", ["Low Tide"]),
        ("How many films did I watch in 2024?", [2]),
        ("What did I highlight in Dune?", ["Fear kills the mind.", "Sand is everywhere."]),
        ("Which artist did I listen to most?", ["The Fixtures"]),
        ("Which series did I watch in February 2025?", ["Lanterns"]),
        ("How many books did I buy?", [1]),
    ],
)
def test_questions(known: KnowledgeGraph, question: str, answer: list[Any]) -> None:
    assert list(known.ask(question, now=NOW).as_json()["answer"]) == answer


def test_books_that_were_bought_are_not_those_that_were_read(known: KnowledgeGraph) -> None:
    try:
        found = str(known.ask("Which books did I buy?", now=NOW).as_json())
    except NotUnderstood as bad:
        found = str(bad)
    assert "Dune" not in found
    assert "Orchard" not in found


def test_a_platform_that_alone_has_films_names_them(known: KnowledgeGraph) -> None:
    found = known.ask("Which films did I watch on Letterboxd?", now=NOW).as_json()["answer"]
    assert list(found) == ["The Gate", "Low Tide"]
