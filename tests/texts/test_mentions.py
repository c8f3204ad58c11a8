"""Whom a text names: names, relations and whose they are, greetings, unknown people, and what is nobody."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reqap_kg.texts.document import Document, TextKind
from reqap_kg.texts.people.mentions import How, Person, Profile, mentions

LATHA, RAVI, MEERA = "Latha Nair", "Ravi Nair", "Meera Nair"
FRAN, TOM, TOMAS, ZOE, HELEN = "Francesca Doyle", "Tom Addison", "Tom Okafor", "Zoë Adeyemi", "Helen Keane"
OWNER = Person("Asha Nair")
PROFILE = Profile(
    OWNER,
    (
        Person(LATHA, ("Amma",), "mother"),
        Person(RAVI, (), "father"),
        Person(MEERA, ("Mee",), "sister"),
        Person("Dev Menon", (), "husband"),
        Person("Usha Menon", (), "mother-in-law"),
        Person("Gopal Menon", (), "father-in-law"),
        Person("Arun Menon", (), "son"),
        Person("Tara Menon", (), "daughter"),
        Person(FRAN, (), "friend"),
        Person(TOM, (), "friend"),
        Person(TOMAS, (), "colleague"),
        Person(ZOE, ("Zo",), "friend"),
        Person(HELEN, (), "friend"),
        Person("Will May", (), "friend"),
        Person("Diego Fuentes Ramos", (), "friend"),
    ),
)


def document(text: str, title: str = "", kind: TextKind = TextKind.NOTE, sender: str = "", to: tuple[str, ...] = ()):
    return Document("e", kind, title, text, datetime(2024, 3, 9, 20), sender=sender, recipients=to, by_owner=not sender)


def said(text: str, **more: object) -> set[str]:
    found = mentions(document(text, **more), PROFILE)  # type: ignore[arg-type]
    return {name for each in found if each.how is How.SAID for name in each.names}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("lunch with Meera Nair", {MEERA}),
        ("Lunch w/ Mee + Fran", {MEERA, FRAN}),
        ("dinner with meera tomorrow", {MEERA}),
        ("ZOE came", {ZOE}),
        ("Zoë and Zoe", {ZOE}),
        ("with Diego Fuentes", {"Diego Fuentes Ramos"}),
        ("H. Keane and D Ramos", {HELEN, "Diego Fuentes Ramos"}),
        ("Francesca, Zo & Diego", {FRAN, ZOE, "Diego Fuentes Ramos"}),
        ("Asha and Helen", {HELEN}),
        ("Will you come?", set()),
        ("went with Will", {"Will May"}),
        ("will come", set()),
        ("Diego Rivera's murals were great and free.", set()),
        ("San Diego was hot", set()),
        ("Helens and Zoey", set()),
        ("Ravishing", set()),
        ("", set()),
    ],
)
def test_names_of_the_profile(text, names):
    assert said(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("lunch with my sister", {MEERA}),
        ("my dear little sister and I", {MEERA}),
        ("Mum & Dad are here", {LATHA, RAVI}),
        ("mum would weep", {LATHA}),
        ("my parents came", {LATHA, RAVI}),
        ("Amma's dal", {LATHA}),
        ("hubby cooked", {"Dev Menon"}),
        ("the in-laws stayed till nine", {"Usha Menon", "Gopal Menon"}),
        ("my mother-in-law said no", {"Usha Menon"}),
        ("my MIL said no", {"Usha Menon"}),
        ("the kids slept", {"Arun Menon", "Tara Menon"}),
        ("my mum and dad", {LATHA, RAVI}),
        ("my husband's mum", {"Dev Menon"}),
        ("her mum", set()),
        ("Helen's mum", {HELEN}),
        ("her mum and dad", set()),
        ("the bride's parents", set()),
        ("a mum of two", set()),
        ("my ex husband", set()),
        ("a sister act", set()),
        ("my brother", set()),
        ("Mum-in-law said 'interesting'", {"Usha Menon"}),
        ("Mãe and Pai", {LATHA, RAVI}),
        ("mums and dads of the school", set()),
    ],
)
def test_relations_and_whose_they_are(text, names):
    assert said(text) == names


@pytest.mark.parametrize(
    ("text", "sender", "names"),
    [
        ("my sister is ill", FRAN, set()),
        ("Mum is ill", FRAN, set()),
        ("Mum says hi", MEERA, {LATHA}),
        ("Dad is asleep", LATHA, {RAVI}),
        ("how is your sister?", FRAN, {MEERA}),
        ("treat your mum this Sunday", "Bloom & Co", set()),
        ("her sister came", FRAN, set()),
    ],
)
def test_relations_in_what_others_write(text, sender, names):
    assert said(text, kind=TextKind.MAIL, sender=sender) == names


def test_your_sister_is_nobody_of_mine_in_what_i_write():
    assert said("how is your sister?", kind=TextKind.MAIL) == set()


def test_an_ambiguous_first_name_has_all_candidates():
    (found,) = mentions(document("pint with Tom"), PROFILE)
    assert found.ambiguous
    assert set(found.names) == {TOM, TOMAS}
    assert found.score < 0.6


@pytest.mark.parametrize(
    "told",
    [
        document("pint with Tom Okafor, and Tom paid"),
        document("pint with Tom", kind=TextKind.MAIL, to=(TOMAS,)),
    ],
)
def test_the_rest_of_the_text_decides_an_ambiguous_name(told):
    found = [each for each in mentions(told, PROFILE) if each.how is How.SAID]
    assert {name for each in found for name in each.names} == {TOMAS}
    assert not any(each.ambiguous for each in found)


def test_two_sisters_are_ambiguous_but_in_the_plural_both():
    profile = Profile(OWNER, (Person("A B", (), "sister"), Person("C D", (), "sister")))
    (one,) = mentions(document("my sister"), profile)
    (both,) = mentions(document("my sisters"), profile)
    assert (one.ambiguous, both.ambiguous) == (True, False)
    assert one.names == both.names == ("A B", "C D")


def test_sender_and_recipients_stand_outside_the_text():
    told = document("ok", kind=TextKind.MAIL, sender=f"{FRAN} <f@example.org>", to=("Asha Nair", "Zoë Adeyemi", "Gus"))
    found = {(each.how.value, each.names, each.start, each.end) for each in mentions(told, PROFILE)}
    assert found == {("sender", (FRAN,), 0, 0), ("recipient", (ZOE,), 0, 0), ("recipient", ("Gus",), 0, 0)}


@given(st.text(max_size=80), st.sampled_from(list(TextKind)), st.sampled_from(["", FRAN, MEERA]))
def test_any_text_is_read_and_spans_lie_in_it(text, kind, sender):
    told = document(text, title="Mum's & Tom", kind=kind, sender=sender)
    for each in mentions(told, PROFILE):
        assert 0 <= each.start <= each.end <= len(told.text)
        assert each.names
        assert OWNER.name not in each.names


WORDS = [
    "Mum",
    "my",
    "her",
    "sister",
    "Tom",
    "Fran",
    "and",
    ",",
    "&",
    "'s",
    "with",
    "Dr",
    "Gus",
    "the",
    "in-laws",
    "\n",
    "us",
]


@given(st.lists(st.sampled_from(WORDS), max_size=10))
def test_any_order_of_words_is_read(words):
    told = document(" ".join(words), kind=TextKind.MAIL)
    spans = [(each.start, each.end) for each in mentions(told, PROFILE)]
    assert spans == sorted(spans)
    assert all(one[1] <= two[0] for one, two in pairwise(spans))
