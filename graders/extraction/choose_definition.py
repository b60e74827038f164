"""Choose the file and the definition that count, where a symbol is defined more than once.

Where nothing says which file counts, nothing here does, and all are tried (`graders/grade.py`).
"""

import ast
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from graders.extraction.definition_index import CodeFile
from graders.extraction.name_usage import IMPORTS
from graders.extraction.program import Program
from graders.extraction.reaching_definitions import find_reaching
from graders.extraction.resolve_imports import is_ambiguous, is_unresolved, resolve
from graders.extraction.statements import DEFINITIONS, Unit
from graders.extraction.stub import is_untouched
from graders.extraction.unfinished import UnwrittenPart, find_unwritten
from graders.submission.versions import keep_latest


class Reason(Enum):
    """What speaks for a file against another one that defines the same symbol."""

    CODE = "code"
    NAME = "name"
    NOTEBOOK = "notebook"
    IMPORTED = "imported"
    TIME = "time"
    MOST = "most"


def definition_in(code_file: CodeFile, symbol: str) -> list[Unit]:
    """The units of a file that may have given a symbol its last value, the latest first."""
    return [code_file.units[at] for at in find_reaching(code_file, symbol, code_file.end, called=True)]


def is_stub_in(code_file: CodeFile, symbol: str, units: list[Unit], stub: str | None) -> bool:
    """Whether these definitions are as they were handed out."""
    untouched = all(is_untouched(unit.node, symbol, stub) for unit in units)
    return untouched and not _is_filled(code_file, symbol, units)


def unwritten_part(
    code_file: CodeFile, symbol: str, units: list[Unit], stub: str | None
) -> tuple[Unit, UnwrittenPart] | None:
    """The part of the last of these definitions that is still to be written, if none of them can answer."""
    found = [(unit, find_unwritten(unit.node, symbol, stub)) for unit in units]
    last = found[-1][1]
    if last is None or not all(unwritten for _, unwritten in found) or _is_filled(code_file, symbol, units):
        return None
    return found[-1][0], last


def _is_filled(code_file: CodeFile, symbol: str, units: list[Unit]) -> bool:
    """Whether later statements may fill a class: `Model.forward = forward`, `@add_to_class(Model)`."""
    later = [code_file.units[at] for at in code_file.changers.get(symbol, ()) if at > units[0].index]
    return any(symbol in unit.names.changes or isinstance(unit.node, DEFINITIONS) for unit in later)


@dataclass(frozen=True)
class Choice:
    """The files that define a symbol.

    Nothing says which of the `equals` counts. Those `behind` them have the likeliest first, each with what
    speaks for the equals against it.
    """

    equals: tuple[CodeFile, ...]
    behind: tuple[tuple[CodeFile, Reason], ...]

    @property
    def files(self) -> list[CodeFile]:
        """All of them, the likeliest first."""
        return [*self.equals, *(code_file for code_file, _ in self.behind)]


def choose_files(program: Program, symbol: str, stub: str | None) -> Choice | None:
    """Choose between the files that define a symbol; None if there is none.

    What the code says comes first, then what names say (`graders/submission/versions.py`), then which file
    was changed last, then which one has most of what the assignment asks for.
    """
    left = [code_file for code_file in program.code_files.values() if symbol in code_file.binders]
    if not left:
        return None
    behind: list[tuple[CodeFile, Reason]] = []
    for reason, keep in _steps(program, symbol, stub):
        kept = keep(left) if len(left) > 1 else left
        behind = [*((code_file, reason) for code_file in left if code_file not in kept), *behind]
        left = kept
    return Choice(tuple(sorted(left, key=_by_content) if len(left) > 1 else left), tuple(behind))


def _steps(
    program: Program, symbol: str, stub: str | None
) -> Iterator[tuple[Reason, Callable[[list[CodeFile]], list[CodeFile]]]]:
    def flaws(code_file: CodeFile) -> tuple[bool, bool, bool, bool]:
        return _find_flaws(program, code_file, symbol, stub)

    def is_unused(code_file: CodeFile) -> bool:
        return code_file.path not in used

    used = _find_used(program, symbol)
    yield Reason.CODE, lambda files: _keep_least(files, flaws)
    yield Reason.NAME, lambda files: keep_latest(files, lambda code_file: code_file.path)
    yield Reason.NOTEBOOK, lambda files: _keep_least(files, lambda code_file: code_file.kind == "module")
    yield Reason.IMPORTED, lambda files: _keep_least(files, is_unused)
    yield Reason.TIME, _keep_last_written
    yield (
        Reason.MOST,
        lambda files: _keep_least(files, lambda file: -len(program.asked & file.binders.keys())),
    )


def _keep_least(files: list[CodeFile], measure: Callable[[CodeFile], Any]) -> list[CodeFile]:
    measures = [measure(code_file) for code_file in files]
    return [code_file for code_file, own in zip(files, measures, strict=True) if own == min(measures)]


def _keep_last_written(files: list[CodeFile]) -> list[CodeFile]:
    times = [code_file.written for code_file in files if code_file.written is not None]
    return (
        [code_file for code_file in files if code_file.written == max(times)]
        if len(times) == len(files)
        else files
    )


def _by_content(code_file: CodeFile) -> tuple[str, int, str]:
    """An order that no name decides, for files of which one is shown and all are judged."""
    text = "".join(ast.dump(unit.node) for unit in code_file.units)
    return hashlib.sha256(text.encode()).hexdigest(), code_file.path.count("/"), code_file.path


def _find_used(program: Program, symbol: str) -> frozenset[str]:
    """The files from which another one imports the symbol."""
    holders = [code_file for code_file in program.code_files.values() if symbol in code_file.binders]
    behind = [(code_file, behind_imports(program, code_file, symbol)) for code_file in holders]
    return frozenset(source.path for code_file, source in behind if source is not code_file)


def _find_flaws(
    program: Program, code_file: CodeFile, symbol: str, stub: str | None
) -> tuple[bool, bool, bool, bool]:
    """What speaks in the code itself against a file, most important first."""
    units = definition_in(code_file, symbol)
    own = any(isinstance(unit.node, DEFINITIONS) for unit in units)
    is_callable = own or any(code_file.is_definer(unit.index, symbol) for unit in units)
    is_stub = is_stub_in(code_file, symbol, units, stub)
    origin = program.origin(code_file)
    # An import that may mean several files says nothing of them: they stand for themselves.
    unresolved = all(
        isinstance(unit.node, IMPORTS)
        and (
            is_unresolved(program.modules, origin, unit.node, symbol)
            or is_ambiguous(program.modules, origin, unit.node)
        )
        for unit in units
    )
    unfinished = is_stub or unwritten_part(code_file, symbol, units, stub) is not None
    return is_stub, unfinished, not is_callable, unresolved


def behind_imports(program: Program, code_file: CodeFile, symbol: str) -> CodeFile:
    """The file that defines a symbol which a module only imports from it; a notebook counts as it stands."""
    passed = {code_file.path}
    while code_file.kind == "module":
        nodes = [unit.node for unit in definition_in(code_file, symbol)]
        node = nodes[0] if len(nodes) == 1 else None
        if not isinstance(node, ast.ImportFrom) or (symbol, None) not in {
            (a.name, a.asname) for a in node.names
        }:
            break
        source = resolve(program.code_files, program.modules, program.origin(code_file), node, symbol)
        path = source.path if source else ""
        if path in passed or symbol not in getattr(program.code_files.get(path), "binders", {}):
            break
        passed.add(path)
        code_file = program.code_files[path]
    return code_file
