"""How far answers can be trusted: `python -m reqap_kg.bench.trust SUITE DIR PREDICTIONS [SUITE DIR PREDICTIONS ...]`

Reads what `reqap-kg bench run` or `bench.net` wrote, with its traces. Prints, over all questions, the share that is
answered wrongly without a word of doubt, the precision of what is answered without one, Hit@1, the expected calibration
error and RS(10) (a right answer that is sure, or declining what has no answer, counts 1; a wrong one that is sure −10;
TrustSQL, arXiv 2403.15879); then how often answers of each probability were right, and how much is wrong of the answers
from each probability on, for answers by records and by texts apart. `--svg FILE` draws both.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from ..evaluation.metrics import scored
from ..evaluation.running import trace_of
from ..evaluation.suites import suite_called
from ..evaluation.suites.base import Options, lines_of

BINS: Final = 6
PENALTY: Final = 10
BASES: Final = ("records", "told")
THRESHOLDS: Final = (0.0, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True)
class Said:
    """One question: whether its answer is right, whether one was given and in doubt, and how likely it was said to
    be."""

    right: bool
    given: bool
    doubted: bool
    probability: float
    basis: str
    has_answer: bool


def said_of(suite: str, folder: Path, predictions: Path) -> Iterator[Said]:
    """The questions of a suite, as a run answered them."""
    traces = {str(row["id"]): row for row in lines_of(trace_of(predictions)) if "id" in row}
    gold = {item.id: item for item in suite_called(suite).gold(folder, Options())}
    judged = scored(suite_called(suite), folder, [predictions], Options()).systems[0].judged
    for id_, found in judged.items():
        trace = traces.get(id_, {})
        likely, basis = float(trace.get("probability", 0.0)), str(trace.get("basis", BASES[0]))
        has_answer = bool(gold[id_].row.get("answer"))
        yield Said(found.hit == 1, found.given, found.doubted, likely, basis, has_answer)


def shares(said: Sequence[Said]) -> Iterator[tuple[str, float]]:
    """The figures by name."""
    count, given = len(said), [one for one in said if one.given]
    sure = [one for one in given if not one.doubted]
    silent = sum(not one.right for one in sure)
    trusted = sum(one.right for one in sure) + sum(not one.given and not one.has_answer for one in said)
    yield "questions", float(count)
    yield "Hit@1", sum(one.right for one in said) / count
    yield "answered", len(given) / count
    yield "precision", sum(one.right for one in given) / (len(given) or 1)
    yield "answered without doubt", len(sure) / count
    yield "precision without doubt", sum(one.right for one in sure) / (len(sure) or 1)
    yield "silent errors", silent / count
    yield "expected calibration error", calibration_error(given)
    yield "RS(10)", (trusted - PENALTY * silent) / count


class Rated(Protocol):
    """An answer that was given."""

    @property
    def probability(self) -> float:
        """How likely it was said to be right."""
        ...

    @property
    def right(self) -> bool:
        """Whether it is."""
        ...


def bins(given: Sequence[Rated]) -> list[tuple[float, float, int]]:
    """Bins of equal size, least likely first: mean probability, share right, how many."""
    ordered = sorted(given, key=lambda one: one.probability)
    parts = [ordered[len(ordered) * at // BINS : len(ordered) * (at + 1) // BINS] for at in range(BINS)]
    return [
        (sum(one.probability for one in part) / len(part), sum(one.right for one in part) / len(part), len(part))
        for part in parts
        if part
    ]


def calibration_error(given: Sequence[Rated]) -> float:
    """How far what is said of answers is from how often they are right, in the mean."""
    return sum(abs(likely - right) * count for likely, right, count in bins(given)) / (len(given) or 1)


def risks(given: Sequence[Said]) -> Iterator[tuple[float, float, float]]:
    """From which probability on, the share of answers that is kept, and what of these is wrong."""
    for least in THRESHOLDS:
        kept = [one for one in given if one.probability >= least]
        if kept:
            yield least, len(kept) / len(given), sum(not one.right for one in kept) / len(kept)


def drawn(said: Sequence[Said]) -> str:
    """Both curves as SVG: left probability against share right, right the share kept against what of it is wrong."""
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 520 250" font-family="sans-serif" font-size="10">']
    for left, across, up in ((30, "probability said", "share right"), (290, "answers kept", "of these wrong")):
        parts.append(f'<rect x="{left}" y="20" width="200" height="200" fill="none" stroke="#999"/>')
        parts.append(f'<text x="{left + 100}" y="240" text-anchor="middle">{across}</text>')
        parts.append(f'<text x="{left}" y="14">{up}</text>')
    parts.append('<line x1="30" y1="220" x2="230" y2="20" stroke="#ccc"/>')
    for basis, colour in zip(BASES, ("#1b6ca8", "#c4521f"), strict=True):
        given = [one for one in said if one.given and one.basis == basis]
        curves = ((30, [(x, y) for x, y, _ in bins(given)]), (290, [(kept, wrong) for _, kept, wrong in risks(given)]))
        for left, points in curves:
            line = " ".join(f"{left + 200 * x:.1f},{220 - 200 * y:.1f}" for x, y in points)
            parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="{40 if basis == BASES[0] else 120}" y="34" fill="{colour}">by {basis}</text>')
    return "\n".join([*parts, "</svg>\n"])


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(prog="python -m reqap_kg.bench.trust", description=__doc__)
    parser.add_argument("runs", nargs="+", help="SUITE DIR PREDICTIONS, as often as there are runs")
    parser.add_argument("--svg", type=Path, help="draw the curves")
    asked = parser.parse_args()
    if len(asked.runs) % 3:
        parser.error("each run is a SUITE, its DIR and its PREDICTIONS")
    runs = zip(asked.runs[::3], asked.runs[1::3], asked.runs[2::3], strict=True)
    said = [one for suite, folder, file in runs for one in said_of(suite, Path(folder), Path(file))]
    print("| what | value |\n|---|---|")
    for name, value in shares(said):
        print(f"| {name} | {value:.3f} |" if name != "questions" else f"| {name} | {value:.0f} |")
    for basis in BASES:
        given = [one for one in said if one.given and one.basis == basis]
        print(f"| by {basis} ({len(given)}): probability / right | {_pairs((x, y) for x, y, _ in bins(given))} |")
        print(f"| by {basis}: kept / of these wrong | {_pairs((kept, wrong) for _, kept, wrong in risks(given))} |")
    if asked.svg is not None:
        asked.svg.write_text(drawn(said), encoding="utf-8")


def _pairs(found: Iterator[tuple[float, float]]) -> str:
    return ", ".join(f"{one:.2f}/{other:.2f}" for one, other in found)


if __name__ == "__main__":
    main()
