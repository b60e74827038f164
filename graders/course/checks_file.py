"""What a checks file says, read from its text: to run it would import torch, which takes seconds."""

import ast
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from graders.locations import STANDARD_CHECKS

CRITERION = "criterion"
MAKERS = ("check", CRITERION)  # decorators that make a function a check
OPTIONS = "Options"
_STANDARD = "graders.check_api.standard_checks"


@dataclass(frozen=True)
class ChecksFile:
    """Name, docstring and weight of each check; the symbol, where the file names it, and its other names.

    `has_criteria`: whether some of the checks are criteria of a trained model.
    """

    checks: tuple[tuple[str, str, float], ...]
    symbol: str | None
    other_names: tuple[str, ...]
    has_criteria: bool


@lru_cache(128)  # a process that runs several commands parses a file once
def read_checks_file(text: str) -> ChecksFile:
    """What the text of a checks file says."""
    tree = ast.parse(text)
    other_names = tuple(_read_option(tree, "other_names") or ())
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    makers = [ast.unparse(maker.func) for function in functions for maker in _makers_of(function)]
    return ChecksFile(
        checks=tuple(_read_checks(tree)),
        symbol=_read_option(tree, "symbol"),
        other_names=other_names,
        has_criteria=CRITERION in makers,
    )


def _read_checks(tree: ast.Module) -> Iterator[tuple[str, str, float]]:
    """Name, docstring and weight of each check: of functions, and of calls that make a standard check."""
    standard_docs = _docs_of_imported(tree)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            for maker in _makers_of(node):
                yield node.name, ast.get_docstring(node) or "", float(_keyword(maker, "points"))
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            standard = _last_name(node.value.func)
            if standard in standard_docs and _keyword(node.value, "points") is not None:
                doc = inspect.cleandoc(_keyword(node.value, "says") or standard_docs[standard])
                yield ast.unparse(node.targets[0]), doc, float(_keyword(node.value, "points"))


def _makers_of(node: ast.FunctionDef) -> list[ast.Call]:
    """The decorators that make a function a check."""
    calls = [maker for maker in node.decorator_list if isinstance(maker, ast.Call)]
    return [maker for maker in calls if ast.unparse(maker.func) in MAKERS]


def _docs_of_imported(tree: ast.Module) -> dict[str, str]:
    """The docstrings of the standard checks that a file may call, by name.

    What a module of standard checks imports from another it may have from there: its own come before those.
    """
    docs: dict[str, str] = {}
    for module in sorted(_imported_modules(tree)):
        docs |= _docs_of_module(module)
    return docs


@lru_cache(32)
def _docs_of_module(module: str) -> dict[str, str]:
    """The docstrings of a module's standard checks: each is a function in a function of the same name."""
    tree = ast.parse((STANDARD_CHECKS / f"{module}.py").read_text(encoding="utf-8"))
    makers = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return _docs_of_imported(tree) | {
        inner.name: ast.get_docstring(inner) or ""
        for maker in makers
        for inner in maker.body
        if isinstance(inner, ast.FunctionDef) and inner.name == maker.name
    }


def _imported_modules(tree: ast.Module) -> set[str]:
    """The modules of standard checks that a file imports, or from which it does."""
    found: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module:
            package, _, last = node.module.rpartition(".")
            if package == _STANDARD:
                found.add(last)
            elif node.module == _STANDARD:
                found |= {alias.name for alias in node.names}
    return {module for module in found if (STANDARD_CHECKS / f"{module}.py").is_file()}


def _read_option(tree: ast.Module, name: str) -> Any:
    """An option of a checks file, if it is a literal."""
    calls = [node.value for node in tree.body if isinstance(node, ast.Assign)]
    given = (_keyword(c, name) for c in calls if isinstance(c, ast.Call) and ast.unparse(c.func) == OPTIONS)
    return next(given, None)


def _keyword(call: ast.Call, name: str) -> Any:
    """The literal value of a keyword; None where there is none."""
    return next((ast.literal_eval(k.value) for k in call.keywords if k.arg == name), None)


def _last_name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)
