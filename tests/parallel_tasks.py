"""Tasks for workers: functions of a module that their processes can import."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reqap_kg.errors import MappingError, Place


def squared(number: int) -> int:
    return number * number


def squared_slowly(number: int) -> int:
    time.sleep(random.random() / 50)
    return number * number


def process(_: int) -> int:
    return os.getpid()


def refused(number: int) -> int:
    if number == 5:
        raise MappingError("no fives", place=Place(1, 5, "map.ttl"), expected="another number", nearest="4")
    return number


def dying_once(folder: str, number: int) -> int:
    """Each third item kills its worker, the first time."""
    mark = Path(folder) / str(number)
    if number % 3 == 0 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def dying(number: int) -> int:
    if number == 7:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def noted(folder: str, number: int) -> int:
    """Leaves its process's number, for a test that kills it."""
    (Path(folder) / str(os.getpid())).touch()
    time.sleep(0.02)
    return number


def vectors(texts: Sequence[str]) -> NDArray[np.float32]:
    """Unit vectors that depend on which texts go together."""
    found = np.array([[len(text), len(texts), sum(map(ord, texts[0]))] for text in texts], dtype=np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def printing(number: int) -> int:
    print("noise")
    return number
