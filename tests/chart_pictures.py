"""The pictures of docs/answers.md, drawn from answers of the demo life and of the resorts.

python tests/chart_pictures.py docs      writes them into the folder
"""

from __future__ import annotations

import shutil
import sys
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from demo_stores import NOW as DEMO_NOW
from demo_stores import demo_store
from warehouse import NOW, SETTINGS, store_of_resorts

from reqap_kg.config import Settings
from reqap_kg.engine.answers.charts.choose import chart_of
from reqap_kg.engine.answers.charts.draw import draw
from reqap_kg.engine.knowledge import KnowledgeGraph

_RUNS = "How often did I go running in 2024?"
_LINES = "share of revenue by service line"
_COUNTRIES = "revenue by country"


def _draw(store: Path, settings: Settings, now: datetime, asked: dict[str, str], folder: Path) -> None:
    with KnowledgeGraph.open(store, settings) as known:
        for name, question in asked.items():
            chart = chart_of(known.ask(question, now=now))
            assert chart is not None
            draw(chart, folder / f"chart-{name}.svg")


def main(folder: Path) -> None:
    """Writes the pictures."""
    with TemporaryDirectory() as temporary:
        demo = Path(shutil.copytree(demo_store(read=False), Path(temporary) / "demo"))
        now = datetime.fromisoformat(DEMO_NOW)
        _draw(demo, Settings(home_zone="Europe/Amsterdam"), now, {"bar": _RUNS}, folder)
        resorts = store_of_resorts(Path(temporary) / "resorts")
        _draw(resorts, SETTINGS, NOW, {"pie": _LINES, "map": _COUNTRIES}, folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
