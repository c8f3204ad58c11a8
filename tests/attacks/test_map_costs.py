"""What a stranger's map, or the file that it reads, may cost: seconds, gigabytes, a traceback; each run in a child."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .test_exports import NOW, Server

SECONDS = 15
"""Processor time of the command itself; the process that it starts for the map has limits of its own."""
MAP_SECONDS = 2
MEMORY = 2 * 2**30
HEAD = """@prefix rml: <http://w3id.org/rml/> . @prefix ev: <https://w3id.org/reqap-kg/event#> .
@prefix fn: <https://w3id.org/reqap-kg/function#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""


def triples_map(name: str, file: str, kind: str, *, iterator: str = "", about: str = "", reference: str = "at") -> str:
    """A triples map over a file: its iterator, what else stands in its source, and the reference of its start."""
    iterated = f"rml:iterator {json.dumps(iterator)} ;" if iterator else ""
    return f"""<#{name}> a rml:TriplesMap ; rml:logicalSource [ {iterated} rml:referenceFormulation rml:{kind} ;
    rml:source [ a rml:RelativePathSource ; rml:root rml:MappingDirectory ; rml:path "{file}" {about} ] ] ;
  rml:subjectMap [ rml:template "https://example.org/{{id}}" ; rml:class ev:Event ] ;
  rml:predicateObjectMap [ rml:predicate ev:start ; rml:objectMap [ rml:reference {json.dumps(reference)} ] ] .
"""


def execution(of: int, inputs: list[str]) -> str:
    """A function execution by number, whose inputs are given as the insides of input value maps."""
    told = " , ".join(f"[ rml:parameter fn:value ; rml:inputValueMap [ {inner} ] ]" for inner in inputs)
    return f"<#f{of}> rml:function fn:concat ; rml:input {told} .\n"


def with_function(*executions: str) -> str:
    """A map whose labels come from the function execution <#f0>."""
    label = "<#A> rml:predicateObjectMap [ rml:predicate rdfs:label ; rml:objectMap [ rml:functionExecution <#f0> ] ] ."
    return HEAD + triples_map("A", "x.csv", "CSV") + label + "\n" + "".join(executions)


Attack = tuple[str, dict[str, bytes], str]
"""A map, the files beside it, and what has to be said of it."""
ROW = b"id,at\n1,2024-01-01T00:00:00\n"
TIME, PLACE, RATIO = "processor time", "m.ttl:", "packed size"
EITHER = f"{RATIO}|{TIME}"
"""What is read slowly may pass the time before it passes the ratio."""


def packed(rest: bytes, times: int) -> Callable[[], Attack]:
    """A packed file that goes on for gigabytes."""

    def attack() -> Attack:
        data = gzip.compress(ROW) + gzip.compress(rest * 2**20) * times
        turtle = HEAD + triples_map("A", "x.csv.gz", "CSV", about="; rml:compression rml:gzip")
        return turtle, {"x.csv.gz": data}, EITHER

    return attack


def packed_json(rest: bytes, iterator: str) -> Callable[[], Attack]:
    def attack() -> Attack:
        data = gzip.compress(rest * 2**20) * 1500
        about = "; rml:compression rml:gzip"
        turtle = HEAD + triples_map("A", "x.json.gz", "JSONPath", iterator=iterator, about=about)
        return turtle, {"x.json.gz": data}, EITHER

    return attack


def packed_xml() -> Attack:
    data = gzip.compress(b"<r>") + gzip.compress(b"<a/>" * 2**18) * 1500
    about = "; rml:compression rml:gzip"
    return HEAD + triples_map("A", "x.gz", "XPath", iterator="/r/a", about=about), {"x.gz": data}, EITHER


def packed_in_parts() -> Attack:
    """Many files, each below what may be packed freely."""
    parts = {f"x{n}.gz": gzip.compress(ROW + b"\n" * (3 * 2**20)) for n in range(40)}
    maps = (triples_map(f"A{n}", f"x{n}.gz", "CSV", about="; rml:compression rml:gzip") for n in range(40))
    return HEAD + "".join(maps), parts, RATIO


def packed_twice() -> Attack:
    """What comes out is packed again, and so no CSV."""
    data = gzip.compress(gzip.compress(b"\n" * 2**28))
    turtle = HEAD + triples_map("A", "x.csv.gz", "CSV", about="; rml:compression rml:gzip")
    return turtle, {"x.csv.gz": data}, "x.csv.gz"


def blank_lines() -> Attack:
    return HEAD + triples_map("A", "x.csv", "CSV"), {"x.csv": ROW + b"\n" * (34 * 2**20)}, "blank lines"


def one_line() -> Attack:
    return HEAD + triples_map("A", "x.csv", "CSV"), {"x.csv": b"x" * (40 * 2**20)}, "a row"


def endless_row() -> Attack:
    return HEAD + triples_map("A", "x.csv", "CSV"), {"x.csv": ROW + b'"\n",' * (10 * 2**20)}, "a row"


def many_columns() -> Attack:
    head = ",".join(f"c{n}" for n in range(1_000_000)).encode()
    return HEAD + triples_map("A", "x.csv", "CSV"), {"x.csv": head + b"\n"}, "columns"


def pattern(path: str, how: str, text: str) -> Callable[[], Attack]:
    """A pattern in a filter over a value that it backtracks on."""

    def attack() -> Attack:
        rows = [{"id": n, "at": text, "re": how} for n in range(3)]
        turtle = HEAD + triples_map("A", "x.json", "JSONPath", iterator=path)
        return turtle, {"x.json": json.dumps(rows).encode()}, "takes too long"

    return attack


def looked_everywhere(kind: str, iterator: str, reference: str) -> Callable[[], Attack]:
    """An expression that looks at everything from everywhere."""

    def attack() -> Attack:
        rows = [{"id": n, "v": [n]} for n in range(3000)]
        data = (
            b"<r>" + b"<a><id>x</id></a>" * 2600 + b"</r>"
            if kind == "XPath"
            else json.dumps({"id": 1, "l": rows}).encode()
        )
        return HEAD + triples_map("A", "x", kind, iterator=iterator, reference=reference), {"x": data}, TIME

    return attack


def contains_itself(length: int) -> Callable[[], Attack]:
    def attack() -> Attack:
        ring = [execution(n, [f"rml:functionExecution <#f{(n + 1) % length}>"]) for n in range(length)]
        return with_function(*ring), {"x.csv": ROW}, "contains itself"

    return attack


def chained(length: int, times: int, said: str) -> Callable[[], Attack]:
    """Executions in a chain, each of which names the next so many times."""

    def attack() -> Attack:
        chain = [execution(n, [f"rml:functionExecution <#f{n + 1}>"] * times) for n in range(length)]
        return with_function(*chain, execution(length, ['rml:reference "id"'])), {"x.csv": ROW}, said

    return attack


def nested_brackets() -> Attack:
    return (
        HEAD + triples_map("A", "x.csv", "CSV") + "<#b> ev:x " + "[ ev:x " * 20_000 + "1" + " ]" * 20_000 + " .",
        {"x.csv": ROW},
        "nested more than",
    )


def combinations() -> Attack:
    row = {"id": "1", "at": "x", "v": list(range(1000))}
    turtle = HEAD + triples_map("A", "x.json", "JSONPath", iterator="$[*]")
    label = "[ rml:template \"{$.v[*]}{$['v'][*]}{$.v[0:]}\" ]"
    turtle += f"<#A> rml:predicateObjectMap [ rml:predicate rdfs:label ; rml:objectMap {label} ] ."
    return turtle, {"x.json": json.dumps([row]).encode()}, "combinations"


def joined() -> Attack:
    """Every row joined with every row."""
    data = b"id,at,k\n" + b"".join(b"%d,x,k\n" % n for n in range(20_000))
    join = '[ rml:parentTriplesMap <#A> ; rml:joinCondition [ rml:child "k" ; rml:parent "k" ] ]'
    turtle = HEAD + triples_map("A", "x.csv", "CSV")
    turtle += f"<#A> rml:predicateObjectMap [ rml:predicate ev:with ; rml:objectMap {join} ] ."
    return turtle, {"x.csv": data}, "m.ttl:"


def unknown_function() -> Attack:
    data = b"<r><a><id>1</id></a></r>"
    return HEAD + triples_map("A", "x", "XPath", iterator="/r/a", reference="foo(.)"), {"x": data}, PLACE


def large_map() -> Attack:
    return HEAD + triples_map("A", "x.csv", "CSV") + "# " + "x" * 2**21, {"x.csv": ROW}, "too large"


FAR = "//*[count(//*[count(//*)>1])>1]"
FAR_JSON = "$..*[?count($..*[?count($..*) > 1]) > 1]"
AT = "a" * 41 + "b"
SHORT: dict[str, Callable[[], Attack]] = {
    "line feeds in gzip": packed(b"\n", 2500),
    "match": pattern('$[?match(@.at, "(a|aa)+$")]', "", AT),
    "XPath in the iterator": looked_everywhere("XPath", FAR, "id"),
    "nested filters": looked_everywhere("JSONPath", FAR_JSON, "id"),
    "a function of itself": contains_itself(1),
    "a long chain": chained(5_000, 1, "nested more than"),
    "combinations": combinations,
    "many columns": many_columns,
}
FULL: dict[str, Callable[[], Attack]] = {
    "rows in gzip": packed(b"1,x\n", 700),
    "lines in gzip": packed_json(b"\n", "$"),
    "items in gzip": packed_json(b"[1,2],", "$[*]"),
    "elements in gzip": packed_xml,
    "many small gzips": packed_in_parts,
    "gzip in gzip": packed_twice,
    "blank lines": blank_lines,
    "one line": one_line,
    "an endless row": endless_row,
    "search": pattern('$[?search(@.at, "(a|aa)+$")]', "", AT),
    "search of dots": pattern('$[?search(@.at, "(([a-z])+)+[A-Z]")]', "", AT * 40),
    "a pattern in the data": pattern("$[?match(@.at, @.re)]", "(a|aa)+$", AT),
    "a filter within": pattern('$[0,1][?search(@, "(a|aa)+$")]', "", AT),
    "XPath in a reference": looked_everywhere("XPath", "/r/a", FAR),
    "XPath of siblings": looked_everywhere("XPath", "//*[count(following::*[count(preceding::*) > 3]) > 1]", "id"),
    "XPath of texts": looked_everywhere("XPath", "//*[//*[contains(string(/), concat(string(/), name()))]]", "id"),
    "nested filters in a reference": looked_everywhere("JSONPath", "$", FAR_JSON),
    "descendants of descendants": looked_everywhere("JSONPath", "$..*[?count($..*) > count($..*..*)]", "id"),
    "a ring of functions": contains_itself(7),
    "a chain of 20,000": chained(20_000, 1, PLACE),
    "a doubling chain": chained(30, 2, "function executions, each counted"),
    "brackets": nested_brackets,
    "a join of all with all": joined,
    "an unknown function": unknown_function,
    "a large map": large_map,
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    yield running
    running.close()


@pytest.mark.parametrize("name", [*SHORT, *FULL])
def test_a_map_ends_with_what_is_wrong(server: Server, name: str, tmp_path: Path, full_attack: bool) -> None:
    if name in FULL and not full_attack:
        pytest.skip("drawn with --attacks full")
    turtle, files, expected = (SHORT | FULL)[name]()
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "m.ttl").write_text(turtle, encoding="utf-8")
    for file, data in files.items():
        (folder / file).write_bytes(data)
    config = tmp_path / "config.toml"
    config.write_text(f"[limits]\nmap_seconds = {MAP_SECONDS}\nmap_seconds_per_mib = 1\n", encoding="utf-8")
    given = ["ingest", *(str(folder / file) for file in files), "--mapping", str(folder / "m.ttl")]
    store = tmp_path / "store"
    more = ["--store", str(store), "--no-index", "--config", str(config), *NOW]
    told = server.run(tmp_path, [*given, *more], SECONDS, MEMORY)
    said = told["out"] + told["err"]
    shown = f"{told['code']}, {told['seconds']:.1f} s, {told['mib']} MiB: {said[-800:]}"
    assert told["code"] == 1, shown
    assert any(part in said for part in expected.split("|")), shown
    assert "unexpected" not in said, shown
    assert "Traceback" not in said, shown
    if expected in (TIME, "contains itself", "combinations"):
        assert PLACE in said or "x.json" in said, shown
    standing = server.run(tmp_path, ["status", "--store", str(store), "--json"])
    assert '"sources": []' in standing["out"] or standing["code"] != 0, standing
    shutil.rmtree(store, ignore_errors=True)
