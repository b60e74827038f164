"""Styles of form: code in further files and packages."""

import ast
import copy
from collections.abc import Sequence

from graders.audit.styles.answer_code import AnswerCode, Function, insert_in_front, names_in, parse
from graders.audit.styles.style import Choice, Style, words

FILES = words("helpers layers blocks outils parts my_attention components")
FOLDERS = words("src model nets paquet lib")


def move_parts(code: AnswerCode, choice: Choice) -> bool:
    """Move the functions and classes that the answer uses to a file of their own."""
    moved = _definitions_beside(code)
    if not moved:
        return False
    return _move(code, choice, moved)


def move_the_answer(code: AnswerCode, choice: Choice) -> bool:
    """Move the whole answer to a file of its own, from which the file that is handed in imports it."""
    if code.symbol is None:
        return False
    moved = [s for s in code.tree.body if not _is_import(s) and not _is_guard(s)]
    return not code.others and _move(code, choice, moved, only=code.exercise.symbol)


def _move(code: AnswerCode, choice: Choice, moved: Sequence[ast.stmt], only: str | None = None) -> bool:
    """Move statements to a file, and import from it what is needed of them."""
    taken, others = names_in(code.tree, *code.others.values()), code.others
    files, folders = choice.names(1, FILES, taken), choice.names(1, FOLDERS, taken)
    imports = [copy.deepcopy(s) for s in code.tree.body if _is_import(s)]
    assert isinstance(others, dict)
    if (
        not files
        or not folders
        or "__name__" in names_in(*moved)
        or any(_is_local(s, others) for s in imports)
    ):
        return False
    listed = only or ", ".join(name for statement in moved for name in _bound(statement))
    form = choice.one(("file", "folder", "package"))
    module = files[0] if form == "file" else f"{folders[0]}.{files[0]}"
    others[f"{module.replace('.', '/')}.py"] = ast.Module([*imports, *moved], [])
    if form == "package":
        others[f"{folders[0]}/__init__.py"] = ast.parse(f"from .{files[0]} import {listed}")
        module = folders[0]
    code.tree.body = [s for s in code.tree.body if s not in moved]
    insert_in_front(code.tree, parse(f"from {module} import {choice.one((listed, '*'))}"))
    return True


def _definitions_beside(code: AnswerCode) -> list[ast.stmt]:
    """The functions and classes that do not use the file's other names."""
    symbol = code.symbol
    defined = [s for s in code.tree.body if isinstance(s, ast.ClassDef | Function) and s is not symbol]
    bound = {name for s in code.tree.body if not _is_import(s) for name in _bound(s)}
    names = {s.name for s in defined}
    while True:
        free = [s for s in defined if not (names_in(s) & bound) - names and not s.name.startswith("_")]
        if len(free) == len(defined):
            return list(defined) if symbol is not None else []
        defined, names = free, {s.name for s in free}


def _bound(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.ClassDef | Function):
        return [statement.name]
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    names = [n for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)]
    return [name.id for name in names if isinstance(name.ctx, ast.Store)]


def _is_import(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Import | ast.ImportFrom)


def _is_local(statement: ast.stmt, others: dict[str, ast.Module]) -> bool:
    modules = {path.split("/")[0].removesuffix(".py") for path in others}
    return isinstance(statement, ast.ImportFrom) and (statement.module or "").split(".")[0] in modules


def _is_guard(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and "__name__" in names_in(statement)


STYLES = (
    Style("form.parts_in_files", move_parts),
    Style("form.answer_in_files", move_the_answer),
)
