"""What only follows from another mistake: a name that is written wrongly in one place is missing in another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from ...planner.authoring.findings import Finding, Severity
from .parts import Parts


def without_consequences(parts: Parts) -> Iterator[Finding]:
    """The findings without those that `Parts.follows` marks, where another is told of what they are about: in what is
    said of it, or since it is what a wrong name most likely means."""
    meant = {finding.nearest for finding in parts.findings if finding.nearest}
    wrong: dict[tuple[str, int], list[Finding]] = defaultdict(list)
    for finding in parts.findings:
        if finding.place is not None and finding.severity == Severity.ERROR and finding not in parts.follows:
            wrong[finding.place.path or "", finding.place.line].append(finding)
    for finding in parts.findings:
        about, wanted = parts.follows.get(finding, (None, None))
        causes = (other for at in _lines(about, parts) for other in wrong.get(at, ()))
        if about is None or not (
            (wanted is None and parts.short(about) in meant)
            or any(wanted is None or other.nearest == wanted for other in causes)
        ):
            yield finding


def _lines(iri: str | None, parts: Parts) -> set[tuple[str, int]]:
    """The lines on which something is said of a thing."""
    places = (place for one in parts.by_subject.get(iri or "", ()) for place in (one.place, one.predicate_place))
    return {(place.path or "", place.line) for place in places if place is not None}
