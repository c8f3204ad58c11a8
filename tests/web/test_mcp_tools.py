"""What assistants are given: every tool, in the form that it promises, and no more than the settings allow."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from time import monotonic
from typing import Any

import jsonschema
import pytest
from hostile_life import hostile_life
from mcp import Client, MCPError

from reqap_kg import IngestOptions, ingest
from reqap_kg.config import Settings
from reqap_kg.config.parts import Mcp
from reqap_kg.web.holding import Held
from reqap_kg.web.mcp.server import server
from reqap_kg.web.mcp.tools import TOOLS

NOW = datetime(2025, 3, 1, 12)
RUNS = "How many runs did I do in 2024?"
TREE = 'APPLY(l=RETRIEVE(query="I ran"), fct=len)'
EVERY_LABEL = "SELECT ?e ?label { ?e a/rdfs:subClassOf* ev:Event ; rdfs:label ?label }"
HIDDEN = "\x1b\x9b\x07\x7f\x00\u202e\u2066\u200b\u2028\x85"
Call = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def held(demo_store: Path) -> Iterator[Held]:
    with Held(demo_store, Settings()) as held:
        yield held


@pytest.fixture(scope="module")
def call(held: Held) -> Call:
    """Calls a tool of the demo life."""
    return _caller(held)


@contextmanager
def _bounded(held: Held, **bounds: Any) -> Iterator[Call]:
    """Calls tools with other bounds, over the store that is open."""
    before, held.settings = held.settings, held.settings.model_copy(update={"mcp": Mcp(**bounds)})
    try:
        yield _caller(held)
    finally:
        held.settings = before


def _result(held: Held, tool: str, arguments: dict[str, Any]) -> Any:
    async def called() -> Any:
        async with Client(server(held, lambda: NOW), mode="legacy") as client:
            return await client.call_tool(tool, arguments)

    return asyncio.run(called())


def _caller(held: Held) -> Call:
    schemas = {tool.name: tool.listed.output_schema for tool in TOOLS}

    def call(tool: str, **arguments: Any) -> dict[str, Any]:
        result = _result(held, tool, arguments)
        assert not result.is_error, result.content
        jsonschema.Draft202012Validator(schemas[tool] or {}).validate(result.structured_content)
        assert json.loads(result.content[0].text) == result.structured_content
        return result.structured_content

    return call


def _error(held: Held, tool: str, **arguments: Any) -> str:
    result = _result(held, tool, arguments)
    assert result.is_error
    assert result.structured_content is None
    return result.content[0].text


def test_every_tool_says_what_it_takes_and_gives_and_that_it_only_reads(held):
    async def listed() -> Any:
        async with Client(server(held, lambda: NOW), mode="legacy") as client:
            assert "never an instruction" in (client.instructions or "")
            return (await client.list_tools()).tools

    tools = asyncio.run(listed())
    names = ["ask", "plan", "run_tree", "sparql", "describe_data", "evidence"]
    assert [tool.name for tool in tools] == names
    for tool in tools:
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        jsonschema.Draft202012Validator.check_schema(tool.output_schema)
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema["type"] == "object"
        assert tool.annotations.read_only_hint is True
        assert len(tool.description) > 100


def test_a_question_gets_its_answer_with_tree_query_doubt_and_evidence(call):
    found = call("ask", question=RUNS)
    assert (found["values"], found["answer_type"], found["text"]) == ([57], "number", "57 runs in 2024.")
    assert found["tree"].startswith("APPLY(")
    assert "SELECT" in found["sparql"]
    assert 0 < found["score"] <= 1
    assert isinstance(found["doubt"], list)
    assert len(found["events"]) == 20
    assert found["more_events"] is True
    assert set(found["events"][0]) == {"iri", "type", "source", "start", "end", "label", "basis"}


def test_a_question_that_leans_on_another_is_read_after_it(call):
    found = call("ask", question="And in 2023?", context=[{"question": RUNS, "answer": "57"}])
    assert "2023" in found["resolved"]
    assert found["values"] == call("ask", question="How many runs did I do in 2023?")["values"]


def test_groups_are_given_as_rows(call):
    groups = call("ask", question="How far did I run each month in 2024?")["groups"]
    assert groups["rows"][1] == ["2024-02", 83.14]
    assert groups["more"] is False


def test_two_questions_in_one_get_two_answers(call):
    found = call("ask", question="How many runs and how many yoga sessions did I do in 2024?")
    other = call("ask", question="How many yoga sessions did I do in 2024?")
    assert (found["values"], found["also"][0]["values"]) == ([57], other["values"])
    assert found["also"][0]["tree"] != found["tree"]


def test_a_large_answer_offers_narrower_ones_whose_trees_run(call):
    found = call("ask", question="Show me my workouts")
    assert (len(found["values"]), len(found["events"]), found["more_values"]) == (20, 20, True)
    assert found["too_many"].startswith("230 workouts.")
    choice = found["narrower"][0]
    assert call("run_tree", tree=f"APPLY(l={choice['tree']}, fct=len)")["values"] == [choice["count"]]


@pytest.mark.parametrize("tool", ["ask", "plan"])
@pytest.mark.parametrize(
    ("question", "reason"),
    [("Why did I run in 2024?", "asks_why"), ("How many runs did I do on 31 February 2024?", "not_understood")],
)
def test_a_question_that_is_declined_is_a_result_with_the_reason(call, tool, question, reason):
    found = call(tool, question=question)
    assert found["reason"] == reason
    assert found["text"]
    assert not found.get("values")
    assert not found.get("trees")


def test_a_question_about_which_there_is_nothing_says_so(call):
    found = call("ask", question="How many runs did I do in 1999?")
    assert found["reason"] == "nothing_matches"
    assert found["events"] == []


def test_trees_of_a_question_are_shown_and_run(call):
    trees = call("plan", question=RUNS, top=3)["trees"]
    assert 1 <= len(trees) <= 3
    assert call("run_tree", tree=trees[0]["tree"])["values"] == [57]
    assert len(call("plan", question=RUNS)["trees"]) == 1


def test_a_query_gives_rows_with_numbers_as_numbers(call):
    found = call(
        "sparql",
        query="SELECT ?kind (COUNT(DISTINCT ?e) AS ?n) (AVG(?d) AS ?mean) ?none "
        "{ ?e a ev:Workout, ?kind ; ev:distance ?d } GROUP BY ?kind ?none",
    )
    assert (found["form"], found["columns"]) == ("select", ["kind", "n", "mean", "none"])
    ((kind, count, mean, none),) = found["rows"]
    assert kind.endswith("event#Workout")
    assert isinstance(count, int)
    assert isinstance(mean, float)
    assert none is None
    assert found["more"] is False


def test_a_query_may_ask_or_construct(call):
    assert call("sparql", query="ASK { ?e a ev:Workout }")["truth"] is True
    assert call("sparql", query="ASK { ?e a ev:Nothing }")["truth"] is False
    found = call("sparql", query="CONSTRUCT { ?e a ev:Found } { ?e a ev:Workout }")
    assert (found["form"], len(found["rows"]), found["more"]) == ("construct", 20, True)
    assert found["rows"][0][2].endswith("event#Found")


def test_numbers_that_no_json_has_are_texts(call):
    query = 'SELECT ?a ?b ?c { VALUES (?a ?b ?c) { ("NaN"^^xsd:double "1e999"^^xsd:double 123456789012345678901) } }'
    (row,) = call("sparql", query=query)["rows"]
    assert row == ["NaN", "INF", "123456789012345678901"]


def test_the_data_is_described_without_a_value_of_it(call):
    found = call("describe_data")
    kinds = {kind["name"]: kind for kind in found["kinds"]}
    assert kinds["workout"]["events"] == 230
    assert (kinds["workout"]["first"], kinds["workout"]["last"]) == ("2023-03-01", "2025-02-25")
    attributes = {one["name"]: one for one in kinds["workout"]["attributes"]}
    assert attributes["distance"] == {
        "name": "distance",
        "property": "ev:distance",
        "types": ["xsd:decimal"],
        "unit": "km",
    }
    assert {source["name"] for source in found["sources"]} >= {"apple-health", "spotify"}
    assert found["now"] == "2025-03-01T12:00:00"
    labels = {row[1] for row in call("sparql", query=EVERY_LABEL)["rows"]}
    said = json.dumps(found)
    assert [label for label in labels if len(label) > 12 and label in said] == []


def test_every_example_runs_and_finds_something(call):
    found = call("describe_data")
    for example in found["trees"]:
        assert call("run_tree", tree=example["answered_by"])["values"], example
    for example in found["queries"]:
        assert call("sparql", query=example["answered_by"])["rows"], example


def test_events_are_looked_up_by_their_iris(call):
    first, second = call("ask", question=RUNS)["events"][:2]
    found = call(
        "evidence", events=[second["iri"], "https://example.com/none", first["iri"], "no iri <>", first["iri"]]
    )
    assert found["events"] == [first, second]
    assert found["unknown"] == ["https://example.com/none", "no iri <>"]
    assert call("evidence", events=["https://w3id.org/reqap-kg/event#Workout"])["events"] == []


# ---------------------------------------------------------------- bounds
def test_no_tool_gives_more_events_than_the_settings_allow(held):
    with _bounded(held, most_events=3) as call:
        found = call("ask", question=RUNS)
        assert (len(found["events"]), found["more_events"], found["values"]) == (3, True, [57])
        listed = call("ask", question="Show me my workouts")
        assert (len(listed["events"]), len(listed["values"])) == (3, 3)
        assert len(call("ask", question="How far did I run each month in 2024?")["groups"]["rows"]) == 3
        assert len(call("run_tree", tree='RETRIEVE(query="I ran")')["events"]) == 3
        rows = call("sparql", query=EVERY_LABEL)
        assert (len(rows["rows"]), rows["more"]) == (3, True)
        iris = [row[0] for row in rows["rows"]] + [event["iri"] for event in found["events"]]
        told = call("evidence", events=list(dict.fromkeys(iris)))
        assert (len(told["events"]), told["more"]) == (3, True)


@pytest.mark.parametrize("of", ["?{0}", "(STR(?{0}) AS ?{0}_)"], ids=["as terms", "as texts"])
def test_a_row_of_many_events_counts_as_many(held, of):
    columns = " ".join(of.format(name) for name in "abcd")
    there = " ".join(f"?{name} a ev:Workout ." for name in "abcd")
    others = " && ".join(f"STR(?{a}) < STR(?{b})" for a, b in ("ab", "bc", "cd"))
    query = f"SELECT {columns} {{ {{ SELECT * {{ {there} FILTER({others}) }} LIMIT 5 }} }}"
    with _bounded(held, most_events=3) as call:
        greedy = call("sparql", query=query)
        assert (greedy["rows"], greedy["more"]) == ([], True)
    with _bounded(held, most_events=4) as call:
        assert len(call("sparql", query=query)["rows"]) == 1


def test_no_text_is_longer_than_the_settings_allow(held):
    greedy = 'SELECT (GROUP_CONCAT(?label; separator="|") AS ?all) { ?e a ev:MusicStream ; rdfs:label ?label }'
    with _bounded(held, text_characters=10) as call:
        ((cell,),) = call("sparql", query=greedy)["rows"]
        assert len(cell) == 10
        pasted = 'SELECT (IRI(CONCAT("urn:x:", ENCODE_FOR_URI(?label))) AS ?all) { ?e a ev:Note ; rdfs:label ?label }'
        assert all(len(cell) <= 10 for (cell,) in call("sparql", query=pasted)["rows"])
        found = call("ask", question="Which songs did I listen to in 2024?")
        assert all(len(value) <= 10 for value in found["values"])
        assert all(len(event["label"]) <= 10 for event in found["events"])
    with _bounded(held, text_characters=0) as call:
        assert call("sparql", query=greedy)["rows"] == [[""]]


def test_of_an_endless_query_no_more_is_computed_than_is_given(call):
    begin = monotonic()
    found = call("sparql", query="SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }")
    assert found["more"] is True
    assert call("sparql", query="CONSTRUCT { ?a ?b ?f } { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }")["more"] is True
    assert monotonic() - begin < 20


def test_a_query_of_too_many_columns_is_refused(held):
    columns = " ".join(f"(1 AS ?x{number})" for number in range(21))
    assert "21 columns" in _error(held, "sparql", query=f"SELECT {columns} {{}}")


def test_only_the_fields_of_the_settings_are_given(held):
    with _bounded(held, fields=("start", "text"), most_events=5) as call:
        found = call("ask", question="Show me my workouts")
        assert {name for event in found["events"] for name in event} == {"iri", "basis", "start"}
        assert found["values"] == [event["iri"] for event in found["events"]]
        assert found["text"] == "230 events."
        note = call("sparql", query="SELECT ?e { ?e a ev:Note ; ev:text ?t } LIMIT 1")["rows"][0][0]
        (told,) = call("evidence", events=[note])["events"]
        assert set(told) == {"iri", "basis", "start", "text"}
        assert len(told["text"]) > 5
    with _bounded(held, most_events=0) as call:
        found = call("ask", question="Show me my workouts")
        assert (found["values"], found["events"], found["text"]) == ([], [], "230 events.")
        assert call("ask", question=RUNS)["values"] == [57]
        assert call("sparql", query=EVERY_LABEL)["rows"] == []


# ---------------------------------------------------------------- errors
def test_errors_are_results_that_say_what_is_wrong(held):
    assert "line 1, column 17" in _error(held, "run_tree", tree="APPLY(l=RETRIEVE(query=")
    assert "expected" in _error(held, "sparql", query="SELECT ?x {").lower()
    assert _error(held, "sparql", query="DELETE WHERE { ?s ?p ?o }")
    assert "question: " in _error(held, "ask", question=3)
    assert "top: " in _error(held, "plan", question=RUNS, top=1_000)
    assert "extra: " in _error(held, "describe_data", extra="x")
    assert _error(held, "ask")
    assert _error(held, "evidence", events=[])
    assert "120 words" in _error(held, "ask", question="run " * 130)


def test_a_tool_that_there_is_not_is_an_error_of_the_protocol(held):
    async def refused() -> str:
        async with Client(server(held, lambda: NOW), mode="legacy") as client:
            with pytest.raises(MCPError) as bad:
                await client.call_tool("remove", {})
            return str(bad.value)

    assert asyncio.run(refused()) == "there is no tool remove"


def test_a_tool_that_the_settings_leave_out_is_not_there(held):
    settings = held.settings.model_copy(update={"mcp": Mcp(tools=("ask", "evidence"))})
    with Held(held.directory, settings) as few:

        async def listed() -> list[str]:
            async with Client(server(few, lambda: NOW), mode="legacy") as client:
                with pytest.raises(MCPError):
                    await client.call_tool("sparql", {"query": EVERY_LABEL})
                return [tool.name for tool in (await client.list_tools()).tools]

        assert asyncio.run(listed()) == ["ask", "evidence"]


def test_no_error_says_where_files_lie(tmp_path):
    with Held(tmp_path / "none", Settings()) as held:
        said = _error(held, "ask", question=RUNS)
        assert "no store" in said
        assert str(tmp_path) not in said
    assert list(tmp_path.iterdir()) == []


def test_what_nobody_foresaw_is_told_without_its_text(held, monkeypatch, caplog):
    def fails(*_: object, **__: object) -> None:
        raise ZeroDivisionError("secret at /home/ann/store")

    monkeypatch.setattr("reqap_kg.engine.knowledge.KnowledgeGraph.ask", fails)
    said = _error(held, "ask", question=RUNS)
    assert "fault of reqap-kg" in said
    assert "secret" not in said
    assert "secret" in caplog.text


# ---------------------------------------------------------------- hostile texts
def test_hostile_texts_break_nothing_and_hide_nothing(tmp_path):
    store = tmp_path / "store"
    ingest([hostile_life(tmp_path)], store, IngestOptions(Settings(home_zone="Europe/Oslo"), NOW))
    with Held(store, Settings()) as held:
        call = _caller(held)
        rows = call("sparql", query=EVERY_LABEL)["rows"]
        told = [
            rows,
            call("describe_data"),
            call("evidence", events=[row[0] for row in rows]),
            call("ask", question="Which songs did I listen to in May 2024?"),
            call("sparql", query="SELECT DISTINCT ?p ?v { ?e ?p ?v FILTER(isLiteral(?v) && CONTAINS(?v, 'FORGED')) }"),
        ]
        assert len(told[2]["events"]) == len({row[0] for row in rows}) > 5
    said = json.dumps(told, ensure_ascii=False)
    assert "FORGED" in said
    assert "exe[red]x[/red]" in said
    assert [sign for sign in HIDDEN if sign in said] == []
    assert [text for text in _texts(told) if set(text) & set(HIDDEN)] == []


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(one)
