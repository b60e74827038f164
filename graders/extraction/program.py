"""A submission's code, parsed once for all symbols. Nothing of it is run."""

import ast
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from graders.extraction.callables import find_definers
from graders.extraction.definition_index import Sheet, index_definitions
from graders.extraction.ipython_cells import LENGTH_LIMIT, Problem, Written, parse_cell, run_target, to_python
from graders.extraction.local_imports import Sibling, dotted
from graders.extraction.star_imports import star_names
from graders.extraction.statements import Page, Unit, flatten_statements, magic_call, renumber
from graders.language import tr, translatable
from graders.results.result import Remark
from graders.safe_text import safe_text
from graders.submission.decode import Cell, File, Kind
from graders.submission.read import Submission

CODE_LIMIT = 2_000_000  # characters of code in one submission; a syntax tree is a hundred times as large
UNIT_LIMIT = 20_000  # statements in one submission
RUN_LIMIT = 20  # files that run files by %run

_TOO_MUCH = translatable("there is too much code in this submission")


@dataclass(frozen=True)
class Broken:
    """A cell or module that is not Python."""

    page: Page
    problem: Problem


@dataclass(frozen=True)
class Program:
    """The sheets of a submission by file name, and what could not be parsed.

    `symbols` are all names bound at module scope, by which an assignment can be recognised; `modules`
    are the files that can be imported.
    """

    sheets: dict[str, Sheet]
    broken: tuple[Broken, ...]
    remarks: tuple[Remark, ...]
    symbols: frozenset[str]
    modules: frozenset[str]

    def origin(self, sheet: Sheet) -> Sibling:
        """The module that a sheet is when it is the one to be run."""
        if sheet.kind == "notebook":
            return Sibling("__main__", sheet.path)
        relative = any(getattr(node, "level", 0) for unit in sheet.units for node in unit.names.imports)
        return Sibling(dotted(sheet.path) if relative else dotted(posixpath.basename(sheet.path)), sheet.path)

    def where(self, page: Page, line: int | None = None) -> str:
        """A place as a student is told it: "cell 4, line 2", with the file where there are several."""
        spot = page.file
        if page.cell is not None and len(self.sheets) > 1:
            spot = tr("cell {cell} of {file}", cell=page.cell, file=page.file)
        elif page.cell is not None:
            spot = tr("cell {cell}", cell=page.cell)
        return spot if line is None else tr("{file}, line {line}", file=spot, line=line)


@dataclass
class _Draft:
    """What is known of the files while they are read one after another."""

    kinds: dict[str, Kind] = field(default_factory=dict)
    pages: dict[str, list[list[Unit]]] = field(default_factory=dict)
    broken: list[Broken] = field(default_factory=list)
    characters: int = 0
    statements: int = 0


def study(submission: Submission) -> Program:
    """Parse all that was handed in, with a remark for each cell that is not Python."""
    draft = _Draft()
    for file in submission.files:
        draft.kinds[file.name] = file.kind
        draft.pages[file.name] = []
    for file in submission.files:
        for cell in file.cells:
            _read_cell(draft, file, cell)
    units = {path: _run_together(draft, path, (path,)) for path in draft.pages}
    stars = star_names(draft.kinds, units)
    sheets = {path: index_definitions(path, draft.kinds[path], units[path], stars[path]) for path in units}
    for sheet in sheets.values():
        find_definers(sheet)
    symbols = frozenset(name for sheet in sheets.values() for name in sheet.binders)
    modules = frozenset(path for path, kind in draft.kinds.items() if kind == "module")
    program = Program(sheets, tuple(draft.broken), (), symbols, modules)
    return replace(program, remarks=tuple(_remarks(program)))


def _read_cell(draft: _Draft, file: File, cell: Cell) -> None:
    label = file.name if cell.number is None else f"{file.name}, cell {cell.number}"
    # What is longer than a cell may be is not parsed, and must not cost the others their place.
    draft.characters += len(cell.source) if len(cell.source) <= LENGTH_LIMIT else 0
    if draft.characters > CODE_LIMIT:
        page = Page(file.name, cell.number, label, "", cell.source)
        draft.broken.append(Broken(page, Problem(1, tr(_TOO_MUCH))))
        return
    code = to_python(cell.source)
    page = Page(file.name, cell.number, label, code.text, cell.source)
    if code.problem:
        draft.broken.append(Broken(page, code.problem))
    elif code.writes:
        _add_written(draft, page, code.writes)
    else:
        _add_page(draft, file.name, page, code.tree)


def _add_written(draft: _Draft, page: Page, written: Written) -> None:
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page.file), written.name))
    new_page = Page(page.file, page.cell, page.label, written.text, page.source)
    tree = parse_cell(written.text)
    draft.kinds[path] = "module"
    # The cell overwrites the file, also one that was handed in beside the notebook.
    draft.pages[path] = draft.pages.get(path, []) if written.appends else []
    if isinstance(tree, ast.Module):
        _add_page(draft, path, new_page, tree)
    else:
        draft.broken.append(Broken(new_page, tree))


def _add_page(draft: _Draft, path: str, page: Page, tree: ast.Module) -> None:
    try:
        units = flatten_statements(page, tree.body) if len(tree.body) <= UNIT_LIMIT else []
    except SyntaxError as error:
        draft.broken.append(Broken(page, Problem(error.lineno or 1, error.msg)))
        return
    except (RecursionError, MemoryError, ValueError):
        draft.broken.append(Broken(page, Problem(1, tr("it is nested too deeply"))))
        return
    draft.statements += max(len(units), len(tree.body))
    if draft.statements > UNIT_LIMIT:
        draft.broken.append(Broken(page, Problem(1, tr(_TOO_MUCH))))
    else:
        draft.pages[path].append(units)


def _run_together(draft: _Draft, path: str, running: tuple[str, ...]) -> list[Unit]:
    """The units of a file in one row, with those of the files that it runs by %run in their place."""
    row: list[Unit] = []
    for units in draft.pages[path]:
        done = 0
        for unit in units:
            target = _run_file(draft, path, unit)
            if target is None or target in running or len(running) > RUN_LIMIT:
                continue
            if draft.statements > 2 * UNIT_LIMIT:
                break
            row += renumber(units[done : unit.root], len(row) - done)
            inside = _run_together(draft, target, (*running, target))
            draft.statements += len(inside)
            row += renumber(inside, len(row))
            done = max(done, unit.root)
        row += renumber(units[done:], len(row) - done)
    return row


def _run_file(draft: _Draft, path: str, unit: Unit) -> str | None:
    call = magic_call(unit.node)
    arguments = [part.value for part in call.args if isinstance(part, ast.Constant)] if call else []
    if len(arguments) != 2 or arguments[0] != "run" or not isinstance(arguments[1], str):
        return None
    target = run_target(arguments[1])
    base = posixpath.join(posixpath.dirname(path), target or "")
    names = [posixpath.normpath(base + suffix) for suffix in ("", ".py", ".ipynb")]
    return next((name for name in names if target and name in draft.pages), None)


def _remarks(program: Program) -> Iterator[Remark]:
    for broken in program.broken:
        page, (line, reason) = broken.page, broken.problem
        where = program.where(page, line)
        # A file's name keeps its first letter as it is.
        start = where if page.cell is None else where[0].upper() + where[1:]
        message = tr(
            "{where} is not valid Python and was left out: {reason}.",
            where=start,
            reason=safe_text(reason, 200),
        )
        yield Remark(message, page.file, page.cell, line)
