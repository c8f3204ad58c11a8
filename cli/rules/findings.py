"""What checks tell, for programs."""

from __future__ import annotations

from typing import Any

from ...planner.authoring.findings import Finding


def finding_as_json(finding: Finding) -> dict[str, Any]:
    """A finding with its place; what is not known is null."""
    place = finding.place
    return {
        "severity": str(finding.severity),
        "path": place.path if place else None,
        "line": place.line if place else None,
        "column": place.column if place else None,
        "message": finding.message,
        "expected": finding.expected,
        "nearest": finding.nearest,
    }
