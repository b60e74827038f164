"""Digests of the code on which an answer key depends, so that it is used with this code alone.

What an exercise's key means follows from its checks, from what they are built of, and from the code that
makes draws and reads what a key holds. Comments, docstrings, messages and the layout of lines change nothing.
Modules that only see a student's code or say something are left out: with another sandbox or report a key
still fits.
"""

import ast
import functools
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from graders import locations
from graders.course.course_file import read_course

BUILT = "built.json"  # in a handout's wheel: the digests, as they were when it was built
READERS = (
    "graders.answer_key.answer_key",
    "graders.judging.draws",
)
"""The modules by which a key is read, and draws are made again."""
OTHERS = (
    "graders.answer_key.code_digest",
    "graders.answer_key.find_keys",
    "graders.answer_key.key_file",
    "graders.candidate.check_replies",
    "graders.candidate.concurrent_calls",
    "graders.candidate.remote_candidate",
    "graders.candidate.remote_values",
    "graders.candidate.student_error",
    "graders.course",
    "graders.extraction",
    "graders.judging.search_time",
    "graders.language",
    "graders.locations",
    "graders.results",
    "graders.safe_text",
    "graders.sandbox",
    "graders.submission",
)
"""Modules and packages that may be others."""
CHANGES = ("activations", "tolerance")
"""Keys of an exercise's entry in the course's file by which other answers are due."""
WORDS = ("tr", "trn", "translatable")  # what they are called with is said, and decides nothing
_HOLDERS = (ast.stmt, ast.excepthandler, ast.match_case)  # what holds statements
_DOCUMENTED = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def exercise_digests(exercises: Sequence[str]) -> dict[str, str]:
    """The digest of each exercise of a key, in the order of its assignment.

    A whole's answers depend on what is asked of the parts before it too, so that their stubs count.
    What the course's file changes in what is due counts for its exercise.
    """
    digests, stubs = {}, ""
    changes = _changes_of_course()
    for name in exercises:
        code, stub = _of_exercise(name)
        stubs += stub
        digests[name] = _hash(f"{code} {stubs}{changes.get(name, '')}")[:16]
    return digests


def _changes_of_course() -> dict[str, str]:
    """What the course's file changes in what is due, by exercise; a key of one that changes nothing stays."""
    rows = [row for table in read_course().values() for row in table["exercises"]]
    changed = {row["name"]: {key: row[key] for key in CHANGES if key in row} for row in rows}
    return {name: f" {changes}" for name, changes in changed.items() if changes}


def built_digests() -> bytes:
    """What `BUILT` holds: for each exercise that has checks the digests of its code and of its stub."""
    checks = {path.stem for folder in locations.course().folders for path in folder.checks.glob("*.py")}
    names = sorted(checks - {"__init__"})
    return json.dumps({name: compute_digests(name) for name in names}, indent=0).encode()


def code_digest(*roots: str) -> str:
    """A digest of modules and of all that they import of softmark, at whatever depth, but for `OTHERS`."""
    return _hash(json.dumps(modules_below(*roots), sort_keys=True))


def modules_below(*roots: str, others: Sequence[str] = OTHERS) -> dict[str, str]:
    """The digests of modules and of all that they import of softmark but for `others`, by name."""
    found: dict[str, str] = {}
    waiting, own = list(roots), locations.course().own
    while waiting:
        module = waiting.pop()
        file = _file(module, own.package, own.checks)
        if module in found or file is None or (_is_among(module, others) and module not in roots):
            continue
        found[module], imported = read_module(file)
        waiting += imported
    return found


def _of_exercise(name: str) -> tuple[str, str]:
    # Another course may have another exercise of this name.
    came_along = locations.course().folders == locations.shipped_course().folders
    kept = read_built().get(name) if came_along else None
    return (kept[0], kept[1]) if kept else compute_digests(name)


@functools.cache
def read_built() -> Mapping[str, Sequence[str]]:
    """The digests of code and stub by exercise, where they came with softmark; otherwise none."""
    try:
        built: Mapping[str, Sequence[str]] = json.loads((locations.GRADERS / BUILT).read_bytes())
    except (OSError, ValueError):
        return {}
    return built


@locations.once_per_course
def compute_digests(name: str) -> tuple[str, str]:
    """The digests of an exercise's code and of its stub."""
    stub = locations.course().stub(name)
    of_stub = read_module(stub)[0] if stub.is_file() else ""
    return code_digest(locations.course().checks_module(name), *READERS), of_stub


@functools.lru_cache(8192)  # a module is imported by many, and so is each name that it has
def _file(module: str, package_of_checks: str, checks: Path) -> Path | None:
    package, _, name = module.partition(".")
    file = locations.ROOT.joinpath(*module.split(".")).with_suffix(".py")
    if package == package_of_checks:
        file = checks / f"{name}.py"
    elif package not in ("graders", "softmark_worker"):
        return None
    return file if file.is_file() else None


def _is_among(module: str, others: Sequence[str]) -> bool:
    return any(module == other or module.startswith(f"{other}.") for other in others)


@functools.cache
def read_module(file: Path) -> tuple[str, Sequence[str]]:
    """The digest of a module's statements, and what it may import."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return _digest_of(tree), tuple(imported_modules(tree))


def statements_digest(code: str) -> str:
    """A digest of what code does: without comments, docstrings, messages and the layout of lines.

    Raises:
        SyntaxError: it is no Python.
    """
    return _digest_of(ast.parse(code))


def _digest_of(tree: ast.Module) -> str:
    written: list[str] = []
    _write_statements(tree, written)
    return _hash("".join(written))


def imported_modules(tree: ast.Module) -> Iterator[str]:
    """The modules that a file imports, and what it imports from them, which may be modules too."""
    for node in _statements_of(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _statements_of(tree: ast.Module) -> Iterator[ast.stmt]:
    """All statements, at any depth: an expression holds none, and has most of a tree's nodes."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        for field in node._fields:
            part = getattr(node, field, None)
            if isinstance(part, list):
                waiting += [one for one in part if isinstance(one, _HOLDERS)]
        if isinstance(node, ast.stmt):
            yield node


def _write_statements(value: object, written: list[str]) -> None:
    """Write a tree in one line, the same for each version of Python: later ones have more empty fields."""
    if isinstance(value, ast.AST):
        if isinstance(value, ast.Call) and getattr(value.func, "id", None) in WORDS:
            written.append("words")
            return
        written.append(type(value).__name__)
        is_documented = isinstance(value, _DOCUMENTED)
        for field in value._fields:
            part: Any = getattr(value, field, None)
            if is_documented and field == "body" and _is_documented(part):
                part = part[1:]
            if part is not None and part != []:
                written.append(f"({field}=")
                _write_statements(part, written)
                written.append(")")
    elif isinstance(value, list):
        for part in value:
            _write_statements(part, written)
            written.append(",")
    else:
        written.append(repr(value))


def _is_documented(body: list[ast.stmt]) -> bool:
    first = body[0] if body else None
    return (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    )


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
