"""No depth and no length kills the process or escapes as anything but an error of ours."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

SHORT, FULL = (60, 3_000), (30, 150, 250, 1_000, 10_000, 100_000)
OPERATORS = ("||", "&&", "+", "*", "/", "-")

CHILD = """
import json, sys
from reqap_kg.errors import ReqapError
from reqap_kg.mappings.rml.documents.document import Document
from reqap_kg.operators.syntax.text import parse_tree
from reqap_kg.planner.rules.rulebook import load_rulebook
from reqap_kg.store.queries.deadline import within
from reqap_kg.store.graph import MemoryGraph

READ = {
    "sparql": lambda text: within(1, lambda: MemoryGraph().answered(text, bool)),
    "run": parse_tree,
    "rules": lambda text: load_rulebook([("shared.ttl", text)]),
    "map": lambda text: Document(text, path="map.ttl", base_iri="urn:map"),
}
for line in sys.stdin:
    family, name, text = json.loads(line)
    print(name, flush=True)
    try:
        READ[family](text)
    except ReqapError:
        pass
    except BaseException as bad:
        print("ESCAPED", name, type(bad).__name__, str(bad)[:100], flush=True)
print("END", flush=True)
"""


def expressions(n: int) -> Iterator[tuple[str, str]]:
    """Expressions of SPARQL by what is repeated in them."""
    yield "parentheses", "(" * n + "1" + ")" * n
    yield "open parentheses", "(" * n
    yield "calls", "STR(" * n + "1" + ")" * n
    for sign in ("!", "-", "+", "! ", "- "):
        yield f"sign {sign}", sign * n + "true"
    for operator in OPERATORS:
        yield f"chain {operator}", f" {operator} ".join(["1"] * n)
    yield "exists", "EXISTS { FILTER " * n + "(true)" + "}" * n
    yield "list", "1 IN (" + ",".join(["1"] * n) + ")"


def queries(n: int) -> Iterator[tuple[str, str]]:
    for name, text in expressions(n):
        yield name, f"SELECT * {{ BIND(({text}) AS ?x) }}"
    yield "braces", "SELECT * " + "{" * n + "}" * n
    yield "open braces", "SELECT * " + "{" * n
    yield "sub-selects", "SELECT * " + "{ SELECT * " * n + "{}" + "}" * n
    for sign in ("/", "|"):
        yield f"path {sign}", "SELECT * { ?s " + sign.join(["ev:p"] * n) + " ?o } LIMIT 1"
    for sign in ("^", "!", "*", "^("):
        yield f"path sign {sign}", "SELECT * { ?s " + sign * n + "ev:p" + ")" * (n if "(" in sign else 0) + " ?o }"
    yield "deep path", "SELECT * { ?s " + "(" * n + "ev:p" + ")*" * n + " ?o }"
    for part in ("{} UNION ", "OPTIONAL {} ", "MINUS {} ", "FILTER(true) ", "?s a ?c . "):
        yield f"parts {part}", "SELECT * { " + part * n + "{} }"
    yield "blank nodes", "SELECT * { ?s ?p " + "[ ?p " * n + "?o" + "]" * n + " }"
    yield "collections", "SELECT * { ?s ?p " + "( " * n + "?o" + ")" * n + " }"
    yield "long collection", "SELECT * { ?s ?p (" + " 1" * n + ") }"
    yield "text", "SELECT * { ?s ?p '" + "(" * n + "' }"
    yield "spaces", "SELECT * {" + " " * n + "}"


def trees(n: int) -> Iterator[tuple[str, str]]:
    inner = 'RETRIEVE(query="a")'
    yield "operators", "FILTER(l=" * n + inner + ', filter=lambda attr: attr["a"] == 1)' * n
    yield "open operators", "FILTER(l=" * n
    for opening, closing in (("(", ")"), ("[", "]"), ("{", "}"), ("not ", ""), ("-", ""), ("~", ""), ("lambda: ", "")):
        value = opening * n + "1" + closing * n
        yield f"value {opening}", f'FILTER(l={inner}, filter=lambda attr: attr["a"] == {value})'
    for sign in ("+", "and", "or", "==", "**", "if 1 else"):
        value = f" {sign} ".join(["1"] * n)
        yield f"chain {sign}", f'FILTER(l={inner}, filter=lambda attr: attr["a"] == {value})'
    yield "number", f'FILTER(l={inner}, filter=lambda attr: attr["a"] == {"9" * n})'
    yield "attributes", f'FILTER(l={inner}, filter=lambda attr: attr["a"]{".year" * n} == 1)'
    yield "quoted trees", "{{ QU(" * n + '"a"' + ") }}" * n


def turtle(n: int) -> Iterator[tuple[str, str]]:
    head = "@prefix ex: <urn:ex:> . "
    yield "blank nodes", head + "ex:a ex:b " + "[ ex:b " * n + "1 " + "] " * n + "."
    yield "collections", head + "ex:a ex:b " + "( " * n + ") " * n + "."
    yield "open blank nodes", head + "ex:a ex:b " + "[ ex:b " * n
    yield "long collection", head + "ex:a ex:b (" + " 1" * n + ") ."
    yield "objects", head + "ex:a ex:b " + ", ".join(["1"] * n) + " ."
    yield "quoted triples", head + "<< " * n + "ex:a ex:b ex:c " + ">> " * n + "."


def rules(n: int) -> Iterator[tuple[str, str]]:
    head = "@prefix pg: <https://w3id.org/reqap-kg/parse#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . "
    for name, text in expressions(n):
        yield (
            f"compute {name}",
            (
                head
                + '<urn:p> a pg:Pattern ; rdfs:label "p" ; pg:kind pg:Filter ; pg:extract "zebra" ; pg:output "v" ; '
                f'pg:compute "BIND(({text}) AS ?v)" .'
            ),
        )
    for opening, closing in (("(", ")"), ("[", "]"), ("{", "}"), ("", "?"), ("", "*"), ("(a|", ")")):
        text = opening * n + "zebra" + closing * n
        yield f"extract {opening}{closing}", head + f'<urn:p> a pg:Pattern ; pg:kind pg:Filter ; pg:extract "{text}" .'


FAMILIES = {
    "sparql": (queries,),
    "run": (trees,),
    "rules": (turtle, rules),
    "map": (turtle,),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_nothing_kills_the_process(family: str, full_attack: bool) -> None:
    lines = [
        (family, f"{name} {n}", text)
        for n in (FULL if full_attack else SHORT)
        for make in FAMILIES[family]
        for name, text in make(n)
    ]
    found = subprocess.run(
        [sys.executable, "-c", CHILD],
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=560,
        check=False,
    )
    said = found.stdout.splitlines()
    assert found.returncode >= 0, f"killed by signal {-found.returncode} at {said[-1] if said else 'the start'}"
    assert said[-1:] == ["END"], said[-1:] + found.stderr.splitlines()[-5:]
    assert [line for line in said if line.startswith("ESCAPED")] == []
