"""What only follows from another mistake: a name that is written wrongly in one place is missing in another."""

from __future__ import annotations

from collections import defaultdict

from ...planner.authoring.findings import Finding, Severity
from .parts import Parts


def without_consequences(parts: Parts) -> list[Finding]:
    """The findings without those that `Parts.follows` marks, where another is told of what they are about: in what is
    said of it, or since it is what a wrong name most likely means. Of two that may follow from each other the one that
    was found first stays."""
    kept = [finding for finding in parts.findings if finding not in parts.follows]
    meant = {finding.nearest for finding in kept if finding.nearest}
    wrong: dict[tuple[str, int], list[Finding]] = defaultdict(list)
    for finding in kept:
        if finding.place is not None and finding.severity == Severity.ERROR:
            wrong[finding.place.path or "", finding.place.line].append(finding)
    for finding in dict.fromkeys(one for one in parts.findings if one in parts.follows):
        about, wanted = parts.follows[finding]
        causes = (other for at in _lines(about, parts) for other in wrong.get(at, ()))
        is_meant = wanted is None and parts.short(about) in meant
        if not is_meant and not any(wanted is None or other.nearest == wanted for other in causes):
            kept.append(finding)
            meant |= {finding.nearest} - {None}
    return kept


def _lines(iri: str, parts: Parts) -> set[tuple[str, int]]:
    """The lines on which something is said of a thing."""
    places = (place for one in parts.by_subject.get(iri, ()) for place in (one.place, one.predicate_place))
    return {(place.path or "", place.line) for place in places if place is not None}
