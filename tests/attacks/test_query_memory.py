"""No query takes the machine's memory: texts that double, rows that multiply, in queries and in rules."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from reqap_kg.store.queries.deadline import MOST_BYTES

PREFIXES = """@prefix pg: <https://w3id.org/reqap-kg/parse#> . @prefix ex: <https://example.org/own#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
MEASURED = """
import resource, sys
from reqap_kg.cli.app import run
code = run(sys.argv[1:])
print("PEAK", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
sys.stdout.flush()
import os; os._exit(code)
"""
WALLED = """
from reqap_kg.store.queries.deadline import wall_memory
import os
wall_memory()
whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
try:
    bytearray(whole + 2**30)
except MemoryError:
    print("WALLED")
"""
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="measures a child process as Linux does")


def doubling(times: int) -> str:
    texts = "".join(f" BIND(CONCAT(?v{n}, ?v{n}) AS ?v{n + 1})" for n in range(times))
    return f'BIND("xxxxxxxxxxxxxxxx" AS ?v0){texts}'


def replacing(times: int) -> str:
    text = '"x"'
    for _ in range(times):
        text = f'REPLACE({text}, "x", "xxxxxxxxxx")'
    return text


def multiplying(times: int) -> str:
    digits = " ".join(f'"{n}{"y" * 200}"' for n in range(10))
    return " ".join(f"VALUES ?d{n} {{ {digits} }}" for n in range(times))


_ALL = ", ".join(f"?d{n}" for n in range(8))
QUERIES = {
    "doubling": f"SELECT (STRLEN(?v40) AS ?n) {{ {doubling(40)} }}",
    "replacing": f"SELECT (STRLEN({replacing(14)}) AS ?n) {{}}",
    "joining": f'SELECT (STRLEN(GROUP_CONCAT(?d0; SEPARATOR="{"z" * 1000}")) AS ?n) {{ {multiplying(8)} }}',
    "sorting": f"SELECT * {{ {multiplying(8)} BIND(CONCAT({_ALL}) AS ?t) }} ORDER BY ?t",
}


def _run(*arguments: str) -> tuple[int, int, str]:
    """Exit code, peak of memory in bytes, and what was said."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *arguments], capture_output=True, text=True, timeout=300, check=False
    )
    peaks = [int(line.split()[1]) for line in done.stdout.splitlines() if line.startswith("PEAK ")]
    return done.returncode, peaks[0] if peaks else -1, done.stderr


def _needs_memory() -> None:
    free = int(Path("/proc/meminfo").read_text(encoding="ascii").split("MemAvailable:")[1].split()[0]) * 1024
    if free < 3 * MOST_BYTES:
        pytest.skip(f"needs {3 * MOST_BYTES // 2**30} GiB of free memory")


@pytest.mark.parametrize("name", QUERIES)
def test_a_query_is_stopped(name: str, demo_store: Path, full_attack: bool) -> None:
    if name != "doubling" and not full_attack:
        pytest.skip("with --attacks full")
    _needs_memory()
    code, peak, said = _run("sparql", QUERIES[name], "--store", str(demo_store), "--timeout", "250")
    assert (code, "more than 2 GiB of memory" in said) == (1, True), said
    assert 0 < peak < 3 * MOST_BYTES


def test_a_rule_is_stopped_when_it_is_checked(tmp_path: Path) -> None:
    _needs_memory()
    rule = tmp_path / "rule.ttl"
    rule.write_text(
        f'{PREFIXES} ex:a a pg:Pattern ; rdfs:label "x" ; pg:kind pg:Filter, pg:TimeRange ; pg:extract "in the zeit" ;'
        f' pg:output "begin", "note" ; pg:compute """{doubling(40)} BIND(STRLEN(?v40) AS ?begin)""" .'
    )
    code, peak, said = _run("rules", "check", str(rule))
    assert code != 0
    assert "stopped" in said, said
    assert 0 < peak < 3 * MOST_BYTES


@pytest.mark.smoke
def test_what_runs_on_meets_a_wall() -> None:
    done = subprocess.run([sys.executable, "-c", WALLED], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "WALLED\n"
