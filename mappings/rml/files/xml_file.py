"""XML files as iterations, and references as XPath 1.0 on them; no entities are expanded and nothing is fetched."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue] - compiled, without stubs

from ....errors import DataError, MappingError, Place
from ..run_state import Run
from ..running.values import ReferenceCompiler, Values
from .file_input import FileInput, Iteration, Iterations

Namespaces = tuple[tuple[str, str], ...]
_SIMPLE = re.compile(r"(?:/(?:\*|[A-Za-z_][\w.\-]*(?::[A-Za-z_][\w.\-]*)?))+")
_OUTWARD = re.compile(
    r"\.\.|^\s*/|(?:parent|ancestor(?:-or-self)?|(?:preceding|following)(?:-sibling)?)\s*::|[(\[,|]\s*/"
)
_OF_EXTENSIONS = (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError, re.error)
"""What functions of EXSLT raise on values that they were not made for."""
_SHOWN = 200
_NONE: list[Any] = []


def xpath_references(namespaces: Namespaces, nulls: frozenset[str] = frozenset()) -> ReferenceCompiler:
    """References as XPath; elements stand for their text, attributes for their value."""

    def compile_reference(run: Run, text: str, place: Place | None, empty_is_null: bool) -> Values:
        missing = nulls | {""} if empty_is_null else nulls
        query = compile_xpath(text, namespaces, place)

        def values(iteration: Any) -> list[Any]:
            try:
                found = query(iteration)
            except etree.XPathError as bad:
                raise DataError(f"{f'{place}: ' if place else ''}{_cut(text)}: {_cut(str(bad))}") from bad
            except _OF_EXTENSIONS as bad:
                run.note(_cut(text), None, f"no value: {_cut(str(bad))}")
                return _NONE
            items = found if isinstance(found, list) else [found]
            kept: list[Any] = []
            for item in items:
                value = _value(item)
                if value is None:
                    run.note(_cut(text), None, "what is found is no element, attribute or text")
                elif value not in missing:
                    kept.append(value)
            return kept

        return values

    return compile_reference


def compile_xpath(text: str, namespaces: Namespaces, place: Place | None = None) -> etree.XPath:
    """A compiled XPath 1.0 expression. Raises MappingError where it is none."""
    try:
        return etree.XPath(text, namespaces=dict(namespaces) or None, smart_strings=False)
    except (etree.XPathError, ValueError, TypeError) as bad:  # the last two for signs that XML does not have
        told = f"{_cut(text)!r} is no XPath: {_cut(str(bad))}"
        raise MappingError(told, place=place, expected="XPath 1.0, its prefixes declared by rml:namespace") from bad


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _value(item: Any) -> Any:
    """The value of what XPath finds; None for what has none, as a namespace."""
    if isinstance(item, float):
        return int(item) if item.is_integer() else item
    if isinstance(item, str | bool):
        return item
    if not isinstance(item, etree._Element):
        return None
    if not isinstance(item.tag, str):
        return item.text or ""  # a comment or a processing instruction
    return "".join(item.itertext())


def looks_outward(reference: str) -> bool:
    """Whether a reference may read what stands outside its element, so that the document has to stay in memory."""
    return _OUTWARD.search(reference) is not None


def xml_iterations(file: FileInput, iterator: str | None, namespaces: Namespaces, *, whole: bool) -> Iterations:
    """The elements that the iterator names; in a stream when it is a plain path and `whole` is not asked for.

    Raises DataError for malformed XML, for entity declarations, and for an iterator that gives no elements.
    """
    path = iterator or "/*"
    simple = _SIMPLE.fullmatch(path) is not None and not whole
    try:
        with file.open() as stream:
            found = _streamed(stream, path, namespaces, file) if simple else _whole(stream, path, namespaces, file)
            for number, element in enumerate(found, 1):
                yield Iteration(element, f"element {number}, line {element.sourceline}")
    except etree.XMLSyntaxError as bad:
        raise DataError(f"{file.name}: malformed XML: {bad}") from bad
    except etree.XPathError as bad:
        raise DataError(f"{file.name}: {path}: {bad}") from bad


def _whole(stream: Any, path: str, namespaces: Namespaces, file: FileInput) -> Iterator[Any]:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    tree = etree.parse(stream, parser)
    _refuse_entities(tree, file)
    found = compile_xpath(path, namespaces)(tree)
    if not isinstance(found, list) or not all(isinstance(item, etree._Element) for item in found):
        raise DataError(f"{file.name}: {path} gives no elements")
    yield from found


def _refuse_entities(tree: Any, file: FileInput) -> None:
    dtd = tree.docinfo.internalDTD
    if dtd is not None and next(iter(dtd.iterentities()), None) is not None:
        raise DataError(f"{file.name}: entity declarations are not read")


def _streamed(stream: Any, path: str, namespaces: Namespaces, file: FileInput) -> Iterator[Any]:
    """Elements at a plain absolute path, each thrown away once it has been used."""
    wanted = [_qualified(step, dict(namespaces)) for step in path.split("/")[1:]]
    events = etree.iterparse(
        stream, events=("start", "end"), resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    open_tags: list[Any] = []
    for event, element in events:
        if event == "start":
            if not open_tags:
                _refuse_entities(element.getroottree(), file)
            open_tags.append(element.tag)
            if len(element.attrib) > file.limits.element_attributes:
                most = file.limits.element_attributes
                raise DataError(f"{file.name}: an XML element with more than {most} attributes")
            continue
        if len(open_tags) == len(wanted) and all(
            step in ("*", tag) for step, tag in zip(wanted, open_tags, strict=True)
        ):
            yield element
        open_tags.pop()
        if len(open_tags) < len(wanted):
            _forget(element)


def _forget(element: Any) -> None:
    element.clear(keep_tail=False)
    parent = element.getparent()
    if parent is not None:
        while element.getprevious() is not None:
            del parent[0]


def _qualified(step: str, namespaces: dict[str, str]) -> str:
    prefix, colon, local = step.partition(":")
    if not colon:
        return step
    if prefix not in namespaces:
        expected = "rml:namespacePrefix and rml:namespaceURL"
        raise MappingError(f"the prefix {prefix}: has no rml:namespace", expected=expected)
    return f"{{{namespaces[prefix]}}}{local}"
