"""A job as the page shows it: on its way, looked at, imported, or what went wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, Literal

from ...http.problems import Hidden
from ...readying import After
from .bringing import Report, report_of
from .job_processes import ImportFollower, JobProcesses
from .jobs import INDEXING, LOADING, READING, TEXTS, Job, Measured, State

Phase = Literal["looking", "looked", "running", "reading", "done", "failed"]
_LIVE: Final = ("looking", "running", "reading")
_ENDED: Final = "it ended before it was done"
_TROUBLED: Final = ("damaged", "lost")


@dataclass(frozen=True)
class View:
    """A job: `phase` says how it is; `doing` what is done now, `whole` how far an import is."""

    job: Job
    phase: Phase
    doing: str = ""
    whole: Whole | None = None
    report: Report | None = None
    wrong: str = ""
    told: tuple[str, ...] = ()
    findings: tuple[Mapping[str, str], ...] = field(default=())
    can_retry: bool = False
    """Whether what failed was an import of files that are still here."""

    @property
    def is_live(self) -> bool:
        """Whether it changes by itself."""
        return self.phase in _LIVE

    @property
    def is_well(self) -> bool:
        """Whether the doctor found nothing."""
        return not any(one["outcome"] in _TROUBLED for one in self.findings)


@dataclass(frozen=True)
class Viewing:
    """Makes views of jobs."""

    processes: JobProcesses
    follower: ImportFollower
    hidden: Hidden

    def view(self, job: Job) -> View:
        """A job as it is now."""
        if job.about.kind == "import":
            return self._import(job)
        return self._other(job)

    def _import(self, job: Job) -> View:
        run = self.processes.state(job, "run")
        look = job.end("look") or {}
        if run is State.RUNS or self.follower.follows(job):
            return self._running(job, look)
        if run is State.ENDED or run is State.LOST:
            return self._ran(job, look)
        state = self.processes.state(job, "look")
        if state is State.RUNS:
            return View(job, "looking", _records_read(job.step("look")))
        end = job.end("look")
        wrong = self._wrong(end)
        if wrong or end is None:
            return View(job, "failed", wrong=wrong or _ENDED)
        return View(job, "looked", report=report_of(end, job.about.mapping))

    def _running(self, job: Job, look: Mapping[str, Any]) -> View:
        after = self.follower.after(job)
        whole = whole_of(job.step("run"), look, after)
        if after is not None:
            after.reached = max(after.reached, whole.percent)
            whole = replace(whole, percent=after.reached)
        reads = after is not None and after.phase == "texts"
        return View(job, "reading" if reads else "running", whole.doing, whole)

    def _ran(self, job: Job, look: Mapping[str, Any]) -> View:
        end = job.end("run")
        wrong = self._wrong(end)
        if wrong or end is None:
            can_retry = "report" in look and job.files.is_dir()
            return View(job, "failed", wrong=wrong or f"{_ENDED}, and nothing was changed", can_retry=can_retry)
        told = {**end, "compared": look.get("compared") or {}}
        after = self.follower.after(job)
        notes = [after.told] if after is not None and after.told else []
        if after is not None and after.ahead is not None:
            notes.append(f"{after.ahead.texts:,} texts are ready for questions.")
        return View(job, "done", report=report_of(told, job.about.mapping), told=tuple(notes))

    def _other(self, job: Job) -> View:
        state = self.processes.state(job, "run")
        if state is State.RUNS or self.follower.follows(job):
            return View(job, "running")
        end = job.end("run")
        wrong = self._wrong(end)
        if wrong or end is None:
            return View(job, "failed", wrong=wrong or _ENDED)
        findings = tuple(
            {**one, "said": self.hidden.message(str(one.get("said", "")))} for one in end.get("findings", ())
        )
        return View(job, "done", told=tuple(_told(job, end)), findings=findings)

    def _wrong(self, end: Mapping[str, Any] | None) -> str:
        """What went wrong, in a sentence."""
        if end is None:
            return ""
        if end.get("stopped"):
            return "it was stopped, and nothing was changed"
        bad = end.get("error")
        if bad is None:
            return ""
        place = bad.get("place")
        where = f" (line {place['line']}, column {place['column']})" if place else ""
        more = [f"expected {bad['expected']}" if bad.get("expected") else ""]
        more.append(f"did you mean {bad['nearest']}?" if bad.get("nearest") else "")
        return self.hidden.message("; ".join(filter(None, (f"{bad['message']}{where}", *more))))


def ago(at: str, now: datetime) -> str:
    """How long ago a moment was, in words."""
    try:
        minutes = int((now - datetime.fromisoformat(at)).total_seconds() // 60)
    except ValueError:
        return "once"
    if minutes < 1:
        return "just now"
    for many, unit in ((60 * 24, "day"), (60, "hour"), (1, "minute")):
        if minutes >= many:
            number = minutes // many
            return f"{number:,} {unit}{'' if number == 1 else 's'} ago"
    return "just now"


def _records_read(step: Mapping[str, Any]) -> str:
    records = int(step.get("records", 0))
    return f"{records:,} records read" if records else "reading"


def _told(job: Job, end: Mapping[str, Any]) -> list[str]:
    """What a job that takes something out tells at its end."""
    gone = end.get("forgot")
    if gone is None:
        return []
    if job.about.kind == "forget":
        said = [f"Forgot {job.about.title}: {gone['events']:,} events, {gone['triples']:,} triples."]
        if gone.get("in_chats"):
            said.append("What was said of it in chats stays until reqap-kg forget --dialogues.")
    else:
        said = [f"Forgot {gone['derivations']:,} findings, {gone['triples']:,} triples. Questions find them again."]
    if end.get("still_held"):
        said.append("Another process still reads the store as it was: those files go when it ends.")
    return said


_TRIPLES_A_SECOND: Final = 30_000
_EVENTS_A_SECOND: Final = 2_000
"""That are made searchable."""
_TEXTS_A_SECOND: Final = 12
_MOST_TEXTS: Final = 6_000
"""Of more texts, others are read when a question needs them."""
_LEAST_SHARE: Final = 0.1
"""Of a phase, from which on its own pace tells how long it takes."""
_WORDS: Final = {
    READING: "Reading files", LOADING: "Loading", INDEXING: "Making it searchable", "opening": "Opening it",
    "texts": "Reading texts",
}  # fmt: skip
_ORDER: Final = (READING, LOADING, INDEXING, "opening", "texts")
_MINUTE, _HOUR = 60, 3_600


@dataclass(frozen=True)
class Whole:
    """How far it is: what is done now in words, per cent of the whole, and the time left in words."""

    doing: str
    percent: int
    left: str


def whole_of(step: Mapping[str, Any], look: Mapping[str, Any], after: After | None) -> Whole:
    """How far an import is. `step` is what its process told last, `look` how the dry run ended, `after` what the
    service does then."""
    thought = _thought(look)
    if after is not None and after.phase in ("opening", "texts"):
        phase, share, spent = str(after.phase), after.share, after.spent
    else:
        phase, share, spent = step.get("phase", READING), step.get("share"), float(step.get("spent", 0.0))
    at = _ORDER.index(phase)
    takes, share = _pace(thought[phase], share, spent)
    done = sum(thought[one] for one in _ORDER[:at]) + takes * share
    left = takes * (1 - share) + sum(thought[one] for one in _ORDER[at + 1 :])
    percent = min(99, int(100 * done / (done + left))) if done + left else 0
    waits = after is not None and after.waits
    return Whole(_WORDS[phase], percent, "it goes on when nothing is asked" if waits else in_words(left))


def in_words(seconds: float) -> str:
    """How long something still takes, as one says it."""
    if seconds < 4:
        return "a moment left"
    if seconds < _MINUTE - 5:
        return f"about {max(5, round(seconds / 5) * 5)} s left"
    if seconds < _HOUR - _MINUTE:
        return f"about {max(1, round(seconds / _MINUTE))} min left"
    hours = max(1, round(seconds / _HOUR))
    return f"about {hours} {'hour' if hours == 1 else 'hours'} left"


def _pace(thought: float, share: float | None, spent: float) -> tuple[float, float]:
    """Seconds that a phase takes, and how much of it is done: by its own pace once that is known."""
    if share is None:
        return max(thought, spent * 1.1), spent / max(thought, spent * 1.1)
    if share < _LEAST_SHARE:
        return max(thought, spent), share
    return spent / share, share


def _thought(look: Mapping[str, Any]) -> dict[str, float]:
    """Seconds that each phase is thought to take, told by the dry run."""
    measured, report = Measured.of_json(look.get("measured")), look.get("report") or {}
    fresh = [source for source in report.get("sources", ()) if source["state"] in ("new", "replaced")]
    counts = look.get("compared") or {}
    new = {source["name"]: counts.get(source["name"], {}).get("new", source["events"]) for source in fresh}
    texts = sum(new[source["name"]] for source in fresh if source["format"] in TEXTS)
    return {
        READING: max(0.5, sum(measured.seconds)),
        LOADING: 1.0 + sum(source["triples"] for source in fresh) / _TRIPLES_A_SECOND,
        INDEXING: 0.5 + sum(new.values()) / _EVENTS_A_SECOND,
        "opening": 1.0,
        "texts": 2.0 + min(texts + int(look.get("unread", 0)), _MOST_TEXTS) / _TEXTS_A_SECOND,
    }
