"""The parser of HTML behind `text.html_to_text`: apart, so that whoever reads no markup need not import it."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from itertools import islice
from typing import Final

from bs4 import BeautifulSoup, MarkupResemblesLocatorWarning, XMLParsedAsHTMLWarning
from bs4.element import Comment, NavigableString, PreformattedString, Tag

_INVISIBLE = frozenset(
    [
        "script",
        "style",
        "head",
        "title",
        "meta",
        "template",
        "noscript",
        "svg",
        "object",
        "iframe",
        "select",
        "textarea",
    ]
)
_PARAGRAPHS = frozenset(["p", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table", "pre", "hr", "dl"])
_LINES = frozenset(
    ["div", "li", "tr", "dt", "dd", "section", "article", "header", "footer", "center", "address", "figure", "caption",
     "form", "fieldset", "main", "nav", "aside", "body", "html", "thead", "tbody", "option"]
)  # fmt: skip
_CELLS = frozenset(["td", "th"])
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all", re.IGNORECASE)


def pieces_of(markup: str, *, keep_newlines: bool) -> Iterator[str]:
    """Texts that a reader sees, in their order, with marks of blocks between them: "\\x1f" a line end, "\\x1e" an empty
    line."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MarkupResemblesLocatorWarning)
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        soup = BeautifulSoup(markup, "lxml")
    return _pieces(soup, keep_newlines)


def _pieces(root: Tag, keep_newlines: bool) -> Iterator[str]:
    """Text pieces in document order; line ends as `\\n`. Each stack entry is a node, or a string to give as it is."""
    stack: list[object] = [root]
    preformatted = 0
    while stack:
        node = stack.pop()
        if isinstance(node, str) and not isinstance(node, NavigableString):
            preformatted -= node == _END_PRE
            yield "" if node == _END_PRE else node
        elif isinstance(node, NavigableString):
            if not isinstance(node, Comment | PreformattedString):
                yield str(node) if keep_newlines or preformatted else re.sub(r"\s+", " ", str(node))
        elif isinstance(node, Tag) and (address := _shortened(node)):
            yield address
        elif isinstance(node, Tag) and not _is_hidden(node):
            before, after = _around(node)
            yield before
            preformatted += node.name == "pre"
            stack.extend([after, *([_END_PRE] if node.name == "pre" else []), *reversed(node.contents)])


_SCHEME = re.compile(r"^(?:https?://)?(?:www\.)?", re.IGNORECASE)
_MOST_ADDRESS: Final = 4_000
_MOST_PARTS: Final = 20
"""Elements and texts of a link that are looked at."""
_END_PRE: Final = "\x00/pre"


def _is_hidden(tag: Tag) -> bool:
    if tag.name in _INVISIBLE or tag.has_attr("hidden"):
        return True
    style, classes = tag.get("style"), tag.get("class")
    return bool(
        (isinstance(style, str) and _HIDDEN_STYLE.search(style))
        or (isinstance(classes, list) and "invisible" in classes)
    )


def _shortened(tag: Tag) -> str:
    """The whole address of a link that is shown shortened, as posts have them; empty for any other element.

    Mastodon hides both ends of an address, others write "…" where they cut it.
    """
    address = tag.get("href") if tag.name == "a" else None
    if not isinstance(address, str) or len(address) > _MOST_ADDRESS:
        return ""
    parts = islice(tag.descendants, _MOST_PARTS)  # what has more is no address
    shown = "".join(str(part) for part in parts if isinstance(part, NavigableString)).strip()
    if shown == address and len(tag.contents) > 1:
        return address
    start = shown.rstrip(".…")
    bare = _SCHEME.sub("", address)
    return address if start and start != shown and bare.startswith(_SCHEME.sub("", start)) else ""


def _around(tag: Tag) -> tuple[str, str]:
    """What stands before and after the content of an element."""
    if tag.name == "br":
        return "\n", ""
    if tag.name == "li":
        return "\x1f\x1d", "\x1f"
    if tag.name in _PARAGRAPHS:
        return "\x1e", "\x1e"
    if tag.name in _LINES:
        return "\x1f", "\x1f"
    return ("", "\t") if tag.name in _CELLS else ("", "")
