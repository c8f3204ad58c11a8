"""Structured trees over a generated life, each with the SPARQL that somebody who knows the ontology writes for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Pair:
    """A tree and the hand-written query of the same rows (a column each, in the same order).

    `other` is a second way to write the query that does not promise the same rows, with what it does otherwise.
    """

    name: str
    tree: str
    sparql: str
    other: tuple[str, str] | None = None


def _extract(query: str, *keys: str) -> str:
    """EXTRACT of `name:type` keys."""
    names = ", ".join(f'"{key.partition(":")[0]}"' for key in keys)
    types = ", ".join(key.partition(":")[2] for key in keys)
    return f'EXTRACT(l=RETRIEVE(query="{query}"), attr_names=[{names}], attr_types=[{types}])'


_SONGS: Final = 'RETRIEVE(query="music streams")'
_ARTISTS: Final = (
    f'UNNEST(l={_extract("music streams", "song_artist:list")}, nested_attr_name="song_artist", '
    'unnested_attr_name="artist")'
)
_COUNTED: Final = 'MAP(l=GROUP_BY(l={rows}, attr_names=["{key}"]), fct=len, res_name="times")'
_PLAYS: Final = "SELECT ?artist (COUNT(?e) AS ?n) { ?e a ev:MusicStream ; ev:artist ?artist } GROUP BY ?artist"

PAIRS: Final = (
    Pair(
        "count of songs",
        'APPLY(l=RETRIEVE(query="music streams"), fct=len)',
        "SELECT (COUNT(?e) AS ?n) { ?e a ev:MusicStream }",
        ("COUNT(DISTINCT ?e)", "SELECT (COUNT(DISTINCT ?e) AS ?n) { ?e a ev:MusicStream }"),
    ),
    Pair(
        "count of songs of a year",
        f'APPLY(l=FILTER(l={_SONGS}, filter=lambda attr: attr["start_date"].year == 2022), fct=len)',
        "SELECT (COUNT(?e) AS ?n) { ?e a ev:MusicStream ; ev:start ?s FILTER(YEAR(?s) = 2022) }",
    ),
    Pair(
        "count of songs before eight",
        f'APPLY(l=FILTER(l={_SONGS}, filter=lambda attr: attr["start_time"] < time(8, 0)), fct=len)',
        "SELECT (COUNT(?e) AS ?n) { ?e a ev:MusicStream ; ev:start ?s FILTER(HOURS(?s) < 8) }",
    ),
    Pair(
        "count of runs",
        'APPLY(l=RETRIEVE(query="runs"), fct=len)',
        'SELECT (COUNT(?e) AS ?n) { ?e a ev:Workout ; ev:workoutType "running" }',
    ),
    Pair(
        "count of one film",
        f"APPLY(l=FILTER(l={_extract('films', 'movie_title:str')}, "
        'filter=lambda attr: attr["movie_title"] == "%FILM%"), fct=len)',
        'SELECT (COUNT(?e) AS ?n) { ?e a ev:MovieStream ; ev:movieTitle "%FILM%" }',
    ),
    Pair(
        "count of one song",
        f"APPLY(l=FILTER(l={_extract('music streams', 'song_name:str')}, "
        'filter=lambda attr: attr["song_name"] == "%SONG%"), fct=len)',
        'SELECT (COUNT(?e) AS ?n) { ?e a ev:MusicStream ; ev:songName "%SONG%" }',
    ),
    Pair(
        "number of artists",
        f'APPLY(l={_ARTISTS}, fct=lambda l: len(set(e["artist"] for e in l)))',
        "SELECT (COUNT(DISTINCT ?artist) AS ?n) { ?e a ev:MusicStream ; ev:artist ?artist }",
    ),
    Pair(
        "artist listened to most, all ties",
        f'ARGMAX(l={_COUNTED.format(rows=_ARTISTS, key="artist")}, arg_attr_name="times", val_attr_name="artist")',
        f"SELECT ?artist {{ {{ {_PLAYS} }} {{ SELECT (MAX(?n) AS ?most) {{ {{ {_PLAYS} }} }} }} FILTER(?n = ?most) }}",
        ("LIMIT 1, one of the ties", f"SELECT ?artist {{ {{ {_PLAYS} ORDER BY DESC(?n) LIMIT 1 }} }}"),
    ),
    Pair(
        "songs by month",
        f'MAP(l=GROUP_BY(l=MAP(l={_SONGS}, fct=lambda attr: attr["start_date"].month, res_name="month"), '
        'attr_names=["month"]), fct=len, res_name="times")',
        "SELECT ?month (COUNT(?e) AS ?n) { ?e a ev:MusicStream ; ev:start ?s BIND(MONTH(?s) AS ?month) } "
        "GROUP BY ?month",
    ),
    Pair(
        "workouts by kind since 2021",
        f"MAP(l=GROUP_BY(l=FILTER(l={_extract('workouts', 'workout_type:str')}, "
        'filter=lambda attr: attr["start_date"] >= date(2021, 1, 1)), attr_names=["workout_type"]), '
        'fct=len, res_name="times")',
        "SELECT ?kind (COUNT(?e) AS ?n) { ?e a ev:Workout ; ev:workoutType ?kind ; ev:start ?s "
        'FILTER(?s >= "2021-01-01T00:00:00"^^xsd:dateTime) } GROUP BY ?kind',
    ),
    Pair(
        "spent by category",
        f'MAP(l=GROUP_BY(l={_extract("purchases", "category:str", "price:float")}, attr_names=["category"]), '
        'fct=lambda g: sum(e["price"] for e in g), res_name="spent")',
        "SELECT ?category (SUM(?price) AS ?spent) { ?e a ev:Purchase ; ev:category ?category ; ev:price ?price } "
        "GROUP BY ?category",
    ),
    Pair(
        "time listened in all",
        f'SUM(l={_extract("music streams", "duration:float")}, attr_name="duration")',
        "SELECT (SUM(?d) AS ?all) { ?e a ev:MusicStream ; ev:duration ?d }",
    ),
    Pair(
        "kilometres run",
        f'SUM(l={_extract("runs", "distance:float")}, attr_name="distance")',
        'SELECT (SUM(?d) AS ?all) { ?e a ev:Workout ; ev:workoutType "running" ; ev:distance ?d }',
    ),
    Pair(
        "average heart rate",
        f'AVG(l={_extract("workouts", "average_heart_rate:float")}, attr_name="average_heart_rate")',
        "SELECT (AVG(?d) AS ?mean) { ?e a ev:Workout ; ev:averageHeartRate ?d }",
    ),
    Pair(
        "first song ever",
        'MIN(l=RETRIEVE(query="music streams"), attr_name="start_datetime")',
        "SELECT (MIN(?s) AS ?first) { ?e a ev:MusicStream ; ev:start ?s }",
    ),
    Pair(
        "longest song, all ties",
        f'ARGMAX(l={_extract("music streams", "duration:float", "song_name:str")}, arg_attr_name="duration", '
        'val_attr_name="song_name")',
        "SELECT DISTINCT ?song { { SELECT (MAX(?d) AS ?most) { ?e a ev:MusicStream ; ev:duration ?d } } "
        "?e a ev:MusicStream ; ev:duration ?most ; ev:songName ?song }",
    ),
    Pair(
        "day of the longest run, all ties",
        f'ARGMAX(l={_extract("runs", "distance:float")}, arg_attr_name="distance", val_attr_name="start_date")',
        "SELECT DISTINCT ?day { { SELECT (MAX(?d) AS ?most) { "
        '?e a ev:Workout ; ev:workoutType "running" ; ev:distance ?d } } '
        '?e a ev:Workout ; ev:workoutType "running" ; ev:distance ?most ; ev:start ?s '
        "BIND(STRDT(SUBSTR(STR(?s), 1, 10), xsd:date) AS ?day) }",
    ),
    Pair(
        "plays of the five songs played most",
        f"APPLY(l=APPLY(l={_COUNTED.format(rows=_extract('music streams', 'song_name:str'), key='song_name')}, "
        'fct=lambda l: sorted(l, key=lambda y: y["times"], reverse=True)[:5]), '
        'fct=lambda l: [e["times"] for e in l])',
        "SELECT ?n { { SELECT ?song (COUNT(?e) AS ?n) { ?e a ev:MusicStream ; ev:songName ?song } GROUP BY ?song "
        "ORDER BY DESC(?n) LIMIT 5 } }",
    ),
)
