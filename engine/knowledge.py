"""The composition root of asking: question in, answer with evidence out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from pathlib import Path

from ..config import Settings
from ..execution.resolve import Resolver
from ..execution.run import Result, run
from ..models.encoder import Encoder, load_encoder
from ..operators.nodes import Node
from ..operators.text import format_tree
from ..planner.plan import AnswerForm, Plan, plan
from ..store.generations import EventGraph, open_graph
from ..store.vocabulary import Vocabulary, load_vocabulary
from .answer import Answer
from .evidence import evidence
from .values import shape_answer

GIVEN = "given"
"""What `planner` says when the tree came with the question."""


class KnowledgeGraph:
    """A store opened for questions. Use `KnowledgeGraph.open(directory)` as a context manager."""

    def __init__(self, graph: EventGraph, settings: Settings) -> None:
        self.graph = graph
        self.settings = settings

    @classmethod
    @contextmanager
    def open(cls, directory: Path, settings: Settings | None = None) -> Iterator[KnowledgeGraph]:
        """Opens the store at `directory`. Raises StoreError where there is none, StoreBusy when it is held."""
        chosen = settings or Settings()
        with open_graph(directory, write=True, lock_seconds=chosen.lock_seconds) as graph:
            yield cls(graph, chosen)
