"""The checkout's own questions as suites: dialogues over the demo life, the corpus' validation part, the census.

What is right for a question of the corpus is what its own form answers over its generated life; questions whose form
has no answer are left out. It is computed once and kept beside the life.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from math import isclose
from pathlib import Path
from typing import Any, Final, cast

from ...engine.asking.candidates import UNTOLD
from ...evaluation.running import RunOptions, Tell, open_life
from ...evaluation.suites.base import Gold, Judged, Life, Options, Question, json_of, lines_of, moment
from ...evaluation.suites.comparing_personas import right
from ...evaluation.suites.personas import Personas
from ...training.corpus import CORPUS, Pair, read_corpus
from ..census import NOW as CENSUS_NOW
from ..census import questions as census_questions
from ..lives.build import build
from ..lives.generate import UNTIL, write_rows
from ..readings import gold_of

ROOT: Final = Path(__file__).parents[2]
DIALOGUES: Final = ROOT / "tests" / "engine" / "dialogues" / "demo.jsonl"
DEMO_NOW: Final = datetime(2025, 3, 1, 12)
SEED, EVENTS = 4711, 2500
"""Of the generated lives that the corpus asks about (corpus/README.md)."""


@dataclass
class Own:
    """A suite in memory. A prediction has {values, recorded, days} or {shown, proposed} for each thing that is asked;
    the `answer` of a gold row has what is right for each: nothing where no record tells."""

    name: str
    asked: tuple[Life, ...]
    right: tuple[Gold, ...]
    measures: tuple[str, str] = ("Hit@1", "relaxed Hit@1")
    field: str = "answer"

    def lives(self, directory: Path, options: Options) -> Iterator[Life]:  # noqa: ARG002 - as suites are
        """The lives; there is no folder to read."""
        yield from self.asked

    def gold(self, directory: Path, options: Options) -> Iterator[Gold]:  # noqa: ARG002 - as suites are
        """What is right."""
        yield from self.right

    def judge(self, gold: Gold, answer: object) -> Judged:
        """Right is who answers all that is asked, and nothing else."""
        parts = cast(list[Mapping[str, Any]], answer) if isinstance(answer, list) else []
        wanted = gold.row["answer"]
        hit = len(parts) == len(wanted) and all(map(is_right, parts, wanted))
        return Judged(float(hit), float(hit), bool(parts))


def is_right(part: Mapping[str, Any], gold: Any) -> bool:
    """Whether an answer is right: a value, a list of values, {"days": …} for events by their days, {"shows": …, "may":
    …} for what it shows, {"any": …} for one of several right answers, {"recorded": …} for what is right of records
    alone, which an answer that has more from texts tells besides."""
    if isinstance(gold, dict):
        if "recorded" in gold:
            alone = {**part, "values": part["recorded"] or part["values"]}
            return is_right(part, gold["recorded"]) or is_right(alone, gold["recorded"])
        if "any" in gold:
            return any(is_right(part, one) for one in gold["any"])
        if "days" in gold:
            return part["days"] == gold["days"]
        shows, shown = set(gold["shows"]), set(part["shown"])
        return shows <= shown <= shows | {*gold["may"], *part["proposed"]}
    wanted, given = gold if isinstance(gold, list) else [gold], part["values"]
    return len(given) == len(wanted) and all(any(_is_same(one, other) for one in given) for other in wanted)


def _is_same(value: object, wanted: object) -> bool:
    if isinstance(value, bool) or isinstance(wanted, bool):
        return value is wanted
    if isinstance(value, int | float) and isinstance(wanted, int | float):
        return isclose(value, wanted, rel_tol=0.005, abs_tol=0.01)
    return str(value).casefold() == str(wanted).casefold()


def _turns(rows: Sequence[Mapping[str, Any]], now: datetime) -> Iterator[tuple[str, Question, Mapping[str, Any]]]:
    """Each turn of dialogues {id, turns}: whose it is, and as a question after those before it."""
    for row in rows:
        before: tuple[tuple[str, str], ...] = ()
        for number, turn in enumerate(row["turns"], start=1):
            text = turn["question"]
            yield str(row["id"]), Question(f"{row['id']} {number}", text, now, before), turn
            before = (*before, (text, turn.get("said", "")))


def dialogues(every: int, file: Path = DIALOGUES) -> Own:
    """Every so manieth dialogue over the demo life, each turn a question after those before it."""
    asked: list[Question] = []
    gold: list[Gold] = []
    for whose, question, turn in _turns(list(lines_of(file))[::every], DEMO_NOW):
        asked.append(question)
        row = {"answer": [{"recorded": turn["answer"]}]}
        gold.append(Gold(question.id, question.text, row, (("dialogue", whose),)))
    exports = ROOT / "examples" / "demo" / "exports"
    return Own("dialogues", (Life("demo", (exports,), DEMO_NOW, tuple(asked)),), tuple(gold))


class Talks:
    """Dialogues about a life of the personas' layout: `dialogues.jsonl` beside its questions has {id, turns} with turns
    as these have questions. Right are the values of records alone, too, where an answer has more from texts."""

    measures: tuple[str, str] = ("Hit@1", "relaxed Hit@1")
    field: str = "answer"

    def __init__(self, name: str, file: Path) -> None:
        self.name = name
        self._life = next(iter(Personas().lives(file.parent, Options())))
        self._rows = list(lines_of(file))

    def lives(self, directory: Path, options: Options) -> Iterator[Life]:  # noqa: ARG002 - as suites are
        """The life, each turn a question after those before it."""
        yield replace(self._life, questions=tuple(asked for _, asked, _ in _turns(self._rows, self._life.now)))

    def gold(self, directory: Path, options: Options) -> Iterator[Gold]:  # noqa: ARG002 - as suites are
        """What is right for each turn."""
        for whose, asked, turn in _turns(self._rows, self._life.now):
            groups = (("turn", "later" if asked.context else "first"), ("dialogue", whose))
            yield Gold(asked.id, asked.text, turn, groups)

    def judge(self, gold: Gold, answer: object) -> Judged:
        """By the rules of personas."""
        parts = cast(list[Mapping[str, Any]], answer) if isinstance(answer, list) else []
        ways = [parts[0]["values"], parts[0]["recorded"] or parts[0]["values"]] if parts else [[]]
        exact, near = (any(right(gold.row, way, relaxed=loose) for way in ways) for loose in (False, True))
        return Judged(float(exact), float(near), bool(ways[0]))


def census(every: int) -> Own:
    """Questions about the census statistics, right where the first answer shows what it must (`bench.census`)."""
    folder = ROOT / "examples" / "census"
    told = census_questions((folder / "entities.ttl").read_text(encoding="utf-8"))[::every]
    asked = tuple(Question(str(number), one.text, CENSUS_NOW) for number, one in enumerate(told))
    rows = [{"answer": [{"shows": sorted(one.shows), "may": sorted(one.may_show)}]} for one in told]
    gold = (Gold(q.id, q.text, row, (("suite", one.suite),)) for q, row, one in zip(asked, rows, told, strict=True))
    return Own("census", (Life("census", (), CENSUS_NOW, asked, folder),), tuple(gold))


def corpus(every: int, work: Path, tell: Tell) -> Own:
    """Every so manieth question of the corpus' validation part, if it has gold; lives and gold are made in `work`."""
    file = CORPUS / "validation.jsonl"
    pairs = read_corpus(file)[::every]
    lives: list[Life] = []
    gold: list[Gold] = []
    for name in sorted({pair.life for pair in pairs}):
        life = _generated(work / name, name)
        asked = {f"{name}: {' / '.join((*pair.earlier, pair.question))}": pair for pair in pairs if pair.life == name}
        right = _gold(life, asked, work / f"{name}-gold.jsonl", tell)
        questions = [_question(id_, pair, life.now) for id_, pair in asked.items() if right[id_] is not None]
        lives.append(replace(life, questions=tuple(questions)))
        gold += [Gold(question.id, question.text, {"answer": right[question.id]}) for question in questions]
    return Own("corpus", tuple(lives), tuple(gold))


def _question(name: str, pair: Pair, now: datetime) -> Question:
    return Question(name, pair.question, now, tuple((text, "") for text in pair.earlier))


def _generated(folder: Path, name: str) -> Life:
    """A life of the corpus, made where it is not there: g10 is the tenth."""
    profile, observables = folder / "profile.json", folder / "observables.jsonl"
    if not profile.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        life = build(f"p{name[1:]}", SEED, EVENTS, UNTIL)
        write_rows(observables, life.observables())
        profile.write_text(json.dumps(life.persona.profile(), ensure_ascii=False), encoding="utf-8")
    return Life(name, (observables, profile), moment(json_of(profile)["now"]), ())


def _gold(life: Life, asked: Mapping[str, Pair], kept: Path, tell: Tell) -> dict[str, list[Any] | None]:
    """What the form of each pair answers, over a store of its own, so that others begin without what this derives."""
    right = {row["id"]: row["answer"] for row in lines_of(kept)} if kept.is_file() else {}
    missing = [id_ for id_ in asked if id_ not in right]
    if missing:
        with open_life(life, kept.parent / "stores", RunOptions(), tell) as known, kept.open("a", buffering=1) as out:
            for at, id_ in enumerate(missing, start=1):
                reader = known.proposals.readings(asked[id_].question, life.now)
                right[id_] = None if reader is None else corpus_gold(gold_of(reader, asked[id_], life))
                out.write(json.dumps({"id": id_, "answer": right[id_]}) + "\n")
                tell(f"gold of {life.name}", at, len(missing))
    return right


def corpus_gold(value: object) -> list[Any] | None:
    """The values of each thing that a form asks; none where no record tells, None where it has no answer."""
    if value is None:
        return None
    if value == UNTOLD:
        return []
    one, other = cast(tuple[Any, Any], value)
    if isinstance(one, str):  # a type and its values
        return [list(other)]
    return [*(corpus_gold(one) or ()), *(corpus_gold(other) or ())]


MAKERS: Final[Mapping[str, Callable[[int, Path, Tell], Own]]] = {
    "dialogues": lambda every, _work, _tell: dialogues(every),
    "corpus": corpus,
    "census": lambda every, _work, _tell: census(every),
}
"""What makes each of these suites, of every so manieth question."""
SYSTEMS: Final = {"dialogues": "dialogue", "corpus": "dialogue", "census": "shown"}
"""What answers them."""
