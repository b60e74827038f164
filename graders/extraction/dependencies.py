"""Which statements a symbol needs, in its own file and in the modules beside it.

A unit is followed together with a position: the moment until which what it makes must work. Names
that it reads when it runs are looked up where it stands, names that its functions read at that moment.
"""

import ast
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile

from graders.extraction.definition_index import Sheet, holds
from graders.extraction.local_imports import DEEPEST, Sibling, sibling, submodule
from graders.extraction.name_usage import IMPORTS, Import
from graders.extraction.program import Program
from graders.extraction.reaching_definitions import reach
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

WORK_LIMIT = 300_000  # look-ups; beyond, only the end of the file counts as a position


@dataclass
class Part:
    """What is kept of one module.

    `before[i]` must have run before unit i can; `soon[i]` is read inside functions that unit i calls.
    """

    module: Sibling
    sheet: Sheet
    kept: set[int] = field(default_factory=set)
    before: dict[int, set[int]] = field(default_factory=dict)
    soon: dict[int, set[int]] = field(default_factory=dict)


class Needs:
    """Collects what is needed, beginning at some units of one module and going on until nothing is new."""

    def __init__(self, program: Program, main: Sibling) -> None:
        self.program = program
        self.parts: dict[str, Part] = {}
        self._asked: set[tuple[str, str]] = set()
        self._seen: set[tuple[str, int, int]] = set()
        self._waiting: list[tuple[Part, int, int]] = []
        self._whole: set[tuple[str, int, int]] = set()
        self._work = 0
        self.main = self._part(main)

    def ask(self, symbol: str, units: list[int]) -> None:
        """Keep these units of the main module, which bind `symbol`, and all that they need."""
        for at in units:
            self._keep(self.main, at, self.main.sheet.end)
            self._arrive(self.main, at, symbol, self.main.sheet.units[at])
        while self._waiting:
            part, at, until = self._waiting.pop()
            if self._work > WORK_LIMIT and until != part.sheet.end:
                self._keep(part, at, part.sheet.end)
            else:
                self._follow(part, at, until)

    def _part(self, module: Sibling) -> Part:
        part = self.parts.get(module.name)
        if part is None:
            part = Part(module, self.program.sheets.get(module.path, Sheet(module.path, "module")))
            self.parts[module.name] = part
            for unit in part.sheet.units:
                # A star may supply any name, and hide any other, so it is never left out.
                if is_star(unit.node) or is_future(unit.node):
                    self._keep(part, unit.index, part.sheet.end)
        return part

    def _keep(self, part: Part, at: int, until: int) -> None:
        if self._work > WORK_LIMIT:
            until = part.sheet.end
        key = (part.module.name, at, until)
        if key not in self._seen and magic_call(part.sheet.units[at].node) is None:
            self._seen.add(key)
            self._work += 1
            self._waiting.append((part, at, until))

    def _follow(self, part: Part, at: int, until: int) -> None:
        unit = part.sheet.units[at]
        if at not in part.kept:
            part.kept.add(at)
            for node in unit.names.imports:
                self._import(part, unit, node)
        self._enclose(part, unit, until)
        for name in sorted(unit.names.eager):
            for binder in self._read(part, unit, name, at):
                part.before.setdefault(at, set()).add(binder)
                self._keep(part, binder, at)
                self._keep(part, binder, until)
        for name in sorted(unit.names.deferred):
            for binder in self._read(part, unit, name, until):
                part.soon.setdefault(until, set()).add(binder)
                self._keep(part, binder, until)
        for name in unit.names.binds:
            for change in self._changes(part, at, name, until):
                part.before.setdefault(until, set()).add(change)
                self._keep(part, change, until)

    def _changes(self, part: Part, at: int, name: str, until: int) -> Iterator[int]:
        """The units before `until` that change what unit `at` has bound to `name`."""
        changers = part.sheet.changers.get(name, [])
        for change in changers[bisect_right(changers, at) : bisect_left(changers, until)]:
            binders = reach(part.sheet, name, change)
            self._work += len(binders)
            if at in binders:
                yield change
            elif binders and binders[-1] > at and not part.sheet.units[change].within:
                break  # bound anew in between, whichever way the program went

    def _read(self, part: Part, unit: Unit, name: str, at: int) -> list[int]:
        binders = reach(part.sheet, name, at, called=name in unit.names.calls)
        self._work += len(binders)
        for index in binders:
            self._arrive(part, index, name, unit)
        return binders

    def _enclose(self, part: Part, unit: Unit, until: int) -> None:
        """Keep the headers around a unit, and the whole of a loop that computes something."""
        for step in unit.within:
            header = part.sheet.units[step.header]
            if droppable(header, unit):
                continue
            self._keep(part, header.index, until)
            if isinstance(header.node, ast.Try):
                for other in _deciding(part.sheet, header, unit):
                    self._keep(part, other.index, until)
            key = (part.module.name, header.index, until)
            if isinstance(header.node, LOOPS) and key not in self._whole:
                self._whole.add(key)
                for other in _inside(part.sheet, header):
                    if not self._inert(part, other):
                        self._keep(part, other.index, until)

    def _inert(self, part: Part, unit: Unit) -> bool:
        if isinstance(unit.node, ast.Delete | ast.Expr):
            return not any(holds(part.sheet.changers.get(n, []), unit.index) for n in unit.names.eager)
        return False

    def _import(self, part: Part, unit: Unit, node: Import) -> None:
        """Bring in the siblings that an import statement names, wherever it stands."""
        modules = self.program.modules
        inside_function = unit.node is not node  # where its uses are not looked for
        if isinstance(node, ast.ImportFrom):
            source = sibling(modules, part.module, node.module or "", node.level)
            for alias in node.names if source else ():
                assert source is not None
                self._part(source)
                if alias.name != "*":
                    self._want(source, alias.name, everything=inside_function)
            return
        for alias in node.names:
            siblings = [sibling(modules, part.module, name) for name in _prefixes(alias.name)]
            for module in filter(None, siblings):
                self._part(module)
            if siblings[-1] and inside_function:
                self._want_all(siblings[-1])

    def _arrive(self, part: Part, at: int, name: str, reader: Unit) -> None:
        """Bring in what `reader` takes from a sibling under a name that an import gave it."""
        unit = part.sheet.units[at]
        if not isinstance(unit.node, IMPORTS):
            return
        modules = self.program.modules
        if isinstance(unit.node, ast.ImportFrom):
            source = sibling(modules, part.module, unit.node.module or "", unit.node.level)
            for alias in unit.node.names if source else ():
                assert source is not None
                if alias.name == "*" and name not in unit.names.binds:
                    self._want(source, name)
                inner = submodule(modules, source, alias.name)
                if inner and name == (alias.asname or alias.name):
                    self._use(inner, name, 0, reader)
            return
        for alias in unit.node.names:
            inner = sibling(modules, part.module, alias.name)
            if inner and name == (alias.asname or alias.name.split(".")[0]):
                self._use(inner, name, 0 if alias.asname else alias.name.count("."), reader)

    def _use(self, module: Sibling, name: str, depth: int, reader: Unit) -> None:
        for chain in reader.names.dotted.get(name, ()):
            if len(chain) > depth:
                self._want(module, chain[depth])
            else:
                self._want_all(module)

    def _want_all(self, module: Sibling) -> None:
        for unit in self._part(module).sheet.definitions():
            for name in unit.names.binds:
                self._want(module, name)

    def _want(self, module: Sibling, name: str, *, everything: bool = False) -> None:
        """Keep what gives a sibling's name its last value."""
        part = self._part(module)
        if (module.name, name) in self._asked:
            return
        self._asked.add((module.name, name))
        binders = reach(part.sheet, name, part.sheet.end, called=True)
        for at in binders:
            self._keep(part, at, part.sheet.end)
            unit = part.sheet.units[at]
            if is_star(unit.node):
                self._arrive(part, at, name, unit)
        inner = None if binders else submodule(self.program.modules, module, name)
        if inner:
            self._part(inner)
            if everything:
                self._want_all(inner)


def droppable(header: Unit, unit: Unit) -> bool:
    """Whether a unit can do without the compound statement around it.

    A training loop with a function in its body must not run for the sake of the function.
    """
    if is_main_guard(header.node):
        return True
    if not isinstance(header.node, (*LOOPS, *WITHS)):
        return False
    free = isinstance(unit.node, (*DEFINITIONS, *IMPORTS, ast.If, ast.Try, *WITHS))
    return free and not header.names.binds & (unit.names.eager | unit.names.deferred)


def _deciding(sheet: Sheet, header: Unit, unit: Unit) -> list[Unit]:
    """What in a `try` decides whether `unit` is reached: imports; for a flag, all that stands before it."""
    value = unit.node.value if isinstance(unit.node, ast.Assign) else None
    flag = isinstance(value, ast.Constant) and isinstance(value.value, bool)
    kinds = (*IMPORTS, ast.Assign, ast.Expr) if flag else IMPORTS
    body = Step(header.index, "body")
    before = [other for other in _inside(sheet, header) if other.index < unit.index]
    return [other for other in before if other.within[-1] == body and isinstance(other.node, kinds)]


def _inside(sheet: Sheet, header: Unit) -> Iterator[Unit]:
    following = iter(sheet.units[header.index + 1 :])
    return takewhile(lambda unit: any(step.header == header.index for step in unit.within), following)


def _prefixes(name: str) -> list[str]:
    parts = name.split(".", DEEPEST + 1)  # what is left over in one piece is no module's name
    return [".".join(parts[: end + 1]) for end in range(len(parts))]
