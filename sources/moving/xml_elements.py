"""XML as a stream of elements, each given once it is complete and then forgotten: Apple Health, GPX and TCX."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue] - compiled, without stubs

from ...config import Limits
from ...errors import HostileInput, SourceError
from ..base import InputFile

__all__ = ["local", "root_name", "xml_elements"]

_PROLOGUE = 2**20
"""The document type stands before the root element; Apple's has some 10 KB."""
_CONTROLS = bytes([*range(9), 11, 12, *range(14, 32)])
"""Characters that XML forbids and that device names in real exports hold."""


_BEFORE_ROOT = re.compile(
    rb"(?s)\A(?:\xef\xbb\xbf)?(?>\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>)*+<([\w:.-]+)"
)
_ENCODING = re.compile(
    rb"<\?xml[^>]{0,200}?encoding=[\"'](iso-8859-\d{1,2}|windows-125\d|us-ascii)[\"']", re.IGNORECASE
)


def root_name(head: bytes) -> str:
    """The name of the root element of XML that begins with `head`; empty for what is no XML."""
    if head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] != b"<":
        return ""
    found = _BEFORE_ROOT.match(head)
    return found[1].decode("ascii", "ignore") if found else ""


def _root(data: bytes, name: str) -> int:
    """Where the root element of that name begins; below 0 where there is none."""
    mark = b"<" + name.encode()
    at = data.find(mark)
    while at >= 0 and data[at + len(mark) : at + len(mark) + 1] not in (b">", b"/", b" ", b"\t", b"\r", b"\n"):
        at = data.find(mark, at + 1)
    return at


class _Body:
    """The XML from its root element, without forbidden characters and document type (malformed in some exports).

    A document type that defines entities is refused (expansion bombs), so no entity can be expanded later.
    """

    def __init__(self, stream: BinaryIO, path: str, root: str, most: int) -> None:
        self._stream = stream
        self._path = path
        self._most = most
        self._since = 0
        self.encoding: str | None = None
        """Where the declaration, which is taken away, names another one than UTF-8."""
        self._start = self._without_prologue(root)

    def _without_prologue(self, root: str) -> bytes:
        start = self._stream.read(_PROLOGUE)
        at = _root(start, root)
        if at < 0:
            raise SourceError(f"{self._path}: no {root} element in the first MiB")
        if b"<!ENTITY" in start[:at].upper():
            raise HostileInput(f"{self._path}: the document type defines entities, as expansion bombs do")
        named = _ENCODING.search(start[:at])
        self.encoding = named[1].decode("ascii") if named else None
        return start[at:]

    def mark(self) -> None:
        self._since = 0

    def read(self, size: int = -1) -> bytes:
        data, self._start = (self._start[:size], self._start[size:]) if self._start else (self._stream.read(size), b"")
        self._since += len(data)
        if self._since > self._most:
            raise HostileInput(f"{self._path}: one element is larger than {self._most} bytes")
        return data.translate(None, _CONTROLS)


def xml_elements(
    file: InputFile,
    limits: Limits,
    root: str,
    complete: Callable[[Any, int], bool],
    kept: Callable[[Any], bool] = lambda _element: True,
) -> Iterator[Any]:
    """The elements for which `complete(element, depth)` holds, without those inside for which `kept` does not.

    Raises SourceError for what is no XML or is cut off, HostileInput for what passes a limit.
    """
    with file.open() as stream:
        body = _Body(stream, file.path, root, limits.record_bytes)
        depth = 0
        try:
            parser = etree.iterparse(
                body,
                events=("start", "end"),
                encoding=body.encoding,
                resolve_entities=False,
                load_dtd=False,
                no_network=True,
                huge_tree=False,
            )
            for event, element in parser:
                if event == "start":
                    depth += 1
                    _check(file.path, element, depth, limits)
                    continue
                depth -= 1
                if complete(element, depth):
                    yield element
                    _forget(element)
                    body.mark()
                elif depth > 1 and not kept(element):
                    _forget(element)
        except etree.XMLSyntaxError as bad:
            raise SourceError(f"{file.path}: damaged or cut off: {bad.msg}") from bad


def _check(path: str, element: Any, depth: int, limits: Limits) -> None:
    if len(element.attrib) > limits.element_attributes:
        raise HostileInput(f"{path}: an XML element with more than {limits.element_attributes} attributes")
    if depth > limits.depth:
        raise HostileInput(f"{path}: XML nested more than {limits.depth} deep")


def _forget(element: Any) -> None:
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def local(element: Any) -> str:
    """The name of an element without its namespace; empty for a comment."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
