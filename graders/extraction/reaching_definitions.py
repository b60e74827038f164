"""Which binding of a name a statement sees."""

import ast
from bisect import bisect_left

from graders.extraction.definition_index import Sheet
from graders.extraction.statements import LOOPS, WITHS, Step, Unit, always_binds, is_main_guard

FOUND_LIMIT = 50  # bindings in a row that may each not have happened; no notebook has as many


def reach(sheet: Sheet, name: str, at: int, *, called: bool = False) -> list[int]:
    """The units that may have given `name` the value it has just before unit `at`, the latest first.

    Where nothing binds the name before, a notebook was run out of order, and the last binding counts.

    Args:
        sheet: the file.
        name: what is read.
        at: where it is read; `sheet.end` for what is left when everything has run.
        called: the name is used as a function, so `f = f(x)` is passed over in favour of `def f`.
    """
    binders = sheet.binders.get(name, [])
    before = bisect_left(binders, at) or len(binders)
    if called:
        definers = sheet.definers.get(name, [])
        limit = binders[before - 1] + 1 if binders else 0
        definers_before = bisect_left(definers, limit)
        if definers_before:
            binders, before = definers, definers_before
    here = sheet.units[at].within if at < sheet.end else ()
    reaching: list[int] = []
    floor = -1
    while before > 0 and binders[before - 1] >= floor and len(reaching) < FOUND_LIMIT:
        before -= 1
        unit = sheet.units[binders[before]]
        if not _excluded(sheet, unit, here):
            reaching.append(unit.index)
            floor = max(floor, _floor(sheet, unit, name, here))
    return reaching


def _excluded(sheet: Sheet, unit: Unit, here: tuple[Step, ...]) -> bool:
    """Whether a unit stands in the other branch of an `if` that the reader is in."""
    branches = {step.header: step.branch for step in here}
    return any(
        branches.get(step.header, step.branch) != step.branch
        and isinstance(sheet.units[step.header].node, ast.If | ast.Match)
        for step in unit.within
    )


def _floor(sheet: Sheet, unit: Unit, name: str, here: tuple[Step, ...]) -> int:
    """The index below which no binding can reach the reader; -1 where this one may not have run."""
    around = {step.header for step in here}
    for step in unit.within:
        node = sheet.units[step.header].node
        if step in here or isinstance(node, WITHS) or is_main_guard(node):
            continue
        certain = step.header not in around and _always(sheet, step.header, name)
        return step.header if certain else -1
    if isinstance(unit.node, LOOPS):
        return -1  # the loop may have gone round no time at all
    partial = isinstance(unit.node, ast.Import) and any("." in alias.name for alias in unit.node.names)
    # `import package.b` adds to what `import package.a` gave.
    return -1 if partial else unit.index


def _always(sheet: Sheet, header: int, name: str) -> bool:
    key = header, name
    if key not in sheet.certain:
        sheet.certain[key] = always_binds([sheet.units[header].node], name)
    return sheet.certain[key]
