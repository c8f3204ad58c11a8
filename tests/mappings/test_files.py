"""Maps over files: JSON, JSON Lines, CSV, XML, joins between them, and paths that are refused."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from reqap_kg.config import Limits
from reqap_kg.errors import DataError, MappingError
from reqap_kg.sources.base import BadRecord

XSD = "http://www.w3.org/2001/XMLSchema#"
XPATH_N = (
    '[ a rml:XPathReferenceFormulation ; rml:namespace [ rml:namespacePrefix "q" ; rml:namespaceURL "http://n" ] ]'
)


def _values(lines: set[str]) -> set[str]:
    return {f"{line.split('>')[0].rpartition('/')[2]} {line.split(' ', 2)[2]}" for line in lines}


class TestJson:
    def go(self, kit, folder: Path, data: str | bytes, iterator: str, reference: str = "x", **options):
        (folder / "a.json").write_bytes(data.encode() if isinstance(data, str) else data)
        turtle = kit.file("a.json", kit.pair("ex:p", f'rml:reference "{reference}"'), iterator=iterator)
        lines, bad = kit.run_files(turtle, folder, **options)
        return _values(lines), bad

    @pytest.mark.parametrize(
        ("data", "iterator"),
        [
            ([{"id": 1, "x": "a"}, {"id": 2, "x": "b"}], "$[*]"),
            ({"l": [{"id": 1, "x": "a"}, {"id": 2, "x": "b"}]}, "$.l[*]"),
            ({"l": {"k": [{"id": 1, "x": "a"}, {"id": 2, "x": "b"}]}, "after": [9]}, "$.l.k[*]"),
            (
                {"before": [[{"l": 1}], {"deep": {}}], "l": {"one": {"id": 1, "x": "a"}, "two": {"id": 2, "x": "b"}}},
                "$.l[*]",
            ),
            ({"l": [{"k": [{"id": 1, "x": "a"}]}, {"k": []}, {}, {"k": [{"id": 2, "x": "b"}]}]}, "$.l[*].k[*]"),
            (
                {"l": [{"id": 1, "x": "a", "ok": "y"}, {"id": 3, "x": "c"}, {"id": 2, "x": "b", "ok": "y"}]},
                "$.l[?@.ok=='y']",
            ),
            ({"l": [{"id": 1, "x": "a"}, {"id": 2, "x": "b"}, {"id": 3, "x": "c"}]}, "$.l[0:2]"),
            ({"item": [{"id": 1, "x": "a"}, {"id": 2, "x": "b"}]}, "$.item[*]"),
            ({"a.b": [{"id": 1, "x": "a"}, {"id": 2, "x": "b"}], "a": {"b": [{"id": 3, "x": "c"}]}}, "$['a.b'][*]"),
            ({"l": [{"id": 1, "x": "a"}, [{"id": 2, "x": "b"}]]}, "$..[?@.id]"),
        ],
    )
    def test_iterators(self, kit, tmp_path, data, iterator) -> None:
        for text in (json.dumps(data), json.dumps(data, indent=1), "\ufeff" + json.dumps(data)):
            assert self.go(kit, tmp_path, text, iterator) == ({'1 "a"', '2 "b"'}, [])

    @pytest.mark.parametrize("iterator", ["$.none[*]", "$.l.k.none[*]", "$.scalar[*]", "$.l[*].none[*]"])
    def test_iterators_without_iterations_warn(self, kit, tmp_path, iterator) -> None:
        (tmp_path / "a.json").write_text('{"l": {"k": 1}, "scalar": "s"}')
        compiled = kit.load(kit.file("a.json", kit.pair("ex:p", 'rml:reference "x"'), iterator=iterator))
        assert list(compiled.map_sources(tmp_path, graph=None)) == []
        assert len(compiled.warnings) == 1

    def test_numbers_are_those_of_rml(self, kit, tmp_path) -> None:
        found, _ = self.go(
            kit, tmp_path, '[{"id":1,"x":80.25},{"id":2,"x":7},{"id":3,"x":false},{"id":4,"x":-0.00012}]', "$[*]"
        )
        assert found == {
            f'1 "8.025E1"^^<{XSD}double>',
            f'2 "7"^^<{XSD}integer>',
            f'3 "false"^^<{XSD}boolean>',
            f'4 "-1.2E-4"^^<{XSD}double>',
        }

    def test_a_list_is_a_data_error_with_its_place(self, kit, tmp_path) -> None:
        data = '{"l": [{"id": 1, "x": "a"}, {"id": 2, "x": ["b"]}]}'
        with pytest.raises(DataError, match=r"a\.json: item 2: x: a list"):
            self.go(kit, tmp_path, data, "$.l[*]")
        found, bad = self.go(kit, tmp_path, data, "$.l[*]", strict=False)
        assert found == {'1 "a"'}
        assert [(note.path, note.where) for note in bad] == [("a.json", "item 2, key x")]

    @pytest.mark.parametrize(
        "data", ["", "{", '{"l": [{"id": 1}', '{"l": [{"id": 1}]} x', '{"l": [1,]}', "\x00\x01", b'{"l": ["\xff\xfe"]}']
    )
    @pytest.mark.parametrize("iterator", ["$", "$.l[*]", "$.none[*]"])
    def test_malformed(self, kit, tmp_path, data, iterator) -> None:
        with pytest.raises(DataError, match=r"a\.json"):
            self.go(kit, tmp_path, data, iterator)

    def test_deep_nesting_is_no_crash(self, kit, tmp_path) -> None:
        deep = "[" * 200_000 + "]" * 200_000
        with pytest.raises(DataError):
            self.go(kit, tmp_path, deep, "$")

    @pytest.mark.parametrize(
        ("data", "iterator"),
        [
            ('{"l": [{"id": 1, "x": %s}, {"id": 2, "x": 5}]}', "$.l[*]"),
            ('{"l": [{"id": 1, "x": %s}, {"id": 2, "x": 5}]}', "$.l[0:2]"),
            ('{"id": 1, "x": %s}\n{"id": 2, "x": 5}\n', "$"),
        ],
    )
    def test_numbers_and_characters_at_the_edge(self, kit, tmp_path, data, iterator) -> None:
        five = f'2 "5"^^<{XSD}integer>'
        exact = "1234567890123456789012345"
        assert self.go(kit, tmp_path, data % exact, iterator) == ({f'1 "{exact}"^^<{XSD}integer>', five}, [])
        assert self.go(kit, tmp_path, data % "1e400", iterator) == ({f'1 "INF"^^<{XSD}double>', five}, [])
        found, _ = self.go(kit, tmp_path, data % '"half \\ud83d"', iterator)
        assert found <= {'1 "half \ufffd"', '1 "half ?"', five}
        assert len(found) == 2

    def test_an_endless_number_is_no_crash(self, kit, tmp_path) -> None:
        for iterator in ("$.l[*]", "$.none[*]", "$"):
            with pytest.raises(DataError):
                self.go(kit, tmp_path, '{"l": [' + "1" * 100_000 + "]}", iterator)

    def test_limits_on_streamed_elements(self, kit, tmp_path) -> None:
        deep = '{"l": [{"id": 1, "x": ' + "[" * 300 + "]" * 300 + "}]}"
        with pytest.raises(DataError, match="nested deeper than 200"):
            self.go(kit, tmp_path, deep, "$.l[*]")
        long = '{"before": "' + "y" * 500_000 + '", "l": [{"id": 1, "x": "' + "y" * 500_000 + '"}]}'
        with pytest.raises(DataError, match="larger than 1000 bytes"):
            self.go(kit, tmp_path, long, "$.l[*]", limits=Limits(record_bytes=1000))
        nested = '{"l": ' + "[" * 500_000
        with pytest.raises(DataError):
            self.go(kit, tmp_path, nested, "$.l[*]")

    def test_other_encodings_and_gzip(self, kit, tmp_path) -> None:
        data = json.dumps([{"id": 1, "x": "Zoë"}], ensure_ascii=False)
        (tmp_path / "a.json.gz").write_bytes(gzip.compress(data.encode("utf-16")))
        how = "rml:root rml:MappingDirectory ; rml:encoding rml:UTF-16 ; rml:compression rml:gzip"
        source = f'[ {how} ; rml:path "a.json.gz" ]'
        turtle = kit.file("X", kit.pair("ex:p", 'rml:reference "x"'), iterator="$[*]").replace('"X"', source)
        assert kit.run_files(turtle, tmp_path)[0] == {'<https://example.org/1> <https://example.org/p> "Zoë"'}
        (tmp_path / "a.json.gz").write_bytes(b"\x1f\x8b broken")
        with pytest.raises(DataError, match="cannot be read"):
            kit.run_files(turtle, tmp_path)

    def test_texts_that_stand_for_null(self, kit, tmp_path) -> None:
        (tmp_path / "a.json").write_text('[{"id":1,"x":"n/a"},{"id":2,"x":"-"},{"id":3,"x":"c"}]')
        source = (
            '[ a rml:RelativePathSource ; rml:root rml:MappingDirectory ; rml:path "a.json" ; rml:null "n/a", "-" ]'
        )
        turtle = kit.file("X", kit.pair("ex:p", 'rml:reference "x"'), iterator="$[*]").replace('"X"', source)
        assert _values(kit.run_files(turtle, tmp_path)[0]) == {'3 "c"'}


class TestJsonLines:
    LINES = '{"id": 1, "x": "a", "k": [{"id": 7, "x": "i"}]}\n\n{"id": 2, "x": "b"}\n'

    def go(self, kit, folder: Path, text: str, iterator: str = "$", **options):
        (folder / "a.txt").write_text(text, encoding="utf-8")
        turtle = kit.file("a.txt", kit.pair("ex:p", 'rml:reference "x"'), iterator=iterator)
        lines, bad = kit.run_files(turtle, folder, **options)
        return _values(lines), bad

    @pytest.mark.parametrize(
        ("iterator", "expected"),
        [("$", {'1 "a"', '2 "b"'}), ("$[*]", {'1 "a"', '2 "b"'}), ("$[?@.id==2]", {'2 "b"'}), ("$.k[*]", {'7 "i"'})],
    )
    def test_recognised_by_content(self, kit, tmp_path, iterator, expected) -> None:
        assert self.go(kit, tmp_path, self.LINES, iterator) == (expected, [])
        assert self.go(kit, tmp_path, "\ufeff\n" + self.LINES.rstrip(), iterator) == (expected, [])

    def test_a_first_line_that_is_broken(self, kit, tmp_path) -> None:
        found, bad = self.go(kit, tmp_path, '{"id": 9, "x":\n' + self.LINES)
        assert found == {'1 "a"', '2 "b"'}
        assert [item.where for item in bad] == ["line 1"]

    @pytest.mark.parametrize(
        "text", ['{"id":\n1\n,"x":"a"}', '{\n"id": 1,\n"x": "a"\n}\n', '{"x": "a", "deep":\n{"id": 2}\n, "id": 1}\n']
    )
    def test_one_document_on_several_lines(self, kit, tmp_path, text) -> None:
        assert self.go(kit, tmp_path, text) == ({'1 "a"'}, [])

    def test_lists_on_lines(self, kit, tmp_path) -> None:
        text = '[{"id": 1, "x": "a"}]\n[{"id": 2, "x": "b"}]\n'
        assert self.go(kit, tmp_path, text, "$[*]") == ({'1 "a"', '2 "b"'}, [])

    def test_a_broken_line_is_kept_out_alone(self, kit, tmp_path) -> None:
        found, bad = self.go(kit, tmp_path, self.LINES + "{broken\n" + '{"id": 3, "x": "c"}\n{"id": 4')
        assert found == {'1 "a"', '2 "b"', '3 "c"'}
        assert [(item.path, item.where) for item in bad] == [("a.txt", "line 4"), ("a.txt", "line 6")]
        assert all(item.reason.startswith("no JSON") for item in bad)

    def test_a_line_that_is_too_long_is_kept_out_alone(self, kit, tmp_path) -> None:
        text = self.LINES + json.dumps({"id": 5, "x": "y" * 300}) + "\n" + '{"id": 6, "x": "f"}\n'
        found, bad = self.go(kit, tmp_path, text, limits=Limits(record_bytes=100))
        assert found == {'1 "a"', '2 "b"', '6 "f"'}
        assert bad == [BadRecord("a.txt", "line 4", "longer than 100 bytes")]


class TestCsv:
    def go(self, kit, folder: Path, text: str, reference: str = "na me", **options):
        (folder / "a.csv").write_text(text, encoding="utf-8", newline="")
        turtle = kit.file("a.csv", kit.pair("ex:p", f'rml:reference "{reference}"'), form="rml:CSV", iterator=None)
        lines, bad = kit.run_files(turtle, folder, **options)
        return _values(lines), bad

    @pytest.mark.parametrize("mark", [",", ";", "\t"])
    @pytest.mark.parametrize("end", ["\n", "\r\n"])
    def test_rows(self, kit, tmp_path, mark, end) -> None:
        rows = [["id", "na me"], ["1", '"a ""b"" é"'], ["2", '"two' + end + 'lines"'], ["3", ""], ["4"]]
        text = "\ufeff" + end.join(mark.join(row) for row in rows) + end
        found, bad = self.go(kit, tmp_path, text)
        two = end.replace("\r", "\\r").replace("\n", "\\n")
        assert found == {'1 "a \\"b\\" é"', f'2 "two{two}lines"', '3 ""'}
        assert bad == []

    @pytest.mark.parametrize(
        "text",
        [
            "id;na me;size (cm, about)\n1;2,5;7\n",
            'id;na me;"net, gross"\n1;2,5;3,5\n',
            "id\tna me\tx, y; z\n1\t2,5\ta;b\n",
            'id,na me,"a;b;c;d"\n1,"2,5",x;y\n',
        ],
    )
    def test_the_separator_is_that_of_all_rows(self, kit, tmp_path, text) -> None:
        assert self.go(kit, tmp_path, text) == ({'1 "2,5"'}, [])

    def test_a_row_with_too_many_fields(self, kit, tmp_path) -> None:
        found, bad = self.go(kit, tmp_path, "id,na me\n1,a\n2,b,c\n3,d\n")
        assert found == {'1 "a"', '3 "d"'}
        assert bad == [BadRecord("a.csv", "line 3", "3 fields, the header has 2")]

    def test_unknown_column(self, kit, tmp_path) -> None:
        with pytest.raises(DataError, match=r"map\.ttl:\d+:\d+: no column 'na_me'; did you mean 'na me'\?"):
            self.go(kit, tmp_path, "id,na me\n1,a\n", "na_me")

    @pytest.mark.parametrize("text", ["", "id,id\n1,2\n", 'id,na me\n1,"open\n'])
    def test_malformed(self, kit, tmp_path, text) -> None:
        with pytest.raises(DataError, match=r"a\.csv"):
            self.go(kit, tmp_path, text)

    def test_long_fields(self, kit, tmp_path) -> None:
        found, _ = self.go(kit, tmp_path, "id,na me\n1," + "x" * 200_000 + "\n")
        assert len(next(iter(found))) == 200_004


class TestXml:
    TEXT = """<?xml version="1.0"?>
    <r xmlns:n="http://n" name="root"><p id="1"><x>a<b>b</b></x><n:y>ns</n:y></p><p id="2"><x/><x>c</x></p>
    <q><p id="3"><x>no</x></p></q></r>"""

    def go(self, kit, folder: Path, reference: str, iterator: str = "/r/p", form: str = "rml:XPath", text: str = TEXT):
        (folder / "a.xml").write_text(text, encoding="utf-8")
        turtle = kit.file(
            "a.xml",
            kit.pair("ex:p", f'rml:reference "{reference}"'),
            form=form,
            iterator=iterator,
            subject='rml:template "https://example.org/{@id}"',
        )
        return _values(kit.run_files(turtle, folder)[0])

    @pytest.mark.parametrize(
        ("reference", "iterator", "expected"),
        [
            ("x", "/r/p", {'1 "ab"', '2 ""', '2 "c"'}),
            ("x/b", "/r/p", {'1 "b"'}),
            ("@id", "/r/p", {'1 "1"', '2 "2"'}),
            ("x[2]/text()", "/r/p", {'2 "c"'}),
            ("count(x)", "/r/p", {f'1 "1"^^<{XSD}integer>', f'2 "2"^^<{XSD}integer>'}),
            ("../@name", "/r/p", {'1 "root"', '2 "root"'}),
            ("x", "//p[@id > 1]", {'2 ""', '2 "c"', '3 "no"'}),
            ("x", "/r/none", set()),
        ],
    )
    def test_references(self, kit, tmp_path, reference, iterator, expected) -> None:
        assert self.go(kit, tmp_path, reference, iterator) == expected

    def test_namespaces(self, kit, tmp_path) -> None:
        assert self.go(kit, tmp_path, "q:y", form=XPATH_N) == {'1 "ns"'}
        text = '<q:r xmlns:q="http://n"><q:p id="1"><q:y>z</q:y></q:p></q:r>'
        assert self.go(kit, tmp_path, "q:y", "/q:r/q:p", XPATH_N, text) == {'1 "z"'}
        with pytest.raises(MappingError, match="w:"):
            self.go(kit, tmp_path, "w:y", "/w:r/w:p", XPATH_N, text)

    @pytest.mark.parametrize("text", ["", "<r><p id='1'>", "<r>&nope;</r>", "no"])
    def test_malformed(self, kit, tmp_path, text) -> None:
        with pytest.raises(DataError, match=r"a\.xml"):
            self.go(kit, tmp_path, "x", text=text)

    @pytest.mark.parametrize("iterator", ["/r/p", "//p"])
    def test_entities_are_not_read(self, kit, tmp_path, iterator) -> None:
        (tmp_path / "secret").write_text("secret")
        for entity in ('"bomb"', f'SYSTEM "{tmp_path}/secret"', 'SYSTEM "http://127.0.0.1:9/x"'):
            text = f'<!DOCTYPE r [<!ENTITY e {entity}>]><r><p id="1"><x>&e;</x></p></r>'
            with pytest.raises(DataError, match="entity declarations"):
                self.go(kit, tmp_path, "x", iterator, text=text)

    def test_a_reference_that_is_no_xpath(self, kit, tmp_path) -> None:
        with pytest.raises(MappingError, match="no XPath"):
            self.go(kit, tmp_path, "@@")

    def test_an_iterator_that_gives_no_elements(self, kit, tmp_path) -> None:
        with pytest.raises(DataError, match="gives no elements"):
            self.go(kit, tmp_path, "x", "//p/@id")


class TestPaths:
    @pytest.mark.parametrize(
        "path", ["../a.json", "/etc/hostname", "sub/../../a.json", "C:/a.json", "..", "", "a\\\\..\\\\..\\\\b"]
    )
    def test_paths_that_lead_out_are_refused_when_loaded(self, kit, path) -> None:
        with pytest.raises(MappingError) as caught:
            kit.load(kit.file(path, kit.pair("ex:p", 'rml:reference "x"')))
        assert caught.value.place is not None

    def test_links_that_lead_out_are_refused(self, kit, tmp_path) -> None:
        (tmp_path / "secret.json").write_text('{"id": 1, "x": "secret"}')
        folder = tmp_path / "maps"
        (folder / "sub").mkdir(parents=True)
        (folder / "a.json").symlink_to(tmp_path / "secret.json")
        (folder / "out").symlink_to(tmp_path)
        for path in ("a.json", "out/secret.json"):
            with pytest.raises(DataError, match="through a link"):
                kit.run_files(kit.file(path, kit.pair("ex:p", 'rml:reference "x"')), folder)

    def test_links_that_stay_inside_are_followed(self, kit, tmp_path) -> None:
        (tmp_path / "b.json").write_text('{"id": 1, "x": "a"}')
        (tmp_path / "a.json").symlink_to(tmp_path / "b.json")
        lines, _ = kit.run_files(kit.file("a.json", kit.pair("ex:p", 'rml:reference "x"')), tmp_path)
        assert _values(lines) == {'1 "a"'}

    def test_missing_files_and_folders(self, kit, tmp_path) -> None:
        (tmp_path / "sub").mkdir()
        for path in ("none.json", "sub"):
            with pytest.raises(DataError, match="no such file"):
                kit.run_files(kit.file(path, kit.pair("ex:p", 'rml:reference "x"')), tmp_path)

    def test_roots(self, kit, tmp_path) -> None:
        maps, work = tmp_path / "maps", tmp_path / "work"
        (maps / "data").mkdir(parents=True)
        work.mkdir()
        (maps / "a.json").write_text('{"id": 1, "x": "map"}')
        (maps / "data" / "a.json").write_text('{"id": 1, "x": "data"}')
        (work / "a.json").write_text('{"id": 1, "x": "work"}')
        roots = {
            "rml:root rml:MappingDirectory ;": "map",
            "rml:root rml:CurrentWorkingDirectory ;": "work",
            "": "work",
            'rml:root "data" ;': "data",
        }
        for root, expected in roots.items():
            source = f'[ a rml:RelativePathSource ; {root} rml:path "a.json" ]'
            turtle = kit.file("X", kit.pair("ex:p", 'rml:reference "x"')).replace('"X"', source)
            lines, _ = kit.run_files(turtle, maps, working_dir=work)
            assert _values(lines) == {f'1 "{expected}"'}, root

    def test_another_file_instead(self, kit, tmp_path) -> None:
        (tmp_path / "given.json").write_text('{"id": 1, "x": "a"}')
        turtle = kit.file("named.json", kit.pair("ex:p", 'rml:reference "x"'))
        lines, _ = kit.run_files(turtle, tmp_path / "elsewhere", instead={"named.json": tmp_path / "given.json"})
        assert _values(lines) == {'1 "a"'}


class TestJoins:
    def join(self, conditions: str) -> str:
        reference = f"rml:parentTriplesMap <#P> ; {conditions}"
        return f"rml:predicateObjectMap [ rml:predicate ex:by ; rml:objectMap [ {reference} ] ]"

    def test_across_formats_with_several_conditions(self, kit, tmp_path) -> None:
        (tmp_path / "people.csv").write_text("id,mail,year\nann,a@x,1990\neve,a@x,1991\n")
        (tmp_path / "mails.json").write_text(
            '[{"id": 1, "from": "a@x", "born": 1990}, {"id": 2, "from": ["q"], "born": 1},'
            ' {"id": 3, "from": null, "born": 1990}]'
        )
        people = kit.file(
            "people.csv", form="rml:CSV", iterator=None, name="P", subject='rml:template "https://example.org/p/{id}"'
        )
        year = '[ rml:child "born" ; rml:parentMap [ rml:template "{year}" ] ]'
        conditions = f'rml:joinCondition [ rml:child "$.from" ; rml:parent "mail" ] , {year}'
        mails = kit.file("mails.json", self.join(conditions), iterator="$[*]")
        lines, _ = kit.run_files(people + mails, tmp_path, strict=False)
        assert lines == {"<https://example.org/1> <https://example.org/by> <https://example.org/p/ann>"}

    def test_without_condition_on_the_same_source(self, kit, tmp_path) -> None:
        (tmp_path / "a.json").write_text('[{"id": 1, "boss": 9}]')
        parent = kit.file("a.json", iterator="$[*]", name="P", subject='rml:template "https://example.org/p/{boss}"')
        lines, _ = kit.run_files(parent + kit.file("a.json", self.join(""), iterator="$[*]"), tmp_path)
        assert lines == {"<https://example.org/1> <https://example.org/by> <https://example.org/p/9>"}

    def test_files_and_records_do_not_join(self, kit) -> None:
        with pytest.raises(MappingError, match="another kind of source"):
            kit.load(
                kit.stream(name="P")
                + kit.file("a.json", self.join('rml:joinCondition [ rml:child "a" ; rml:parent "b" ]'))
            )

    @pytest.mark.parametrize("condition", ['rml:child "a"', 'rml:parent "a"', 'rml:child "a", "b" ; rml:parent "c"'])
    def test_incomplete_conditions(self, kit, condition) -> None:
        with pytest.raises(MappingError, match="join condition with"):
            kit.load(kit.file("b.json", name="P") + kit.file("a.json", self.join(f"rml:joinCondition [ {condition} ]")))
