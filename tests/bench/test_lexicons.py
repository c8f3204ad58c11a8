"""What each lexicon earns: the parts that are left out are all of a file's own cues, and nothing else."""

from __future__ import annotations

import pytest

from reqap_kg.bench.lexicons import PARTS, shipped, variants
from reqap_kg.texts.lexicon.lexicon_file import Entry, read_entries

HEAD = b"@prefix ev: <https://w3id.org/reqap-kg/event#> .\n@prefix lex: <https://w3id.org/reqap-kg/lexicon/> .\n"
CONTENT = [
    (
        "food.ttl",
        HEAD + b'lex:a a ev:Implication ; ev:key "dish" ; ev:value "pie" ; ev:cue "pie", "tart", "quiche", "pasty" .',
    ),
    (
        "more.ttl",
        HEAD + b'lex:a ev:cue "strudel" ; ev:weakCue "crust" .\n'
        b'lex:b a ev:Implication ; ev:key "dish" ; ev:value "soup" ; ev:cue "soup" .',
    ),
]


def cues(entries: tuple[Entry, ...]) -> set[tuple[str, str, str]]:
    return {(entry.key, entry.value, cue) for entry in entries for cue in (*entry.cues, *entry.weak)}


@pytest.mark.parametrize("content", [CONTENT, shipped()], ids=["small", "shipped"])
def test_the_parts_of_a_file_are_its_own_cues(content) -> None:
    every = cues(read_entries(content)[0])
    found = list(variants(content))
    assert len(found) == len(content) * (1 + PARTS)
    for at in range(0, len(found), 1 + PARTS):
        whole, *parts = found[at : at + 1 + PARTS]
        gone = [every - cues(part.lexicon.entries) for part in parts]
        assert sum(map(len, gone)) == len(set().union(*gone)), "no cue is in two parts"
        assert [part.cues for part in parts] == [len(part) for part in gone]
        assert set().union(*gone) <= every
        if whole.left_out != "food.ttl":  # without it, "a" is no entry at all
            assert set().union(*gone) == every - cues(whole.lexicon.entries)
