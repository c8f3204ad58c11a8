"""Right answers to the dialogues of engine/dialogues over the demo life, computed from its raw exports: of each
dialogue those to its questions, in their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date, time
from statistics import mean
from typing import Any

from demo_life import Film, Order, Song, Workout, episodes, films, orders, runs, songs, workouts

Gold = Any
"""A value, a list of values, {"days": […]} for events by their days, or {"any": […]} of several right answers."""


def W(kind: str, which: Callable[[Workout], bool] = lambda w: True) -> list[Workout]:
    return [w for w in workouts() if w.kind == kind and which(w)]


def Y(*years: int) -> Callable[[Workout | Song | Film], bool]:
    return lambda e: e.start.year in years


def YM(year: int, *months: int) -> Callable[[Workout | Song | Film], bool]:
    return lambda e: e.start.year == year and e.start.month in months


def R(which: Callable[[Workout], bool] = lambda r: True) -> list[Workout]:
    return [r for r in runs() if which(r)]


def S(which: Callable[[Song], bool] = lambda s: True) -> list[Song]:
    return [s for s in songs() if which(s)]


def O(which: Callable[[Order], bool] = lambda o: True) -> list[Order]:  # noqa: E743
    return [o for o in orders() if which(o)]


def F(which: Callable[[Film], bool] = lambda f: True) -> list[Film]:
    return [f for f in films() if which(f)]


def E(which: Callable[[Film], bool] = lambda e: True) -> list[Film]:
    return [e for e in episodes() if which(e)]


def AMZ(year: int) -> list[Order]:
    return [o for o in orders() if o.at.year == year]


def OR(*answers: Gold) -> Gold:
    return {"any": list(answers)}


def by(artist: str) -> Callable[[Song], bool]:
    return lambda s: s.artist == artist


def km(found: Iterable[Workout]) -> float:
    return round(sum(w.km or 0 for w in found), 2)


def eur(found: Iterable[Order]) -> float:
    return round(sum(o.total for o in found), 2)


def top(items: Iterable[str]) -> list[str]:
    counts = Counter(items)
    return sorted(k for k, n in counts.items() if n == max(counts.values()))


def day(event: Workout | Song | Film | Order) -> str:
    return (event.at if isinstance(event, Order) else event.start).date().isoformat()


def days(found: Sequence[Workout | Song | Film | Order]) -> Gold:
    return {"days": sorted({day(e) for e in found})}


def longest(found: Iterable[Workout]) -> Workout:
    return max(found, key=lambda w: w.km or 0)


def shortest(found: Iterable[Workout]) -> Workout:
    return min(found, key=lambda w: w.km if w.km is not None else 1e9)


def secs(workout: Workout) -> float:
    return round(workout.minutes * 60, 1)


def dear(found: Iterable[Order]) -> Order:
    return max(found, key=lambda o: o.total)


def hr_max(found: Iterable[Workout]) -> float:
    return max(w.heart_most for w in found if w.heart_most is not None)


ANSWERS: dict[str, list[Gold]] = {
    "runs by year": [len(R(Y(2024))), len(R(Y(2023))), len(R(Y(2025)))],
    "amazon, the year before": [eur(AMZ(2024)), eur(AMZ(2023)), dear(AMZ(2023)).product, dear(AMZ(2023)).total],
    "football months": [
        len(W("soccer", YM(2024, 3))),
        len(W("soccer", YM(2024, 4))),
        len(W("soccer", YM(2024, 5))),
        hr_max(W("soccer", YM(2024, 5))),
    ],
    "swims in autumn": [
        len(W("swimming", YM(2023, 10))),
        len(W("swimming", YM(2023, 9))),
        km(W("swimming", YM(2023, 9, 10))),
    ],
    "films in october": [[f.title for f in F(YM(2023, 10))], [f.title for f in F(YM(2023, 9))], len(F(YM(2023, 9)))],
    "last year, this year": [
        len(S(Y(2024))),
        len(S(Y(2025))),
        len(S(lambda s: Y(2025)(s) and s.artist == "Gwenno")),
        len(S(lambda s: Y(2024)(s) and s.artist == "Gwenno")),
    ],
    "sports, total distance": [
        km(R(Y(2024))),
        km(W("cycling", Y(2024))),
        km(W("swimming", Y(2024))),
        km(W("swimming", Y(2023))),
    ],
    "count sports": [
        len(W("cycling", Y(2023))),
        len(W("yoga", Y(2023))),
        len(W("yoga", Y(2024))),
        len(W("soccer", Y(2024))),
    ],
    "films and series": [
        len(F(Y(2024))),
        len(E(Y(2024))),
        len([e for e in E(Y(2024)) if e.title == "Dark"]),
        len([e for e in E(Y(2024)) if e.title == "Better Call Saul"]),
    ],
    "heart rates": [hr_max(W("soccer")), hr_max(R()), hr_max(W("swimming"))],
    "artists": [
        len([s for s in S(Y(2023)) if s.artist == "Gwenno"]),
        len([s for s in S(Y(2023)) if s.artist == "Spinvis"]),
        len([s for s in S(Y(2023)) if s.artist == "Radiohead"]),
        len([s for s in S(Y(2024)) if s.artist == "Radiohead"]),
    ],
    "top artist and them": [
        "Gwenno",
        len([s for s in S(Y(2024)) if s.artist == "Gwenno"]),
        OR(day(S(by("Gwenno"))[0])),
        day(S(by("Gwenno"))[-1]),
    ],
    "dark": [26, day(next(e for e in E() if e.title == "Dark")), day(E(lambda e: e.title == "Dark")[-1])],
    "paddington": ["2024-12-22", 3, "2023-03-05", "2023-03-24"],
    "queen's gambit, chatty": [16, 7, 5],
    "mails from friends": [8, 5, 6, 3],
    "correction of a person": [5, 5, 2],
    "runs, all measures": [
        len(R(Y(2023))),
        km(R(Y(2023))),
        round(mean(r.km for r in R(Y(2023)) if r.km), 2),
        OR(longest(R(Y(2023))).km),
        OR(shortest(R(Y(2023))).km),
    ],
    "longest run": [21.1, "2024-03-10", secs(longest(R(Y(2024)))), longest(R(Y(2024))).heart],
    "rides": [
        day(longest(W("cycling", Y(2024)))),
        longest(W("cycling", Y(2024))).km,
        longest(W("cycling", Y(2023))).km,
    ],
    "the expensive thing": [
        "Spotting scope 20-60x80 with tripod",
        "2024-10-14",
        1129.0,
        min(AMZ(2024), key=lambda o: o.total).product,
    ],
    "cheapest first": [
        min(AMZ(2023), key=lambda o: o.total).product,
        day(min(AMZ(2023), key=lambda o: o.total)),
        6.25,
        dear(AMZ(2023)).product,
    ],
    "orders list": [
        len(O(lambda o: o.at.year == 2024 and o.at.month == 12)),
        [o.product for o in O(lambda o: o.at.year == 2024 and o.at.month == 12)],
        eur(O(lambda o: o.at.year == 2024 and o.at.month == 12)),
        "Telescopic ladder, 2.6 m",
    ],
    "yoga days": [
        len(W("yoga", YM(2024, 12))),
        [day(w) for w in W("yoga", YM(2024, 12))],
        [day(w) for w in W("yoga", YM(2024, 11))],
    ],
    "narrowing": [
        len(R(Y(2024))),
        len([r for r in R(Y(2024)) if r.km and r.km > 10]),
        [day(r) for r in R(Y(2024)) if r.km and r.km > 10],
    ],
    "early runs": [
        len(R(Y(2023))),
        len([r for r in R(Y(2023)) if r.start.time() < time(8)]),
        len([r for r in R(Y(2024)) if r.start.time() < time(8)]),
    ],
    "weekends": [
        len(R(Y(2024))),
        len([r for r in R(Y(2024)) if r.start.isoweekday() > 5]),
        len([r for r in R(Y(2024)) if r.start.isoweekday() == 2]),
    ],
    "weekday of running": [
        "Tuesday",
        top([w.start.strftime("%A") for w in W("soccer")]),
        top([w.start.strftime("%A") for w in W("soccer", Y(2024))]),
    ],
    "units": [
        km(R(YM(2024, 1))),
        round(km(R(YM(2024, 1))) / 1.609344, 2),
        OR(round(km(R(YM(2024, 2))) / 1.609344, 2), km(R(YM(2024, 2)))),
    ],
    "second most": ["Gwenno", "Spinvis", 83, 40],
    "the first film, the second one": [[f.title for f in F(YM(2023, 9))], "2023-09-10", "2023-09-23"],
    "first film of a year": [
        "Society of the Snow",
        "Paddington 2",
        "Paddington 2",
        OR("2023-03-05", ["2023-03-05", "2023-12-22", "2024-12-22"]),
    ],
    "klaus": [True, "2023-12-10", OR("2024-12-08", True)],
    "wrong year": [km(W("cycling", Y(2023))), km(W("cycling", Y(2024))), len(W("cycling", Y(2024)))],
    "not that, this": [len(W("swimming", Y(2023))), len(R(Y(2023))), round(sum(secs(r) for r in R(Y(2023))), 1)],
    "actually": [day(S(by("Khruangbin"))[-1]), day(S(by("Adwaith"))[-1]), day(S(by("Adwaith"))[0])],
    "not 2024 but 2023": [OR(shortest(R(Y(2024))).km), OR(shortest(R(Y(2023))).km), day(shortest(R(Y(2023))))],
    "offer accepted": [len(F(YM(2024, 11))), [f.title for f in F(YM(2024, 11))], [f.title for f in F(YM(2024, 12))]],
    "another offer": [len(W("cycling", Y(2024))), km(W("cycling", Y(2024))), km(W("cycling", Y(2023)))],
    "offer of a comparison": [eur(AMZ(2023)), eur(AMZ(2024)), OR(dear(AMZ(2024)).product, dear(AMZ(2024)).total)],
    "khruangbin live": [
        "2024-06-28",
        OR("AFAS Live, Amsterdam", "AFAS Live", "Amsterdam"),
        OR("Leila", "Leila Haddad", ["Leila Haddad", "me"]),
    ],
    "dinner with Tia": ["2023-05-09", OR("Osteria La Rana, Twijnstraat", "Osteria La Rana"), True],
    "dentist": [3, ["2024-03-21", "2024-03-28", "2024-10-10"], ["2023-03-23", "2023-09-28"]],
    "physio": [5, "2023-09-12", "2023-10-17"],
    "new topic, no carrying over": [len(R(Y(2024))), 10, day(next(e for e in E() if e.title == "Borgen"))],
    "self-contained stays": [OR(["Gwenno", "Super Furry Animals"]), len(R(Y(2023))), len(S()), len(S(Y(2024)))],
    "back to an earlier thing": [
        km(W("cycling", Y(2024))),
        day(longest(W("cycling", Y(2024)))),
        secs(longest(W("cycling", Y(2024)))),
        len(W("cycling", Y(2024))),
    ],
    "non-native": [km(R(Y(2024))), OR(21.1, ["running"], "2024-03-10"), OR(12.1, ["running"], "2023-04-15")],
    "that day": ["2024-02-05", 46.75, True, secs(W("yoga", lambda w: w.start.date() == date(2024, 2, 5))[0])],
    "song of that artist": [
        "An Stevel Nowydh",
        54,
        day(S(lambda s: s.name == "An Stevel Nowydh")[-1]),
        day(next(s for s in S() if s.name == "An Stevel Nowydh")),
    ],
    "formal": [
        eur([o for o in AMZ(2024) if o.at.month == 3]),
        eur([o for o in AMZ(2024) if o.at.month == 4]),
        OR("Cordless drill, 12 V"),
    ],
    "hurried": [
        OR(len(R(Y(2024))), days(R(Y(2024)))),
        OR(len(R(Y(2023))), days(R(Y(2023)))),
        round(mean(r.km for r in R(Y(2023)) if r.km), 2),
    ],
    "songs per period with them": [
        len(S(YM(2024, 5))),
        top([s.artist for s in S(YM(2024, 5))]),
        len({s.artist for s in S(YM(2024, 5))}),
    ],
    "summer": [224.54, len(W("cycling", YM(2023, 6, 7, 8))), len(W("cycling", YM(2024, 6, 7, 8)))],
    "how long football": [
        round(sum(secs(w) for w in W("soccer", YM(2024, 10))), 1),
        len(W("soccer", YM(2024, 10))),
        len(W("soccer", YM(2024, 11))),
        OR(
            secs(max(W("soccer", YM(2024, 11)), key=lambda w: w.minutes)),
            day(max(W("soccer", YM(2024, 11)), key=lambda w: w.minutes)),
            max(w.km or 0 for w in W("soccer", YM(2024, 11))),
            {"days": [day(max(W("soccer", YM(2024, 11)), key=lambda w: w.km or 0))]},
            {"days": [day(max(W("soccer", YM(2024, 11)), key=lambda w: w.minutes))]},
        ),
    ],
    "never happened": [False, True, "2024-08-05", 1.2],
    "half marathon": [
        len([r for r in R(Y(2024)) if r.km and r.km > 15]),
        [day(r) for r in R(Y(2024)) if r.km and r.km > 15],
        km([r for r in R(Y(2024)) if r.km and r.km > 15]),
    ],
    "her mails": ["2024-08-20", 6, 2],
    "the shop": [
        [o.product for o in O(lambda o: o.at.year == 2023 and o.at.month == 9)],
        eur(O(lambda o: o.at.year == 2023 and o.at.month == 9)),
        OR("Swimming goggles, anti-fog", 17.99),
    ],
    "average heart rate": [
        round(mean(r.heart for r in R(Y(2024)) if r.heart), 2),
        round(mean(r.heart for r in W("swimming", Y(2024)) if r.heart), 2),
        OR(round(max(r.heart or 0 for r in W("swimming", Y(2024))), 2), hr_max(W("swimming", Y(2024)))),
    ],
}
