"""reqap-kg: questions about your own life, answered from your own exports.

    from datetime import datetime
    from pathlib import Path
    from reqap_kg import IngestOptions, KnowledgeGraph, Settings, ingest

    now = datetime(2025, 3, 1, 12)
    ingest([Path("exports")], Path("store"), IngestOptions(Settings(home_zone="Europe/Oslo"), now))
    with KnowledgeGraph.open(Path("store")) as known:
        answer = known.ask("How many songs did I listen to last month?", now=now)
        print(answer.text, answer.values, answer.sparql)

Names are loaded on first use: importing the package costs nothing. Everything raised on purpose is a ReqapError.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .config import Settings
    from .engine.admin.manage import forget, status
    from .engine.answers.answer import Answer, Evidence
    from .engine.importing.ingest import ingest
    from .engine.importing.loading import IngestOptions
    from .engine.knowledge import KnowledgeGraph
    from .errors import ReqapError

_WHERE = {
    "Answer": "engine.answers.answer",
    "Evidence": "engine.answers.answer",
    "IngestOptions": "engine.importing.loading",
    "KnowledgeGraph": "engine.knowledge",
    "ReqapError": "errors",
    "Settings": "config",
    "forget": "engine.admin.manage",
    "ingest": "engine.importing.ingest",
    "status": "engine.admin.manage",
}

__all__ = [
    "Answer",
    "Evidence",
    "IngestOptions",
    "KnowledgeGraph",
    "ReqapError",
    "Settings",
    "forget",
    "ingest",
    "status",
]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'reqap_kg' has no attribute {name!r}")
    return getattr(import_module(f".{_WHERE[name]}", __name__), name)
