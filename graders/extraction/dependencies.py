"""Find the statements that a symbol needs, in its own file and in the modules beside it.

Each unit is followed together with a position `until`: what the unit defines must work at that point of the
file. Names that the unit reads when it runs are looked up at the unit itself; names that its functions read
when they are called are looked up at `until`.
"""

import ast
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile

from graders.extraction.definition_index import CodeFile, contains
from graders.extraction.local_imports import DEEPEST, LocalModule, find_module, find_submodule
from graders.extraction.name_usage import IMPORTS, Import
from graders.extraction.program import Program
from graders.extraction.reaching_definitions import find_reaching
from graders.extraction.resolve_imports import is_installed_import, resolve, resolve_module
from graders.extraction.statements import (
    DEFINITIONS,
    LOOPS,
    WITHS,
    Step,
    Unit,
    is_future,
    is_main_guard,
    is_star,
    magic_call,
)
from graders.extraction.value_classes import holds_values, is_called_a_configuration

WORK_LIMIT = 300_000  # look-ups; after that, `until` is always the end of the file


@dataclass
class Part:
    """The units of one module that are kept.

    `redirects` says for a module in `from module import name` in which handed-in module each name is.
    The units `before[i]` must run before unit i; the units `in_calls[i]` bind names that are read inside the
    functions that unit i calls.
    """

    module: LocalModule
    code_file: CodeFile
    kept: set[int] = field(default_factory=set)
    redirects: dict[str, dict[str, str]] = field(default_factory=dict)
    before: dict[int, set[int]] = field(default_factory=dict)
    in_calls: dict[int, set[int]] = field(default_factory=dict)


class Dependencies:
    """Collects the needed units of all modules, starting from some units of the main module."""

    def __init__(self, program: Program, main: LocalModule) -> None:
        self.program = program
        self.parts: dict[str, Part] = {}
        self._asked: set[tuple[str, str]] = set()
        self._seen: set[tuple[str, int, int]] = set()
        self._waiting: list[tuple[Part, int, int]] = []
        self._whole_loops: set[tuple[str, int, int]] = set()
        self._work = 0
        self.main = self._part(main)

    def ask(self, symbol: str, units: list[int]) -> None:
        """Keep these units of the main module, which bind `symbol`, and everything that they need."""
        for at in units:
            self._keep(self.main, at, self.main.code_file.end)
            self._follow_import(self.main, at, symbol, self.main.code_file.units[at])
        while self._waiting:
            part, at, until = self._waiting.pop()
            if self._work > WORK_LIMIT and until != part.code_file.end:
                self._keep(part, at, part.code_file.end)
            else:
                self._follow(part, at, until)

    def _part(self, module: LocalModule) -> Part:
        part = self.parts.get(module.name)
        if part is None:
            part = Part(module, self.program.code_files.get(module.path, CodeFile(module.path, "module")))
            self.parts[module.name] = part
            for unit in part.code_file.units:
                # A star import may supply or hide any name, so it is always kept.
                if is_star(unit.node) or is_future(unit.node):
                    self._keep(part, unit.index, part.code_file.end)
        return part

    def _keep(self, part: Part, at: int, until: int) -> None:
        if self._work > WORK_LIMIT:
            until = part.code_file.end
        key = (part.module.name, at, until)
        if key not in self._seen and magic_call(part.code_file.units[at].node) is None:
            self._seen.add(key)
            self._work += 1
            self._waiting.append((part, at, until))

    def _follow(self, part: Part, at: int, until: int) -> None:
        unit = part.code_file.units[at]
        if at not in part.kept:
            part.kept.add(at)
            for node in unit.names.imports:
                self._import(part, unit, node)
        self._keep_headers(part, unit, until)
        for name in sorted(unit.names.eager):
            for binder in self._read(part, unit, name, at):
                part.before.setdefault(at, set()).add(binder)
                self._keep(part, binder, at)
                self._keep(part, binder, until)
        for name in sorted(unit.names.deferred):
            for binder in self._read(part, unit, name, until):
                part.in_calls.setdefault(until, set()).add(binder)
                self._keep(part, binder, until)
        for name in sorted(unit.names.annotations):
            for binder in find_reaching(part.code_file, name, until):
                self._keep_annotation(part, unit, name, binder, until)
        for name in unit.names.binds:
            for change in self._changes(part, at, name, until):
                part.before.setdefault(until, set()).add(change)
                self._keep(part, change, until)

    def _keep_annotation(self, part: Part, unit: Unit, name: str, binder: int, until: int) -> None:
        """Keep what an annotation names, where more than a reader needs it: a class that holds values."""
        node = part.code_file.units[binder].node
        if is_installed_import(node) or holds_values(node):
            self._keep(part, binder, until)
        elif isinstance(node, IMPORTS) and is_called_a_configuration(name):
            self._keep(part, binder, until)
            self._follow_import(part, binder, name, unit)

    def _changes(self, part: Part, at: int, name: str, until: int) -> Iterator[int]:
        """The units before `until` that change what unit `at` has bound to `name`."""
        changers = part.code_file.changers.get(name, [])
        for change in changers[bisect_right(changers, at) : bisect_left(changers, until)]:
            binders = find_reaching(part.code_file, name, change)
            self._work += len(binders)
            if at in binders:
                yield change
            elif binders and binders[-1] > at and not part.code_file.units[change].within:
                break  # another unit has certainly bound the name anew by now

    def _read(self, part: Part, unit: Unit, name: str, at: int) -> list[int]:
        binders = find_reaching(part.code_file, name, at, called=name in unit.names.calls)
        self._work += len(binders)
        for index in binders:
            self._follow_import(part, index, name, unit)
        return binders

    def _keep_headers(self, part: Part, unit: Unit, until: int) -> None:
        """Keep the headers of the blocks around a unit, and the body of a loop that computes something."""
        for step in unit.within:
            header = part.code_file.units[step.header]
            if can_drop(header, unit) and not _reads_previous_round(part.code_file, header, unit):
                continue
            self._keep(part, header.index, until)
            if isinstance(header.node, ast.Try):
                for other in _find_deciding(part.code_file, header, unit):
                    self._keep(part, other.index, until)
            key = (part.module.name, header.index, until)
            if isinstance(header.node, LOOPS) and key not in self._whole_loops:
                self._whole_loops.add(key)
                for other in _inside(part.code_file, header):
                    if not self._inert(part, other):
                        self._keep(part, other.index, until)

    def _inert(self, part: Part, unit: Unit) -> bool:
        if isinstance(unit.node, ast.Delete | ast.Expr):
            return not any(contains(part.code_file.changers.get(n, []), unit.index) for n in unit.names.eager)
        return False

    def _import(self, part: Part, unit: Unit, node: Import) -> None:
        """Add the handed-in modules that an import statement names, wherever it stands."""
        modules = self.program.modules
        inside_function = unit.node is not node  # then uses of the name are not tracked
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                source = self._source(part, node, alias.name)
                if source is None:
                    continue
                self._part(source)
                if alias.name != "*":
                    self._want(source, alias.name, everything=inside_function)
            return
        for alias in node.names:
            siblings = [find_module(modules, part.module, name) for name in _prefixes(alias.name)]
            siblings[-1] = siblings[-1] or self._module(part, alias.name)
            for module in filter(None, siblings):
                self._part(module)
            if siblings[-1] and inside_function:
                self._want_all(siblings[-1])

    def _follow_import(self, part: Part, at: int, name: str, reader: Unit) -> None:
        """Where unit `at` is an import, keep what `reader` uses of the imported module under `name`."""
        unit = part.code_file.units[at]
        if not isinstance(unit.node, IMPORTS):
            return
        modules = self.program.modules
        if isinstance(unit.node, ast.ImportFrom):
            for alias in unit.node.names:
                source = self._source(part, unit.node, alias.name)
                if source is None:
                    continue
                if alias.name == "*" and name not in unit.names.binds:
                    self._want(source, name)
                inner = find_submodule(modules, source, alias.name)
                if inner and name == (alias.asname or alias.name):
                    self._want_attributes(inner, name, 0, reader)
            return
        for alias in unit.node.names:
            inner = self._module(part, alias.name)
            if inner and name == (alias.asname or alias.name.split(".")[0]):
                self._want_attributes(inner, name, 0 if alias.asname else alias.name.count("."), reader)

    def _source(self, part: Part, node: ast.ImportFrom, name: str) -> LocalModule | None:
        source = resolve(self.program.code_files, self.program.modules, part.module, node, name)
        if source and (node.level or source.name != node.module):
            key = "." * node.level + (node.module or "")
            part.redirects.setdefault(key, {})[name] = source.name
        return source

    def _module(self, part: Part, name: str) -> LocalModule | None:
        return resolve_module(self.program.modules, part.module, name)

    def _want_attributes(self, module: LocalModule, name: str, depth: int, reader: Unit) -> None:
        for chain in reader.names.dotted.get(name, ()):
            if len(chain) > depth:
                self._want(module, chain[depth])
            else:
                self._want_all(module)

    def _want_all(self, module: LocalModule) -> None:
        for unit in self._part(module).code_file.definitions():
            for name in unit.names.binds:
                self._want(module, name)

    def _want(self, module: LocalModule, name: str, *, everything: bool = False) -> None:
        """Keep the units that give a name of a handed-in module its last value."""
        part = self._part(module)
        if (module.name, name) in self._asked:
            return
        self._asked.add((module.name, name))
        binders = find_reaching(part.code_file, name, part.code_file.end, called=True)
        for at in binders:
            self._keep(part, at, part.code_file.end)
            unit = part.code_file.units[at]
            if is_star(unit.node):
                self._follow_import(part, at, name, unit)
        inner = None if binders else find_submodule(self.program.modules, module, name)
        if inner:
            self._part(inner)
            if everything:
                self._want_all(inner)


def can_drop(header: Unit, unit: Unit) -> bool:
    """Whether a unit can run without the compound statement around it.

    A function defined in the body of a training loop must not make the loop run.
    """
    if is_main_guard(header.node):
        return True
    if not isinstance(header.node, (*LOOPS, *WITHS)):
        return False
    free = isinstance(unit.node, (*DEFINITIONS, *IMPORTS, ast.If, ast.Try, *WITHS))
    return free and not header.names.binds & (unit.names.eager | unit.names.deferred)


def _reads_previous_round(code_file: CodeFile, header: Unit, unit: Unit) -> bool:
    """Whether a unit in a loop reads, as a default value, a name that the loop binds further down."""
    if not isinstance(header.node, LOOPS):
        return False
    following = (other for other in _inside(code_file, header) if other.index > unit.index)
    return any(other.names.binds & unit.names.eager for other in following)


def _find_deciding(code_file: CodeFile, header: Unit, unit: Unit) -> list[Unit]:
    """The units of a `try` body that decide whether `unit` is reached: imports; for a flag, all before it."""
    value = unit.node.value if isinstance(unit.node, ast.Assign) else None
    flag = isinstance(value, ast.Constant) and isinstance(value.value, bool)
    kinds = (*IMPORTS, ast.Assign, ast.Expr) if flag else IMPORTS
    body = Step(header.index, "body")
    before = [other for other in _inside(code_file, header) if other.index < unit.index]
    return [other for other in before if other.within[-1] == body and isinstance(other.node, kinds)]


def _inside(code_file: CodeFile, header: Unit) -> Iterator[Unit]:
    following = iter(code_file.units[header.index + 1 :])
    return takewhile(lambda unit: any(step.header == header.index for step in unit.within), following)


def _prefixes(name: str) -> list[str]:
    parts = name.split(
        ".", DEEPEST + 1
    )  # the last part may still have dots, and is then not the name of a module
    return [".".join(parts[: end + 1]) for end in range(len(parts))]
