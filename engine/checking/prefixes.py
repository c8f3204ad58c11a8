"""Prefixes that stand for another namespace than elsewhere: each name that is written with one would be another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from ...ontology.namespaces import PREFIXES
from ...planner.authoring.findings import Finding
from .parts import ONTOLOGY, Parts

_DECLARED = r"(?i)(?:^|(?<=[\s.]))@?prefix\s+{}:\s*(<[^>\s]*>)"


def check_prefixes(parts: Parts) -> frozenset[str]:
    """Adds a finding for each prefix of the project that stands for something else, and each of the domain that stands
    for different namespaces in its files; these namespaces."""
    wrong: set[str] = set()
    meant = {prefix: iri for prefix, iri in _meant(parts)}
    for _, document in parts.documents:
        for prefix, iri in document.prefixes.items():
            if iri == meant.get(prefix, iri):
                continue
            wrong.add(iri)
            at = re.search(_DECLARED.format(re.escape(prefix)), document.text)
            place = document.place(at.start(1) if at else 0)
            parts.error(f"{prefix}: is <{iri}> here", place, f"<{meant[prefix]}>", expected=f"<{meant[prefix]}>")
    return frozenset(wrong)


def _meant(parts: Parts) -> Iterator[tuple[str, str]]:
    """What each prefix stands for: in the project, else in most files, the ontology's going first."""
    said: dict[str, Counter[str]] = {}
    for _, document in sorted(parts.documents, key=lambda one: one[0] != ONTOLOGY):
        for prefix, iri in document.prefixes.items():
            said.setdefault(prefix, Counter())[iri] += 1
    for prefix, counted in said.items():
        yield prefix, PREFIXES.get(prefix) or counted.most_common(1)[0][0]


def named_in(finding: Finding, namespaces: frozenset[str]) -> bool:
    """Whether a finding is about a name of one of these namespaces, or would put one right."""
    return any(f"<{iri}" in f"{finding.message} {finding.nearest}" for iri in namespaces)
