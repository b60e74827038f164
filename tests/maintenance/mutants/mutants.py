"""Mutants: copies of softmark in which one small thing is changed, drawn by a seed and shown to the tests."""

import ast
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from tests.maintenance.mutants.changed_modules import ROOT, import_changed
from tests.maintenance.mutants.changes import Place, changes_of
from tests.maintenance.mutants.equivalent import read_equivalents
from tests.maintenance.mutants.forks import run_in_copy
from tests.maintenance.mutants.quick_tests import run_quick_tests
from tests.maintenance.mutants.tests_that_reach import TestsThatReach

IMPORTED_S = 20.0  # CPU seconds for imports and collecting, at most
TIMES_LONGER = 4  # a changed program that takes so much longer than its tests did never ends


@dataclass(frozen=True)
class Mutant:
    """A change of a file: the `number`-th of all that can be made to it."""

    file: str
    number: int
    place: Place
    change: str

    @property
    def function(self) -> str:
        """Where it is: the file and the qualified name of the function."""
        return f"{self.file}::{self.place.function}"

    @property
    def package(self) -> str:
        """The package of graders/ that it is in."""
        return self.file.split("/")[1]

    @property
    def line(self) -> int:
        """The line that is changed."""
        nodes = (self.place.node, self.place.shown)
        return next((node.lineno for node in nodes if hasattr(node, "lineno")), 1)

    @property
    def is_equivalent(self) -> bool:
        """Whether it is written down that nothing can see it."""
        return any(one.covers(self.function, self.change) for one in read_equivalents())

    def import_it(self) -> None:
        """From now on this process imports the changed module."""

        def change(tree: ast.Module) -> None:
            next(islice(changes_of(tree), self.number, None)).make()

        import_changed({self.file: change})


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant: by what it was seen, empty where nothing saw it; what was run."""

    mutant: Mutant
    seen_by: str
    tests: tuple[str, ...]
    seconds: float


def files_of(package: str) -> list[str]:
    """The modules of a package, relative to the root, without those below it."""
    paths = (ROOT / "graders" / package).glob("*.py")
    return sorted(path.relative_to(ROOT).as_posix() for path in paths if path.stem != "__init__")


def mutants_of(file: str) -> Iterator[Mutant]:
    """All mutants of a module."""
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    told = set()
    for number, change in enumerate(changes_of(tree)):
        mutant = Mutant(file, number, change.place, change.describe())
        if (key := (mutant.line, mutant.function, mutant.change)) not in told:  # `return False` is two places
            told.add(key)
            yield mutant


def draw(mutants: Sequence[Mutant], seed: str, count: int) -> list[Mutant]:
    """So many of them. What is changed elsewhere in softmark changes no other place that is drawn."""

    def chance(mutant: Mutant) -> str:
        return hashlib.sha256(f"{seed} {mutant.function} {mutant.change}".encode()).hexdigest()

    chosen = sorted((m for m in mutants if not m.is_equivalent), key=chance)[:count]
    return sorted(chosen, key=lambda mutant: (mutant.file, mutant.number))


def try_mutant(mutant: Mutant, reach: TestsThatReach) -> Verdict:
    """Run the quick tests that can see a mutant, until one fails or the program does not end."""
    tests = reach.of(mutant.file, mutant.place)
    if not tests:
        return Verdict(mutant, "", (), 0.0)

    def run() -> str | None:
        mutant.import_it()
        return run_quick_tests(tests)

    ended = run_in_copy(run, IMPORTED_S + TIMES_LONGER * reach.seconds(tests))
    seen_by = ended.value or ended.error.strip().rpartition("\n")[2] or (ended.signal and ended.signal.name)
    return Verdict(mutant, seen_by or "", tuple(tests), ended.seconds)
