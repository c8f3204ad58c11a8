"""Hostile texts of trees: refused or read within a second, never run, never a traceback, never a change of the query.

FUZZ_TREES=1 tries 10,000 mutations instead of 1,000.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterator
from dataclasses import fields
from datetime import datetime
from time import process_time

import pyoxigraph
import pytest

from reqap_kg.compiler.compile import compile_tree
from reqap_kg.errors import TreeSyntaxError, TreeTypeError
from reqap_kg.operators.checking.checking import check_tree
from reqap_kg.operators.expressions import Attribute, Expression, Literal
from reqap_kg.operators.nodes import Extract, Node, queries, walk
from reqap_kg.operators.resolution import AttributeMatch, ClassMatch, Constraint, Resolution
from reqap_kg.operators.syntax.limits import MAX_ATTRIBUTES
from reqap_kg.operators.syntax.text import format_tree, parse_tree, read_tree

NOW = datetime(2025, 3, 1, 12)
ROUNDS = 10_000 if os.environ.get("FUZZ_TREES") else 1_000
SECONDS = 4.0
RUNS = 'EXTRACT(l=RETRIEVE(query="runs"), attr_names=["km", "tags", "day"], attr_types=[float, list, date])'
VALID = [
    f'SUM(l={RUNS}, attr_name="km")',
    f"FILTER(l={RUNS}, filter=lambda a: a['day'].year == 2024 and a['km'] >= 3.5 or not a['tags'])",
    f'FILTER(l={RUNS}, filter=lambda a: any("x" in t.lower() for t in a["tags"]))',
    f'MAP(l=GROUP_BY(l={RUNS}, attr_names=["day"]), fct=lambda g: sum(e["km"] for e in g) / len(g), res_name="n")',
    f'APPLY(l={RUNS}, fct=lambda l: sorted(l, key=lambda e: e["km"], reverse=True)[:3])',
    f'ARGMAX(l=UNNEST(l={RUNS}, nested_attr_name="tags"), arg_attr_name="km", val_attr_name="tags")',
    f"JOIN(l1={RUNS}, l2={RUNS}, condition=\"i1.day <= i2.day and i1.km == i2.km\")",
    'FILTER(l=RETRIEVE("a"), filter=lambda e: e["start_date"] > MAX(l=RETRIEVE("b"), attr_name="end_date").result)',
    f'MAP(l={RUNS}, fct=lambda e: str(e["km"]) + e["day"].strftime("%Y"), res_name="m")',
    f"FILTER(l={RUNS}, filter=lambda e: e['day'] >= date.today() - relativedelta(months=6, days=1))",
]  # fmt: skip
PIECES = [
    *"()[]{}\"'\\#,.:=<>+-*/%|&^~@!?;`\n\t\0 ",
    *("__import__('os').system('x')", "lambda", "and", "or", "not", "in", "is", "None", "True", "if", "else", "for"),
    *("(" * 50, ")" * 50, "9" * 40, "1e400", "0x" + "f" * 30, "10**10**10", "**", "//", ":=", "...", "yield", "await"),
    *("\ud800", "\u202e", "\ufeff", "ａ", "𝐒𝐔𝐌", "“", "”", "’", "é" * 20, "x" * 400, "'''", '"""', "```", "{{", "}}"),
    *(".result", ".__class__", "[0]", "[-1]", "[::2]", "['x']", "*args", "**kw", "f'{x!r:>{9}}'", "b'x'", "1j"),
    *('"; DROP ALL #', "> } SERVICE <http://x/> {", "?e", "<http://x>", "$x", "%%", "\\u0022", "UNION", "} }"),
]  # fmt: skip


def mutated(text: str, dice: random.Random) -> str:
    """The text with one to four changes: a piece left out, doubled, moved, replaced or put in."""
    for _ in range(dice.randint(1, 4)):
        start = dice.randrange(len(text) + 1)
        end = min(len(text), start + dice.choice([0, 1, 1, 2, 5, 20, 80]))
        cut, other = text[start:end], dice.choice(VALID)
        at = dice.randrange(len(other))
        made = dice.choice(
            ["", cut * 2, cut[::-1], dice.choice(PIECES), other[at : at + dice.choice([1, 5, 40])], cut.upper()]
        )
        text = text[:start] + made + text[end:]
    return text


def mutations() -> Iterator[str]:
    dice = random.Random(20250301)
    for _ in range(ROUNDS):
        yield mutated(dice.choice(VALID), dice)


def outcome(text: str) -> Node | None:
    """The tree of a text, which must round-trip, or None where it is refused as it should be; within seconds."""
    begin = process_time()
    tree, refusal = None, None
    try:
        tree = read_tree(text).node
    except TreeSyntaxError as bad:
        refusal = bad
    assert process_time() - begin < SECONDS
    if refusal is not None:
        assert refusal.place is not None
        assert refusal.expected
    if tree is not None:
        assert parse_tree(format_tree(tree)) == tree
    return tree


def resolution_of(tree: Node) -> Resolution:
    """Every query as a class, every attribute as a property: what stands in the text gets into the query."""
    asked = {query for node in walk(tree) for query in queries(node)}
    names = {name for node in walk(tree) if isinstance(node, Extract) for name in node.names}
    match = ClassMatch(("http://e.test/C",), (Constraint("http://e.test/p", tuple(sorted(asked))),))
    held = AttributeMatch(("http://e.test/v",))
    return Resolution(
        tuple((query, match) for query in asked), tuple(((query, name), held) for query in asked for name in names)
    )


def compiled(tree: Node) -> list[str]:
    """The queries that a tree becomes, none where it is refused as it should be; within seconds."""
    begin = process_time()
    try:
        check_tree(tree)
        found = compile_tree(tree, resolution_of(tree), NOW)
    except TreeTypeError:
        return []
    finally:
        assert process_time() - begin < SECONDS
    return [text for text in (found.sparql, found.evidence) if text is not None]


STORE = pyoxigraph.Store()
LITERALS = re.compile(r'"(?:[^"\\\n]|\\.)*"|<[^<>"{}|^`\\\s]*>')
KEYWORDS = re.compile(
    r"(?<![?\w])(SERVICE|LOAD|INSERT|DELETE|DROP|CLEAR|CREATE|DESCRIBE|CONSTRUCT|ASK|FROM|NAMED|GRAPH|WITH)\b", re.I
)


def assert_harmless(sparql: str) -> None:
    """Parses, reads only, and holds no IRI but ours."""
    STORE.query(sparql)
    outside = LITERALS.sub(" ", sparql)
    assert not KEYWORDS.search(outside)
    assert '"' not in outside
    assert "\\" not in outside
    for iri in re.findall(r"<([^<>\s]*)>", re.sub(r'"(?:[^"\\\n]|\\.)*"', " ", sparql)):
        assert iri.startswith(("http://e.test/", "https://w3id.org/reqap-kg/", "http://www.w3.org/")), iri


def test_mutations_of_valid_trees_are_refused_or_read() -> None:
    read = 0
    for text in mutations():
        tree = outcome(text)
        if tree is not None:
            read += 1
            for sparql in compiled(tree):
                assert_harmless(sparql)
    assert read > ROUNDS / 50


@pytest.mark.parametrize("text", VALID)
def test_what_is_mutated_compiles(text: str) -> None:
    tree = outcome(text)
    assert tree is not None
    for sparql in compiled(tree):
        assert_harmless(sparql)


def condition(text: str) -> str:
    return f'FILTER(l=RETRIEVE(query="a"), filter=lambda e: {text})'


REFUSED = [
    '__import__("os").system("touch /tmp/x")',
    condition('__import__("os").system("x")'),
    condition('e.__class__.__mro__[1].__subclasses__()'),
    condition('e["x"].__class__ == 3'),
    condition("().__class__.__bases__[0].__subclasses__()"),
    condition('getattr(e, "__class__")'),
    condition('eval("1")'),
    condition('exec("1")'),
    condition('open("/etc/passwd").read()'),
    condition("globals()"),
    condition('(lambda: e)() == 3'),
    condition('(x := e["a"]) > 3'),
    condition('[e := 3][0]'),
    condition('e["x"].format(e)'),
    condition('"{0.__class__}".format(e)'),
    condition('f"{e.__class__}"'),
    condition("f\"{e['x']:{e['y']}}\""),
    condition("f\"{e['x']!r}\""),
    condition("f\"{e['x']:>99999999999}\""),
    condition("f\"{e['x']:.99999999f}\""),
    condition("lambda: 3"),
    condition("await e"),
    condition("(yield)"),
    condition("print(e)"),
    condition("1e999 > 3"),
    condition("1j == e"),
    condition("b'x' in e"),
    condition("... == e"),
    condition("9" * 5_000 + " > 3"),
    condition("0x" + "f" * 40_000 + " > 1"),
    condition("*e"),
    condition("max(*e)"),
    condition("dict(**e)"),
    "QUD(*['a'])",
    "QUD(**{'question': 'a'})",
    "(" * 100_000,
    "[" * 30_000 + "]" * 10,
    "not " * 12_000,
    "-" * 49_000,
    "~" * 49_000,
    "lambda:" * 7_000,
    "lambda x:" * 5_000,
    "a if b else " * 4_000 + "c",
    condition("not " * 5_000 + "e"),
    condition("-" * 5_000 + "e"),
    condition("- " * 5_000 + "e"),
    condition("e" + ".year" * 5_000),
    condition("e" + "[0]" * 5_000),
    condition("e" + ".lower()" * 5_000),
    condition("e" + " + e" * 5_000),
    condition("e" + " ** e" * 5_000),
    condition("e" + " % e" * 5_000),
    condition("(" * 90 + "lambda x: " * 3_000 + "x" + ")" * 90),
    condition("lambda a: " * 4_000 + "a"),
    condition("[x for x in " * 90 + "e" + "]" * 90 + " and " + "-" * 2_000 + "e"),
    condition("e == '" + "x" * 60_000 + "'"),
    "SUM(" * 150 + 'QUD("a")' + ', "x")' * 150,
    "SUM(" * 10_000,
    'QUD("a"' + ")" * 40_000,
    "QUD('a" * 8_000,
    "“" * 49_000,
    "‘a’b" * 12_000,
    "`" * 49_000,
    "```\n" * 12_000,
    " " * 49_990,
    "\n" * 49_990,
    "a:" * 24_000,
    "a=" * 24_000,
    '"""\\' * 12_000,
    "'\\\n" * 16_000,
    '# "\n' + "(" * 40_000,
    "{" * 49_000,
    "{{ " * 60 + 'QU("a")' + " }}" * 60,
    "x" * 100_000,
    "\x00",
    'QUD("a")\x00',
    "\ud800",
    'QUD("\ud800")',
    'QUD("\\ud800")',
    'MAP(l=QUD("a"), fct=len, res_name="\\ud800")',
    'EXTRACT(l=QUD("a"), attr_names=["x"], attr_types=[' + "x." * 20_000 + "y])",
    'EXTRACT(l=QUD("a"), attr_names=["x"], attr_types=[' + "list[" * 90 + "str" + "]" * 90 + ", int])",
    'EXTRACT(l=QUD("a"), attr_names="' + "a, " * 300 + 'a", attr_types=[str])',
]  # fmt: skip


@pytest.mark.parametrize("text", REFUSED, ids=range(len(REFUSED)))
def test_what_is_outside_the_algebra_is_refused_in_time(text: str) -> None:
    assert outcome(text) is None


HEAVY = [
    condition("e['start_date']" + " < e['start_date']" * 1_000),
    condition("e['start_date'] in [" + "e['start_date'], " * 1_000 + "]"),
    condition(" and ".join(["e['start_date'].year == 2024"] * 1_000)),
    'EXTRACT(l=RETRIEVE(query="a"), attr_names="' + "a, " * 15_000 + '", attr_types=[str])',
    condition("len(range(1000000000000)) > 3"),
    condition("sum(x * y for x in range(99999) for y in range(99999)) > 3"),
    condition("round(1.5, 1000000000) > 1"),
    condition("date(9999, 12, 31) + timedelta(days=1000000000000) > e['start_date']"),
    condition("date.today() + relativedelta(years=1000000) > e['start_date']"),
    condition("int('9' * 4000) > 3"),
    condition("float('1e999999999') > 3"),
]


@pytest.mark.parametrize("text", HEAVY)
def test_what_would_be_heavy_to_compute_is_not_computed(text: str) -> None:
    tree = outcome(text)
    if tree is not None:
        for sparql in compiled(tree):
            assert len(sparql) < 1_000_000
            assert_harmless(sparql)


INJECTIONS = [
    '" } SERVICE <http://evil.test/> { ?s ?p ?o } #',
    "' . } ; DROP ALL #",
    '\\" ) } INSERT { ?s ?p ?o } #',
    "> <http://evil.test/> ?p . ?x <",
    "?s ?p ?o . } UNION { ?a ?b ?c",
    "}} # \n ASK {",
    'x" ^^ <http://evil.test/>',
    "line\nbreak\r\ttab",
    "\\u0022 } DELETE {",
    "{{ config }} {% raw %}",
    "\x00\x01\x1f\x7f\u2028",
    "$x @en %41 ^ | * + ?",
    "a" * 30_000,
    "\U0001f600 é ﷽ \u202e",
]
POSITIONS = [
    "RETRIEVE(query={0})",
    "RETRIEVE(query={0}, l=RETRIEVE(query={0}))",
    'EXTRACT(l=RETRIEVE(query="a"), attr_names=[{0}], attr_types=[str])',
    'EXTRACT(l=RETRIEVE(query="a"), attr_names=[{0}], attr_types=[list])',
    'GROUP_BY(l=EXTRACT(l=RETRIEVE(query="a"), attr_names=[{0}], attr_types=[str]), attr_names=[{0}])',
    'MAP(l=GROUP_BY(l=EXTRACT(l=RETRIEVE(query="a"), attr_names=[{0}], attr_types=[str]), attr_names=[{0}]), '
    'fct=len, res_name="n")',
    'MAP(l=RETRIEVE(query="a"), fct=lambda e: e["start_date"].year, res_name={0})',
    'MAP(l=RETRIEVE(query="a"), fct=lambda e: {0}, res_name="m")',
    'FILTER(l=EXTRACT(l=RETRIEVE(query="a"), attr_names=[{0}], attr_types=[str]), filter=lambda e: e[{0}] == {0})',
    'FILTER(l=EXTRACT(l=RETRIEVE(query="a"), attr_names=["x"], attr_types=[str]), '
    'filter=lambda e: {0} in e["x"].lower() or e["x"].startswith({0}) or e["x"] in [{0}, "b"])',
    'FILTER(l=EXTRACT(l=RETRIEVE(query="a"), attr_names=["x"], attr_types=[list]), '
    'filter=lambda e: any({0} in p for p in e["x"]) and {0} in e["x"])',
    'UNNEST(l=EXTRACT(l=RETRIEVE(query="a"), attr_names=[{0}], attr_types=[list]), nested_attr_name={0}, '
    "unnested_attr_name={0})",
    'ARGMAX(l=EXTRACT(l=RETRIEVE("a"), attr_names=[{0}], attr_types=[str]), arg_attr_name={0}, val_attr_name={0})',
    'MAX(l=EXTRACT(l=RETRIEVE(query="a"), attr_names=[{0}], attr_types=[str]), attr_name={0})',
    'JOIN(l1=EXTRACT(l=RETRIEVE(query="a"), attr_names=["x"], attr_types=[str]), '
    'l2=EXTRACT(l=RETRIEVE(query="b"), attr_names=["x"], attr_types=[str]), '
    "condition=lambda i1, i2: i1.x + {0} == i2.x)",
    'FILTER(l=RETRIEVE(query="a"), filter=lambda e: e["start_date"].strftime({0}) == {0})',
]  # fmt: skip


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("evil", INJECTIONS, ids=range(len(INJECTIONS)))
def test_texts_stay_texts_in_the_query(position: str, evil: str) -> None:
    quoted = '"' + "".join(f"\\U{ord(sign):08x}" if sign in '"\\\n\r\0' else sign for sign in evil) + '"'
    tree = outcome(position.replace("{0}", quoted))
    assert tree is None or evil in texts(tree)
    if tree is not None:
        for sparql in compiled(tree):
            assert_harmless(sparql)


def texts(tree: Node) -> set[str]:
    """All texts in a tree."""
    found: set[str] = set()
    pending: list[object] = [tree]
    while pending:
        at = pending.pop()
        if isinstance(at, str):
            found.add(at)
        elif isinstance(at, tuple):
            pending.extend(at)
        elif isinstance(at, Node | Expression):
            pending.extend(getattr(at, held.name) for held in fields(at))  # type: ignore[arg-type]
    return found


def test_names_are_compared_as_python_reads_them() -> None:
    """Python reads ｅ as e (NFKC); what is printed is read back, and a name cannot hide another."""
    tree = outcome('FILTER(l=RETRIEVE(query="a"), filter=lambda ｅ: e["start_date"].year == 2024)')
    assert tree == parse_tree(condition('e["start_date"].year == 2024'))
    assert outcome("ＦＩＬＴＥＲ(l=RETRIEVE(query='a'), filter=lambda e: e.__ｃlass__)") is None
    assert outcome('JOIN(l1=QUD("a"), l2=QUD("b"), condition="ｉ1.x == i2.ｘ")') == parse_tree(
        'JOIN(l1=QUD("a"), l2=QUD("b"), condition="i1.x == i2.x")'
    )


def test_texts_of_expressions_may_be_long_but_not_endless() -> None:
    assert outcome(condition(" or ".join(f'e["start_date"].year == {year}' for year in range(1_000)))) is not None
    assert Literal("x" * 1_000_000) == Literal("x" * 1_000_000)
    assert isinstance(Attribute(Literal("x"), "y"), Expression)


def test_a_tree_of_too_many_attributes_is_refused():
    def extract(inner, *numbers):
        names, types = ", ".join(f'"k{n}"' for n in numbers), ", ".join("str" for _ in numbers)
        return f"EXTRACT(l={inner}, attr_names=[{names}], attr_types=[{types}])"

    leaf = 'RETRIEVE(query="x")'
    assert parse_tree(extract(leaf, *range(MAX_ATTRIBUTES)))
    for tree in (extract(leaf, *range(MAX_ATTRIBUTES + 1)), extract(extract(leaf, *range(90)), *range(90, 101))):
        with pytest.raises(TreeSyntaxError, match="attributes are too many"):
            parse_tree(tree)
