"""Choose the file and the definition that count, where a symbol is defined more than once.

What the code says decides; where it says nothing, nothing here does, and both are tried (`graders/grade.py`).
"""

import ast

from graders.extraction.definition_index import CodeFile
from graders.extraction.name_usage import IMPORTS
from graders.extraction.program import Program
from graders.extraction.reaching_definitions import find_reaching
from graders.extraction.resolve_imports import is_unresolved, resolve
from graders.extraction.statements import DEFINITIONS, Unit
from graders.extraction.stub import is_untouched
from graders.extraction.unfinished import UnwrittenPart, find_unwritten


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


def preference(
    program: Program, code_file: CodeFile, symbol: str, stub: str | None
) -> tuple[bool, bool, bool, bool, bool, int]:
    """What speaks against a file, most important first. Its name and its place say nothing."""
    units = definition_in(code_file, symbol)
    own = any(isinstance(unit.node, DEFINITIONS) for unit in units)
    is_callable = own or any(code_file.is_definer(unit.index, symbol) for unit in units)
    is_stub = is_stub_in(code_file, symbol, units, stub)
    origin = program.origin(code_file)
    unresolved = all(
        isinstance(unit.node, IMPORTS) and is_unresolved(program.modules, origin, unit.node, symbol)
        for unit in units
    )
    unfinished = is_stub or unwritten_part(code_file, symbol, units, stub) is not None
    is_module = code_file.kind == "module"
    return is_stub, unfinished, not is_callable, unresolved, is_module, -len(code_file.definitions())


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
