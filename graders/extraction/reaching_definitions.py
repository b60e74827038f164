"""Find the bindings of a name that may reach a statement."""

import ast
from bisect import bisect_left

from graders.extraction.definition_index import CodeFile
from graders.extraction.statements import LOOPS, WITHS, Step, Unit, always_binds, is_main_guard

REACHING_LIMIT = 50  # maximum conditional bindings followed; no notebook has so many


def find_reaching(code_file: CodeFile, name: str, at: int, *, called: bool = False) -> list[int]:
    """The units that may have given `name` its value just before unit `at`, latest first.

    If nothing binds the name before `at`, the notebook was run out of order: then the last binding counts.

    Args:
        code_file: the file.
        name: the name that is read.
        at: the index of the reading unit; `code_file.end` for the value after all units have run.
        called: whether the name is called; then `def f` is preferred to a later `f = f(x)`.
    """
    binders = code_file.binders.get(name, [])
    before = bisect_left(binders, at) or len(binders)
    if called:
        definers = code_file.definers.get(name, [])
        limit = binders[before - 1] + 1 if binders else 0
        definers_before = bisect_left(definers, limit)
        if definers_before:
            binders, before = definers, definers_before
    here = code_file.units[at].within if at < code_file.end else ()
    reaching: list[int] = []
    floor = -1
    while before > 0 and binders[before - 1] >= floor and len(reaching) < REACHING_LIMIT:
        before -= 1
        unit = code_file.units[binders[before]]
        if not _is_excluded(code_file, unit, here):
            reaching.append(unit.index)
            floor = max(floor, _lowest_index(code_file, unit, name, here))
    return reaching


def _is_excluded(code_file: CodeFile, unit: Unit, here: tuple[Step, ...]) -> bool:
    """Whether a unit and the reader are in different branches of the same `if` or `match`."""
    branches = {step.header: step.branch for step in here}
    return any(
        branches.get(step.header, step.branch) != step.branch
        and isinstance(code_file.units[step.header].node, ast.If | ast.Match)
        for step in unit.within
    )


def _lowest_index(code_file: CodeFile, unit: Unit, name: str, here: tuple[Step, ...]) -> int:
    """The lowest index of a binding that can still reach the reader; -1 if this unit may not have run."""
    around = {step.header for step in here}
    for step in unit.within:
        node = code_file.units[step.header].node
        if step in here or isinstance(node, WITHS) or is_main_guard(node):
            continue
        certain = step.header not in around and _always(code_file, step.header, name)
        return step.header if certain else -1
    if isinstance(unit.node, LOOPS):
        return -1  # the loop may have run zero times
    partial = isinstance(unit.node, ast.Import) and any("." in alias.name for alias in unit.node.names)
    # `import package.b` adds to the name that `import package.a` bound.
    return -1 if partial else unit.index


def _always(code_file: CodeFile, header: int, name: str) -> bool:
    key = header, name
    if key not in code_file.certain:
        code_file.certain[key] = always_binds([code_file.units[header].node], name)
    return code_file.certain[key]
