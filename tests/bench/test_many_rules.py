"""The rule books that the benchmark of planning makes up are rule books, and planning grows little with them."""

from datetime import datetime

import pytest

from reqap_kg.bench.many_rules import rules_document
from reqap_kg.operators.syntax.text import format_tree
from reqap_kg.planner.patterns.functions import Clock
from reqap_kg.planner.patterns.limits import BoundedGraph
from reqap_kg.planner.patterns.patterns import Matcher
from reqap_kg.planner.patterns.tokens import tokenise
from reqap_kg.planner.rules.rulebook import RuleBook, load_rulebook, shipped_documents
from reqap_kg.planner.search.plan import Planner
from reqap_kg.store.graph import MemoryGraph
from reqap_kg.store.vocabulary import packaged_vocabulary

NOW = datetime(2025, 9, 14)


@pytest.fixture(scope="module")
def many() -> RuleBook:
    return load_rulebook([*shipped_documents(), ("many.ttl", rules_document(120))])


def test_each_kind_of_rule_is_used(many: RuleBook) -> None:
    planner = Planner(MemoryGraph(), packaged_vocabulary(), many)
    framed = planner.plan("What was the total zwc of distance of my runs in 2024?", now=NOW)
    assert framed.steps[0].rule.endswith("zwcRule")
    filtered = planner.plan("How many songs did I play during the zwb of 2023?", now=NOW)
    assert 'attr["start_date"].year == 2023' in format_tree(filtered.tree)


def test_rules_that_a_question_does_not_need_are_not_looked_at(many: RuleBook) -> None:
    shipped = load_rulebook(shipped_documents())
    text = tokenise("How many songs did I play last month?")
    ran = {}
    for name, book in (("shipped", shipped), ("many", many)):
        matcher = _Counting(BoundedGraph(MemoryGraph(book.quads, functions=book.functions)), Clock(NOW))
        matcher.run(book.patterns, text, {})
        ran[name] = matcher.searches
    assert ran["many"] <= ran["shipped"] + 5


class _Counting(Matcher):
    searches = 0

    def _search(self, *arguments):  # type: ignore[no-untyped-def]
        self.searches += 1
        return super()._search(*arguments)
