"""Attacks change the worker's own code by name: a name that is gone would make an attack harmless."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MODULES = "sys.modules["


def names_in(file: Path) -> set[str]:
    """All that a file of the worker defines at its top or in a class."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
    return names


def module_named(node: ast.expr, aliases: dict[str, str]) -> str | None:
    """The module of the worker that `sys.modules["name"]`, or a variable that holds it, stands for."""
    if isinstance(node, ast.Name):
        return aliases.get(node.id)
    text = ast.unparse(node)
    if text.startswith(MODULES) and isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return str(node.slice.value)
    return None


def uses(path: Path) -> Iterator[tuple[str, str]]:
    """Each module of the worker that an attack names, with each attribute that it takes of it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    aliases: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            module = module_named(node.value, {})
            if module is not None:
                aliases[node.targets[0].id] = module
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            module = module_named(node.value, aliases)
            if module is not None:
                yield module, node.attr


ATTACKS = sorted(path for path in HERE.glob("*/*.py") if MODULES in path.read_text(encoding="utf-8"))
USES = [(path, *use) for path in ATTACKS for use in uses(path)]


@pytest.mark.parametrize(("path", "module", "name"), USES, ids=[f"{p.stem}-{m}.{n}" for p, m, n in USES])
def test_an_attack_names_what_the_worker_has(path: Path, module: str, name: str):
    file = ROOT.joinpath(*module.split(".")).with_suffix(".py")
    assert file.is_file(), f"{path.name} patches {module}, which is not there"
    assert name in names_in(file), f"{path.name} patches {module}.{name}, which is not there"


def test_there_are_such_attacks():
    assert len(USES) >= 12
