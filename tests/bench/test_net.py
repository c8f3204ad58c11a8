"""The net before large changes: what its table says of answers, ways that are what they are called, runs that go on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from small_lives import life, lines, read

from reqap_kg.bench.net import __main__ as net
from reqap_kg.bench.net.measuring import WAYS, Row, Sampled, measured
from reqap_kg.bench.net.questions import Own, corpus_gold, dialogues, is_right
from reqap_kg.config import Settings
from reqap_kg.engine.knowledge import KnowledgeGraph
from reqap_kg.evaluation import systems
from reqap_kg.evaluation.metrics import System as Measured
from reqap_kg.evaluation.metrics import in_doubt, scored
from reqap_kg.evaluation.running import Tell, trace_of
from reqap_kg.evaluation.suites import suite_called
from reqap_kg.evaluation.suites.base import Gold, Life, Options, Question
from reqap_kg.evaluation.systems import Response, System, Tracing

SILENT: Tell = lambda *_: None  # noqa: E731 - a name for what tells nothing
DOUBT = "I am not sure that this is what you meant: the number of “runs”."


def own(right: Mapping[str, list[Any]]) -> Own:
    gold = (Gold(id_, id_, {"answer": answer}, (("dialogue", id_[:1]),)) for id_, answer in right.items())
    return Own("own", (), tuple(gold))


def values(*given: Any) -> list[dict[str, Any]]:
    return [{"values": list(given), "days": []}]


def test_the_table_tells_shares_of_all_questions(tmp_path: Path) -> None:
    suite = own({"a1": [1], "a2": [2], "b1": [3], "b2": [4], "c1": [5]})
    given = {"a1": values(1), "a2": values(2), "b1": values(9), "b2": values(9), "c1": []}
    warned = {"b2": [DOUBT]}
    lines(tmp_path / "p.jsonl", [{"id": id_, "answer": answer} for id_, answer in given.items()])
    traces = [
        {"id": id_, "ms": {"cpu": 10.0 * n}, "doubt": warned.get(id_, [])} for n, id_ in enumerate(given, start=1)
    ]
    lines(trace_of(tmp_path / "p.jsonl"), traces)
    system = scored(suite, tmp_path, [tmp_path / "p.jsonl"], Options()).systems[0]
    assert list(net.lines("own", "both", system)) == [
        ("own", "both", "5", "0.400", "0.800", "0.500", "0.200", "30", "50"),
        ("own, right at every turn", "both", "3", "0.333", *["–"] * 5),
    ]


@pytest.mark.parametrize(
    ("trace", "doubted"),
    [
        ({}, False),
        ({"warnings": [], "notes": ["read as: all runs"], "score": 0.1}, False),
        ({"doubt": [DOUBT]}, True),
        ({"doubt": [], "warnings": ["nothing was found for 'x'"]}, False),
    ],
)
def test_what_is_told_of_an_answer_is_a_sign_of_doubt(trace: dict[str, Any], doubted: bool) -> None:
    assert in_doubt(trace) is doubted


def test_ways_are_the_settings_that_they_are_called_by(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each way asks all questions by its own settings, in a store of its own; what was answered is not asked again."""
    heard: list[tuple[str, ...]] = []
    folders: set[Path] = set()

    def opened(known: KnowledgeGraph, _life: Life, _tracing: Tracing) -> System:
        def answer(question: Question) -> Response:
            heard.append((question.id, *known.settings.asked_proposers))
            folders.add(known.graph.directory)
            return Response((4,))

        return answer

    monkeypatch.setattr(systems, "open_echo", opened, raising=False)
    monkeypatch.setitem(systems.SYSTEMS, "echo", ".systems:open_echo")  # type: ignore[arg-type]
    row = Row("small", Sampled(suite_called("personas"), 2), life(tmp_path / "s1"), Options(), ("echo",))
    for way, proposers in (("rules", ("rules",)), ("parser", ("model",)), ("both", Settings().asked_proposers)):
        heard.clear()
        found = measured(row, way, tmp_path / "out", 2, SILENT)
        assert heard == [("s1-q1", *proposers), ("s1-q3", *proposers)]
        assert (found.whole.count, found.whole.hit, found.whole.silent) == (2, 0.5, 0.5)
    assert folders == {tmp_path / "out" / way / "stores" / "small" / "s1" for way in WAYS}
    kept = tmp_path / "out" / "both" / "small.jsonl"
    first, _ = kept.read_text(encoding="utf-8").splitlines()
    kept.write_text(first + '\n{"id": "s1-q', encoding="utf-8")
    heard.clear()
    measured(row, "both", tmp_path / "out", 2, SILENT)
    assert [id_ for id_, *_ in heard] == ["s1-q3"]
    assert [answered["id"] for answered in read(kept)] == ["s1-q1", "s1-q3"]


@pytest.mark.parametrize(
    ("given", "gold", "right"),
    [
        ({"values": [57], "days": []}, 57.1, True),
        ({"values": [57], "days": []}, 58, False),
        ({"values": [True], "days": []}, 1, False),
        ({"values": ["Arrival", "Klaus"], "days": []}, ["klaus", "arrival"], True),
        ({"values": ["Arrival"], "days": []}, ["Klaus", "Arrival"], False),
        ({"values": [41], "days": [], "recorded": [39]}, {"recorded": 39}, True),
        ({"values": [39], "days": [], "recorded": []}, {"recorded": 39}, True),
        ({"values": [41], "days": [], "recorded": [39]}, 39, False),
        ({"values": ["a run"], "days": ["2024-03-10"]}, {"any": [21.1, {"days": ["2024-03-10"]}]}, True),
        ({"shown": ["a", "b"], "proposed": []}, {"shows": ["a"], "may": ["b"]}, True),
        ({"shown": ["a", "b"], "proposed": []}, {"shows": ["a"], "may": []}, False),
    ],
)
def test_what_is_right(given: dict[str, Any], gold: object, right: bool) -> None:
    assert is_right(given, gold) is right


def test_nothing_is_right_where_no_record_tells() -> None:
    suite = own({})
    untold = Gold("u", "u", {"answer": []})
    assert [suite.judge(untold, answer).hit for answer in ([], values(1), None)] == [1.0, 0.0, 1.0]
    both = Gold("b", "b", {"answer": [[1], [2]]})
    assert [suite.judge(both, answer).hit for answer in (values(1), values(1) + values(2))] == [0.0, 1.0]


def test_gold_of_a_form_is_what_it_answers() -> None:
    one, other = ("number", (3,)), ("text", ("a", "b"))
    assert [corpus_gold(value) for value in (None, "none", one, (one, other))] == [None, [], [[3]], [[3], ["a", "b"]]]


def test_turns_come_after_those_before_them() -> None:
    suite = dialogues(1)
    asked = suite.asked[0].questions
    first, second = asked[0], asked[1]
    assert (first.context, second.context) == ((), ((first.text, ""),))
    assert len({question.id for question in asked}) == len(suite.right) == 204
    assert len({gold.groups for gold in suite.right}) == 60
    offers = [context for question in asked for context in question.context if context[1]]
    assert ("How many films did I watch in November 2024?", "Shall I list them?") in offers


def test_figures_are_put_beside_those_that_stand_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def here(name: str, way: str, _data: Path, out: Path, every: int) -> Measured:
        row = Row(name, Sampled(suite_called("personas"), every), folder, Options(), ("echo",))
        return measured(row, way, out, every, SILENT)

    monkeypatch.setattr(systems, "open_echo", lambda *_: lambda question: Response((4,)), raising=False)
    monkeypatch.setitem(systems.SYSTEMS, "echo", ".systems:open_echo")  # type: ignore[arg-type]
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # what main sets is taken back
    monkeypatch.setattr(net, "measured_apart", here)
    folder, file = life(tmp_path / "s1"), tmp_path / "figures.json"
    file.write_text(json.dumps({"p2.hit1": {"value": "0.50"}}), encoding="utf-8")
    out = [str(tmp_path), str(tmp_path / "out"), "--only", "p1", "--ways", "rules", "both"]
    net.main([*out, "--today", "2026-01-02", "--figures", str(file)])
    kept = json.loads(file.read_text(encoding="utf-8"))
    assert {name: figure["value"] for name, figure in kept.items()} == {
        "p1.hit1": "0.67",
        "p1.answered": "1.00",
        "p1.precision": "0.67",
        "p2.hit1": "0.50",
    }
    assert kept["p1.hit1"]["measured"] == "2026-01-02"
