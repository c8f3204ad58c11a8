"""Term maps and expressions of a document read into the model (RML-Core, Term Maps; RML-FNML, function executions)."""

from __future__ import annotations

from ....errors import MappingError, Place
from ....ontology.namespaces import FN
from ....store.rdf import BlankNode, Literal, NamedNode
from ....store.words import nearest_name as nearest
from ..functions.functions import FUNCTIONS
from ..iris import is_language_tag
from ..model import Call, Constant, Expression, Reference, Template, TermMap
from .document import ALLOWED_TYPES, TERM_TYPES, Document, Node, Value, allowed_type, rml, short

_EXPRESSIONS = ("constant", "reference", "template", "functionExecution")


def maps_of(document: Document, node: Node, name: str, kind: str) -> tuple[TermMap, ...]:
    """The term maps of a property and of its constant shortcut: rml:predicate and rml:predicateMap, and so on."""
    constants = [term_map(document, value, kind, constant=True) for value in node.all(rml(name))]
    return (*constants, *(term_map(document, value, kind) for value in node.all(rml(name + "Map"))))


def graph_maps(document: Document, node: Node) -> tuple[TermMap, ...]:
    """The graph maps of a subject map or a predicate-object map."""
    return maps_of(document, node, "graph", "graph map")


def expression_of(document: Document, node: Node, name: str, kind: str) -> Expression:
    """A required child or parent of a join: the shortcut is a reference, the long form any expression."""
    values = node.all(rml(name)) + node.all(rml(name + "Map"))
    if len(values) != 1:
        raise MappingError(
            f"a join condition with {len(values)} of rml:{name}",
            place=node.place,
            expected=f"one rml:{name} or rml:{name}Map",
        )
    if node.all(rml(name)):
        return Reference(document.text(values[0], f"rml:{name}"), values[0].place)
    return _required_expression(document, document.node(values[0], kind), kind)


def term_map(document: Document, value: Value, kind: str, *, constant: bool = False) -> TermMap:
    """One term map; `constant` for the shortcut properties, whose value is the term itself."""
    if constant:
        return _constant_map(value, kind, None)
    node = document.node(value, kind)
    stated = document.one(node, rml("termType"), kind)
    term_type = document.name(stated, TERM_TYPES, "term type") if stated else None
    if stated and term_type and not allowed_type(kind, term_type):
        allowed = ", ".join("rml:" + name for name in ALLOWED_TYPES[kind])
        raise MappingError(f"a {kind} cannot be of rml:termType rml:{term_type}", place=stated.place, expected=allowed)
    expression = _expression(document, node, kind)
    if expression is None:
        if term_type != "BlankNode":
            raise _without_expression(node, kind)
        return TermMap(None, "BlankNode", place=node.place)
    if isinstance(expression, Constant):
        return _constant_map(Value(expression.term, expression.place, expression.place), kind, term_type)
    language = _language(document, node, kind)
    datatype = _datatype(document, node, kind)
    if language and datatype:
        raise MappingError("both a language and a datatype", place=node.place, expected="one of them")
    default = _default_type(kind, expression, typed=bool(language or datatype))
    return TermMap(expression, term_type or default, language, datatype, node.place)


def _default_type(kind: str, expression: Expression, *, typed: bool) -> str:
    literal = typed or isinstance(expression, Reference | Call)
    return "Literal" if kind == "input value map" or (kind == "object map" and literal) else "IRI"


def _constant_map(value: Value, kind: str, term_type: str | None) -> TermMap:
    term = value.term
    if isinstance(term, BlankNode):
        raise MappingError(
            f"a blank node as the constant of a {kind}", place=value.place, expected="an IRI or a literal"
        )
    is_literal = isinstance(term, Literal)
    if is_literal and kind in ALLOWED_TYPES:
        raise MappingError(f"a {kind} cannot be a literal", place=value.place, expected="an IRI")
    if term_type and (term_type == "Literal") != is_literal:
        raise MappingError(
            f"a constant that is not of its rml:termType rml:{term_type}",
            place=value.place,
            expected="a constant of the stated type",
        )
    if term_type == "BlankNode":
        raise MappingError(
            "a constant of rml:termType rml:BlankNode",
            place=value.place,
            expected="rml:template or rml:reference for blank nodes",
        )
    return TermMap(Constant(term, value.place), "Literal" if is_literal else "IRI", place=value.place)


def _expression(document: Document, node: Node, kind: str) -> Expression | None:
    found = [(name, value) for name in _EXPRESSIONS for value in node.all(rml(name))]
    if not found:
        return None
    if len(found) > 1:
        names = " and ".join(f"rml:{name}" for name, _ in found)
        raise MappingError(f"{names} on one {kind}", place=found[1][1].place, expected="one expression")
    name, value = found[0]
    if name == "constant":
        if isinstance(value.term, BlankNode):
            raise MappingError("a blank node as rml:constant", place=value.place, expected="an IRI or a literal")
        return Constant(value.term, value.place)
    if name == "reference":
        return Reference(document.text(value, "rml:reference"), value.place)
    if name == "template":
        return parse_template(document.text(value, "rml:template"), value.place)
    node = document.node(value, "function execution")
    with document.execution(node, value.place):
        return _call(document, node)


def _required_expression(document: Document, node: Node, kind: str) -> Expression:
    expression = _expression(document, node, kind)
    if expression is None:
        raise _without_expression(node, kind)
    return expression


def _without_expression(node: Node, kind: str) -> MappingError:
    expected = "rml:reference, rml:template, rml:constant or rml:functionExecution"
    return MappingError(f"a {kind} without an expression", place=node.place, expected=expected)


def _language(document: Document, node: Node, kind: str) -> Expression | None:
    values = node.all(rml("language")) + node.all(rml("languageMap"))
    if not values:
        return None
    if len(values) > 1:
        raise MappingError("more than one language", place=values[1].place, expected=f"one on a {kind}")
    if node.all(rml("language")):
        expression: Expression = Constant(Literal(document.text(values[0], "rml:language")), values[0].place)
    else:
        expression = _required_expression(document, document.node(values[0], "language map"), "language map")
    if isinstance(expression, Constant) and not is_language_tag(expression.term.value):
        raise MappingError(
            f"{expression.term.value!r} is no language tag",
            place=expression.place,
            expected='a tag of BCP 47, as in "en" or "en-GB"',
        )
    return expression


def _datatype(document: Document, node: Node, kind: str) -> TermMap | None:
    maps = maps_of(document, node, "datatype", "datatype map")
    if len(maps) > 1:
        raise MappingError("more than one datatype", place=maps[1].place, expected=f"one on a {kind}")
    return maps[0] if maps else None


def _call(document: Document, node: Node) -> Call:
    name, place = _named(document, node, "function", "function execution")
    function = FUNCTIONS.get(name)
    if function is None:
        near = nearest(name, FUNCTIONS)
        raise MappingError(
            f"unknown function fn:{name}",
            place=place,
            expected="a function of docs/mapping-functions.md",
            nearest=f"fn:{near}" if near else None,
        )
    inputs = []
    for item in node.all(rml("input")):
        entry = document.node(item, "input")
        parameter, at = _named(document, entry, "parameter", "input")
        if parameter not in function.parameter_names:
            expected = ", ".join("fn:" + known for known in function.parameter_names)
            near = nearest(parameter, function.parameter_names)
            raise MappingError(
                f"fn:{name} has no parameter fn:{parameter}",
                place=at,
                expected=expected,
                nearest=f"fn:{near}" if near else None,
            )
        inputs.append((parameter, _input_value(document, entry)))
    problem = function.wrong_inputs(tuple(parameter for parameter, _ in inputs))
    if problem:
        raise MappingError(f"fn:{name}: {problem}", place=node.place, expected=function.signature)
    return Call(name, tuple(inputs), node.place)


def _named(document: Document, node: Node, name: str, kind: str) -> tuple[str, Place | None]:
    """The local name under fn: that rml:function, rml:functionMap, rml:parameter or rml:parameterMap gives."""
    value = document.one(node, rml(name), kind)
    if value is None:
        long = document.one(node, rml(name + "Map"), kind)
        value = document.one(document.node(long, f"{name} map"), rml("constant"), f"{name} map") if long else None
    if value is None:
        raise MappingError(
            f"a {kind} without rml:{name}", place=node.place, expected=f"rml:{name} with an IRI under fn: <{FN}>"
        )
    if not isinstance(value.term, NamedNode) or not value.term.value.startswith(FN):
        told = short(value.term.value) if isinstance(value.term, NamedNode) else str(value.term)
        raise MappingError(f"rml:{name} is {told}", place=value.place, expected=f"an IRI under fn: <{FN}>")
    return value.term.value[len(FN) :], value.place


def _input_value(document: Document, node: Node) -> TermMap:
    values = node.all(rml("inputValue")) + node.all(rml("inputValueMap"))
    if len(values) != 1:
        raise MappingError(
            f"an input with {len(values)} values", place=node.place, expected="one rml:inputValueMap or rml:inputValue"
        )
    if node.all(rml("inputValue")):
        return term_map(document, values[0], "input value map", constant=True)
    return term_map(document, values[0], "input value map")


def parse_template(text: str, place: Place | None = None) -> Template:
    """The pieces of a template. Raises MappingError for braces that do not pair and for other escapes."""
    parts: list[str | Reference] = []
    piece: list[str] = []
    inside = False
    characters = iter(text)
    for character in characters:
        if character == "\\":
            piece.append(_escaped(next(characters, ""), place))
        elif character == "{":
            if inside:
                raise _bad("a brace inside a reference", place)
            parts.append("".join(piece))
            piece, inside = [], True
        elif character == "}":
            if not inside:
                raise _bad("a closing brace without an opening one", place)
            if not piece:
                raise _bad("an empty reference {}", place)
            parts.append(Reference("".join(piece), place))
            piece, inside = [], False
        else:
            piece.append(character)
    if inside:
        raise _bad("a brace that is never closed", place)
    parts.append("".join(piece))
    return Template(tuple(part for part in parts if part), place)


def _escaped(character: str, place: Place | None) -> str:
    if character not in ("\\", "{", "}"):
        raise _bad(f"the escape \\{character}", place)
    return character


def _bad(what: str, place: Place | None) -> MappingError:
    expected = "references in single braces; other braces and backslashes behind a backslash (two of them in Turtle)"
    return MappingError(f"{what} in a template", place=place, expected=expected)
