"""Extract the statements that a symbol needs; each keeps its cell and line."""

import ast
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from graders.extraction.choose_definition import (
    behind_imports,
    choose_files,
    definition_in,
    is_stub_in,
    unwritten_part,
)
from graders.extraction.constants import find_constants
from graders.extraction.definition_index import CodeFile
from graders.extraction.dependencies import Dependencies, Part
from graders.extraction.execution_order import all_names, names_bound, order_units
from graders.extraction.forgotten_imports import SuppliedImport, find_forgotten
from graders.extraction.given_parts import find_given_parts
from graders.extraction.missing import (
    Missing,
    explain_absence,
    explain_unfinished,
    explain_untouched_stub,
)
from graders.extraction.program import BrokenCell, Program, study
from graders.extraction.reaching_definitions import find_reaching
from graders.extraction.remarks import find_shadowed, make_remarks
from graders.extraction.statements import DEFINITIONS, Unit
from graders.extraction.stub import HandedOutCall, calls_of
from graders.language import tr
from graders.results.result import Definition, Outcome, Remark
from graders.safe_text import safe_text

CODE_LIMIT = 10_000_000  # characters sent to the box; a cell that gives several pieces counts several times
SHOWN_LIMIT = 200_000  # characters of definitions kept for the report
SUPPLIED = "<supplied imports>"  # their file in tracebacks
SHOWN = 100  # definitions kept for the report

__all__ = ["Missing", "Module", "Piece", "Program", "Source", "extract", "study", "to_wire"]


@dataclass(frozen=True)
class Piece:
    """The statements of one cell or module that are to be run.

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
    """A module, built by running its pieces in this order. `redirects`: see `dependencies.Part`."""

    name: str
    pieces: tuple[Piece, ...]
    redirects: dict[str, dict[str, str]]


@dataclass(frozen=True)
class Source:
    """The code that a symbol needs: the modules that it imports first, its own module last.

    `definitions` are the student's text: the definition of the symbol, then the definitions that it uses.
    `supplied` are the imports that the submission forgot; they run first. `calls` are those in the
    contract, of the function or of the class's methods. `taken_as` has the number of the way in which a
    call takes its arguments (`softmark_worker/forward_arguments.py`), where that is not the likeliest.
    `parts` are the arguments of the constructor that are modules, with their classes' names.
    `axes_lacking` is the number of leading axes, as the batch's, that the code lacks: it is called for
    each entry of them (`softmark_worker/one_by_one.py`). `constants` are integers in the code, `names`
    all names that it binds, those of the symbol's parts too. `broken` are the cells and statements of the
    submission that are not Python.
    """

    symbol: str
    modules: tuple[Module, ...]
    definitions: tuple[Definition, ...]
    remarks: tuple[Remark, ...]
    supplied: tuple[SuppliedImport, ...] = ()
    calls: tuple[HandedOutCall, ...] = ()
    taken_as: tuple[tuple[str, int], ...] = ()
    axes_lacking: int = 0
    parts: tuple[tuple[str, str], ...] = ()
    constants: tuple[int, ...] = ()
    names: frozenset[str] = frozenset()
    broken: tuple[BrokenCell, ...] = ()


def extract(program: Program, symbol: str, stub: str | None) -> Source | Missing:
    """Find the code that defines `symbol`, or say why there is none.

    Args:
        program: the submission's code.
        symbol: the name of a function, class or variable.
        stub: the text of the handed-out module; a definition equal to the one in it is untouched.
    """
    choice = choose_files(program, symbol, stub)
    if choice is None:
        return explain_absence(program, symbol)
    code_file = behind_imports(program, choice.files[0], symbol)
    units = definition_in(code_file, symbol)
    # A file with the untouched stub does not compete.
    others = [
        candidate
        for candidate in choice.files
        if not is_stub_in(candidate, symbol, definition_in(candidate, symbol), stub)
    ]
    remarks = make_remarks(code_file, symbol, units, others, choice)
    own = tuple(definition_of(unit) for unit in units)
    if is_stub_in(code_file, symbol, units, stub):
        return explain_untouched_stub(program, symbol, own, remarks)
    if unwritten := unwritten_part(code_file, symbol, units, stub):
        return explain_unfinished(program, symbol, own, unwritten, remarks)
    source = make_source(program, code_file, symbol, units, remarks)
    return replace(source, calls=calls_of(symbol, stub)) if stub and isinstance(source, Source) else source


def to_wire(source: Source) -> dict[str, Any]:
    """Convert a source to plain values for the box, without the definitions."""
    modules = [
        {
            "name": module.name,
            "redirects": module.redirects,
            "pieces": [
                asdict(piece) | {"keep": [list(place) for place in piece.keep]} for piece in module.pieces
            ],
        }
        for module in source.modules
    ]
    return {
        "symbol": source.symbol,
        "modules": modules,
        "calls": {call.name: [list(each) for each in call.arguments] for call in source.calls},
        "taken_as": dict(source.taken_as),
        "axes_lacking": source.axes_lacking,
        "parts": dict(source.parts),
    }


def make_source(
    program: Program, code_file: CodeFile, symbol: str, units: list[Unit], remarks: list[Remark]
) -> Source | Missing:
    """The source of a symbol that these units of a file bind."""
    dependencies = Dependencies(program, program.origin(code_file))
    dependencies.ask(symbol, [unit.index for unit in units])
    parts = _ask_for_parts(dependencies, code_file)
    others = [part for _, part in sorted(dependencies.parts.items()) if part is not dependencies.main]
    modules = [Module(part.module.name, _pieces(part, order_units(part)), part.redirects) for part in others]
    order = order_units(dependencies.main)
    # Data bound to the same name may be kept as well: run the definition after it, so that it counts.
    names = names_bound(dependencies.main)
    if [root for root in order if symbol in names[root]][-1] != units[0].root:
        order.append(units[0].root)
    main = dependencies.main
    modules.append(Module(main.module.name, _pieces(main, order), main.redirects))
    if sum(len(piece.code) for module in modules for piece in module.pieces) > CODE_LIMIT:
        message = tr(
            "{symbol} needs code from too many places: put what it needs into fewer and shorter cells.",
            symbol=symbol,
        )
        return Missing(symbol, Outcome.RAISED, message, tuple(remarks), ())
    return Source(
        symbol,
        tuple(modules),
        tuple(_definitions(symbol, dependencies, units)),
        tuple(remarks + find_shadowed(program, [*others, dependencies.main])),
        tuple(supplied for part in (main, *others) for supplied in find_forgotten(part)),
        parts=tuple(parts.items()),
        constants=find_constants(_kept_nodes(dependencies)),
        names=frozenset(name for part in (main, *others) for name in all_names(part)),
        broken=program.broken,
    )


def _kept_nodes(dependencies: Dependencies) -> Iterator[ast.stmt]:
    return (part.code_file.units[at].node for part in dependencies.parts.values() for at in part.kept)


def _ask_for_parts(dependencies: Dependencies, code_file: CodeFile) -> dict[str, str]:
    """Keep the classes of the parts that the symbol's constructor is given, which its code does not name."""
    kept = [code_file.units[at].node for at in sorted(dependencies.main.kept)]
    known = {name: [code_file.units[at].node for at in places] for name, places in code_file.binders.items()}
    parts = find_given_parts(kept, known)
    for name in parts.values():
        dependencies.ask(name, find_reaching(code_file, name, code_file.end, called=True))
    return parts


def _pieces(part: Part, order: list[int]) -> tuple[Piece, ...]:
    by_root: dict[int, list[Unit]] = {}
    for at in sorted(part.kept):
        by_root.setdefault(part.code_file.units[at].root, []).append(part.code_file.units[at])
    supplied = [supplied.statement for supplied in find_forgotten(part)]
    places = tuple((line + 1, 0) for line in range(len(supplied)))
    path = part.code_file.path
    pieces = [Piece(SUPPLIED, path, None, "\n".join(supplied), places)] if supplied else []
    last = -1
    for root in order:
        page = by_root[root][0].page
        keep = tuple(unit.place for unit in by_root[root])
        # A piece runs from top to bottom: a statement further up starts another piece.
        if pieces and root > last and pieces[-1].label == page.label and pieces[-1].code == page.text:
            pieces[-1] = replace(pieces[-1], keep=pieces[-1].keep + keep)
        else:
            pieces.append(Piece(page.label, page.file, page.cell, page.text, keep))
        last = root
    return tuple(pieces)


def _definitions(symbol: str, dependencies: Dependencies, units: list[Unit]) -> list[Definition]:
    parts = [
        dependencies.main,
        *(part for _, part in sorted(dependencies.parts.items()) if part is not dependencies.main),
    ]
    kept = [part.code_file.units[at] for part in parts for at in sorted(part.kept)]
    used = [unit for unit in kept if isinstance(unit.node, DEFINITIONS)]
    wanted = [unit for unit in units if unit in used or not isinstance(unit.node, ast.ImportFrom)]
    wanted = wanted or [unit for unit in used if symbol in unit.names.binds] or units
    return _limit_shown([*wanted, *(unit for unit in used if unit not in wanted)])


def _limit_shown(units: list[Unit]) -> list[Definition]:
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
    """The student's text of a statement, with its decorators."""
    decorators = getattr(unit.node, "decorator_list", [])
    first = min([unit.node.lineno, *(decorator.lineno for decorator in decorators)])
    lines = unit.page.source.split("\n")[first - 1 : unit.node.end_lineno]
    return Definition(unit.page.file, unit.page.cell, first, safe_text("\n".join(lines)))
