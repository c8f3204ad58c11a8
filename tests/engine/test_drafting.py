"""`rules new`: from one question and its tree, a rule that reads the question with other values, too."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from reqap_kg.config import Settings
from reqap_kg.engine.authoring.authoring import Workshop
from reqap_kg.engine.authoring.drafting import draft_rule
from reqap_kg.errors import TreeSyntaxError, UsageError
from reqap_kg.operators.syntax.text import format_tree, parse_tree
from reqap_kg.planner.search.plan import plan
from reqap_kg.store.graph import MemoryGraph

NOW = datetime(2025, 9, 14, 10, 30)
WEIGHT = (
    'SUM(l=EXTRACT(l=FILTER(l=EXTRACT(l=RETRIEVE(query="{what} harvested"), attr_names=["start_date"], '
    'attr_types=[date.fromisoformat]), filter=lambda attr: attr["start_date"] >= date({begin}) and '
    'attr["start_date"] <= date({end})), attr_names=["weight"], attr_types=[float]), attr_name="weight")'
)
SHARE = (
    'APPLY(l=EXTRACT(l=RETRIEVE(query="{what}"), attr_names=["{key}"], attr_types=[float]), '
    'fct=lambda events: sum(1 for event in events if event["{key}"] > {number}) / len(events))'
)
BUSIEST = (
    'APPLY(l=MAP(l=GROUP_BY(l={source}, attr_names=["{key}"]), fct=len, res_name="count"), fct=lambda rows: '
    '[row["{key}"] for row in sorted(rows, key=lambda row: row["count"], reverse=True)[:{number}]])'
)
ARTISTS = (
    'UNNEST(l=EXTRACT(l=RETRIEVE(query="songs"), attr_names=["artist"], attr_types=[list]), nested_attr_name="artist")'
)
ALBUMS = 'EXTRACT(l=RETRIEVE(query="songs"), attr_names=["album"], attr_types=[str])'
DOUBLE = 'APPLY(l=RETRIEVE(query="{query}"), fct=lambda events: len(events) * 2)'


@pytest.fixture(scope="module")
def workshop() -> Workshop:
    return Workshop.of((), Settings())


@pytest.mark.long
@pytest.mark.parametrize(
    ("question", "tree", "others"),
    [
        (
            "how rich was my harvest of beans last month",
            WEIGHT.format(what="beans", begin="2025, 8, 1", end="2025, 8, 31"),
            [
                ("how rich was my harvest of red onions in 2023",
                 WEIGHT.format(what="red onions", begin="2023, 1, 1", end="2023, 12, 31")),
                ("How rich was the harvest of kale in May 2024?",
                 WEIGHT.format(what="kale", begin="2024, 5, 1", end="2024, 5, 31")),
            ],
        ),
        (
            "how big a slice of my runs were longer than 10 km",
            SHARE.format(what="my runs", key="distance", number=10),
            [("how big a slice of my bike rides were longer than 42 km",
              SHARE.format(what="my bike rides", key="distance", number=42))],
        ),
        (
            "rate my 3 busiest artists",
            BUSIEST.format(source=ARTISTS, key="artist", number=3),
            [("rate my 12 busiest artists", BUSIEST.format(source=ARTISTS, key="artist", number=12)),
             ("rate my 4 busiest albums", BUSIEST.format(source=ALBUMS, key="album", number=4))],
        ),
        (
            "what is twice the number of times I streamed songs by ABBA",
            DOUBLE.format(query="I streamed songs by ABBA"),
            [("what is twice the number of times I bought tea", DOUBLE.format(query="I bought tea"))],
        ),
        (
            "how doubly often did I listen to jazz",
            DOUBLE.format(query="I listened to jazz"),
            [("how doubly often did I go swimming", DOUBLE.format(query="I went swimming"))],
        ),
    ],
)  # fmt: skip
def test_a_draft_reads_its_question_and_others_like_it(workshop, tmp_path: Path, question, tree, others):
    made = draft_rule(question, tree, NOW, workshop, None)
    (tmp_path / "draft.ttl").write_text(made.draft.turtle, encoding="utf-8")
    added = Workshop.of([tmp_path / "draft.ttl"], Settings())
    assert [str(finding) for finding in added.check()] == []
    for asked, wanted in [(question, tree), *others]:
        found = plan(asked, graph=MemoryGraph(), vocabulary=added.vocabulary, now=NOW, rulebook=added.rulebook)
        assert format_tree(found.tree) == format_tree(parse_tree(wanted)), asked
    cases = added.cases()
    assert [case.question for case in cases] == [question]
    assert all(result.passed for result in added.test(cases, None))
    assert made.variants


def test_what_is_read_already_needs_no_draft(workshop):
    with pytest.raises(UsageError, match="already, by the rule countEvents"):
        draft_rule(
            "How many songs did I play?", 'APPLY(l=RETRIEVE(query="songs I played"), fct=len)', NOW, workshop, None
        )


def test_a_tree_must_be_whole_and_well_formed(workshop):
    with pytest.raises(UsageError, match="open leaves"):
        draft_rule("how odd", 'APPLY(l=QUD("songs"), fct=len)', NOW, workshop, None)
    with pytest.raises(TreeSyntaxError):
        draft_rule("how odd", "APPLY(l=", NOW, workshop, None)


def test_the_name_may_be_given(workshop):
    made = draft_rule("how odd is jazz", DOUBLE.format(query="jazz"), NOW, workshop, None, "oddity")
    assert "own:oddity a sh:SPARQLRule" in made.draft.turtle
