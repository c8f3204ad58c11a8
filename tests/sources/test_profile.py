"""The profile."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reqap_kg.errors import SourceError
from reqap_kg.sources.profile import FORMAT

PROFILE = {
    "name": "Robin Hale",
    "first_name": "Robin",
    "birth_date": "1990-02-03",
    "lives_in": "Cork",
    "languages": ["English", "Irish"],
    "shoe_size": 41,
    "mother": {"name": "Úna Hale", "relation": "mother", "birth_date": "1960-01-01", "city": None},
    "siblings": [{"name": "Bo Hale", "relation": "brother"}, {"city": "nowhere"}],
    "partner": {"name": "Cy Moss", "together_since": "2015-05-05", "married": "2019-06-07", "occupation": "baker"},
    "partner_entry": {"name": "Cy Moss", "relation": "wife", "city": "Cork"},
    "friends": [{"name": "Di Fern", "nickname": "Di", "note": "from the choir", "eye_colour": "green"}],
    "nicknames": {"Úna Hale": "Mam", "Ed Stone": ["Eddie", "Stoney"]},
    "pets": [{"name": "Rusty", "type": "dog", "start": "2020-01-01", "end": None}],
    "education": [{"degree": "BA", "institution": "UCC", "start": "2008-09-01", "end": "2011-06-01"}],
    "career": [{"title": "Baker", "company": "Loaf", "city": "Cork", "start": "2012-01-01", "end": None}],
    "residences": [{"place": "flat on Hill Street", "city": "Cork", "start": "2018-01-01"}],
    "preferences": {"music_genres": ["folk", "jazz"], "films_per_week": 0.5, "empty": []},
}


def test_the_format_is_told_by_its_keys(make_file: Any) -> None:
    assert FORMAT.recognise(make_file(json.dumps(PROFILE, indent=1))) == 0.95
    assert FORMAT.recognise(make_file('{"name": "Robin", "gender": "female", "friends": []}')) == 0.95
    assert FORMAT.recognise(make_file('{"name": "package", "version": "1"}')) == 0.0
    assert FORMAT.recognise(make_file('[{"name": "Robin", "friends": [], "pets": []}]')) == 0.0


@pytest.fixture
def triples(mapped: Any) -> Any:
    return mapped(FORMAT, json.dumps(PROFILE))


def test_the_owner_has_what_is_theirs_and_unknown_keys(triples: Any) -> None:
    owner = triples.events["profile/owner"]
    assert (owner["a"], owner["foaf:name"], owner["ev:nickname"]) == (["ev:Person"], ["Robin Hale"], ["Robin"])
    assert (owner["ev:birthDate"], owner["ev:city"], owner["key:shoe_size"]) == (["1990-02-03"], ["Cork"], ["41"])
    assert owner["ev:language"] == ["English", "Irish"]


def test_everything_hangs_on_the_owner(triples: Any) -> None:
    parts = {name for name in triples.events if name != "profile/owner"}
    owned = {
        iri.removeprefix("https://w3id.org/reqap-kg/data/") for iri in triples.events["profile/owner"]["ev:ownerOf"]
    }
    assert owned == parts
    classes = sorted(triples.events[name]["a"][0].removeprefix("ev:") for name in parts)
    assert classes == ["Education", "Job", *["Person"] * 5, "Pet", *["Preference"] * 2, "Residence"]


def test_people_with_their_relations_and_nicknames(triples: Any) -> None:
    people = {event["foaf:name"][0]: event for event in triples.events.values() if event["a"] == ["ev:Person"]}
    assert (people["Úna Hale"]["ev:relation"], people["Úna Hale"]["ev:nickname"]) == (["mother"], ["Mam"])
    assert people["Bo Hale"]["ev:relation"] == ["brother"]
    assert people["Di Fern"]["ev:relation"] == ["friend"]
    assert (people["Di Fern"]["ev:remark"], people["Di Fern"]["key:eye_colour"]) == (["from the choir"], ["green"])
    assert people["Ed Stone"]["ev:nickname"] == ["Eddie", "Stoney"]


def test_two_entries_of_one_person_are_one(triples: Any) -> None:
    partner = triples.events["profile/person-cy-moss"]
    assert (partner["ev:relation"], partner["ev:city"], partner["ev:occupation"]) == (["wife"], ["Cork"], ["baker"])
    assert (partner["ev:marriedOn"], partner["ev:togetherSince"]) == (["2019-06-07"], ["2015-05-05"])


def test_jobs_studies_homes_pets_and_preferences(triples: Any) -> None:
    by_class = triples.by("a")
    job, home = by_class["ev:Job"], by_class["ev:Residence"]
    assert (job["ev:jobTitle"], job["ev:company"], job["ev:since"]) == (["Baker"], ["Loaf"], ["2012-01-01"])
    assert "ev:until" not in job
    assert (home["ev:address"], home["rdfs:label"]) == (["flat on Hill Street"], ["flat on Hill Street, Cork"])
    assert by_class["ev:Education"]["ev:until"] == ["2011-06-01"]
    assert by_class["ev:Pet"]["ev:petType"] == ["dog"]
    genres = triples.events["profile/preference-music-genres"]
    assert (genres["ev:preferenceKind"], genres["ev:preferenceValue"]) == (["music genres"], ["folk", "jazz"])


def test_a_person_without_a_name_is_reported(triples: Any) -> None:
    assert [(bad.where, bad.reason) for bad in triples.bad] == [("$.siblings", "a person without a name")]


def test_ids_are_stable(read: Any) -> None:
    ids = {record["_id"] for record in read(FORMAT, json.dumps(PROFILE)).records}
    turned = dict(reversed(list(PROFILE.items())))
    assert ids == {record["_id"] for record in read(FORMAT, json.dumps(turned)).records}


def test_a_profile_cut_off_is_refused(read: Any) -> None:
    with pytest.raises(SourceError, match="cut off"):
        read(FORMAT, json.dumps(PROFILE)[:-10])
