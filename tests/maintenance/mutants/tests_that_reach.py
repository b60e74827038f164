"""Which test files run which blocks of our functions: asked once, and kept until a test file changes."""

import ast
import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate
from pathlib import Path

from tests.maintenance.mutants.changed_modules import ROOT, ChangeTree, import_changed
from tests.maintenance.mutants.changes import Place, first_line, is_block
from tests.maintenance.mutants.forks import run_in_copy
from tests.maintenance.mutants.quick_tests import run_quick_tests

KEPT = ROOT / "build/mutants/reached.json"
PATIENCE_S = 300.0  # CPU seconds of a test file
# The folders whose tests run what a package decides, beside its own: a rule is to be proven near to it.
SEEN_BY = {
    "check_api": ("candidate", "course"),
    "diagnosis": ("answer_key",),
    "judging": ("answer_key", "notebook"),
}
MOST_S = (
    20.0  # CPU seconds of tests for one place: its own package's come first, then those that take less time
)
Block = tuple[str, list[ast.stmt]]  # with the name of the function around it
reached: set[str] = set()  # of this process: the blocks that ran, each `file::function::first line`


@dataclass(frozen=True)
class Reach:
    """What a test file runs, and the CPU seconds that it takes; of one without quick tests, nothing.

    `fails` is the test that fails without any change: such a file says nothing of a mutant, and is left out.
    """

    digest: str
    seconds: float
    blocks: list[str]
    fails: str = ""


class TestsThatReach:
    """Knows of each test file what it runs of some modules.

    Args:
        files: those of the modules, relative to the root.
        again: whether test files are asked that have not changed.
    """

    __test__ = False

    def __init__(self, files: Sequence[str], again: bool = False) -> None:
        self._files = files
        kept = {} if again or not KEPT.is_file() else json.loads(KEPT.read_text("utf-8"))
        self._reaches = {name: Reach(**reach) for name, reach in kept.items()}
        self._users = {file: [*_names_by_block(file)] for file in files}

    def ask(self, packages: Iterable[str]) -> int:
        """Run the test files near to these packages that are new or have changed; how many these are."""
        near = {folder for package in packages for folder in (package, *SEEN_BY.get(package, ()))}
        digests = {name: _digest(ROOT / name) for folder in sorted(near) for name in _test_files(folder)}
        new = [n for n, d in digests.items() if n not in self._reaches or self._reaches[n].digest != d]
        for name in new:
            ended = run_in_copy(lambda name=name: _run_with_probes(name, self._files), PATIENCE_S)
            blocks, fails = ended.value or ([], ended.error or "it was ended")
            self._reaches[name] = Reach(digests[name], ended.seconds, [] if fails else blocks, fails)
            _keep({name: reach for name, reach in self._reaches.items() if not reach.fails})
        return len(new)

    @property
    def failing(self) -> list[str]:
        """The first failing test of each file that fails as softmark stands."""
        return [reach.fails for reach in self._reaches.values() if reach.fails]

    def of(self, file: str, place: Place) -> list[str]:
        """The test files that run a place, those of its own package first, then those that take less time."""
        package = file.split("/")[1]
        names = self._running({f"{file}::{place.function}::{place.block}"} if place.block else set())
        if not names and place.block:
            names = self._running(self._blocks(f"{file}::{place.function}::"))
        if not place.block:
            names = self._running(self._blocks_that_name(_name_outside(place)))
        near = [name for name in names if name.split("/")[1] in (package, *SEEN_BY.get(package, ()))]
        in_order = sorted(near, key=lambda n: (n.split("/")[1] != package, self._reaches[n].seconds))
        until = accumulate(self._reaches[name].seconds for name in in_order)
        return [name for name, seconds in zip(in_order, until, strict=True) if seconds < MOST_S] or in_order[
            :1
        ]

    def seconds(self, tests: Iterable[str]) -> float:
        """What these test files take, one after another."""
        return sum(self._reaches[name].seconds for name in tests)

    def _running(self, blocks: set[str]) -> set[str]:
        return {name for name, reach in self._reaches.items() if blocks.intersection(reach.blocks)}

    def _blocks(self, prefix: str) -> set[str]:
        found = {block for reach in self._reaches.values() for block in reach.blocks}
        return {block for block in found if block.startswith(prefix)}

    def _blocks_that_name(self, name: str) -> set[str]:
        return {block for pairs in self._users.values() for block, names in pairs if name in names}


def _test_files(folder: str) -> list[str]:
    return sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "tests" / folder).glob("test_*.py"))


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def _keep(reaches: dict[str, Reach]) -> None:
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    KEPT.write_text(json.dumps({name: asdict(reach) for name, reach in reaches.items()}), "utf-8")


def _run_with_probes(test_file: str, files: Sequence[str]) -> tuple[list[str], str]:
    import_changed({file: _with_probes(file) for file in files})
    fails = run_quick_tests([test_file])
    return sorted(reached), fails or ""


def _with_probes(file: str) -> ChangeTree:
    """A tree in which each block of a function says that it is run."""

    def change(tree: ast.Module) -> None:
        for function, block in [*_blocks_of(tree)]:
            key = f"{file}::{function}::{first_line(block)}"
            code = f"__import__('sys').modules[{__name__!r}].reached.add({key!r})"
            first = 1 if isinstance(block[0], ast.Expr) and isinstance(block[0].value, ast.Constant) else 0
            block.insert(first, ast.parse(code).body[0])

    return change


def _blocks_of(
    node: ast.AST, function: str = "", within: bool = False
) -> Iterator[tuple[str, list[ast.stmt]]]:
    """The blocks of all functions, with their names."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        function, within = f"{function}.{node.name}".removeprefix("."), not isinstance(node, ast.ClassDef)
    for field, value in ast.iter_fields(node):
        if within and is_block(node, field):
            yield function, value
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _blocks_of(child, function, within)


def _names_by_block(file: str) -> Iterator[tuple[str, set[str]]]:
    """The blocks of a file, with all names in them."""
    for function, block in _blocks_of(ast.parse((ROOT / file).read_text("utf-8"))):
        nodes = [node for statement in block for node in ast.walk(statement)]
        names = {
            n.id if isinstance(n, ast.Name) else n.attr
            for n in nodes
            if isinstance(n, ast.Name | ast.Attribute)
        }
        yield f"{file}::{function}::{first_line(block)}", names


def _name_outside(place: Place) -> str:
    """The name by which functions use what stands outside of functions: a constant's, or its class's."""
    if place.function:
        return place.function.rpartition(".")[2]
    for node in ast.walk(place.shown):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            return node.id
    return ""
