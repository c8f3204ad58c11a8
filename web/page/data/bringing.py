"""What files would bring, and what an import brought: the report of either as rows, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ....engine.answers.sentence import source_in_words
from .sources import LeftOut, label_of, short_path

_REASONS: Final = 2
"""Reasons that a row says; the rest is one click away."""
_MAPPABLE: Final = frozenset({"csv", "tsv", "json", "jsonl", "ndjson", "xml"})
_CHANGES: Final = ("new", "replaced")


@dataclass(frozen=True)
class Brought:
    """One source of an import. `new` and `known` count events; `gone` those that the store has now and the files do not
    have. `withheld` says why it is not imported."""

    name: str
    title: str
    kind: str
    new: int
    known: int
    gone: int
    left_out: int
    why: str
    state: str
    withheld: str
    told: tuple[str, ...]

    @property
    def changes(self) -> bool:
        """Whether an import changes it."""
        return self.state in _CHANGES


@dataclass(frozen=True)
class Report:
    """An import, or a dry run: its sources, files that cannot be read, and how many hold nothing personal."""

    sources: tuple[Brought, ...]
    refused: tuple[LeftOut, ...]
    ignored: int
    by_map: str = ""

    @property
    def changing(self) -> int:
        """How many sources change."""
        return sum(source.changes for source in self.sources)

    @property
    def mappable(self) -> tuple[str, ...]:
        """Names of files that cannot be read as they are, and that a map would read."""
        names = (one.path.replace("!", "/").rpartition("/")[2] for one in self.refused)
        return tuple(dict.fromkeys(name for name in names if name.rpartition(".")[2].casefold() in _MAPPABLE))

    @property
    def withheld(self) -> tuple[Brought, ...]:
        """Sources that would lose too much."""
        return tuple(source for source in self.sources if source.withheld)

    @property
    def one_format(self) -> bool:
        """Whether all files are of one format, so that one name can be given to them."""
        return len({source.kind for source in self.sources}) == 1


def report_of(end: Mapping[str, Any], by_map: str = "") -> Report:
    """The report of a stage that ended with one."""
    told = end.get("report") or {}
    compared = end.get("compared") or {}
    sources = tuple(_source(one, compared.get(one["name"], {})) for one in told.get("sources", ()))
    refused = tuple(LeftOut(one["path"], "", one["reason"], 1) for one in told.get("refused", ()))
    return Report(sources, refused, len(told.get("ignored", ())), by_map)


def left_out_of(end: Mapping[str, Any], name: str | None) -> list[LeftOut]:
    """All that was left out of a source; of no source, the files that cannot be read."""
    told = end.get("report") or {}
    if name is None:
        return [LeftOut(one["path"], "", one["reason"], 1) for one in told.get("refused", ())]
    for source in told.get("sources", ()):
        if source["name"] == name:
            unread = [_left_out(one, f"kept without {one['key']}: ") for one in source.get("unread", ())]
            return [*(_left_out(one) for one in source["skipped"]), *unread]
    return []


def _source(told: Mapping[str, Any], counts: Mapping[str, int]) -> Brought:
    skipped = told["skipped"]
    return Brought(
        told["name"],
        source_in_words(told["name"]),
        label_of(told["format"], told["name"]),
        counts.get("new", told["events"]),
        counts.get("known", 0),
        counts.get("gone", 0),
        sum(one["count"] for one in skipped),
        reasons_in_words(skipped),
        told["state"],
        told.get("withheld") or "",
        tuple(told.get("warnings", ())),
    )


def reasons_in_words(skipped: Sequence[Mapping[str, Any]]) -> str:
    """Why records were left out, the most frequent reason first; of one record, where it stands, too."""
    counts: dict[str, int] = {}
    for one in skipped:
        counts[one["reason"]] = counts.get(one["reason"], 0) + one["count"]
    if len(skipped) == 1 and skipped[0]["count"] == 1:
        return ": ".join(filter(None, (short_path(skipped[0]["path"]), skipped[0]["reason"])))
    ordered = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    said = [f"{reason} ({count:,})" if len(ordered) > 1 else reason for reason, count in ordered[:_REASONS]]
    more = len(ordered) - _REASONS
    return ", ".join([*said, *([f"{more:,} more reasons" if more > 1 else "1 more reason"] if more > 0 else [])])


def _left_out(told: Mapping[str, Any], before: str = "") -> LeftOut:
    return LeftOut(told["path"], told["where"], before + told["reason"], told["count"])
