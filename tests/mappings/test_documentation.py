"""docs/mapping-functions.md says what is there, and its example map runs."""

from __future__ import annotations

import json
import re
from pathlib import Path

from reqap_kg.mappings.rml import FUNCTIONS, load_map

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "mapping-functions.md").read_text(encoding="utf-8")
XSD = "http://www.w3.org/2001/XMLSchema#"


def _block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)
    assert found
    return found.group(1)


def test_every_function_is_documented_with_its_inputs() -> None:
    assert re.findall(r"^### fn:(\w+)$", TEXT, re.MULTILINE) == list(FUNCTIONS)
    for function in FUNCTIONS.values():
        section = TEXT.partition(f"### fn:{function.name}\n")[2].partition("\n##")[0]
        assert function.summary in section
        assert f"Inputs: {function.signature}. Gives: {function.result}." in section
        assert section.count("\n| ") - 1 == len(function.examples)


def test_the_example_map_runs(kit) -> None:
    compiled = load_map(_block("turtle"), path="example.ttl", base_iri=kit.base, home_zone=kit.home)
    record = {"_id": "7", **json.loads(_block("json"))}
    lines, bad = kit.split(list(compiled.map_records([record], graph=None, source="runs")))
    assert bad == []
    event = "<https://w3id.org/reqap-kg/event#"
    assert {line.split(" ", 1)[1] for line in lines} == {
        f"<http://www.w3.org/1999/02/22-rdf-syntax-ns#type> {event}Workout>",
        f'{event}sourceId> "w1"',
        f'{event}start> "2024-06-01T11:00:00"^^<{XSD}dateTime>',
        f'{event}end> "2024-06-01T11:48:22"^^<{XSD}dateTime>',
        f'{event}duration> "2902"^^<{XSD}decimal>',
        f'{event}distance> "8.3685888"^^<{XSD}decimal>',
        f'{event}workoutType> "outdoor run"',
        '<http://www.w3.org/2000/01/rdf-schema#label> "outdoor run"',
        '<https://w3id.org/reqap-kg/key/mood> "good"',
    }
    assert {line.split(" ", 1)[0] for line in lines} == {"<https://w3id.org/reqap-kg/data/runs/7>"}
