"""Short ways to write maps and run them, as the fixture `kit`."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from reqap_kg.mappings.rml import CompiledMap, load_map
from reqap_kg.sources.base import BadRecord

PREFIXES = """@prefix rml: <http://w3id.org/rml/> .
@prefix ev: <https://w3id.org/reqap-kg/event#> .
@prefix fn: <https://w3id.org/reqap-kg/function#> .
@prefix key: <https://w3id.org/reqap-kg/key/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix ex: <https://example.org/> .
"""


class Kit:
    """Maps in a few words. The home zone is Europe/Dublin, the base IRI https://example.org/."""

    home = ZoneInfo("Europe/Dublin")
    base = "https://example.org/"

    def load(self, turtle: str) -> CompiledMap:
        return load_map(PREFIXES + turtle, path="map.ttl", base_iri=self.base, home_zone=self.home)

    def stream(
        self, *pairs: str, iterator: str = "$", flags: str = "", name: str = "M", subject: str | None = None
    ) -> str:
        """One triples map on the record stream."""
        subject_map = subject or 'rml:template "https://example.org/{_id}"'
        body = " ; ".join([f"rml:subjectMap [ {subject_map} ]", *pairs])
        source = f'rml:source ev:Records ; rml:referenceFormulation rml:JSONPath ; rml:iterator "{iterator}"'
        return f"""<#{name}> a rml:TriplesMap ; {flags}
          rml:logicalSource [ {source} ] ;
          {body} .
        """

    def file(self, path: str, *pairs: str, form: str = "rml:JSONPath", iterator: str | None = "$", **more: str) -> str:
        """One triples map on a file; `more` are its name, subject map and further text of the logical source."""
        told = f'; rml:iterator "{iterator}"' if iterator is not None else ""
        subject_map = more.get("subject") or 'rml:template "https://example.org/{id}"'
        body = " ; ".join([f"rml:subjectMap [ {subject_map} ]", *pairs])
        return f"""<#{more.get("name", "M")}> a rml:TriplesMap ;
          rml:logicalSource [ rml:source "{path}" ; rml:referenceFormulation {form} {told} ] ;
          {body} .
        """

    def pair(self, predicate: str, object_map: str) -> str:
        return f"rml:predicateObjectMap [ rml:predicate {predicate} ; rml:objectMap [ {object_map} ] ]"

    def call(self, function: str, *inputs: tuple[str, str]) -> str:
        """A function execution; inputs are parameter names with term maps."""
        parts = [f"[ rml:parameter fn:{name} ; rml:inputValueMap [ {value} ] ]" for name, value in inputs]
        return f"rml:functionExecution [ rml:function fn:{function} ; rml:input {' , '.join(parts)} ]"

    def run(self, turtle: str, *records: Any, graph: str | None = None) -> tuple[set[str], list[BadRecord]]:
        """The lines a map makes of records, and what it kept out."""
        return self.split(list(self.load(turtle).map_records(list(records), graph=graph, source="test")))

    def run_files(self, turtle: str, folder: Path, **options: Any) -> tuple[set[str], list[BadRecord]]:
        return self.split(list(self.load(turtle).map_sources(folder, graph=None, **options)))

    def split(self, chunks: list[str | BadRecord]) -> tuple[set[str], list[BadRecord]]:
        text = "".join(chunk for chunk in chunks if isinstance(chunk, str))
        bad = [chunk for chunk in chunks if isinstance(chunk, BadRecord)]
        return {line.removesuffix(" .") for line in text.splitlines()}, bad

    def objects(self, turtle: str, *records: Any) -> list[str]:
        """The objects, sorted, of a map that keeps nothing out."""
        lines, bad = self.run(turtle, *records)
        assert bad == []
        return sorted(line.split(" ", 2)[2] for line in lines)


@pytest.fixture(scope="session")
def kit() -> Kit:
    return Kit()
