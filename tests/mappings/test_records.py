"""Maps over record streams: references, iterators, graphs, flags, notes, warnings."""

from __future__ import annotations

import pytest

from reqap_kg.errors import MappingError
from reqap_kg.sources.base import BadRecord

XSD = "http://www.w3.org/2001/XMLSchema#"
KEY = "https://w3id.org/reqap-kg/key/"


@pytest.mark.parametrize(
    ("reference", "record", "expected"),
    [
        ("x", {"x": "a"}, ['"a"']),
        ("Start Time", {"Start Time": "a"}, ['"a"']),
        ("$['Start Time']", {"Start Time": "a"}, ['"a"']),
        ("$.a.b", {"a": {"b": 1}}, [f'"1"^^<{XSD}integer>']),
        ("a.b", {"a": {"b": 1}}, [f'"1"^^<{XSD}integer>']),
        ("a.b", {"a.b": "whole key", "a": {"b": 1}}, ['"whole key"']),
        ("$.l[*].n", {"l": [{"n": "p"}, {"n": "q"}, {}]}, ['"p"', '"q"']),
        ("$.l[-1]", {"l": ["p", "q"]}, ['"q"']),
        ("$..n", {"l": [{"n": "p"}], "n": "q"}, ['"p"', '"q"']),
        ("$.l[?@.k == 'a'].v", {"l": [{"k": "a", "v": 1}, {"k": "b", "v": 2}]}, [f'"1"^^<{XSD}integer>']),
        ("x", {"x": ["a", ["b"], None]}, ['"a"', '"b"']),
        ("x", {"x": None}, []),
        ("x", {}, []),
        ("x", {"x": ""}, ['""']),
        ("x", {"x": True}, [f'"true"^^<{XSD}boolean>']),
        ("x", {"x": 0.1}, [f'"0.1"^^<{XSD}decimal>']),
        ("x", {"x": 1e-7}, [f'"0.0000001"^^<{XSD}decimal>']),
        ("x", {"x": 2.0}, [f'"2"^^<{XSD}decimal>']),
        ("x", {"x": 1e30}, [f'"1.0E30"^^<{XSD}double>']),
        ("x", {"x": float("nan")}, [f'"NaN"^^<{XSD}double>']),
        ("x", {"x": 'say "\\n"\n\t\x07'}, ['"say \\"\\\\n\\"\\n\\t\\u0007"']),
        ("x", {"x": "lone \ud800 half"}, ['"lone \ufffd half"']),
    ],
)
def test_reference(kit, reference, record, expected) -> None:
    turtle = kit.stream(kit.pair("ex:p", f'rml:reference "{reference}"'))
    assert kit.objects(turtle, {"_id": "1", **record}) == expected


@pytest.mark.parametrize(
    ("iterator", "subjects"),
    [
        ("$", {"1", "2", "3"}),
        ("$[*]", {"1", "2", "3"}),
        ("$[?@.kind == 'a']", {"1"}),
        ("$[?@.kind != 'a']", {"2", "3"}),
        ("$[?@.kind == 'a' || @.n == 2]", {"1", "2"}),
        ("$[?@.kind == 'b' && @.n == 3]", {"3"}),
        ("$[?@.flag]", {"3"}),
        ("$[?!@.flag]", {"1", "2"}),
        ("$[?@.flag == true]", set()),
        ("$[?@.flag == 1]", {"3"}),
        ("$[?@.n > 1]", {"2", "3"}),
        ("$[?(@.kind=='b') && !(@.n==3)]", {"2"}),
        ("$[?@.deep.x == 'y']", {"1"}),
        ("$[?match(@.kind, '[ac]')]", {"1"}),
        ("$[?@.kind == null]", set()),
    ],
)
def test_iterator_tests(kit, iterator, subjects) -> None:
    turtle = kit.stream(iterator=iterator, subject='rml:template "https://example.org/{_id}" ; rml:class ex:T')
    records = [
        {"_id": "1", "kind": "a", "n": 1, "deep": {"x": "y"}},
        {"_id": "2", "kind": "b", "n": 2},
        {"_id": "3", "kind": "b", "n": 3, "flag": 1},
    ]
    lines, bad = kit.run(turtle, *records)
    assert bad == []
    assert {line.split(">")[0].rpartition("/")[2] for line in lines} == subjects


def test_iterator_over_the_items_of_a_list(kit) -> None:
    turtle = kit.stream(
        kit.pair("ex:name", 'rml:reference "$.n"'),
        iterator="$[?@.ok == true].friends[*]",
        subject='rml:template "https://example.org/{n}"',
    )
    records = [
        {"_id": "1", "ok": True, "friends": [{"n": "Ann"}, {"n": "Bob"}]},
        {"_id": "2", "friends": [{"n": "Eve"}]},
    ]
    lines, _ = kit.run(turtle, *records)
    assert lines == {
        '<https://example.org/Ann> <https://example.org/name> "Ann"',
        '<https://example.org/Bob> <https://example.org/name> "Bob"',
    }


def test_everything_goes_to_the_graph_that_is_asked_for(kit) -> None:
    turtle = kit.stream(kit.pair("ex:p", 'rml:reference "x"'), subject='rml:template "{_id}" ; rml:graph ex:own')
    lines, _ = kit.run(turtle, {"_id": "1", "x": "a"}, graph="https://example.org/forced")
    assert lines == {'<https://example.org/1> <https://example.org/p> "a" <https://example.org/forced>'}
    lines, _ = kit.run(turtle, {"_id": "1", "x": "a"})
    assert lines == {'<https://example.org/1> <https://example.org/p> "a" <https://example.org/own>'}


def test_source_name_is_there_for_templates(kit) -> None:
    turtle = kit.stream(subject='rml:template "https://example.org/{_source}/{_id}" ; rml:class ex:T')
    lines, _ = kit.run(turtle, {"_id": "a b/ü"}, {"_id": "1", "_source": "other"})
    assert {line.split(" ")[0] for line in lines} == {
        "<https://example.org/test/a%20b%2Fü>",
        "<https://example.org/test/1>",
    }


def test_empty_is_null_only_where_the_map_says_so(kit) -> None:
    pairs = (kit.pair("ex:p", 'rml:reference "x"'), kit.pair("ex:q", 'rml:template "<{x}>" ; rml:termType rml:Literal'))
    record = {"_id": "1", "x": ["", "a"]}
    assert kit.objects(kit.stream(*pairs, flags="ev:emptyIsNull true ;"), record) == ['"<a>"', '"a"']
    assert kit.objects(kit.stream(*pairs), record) == ['""', '"<>"', '"<a>"', '"a"']


class TestKeepOtherKeys:
    RECORD = {  # noqa: RUF012
        "_id": "1",
        "_internal": "x",
        "read": "r",
        "Other Key": "o",
        "n": None,
        "list": [1, [2.5]],
        "geo": {"lat": 1, "lon": 2, "names": [{"en": "Dublin"}, {"ga": "Baile Átha Cliath"}]},
        "empty": "",
    }

    def keys(self, kit, turtle: str, *records) -> set[str]:
        lines, bad = kit.run(turtle, *(records or [self.RECORD]))
        assert bad == []
        return {line.split(" ", 1)[1].removeprefix(f"<{KEY}").replace(">", "", 1) for line in lines if KEY in line}

    def test_all_that_is_not_read_is_kept(self, kit) -> None:
        turtle = kit.stream(
            kit.pair("ex:p", 'rml:reference "read"'),
            kit.pair("ex:q", 'rml:reference "$.geo.lat"'),
            flags="ev:keepOtherKeys true ;",
        )
        assert self.keys(kit, turtle) == {
            'Other%20Key "o"',
            f'list "1"^^<{XSD}integer>',
            f'list "2.5"^^<{XSD}decimal>',
            f'geo.lon "2"^^<{XSD}integer>',
            'geo.names.en "Dublin"',
            'geo.names.ga "Baile Átha Cliath"',
            'empty ""',
        }

    def test_empty_is_null_holds_here_too(self, kit) -> None:
        turtle = kit.stream(
            kit.pair("ex:p", 'rml:reference "read"'), flags="ev:keepOtherKeys true ; ev:emptyIsNull true ;"
        )
        assert not any(key.startswith("empty") for key in self.keys(kit, turtle))

    def test_maps_with_the_same_subject_count_when_they_apply(self, kit) -> None:
        common = kit.stream(flags="ev:keepOtherKeys true ;")
        only_a = kit.stream(kit.pair("ex:p", 'rml:reference "song"'), iterator="$[?@.kind == 'a']", name="A")
        records = ({"_id": "1", "kind": "a", "song": "s"}, {"_id": "2", "kind": "b", "song": "t"})
        assert self.keys(kit, common + only_a, *records) == {'kind "a"', 'kind "b"', 'song "t"'}

    def test_maps_with_another_subject_do_not_count(self, kit) -> None:
        common = kit.stream(flags="ev:keepOtherKeys true ;")
        other = kit.stream(
            kit.pair("ex:p", 'rml:reference "x"'), name="O", subject='rml:template "https://example.org/o/{x}"'
        )
        assert self.keys(kit, common + other, {"_id": "1", "x": "a"}) == {'x "a"'}

    def test_a_path_that_reads_only_a_part_leaves_the_rest(self, kit) -> None:
        turtle = kit.stream(kit.pair("ex:p", 'rml:reference "$.l[0]"'), flags="ev:keepOtherKeys true ;")
        assert self.keys(kit, turtle, {"_id": "1", "l": ["a", "b"]}) == {'l "a"', 'l "b"'}

    def test_a_value_that_cannot_be_converted_stays_under_its_key(self, kit) -> None:
        number = kit.call("number", ("value", "rml:reference \"$['the price']\""))
        turtle = kit.stream(kit.pair("ex:price", number), flags="ev:keepOtherKeys true ;")
        lines, bad = kit.run(turtle, {"_id": "1", "the price": "cheap"}, {"_id": "2", "the price": "5 EUR"})
        assert lines == {
            f'<https://example.org/1> <{KEY}the%20price> "cheap"',
            f'<https://example.org/2> <https://example.org/price> "5"^^<{XSD}decimal>',
        }
        assert bad == [BadRecord("test", "1, key the price", "no number, or more than one: cheap", key="the price")]

    def test_items_of_a_list_keep_theirs(self, kit) -> None:
        turtle = kit.stream(flags="ev:keepOtherKeys true ;") + kit.stream(
            iterator="$.friends[*]",
            name="F",
            flags="ev:keepOtherKeys true ;",
            subject='rml:template "https://example.org/{n}"',
        )
        lines, _ = kit.run(turtle, {"_id": "1", "friends": [{"n": "Ann", "age": 3}]})
        assert lines == {f'<https://example.org/Ann> <{KEY}age> "3"^^<{XSD}integer>'}

    def test_items_that_keep_nothing_stay_with_their_record(self, kit) -> None:
        turtle = kit.stream(flags="ev:keepOtherKeys true ;") + kit.stream(
            iterator="$.friends[*]", name="F", subject='rml:template "https://example.org/{n}" ; rml:class ex:P'
        )
        assert self.keys(kit, turtle, {"_id": "1", "friends": [{"n": "Ann", "age": 3}]}) == {
            'friends.n "Ann"',
            f'friends.age "3"^^<{XSD}integer>',
        }


class TestNotes:
    def test_bad_records_pass_through(self, kit) -> None:
        turtle = kit.stream(kit.pair("ex:p", 'rml:reference "x"'))
        bad = BadRecord("mail.mbox", "message 3", "no date")
        lines, found = kit.run(turtle, {"_id": "1", "x": "a"}, bad, {"_id": "2", "x": "b"})
        assert len(lines) == 2
        assert found == [bad]

    def test_an_iri_that_is_none_is_a_note_and_the_rest_is_kept(self, kit) -> None:
        turtle = kit.stream(
            kit.pair("ex:link", 'rml:reference "url" ; rml:termType rml:IRI'), kit.pair("ex:p", 'rml:reference "x"')
        )
        lines, bad = kit.run(turtle, {"_id": "1", "url": "not an iri", "x": "a"})
        assert lines == {'<https://example.org/1> <https://example.org/p> "a"'}
        assert [(note.where, note.reason) for note in bad] == [("1, key url", "no valid IRI: not an iri")]

    def test_an_object_where_a_value_is_asked_for(self, kit) -> None:
        lines, bad = kit.run(kit.stream(kit.pair("ex:p", 'rml:reference "x"')), {"_id": "1", "x": {"y": 1}})
        assert lines == set()
        assert "name one of its keys" in bad[0].reason

    def test_a_literal_outside_its_datatype(self, kit) -> None:
        turtle = kit.stream(kit.pair("ex:p", 'rml:reference "x" ; rml:datatype xsd:integer'))
        lines, bad = kit.run(turtle, {"_id": "1", "x": "12"}, {"_id": "2", "x": "twelve"})
        assert lines == {f'<https://example.org/1> <https://example.org/p> "12"^^<{XSD}integer>'}
        assert len(bad) == 1
        assert "lexical space" in bad[0].reason

    def test_many_alike_are_counted(self, kit) -> None:
        date = kit.call("date", ("value", 'rml:reference "d"'))
        turtle = kit.stream(kit.pair("ex:p", date), kit.pair("ex:q", 'rml:reference "_id"'))
        records = [{"_id": str(at), "d": "never"} for at in range(100)]
        _, bad = kit.run(turtle, *records)
        assert len(bad) == 6
        assert sum(note.count for note in bad) == 100
        assert bad[-1].count == 95

    def test_one_value_used_twice_is_told_once(self, kit) -> None:
        time = kit.call("wallClock", ("value", 'rml:reference "at"'))
        turtle = kit.stream(kit.pair("ex:p", time), kit.pair("ex:q", time))
        _, bad = kit.run(turtle, {"_id": "1", "at": "soon"})
        assert len(bad) == 1


class TestWarnings:
    def test_a_triples_map_without_triples(self, kit) -> None:
        turtle = kit.stream(kit.pair("ex:p", 'rml:reference "x"')) + kit.stream(
            kit.pair("ex:p", 'rml:reference "typo"'), name="N"
        )
        compiled = kit.load(turtle)
        assert compiled.warnings == []
        list(compiled.map_records([{"_id": "1", "x": "a"}], graph=None, source="test"))
        assert len(compiled.warnings) == 1
        assert "#N> yielded no triples" in compiled.warnings[0]
        assert compiled.warnings[0].startswith("map.ttl:")

    def test_a_map_of_records_and_files_warns_for_both(self, kit, tmp_path) -> None:
        (tmp_path / "a.json").write_text('{"id": 1}')
        turtle = kit.stream(kit.pair("ex:p", 'rml:reference "x"')) + kit.file(
            "a.json", kit.pair("ex:p", 'rml:reference "x"'), name="F"
        )
        compiled = kit.load(turtle)
        list(compiled.map_records([{"_id": "1"}], graph=None, source="test"))
        list(compiled.map_sources(tmp_path, graph=None))
        assert ["#M>" in text or "#F>" in text for text in compiled.warnings] == [True, True]

    def test_a_second_run_starts_anew(self, kit) -> None:
        compiled = kit.load(kit.stream(kit.pair("ex:p", 'rml:reference "x"')))
        list(compiled.map_records([], graph=None, source="test"))
        assert len(compiled.warnings) == 1
        list(compiled.map_records([{"_id": "1", "x": "a"}], graph=None, source="test"))
        assert compiled.warnings == []


class TestJoins:
    def test_records_join_records_whichever_comes_first(self, kit) -> None:
        person = kit.stream(
            iterator="$[?@.t == 'person']", name="P", subject='rml:template "https://example.org/p/{id}"'
        )
        mail = kit.stream(
            "rml:predicateObjectMap [ rml:predicate ex:by ; rml:objectMap [ rml:parentTriplesMap <#P> ;"
            ' rml:joinCondition [ rml:child "from" ; rml:parent "mail" ] ] ]',
            iterator="$[?@.t == 'mail']",
        )
        ann, eve = {"t": "person", "id": "ann", "mail": ["a@x", "a@y"]}, {"t": "person", "id": "eve", "mail": "e@x"}
        mails = [{"t": "mail", "_id": "1", "from": "a@y"}, {"t": "mail", "_id": "2", "from": "z@z"}]
        for records in ([ann, eve, *mails], [*mails, eve, ann]):
            lines, _ = kit.run(person + mail, *records)
            assert lines == {"<https://example.org/1> <https://example.org/by> <https://example.org/p/ann>"}

    def test_without_condition_the_same_record(self, kit) -> None:
        artist = kit.stream(
            kit.pair("ex:p", 'rml:reference "artist"'),
            name="A",
            subject='rml:template "https://example.org/a/{artist}"',
        )
        song = kit.stream(
            "rml:predicateObjectMap [ rml:predicate ex:by ; rml:objectMap [ rml:parentTriplesMap <#A> ] ]"
        )
        lines, _ = kit.run(artist + song, {"_id": "1", "artist": "X"})
        assert "<https://example.org/1> <https://example.org/by> <https://example.org/a/X>" in lines

    def test_different_sources_need_a_condition(self, kit) -> None:
        artist = kit.stream(name="A", iterator="$.artists[*]")
        song = kit.stream(
            "rml:predicateObjectMap [ rml:predicate ex:by ; rml:objectMap [ rml:parentTriplesMap <#A> ] ]"
        )
        with pytest.raises(MappingError, match="join without condition"):
            kit.load(artist + song)


def test_a_map_of_files_reads_no_records(kit) -> None:
    compiled = kit.load(kit.file("a.json", kit.pair("ex:p", 'rml:reference "x"')))
    assert (compiled.reads_records, compiled.reads_files, compiled.source_paths) == (False, True, ("a.json",))
    with pytest.raises(MappingError, match="ev:Records"):
        list(compiled.map_records([], graph=None, source="test"))


def test_a_map_of_records_reads_no_files(kit, tmp_path) -> None:
    compiled = kit.load(kit.stream(kit.pair("ex:p", 'rml:reference "x"')))
    with pytest.raises(MappingError, match="reads a file"):
        list(compiled.map_sources(tmp_path, graph=None))
