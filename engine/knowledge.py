"""The composition root of asking: question in, answer with evidence out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path

from ..config import Settings
from ..models.encoder import EncoderFactory, encoder_factory
from ..store.generations import EventGraph, open_graph
from ..store.index import ValueIndex, open_index
from ..store.vectors import VectorCache
from ..store.vocabulary import Vocabulary, load_vocabulary
