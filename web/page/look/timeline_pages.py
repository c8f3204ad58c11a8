"""The pages of years and days."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ....engine.answers.sentence import source_in_words
from .addresses import chosen_in, chosen_pairs, day_at, day_in, is_fragment, number_in, with_query, year_at
from .day import SHOWN, Day, day_of
from .drawings import COLUMNS, HEIGHT, SIDE, STEP, halves
from .events import MOST
from .life import Chosen, Counts, Life, Looking
from .reading import Reading, fragment, shown

_PART: Final = "timeline"
_LAST_YEAR: Final = 9999


@dataclass(frozen=True)
class Chip:
    """A kind or source to which the year can be narrowed."""

    name: str
    word: str
    events: int
    on: bool
    at: str


@dataclass(frozen=True)
class TimelinePages:
    """Answers requests for the timeline."""

    looking: Looking

    async def latest(self, request: Request) -> Response:
        """The year of today, or the last one with events."""
        return await self._year(request, None)

    async def year(self, request: Request) -> Response:
        """A year as a calendar, and one of its days."""
        year = int(request.path_params["year"])
        if not 1 <= year <= _LAST_YEAR:
            raise HTTPException(404)
        return await self._year(request, year)

    async def day(self, request: Request) -> Response:
        """A day by itself."""
        day, chosen = day_in(request.path_params["day"]), chosen_in(request)
        found = await self.looking.read(lambda graph, life: _day(Reading(self.looking, graph, life), day, chosen))
        if found is None:
            return shown(self.looking, request, "empty.html.j2", _PART)
        return shown(self.looking, request, "day.html.j2", _PART, **_around(found, chosen, whole=True))

    async def run(self, request: Request) -> Response:
        """More events of a run that is unfolded."""
        day, chosen = day_in(request.path_params["day"]), chosen_in(request)
        first, begin = request.query_params.get("first", ""), number_in(request, "begin", MOST)
        found = await self.looking.read(lambda graph, life: _day(Reading(self.looking, graph, life), day, chosen))
        runs = [entry.run for entry in found.entries if entry.run is not None] if found is not None else []
        run = next((run for run in runs if run.first.iri == first), None)
        if run is None:
            raise HTTPException(404)
        values = {"run": run, "events": run.events[begin : begin + SHOWN], "begin": begin + SHOWN}
        return fragment(self.looking, "run.html.j2", more=_more_at(day, chosen), **values)

    async def _year(self, request: Request, year: int | None) -> Response:
        chosen, wanted = chosen_in(request), request.query_params.get("day")
        day = day_in(wanted) if wanted else None
        today = self.looking.pages.now().date()
        found = await self.looking.read(
            lambda graph, life: _read_year(Reading(self.looking, graph, life), year, day, chosen, today)
        )
        if found is None:
            return shown(self.looking, request, "empty.html.j2", _PART)
        if is_fragment(request) and found["day"] is not None:
            return fragment(self.looking, "day_part.html.j2", **found)
        return shown(self.looking, request, "year.html.j2", _PART, **found)


def _day(reading: Reading, day: str, chosen: Chosen) -> Day | None:
    if not reading.life.classes:
        return None
    return day_of(reading.graph, reading.life, reading.things, reading.names, reading.linked, day, chosen)


def _read_year(
    reading: Reading, year: int | None, day: str | None, chosen: Chosen, today: date
) -> dict[str, Any] | None:
    """The values of the template of a year; None where there are no events at all."""
    life = reading.life
    if not life.classes:
        return None
    meant = year or (int(day[:4]) if day else _meant_year(life, today))
    counts = reading.counts(meant)
    events = counts.by_day(chosen)
    shown_day = day or _meant_day(sorted(events), today)
    found = _day(reading, shown_day, chosen) if shown_day else None
    return {
        "year": meant,
        "timed": bool(life.days),
        "before": _beside(life, meant, chosen, -1),
        "after": _beside(life, meant, chosen, 1),
        "halves": halves(meant, events),
        "cell_at": lambda day: year_at(meant, chosen, day),
        "size": {"height": HEIGHT, "side": SIDE, "whole": COLUMNS * STEP},
        "kinds": _kind_chips(life, counts, meant, chosen, shown_day or ""),
        "sources": _source_chips(counts, meant, chosen, shown_day or ""),
        "narrowed_source": bool(chosen.sources),
        "events": counts.total(chosen),
        "all_at": year_at(meant, Chosen(), shown_day or ""),
        **_around(found, chosen, whole=False),
        **(
            _days_beside(sorted(events), shown_day, meant, chosen)
            if shown_day and (chosen.kinds or chosen.sources)
            else {}
        ),
    }


def _days_beside(days: list[str], day: str, year: int, chosen: Chosen) -> dict[str, Any]:
    """The days of a year before and after one, among those that have what is chosen."""
    before, after = days[: bisect_left(days, day)], days[bisect_right(days, day) :]
    return {
        "day_before": year_at(year, chosen, before[-1]) if before else None,
        "day_after": year_at(year, chosen, after[0]) if after else None,
        "dates_beside": (before[-1] if before else None, after[0] if after else None),
    }


def _around(day: Day | None, chosen: Chosen, *, whole: bool) -> dict[str, Any]:
    """The values of the template of a day: by itself (`whole`), or below its year."""

    def at(iso: str | None) -> str | None:
        if iso is None:
            return None
        return with_query(day_at(iso), chosen_pairs(chosen)) if whole else year_at(int(iso[:4]), chosen, iso)

    return {
        "day": day,
        "whole": whole,
        "chosen": bool(chosen.kinds or chosen.sources),
        "day_before": at(day.before) if day is not None else None,
        "day_after": at(day.after) if day is not None else None,
        "dates_beside": (day.before, day.after) if day is not None else (None, None),
        "more": _more_at(day.date, chosen) if day is not None else None,
        "batch": SHOWN,
    }


def _more_at(day: str, chosen: Chosen) -> Any:
    """Where more of a run of that day is: by its first event, and how many are there already."""

    def at(first: str, begin: int) -> str:
        return with_query(f"{day_at(day)}/run", [*chosen_pairs(chosen), ("first", first), ("begin", str(begin))])

    return at


def _meant_year(life: Life, today: date) -> int:
    """This year, or the last one before it with events; the first one where all is to come."""
    past = [year for year in life.years if year <= today.year]
    return past[-1] if past else life.years[0] if life.years else today.year


def _meant_day(days: list[str], today: date) -> str | None:
    """The last day with events that is not to come, else the first."""
    past = [day for day in days if day <= today.isoformat()]
    return past[-1] if past else days[0] if days else None


def _beside(life: Life, year: int, chosen: Chosen, step: int) -> tuple[int, str] | None:
    """The next year with events in a direction, and its address."""
    others = [one for one in life.years if (one - year) * step > 0]
    found = min(others, key=lambda one: abs(one - year), default=None)
    return None if found is None else (found, year_at(found, chosen))


def _kind_chips(life: Life, counts: Counts, year: int, chosen: Chosen, day: str) -> list[Chip]:
    words = {iri.rsplit("#", 1)[-1].rsplit("/", 1)[-1]: life.word(iri) for iri, _ in life.classes}
    return [
        Chip(kind, words.get(kind, kind), number, kind in chosen.kinds, year_at(year, _other(chosen, kind=kind), day))
        for kind, number in _with_chosen(counts.by_kind(chosen.sources), chosen.kinds)
    ]


def _source_chips(counts: Counts, year: int, chosen: Chosen, day: str) -> list[Chip]:
    return [
        Chip(one, source_in_words(one), number, one in chosen.sources, year_at(year, _other(chosen, source=one), day))
        for one, number in _with_chosen(counts.by_source(chosen.kinds), chosen.sources)
    ]


def _with_chosen(counted: list[tuple[str, int]], chosen: frozenset[str]) -> list[tuple[str, int]]:
    """Counts, with what is chosen and has none: so that it can be given up."""
    known = {name for name, _ in counted}
    return [*counted, *((name, 0) for name in sorted(chosen - known))]


def _other(chosen: Chosen, *, kind: str | None = None, source: str | None = None) -> Chosen:
    """What is chosen with one thing more, or without it."""
    kinds = chosen.kinds ^ {kind} if kind else chosen.kinds
    sources = chosen.sources ^ {source} if source else chosen.sources
    return Chosen(kinds, sources)
