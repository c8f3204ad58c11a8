"""Series, seasons and episodes out of Netflix titles."""

from __future__ import annotations

from time import process_time

import pytest

from reqap_kg.sources.streaming.netflix_titles import Evidence, Work, evidence, split_title

NOTHING = Evidence(frozenset())


@pytest.mark.parametrize(
    ("title", "series", "season", "number", "episode"),
    [
        ("Breaking Bad: Season 1: Pilot", "Breaking Bad", "Season 1", 1, "Pilot"),
        ("The Office (U.S.): Season 7: Ultimatum", "The Office (U.S.)", "Season 7", 7, "Ultimatum"),
        ("Chernobyl: Miniseries: 1:23:45", "Chernobyl", "Miniseries", None, "1:23:45"),
        ("Unorthodox: Limited Series: Part 1", "Unorthodox", "Limited Series", None, "Part 1"),
        (
            "Stranger Things: Stranger Things 2: Chapter One: MADMAX",
            "Stranger Things",
            "Stranger Things 2",
            2,
            "Chapter One: MADMAX",
        ),
        ("Stranger Things: Season 1: Chapter One: The Body", "Stranger Things", "Season 1", 1, "Chapter One: The Body"),
        ("Money Heist: Part 5 Volume 1: The End", "Money Heist", "Part 5 Volume 1", 5, "The End"),
        ("Ozark: Season 4 Part 2: A Hard Way", "Ozark", "Season 4 Part 2", 4, "A Hard Way"),
        (
            "Avatar: The Last Airbender: Book 1: Water: The Boy",
            "Avatar: The Last Airbender",
            "Book 1",
            1,
            "Water: The Boy",
        ),
        ("The Baking Show: Collection 5: Cake Week", "The Baking Show", "Collection 5", 5, "Cake Week"),
        ("Sherlock: Series 1: A Study in Pink", "Sherlock", "Series 1", 1, "A Study in Pink"),
        ("Fleabag: Season One: Dinner", "Fleabag", "Season One", 1, "Dinner"),
        ("Dark: Staffel 2: Anfänge und Enden", "Dark", "Staffel 2", 2, "Anfänge und Enden"),
        ("Dark: 2. Staffel: Anfänge", "Dark", "2. Staffel", 2, "Anfänge"),
        ("Élite: Temporada 1: Bienvenidos", "Élite", "Temporada 1", 1, "Bienvenidos"),
        ("La casa de papel: Parte 3: Hemos vuelto", "La casa de papel", "Parte 3", 3, "Hemos vuelto"),
        ("Lupin : Saison 1 : Chapitre 1", "Lupin", "Saison 1", 1, "Chapitre 1"),
        ("Suburra: Stagione 1: 21 giorni", "Suburra", "Stagione 1", 1, "21 giorni"),
        ("Undercover: Seizoen 1: De gasten", "Undercover", "Seizoen 1", 1, "De gasten"),
        ("Bron: Säsong 3: Början", "Bron", "Säsong 3", 3, "Början"),
        ("Ślepnąc: Sezon 1: Światła", "Ślepnąc", "Sezon 1", 1, "Światła"),
        ("イカゲーム: シーズン2: 再会", "イカゲーム", "シーズン2", 2, "再会"),
        ("오징어 게임: 시즌 1: 무궁화", "오징어 게임", "시즌 1", 1, "무궁화"),
        ("魷魚遊戲：第 1 季：再會", "魷魚遊戲", "第 1 季", 1, "再會"),
    ],
)
def test_seasons_in_many_words(title: str, series: str, season: str, number: int | None, episode: str) -> None:
    found = split_title(title, NOTHING)
    assert found == Work(series=series, season=season, season_number=number, episode=episode)


@pytest.mark.parametrize(
    ("title", "episode", "number"),
    [
        ("Derry Girls: Season 3: Episode 7 (Episode 7)", "Episode 7", 7),
        ("The Crown: Season 4: 48:1 (Episode 8)", "48:1", 8),
        ("Show: Staffel 1: Folge 12", "Folge 12", 12),
        ("Show: Season 1", None, None),
    ],
)
def test_numbers_of_episodes(title: str, episode: str | None, number: int | None) -> None:
    found = split_title(title, NOTHING)
    assert (found.episode, found.episode_number) == (episode, number)


@pytest.mark.parametrize(
    "title",
    [
        "Inception",
        "Mission: Impossible - Fallout",
        "Kill Bill: Vol. 1",
        "Dune: Part Two",
        "Harry Potter and the Deathly Hallows: Part 2",
        "Star Wars: Episode IV - A New Hope",
        "2001: A Space Odyssey",
        "Seasons: A Year Outdoors",
    ],
)
def test_films_with_colons(title: str) -> None:
    others = [
        "Mission: Impossible II",
        "Mission: Impossible III",
        "Mission: Impossible - Rogue Nation",
        "Kill Bill: Vol. 2",
    ]
    known = evidence(dict.fromkeys([title, *others]))
    assert split_title(title, known) == Work(movie=title)


def test_a_title_without_season_belongs_to_a_series_that_others_show() -> None:
    known = evidence({"Hedges: Season 1: Pilot": None, "Hedges: A Winter Special": None})
    assert split_title("Hedges: A Winter Special", known) == Work(series="Hedges", episode="A Winter Special")
    assert split_title("Hedges: The Film", known, seconds=6000.0) == Work(movie="Hedges: The Film")
    assert split_title("Hedges", known) == Work(movie="Hedges")


def test_a_title_of_colons_costs_no_more_than_others():
    """Every end of a title is a series' name that the rest may speak for: of few parts only."""
    title = ": ".join(str(number) for number in range(20_000))
    begin = process_time()
    known = evidence({title: None, "Dark: Secrets": None})
    assert split_title(title, known) == Work(movie=title)
    assert process_time() - begin < 1.0
