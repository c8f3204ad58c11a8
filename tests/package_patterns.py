"""Every regular expression of the installed package, with the methods that it is used with.

Modules are imported and their objects walked (also tuples, mappings, dataclasses, classes and caches); what stands in
calls (`re.sub(r"…", …)`) is read from the source, f-strings with the module's own names put in.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import regex

import reqap_kg

METHODS = frozenset({"search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split"})
NO_TEXTS = ("reqap_kg.examples", "reqap_kg.templates")
_PATTERNS = (re.Pattern, type(regex.compile("a")))
_SOME_WORD = "wörd"
"""Stands for a word that is known at run time only."""


@dataclass(frozen=True)
class Used:
    """A compiled pattern, where it stands, and what is done with it."""

    where: str
    pattern: Any
    methods: frozenset[str]


def modules() -> list[ModuleType]:
    """All modules of the package."""
    found = pkgutil.walk_packages(reqap_kg.__path__, "reqap_kg.")
    names = sorted(one.name for one in found if not one.name.startswith((*NO_TEXTS, "reqap_kg.tests")))
    return [importlib.import_module(name) for name in names if not name.endswith("__main__")]


def used_patterns() -> list[Used]:
    """Every pattern of the package; one that stands in several places once for each."""
    every = modules()
    trees = {module.__name__: ast.parse(Path(str(module.__file__)).read_text()) for module in every}
    said = _methods_by_name(trees)
    found: dict[tuple[str, Any], set[str]] = defaultdict(set)
    for module in every:
        name = module.__name__
        loose = frozenset(said[name].get("", ())) & METHODS
        for path, pattern in _held(module):
            top = path.partition(".")[0]
            methods = said[name].get(top, set()) if path == top else loose or {"finditer"}
            found[f"{name}.{path}", pattern] |= methods or {"finditer"}
        held = {pattern for where, pattern in found if where.startswith(f"{name}.")}
        for line, pattern, method in _in_calls(module, trees[name]):
            if method != "compile":
                found[f"{name}:{line}", pattern].add(method)
            elif pattern not in held:
                found[f"{name}:{line}", pattern] |= set().union(*said[name].values()) & METHODS or {"finditer"}
    return [Used(where, pattern, frozenset(methods)) for (where, pattern), methods in found.items()]


def _methods_by_name(trees: Mapping[str, ast.Module]) -> dict[str, dict[str, set[str]]]:
    """For each module its names, and the methods called on them anywhere; by '' those called on anything else."""
    own = {name: {target.id for target in _assigned(tree)} for name, tree in trees.items()}
    found: dict[str, dict[str, set[str]]] = {name: defaultdict(set) for name in trees}
    for name, tree in trees.items():
        home = {one: (name, one) for one in own[name]} | _imported(name, tree, trees)
        called: set[int] = set()
        looped = {id(node) for loop in ast.walk(tree) if isinstance(loop, ast.While) for node in ast.walk(loop)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in METHODS:
                again = len(node.args) > 1 and (node.func.attr == "search" or id(node) in looped)
                method = "finditer" if again else node.func.attr
                on = node.func.value
                if isinstance(on, ast.Name) and on.id in home:
                    module, named = home[on.id]
                    found[module][named].add(method)
                    called.add(id(on))
                elif not (isinstance(on, ast.Name) and on.id in ("re", "regex")) and method not in ("split",):
                    found[name][""].add(method)
        for node in ast.walk(tree):
            if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load) or id(node) in called:
                continue
            if node.id in home:
                module, named = home[node.id]
                found[module][named].add(" passed on")
    loose = {module: set(names[""]) for module, names in found.items()}
    return {at: {name: _resolved(used, loose[at]) for name, used in names.items()} for at, names in found.items()}


def _resolved(used: set[str], loose: set[str]) -> set[str]:
    """A name that is passed on is used with whatever its module calls on things that it does not name."""
    return (used - {" passed on"}) | ((loose or {"finditer"}) if " passed on" in used else set())


def _assigned(tree: ast.Module) -> Iterator[ast.Name]:
    for node in tree.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        yield from (target for target in targets if isinstance(target, ast.Name))


def _imported(name: str, tree: ast.Module, trees: Mapping[str, ast.Module]) -> dict[str, tuple[str, str]]:
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = name.split(".")[: -node.level]
            module = ".".join((*base, *([node.module] if node.module else [])))
            if module in trees:
                found |= {alias.asname or alias.name: (module, alias.name) for alias in node.names}
    return found


def _held(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """Patterns that a module's names hold, at any depth."""
    seen: set[int] = set()
    for name, value in list(vars(module).items()):
        if not name.startswith("__"):
            yield from ((path, pattern) for path, pattern in _below(name, value, module.__name__, seen))


def _below(path: str, value: Any, module: str, seen: set[int]) -> Iterator[tuple[str, Any]]:
    if isinstance(value, _PATTERNS):
        yield path, value
        return
    if id(value) in seen or isinstance(value, (str, bytes, int, float, ModuleType)):
        return
    seen.add(id(value))
    inner: list[tuple[str, Any]] = []
    if isinstance(value, Mapping):
        inner = [(str(key)[:20], one) for pair in list(value.items()) for key, one in ((pair[0], pair[0]), pair)]
    elif isinstance(value, (tuple, list, set, frozenset)):
        inner = [(str(at), one) for at, one in enumerate(value)]
    elif isinstance(value, type):
        inner = list(vars(value).items()) if value.__module__ == module else []
    elif is_dataclass(value):
        inner = [(field.name, getattr(value, field.name, None)) for field in fields(value)]
    for name, one in inner:
        yield from _below(f"{path}.{name}", one, module, seen)


def _in_calls(module: ModuleType, tree: ast.Module) -> Iterator[tuple[int, Any, str]]:
    """Patterns written where they are used: the line, the pattern compiled, the method."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        on, method = node.func.value, node.func.attr
        if not (isinstance(on, ast.Name) and on.id in ("re", "regex")) or method not in (*METHODS, "compile"):
            continue
        source = _source(node.args[0], module)
        of_arguments = method == "compile" and isinstance(source, str) and _SOME_WORD in source
        if source is not None and not of_arguments:  # what a function compiles is found where it is held
            engine: Any = re if on.id == "re" else regex
            yield node.lineno, engine.compile(source, _flags(node, method, module)), method


def _flags(node: ast.Call, method: str, module: ModuleType) -> int:
    given = [word.value for word in node.keywords if word.arg == "flags"]
    place = {"compile": 1, "split": 3, "sub": 4, "subn": 4}.get(method, 2)
    given += node.args[place : place + 1]
    return int(_value(given[0], module) or 0) if given else 0


def _source(node: ast.expr, module: ModuleType) -> str | bytes | None:
    """A pattern's text, with a word for each part that is known at run time only; None where all of it is."""
    if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(_part(part, module)) for part in node.values)
    return None if isinstance(node, ast.Constant) else _value(node, module)


def _part(node: ast.expr, module: ModuleType) -> str:
    if isinstance(node, ast.FormattedValue):
        known = _value(node.value, module)
        return _SOME_WORD if known is None else str(known)
    return str(node.value) if isinstance(node, ast.Constant) else ""


def _value(node: ast.expr, module: ModuleType) -> Any:
    """What an expression of a module's own names is; None where it has others."""
    if isinstance(node, ast.Name):
        value = vars(module).get(node.id)
        return value if isinstance(value, (str, bytes, int)) else None
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        value = getattr(vars(module).get(node.value.id), node.attr, None)
        return value if isinstance(value, (str, bytes, int)) else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitOr, ast.Add)):
        left, right = _value(node.left, module), _value(node.right, module)
        if left is None or right is None:
            return None
        return left | right if isinstance(node.op, ast.BitOr) else left + right
    return node.value if isinstance(node, ast.Constant) else None
