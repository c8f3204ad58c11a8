"""Slack's markup: texts as people read them."""

import pytest

from reqap_kg.sources.chats.people import as_read, is_slack


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("a &lt; b &amp;&amp; c &gt; d", "a < b && c > d"),
        ("&amp;lt; stays", "&lt; stays"),
        ("<@U01> and <@U02|bo>, <@U03>", "@Ann and @bo, @U03"),
        ("<https://a.example/x?a=1&amp;b=2|the plan>", "the plan (https://a.example/x?a=1&b=2)"),
        ("<https://a.example> <mailto:a@b.example|a@b.example>", "https://a.example a@b.example"),
        ("<!here> in <#C01|garden>, <!subteam^S1|@cooks>", "@here in #garden, @cooks"),
        ("a <b> c", "a <b> c"),
    ],
)
def test_a_text_is_read_as_slack_shows_it(written: str, read: str) -> None:
    assert as_read(written, {"U01": "Ann"}) == read


def test_a_message_of_slack_is_known_by_its_keys() -> None:
    assert is_slack({"type": "message", "ts": "1.2", "text": "x"})
    assert not is_slack({"type": "message", "date": "2024-01-01", "text": "x"})
