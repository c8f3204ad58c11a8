"""Cues of texts: what is found and what is not, which of several stays, users' files, and a naive matcher beside it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reqap_kg.errors import LexiconError, UsageError
from reqap_kg.texts.lexicon.lexicon import Lexicon, deciding, load_lexicon
from reqap_kg.texts.lexicon.lexicon_file import Entry, read_entries
from reqap_kg.texts.tokens import tokens

SMALL = Lexicon(
    (
        Entry("cuisine", "Italian", ("pizza", "tiramisù", "spag bol", "italian restaurant"), ("olive",)),
        Entry("cuisine", "Thai", ("pad thai", "thai food", "green curry")),
        Entry("cuisine", "Indian", ("curry", "crème brûlée curry", "dumpling")),
        Entry("cuisine", "Polish", ("pierogi", "dumpling")),
        Entry("cuisine", "Japanese", ("ラーメン", "カレー", "寿司")),
        Entry("cuisine", "Korean", ("저녁",)),
        Entry("country", "Italy", ("l'aquila", "puglia"), ("italian",)),
        Entry("occasion", "Mother's Day", ("mother's day",), (), None),
        Entry("occasion", "birthday", ("birthday", "🎂", "birthday party"), ("party",)),
        Entry("occasion", "Christmas", ("christmas",), (), (12, 25)),
        Entry("doctor_type", "GP", ("ill", "a&e", "check-up")),
        Entry("workout_type", "football", ("five-a-side", "won 3-1")),
        Entry("workout_type", "running", ("🏃", "won")),
        Entry("drink", "mate", ("mate",)),
        Entry("drink", "maté", ("maté",)),
    )
)


@pytest.fixture(scope="module")
def shipped() -> Lexicon:
    return load_lexicon()


def values(text: str, lexicon: Lexicon = SMALL) -> set[tuple[str, str, str]]:
    return {(text[cue.start : cue.end], cue.key, cue.value) for cue in lexicon.cues(text)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Two PIZZAS, please", {("PIZZAS", "cuisine", "Italian")}),
        ("the pizza's base", {("pizza's", "cuisine", "Italian")}),
        ("pizzazz", set()),
        ("tiramisu for all", {("tiramisu", "cuisine", "Italian")}),
        ("TIRAMISÙ", {("TIRAMISÙ", "cuisine", "Italian")}),
        ("spag\nbol", {("spag\nbol", "cuisine", "Italian")}),
        ("spag\n\nbol", set()),
        ("spag-bol night", {("spag-bol", "cuisine", "Italian")}),
        ("spag - bol", set()),
        ("dumplings", {("dumplings", "cuisine", "Indian"), ("dumplings", "cuisine", "Polish")}),
        ("Mother’s day lunch", {("Mother’s day", "occasion", "Mother's Day")}),
        ("mothers day", {("mothers day", "occasion", "Mother's Day")}),
        ("#MothersDay", {("MothersDay", "occasion", "Mother's Day")}),
        ("#mothersday2023", {("mothersday2023", "occasion", "Mother's Day")}),
        ("#thaifood was great", {("thaifood", "cuisine", "Thai")}),
        ("#PizzaNight", {("Pizza", "cuisine", "Italian")}),
        ("happy day 🎂🎂", {("🎂", "occasion", "birthday")}),
        ("🏃🏽‍♀️ done", {("🏃", "workout_type", "running")}),
        ("I'll be there", set()),
        ("I am ill.", {("ill", "doctor_type", "GP")}),
        ("we won't go", set()),
        ("A & E all night", {("A & E", "doctor_type", "GP")}),
        ("a and e", {("a and e", "doctor_type", "GP")}),
        ("check up", {("check up", "doctor_type", "GP")}),
        ("five a side", {("five a side", "workout_type", "football")}),
        ("a mate of mine", {("mate", "drink", "mate")}),
        ("a maté of mine", {("maté", "drink", "maté")}),
        ("creme brulee curry", {("creme brulee curry", "cuisine", "Indian")}),
        ("夜は寿司でした", {("寿司", "cuisine", "Japanese")}),
        ("ラーメンを食べた", {("ラーメン", "cuisine", "Japanese")}),
        ("オカレーナ", set()),
        ("저녁에 봐", {("저녁", "cuisine", "Korean")}),
        ("어저녁", set()),
        ("à l'Aquila", {("l'Aquila", "country", "Italy")}),
        ("vini d'Puglia", {("Puglia", "country", "Italy")}),
        ("", set()),
    ],
)
def test_finds_cues(text, expected):
    assert values(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("green curry", {("green curry", "cuisine", "Thai")}),
        ("green curry and curry", {("green curry", "cuisine", "Thai"), ("curry", "cuisine", "Indian")}),
        (
            "an Italian restaurant",
            {("Italian restaurant", "cuisine", "Italian"), ("Italian", "country", "Italy")},
        ),
        ("birthday party", {("birthday party", "occasion", "birthday")}),
        ("we won 3-1", {("won 3-1", "workout_type", "football")}),
    ],
)
def test_the_longest_of_one_key_stays_and_other_keys_stay_beside_it(text, expected):
    assert values(text) == expected


def test_a_strong_cue_goes_before_a_weak_one():
    cues = SMALL.cues("party for a christmas, Italian olives with pizza")
    assert [(cue.value, cue.weak) for cue in cues] == [
        ("birthday", True),
        ("Christmas", False),
        ("Italy", True),
        ("Italian", True),
        ("Italian", False),
    ]
    assert [(cue.value, cue.text) for cue in deciding(cues)] == [
        ("Christmas", "christmas"),
        ("Italy", "italian"),
        ("Italian", "pizza"),
    ]


def test_only_the_keys_asked_for():
    assert {cue.key for cue in SMALL.cues("pizza on my birthday", keys=["occasion"])} == {"occasion"}


WORDS = ["pizza", "pizzas", "spag", "bol", "green", "curry", "thai", "food", "pad", "🎂", "#", "birthday", "party", "-"]


@given(st.lists(st.sampled_from(WORDS), max_size=12), st.sampled_from([" ", "\n", ", ", "  "]))
def test_agrees_with_a_naive_scan(words, between):
    text = between.join(words)
    found = {(cue.start, cue.end, cue.key, cue.value) for cue in SMALL.cues(text)}
    assert found == naive(text)


def naive(text: str) -> set[tuple[int, int, str, str]]:
    """Every cue at every token, then the longest of each key by comparing all pairs."""
    parts = tokens(text)
    hits = []
    for entry in SMALL.entries:
        for weak, cues in ((False, entry.cues), (True, entry.weak)):
            for cue in cues:
                wanted = [token.plain for token in tokens(cue)]
                for at in range(len(parts) - len(wanted) + 1):
                    run = [token.plain for token in parts[at : at + len(wanted)]]
                    last = {run[-1], run[-1].removesuffix("s")}
                    if run[:-1] == wanted[:-1] and wanted[-1] in last:
                        hits.append((parts[at].start, parts[at + len(wanted) - 1].end, entry.key, entry.value, weak))
    kept = set()
    for start, end, key, value, weak in sorted(hits, key=lambda hit: (hit[0] - hit[1], hit[4], hit[0])):
        overlapping = [k for k in kept if k[2] == key and k[0] < end and start < k[1]]
        if all((k[0], k[1], k[4]) == (start, end, weak) for k in overlapping):
            kept.add((start, end, key, value, weak))
    return {hit[:4] for hit in kept}


@given(st.text(max_size=60))
def test_any_text_is_read_and_spans_lie_in_it(text):
    for cue in SMALL.cues(text):
        assert 0 <= cue.start < cue.end <= len(text)
    for token in tokens(text):
        assert 0 <= token.start < token.end <= len(text)
        assert token.exact


def test_shipped_lexicons_are_sound(shipped):
    assert shipped.problems == ()
    assert {"cuisine", "workout_type", "doctor_type", "occasion", "city", "country", "milestone_type"} <= shipped.keys
    assert shipped.month_day("Christmas Eve") == (12, 24)
    assert shipped.month_day("birthday") is None
    assert "dentist" in shipped.values("doctor_type")


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("Margherita for me, lasagne for her", "cuisine", "Italian"),
        ("got a filling, face still numb", "doctor_type", "dentist"),
        ("scored twice in our five-a-side", "workout_type", "football"),
        ("Cable car up from Leith? No, Edinburgh has none", "country", "United Kingdom"),
        ("Frohe Weihnachten euch allen", "occasion", "Christmas"),
        ("Happy Diwali!", "occasion", "Diwali"),
    ],
)
def test_shipped_lexicons_know_everyday_words(shipped, text, key, value):
    assert value in {cue.value for cue in shipped.cues(text, keys=[key])}


def test_an_adjective_only_hints_at_a_country(shipped):
    assert all(cue.weak for cue in shipped.cues("Italian food", keys=["country"]))
    decided = deciding(shipped.cues("Italian food in Lisbon", keys=["country"]))
    assert {cue.value for cue in decided} == {"Portugal"}


def test_texts_are_read_fast(shipped):
    """Generous beside the aim (1,000 texts a second), so that a busy machine passes too."""
    text = "Last night we had pizza and a bottle of Chianti in Leith, then watched the football until midnight. " * 3
    shipped.cues(text)
    begin = time.perf_counter()
    for _ in range(200):
        shipped.cues(text)
    assert time.perf_counter() - begin < 2.0


PREFIX = "@prefix ev: <https://w3id.org/reqap-kg/event#> .\n@prefix my: <https://example.org/words/> .\n"
LEX = "@prefix lex: <https://w3id.org/reqap-kg/lexicon/> .\n"


def written(tmp_path, text: str):
    path = tmp_path / "mine.ttl"
    path.write_text(PREFIX + LEX + text, encoding="utf-8")
    return path


def test_a_users_file_adds_and_takes_away(tmp_path):
    path = written(
        tmp_path,
        'my:chess a ev:Implication ; ev:key "workout_type" ; ev:value "chess boxing" ; ev:cue "gloves and rooks" .\n'
        'lex:cuisine-italian ev:cue "Zia Rosa\'s" ; ev:notCue "pizza" .\n',
    )
    lexicon = load_lexicon([path])
    assert lexicon.problems == ()
    assert "chess boxing" in {cue.value for cue in lexicon.cues("gloves and rooks on Friday")}
    assert "Italian" in {cue.value for cue in lexicon.cues("dinner at zia rosa’s")}
    assert not [cue for cue in lexicon.cues("pizza", keys=["cuisine"])]
    assert [cue for cue in load_lexicon().cues("pizza", keys=["cuisine"])]


def test_a_changed_file_is_read_again(tmp_path):
    path = written(tmp_path, 'my:a a ev:Implication ; ev:key "k" ; ev:value "v" ; ev:cue "xyzzy" .')
    assert load_lexicon([path]).cues("xyzzy")
    written(tmp_path, 'my:a a ev:Implication ; ev:key "k" ; ev:value "v" ; ev:cue "plugh" .')
    assert load_lexicon([path]).cues("plugh")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('my:bad a ev:Implication ; ev:value "v" ; ev:cue "c" .', "needs one ev:key"),
        ('my:bad a ev:Implication ; ev:key "k" ; ev:value "v", "w" ; ev:cue "c" .', "needs one ev:value"),
        ('my:bad a ev:Implication ; ev:key "k" ; ev:value "v" .', "has no cue"),
        ('my:bad a ev:Implication ; ev:key "k" ; ev:value "v" ; ev:cue " " .', "has an empty cue"),
        ('my:bad a ev:Implication ; ev:key "k" ; ev:value "v" ; ev:cue "c" ; ev:monthDay "25 Dec" .', "--12-25"),
        ('my:bad a ev:Implication ; ev:key "k" ; ev:value "v" ; ev:cue "c" ; ev:monthDay "--02-30" .', "--12-25"),
        ('my:bad a ev:Implication ; ev:key "k" ; ev:value "v" ; ev:cue "c" ; ev:cues "d" .', "did you mean ev:cue"),
        ('my:bad a ev:Implication ; ev:key "k" ; ev:value "v" ; ev:cue my:x .', "has no readable ev:cue"),
        ('my:bad a ev:Implication ; ev:key "k" ev:value "v" .', "Turtle"),
    ],
)
def test_wrong_entries_are_told_with_their_place_and_the_rest_counts(text, told):
    good = 'my:good a ev:Implication ; ev:key "k" ; ev:value "v" ; ev:cue "good" .\n\n'
    entries, problems = read_entries([("mine.ttl", (PREFIX + good + text).encode())])
    assert any("good" in entry.cues for entry in entries)
    assert told in str(problems[0])
    place = problems[0].place
    assert isinstance(problems[0], LexiconError)
    assert place is not None
    assert (place.path, place.line) == ("mine.ttl", 5)


def test_a_missing_file_is_a_usage_error(tmp_path):
    with pytest.raises(UsageError, match="nowhere"):
        load_lexicon([tmp_path / "nowhere.ttl"])
