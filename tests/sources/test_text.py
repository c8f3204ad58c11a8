"""Text out of HTML and out of bytes with a wrong character set."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reqap_kg.sources.charsets import decode_bytes
from reqap_kg.sources.text import MAX_HTML, html_to_text, looks_like_html, plain, slug, unescape


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>Dear <b>Ann</b>,</p><p>see\n  you<br>soon &amp; <i>well</i></p>", "Dear Ann,\n\nsee you\nsoon & well"),
        ("<div><div>one</div></div><div>two</div>", "one\ntwo"),
        ("<ul><li>milk<li>bread</ul>after", "- milk\n- bread\n\nafter"),
        ("<table><tr><td>Total</td><td>€5</td></tr><tr><td>Paid</td></tr></table>", "Total €5\nPaid"),
        ("a<script>evil()</script><style>p{}</style><!-- note -->b", "ab"),
        ("<span style='display: none'>preview</span>shown<span hidden>x</span>", "shown"),
        ("<a href='https://example.org/very/long'>our site</a>", "our site"),
        (
            "<a href='https://x.test/a/b/c'><span class='invisible'>https://</span><span class='ellipsis'>x.test/a"
            "</span><span class='invisible'>/b/c</span></a> too",
            "https://x.test/a/b/c too",
        ),
        ("see <a href='https://www.x.test/a/b/c'>x.test/a…</a>", "see https://www.x.test/a/b/c"),
        ("see <a href='https://x.test/a/b/c'>https://x.test/a...</a>", "see https://x.test/a/b/c"),
        ("<a href='https://x.test/'>and so on…</a>", "and so on…"),
        ("<a href='https://x.test/@u'>@<span>u</span></a>", "@u"),
        ("<title>t</title><p>x\u00a0\u200by\u00ad</p>", "x y"),
        ("<pre>a\n  b</pre>", "a\nb"),
        ("no markup at all, 3 < 5", "no markup at all, 3 < 5"),
        ("", ""),
    ],
)
def test_html_becomes_lines_of_visible_text(markup: str, expected: str) -> None:
    assert html_to_text(markup) == expected


def test_line_ends_in_posts_are_kept_when_asked() -> None:
    assert html_to_text("<p>one\ntwo</p><p>three</p>", keep_newlines=True) == "one\ntwo\n\nthree"
    assert html_to_text("<p>one\ntwo</p><p>three</p>") == "one two\n\nthree"


@pytest.mark.parametrize(
    "markup",
    [
        "<div>" * 100_000 + "x" + "</div>" * 100_000 + "<br>" * 100_000,
        "<" * 2_000_000,
        "<div " * 300_000,
        " \n" * 1_000_000 + "x",
        "<b>" * 150_000,
        "&" * 1_000_000,
    ],
    ids=["deep", "angles", "unclosed", "blank", "unclosed-deep", "ampersands"],
)
def test_hostile_markup_is_read_in_bounded_time(markup: str) -> None:
    start = time.monotonic()
    html_to_text(markup)
    assert time.monotonic() - start < 20


def test_markup_is_bounded() -> None:
    assert len(html_to_text("a" * (MAX_HTML + 10))) == MAX_HTML


@given(st.text(max_size=300))
def test_any_text_is_read(markup: str) -> None:
    text = html_to_text(markup)
    assert "\x00" not in text
    assert text == text.strip()


def test_html_is_told_from_text() -> None:
    assert looks_like_html("a<br>b")
    assert looks_like_html('<a href="x">y</a>')
    assert not looks_like_html("x < y and y > z, <me@example.org>")


def test_character_references_are_replaced_and_ampersands_kept() -> None:
    assert unescape("Caf&eacute; R&B &amp; Soul &#8211; &notaname;") == "Café R&B & Soul – &notaname;"


def test_plain_removes_control_characters() -> None:
    assert plain("a \r\nb\x00c\x0b\r\n\r\n") == "a\nbc"


@pytest.mark.parametrize(
    ("data", "declared", "expected"),
    [
        ("café".encode(), "utf-8", "café"),
        ("café".encode(), "us-ascii", "café"),
        ("café".encode(), "iso-8859-1", "café"),
        ("café".encode("cp1252"), "utf-8", "café"),
        ("café €".encode("cp1252"), "iso-8859-1", "café €"),
        ("naïve".encode("latin-1"), "x-unknown", "naïve"),
        ("\ufeffcafé".encode(), None, "café"),
        (b"\x81\x8d", "utf-8", "\x81\x8d"),
        ("Então, €".encode().decode("cp1252").encode(), "utf-8", "Então, €"),
        ("Ãµ stays when not all is so: é".encode(), "utf-8", "Ãµ stays when not all is so: é"),
        ("日本".encode("iso-2022-jp"), "iso-2022-jp", "日本"),
    ],
)
def test_wrong_character_sets_are_survived(data: bytes, declared: str | None, expected: str) -> None:
    assert decode_bytes(data, declared) == expected


def test_slugs() -> None:
    assert slug("Inês – Família & Friends!") == "ines-familia-friends"
    assert slug("家族") == ""
