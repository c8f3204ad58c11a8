"""Stages 2 and 3 of RETRIEVE: what is frequent among candidates, and what its classification decides."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from reqap_kg.models.reading.reader import Scores
from reqap_kg.ontology.namespaces import EV, KEY
from reqap_kg.retrieval.candidate_set import (
    CandidateSet,
    Pattern,
    Search,
    SearchModels,
    class_name,
    pattern_line,
    record_line,
)
from reqap_kg.retrieval.patterns import LEAST, SURE, SURER, classify_patterns, find_patterns, patterns_of
from reqap_kg.retrieval.scope import Scope
from reqap_kg.store.index.index import EventText

MAIL, STREAM, BUYING = EV + "Mail", EV + "MusicStream", EV + "Purchase"
SUBJECT, TEXT, SENDER, SHOP, TITLE = (EV + n for n in ("subject", "text", "sender", "shop", "title"))
UNDECIDED = (0.3, 0.4, 0.3)


class Opinion:
    """A pattern classifier with known opinions by line, (none, some, all); of the others it cannot say."""

    name = "opinion"
    identity = "sha256:opinion"

    def __init__(self, said: Mapping[str, tuple[float, float, float]]):
        self.said = said
        self.asked: list[tuple[str, str]] = []

    def patterns(self, pairs: Sequence[tuple[str, str]]) -> Scores:
        self.asked += pairs
        return np.array([self.said.get(line, UNDECIDED) for _, line in pairs], dtype=np.float32)


def events(kind: str, number: int, *values: tuple[str, int, str], at: int = 0) -> list[EventText]:
    """Events of a class that all say the same."""
    return [EventText(n, f"urn:{n}", kind, values) for n in range(at, at + number)]


def others(kind: str = MAIL, number: int = 30) -> list[EventText]:
    """Events that each say something else, so that what a few say alike is not common."""
    return [EventText(n, f"urn:other-{n}", kind, ((SUBJECT, n, f"subject {n}"),)) for n in range(100, 100 + number)]


def classified(query, candidates, life, opinion):
    """The candidates after stages 2 and 3."""
    search = Search(query, Scope((), frozenset(), (), (), query), SearchModels(patterns=opinion))
    return classify_patterns(find_patterns(CandidateSet(search, tuple(candidates)), life), life)


def kept(found):
    assert {hit.score for hit in found.kept} <= {1.0}
    return [hit.event for hit in found.kept]


@pytest.fixture
def vocabulary(life):
    return life.vocabulary


def test_what_is_frequent_is_a_pattern_the_most_frequent_first(vocabulary):
    candidates = [
        *events(BUYING, LEAST, (SHOP, 1, "Lenso")),
        *events(BUYING, LEAST + 1, (SHOP, 2, "Argos"), at=20),
        *events(BUYING, LEAST - 1, (SHOP, 3, "Rare")),
    ]
    found = patterns_of(candidates, vocabulary)
    assert found == (Pattern(BUYING), Pattern(BUYING, SHOP, 2, "Argos"), Pattern(BUYING, SHOP, 1, "Lenso"))


def test_of_many_candidates_a_share_is_needed(vocabulary):
    many = [EventText(n, f"urn:{n}", BUYING, ((SHOP, n % 200, f"shop {n % 200}"),)) for n in range(2000)]
    assert patterns_of(many, vocabulary) == (Pattern(BUYING),)
    often = events(BUYING, 25, (SHOP, 500, "often"))
    assert patterns_of([*many, *often], vocabulary) == (Pattern(BUYING), Pattern(BUYING, SHOP, 500, "often"))


def test_a_source_that_may_tell_of_anything_is_no_pattern_as_a_whole(vocabulary):
    found = patterns_of([*events(MAIL, 1), *events(STREAM, 1), *events(BUYING, 1)], vocabulary)
    assert found == (Pattern(STREAM), Pattern(BUYING))


def test_the_same_value_of_another_class_is_another_pattern(vocabulary):
    both = [*events(MAIL, LEAST, (SENDER, 1, "Lenso")), *events(BUYING, LEAST - 1, (SENDER, 1, "Lenso"))]
    found = patterns_of([*both, *others()], vocabulary)
    assert found == (Pattern(BUYING), Pattern(MAIL, SENDER, 1, "Lenso"))


@pytest.mark.parametrize(("length", "number"), [(80, 1), (81, 0)])
def test_a_long_text_is_no_pattern(vocabulary, length, number):
    found = patterns_of([*events(MAIL, LEAST, (TEXT, 1, "x" * length)), *others()], vocabulary)
    assert len(found) == number


@pytest.mark.parametrize(("beside", "number"), [(30, 1), (10, 0)])
def test_what_most_texts_have_is_no_pattern_of_them(vocabulary, beside, number):
    candidates = [*events(MAIL, LEAST, (SENDER, 1, "Lenso")), *others(MAIL, beside)]
    assert len(patterns_of(candidates, vocabulary)) == number
    of_records = [*events(BUYING, LEAST, (SHOP, 1, "Lenso")), *others(BUYING, beside)]
    assert patterns_of(of_records, vocabulary) == (Pattern(BUYING), Pattern(BUYING, SHOP, 1, "Lenso"))


def test_a_key_that_says_nothing_of_a_text_is_no_pattern(vocabulary):
    said = ((KEY + "status", 1, "confirmed"), (SUBJECT, 2, "Your table"))
    found = patterns_of([*events(MAIL, LEAST, *said), *others()], vocabulary)
    assert found == (Pattern(MAIL, SUBJECT, 2, "Your table"),)


def test_lines(vocabulary):
    assert pattern_line(Pattern(STREAM), vocabulary) == "source = music streams"
    assert pattern_line(Pattern(BUYING, SHOP, 1, "Lenso"), vocabulary) == "purchase: shop = Lenso"
    odd = Pattern("https://shop.example/Thing", KEY + "perceived_effort", 1, "hard")
    assert pattern_line(odd, vocabulary) == "Thing: perceived effort = hard"
    assert class_name("urn:x#Odd", vocabulary) == "Odd"


def test_a_record_is_one_line_with_long_values_cut(vocabulary):
    (event,) = events(BUYING, 1, (SHOP, 1, "Lenso"), (EV + "product", 2, "lens " * 40))
    line = record_line(event, vocabulary)
    assert line == f"purchase: shop = Lenso; product = {('lens ' * 40)[:80]}"


def test_without_a_classifier_all_is_open(life):
    candidates = events(BUYING, 20, (SHOP, 1, "Lenso"))
    found = classified("q", candidates, life, None)
    assert (found.kept, found.open, found.patterns) == ((), tuple(candidates), ())


def test_a_classifier_is_not_asked_where_there_are_no_patterns(life):
    opinion = Opinion({})
    found = classified("q", events(MAIL, 2, (SUBJECT, 1, "Hej")), life, opinion)
    assert len(found.open) == 2
    assert opinion.asked == []


@pytest.mark.parametrize(("sure", "left"), [(SURE + 0.01, 0), (SURE - 0.01, 3)])
def test_an_irrelevant_source_drops_its_events(life, sure, left):
    opinion = Opinion({"source = music streams": (sure, 1 - sure, 0)})
    mails = events(MAIL, 2, at=10)
    found = classified("I ate", [*events(STREAM, 3), *mails], life, opinion)
    assert opinion.asked == [("I ate", "source = music streams")]
    assert (len(found.kept), len(found.open)) == (0, left + 2)
    assert found.open[-2:] == tuple(mails)


@pytest.mark.parametrize(("sure", "dropped"), [(SURER + 0.01, LEAST), (SURER - 0.05, 0)])
def test_an_irrelevant_value_must_be_surer(life, sure, dropped):
    opinion = Opinion({"mail: sender = Lenso": (sure, 1 - sure, 0)})
    candidates = [*events(MAIL, LEAST, (SENDER, 1, "Lenso")), *others()]
    found = classified("q", candidates, life, opinion)
    assert (len(found.kept), len(found.open)) == (0, len(candidates) - dropped)
    assert len(found.patterns) == 1


def test_a_relevant_value_that_says_what_it_is_keeps_its_events(life):
    opinion = Opinion({"mail: subject = Your table": (0, 0, 1.0)})
    candidates = [*events(MAIL, LEAST, (SUBJECT, 1, "Your table")), *others()]
    found = classified("q", candidates, life, opinion)
    assert kept(found) == [f"urn:{n}" for n in range(LEAST)]
    assert found.open == tuple(others())


def test_who_sent_it_says_not_what_it_is(life):
    opinion = Opinion({"mail: sender = Maja": (0, 0, 1.0)})
    candidates = [*events(MAIL, LEAST, (SENDER, 1, "Maja")), *others()]
    found = classified("q", candidates, life, opinion)
    assert opinion.asked == [("q", "mail: sender = Maja")]
    assert found.kept == ()
    assert found.open == tuple(candidates)


def test_a_record_is_never_kept_by_its_pattern_alone(life):
    opinion = Opinion({"music stream: title = Fog": (0, 0, 1.0), "source = music streams": (0, 0, 1.0)})
    found = classified("q", events(STREAM, LEAST, (TITLE, 1, "Fog")), life, opinion)
    assert len(opinion.asked) == 2
    assert found.kept == ()
    assert len(found.open) == LEAST


def test_what_drops_outweighs_what_keeps(life):
    opinion = Opinion({"mail: subject = Your table": (0, 0, 1.0), "mail: sender = Spam": (1.0, 0, 0)})
    rest = others(number=60)
    both = events(MAIL, LEAST, (SUBJECT, 1, "Your table"), (SENDER, 2, "Spam"))
    good = events(MAIL, LEAST, (SUBJECT, 1, "Your table"), at=50)
    found = classified("q", [*both, *good, *rest], life, opinion)
    assert kept(found) == [event.iri for event in good]
    assert found.open == tuple(rest)
