"""No spelling of a query reaches the network: fuzzed against a listener that must hear nothing.

Each spelling is tried three times: as users' queries are run (both walls); read by the grammar and handed to Oxigraph
on a thread that could call out (the first wall alone); and as written to Oxigraph on a thread whose network is closed
(the second wall alone).
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pyoxigraph as ox
import pytest

from reqap_kg.cli.app import run
from reqap_kg.errors import QueryError, RuleError
from reqap_kg.planner.rules.rulebook import load_rulebook
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.queries.deadline import apart
from reqap_kg.store.queries.sealed import can_seal, is_sealed, why_unsealed
from reqap_kg.store.sparql.reading import read_query

SECRET = ox.Quad(ox.NamedNode("urn:me"), ox.NamedNode("urn:p"), ox.Literal("secret"), ox.NamedNode("urn:g"))

CONTEXTS = [
    "SELECT * { @ }", "SELECT * WHERE { ?s ?p ?o @ }", "SELECT * { ?s ?p ?o . @ }", "ASK { FILTER(true) @ }",
    "SELECT * { FILTER(true) @ }", "SELECT * { BIND(1 AS ?b) @ }", "SELECT * { ?s ?p true @ }",
    "SELECT * { ?s ?p 1 @ }",
    "SELECT * { ?s ?p 1.0e5 @ }", "SELECT * { ?s ?p 'a' @ }", "SELECT * { ?s ?p 'a\\'' @ }",
    'SELECT * { ?s ?p """a"b""" @ }',
    "SELECT * { ?s ?p '''it''s''' @ }", 'SELECT * { ?s ?p "a"@en @ }', 'SELECT * { ?s ?p "a"^^<urn:t> @ }',
    "SELECT * { ?s ?p <urn:o> @ }", "SELECT * { ?s ?p u:o @ }", "SELECT * { ?s a u: @ }", "SELECT * { ?s ?p _:b @ }",
    "SELECT * { ?s ?p [] @ }", "SELECT * { ?s ?p (1 2) @ }", "SELECT * { OPTIONAL { @ } }",
    "SELECT * { { @ } UNION { } }",
    "SELECT * { ?s ?p ?o MINUS { @ } }", "SELECT * { { SELECT * { @ } } }", "SELECT * { FILTER EXISTS { @ } }",
    "SELECT * { FILTER NOT EXISTS { @ } }", "SELECT * { GRAPH ?g { @ } }", "SELECT * { VALUES ?v { 1 UNDEF } @ }",
    "CONSTRUCT { ?s ?p ?o } WHERE { @ }", "CONSTRUCT WHERE { @ }", "DESCRIBE ?s { @ }",
    "SELECT * { ?s <urn:p>*/^u:q ?o @ }",
    "SELECT * { ?s !(u:a|^u:b)+ ?o @ }", "SELECT * { u:service ?p ?o @ }", "SELECT * { service:x ?p ?o @ }",
    "SELECT (COUNT(*) AS ?n) { @ } GROUP BY ?s HAVING(true)", "SELECT * { ?service ?SERVICE ?o @ }",
    "SELECT * { ?s ?p '\\u0041' @ }", "SELECT * { # '''\n @ }", "SELECT * { ?s ?p '#' @ }",
    "SELECT * { ?s ?p <urn:#> @ }",
    "SELECT * { FILTER(1 < 2) @ FILTER(3 > 2) }", "SELECT * { LATERAL { @ } }", "@", "SELECT * @ { ?s ?p ?o }",
    "SELECT * { } @", "INSERT { ?s ?p ?o } WHERE { @ }", "SELECT * { BIND(EXISTS { @ } AS ?b) }",
]  # fmt: skip
CALLS = [
    "SERVICE <URL> { ?a ?b ?c }", "SERVICE SILENT <URL> { ?a ?b ?c }", "SERVICE u:x { ?a ?b ?c }", "SERVICE u: { }",
    "BIND(<URL> AS ?x) SERVICE ?x { ?a ?b ?c }", "VALUES ?x { <URL> } SERVICE ?x { ?a ?b ?c }",
    "SERVICE:x { ?a ?b ?c }",
    "SERVICE $x { ?a ?b ?c }", "SERVICE <URL> { { SELECT * { ?a ?b ?c } } }", "SERVICE <rel> { ?a ?b ?c }",
    "LOAD <URL>", "LOAD SILENT <URL> INTO GRAPH <urn:g>", "FROM <URL>", "FROM NAMED <URL>", "; LOAD <URL>",
    "INSERT DATA { <urn:a> <urn:b> <urn:c> } ; LOAD <URL>", "FROM u:x", "DELETE WHERE { ?s ?p ?o }",
    ". SERVICE <URL> { ?a ?b ?c } .", "} SERVICE <URL> { ?a ?b ?c } {", "SERVICE <URL> { SERVICE <URL> { } }",
]  # fmt: skip
HARMLESS = [
    "?a ?b 'SERVICE <URL> { }'",
    '?a ?b "SERVICE <URL> { ?a ?b ?c }"@service',
    '?a ?b """ SERVICE <URL> { } """',
    "# SERVICE <URL> { }\n",
    "<urn:SERVICE> ?b ?c",
    "service:x ?b ?c",
    "?a u:SERVICE ?c",
    "?a u:a.SERVICE ?c",
    "_:SERVICE ?b ?c",
    "?SERVICE ?LOAD ?FROM",
    "service: service: service:",
    "?a <URL> '} SERVICE <URL> {'",
    "?a ?b '\\\\u0027 SERVICE <URL> {}'",
    "?a ?b 1, service:x",
    "FILTER(service:x = ?a)",
    "u:x-SERVICE ?b u:SERVICE%20",
    "?a service:x|service:y ?c",
    "?a ?b ''' SERVICE <URL> { }''' ",
    "?a ?b [ service:x ?y ]",
    "?a ?b (service:x)",
    "true:SERVICE ?b true:x",
]
"""Near such calls, and none."""
DECLARED = "PREFIX u: <URL> PREFIX : <URL> PREFIX service: <URL> PREFIX true: <URL> "
PROLOGUES = [
    DECLARED,
    DECLARED,
    "",
    "PREFIX u: <URL> ",
    "PREFIX : <URL> ",
    "PREFIX service: <urn:s> PREFIX u: <URL> ",
    "BASE <URL> PREFIX u: <x> ",
]
NOISE = [
    "#c\n", "# \"\n", "#'''\n", "\t", "\n", "\r", " ", "", "", "\u00a0", "\x00", "/**/", "true", "false", "1", "1.",
    ".5", "1e5", "-1",
    "'x'", '"x"', "'''x'''", '"""x"""', "'\\''", '"\\\\"', "@en", "^^", "<urn:n>", "u:n", "u:", ":", ":n.", "_:n",
    "?n", "$n", "[]",
    "()", "{", "}", "(", ")", ".", ";", ",", "*", "/", "|", "||", "^", "!", "?", "+", "a", "\\", "\\u0020", "\\u0027",
    "\\u0022",
    "\\U0000007B", "%53", "\\.", "SILENT", "service", "GRAPH", "e\u0301", "\u017f", "\u212a", "\ufeff",
]  # fmt: skip


@dataclass
class Listener:
    """A server on the loopback that notes who calls."""

    server: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0)))
    heard: list[bytes] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server.getsockname()[1]}/q"

    def listen(self) -> None:
        while True:
            try:
                call, _ = self.server.accept()
            except OSError:
                return
            with call:
                call.settimeout(1)
                self.heard.append(call.recv(200))
                call.sendall(b"HTTP/1.1 500 no\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")


@pytest.fixture
def listener() -> Iterator[Listener]:
    made = Listener()
    threading.Thread(target=made.listen, daemon=True).start()
    yield made
    made.server.close()


def spellings(url: str, count: int, seed: int) -> Iterator[str]:
    """Queries that would call `url`: all plain ones, then mutated ones."""
    rng = Random(seed)
    plain = [context.replace("@", call) for context in CONTEXTS for call in (*CALLS, *HARMLESS)]
    rng.shuffle(plain)
    for number in range(count):
        text = plain[number % len(plain)]
        for _ in range(rng.choice((0, 1, 1, 2, 3, 5))):
            text = mutated(text, rng)
        yield (rng.choice(PROLOGUES) + text).replace("URL", url)


def mutated(text: str, rng: Random) -> str:
    at = rng.randrange(len(text) + 1)
    match rng.randrange(9):
        case 0:  # case
            return "".join(
                c.swapcase() if c.isalpha() and rng.random() < 0.3 and "URL" not in text[max(0, i - 2) : i + 3] else c
                for i, c in enumerate(text)
            )
        case 1:  # a codepoint escape for a character
            at = min(at, len(text) - 1)
            form = rng.choice(("\\u{:04X}", "\\u{:04x}", "\\U{:08X}", "%{:02X}"))
            return text[:at] + form.format(ord(text[at])) + text[at + 1 :]
        case 2:  # the keyword itself escaped
            word = rng.choice(("SERVICE", "LOAD", "FROM"))
            place = rng.randrange(len(word))
            return text.replace(word, word[:place] + f"\\u{ord(word[place]):04X}" + word[place + 1 :], 1)
        case 3:  # spaces taken out before or after the keyword
            word = rng.choice(("SERVICE", "LOAD", "FROM", "SILENT"))
            return text.replace(f" {word}", word, 1) if rng.random() < 0.5 else text.replace(f"{word} ", word, 1)
        case 4:  # something beside or inside the keyword
            found = max(text.find(word) for word in ("SERVICE", "LOAD", "FROM"))
            at = max(0, found) + rng.choice((0, 0, 0, 1, 4, 7))
            return text[:at] + rng.choice(NOISE) + text[at:]
        case 5:  # something anywhere
            return text[:at] + rng.choice(NOISE) + text[at:]
        case 6:  # something less
            return text[:at] + text[at + rng.choice((1, 1, 2, 5)) :]
        case 7:  # in quotes, or in an IRI
            to = rng.randrange(at, len(text) + 1)
            begin, end = rng.choice(
                (("'", "'"), ('"', '"'), ("'''", "'''"), ('"""', '"""'), ("<", ">"), ("#", "\n"), ("{", "}"))
            )
            return text[:at] + begin + text[at:to] + end + text[to:]
        case _:  # a space for each break, or none
            return text.replace(" ", rng.choice(("", "\n", "#x\n", "\t \r\n")), rng.choice((1, 3, 100)))


def taken(found: object) -> None:
    """Takes all results, which is when a service is called."""
    if isinstance(found, ox.QuerySolutions | ox.QueryTriples):
        for _ in found:
            pass


def test_the_listener_hears_what_no_wall_stops(listener: Listener) -> None:
    with pytest.raises((OSError, RuntimeError)):
        taken(ox.Store().query(f"SELECT * {{ SERVICE <{listener.address}> {{ ?s ?p ?o }} }}"))
    assert listener.heard


@pytest.mark.smoke
def test_both_walls(listener: Listener, full_attack: bool) -> None:
    graph = MemoryGraph([SECRET])
    refused = 0
    for query in spellings(listener.address, 100_000 if full_attack else 3_000, 1):
        try:
            graph.answered(query, taken)
        except QueryError:
            refused += 1
    assert listener.heard == []
    assert refused > 0


@pytest.mark.smoke
def test_the_grammar_alone(listener: Listener, full_attack: bool) -> None:
    store = ox.Store()
    store.add(SECRET)
    passed = 0
    for query in spellings(listener.address, 100_000 if full_attack else 3_000, 2):
        try:
            text = read_query(query)
        except QueryError:
            continue
        passed += 1
        assert not is_sealed()
        try:
            taken(store.query(text, use_default_graph_as_union=True))
        except (SyntaxError, RuntimeError):  # grammatical, and refused by Oxigraph for another reason
            continue
    assert listener.heard == []
    assert passed > 50, "spellings that are harmless strings, names or comments must pass, or the test says little"


@pytest.mark.smoke
@pytest.mark.skipif(not can_seal(), reason=why_unsealed())
def test_the_closed_thread_alone(listener: Listener, full_attack: bool) -> None:
    store = ox.Store()
    store.add(SECRET)
    stopped = 0
    for query in spellings(listener.address, 100_000 if full_attack else 3_000, 3):
        try:
            apart(lambda query=query: taken(store.query(query, use_default_graph_as_union=True)))
        except PermissionError:
            stopped += 1
        except (SyntaxError, RuntimeError, OSError):
            continue
    for update in (f"LOAD <{listener.address}>", f"LOAD SILENT <{listener.address}>"):
        try:
            apart(lambda update=update: store.update(update))
        except OSError:
            stopped += 1
    assert listener.heard == []
    assert stopped > 50, "queries that call out must have been stopped by the closed network"


RULES = """@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix pg: <https://w3id.org/reqap-kg/parse#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix ex: <urn:ex:> .
ex:r a sh:SPARQLRule ; rdfs:label "r" ; sh:order 1 ; pg:trigger ex:p ;
  sh:construct '''CONSTRUCT {{ $this pg:x ?o }} WHERE {{ $this pg:y ?o {rule} }}''' .
ex:p a pg:Pattern ; rdfs:label "p" ; pg:kind pg:Filter ; pg:extract "zebra" ; pg:output "v" ;
  pg:compute '''BIND(1 AS ?v) {compute}''' .
"""
HOSTILE = [
    "FILTER(true)SERVICE <URL> {{ ?a ?b ?c }}",
    "SERVICE <URL> {{ ?a ?b ?c }}",
    "}} SERVICE <URL> {{ ?a ?b ?c",
    "FILTER(trueSERVICE<URL>{{}})",
]


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("place", ["rule", "compute"])
def test_rules_of_others(
    listener: Listener, tmp_path: Path, hostile: str, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = {
        "rule": "",
        "compute": "",
        place: hostile.replace("{{", "{").replace("}}", "}").replace("URL", listener.address),
    }
    text = RULES.format(**said)
    with pytest.raises(RuleError):
        load_rulebook([("shared.ttl", text)])
    path = tmp_path / "shared.ttl"
    path.write_text(text, encoding="utf-8")
    assert run(["rules", "check", str(path)]) != 0
    assert str(path) in capsys.readouterr().err
    assert listener.heard == []


@pytest.mark.parametrize(
    "fragment", ["} } OPTIONAL { {", "BIND(1 AS ?w) } { BIND(2 AS ?u)", "} UNION {", ") AS ?q) BIND((1", "# x }"]
)
def test_a_fragment_that_closes_what_it_did_not_open(fragment: str) -> None:
    text = RULES.format(rule="", compute=fragment)
    if fragment.startswith("#"):
        load_rulebook([("shared.ttl", text)])
    else:
        with pytest.raises(RuleError):
            load_rulebook([("shared.ttl", text)])
