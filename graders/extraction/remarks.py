"""What is worth saying about where a symbol's definition was taken from, and about what it reads."""

import ast
from collections.abc import Iterable, Iterator, Sequence

from graders.extraction.definition_index import Sheet
from graders.extraction.dependencies import Part
from graders.extraction.name_usage import IMPORTS
from graders.extraction.program import Program
from graders.extraction.reaching_definitions import reach
from graders.extraction.statements import Unit, is_star
from graders.language import tr
from graders.results.result import Remark

# What `from module import *` takes the place of, among Python's own functions.
_SHADOWS = {
    "torch": frozenset(
        "abs all any bool compile complex float int max min pow range round sum".split()  # noqa: SIM905
    ),
    "numpy": frozenset("abs all any bool divmod max min pow round sum".split()),  # noqa: SIM905
    "pylab": frozenset({"all", "any", "divmod", "sum"}),
    "math": frozenset({"pow"}),
    "os": frozenset({"open"}),
}


def notes_on(
    program: Program, sheet: Sheet, symbol: str, units: Sequence[Unit], candidates: Sequence[Sheet]
) -> list[Remark]:
    """Remarks on the choice of a definition among several."""
    notes = [_taken_from(sheet, symbol, units, candidates), _repeated(program, sheet, symbol, units)]
    notes.append(_deleted(program, sheet, symbol))
    return [note for note in notes if note is not None]


def _taken_from(
    sheet: Sheet, symbol: str, units: Sequence[Unit], candidates: Sequence[Sheet]
) -> Remark | None:
    if all(isinstance(unit.node, IMPORTS) for unit in units):
        return None  # the others are where it is imported from
    others = sorted(
        candidate.path for candidate in candidates if candidate is not sheet and _defines(candidate, symbol)
    )
    if not others:
        return None
    message = tr(
        "{symbol} is defined in {file} and in {others}; the one in {file} counts.",
        symbol=symbol,
        file=sheet.path,
        others=tr(" and ").join(others),
    )
    return _at(message, None)


def _defines(sheet: Sheet, symbol: str) -> bool:
    return any(symbol in unit.names.binds for unit in sheet.definitions())


def _repeated(program: Program, sheet: Sheet, symbol: str, units: Sequence[Unit]) -> Remark | None:
    places = defined_places(sheet, symbol)
    roots = {unit.root for unit in units}
    earlier = [unit for unit in places if unit.root not in roots]
    if not earlier or not any(unit in places for unit in units):
        return None
    listed = tr(", in ").join(program.where(unit.page, unit.node.lineno) for unit in earlier)
    last = units[0]
    where = program.where(last.page, last.node.lineno)
    message = tr(
        "{symbol} is defined in {places} and again in {where}; the last definition counts.",
        symbol=symbol,
        places=listed,
        where=where,
    )
    return _at(message, last)


def defined_places(sheet: Sheet, symbol: str) -> list[Unit]:
    """Where a symbol is defined afresh: wrapping it (`f = compile(f)`) defines it no second time."""
    places = [sheet.units[at] for at in sheet.binders.get(symbol, ())]
    return [
        unit for unit in places if sheet.is_definer(unit.index, symbol) and symbol not in unit.names.eager
    ]


def _deleted(program: Program, sheet: Sheet, symbol: str) -> Remark | None:
    for unit in sheet.units:
        if isinstance(unit.node, ast.Delete) and any(
            isinstance(target, ast.Name) and target.id == symbol for target in unit.node.targets
        ):
            where = program.where(unit.page, unit.node.lineno)
            message = tr(
                "{symbol} is deleted in {where}; its definition counts all the same.",
                symbol=symbol,
                where=where,
            )
            return _at(message, unit)
    return None


def find_shadowed(program: Program, parts: Iterable[Part]) -> list[Remark]:
    """A remark for each of Python's functions that kept code reads and a star import has replaced."""
    return [remark for part in parts for remark in _shadowed(program, part)]


def _shadowed(program: Program, part: Part) -> Iterator[Remark]:
    units = [part.sheet.units[at] for at in sorted(part.kept)]
    stars = [unit for unit in units if is_star(unit.node)]
    for star in stars:
        module = getattr(star.node, "module", None) or ""
        for name in sorted(_SHADOWS.get(module, ())):
            reader = next((unit for unit in units if _reads(part.sheet, unit, name)), None)
            if reader is not None:
                used = program.where(reader.page, _line(reader, name))
                where = program.where(star.page, star.node.lineno)
                message = tr(
                    "`from {module} import *` in {where} replaces Python's {name} by {module}.{name}, "
                    "and {used} uses it. Import the module by its name instead.",
                    module=module,
                    where=where,
                    name=name,
                    used=used,
                )
                yield _at(message, star)


def _reads(sheet: Sheet, unit: Unit, name: str) -> bool:
    return name in unit.names.eager | unit.names.deferred and not reach(sheet, name, sheet.end)


def _line(unit: Unit, name: str) -> int:
    lines = [part.lineno for part in ast.walk(unit.node) if isinstance(part, ast.Name) and part.id == name]
    return min(lines, default=unit.node.lineno)


def _at(message: str, unit: Unit | None) -> Remark:
    if unit is None:
        return Remark(message)
    return Remark(message, unit.page.file, unit.page.cell, unit.node.lineno)
