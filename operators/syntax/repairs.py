"""What is put right in the calls of operators, and how that is said.

Language models write trees almost rightly. Each thing that is put right is a rule with a name; what was done is handed
on with the tree, so nothing is guessed in silence. What no rule names is refused. `RULES` lists the rules in the order
in which they are tried. Python's syntax tree goes in and comes out; nothing is changed in place.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ...errors import Place
from .signatures import SIGNATURES, TYPE_SYNONYMS, TYPES, Signature

RULES: tuple[tuple[str, str], ...] = (
    ("other-argument-name", "An argument has another name: `list=` for `l=`, `condition=` for FILTER's `filter=`."),
    ("names-in-one-text", "One text holds several names with commas between."),
    ("one-name-for-list", "A name stands where a list of names is meant."),
    ("one-type-for-list", "A type stands where a list of types is meant."),
    ("type-in-quotes", 'A type stands in quotes: "float".'),
    ("type-synonym", "A type has another name: string, integer, number, List[str]."),
    ("value-missing", "ARGMIN or ARGMAX does not say what to answer."),
    ("other-join-names", "A JOIN's condition calls its two sides something else than i1 and i2."),
)
"""Names of the rules and what each puts right, in the order in which they are tried."""


@dataclass(frozen=True)
class Repair:
    """Something that was put right: the rule's name (one of RULES), what was done, and where."""

    rule: str
    message: str
    place: Place

    def __str__(self) -> str:
        return f"{self.place}: {self.message} ({self.rule})"


Arguments = dict[str, ast.expr]
Note = Callable[[str, str, ast.expr], None]
"""Takes down a repair: the rule's name, what was done, and where."""


def unbraced(root: ast.expr) -> ast.expr:
    """The syntax with `{{ QU("…") }}` replaced by QU("…") wherever it stands: ReQAP's prompts mark sub-calls so."""
    holder = ast.Expression(root)
    pending: list[ast.AST] = [holder]
    while pending:
        at = pending.pop()
        for name, value in ast.iter_fields(at):
            if isinstance(value, list):
                setattr(at, name, [_inner(item) for item in value])
            elif isinstance(value, ast.AST):
                setattr(at, name, _inner(value))
        pending.extend(ast.iter_child_nodes(at))
    return holder.body


def _inner(node: object) -> object:
    if isinstance(node, ast.Set) and len(node.elts) == 1:
        inner = node.elts[0]
        if isinstance(inner, ast.Set) and len(inner.elts) == 1 and isinstance(inner.elts[0], ast.Call):
            return inner.elts[0]
    return node


def parameter_named(keyword: ast.keyword, operator: str, given: Iterable[str], note: Note) -> str | None:
    """The parameter that a keyword means; None where it means none. `given` are the arguments that stand already."""
    signature = SIGNATURES[operator]
    name = keyword.arg
    if name is None or name in signature.names:
        return name
    meant = signature.synonyms.get(name) or signature.synonyms.get(name.lower())
    if meant is None or meant in given:
        return None
    note("other-argument-name", f"{name}= is {meant}=", keyword.value)
    return meant


def repaired_arguments(operator: str, arguments: Arguments, node: ast.Call, note: Note) -> Arguments:
    """The arguments with lists and types as they should be written."""
    signature = SIGNATURES[operator]
    for rule in (_names_in_one_text, _one_name_for_list, _types):
        arguments = rule(signature, arguments, note)
    if operator in ("ARGMIN", "ARGMAX") and "val_attr_name" not in arguments:
        said = "the answer is the key of the counted groups, or the rows themselves"
        note("value-missing", f"{operator} has no val_attr_name; {said}", node)
    return arguments


def _of_kind(signature: Signature, arguments: Arguments, kind: str) -> list[tuple[str, ast.expr]]:
    return [(name, arguments[name]) for name, held in signature.parameters if held == kind and name in arguments]


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _only(node: ast.expr) -> ast.expr | None:
    """The one item of a list."""
    return node.elts[0] if isinstance(node, ast.List | ast.Tuple) and len(node.elts) == 1 else None


_SEVERAL = re.compile(r"\s*\w[\w .-]*+(?:[,;]\s*\w[\w .-]*+)+\s*")


def _names_in_one_text(signature: Signature, arguments: Arguments, note: Note) -> Arguments:
    found = dict(arguments)
    for name, value in _of_kind(signature, arguments, "names"):
        held = _only(value) or value
        text = _text(held)
        if text is not None and len(text) < 1_000 and _SEVERAL.fullmatch(text):
            parts = [part.strip() for part in re.split("[,;]", text)]
            note("names-in-one-text", f"{text!r} is {len(parts)} names", held)
            found[name] = _list([ast.Constant(part) for part in parts], held)
    return found


def _one_name_for_list(signature: Signature, arguments: Arguments, note: Note) -> Arguments:
    found = dict(arguments)
    for name, value in _of_kind(signature, arguments, "names"):
        if _text(value) is not None:
            note("one-name-for-list", f"{name} is a list of one name", value)
            found[name] = _list([value], value)
    return found


def _types(signature: Signature, arguments: Arguments, note: Note) -> Arguments:
    found = dict(arguments)
    for name, value in _of_kind(signature, arguments, "types"):
        held = value
        if not isinstance(value, ast.List | ast.Tuple):
            note("one-type-for-list", f"{name} is a list of one type", value)
            held = _list([value], value)
        assert isinstance(held, ast.List | ast.Tuple)
        split = [part for item in held.elts for part in _quoted_types(item, note)]
        found[name] = _list([_type(item, note) for item in split], value)
    return found


def _quoted_types(item: ast.expr, note: Note) -> list[ast.expr]:
    """The types that stand in quotes."""
    text = _text(item)
    if text is None or len(text) > 200:
        return [item]
    parts = [_parsed(part) for part in re.split(r",(?![^\[]{0,200}\])", text)]
    made = [ast.copy_location(part, item) for part in parts if part is not None]
    if len(made) < len(parts):
        return [item]
    note("type-in-quotes", f"{text!r} is a type", item)
    return made


def _parsed(text: str) -> ast.expr | None:
    if not re.fullmatch(r"\s*[\w.]+(?:\[[\w., ]*\])?\s*", text):
        return None
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return None


def _type(node: ast.expr, note: Note) -> ast.expr:
    """The type that another name means, as the name that the paper gives it."""
    name = type_path(node)
    is_list = isinstance(node, ast.Subscript)
    if name in TYPES and (not is_list or name == "list"):
        return node
    known = ("list" if name == "List" else None) if is_list else TYPE_SYNONYMS.get(name.lower())
    if known is None:
        return node
    note("type-synonym", f"{ast.unparse(node)} is {known}", node)
    return ast.copy_location(ast.Name(str(known)), node)


def type_path(node: ast.expr) -> str:
    """The dotted name of a type without its module, '' of anything else."""
    inner = node.value if isinstance(node, ast.Subscript) else node
    name = ast.unparse(inner) if isinstance(inner, ast.Name | ast.Attribute) and _short(inner) else ""
    name = name.removeprefix("typing.").removeprefix("builtins.")
    return name.removeprefix("datetime.") if name.count(".") > 1 else name


def _short(node: ast.expr) -> bool:
    """Whether a dotted name has at most four parts, each a name."""
    for _ in range(4):
        if isinstance(node, ast.Name):
            return True
        if not isinstance(node, ast.Attribute):
            return False
        node = node.value
    return False


def _list(items: list[ast.expr], place: ast.expr) -> ast.List:
    for item in items:
        if not hasattr(item, "lineno"):
            ast.copy_location(item, place)
    return ast.copy_location(ast.List(items), place)


# ---------------------------------------------------------------- conditions
_SIDES = {
    **dict.fromkeys(("i1", "l1", "left", "e1", "x1"), "i1"),
    **dict.fromkeys(("i2", "l2", "right", "e2", "x2"), "i2"),
}


def join_sides(node: ast.expr, note: Note) -> ast.expr:
    """A JOIN's condition as one over i1 and i2: the body of a lambda of two, or with other names of its sides."""
    if isinstance(node, ast.Lambda) and len(node.args.args) == 2 and not node.args.defaults:
        names = [argument.arg for argument in node.args.args]
        node, renamed = node.body, dict(zip(names, ("i1", "i2"), strict=True))
    else:
        names = sorted(_free(node) & _SIDES.keys())
        renamed = {name: _SIDES[name] for name in names}
        if len(set(renamed.values())) != len(names):
            return node
    changed = {old: new for old, new in renamed.items() if old != new}
    if not changed:
        return node
    note("other-join-names", ", ".join(f"{old} is {new}" for old, new in changed.items()), node)
    return _renamed(node, changed)


def _free(node: ast.expr) -> set[str]:
    """Names that stand for the rows of a condition."""
    return {at.id for at in ast.walk(node) if isinstance(at, ast.Name)} - _bound(node)


def _bound(node: ast.expr) -> set[str]:
    """Names that lambdas and loops inside bind."""
    targets = {at.id for at in ast.walk(node) if isinstance(at, ast.Name) and isinstance(at.ctx, ast.Store)}
    return targets | {at.arg for at in ast.walk(node) if isinstance(at, ast.arg)}


def _renamed(node: ast.expr, names: dict[str, str]) -> ast.expr:
    """The syntax with names replaced all at once, also where they are bound again."""
    for at in ast.walk(node):
        if isinstance(at, ast.Name):
            at.id = names.get(at.id, at.id)
        elif isinstance(at, ast.arg):
            at.arg = names.get(at.arg, at.arg)
    return node
