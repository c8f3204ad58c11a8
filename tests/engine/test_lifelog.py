"""The domain of lifelogs: episodes and their sentences say the same; questions are answered from either."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest

from reqap_kg.config import Settings
from reqap_kg.engine.importing.ingest import ingest
from reqap_kg.engine.importing.loading import IngestOptions
from reqap_kg.engine.knowledge import KnowledgeGraph

DOMAIN = Path(__file__).resolve().parents[2] / "examples" / "timelineqa"
NOW = datetime(2019, 12, 31, 23, 59)
ASKED = {
    "Who did I talk to the most in March 2018?": ("Tore",),
    "How many times did I have bread, cheese, and honey for breakfast in March 2018?": (1,),
    "Which month of which year did I rowing the most?": ("2018-05",),
    "How many movies did I watch since 2018?": (2,),
    "Which places in Bergen, Norway did I visit with Runa?": ("Bryggen",),
    "When was the first time I traveled to Bergen, Norway?": ("2019-05-01",),
    "who did I see at the grocery store on 2018/03/10?": ("Tore",),
    "How many times did I take my kids to an optician in 2019?": (1,),
    "What fruit do I buy the most often?": ("plums",),
    "What toiletries did I buy on 2018/04/11?": ("shampoo",),
    "how long did I spend reading a book on 2018/03/04?": (25,),
    "how long did I spend reading news on 2018/03/04?": (0,),
    "who went with me to visit Bryggen during my trip to Bergen, Norway on 2019/05?": ("Runa", "Tore"),
    "How many times did I read a book in 2018?": (1,),
    "How long did I talk to Runa, Tore in the late afternoon on 2018/03/03?": (20,),
}


@pytest.mark.long
@pytest.mark.parametrize("form", ["episodes", "text"])
def test_questions_are_answered_from_episodes_and_from_their_sentences(tmp_path: Path, form: str) -> None:
    given = DOMAIN / "data" / "episodes.jsonl"
    if form == "text":
        rows = [json.loads(line) for line in given.read_text(encoding="utf-8").splitlines()]
        given = tmp_path / "text.jsonl"
        told = [{"id": row["id"], "date": row["start"], "text": row["text"]} for row in rows]
        given.write_text("".join(json.dumps(row) + "\n" for row in told), encoding="utf-8")
    settings = Settings(domain=DOMAIN)
    ingest([given], tmp_path / "store", IngestOptions(now=NOW, settings=settings))
    with KnowledgeGraph.open(tmp_path / "store", settings) as known:
        assert {question: known.ask(question, now=NOW).values for question in ASKED} == ASKED
