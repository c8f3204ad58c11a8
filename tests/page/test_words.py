"""No text of a program stands where people read: chips, what was left out, how it ran, what was found out."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import quote

import pytest
from page.asking import get

from reqap_kg.web.service import Service

_RUNS = 'RETRIEVE(query="runs I did")'
_ON = f"APPLY(l=FILTER(l={_RUNS}, filter=lambda attr: {{}}), fct=len)"
_PROGRAM = re.compile(
    r"lambda|isoweekday|\battr\b|fct=|\bi[12]\.|\w_\w|[\w\]]\(|==|\bas (?:str|list|float)\b|\bev:|\bkey:"
)


def _text(html: str) -> str:
    """What a person reads of a part of a page; not the addresses."""
    return " ".join(unescape(re.sub("<[^>]*>", " ", html)).split())


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ('attr["start_date"].isoweekday() == 1', "on Monday"),
        ('attr["start_time"] < time(8, 0)', "before 08:00"),
        ('attr["start_date"].month in [6, 7]', "in June or July"),
        ('attr["distance"] * 2 > 10', "distance times 2 over 10"),
    ],
)
def test_a_condition_is_said_wherever_it_stands(served: Service, condition: str, said: str) -> None:
    tree = _ON.format(condition)
    if "distance" in condition:
        tree = tree.replace(_RUNS, f'EXTRACT(l={_RUNS}, attr_names=["distance"], attr_types=[float])')
    asked = f"q=runs&tree={quote(tree)}"
    html = get(served, f"?{asked}&whole=1").text
    chips = _text(html[html.index("read-as") :].partition('class="tabs"')[0])
    assert said in chips
    left = _text(get(served, f"parts/ask/left-out?{asked}").text)
    assert said in left
    how = _text(get(served, f"parts/ask/show?{asked}&show=how").text).partition("The tree as text")[0]
    for shown in (chips, left, how):
        assert not _PROGRAM.search(shown), shown


def test_what_was_found_out_is_said_in_words(served: Service) -> None:
    get(served, f"?q={quote('Which artist did I see in concert?')}&whole=1")
    get(served, f"?q={quote('How many songs did I listen to during my runs in 2024?')}&whole=1")
    told = _text(get(served, "data/derivations", **{"HX-Request": "true"}).text)
    assert "searched for" in told or "read from texts" in told
    assert not _PROGRAM.search(told), told
