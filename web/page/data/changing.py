"""What changes the data now, in words: whoever asks meanwhile waits for a while, and is told what for."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ....store.generations import is_importing
from .jobs import Job, Jobs, State

_SAID: Final = {
    "import": "{} is being imported",
    "forget": "{} is being forgotten, with all that was found out from it",
    "forget-derived": "{} are being forgotten",
    "doctor": "the store is being looked over",
}
_OTHERWISE: Final = "another program is changing the data"


def changing(directory: Path) -> str:
    """What is being done with the store at `directory`, "" for nothing."""
    found = next((job for job in Jobs(directory).all() if job.state("run") is State.RUNS), None)
    if found is not None:
        return in_words(found)
    return _OTHERWISE if is_importing(directory) else ""


def in_words(job: Job) -> str:
    """What a job that runs is doing."""
    return _SAID[job.about.kind].format(job.about.title)
