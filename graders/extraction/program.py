"""Parse the code of a submission, once for all symbols. Nothing of it is run."""

import ast
import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from graders.extraction.callables import find_definers
from graders.extraction.definition_index import CodeFile, index_definitions
from graders.extraction.ipython_cells import (
    LENGTH_LIMIT,
    Code,
    Problem,
    WrittenModule,
    run_target,
)
from graders.extraction.local_imports import ROOT, LocalModule, module_name
from graders.extraction.newer_python import Newer
from graders.extraction.resolve_imports import is_installed, overruled_names
from graders.extraction.star_imports import star_names
from graders.extraction.statements import Page, Unit, flatten_statements, magic_call, renumber
from graders.extraction.valid_parts import BrokenPart, read_parts
from graders.language import tr, translatable
from graders.results.describe_place import describe_place
from graders.results.result import Place, Remark
from graders.safe_text import safe_text
from graders.submission.decode import Cell, File, Kind
from graders.submission.read import Submission

CODE_LIMIT = 2_000_000  # characters of code in one submission; a syntax tree needs a hundred bytes for each
UNIT_LIMIT = 20_000  # statements in one submission
RUN_LIMIT = 20  # files in a chain of %run

_DEFINED = re.compile(r"^(?:(?:async[ \t]+)?def|class)[ \t]+(\w+)|^(\w+)[ \t]*=(?!=)", re.MULTILINE)
_TOO_MUCH = translatable("there is too much code in this submission")


@dataclass(frozen=True)
class BrokenCell:
    """A cell or module that is not Python, and why; with `lines`, the first and the last, only they are not.

    The `source` of the page has these lines alone.
    """

    page: Page
    problem: Problem
    lines: tuple[int, int] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names that it would have defined, as far as its lines show them."""
        return tuple(found[1] or found[2] for found in _DEFINED.finditer(self.page.source))


@dataclass(frozen=True)
class Program:
    """The files of a submission by name, and the cells that could not be parsed.

    `newer` is what only newer Pythons take and was written anew, with its cell.
    `symbols` are all names bound at module scope, from which the assignment is recognised; `modules`
    are the files that can be imported. `asked` are the symbols that the assignment asks for, as far as that
    is known.
    """

    code_files: dict[str, CodeFile]
    broken: tuple[BrokenCell, ...]
    newer: tuple[tuple[Page, Newer], ...]
    remarks: tuple[Remark, ...]
    symbols: frozenset[str]
    modules: frozenset[str]
    asked: frozenset[str] = frozenset()

    def origin(self, code_file: CodeFile) -> LocalModule:
        """The module that a file becomes when it is run itself."""
        if code_file.kind == "notebook":
            return LocalModule("__main__", code_file.path)
        relative = any(getattr(node, "level", 0) for unit in code_file.units for node in unit.names.imports)
        if not relative:
            return LocalModule(module_name(posixpath.basename(code_file.path)), code_file.path)
        name = module_name(code_file.path)
        own = "." in name and not is_installed(name)
        return LocalModule(name if own else f"{ROOT}.{name}", code_file.path)

    def where(self, page: Page, line: int) -> str:
        """Describe a place to the student: the line, and its numbers; with the file if there are several."""
        return describe_place(page.place(line), tuple(self.code_files))


@dataclass
class _Draft:
    """The state while the files are read one after another."""

    kinds: dict[str, Kind] = field(default_factory=dict)
    pages: dict[str, list[list[Unit]]] = field(default_factory=dict)
    written: dict[str, int | None] = field(default_factory=dict)
    broken: list[BrokenCell] = field(default_factory=list)
    newer: list[tuple[Page, Newer]] = field(default_factory=list)
    characters: int = 0
    statements: int = 0


def study(submission: Submission, asked: Iterable[str] = ()) -> Program:
    """Parse a whole submission, with a remark for each cell that is not Python.

    Args:
        submission: what was handed in.
        asked: the symbols that the assignment asks for: of several files the one with most of them counts.
    """
    draft = _Draft()
    for file in submission.files:
        draft.kinds[file.name] = file.kind
        draft.pages[file.name] = []
        draft.written[file.name] = file.written
    for file in submission.files:
        for cell in file.cells:
            _read_cell(draft, file, cell)
    units = {path: _splice_run_files(draft, path, (path,)) for path in draft.pages}
    stars = star_names(draft.kinds, units)
    modules = frozenset(path for path, kind in draft.kinds.items() if kind == "module")
    code_files = {}
    for path, kind in draft.kinds.items():
        origin = LocalModule("__main__" if kind == "notebook" else module_name(path), path)
        overruled = overruled_names(modules, origin, units[path])
        code_files[path] = index_definitions(
            path=path,
            kind=kind,
            units=units[path],
            stars=stars[path],
            overruled=overruled,
            written=draft.written[path],
        )
    for code_file in code_files.values():
        find_definers(code_file)
    symbols = frozenset(name for code_file in code_files.values() for name in code_file.binders)
    program = Program(
        code_files=code_files,
        broken=tuple(draft.broken),
        newer=tuple(draft.newer),
        remarks=(),
        symbols=symbols,
        modules=modules,
        asked=frozenset(asked),
    )
    return replace(program, remarks=tuple(_remarks(program)))


def _read_cell(draft: _Draft, file: File, cell: Cell) -> None:
    label = file.name if cell.number is None else f"{file.name}, cell {cell.number}"
    if len(file.cells) > 1 and cell.number is None:
        # Tracebacks look their lines up by the label, so that each cell of a text in Markdown has its own.
        label = f"{file.name}, line {len(cell.source) - len(cell.source.lstrip(chr(10))) + 1}"
    # A cell that is too long is not parsed, so it does not count towards the limit on all code.
    draft.characters += len(cell.source) if len(cell.source) <= LENGTH_LIMIT else 0
    if draft.characters > CODE_LIMIT:
        page = Page(file.name, cell.number, label, "", cell.source)
        draft.broken.append(BrokenCell(page, Problem(1, tr(_TOO_MUCH))))
        return
    code, parts = read_parts(cell.source)
    page = Page(file.name, cell.number, label, code.text, cell.source)
    if code.writes:
        _add_written(draft, page, code.writes)
    else:
        _add_code(draft, file.name, page, code, parts)


def _add_written(draft: _Draft, page: Page, module: WrittenModule) -> None:
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page.file), module.name))
    code, parts = read_parts(module.text)
    new_page = Page(page.file, page.cell, page.label, code.text, page.source)
    draft.kinds[path] = "module"
    draft.written[path] = draft.written[page.file]
    # The cell overwrites the file, even one that was handed in beside the notebook.
    draft.pages[path] = draft.pages.get(path, []) if module.appends else []
    _add_code(draft, path, new_page, code, parts)


def _add_code(draft: _Draft, path: str, page: Page, code: Code, parts: tuple[BrokenPart, ...]) -> None:
    if code.problem:
        draft.broken.append(BrokenCell(page, code.problem))
        return
    draft.newer += [(page, newer) for newer in code.newer]
    for part in parts:
        lines = part.first, part.last
        draft.broken.append(BrokenCell(_only(page, *lines), part.problem, lines))
    _add_page(draft, path, page, code.tree)


def _only(page: Page, first: int, last: int) -> Page:
    """A page with some of its lines alone, under their numbers."""
    lines = page.source.split("\n")[first - 1 : last]
    return replace(page, text="", source="\n" * (first - 1) + "\n".join(lines))


def _add_page(draft: _Draft, path: str, page: Page, tree: ast.Module) -> None:
    try:
        units = _flatten_compilable(draft, page, tree) if len(tree.body) <= UNIT_LIMIT else []
    except (RecursionError, MemoryError, ValueError):
        draft.broken.append(BrokenCell(page, Problem(1, tr("it is nested too deeply"))))
        return
    draft.statements += max(len(units), len(tree.body))
    if draft.statements > UNIT_LIMIT:
        draft.broken.append(BrokenCell(page, Problem(1, tr(_TOO_MUCH))))
    else:
        draft.pages[path].append(units)


def _flatten_compilable(draft: _Draft, page: Page, tree: ast.Module) -> list[Unit]:
    """The units without statements that parse and do not compile, such as `return` outside of a function."""
    try:
        return flatten_statements(page, tree.body)
    except SyntaxError:
        kept = []
    for node in tree.body:
        try:
            flatten_statements(page, [node])
            kept.append(node)
        except SyntaxError as error:
            lines = node.lineno, node.end_lineno or node.lineno
            problem = Problem(error.lineno or node.lineno, error.msg)
            draft.broken.append(BrokenCell(_only(page, *lines), problem, lines))
    return flatten_statements(page, kept)


def _splice_run_files(draft: _Draft, path: str, running: tuple[str, ...]) -> list[Unit]:
    """The units of a file in one list, with the units of a file that it runs by %run inserted there."""
    row: list[Unit] = []
    for units in draft.pages[path]:
        done = 0
        for unit in units:
            target = _find_run_file(draft, path, unit)
            if target is None or target in running or len(running) > RUN_LIMIT:
                continue
            if draft.statements > 2 * UNIT_LIMIT:
                break
            row += renumber(units[done : unit.root], len(row) - done)
            inside = _splice_run_files(draft, target, (*running, target))
            draft.statements += len(inside)
            row += renumber(inside, len(row))
            done = max(done, unit.root)
        row += renumber(units[done:], len(row) - done)
    return row


def _find_run_file(draft: _Draft, path: str, unit: Unit) -> str | None:
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
        line, reason, newer = broken.problem
        message = translatable("{what} is not valid Python and was left out: {reason}.")
        if newer:
            message = translatable("{what} was left out: {reason}.")
        says = tr(message, what=_describe_lines(broken), reason=safe_text(reason, 200))
        yield remark_at(broken.page.place(line), says)
    for page, found in program.newer:
        message = tr("This line is read all the same: {reason}.", reason=found.says)
        yield remark_at(page.place(found.line), message)


def _describe_lines(broken: BrokenCell) -> str:
    """What was left out, at the beginning of a sentence."""
    if broken.lines and broken.lines[0] == broken.lines[1]:
        return tr("This line")
    if broken.lines:
        return tr("A statement of {n} lines", n=broken.lines[1] - broken.lines[0] + 1)
    return tr("This cell") if broken.page.cell is not None else broken.page.file


def remark_at(place: Place, says: str) -> Remark:
    """A remark at a place."""
    return Remark(
        says=says, file=place.file, cell=place.cell, line=place.line, within=place.within, code=place.code
    )
