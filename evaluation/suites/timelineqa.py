"""Lifelogs in the neutral TimelineQA layout (Tan et al. 2023), read by a domain (examples/timelineqa).

A folder holds episodes.jsonl, text.jsonl, persona.json and questions_*.jsonl; `read` chooses whether episodes or only
their texts are imported. A question has no time of asking: it is the end of the last day that is told of.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from ...engine.authoring.domain import load_domain
from ...errors import UsageError
from .base import MISSING, Gold, Judged, Life, Options, Question, folders_with, lines_of, moment, needs_gold, required
from .comparing_personas import MONTHS as _MONTHS

MONTHS: Final = {**_MONTHS, "sept": 9}
WORDS: Final = {
    word: number
    for number, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    )
} | {"once": 1, "twice": 2}
NONE: Final = frozenset(
    (
        "",
        "none",
        "null",
        "nan",
        "n/a",
        "na",
        "unknown",
        "never",
        "no answer",
        "not found",
        "nothing",
        "no one",
        "nobody",
    )
)


def judged(row: Mapping[str, Any], answer: object) -> tuple[bool, bool]:
    """Whether an answer is right for a question's row, exactly and within a tenth."""
    return match(answer, row["answer"], row.get("answer_type", "string"), row.get("unit"))


def match(given: object, gold: Any, kind: str, unit: str | None = None) -> tuple[bool, bool]:
    """The same of a gold value of a type."""
    if empty(gold):
        return empty(given), empty(given)
    if empty(given):
        return False, False
    if kind == "number":
        return _numbers(given, gold, unit)
    if kind == "list":
        wanted = items(gold if isinstance(gold, list) else [gold])
        found = items(given, wanted) == wanted
        return found, found
    read = _READ.get(kind, _bare)
    exact = read(given) == read(gold)
    return exact, exact


def _numbers(given: object, gold: Any, unit: str | None) -> tuple[bool, bool]:
    wanted, said = float(gold), number(given, unit)
    if said is None:
        return False, False
    whole = isinstance(gold, int) and wanted == int(wanted)
    tolerance = 1e-9 if whole else max(0.005, 1e-6 * abs(wanted)) + 1e-9
    exact = abs(wanted - said) <= tolerance
    return exact, exact or (wanted != 0 and abs(said - wanted) <= 0.1 * abs(wanted) + 1e-9)


def text(value: object) -> str:
    """Text without case and outer punctuation."""
    bare = unicodedata.normalize("NFKC", str(value)).replace("\u2019", "'").replace("\u2018", "'").casefold()
    return re.sub(r"\s+", " ", bare).strip().strip(" \"'`.,;:!?").strip()


def empty(value: object) -> bool:
    """Whether a value says nothing."""
    if value is None:
        return True
    if isinstance(value, list | dict):
        return not value
    return isinstance(value, str) and text(value) in NONE


def scalar(value: Any) -> Any:
    """A list or object of one element stands for it."""
    while isinstance(value, list | tuple) and len(value) == 1:
        value = value[0]
    return scalar(next(iter(value.values()))) if isinstance(value, dict) and len(value) == 1 else value


def number(value: object, unit: str | None = None) -> float | None:
    """A number, a number word, or the minutes (days, if that is the unit) of an xsd:duration."""
    value = scalar(value)
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    if not isinstance(value, str):
        return None
    said = text(value).replace("\u00a0", " ")
    minutes = _minutes(said)
    if minutes is not None:
        return minutes / 1440 if unit == "days" else minutes
    if said in WORDS:
        return float(WORDS[said])
    digits = re.findall(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?", re.sub(r"(?<=\d),(?=\d{3}\b)", "", said))
    if digits:
        return float(digits[0]) if len(digits) == 1 else None
    words = [WORDS[word] for word in re.findall(r"[a-z]+", said) if word in WORDS]
    return float(words[0]) if len(words) == 1 else None


def _minutes(said: str) -> float | None:
    part = r"(\d+(?:\.\d+)?)"
    found = re.fullmatch(rf"p(?:{part}d)?(?:t(?:{part}h)?(?:{part}m)?(?:{part}s)?)?", said)
    if found is None or not any(found.groups()):
        return None
    days, hours, minutes, seconds = (float(group or 0) for group in found.groups())
    return days * 1440 + hours * 60 + minutes + seconds / 60


def date(value: Any) -> str | None:
    """A day as 2024-03-01; other text as it is, folded."""
    value = scalar(value)
    if value is None:
        return None
    said = text(value)
    iso = re.match(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[t ].*|z)?$", said)
    if iso:
        return "{:04d}-{:02d}-{:02d}".format(*map(int, iso.groups()))
    said = re.sub(r"(?<=\d)(st|nd|rd|th)\b", "", said)
    for pattern, order in (
        (r"([a-z]+)\.? (\d{1,2}),? (\d{4})$", (3, 1, 2)),
        (r"(\d{1,2}) (?:of )?([a-z]+)\.?,? (\d{4})$", (3, 2, 1)),
    ):
        named = re.match(pattern, said)
        if named and named[order[1]] in MONTHS:
            return f"{int(named[order[0]]):04d}-{MONTHS[named[order[1]]]:02d}-{int(named[order[2]]):02d}"
    return said


def month(value: Any) -> str:
    """A month as 2024-03; other text as it is, folded."""
    if isinstance(value, dict):
        value = [value.get("year"), value.get("month")] if "year" in value else list(value.values())
    value = scalar(value)
    if isinstance(value, list | tuple) and len(value) == 2:
        value = " ".join(map(str, value))
    said = text(value)
    first = re.match(r"(\d{4})[-/. ,]+(\d{1,2})(?:[-/.]\d{1,2})?(?:[t ].*)?$", said)
    if first:
        return f"{first[1]}-{int(first[2]):02d}"
    last = re.match(r"(\d{1,2})[-/. ,]+(\d{4})$", said)
    if last:
        return f"{last[2]}-{int(last[1]):02d}"
    named = [MONTHS[word] for word in re.findall(r"[a-z]+", said) if word in MONTHS]
    years = re.findall(r"\b(\d{4})\b", said)
    return f"{years[0]}-{named[0]:02d}" if len(named) == 1 and len(years) == 1 else said


def year(value: Any) -> str:
    """The year in a text, if there is one."""
    value = scalar(value)
    said = text(int(value) if isinstance(value, float) and value == int(value) else value)
    found = re.findall(r"\b(\d{4})\b", said)
    return found[0] if len(found) == 1 else said


def boolean(value: Any) -> bool | str:
    """Yes or no."""
    value = scalar(value)
    if isinstance(value, bool):
        return value
    said = text(value)
    return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}.get(said, said)


def items(value: object, gold: frozenset[str] | None = None) -> frozenset[str]:
    """The elements of a list, which may be written as text."""
    if isinstance(value, list | tuple):
        return frozenset(text(scalar(item)) for item in value if not empty(scalar(item)))
    said = str(value)
    for separator in ("\n", ";", "|"):
        if separator in said:
            return frozenset(text(item) for item in said.split(separator) if text(item))
    if gold is not None and frozenset([text(said)]) == gold:
        return gold
    if gold is not None and any("," in item or " and " in item for item in gold):
        return frozenset([text(said)])
    return frozenset(item for item in map(text, re.split(r",\s*(?:and\s+)?|(?<!\s)\s+and\s+", said)) if item)


def _bare(value: Any) -> str | None:
    found = scalar(value)
    return None if isinstance(found, list | dict) else text(found)


_READ: Final[Mapping[str, Callable[[Any], object]]] = {"date": date, "month": month, "year": year, "boolean": boolean}


FORMS: Final = {"episodes": "episodes.jsonl", "text": "text.jsonl"}
DOMAIN: Final = Path(__file__).resolve().parents[2] / "examples" / "timelineqa"


class TimelineQA:
    """The suite `timelineqa`."""

    name = "timelineqa"
    measures = ("Hit@1", "relaxed Hit@1")
    field = "answer"

    def lives(self, directory: Path, options: Options) -> Iterator[Life]:
        """One life per folder, in the shipped domain if no other is named."""
        domain = options.domain or DOMAIN
        if not (domain / "domain.ttl").is_file():
            raise UsageError(f"there is no domain {domain} to read lifelogs by: name one with --domain")
        for folder in _folders(directory):
            data = _data(folder, options.read)
            now = _last_day(data)
            persona = folder / "persona.json"
            paths = (data, persona) if persona.is_file() and _reads(domain, persona.name) else (data,)
            questions = tuple(_question(row, now, str(folder)) for row in _rows(folder, options))
            yield Life(folder.name, paths, now, questions, domain)

    def gold(self, directory: Path, options: Options) -> Iterator[Gold]:
        """What is right; with `clean` for the questions whose gold is not doubtful."""
        for folder in _folders(directory):
            for row in _rows(folder, options):
                needs_gold(row, ("answer",), str(folder))
                if not (options.clean and row.get("suspect")):
                    yield Gold(str(row["id"]), row["question"], row, _groups(row, folder.name), _happenings(row))

    def judge(self, gold: Gold, answer: object) -> Judged:
        """By the rules of `comparing_timelineqa`; no prediction at all is wrong, also where nothing is right."""
        if answer is MISSING:
            return Judged(0.0, 0.0, given=False)
        exact, near = judged(gold.row, answer)
        return Judged(float(exact), float(near), not empty(answer))


def _reads(domain: Path, name: str) -> bool:
    """Whether a map of the domain reads a file of that name."""
    return any(name in path.read_text(encoding="utf-8") for path in load_domain(domain).maps)


def _folders(directory: Path) -> list[Path]:
    return folders_with(directory, ("questions_*.jsonl",))


def _rows(folder: Path, options: Options) -> Iterator[dict[str, Any]]:
    """The questions of all files, each once: the same may stand in several."""
    seen = set[str]()
    for path in sorted(folder.glob("questions_*.jsonl")):
        if options.only in path.name:
            for row in lines_of(path):
                if str(row.get("id")) not in seen:
                    seen.add(str(row.get("id")))
                    yield row | {"set": path.stem.removeprefix("questions_").split("_")[0]}


def _data(folder: Path, form: str | None) -> Path:
    if form not in (None, *FORMS):
        raise UsageError(f"--read {form!r}: expected {' or '.join(FORMS)}")
    names = [FORMS[form]] if form else list(FORMS.values())
    found = next((folder / name for name in names if (folder / name).is_file()), None)
    if found is None:
        raise UsageError(f"{folder} has no {' or '.join(names)}")
    return found


def _last_day(path: Path) -> datetime:
    days = [str(row.get("end") or row.get("start") or row.get("date") or "") for row in lines_of(path)]
    last = max((day[:10] for day in days), default="")
    return moment(last)


def _question(row: Mapping[str, Any], now: datetime, where: str) -> Question:
    return Question(
        str(required(row, "id", where)),
        required(row, "question", where),
        moment(row["now"]) if row.get("now") else now,
    )


def _groups(row: Mapping[str, Any], persona: str) -> tuple[tuple[str, str], ...]:
    told = [("questions", row["set"]), ("gold", "suspect" if row.get("suspect") else "clean")]
    told += [(key, str(row[key])) for key in ("op", "answer_type", "template") if row.get(key) is not None]
    return (*told, ("persona", persona))


def _happenings(row: Mapping[str, Any]) -> tuple[frozenset[str], ...] | None:
    return tuple(frozenset((str(event),)) for event in row["evidence"]) if row.get("evidence") else None
