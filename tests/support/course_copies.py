"""Copies of the tree for tests that change its files: with the whole course, or with one small exercise.

The small exercise is `running_total`: each number of a row plus all before it.
"""

import importlib
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

from graders.locations import SOLUTIONS_VARIABLE
from graders.sandbox.template import current_template

ROOT = Path(__file__).parents[2]
OURS = ("graders", "softmark_worker", "reports", "assignments", "solutions", "tests")
PATIENCE_S = 120.0
STUB = '''
# %% [markdown] lang="en"
# ## Running totals

# %% [markdown] lang="fr"
# ## Sommes cumulées

# %%
def running_total(x):
    """Add to each number of a row all before it: x has shape (B, S), and so has the answer.

    fr: Ajoute à chaque nombre d'une ligne tous ceux qui précèdent : x est de forme (B, S), la réponse aussi.
    """
    raise NotImplementedError
'''
CHECKS = '''
"""running_total(x) -> (B, S)."""

from dataclasses import dataclass

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.check import Candidate, check, same, shaped, tensor
from graders.check_api.options import Options


@dataclass(frozen=True)
class Rows:
    """Rows of integers."""

    x: Tensor

    @property
    def arguments(self) -> tuple[Tensor, ...]:
        """Those of a call."""
        return (self.x,)


@st.composite
def rows(draw: st.DrawFn) -> Rows:
    """Small ones."""
    return make_rows(draw(st.integers(2, 3)), draw(st.integers(3, 5)), draw(st.integers(0, 99)))


def make_rows(batch: int, length: int, seed: int) -> Rows:
    """Rows of a seed."""
    generator = torch.Generator().manual_seed(seed)
    return Rows(torch.randint(1, 100, (batch, length), generator=generator))


def answer(draw: Rows, reference: object) -> Tensor:
    """The reference's."""
    return reference(draw.x)


@check(points=1, given=rows(), shape_only=True, kept_because="it names a wrong shape")
def keeps_the_shape(running_total: Candidate, draw: Rows) -> None:
    """the answer has the shape of x

    fr: la réponse a la forme de x
    """
    shaped(tensor(running_total(draw.x)), tuple(draw.x.shape))


@check(points=4, given=rows(), answer=answer, core=True)
def adds_what_is_before(running_total: Candidate, draw: Rows, totals: Tensor) -> None:
    """each number is the sum up to its place

    fr: chaque nombre est la somme jusqu'à sa place
    """
    same(running_total(draw.x), totals)


@check(points=1, given=rows())
def adds_the_second(running_total: Candidate, draw: Rows) -> None:
    """the second number is the sum of the first two

    fr: le deuxième nombre est la somme des deux premiers
    """
    totals = tensor(running_total(draw.x))
    shaped(totals, tuple(draw.x.shape))
    same(totals[:, 1], draw.x[:, :2].sum(1))


@check(points=1, given=rows())
def ends_with_the_sum(running_total: Candidate, draw: Rows) -> None:
    """the last number is the sum of the row

    fr: le dernier nombre est la somme de la ligne
    """
    totals = tensor(running_total(draw.x))
    shaped(totals, tuple(draw.x.shape))
    same(totals[:, -1], draw.x.sum(1))


@check(points=1, given=rows())
def sums_each_row_alone(running_total: Candidate, draw: Rows) -> None:
    """each row is summed by itself

    fr: chaque ligne est sommée à part
    """
    totals = tensor(running_total(draw.x))
    shaped(totals, tuple(draw.x.shape))
    same(totals[:1], draw.x[:1].cumsum(1))


def diagnostic_draws(seed: int) -> list[Rows]:
    """Rows on which the mistakes differ."""
    return [make_rows(3, 4, seed % 1000 + n) for n in range(6)]


options = Options(diagnostic_draws=diagnostic_draws)
'''
SOLUTION = '''
import torch


def running_total(x):
    return x.cumsum(1)


def running_total__of_columns(x):
    """The columns are summed, not the rows. Look at the axis.

    fr: Les colonnes sont sommées, et non les lignes. Regardez l'axe.
    """
    return x.cumsum(0)


def running_total__without_itself(x):
    """Only what is before is summed, not the number itself.

    fr: Seuls les précédents sont sommés, sans le nombre lui-même.
    """
    return x.cumsum(1) - x


def running_total__from_the_end(x):
    """The sum begins at the end of the row.

    fr: La somme commence à la fin de la ligne.
    """
    return x.flip(1).cumsum(1).flip(1)


def running_total__product(x):
    """The numbers are multiplied, not added.

    fr: Les nombres sont multipliés et non additionnés.
    """
    return x.cumprod(1)


def running_total__of_all(x):
    """The sum goes on from one row to the next.

    fr: La somme continue d'une ligne à la suivante.
    """
    return x.flatten().cumsum(0).reshape(x.shape)
'''
RIGHT = {
    "cumsum": "x.cumsum(1)",
    "last_axis": "torch.cumsum(x, dim=-1)",
    "matrix": "x @ torch.ones(x.shape[1], x.shape[1], dtype=x.dtype).triu()",
    "stacked": "torch.stack([x[:, : n + 1].sum(1) for n in range(x.shape[1])], 1)",
    "transposed": "x.T.cumsum(0).T",
    "flipped": "x.sum(1, keepdim=True) - x.flip(1).cumsum(1).flip(1) + x",
}
ANSWER = "import torch\n\n\ndef running_total(x):\n    return {code}\n"
FILES = {
    "assignments/running_total.py": STUB,
    "graders/checks/running_total.py": CHECKS,
    "solutions/running_total.py": SOLUTION,
    **{
        f"solutions/right/running_total/{style}.py": ANSWER.format(code=code) for style, code in RIGHT.items()
    },
}


def copy_course(folder: Path) -> None:
    """A copy of what a checkout needs, with the whole course; right answers are left out."""
    ignore = shutil.ignore_patterns("right")  # caches are copied too: compiling all takes seconds
    for name in ("graders", "softmark_worker", "reports", "assignments", "solutions"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignore)


def copy_tree(folder: Path) -> None:
    """A copy of the tree that softmark runs from, without its checks, assignments and solutions."""
    ignore = shutil.ignore_patterns("checks")
    for name in ("graders", "softmark_worker", "reports"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignore)
    for name in ("graders/checks", "assignments", "solutions"):
        (folder / name).mkdir()
    for name in ("graders/checks", "assignments"):
        if (ROOT / name / "__init__.py").is_file():
            shutil.copy(ROOT / name / "__init__.py", folder / name)


def write_files(folder: Path, files: dict[str, str]) -> None:
    """Write texts under their names."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text.lstrip("\n"), encoding="utf-8")


def environment_of(folder: Path) -> dict[str, str]:
    """Ours, with a copy's code and solutions, whatever another test of this process has named."""
    inherited = {name: value for name, value in os.environ.items() if name != SOLUTIONS_VARIABLE}
    return inherited | {"PYTHONPATH": str(folder), "COLUMNS": "400", "SOFTMARK_LANG": "en"}


def softmark(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What the command in a copy of the tree says, with that copy's code, course and solutions."""
    return run_in_copy(folder, "from graders.cli.main import main\nmain()\n", *arguments)


def run_in_copy(folder: Path, code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What a program prints that runs in a copy of the tree, with that copy's code, course and solutions.

    It is a fork of this process, which has imported PyTorch: to import it takes longer than most commands.
    """
    with tempfile.TemporaryDirectory() as kept:
        said = [Path(kept) / name for name in ("out", "err")]
        process = multiprocessing.get_context("fork").Process(
            target=_run, args=(folder, code, arguments, said)
        )
        process.start()
        process.join(PATIENCE_S)
        if process.exitcode is None:
            process.kill()
        assert process.exitcode is not None, f"{' '.join(arguments)}: it does not end"
        texts = [path.read_text(encoding="utf-8") for path in said]
    return subprocess.CompletedProcess(arguments, process.exitcode, *texts)


def _run(folder: Path, code: str, arguments: tuple[str, ...], said: list[Path]) -> None:
    """Run as a program would: nothing of ours is imported yet, and nothing is patched."""
    for number, path in enumerate(said, 1):
        with path.open("wb") as file:
            os.dup2(file.fileno(), number)
    sys.stdout, sys.stderr = (os.fdopen(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))
    warnings.resetwarnings()
    os.chdir(folder)
    environment = environment_of(folder)
    os.environ.clear()
    os.environ.update(environment)
    kept_template = current_template()
    for name in list(sys.modules):
        if name.partition(".")[0] in OURS:
            del sys.modules[name]
    sys.path.insert(0, str(folder))
    sys.argv = ["softmark", *arguments]
    template = importlib.import_module("graders.sandbox.template")
    assert Path(str(template.__file__)).is_relative_to(folder)
    if kept_template is not None:
        template.use_template(template.Template(kept_template._control))
    try:
        exec(code, {"__name__": "__main__"})
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
