"""Why an exercise cannot be used: what is wrong in its files, found without running them.

A faulty exercise costs itself alone: the others are judged, and its points stay undecided.
"""

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

from graders.course.checks_file import read_checks_file
from graders.course.import_files import HINTS, LEFT_OUT
from graders.language import tr, translatable
from graders.locations import course


def fault_of(exercise: str) -> str | None:
    """What is wrong in the files of an exercise, with file and line; None where nothing shows."""
    return next(faults_of(exercise), None)


def faults_of(exercise: str) -> Iterator[str]:
    """All that is wrong in the files of an exercise, one sentence for each file."""
    symbol = None
    readers = ((course().stub(exercise), _symbol_of_stub), (course().checks(exercise), _symbol_asked))
    for path, read in readers:
        try:
            symbol = read(path) or symbol
        except (OSError, SyntaxError, ValueError) as error:
            yield _describe(path, error)
    solution = course().solution(exercise)
    files = course().solution_files(exercise)
    if solution.parent.is_dir() and solution not in files:
        yield tr("{file} is missing", file=_name_of(solution))
    elif not files:
        for added in course().additions(exercise):
            yield tr(
                "{file} adds to softmark's solution, which is not here: solutions in [course] names"
                " its folder",
                file=_name_of(added),
            )
    try:
        yield from _faults_of_solution(files, symbol)
    except (OSError, SyntaxError, ValueError) as error:
        broken = error.filename if isinstance(error, SyntaxError | OSError) else None
        yield _describe(Path(broken or files[0]), error)


def _faults_of_solution(files: Sequence[Path], symbol: str | None) -> Iterator[str]:
    """What is wrong in the files of a solution that are Python.

    Raises:
        SyntaxError: one of them is none.
    """
    names: set[str] = set()
    for path in files:
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        for node in tree.body if names else ():
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in names:
                message = translatable("{file}, line {line}: {name} is in softmark's solution already")
                yield tr(message, file=_name_of(path), line=node.lineno, name=node.name)
            for named in _mistakes_named(node):
                if named.value not in names:
                    message = translatable("{file}, line {line}: {name} is no known mistake of softmark's")
                    yield tr(message, file=_name_of(path), line=named.lineno, name=named.value)
        names |= _names_bound(tree)
    if symbol and names and symbol not in names:
        yield tr("{file}, line 1: it does not define {symbol}", file=_name_of(files[0]), symbol=symbol)


def _mistakes_named(node: ast.stmt) -> list[ast.Constant]:
    """The mistakes of softmark's that a statement gives other hints, or leaves out."""
    targets = node.targets if isinstance(node, ast.Assign) else ()
    if not any(isinstance(target, ast.Name) and target.id in (HINTS, LEFT_OUT) for target in targets):
        return []
    value = node.value if isinstance(node, ast.Assign) else None
    names = value.keys if isinstance(value, ast.Dict) else getattr(value, "elts", [])
    return [name for name in names if isinstance(name, ast.Constant)]


def last_definition(text: str, path: Path) -> ast.FunctionDef | ast.ClassDef:
    """The last definition in what is handed out: the one that students complete.

    Raises:
        SyntaxError: the text is no Python, or defines nothing.
    """
    tree = ast.parse(text, str(path))
    definitions = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    if not definitions:
        message = tr("it defines no function and no class: write the stub last")
        raise SyntaxError(message, (str(path), 1, 1, ""))
    return definitions[-1]


def _symbol_of_stub(path: Path) -> str:
    return last_definition(path.read_text(encoding="utf-8"), path).name


def _symbol_asked(path: Path) -> str | None:
    text = path.read_text(encoding="utf-8")
    ast.parse(text, str(path))
    return read_checks_file(text).symbol


def _names_bound(tree: ast.Module) -> set[str]:
    """The names that a file binds, wherever in it: one in a branch or a loop may be the reference, too."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name)
    return names


def _describe(path: Path, error: Exception) -> str:
    name = _name_of(path)
    if isinstance(error, FileNotFoundError):
        return tr("{file} is missing", file=name)
    if isinstance(error, SyntaxError):
        return tr("{file}, line {line}: {reason}", file=name, line=error.lineno or 1, reason=error.msg)
    return tr("{file} cannot be read: {reason}", file=name, reason=" ".join(str(error).split()))


def _name_of(path: Path) -> str:
    return course().describe(path) or path.name
