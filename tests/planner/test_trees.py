"""Questions become trees: many phrasings, one tree each, compared as trees."""

import pytest

from reqap_kg.operators.nodes import open_questions
from reqap_kg.operators.syntax.text import format_tree, parse_tree

from .building import (
    DATE,
    MOMENT,
    MONTH,
    SONGS,
    TIME,
    arg,
    count,
    counts,
    days,
    edge,
    ext,
    fold,
    get,
    group,
    keep,
    keyed,
    most,
    summed,
    total,
    unnest,
    when_most,
    year,
)

COUNTS = [
    ("How many songs did I stream last month?", count(days(get("songs I streamed"), "2025-08-01", "2025-08-31"))),
    ("How many songs have I listened to since March 2023?", count(days(SONGS, "2023-03-01", None))),
    ("number of movies I watched in 2023", count(year(get("movies I watched"), 2023))),
    ("In 2023, how many movies did I watch?", count(year(get("movies I watched"), 2023))),
    ("how many movies in 2023 did i watch", count(year(get("movies I watched"), 2023))),
    ("Can you tell me how many movies I watched in 2023?", count(year(get("movies I watched"), 2023))),
    (
        "What is the number of workouts I did in May 2024?",
        count(days(get("workouts I did"), "2024-05-01", "2024-05-31")),
    ),
    ("count my emails from last week", count(days(get("emails"), "2025-09-01", "2025-09-07"))),
    ("How many emails did I receive yesterday?", count(days(get("emails I received"), "2025-09-13", "2025-09-13"))),
    ("I'd like to know how often I watched Titanic", count(get("I watched Titanic"))),
    ("How many mails did Greta send me?", count(get("mails from Greta"))),
    ("How many times have I been swimming?", count(get("I swam"))),
    ("how often have I ever watched Titanic", count(get("I watched Titanic"))),
    ("how many painting courses this year", count(year(get("painting courses"), 2025))),
    (
        "How often did I work out in the morning?",
        count(
            keep(
                ext(get("I worked out"), start_time=TIME),
                'attr["start_time"] >= time(5, 0) and attr["start_time"] < time(12, 0)',
            )
        ),
    ),
    (
        "How many times did I go running on weekends in 2024?",
        count(
            keep(
                keep(ext(get("I went running"), start_date=DATE), 'attr["start_date"].isoweekday() in [6, 7]'),
                'attr["start_date"] >= date(2024, 1, 1) and attr["start_date"] <= date(2024, 12, 31)',
            )
        ),
    ),
    (
        "How many of my 2024 runs started before 8 in the morning?",
        count(keep(ext(year(get("runs"), 2024), start_time=TIME), 'attr["start_time"] < time(8, 0)')),
    ),
    (
        "How many songs did I play on Halloween?",
        count(
            keep(
                ext(get("songs I played"), start_date=DATE),
                'attr["start_date"].month == 10 and attr["start_date"].day == 31',
            )
        ),
    ),
    (
        "How many songs did I play last night?",
        count(
            keep(
                ext(get("songs I played"), start_datetime=MOMENT),
                'attr["start_datetime"] >= datetime(2025, 9, 13, 18, 0, 0) and '
                'attr["start_datetime"] <= datetime(2025, 9, 14, 5, 0, 0)',
            )
        ),
    ),
    (
        "How many runs longer than 10 km did I do?",
        count(keep(ext(get("runs I did"), distance="float"), 'attr["distance"] > 10')),
    ),
    (
        "how many runs of at least 5 miles did I do",
        count(keep(ext(get("runs I did"), distance="float"), 'attr["distance"] >= 8.04672')),
    ),
    (
        "How many workouts lasted less than half an hour?",
        count(keep(ext(get("workouts"), duration="float"), 'attr["duration"] < 1800')),
    ),
    (
        "How many workouts had a max heart rate of more than 170?",
        count(keep(ext(get("workouts"), maximum_heart_rate="float"), 'attr["maximum_heart_rate"] > 170')),
    ),
    (
        "How many purchases over 50 euros did I make?",
        count(keep(ext(get("purchases I made"), price="float"), 'attr["price"] > 50')),
    ),
]

DISTINCT = [
    (
        "How many different movies did I watch last year?",
        count(group(ext(year(get("movies I watched"), 2024), movie_title="str"), "movie_title")),
    ),
    (
        "How many distinct artists have I listened to?",
        count(group(unnest(ext(SONGS, artist="list"), "artist"), "artist")),
    ),
    ("how many artists did I listen to", count(group(unnest(ext(SONGS, artist="list"), "artist"), "artist"))),
    (
        "how many unique songs by ABBA have I played",
        count(group(ext(get("songs by ABBA I played"), song="str"), "song")),
    ),
    ("How many series did I watch?", count(group(ext(get("TV episodes I watched"), series="str"), "series"))),
    ("On how many days did I go swimming?", count(group(ext(get("I went swimming"), start_date=DATE), "start_date"))),
    (
        "in how many months did I buy something",
        count(
            group(
                keyed(ext(get("I bought something"), start_date=DATE), "month", MONTH),
                "month",
            )
        ),
    ),
]

YES_OR_NO = [
    ("Did I go running yesterday?", days(get("I went running"), "2025-09-13", "2025-09-13")),
    ("Have I ever watched Titanic?", get("I watched Titanic")),
    ("Was I at the dentist in 2024?", year(get("I was at the dentist"), 2024)),
    ("Are there any emails from Zalando?", get("emails from Zalando")),
]

SUMS = [
    ("How much did I spend last month?", total(days(get("I spent"), "2025-08-01", "2025-08-31"), "price")),
    ("How much money have I spent on books in 2023?", total(year(get("I spent on books"), 2023), "price")),
    ("what did I spend on groceries this year", total(year(get("I spent on groceries"), 2025), "price")),
    ("What is the total amount I spent in 2024?", total(year(get("I spent"), 2024), "price")),
    ("How far did I run in 2024?", total(year(get("I ran"), 2024), "distance")),
    ("how many kilometers did I run in 2024", total(year(get("I ran"), 2024), "distance")),
    ("Total distance of my runs in 2024", total(year(get("runs"), 2024), "distance")),
    ("What is the total distance I ran?", total(get("I ran"), "distance")),
    ("total kms I ran", total(get("I ran"), "distance")),
    ("How long did I work out in 2024 in hours?", total(year(get("I worked out"), 2024), "duration")),
    ("How much time did I spend watching TV in 2023?", total(year(get("I watched TV"), 2023), "duration")),
    ("How many hours of music did I listen to?", total(get("music I listened to"), "duration")),
    ("How many calories did I burn?", total(get("workouts"), "energy")),
    ("how much energy did I burn running", total(get("running"), "energy")),
]

AGGREGATES = [
    ("What is the average heart rate of my runs?", fold("AVG", get("runs"), "average_heart_rate")),
    ("What's my average heart rate when running?", fold("AVG", get("running"), "average_heart_rate")),
    ("my highest heart rate ever during yoga", fold("MAX", get("yoga"), "maximum_heart_rate")),
    ("What was my maximum heart rate in 2024?", fold("MAX", year(get("workouts"), 2024), "maximum_heart_rate")),
    ("highest average heart rate of my runs", fold("MAX", get("runs"), "average_heart_rate")),
    ("what's the lowest heart rate of my workouts", fold("MIN", get("workouts"), "minimum_heart_rate")),
    ("average duration of my workouts", fold("AVG", get("workouts"), "duration")),
    ("What was the average length of my runs, in kilometres?", fold("AVG", get("runs"), "distance")),
    ("What's my average running distance, in km?", fold("AVG", get("running"), "distance")),
    ("On average, how long are my runs?", fold("AVG", get("runs"), "duration")),
    ("how far do I run on average", fold("AVG", get("I ran"), "distance")),
    ("average price of books", fold("AVG", get("books I bought"), "price")),
    ("What was my longest run?", fold("MAX", get("run"), "distance")),
    ("What was my longest run in minutes?", fold("MAX", get("run"), "duration")),
    ("how short was my shortest run of 2023 in km", fold("MIN", year(get("run"), 2023), "distance")),
    ("How long was my longest workout?", fold("MAX", get("workout"), "duration")),
    (
        "longest movie ever?",
        arg("ARGMAX", ext(get("movie"), duration="float", movie_title="str"), "duration", "movie_title"),
    ),
    (
        "Which movie was the longest?",
        arg("ARGMAX", ext(get("movie"), duration="float", movie_title="str"), "duration", "movie_title"),
    ),
    (
        "When was my longest run?",
        arg("ARGMAX", ext(get("run"), distance="float", start_date=DATE), "distance", "start_date"),
    ),
    (
        "what was the most expensive thing I bought in 2023?",
        arg("ARGMAX", ext(year(get("thing I bought"), 2023), price="float", product="str"), "price", "product"),
    ),
    ("cheapest purchase", arg("ARGMIN", ext(get("purchase"), price="float", product="str"), "price", "product")),
]

FIRST_AND_LAST = [
    ("When did I first listen to ABBA?", fold("MIN", get("I listened to ABBA"), "start_date", DATE)),
    ("When did I listen to ABBA for the first time?", fold("MIN", get("I listened to ABBA"), "start_date", DATE)),
    ("When was the last time I watched Titanic?", fold("MAX", get("I watched Titanic"), "start_date", DATE)),
    ("Do you know when I last watched Titanic?", fold("MAX", get("I watched Titanic"), "start_date", DATE)),
    ("when was my last run", fold("MAX", get("run"), "start_date", DATE)),
    ("Date of my last post on social media?", fold("MAX", get("post on social media"), "start_date", DATE)),
    ("What was the last movie I watched?", edge("ARGMAX", get("movies I watched"), "movie_title")),
    ("Which movie did I watch last?", edge("ARGMAX", get("movies I watched"), "movie_title")),
    ("first movie I watched in 2023", edge("ARGMIN", year(get("movies I watched"), 2023), "movie_title")),
    ("My most recent purchase", edge("ARGMAX", get("purchases"), "product")),
    ("What did I last order?", edge("ARGMAX", get("I ordered"), "product")),
    ("How long was my last run?", edge("ARGMAX", get("run"), "duration", "float")),
    ("how far was my first run in miles", edge("ARGMIN", get("run"), "distance", "float")),
    ("How much was my last order?", edge("ARGMAX", get("order"), "price", "float")),
    ("What time did I start my last run?", edge("ARGMAX", get("run"), "start_time", TIME)),
]

MOSTS = [
    ("which artist did I listen to most in 2024?", most(year(SONGS, 2024), "artist", "list")),
    ("tell me which artist I listened to most", most(SONGS, "artist", "list")),
    ("Which artist have I listened to the most overall?", most(SONGS, "artist", "list")),
    ("Which artist did I listen to the least?", most(SONGS, "artist", "list", "ARGMIN")),
    ("most listened to artist", most(SONGS, "artist", "list")),
    ("top artist", most(get("songs"), "artist", "list")),
    ("what song did i play most often this year", most(year(get("songs I played"), 2025), "song")),
    ("What is my most played song?", most(get("songs I played"), "song")),
    ("my most-watched series in 2023", most(year(get("TV episodes I watched"), 2023), "series")),
    ("Which TV series have I watched the most episodes of?", most(get("I watched episodes"), "series")),
    ("Which shop do I order from most often?", most(get("purchases I ordered from"), "shop")),
    ("From which shop did I order the most?", most(get("purchases I ordered"), "shop")),
    ("which workout do I do most often", most(get("workouts I did"), "workout_type")),
    ("What did I buy most often?", most(get("I bought"), "product")),
    ("where did I usually eat", most(get("I ate"), "location")),
    ("Who did I meet most?", most(get("I met"), "participant", "list")),
    ("In which month did I run the most?", when_most(get("I ran"), "month", MONTH)),
    (
        "In which month of 2024 did I work out most often?",
        arg(
            "ARGMAX",
            counts(
                group(
                    keyed(year(get("I worked out"), 2024), "month", 'attr["start_date"].month'),
                    "month",
                )
            ),
            "count",
            "month",
        ),
    ),
    ("on which weekday do I work out most", when_most(get("I worked out"), "weekday", 'attr["start_date"].weekday()')),
    ("On what day did I listen to the most songs?", when_most(SONGS, "day", 'attr["start_date"]')),
    ("in what year did I watch the most movies", when_most(get("movies I watched"), "year", 'attr["start_date"].year')),
    ("which month had the most workouts", when_most(get("workouts"), "month", MONTH)),
    (
        "Which two artists did I play most often?",
        f"APPLY(l={counts(group(unnest(ext(get('songs I played'), artist='list'), 'artist'), 'artist'))}, "
        'fct=lambda rows: [row["artist"] for row in sorted(rows, key=lambda row: row["count"], reverse=True)[:2]])',
    ),
    (
        "What are my top three songs?",
        f"APPLY(l={counts(group(ext(get('songs'), song='str'), 'song'))}, "
        'fct=lambda rows: [row["song"] for row in sorted(rows, key=lambda row: row["count"], reverse=True)[:3]])',
    ),
    (
        "What's the most episodes I've ever watched in one day?",
        "MAX(l="
        + counts(
            group(
                keyed(ext(get("episodes I watched"), start_date=DATE), "day", 'attr["start_date"]'),
                "day",
            )
        )
        + ', attr_name="count")',
    ),
    (
        "Average number of songs per day",
        "AVG(l="
        + counts(
            group(
                keyed(ext(get("songs"), start_date=DATE), "day", 'attr["start_date"]'),
                "day",
            )
        )
        + ', attr_name="count")',
    ),
    (
        "On which shop did I spend the most money?",
        summed(
            "ARGMAX",
            group(ext(get("purchases I spent"), shop="str", price="float"), "shop"),
            measure="price",
            name="shop",
        ),
    ),
    (
        "In which month did I run the most kilometres?",
        summed(
            "ARGMAX",
            group(keyed(ext(get("I ran"), start_date=DATE, distance="float"), "month", MONTH), "month"),
            measure="distance",
            name="month",
        ),
    ),
]

LISTS = [
    (
        "Which movies did I watch in October 2023?",
        ext(days(get("movies I watched"), "2023-10-01", "2023-10-31"), movie_title="str"),
    ),
    ("List all movies I watched", ext(get("movies I watched"), movie_title="str")),
    (
        "Which artists did I listen to on New Year's Eve 2024?",
        unnest(ext(days(SONGS, "2024-12-31", "2024-12-31"), artist="list"), "artist"),
    ),
    ("What did I buy last month?", ext(days(get("I bought"), "2025-08-01", "2025-08-31"), product="str")),
    ("what did I watch yesterday", ext(days(get("I watched"), "2025-09-13", "2025-09-13"), title="str")),
    ("When did I go to the dentist?", ext(get("I went to the dentist"), start_date=DATE)),
    ("At what time did the meeting start?", ext(get("meeting"), start_time=TIME)),
    (
        "what's the earliest time of day I had a dentist appointment",
        fold("MIN", get("I had a dentist appointment"), "start_time", TIME),
    ),
    ("show me my workouts in May 2024", days(get("workouts"), "2024-05-01", "2024-05-31")),
    ("dentist appointments in 2023", year(get("dentist appointments"), 2023)),
    ("workouts longer than 30 minutes", keep(ext(get("workouts"), duration="float"), 'attr["duration"] > 1800')),
]


def best(events: str, name: str, number: int, kind: str = "str") -> str:
    rows = ext(events, start_datetime=MOMENT, **{name: kind})
    ranked = f'sorted(rows, key=lambda row: row["start_datetime"], reverse=True)[:{number}]'
    return f'APPLY(l={rows}, fct=lambda rows: [row["{name}"] for row in {ranked}])'


MORE = [
    ("total time spent running", total(get("I ran"), "duration")),
    ("how much time have I spent on podcasts", total(get("podcasts"), "duration")),
    ("hours of TV watched last month", total(days(get("TV watched"), "2025-08-01", "2025-08-31"), "duration")),
    ("total number of workouts in 2023", count(year(get("workouts"), 2023))),
    ("What was the total of my purchases?", total(get("purchases"), "price")),
    ("How much did my purchases cost in 2023?", total(year(get("purchases"), 2023), "price")),
    ("what's the average amount I spend per order", fold("AVG", get("order"), "price")),
    ("how much did I spend on average per purchase", fold("AVG", get("purchase"), "price")),
    ("What's the biggest amount I've spent on a purchase?", fold("MAX", get("I spent on a purchase"), "price")),
    ("how many likes did my posts get", total(get("posts"), "likes", "int")),
    ("which post has the most likes", arg("ARGMAX", ext(get("post"), likes="int", text="str"), "likes", "text")),
    ("which of my runs was the longest", fold("MAX", get("runs"), "distance")),
    (
        "On which date did I run the furthest?",
        arg("ARGMAX", ext(get("I ran"), distance="float", start_date=DATE), "distance", "start_date"),
    ),
    ("the last 5 movies I watched", best(get("movies I watched"), "movie_title", 5)),
    ("What are the last three things I bought?", best(get("I bought"), "product", 3)),
    ("When's the last time I went to the gym?", fold("MAX", get("I went to the gym"), "start_date", DATE)),
    ("when did i watch Titanic most recently", fold("MAX", get("I watched Titanic"), "start_date", DATE)),
    ("my first ever run", fold("MIN", get("run"), "start_date", DATE)),
    ("Which podcast did I listen to most", most(get("podcast episodes I listened to"), "podcast_show")),
    ("Which day was the one with the most workouts?", when_most(get("workouts"), "day", 'attr["start_date"]')),
    (
        "In what month of the year do I run most?",
        when_most(get("I ran"), "month_of_year", 'attr["start_date"].month'),
    ),
    ("Which runs were longer than 15 km?", keep(ext(get("runs"), distance="float"), 'attr["distance"] > 15')),
    ("what did I do yesterday", days(get("events"), "2025-09-13", "2025-09-13")),
    ("what's in my calendar next week", ext(days(get("calendar entries"), "2025-09-15", "2025-09-21"), title="str")),
    ("count the distinct albums I listened to", count(group(ext(SONGS, album="str"), "album"))),
    (
        "how many of the movies I watched in 2023 were longer than 2 hours",
        count(keep(ext(year(get("movies I watched"), 2023), duration="float"), 'attr["duration"] > 7200')),
    ),
    ("who emailed me most", most(get("emails I received"), "sender")),
    ("who did I get the most emails from", most(get("I got emails"), "sender")),
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("question", "tree"), [*COUNTS, *DISTINCT, *SUMS, *AGGREGATES, *FIRST_AND_LAST, *MOSTS, *LISTS, *MORE]
)
def test_questions_become_trees(planned, question, tree):
    found = planned(question).tree
    assert format_tree(found) == format_tree(parse_tree(tree))
    assert open_questions(found) == ()


@pytest.mark.parametrize(("question", "events"), YES_OR_NO)
def test_yes_or_no_counts(planned, question, events):
    found = planned(question)
    assert format_tree(found.tree) == format_tree(parse_tree(f"APPLY(l={events}, fct=lambda events: len(events) > 0)"))
    assert found.answer.type == "boolean"
