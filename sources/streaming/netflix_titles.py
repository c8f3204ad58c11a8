"""What a Netflix title says: a film, or an episode with its series and season.

Netflix writes one string (`Show: Season 1: Name`), and films have colons too (`Kill Bill: Vol. 1`), so the season's
words in many languages are looked for first, and then what the other titles of the same file show: what stands
before many different rests is a series.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

__all__ = ["Evidence", "Work", "evidence", "split_title"]


@dataclass(frozen=True)
class Work:
    """A film (`movie`) or an episode (`series`, and what is known of season and episode)."""

    movie: str | None = None
    series: str | None = None
    season: str | None = None
    season_number: int | None = None
    episode: str | None = None
    episode_number: int | None = None


@dataclass(frozen=True)
class Evidence:
    """What all titles of a file show together."""

    series: frozenset[str]
    """Names before a season, and names before several different rests."""


_SEPARATOR = re.compile(r"(?:(?<!\s)\s+)?(?:[:：]\s+|：\s*)")
_FEATURE_SECONDS = 66 * 60
"""Titles that were watched longer than this are films, unless they name a season."""
_MOST_PARTS = 12
"""Colons of a title that are looked at."""
_SEVERAL = 3
_MANY = 5
"""How many rests make a series where no durations tell episodes from the parts of a film series."""

_NUMBERS = {
    word: number
    for number, words in enumerate(
        (
            "one i eins uno un une", "two ii zwei dos deux", "three iii drei tres trois", "four iv vier cuatro quatre",
            "five v fünf cinco cinq", "six vi sechs seis", "seven vii sieben siete sept", "eight viii acht ocho huit",
            "nine ix neun nueve neuf", "ten x zehn diez dix", "eleven xi elf once onze", "twelve xii zwölf doce douze",
        ),
        start=1,
    )
    for word in words.split()
}  # fmt: skip
_NUMBER = r"\d{1,4}|(?<=\s)(?:" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + ")"

# A season for sure, with a number before or after it.
_SEASON = (
    "season|series|staffel|temporada|saison|stagione|seizoen|s[æe]son|sesong|säsong|kausi|tuotantokausi|sezon|sezona|"
    "sezóna|sezonul|sezonas|hooaeg|évad|sería|σεζόν|κύκλος|сезон|сезона|mùa|musim|シーズン|시즌|ซีซั่น|सीज़न|सीज़न|"
    "عونة|الموسم|עונה|sæson"
)
# A season only where an episode follows: films have parts and volumes too.
_PART = (
    "part|teil|parte|partie|deel|del|osa|część|kısım|часть|частина|μέρος|rész|volume|vol\\.?|volumen|volym|band|book|"
    "buch|libro|livre|livro|collection|kollektion|colección|coleção|cycle|パート|파트|phần|set"
)
_WHOLE = (
    "limited series|miniseries|mini-series|mini series|miniserie|mini-serie|miniszéria|minissérie|mini-série|"
    "minisérie|miniseria|minisarja|minisērija|minidizi|serie limitada|série limitée|série limitada|serie limitata|"
    "limitovaná série|specials?|special episodes|리미티드 시리즈|リミテッドシリーズ|限定影集|мини-сериал"
)
_EPISODE = (
    "episode|folge|episodio|episódio|épisode|aflevering|avsnitt|afsnit|odcinek|epizoda|epizód|rész|bölüm|jakso|"
    "серия|эпизод|episod|επεισόδιο|tập|エピソード|第|ตอนที่|에피소드"
)

_WITH_NUMBER = re.compile(
    rf"(?:(?P<strong>{_SEASON})|(?P<weak>{_PART}))\s*(?P<number>{_NUMBER})\b.*|"
    rf"(?P<before>\d{{1,4}})\.?\s*(?:(?P<strong2>{_SEASON})|(?P<weak2>{_PART}))\b.*",
    re.IGNORECASE,
)
_ASIAN = re.compile(r"第\s*(?P<number>\d{1,4}|[一二三四五六七八九十])\s*[季部シ]")
_LIMITED = re.compile(_WHOLE, re.IGNORECASE)
_NUMBERED_EPISODE = re.compile(
    rf"(?:{_EPISODE})\s*(\d{{1,9}})(?:話|화|集)?|(\d{{1,9}})\.?\s*(?:{_EPISODE})", re.IGNORECASE
)
_SUFFIX = re.compile(rf"(?:(?<!\s)\s+)?\((?:{_EPISODE})\s*(\d{{1,9}})\)$", re.IGNORECASE)


def evidence(watched: Mapping[str, float | None]) -> Evidence:
    """What titles, each with its longest time watched in seconds (None: unknown), show about one another."""
    series: set[str] = set()
    rests: defaultdict[str, set[str]] = defaultdict(set)
    for title, seconds in watched.items():
        parts = _parts(title)
        at = _season_at(parts)
        if at is not None:
            series.add(_join(parts[:at]))
        elif len(parts) > 1 and not _is_feature(seconds):
            for end in range(1, len(parts)):
                rests[_join(parts[:end])].add(_join(parts[end:]))
    enough = _SEVERAL if any(seconds is not None for seconds in watched.values()) else _MANY
    series.update(prefix for prefix, found in rests.items() if _is_series(found, enough))
    return Evidence(frozenset(series))


def split_title(title: str, known: Evidence, seconds: float | None = None) -> Work:
    """The work that a title names; `seconds` is how long it was watched at most, when that is known."""
    parts = _parts(title)
    at = _season_at(parts)
    if at is not None:
        name, number = _episode(_join(parts[at + 1 :]))
        return Work(
            series=_join(parts[:at]),
            season=parts[at],
            season_number=_season_number(parts, at),
            episode=name,
            episode_number=number,
        )
    if not _is_feature(seconds):
        for end in range(len(parts) - 1, 0, -1):
            name, number = _episode(_join(parts[end:]))
            if _join(parts[:end]) in known.series or number is not None:
                return Work(series=_join(parts[:end]), episode=name, episode_number=number)
    return Work(movie=title.strip())


def _parts(title: str) -> list[str]:
    return [part for part in _SEPARATOR.split(title.strip(), maxsplit=_MOST_PARTS) if part]


def _join(parts: Iterable[str]) -> str:
    return ": ".join(parts)


def _is_feature(seconds: float | None) -> bool:
    return seconds is not None and seconds > _FEATURE_SECONDS


def _is_series(rests: set[str], enough: int) -> bool:
    """Whether different rests of one name are episodes: parts of a film series repeat a word (Impossible II)."""
    words = {re.split(r"\W+", rest, maxsplit=1)[0].lower() for rest in rests}
    numbered = sum(1 for rest in rests if _NUMBERED_EPISODE.fullmatch(rest))
    return numbered > 1 or (len(rests) >= enough and len(words) >= _SEVERAL)


def _season_at(parts: list[str]) -> int | None:
    """Index of the part that names the season, or None."""
    for index in range(1, len(parts)):
        last = index == len(parts) - 1
        found = _WITH_NUMBER.fullmatch(parts[index])
        if found and (found["strong"] or found["strong2"] or not last):
            return index
        if _ASIAN.match(parts[index]) or _LIMITED.fullmatch(parts[index]):
            return index
        if not last and _repeats(parts[index - 1], parts[index]):
            return index
    return None


def _repeats(name: str, part: str) -> re.Match[str] | None:
    """`Stranger Things 2` after `Stranger Things`."""
    return re.fullmatch(rf"{re.escape(name)}\s+(\d{{1,9}})", part, re.IGNORECASE)


def _season_number(parts: list[str], at: int) -> int | None:
    found = _WITH_NUMBER.fullmatch(parts[at]) or _ASIAN.match(parts[at])
    if found is not None:
        groups = found.groupdict()
        return _number(groups.get("number") or groups.get("before") or "")
    repeated = _repeats(parts[at - 1], parts[at])
    return int(repeated[1]) if repeated else None


def _number(text: str) -> int | None:
    if text.isdecimal():
        return int(text)
    if text in "一二三四五六七八九十":
        return "一二三四五六七八九十".index(text) + 1
    return _NUMBERS.get(text.lower())


def _episode(name: str) -> tuple[str | None, int | None]:
    """The name of an episode without a number in brackets behind it, and the number."""
    suffix = _SUFFIX.search(name)
    plain = name[: suffix.start()] if suffix else name
    numbered = _NUMBERED_EPISODE.fullmatch(plain)
    number = suffix[1] if suffix else (numbered[1] or numbered[2]) if numbered else None
    return plain or None, int(number) if number else None
