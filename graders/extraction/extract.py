"""Only the statements that a wanted symbol needs, each still knowing its cell and line."""

import ast
from dataclasses import asdict, dataclass, replace
from typing import Any

from graders.extraction.definition_index import Sheet
from graders.extraction.dependencies import Needs, Part
from graders.extraction.execution_order import names_bound, order_units
from graders.extraction.missing import Missing, explain_absence, left_as_handed_out
from graders.extraction.program import Program, study
from graders.extraction.reaching_definitions import reach
from graders.extraction.remarks import find_shadowed, notes_on
from graders.extraction.statements import DEFINITIONS, Unit
from graders.extraction.stub import is_untouched
from graders.language import tr
from graders.results.result import Definition, Outcome, Remark
from graders.safe_text import safe_text

CODE_LIMIT = 10_000_000  # characters sent to the box, where a cell counts each time that it is returned to
SHOWN_LIMIT = 200_000  # characters of definitions kept for the report
SHOWN = 100  # definitions kept for the report

__all__ = ["Missing", "Module", "Piece", "Program", "Source", "extract", "study", "to_wire"]


@dataclass(frozen=True)
class Piece:
    """Statements of one cell or module to be run.

    `label` is their file's name in tracebacks; `code` is the whole text with the student's line
    numbers; `keep` are the line and column, as `ast` counts them, of the statements to run.
    """

    label: str
    file: str
    cell: int | None
    code: str
    keep: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Module:
    """A module, made by running its pieces in this order."""

    name: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Source:
    """All that a symbol needs: the modules beside its own first, its own last.

    `definitions` are the student's own text: the symbol's definition, then what it uses.
    """

    symbol: str
    modules: tuple[Module, ...]
    definitions: tuple[Definition, ...]
    remarks: tuple[Remark, ...]


def extract(program: Program, symbol: str, stub: str | None) -> Source | Missing:
    """What to run to have `symbol`, or why there is nothing to run.

    Args:
        program: the submission's code.
        symbol: the wanted function, class or variable.
        stub: the text of the handed-out module, by which an untouched definition is recognised.
    """
    candidates = [candidate for candidate in program.sheets.values() if symbol in candidate.binders]
    if not candidates:
        return explain_absence(program, symbol)
    sheet = min(candidates, key=lambda candidate: _rank(candidate, symbol, stub))
    units = _definition(sheet, symbol)
    # A file that was left as it was handed out is no rival.
    others = [
        candidate
        for candidate in candidates
        if not _is_stub(candidate, symbol, _definition(candidate, symbol), stub)
    ]
    remarks = notes_on(program, sheet, symbol, units, others)
    if _is_stub(sheet, symbol, units, stub):
        own = tuple(definition_of(unit) for unit in units)
        return left_as_handed_out(program, symbol, units[0].page, own, remarks)
    return _source(program, sheet, symbol, units, remarks)


def to_wire(source: Source) -> dict[str, Any]:
    """The source as plain values for the box, which does not see the definitions."""
    modules = [
        {
            "name": module.name,
            "pieces": [
                asdict(piece) | {"keep": [list(place) for place in piece.keep]} for piece in module.pieces
            ],
        }
        for module in source.modules
    ]
    return {"symbol": source.symbol, "modules": modules}


def _definition(sheet: Sheet, symbol: str) -> list[Unit]:
    return [sheet.units[at] for at in reach(sheet, symbol, sheet.end, called=True)]


def _is_stub(sheet: Sheet, symbol: str, units: list[Unit], stub: str | None) -> bool:
    # An empty class may be filled from outside: `Model.forward = forward`, `@add_to_class(Model)`.
    later = [sheet.units[at] for at in sheet.changers.get(symbol, ()) if at > units[0].index]
    filled = any(symbol in unit.names.changes or isinstance(unit.node, DEFINITIONS) for unit in later)
    return not filled and all(is_untouched(unit.node, symbol, stub) for unit in units)


def _rank(sheet: Sheet, symbol: str, stub: str | None) -> tuple[bool, bool, bool, int]:
    units = _definition(sheet, symbol)
    own = any(isinstance(unit.node, DEFINITIONS) for unit in units)
    callable_ = own or any(sheet.is_definer(unit.index, symbol) for unit in units)
    stubbed = _is_stub(sheet, symbol, units, stub)
    return stubbed, not callable_, sheet.kind == "module", -len(sheet.definitions())


def _source(
    program: Program, sheet: Sheet, symbol: str, units: list[Unit], remarks: list[Remark]
) -> Source | Missing:
    needs = Needs(program, program.origin(sheet))
    needs.ask(symbol, [unit.index for unit in units])
    others = [part for _, part in sorted(needs.parts.items()) if part is not needs.main]
    modules = [Module(part.module.name, _pieces(part, order_units(part))) for part in others]
    order = order_units(needs.main)
    # A data binding of the same name may have come along after the definition.
    names = names_bound(needs.main)
    if [root for root in order if symbol in names[root]][-1] != units[0].root:
        order.append(units[0].root)
    modules.append(Module(needs.main.module.name, _pieces(needs.main, order)))
    if sum(len(piece.code) for module in modules for piece in module.pieces) > CODE_LIMIT:
        message = tr(
            "{symbol} needs code from too many places: put what it needs into fewer and shorter cells.",
            symbol=symbol,
        )
        return Missing(symbol, Outcome.RAISED, message, tuple(remarks), ())
    return Source(
        symbol,
        tuple(modules),
        tuple(_definitions(symbol, needs, units)),
        tuple(remarks + find_shadowed(program, [*others, needs.main])),
    )


def _pieces(part: Part, order: list[int]) -> tuple[Piece, ...]:
    by_root: dict[int, list[Unit]] = {}
    for at in sorted(part.kept):
        by_root.setdefault(part.sheet.units[at].root, []).append(part.sheet.units[at])
    pieces: list[Piece] = []
    last = -1
    for root in order:
        page = by_root[root][0].page
        keep = tuple(unit.place for unit in by_root[root])
        # One piece runs from top to bottom, so that going back up begins another.
        if pieces and root > last and pieces[-1].label == page.label and pieces[-1].code == page.text:
            pieces[-1] = replace(pieces[-1], keep=pieces[-1].keep + keep)
        else:
            pieces.append(Piece(page.label, page.file, page.cell, page.text, keep))
        last = root
    return tuple(pieces)


def _definitions(symbol: str, needs: Needs, units: list[Unit]) -> list[Definition]:
    parts = [needs.main, *(part for _, part in sorted(needs.parts.items()) if part is not needs.main)]
    kept = [part.sheet.units[at] for part in parts for at in sorted(part.kept)]
    used = [unit for unit in kept if isinstance(unit.node, DEFINITIONS)]
    wanted = [unit for unit in units if unit in used or not isinstance(unit.node, ast.ImportFrom)]
    wanted = wanted or [unit for unit in used if symbol in unit.names.binds] or units
    return _shown([*wanted, *(unit for unit in used if unit not in wanted)])


def _shown(units: list[Unit]) -> list[Definition]:
    shown: list[Definition] = []
    room = SHOWN_LIMIT
    for unit in units[:SHOWN]:
        definition = definition_of(unit)
        room -= len(definition.code)
        if shown and room < 0:
            break
        shown.append(definition)
    return shown


def definition_of(unit: Unit) -> Definition:
    """The student's own text of a statement, decorators included."""
    decorators = getattr(unit.node, "decorator_list", [])
    first = min([unit.node.lineno, *(decorator.lineno for decorator in decorators)])
    lines = unit.page.source.split("\n")[first - 1 : unit.node.end_lineno]
    return Definition(unit.page.file, unit.page.cell, first, safe_text("\n".join(lines)))
