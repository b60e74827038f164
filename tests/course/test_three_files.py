"""An exercise is three files of one name and a line in course.toml: here one is added to a checkout."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from graders.locations import SOLUTIONS_VARIABLE

ROOT = Path(__file__).parents[2]
ASSIGNMENT = '''
# %%
def position_ids(batch, length):
    """Number the positions of every sequence.

    Returns:
        shape (B, S), int64: each row counts from 0.

    fr: Numérote les positions de chaque séquence.

    Returns:
        un tenseur de forme (B, S), int64 : chaque ligne compte à partir de 0.
    """
    raise NotImplementedError
'''
CHECKS = '''
"""position_ids(batch, length) -> (B, S)."""

from dataclasses import dataclass

import torch
from hypothesis import strategies as st

from graders.check_api.check import Candidate, check, same, shaped, tensor


@dataclass(frozen=True)
class Sizes:
    """How many sequences there are, and how long they are."""

    batch: int
    length: int

    @property
    def arguments(self) -> tuple[int, int]:
        """Those of a call."""
        return self.batch, self.length


def sizes() -> st.SearchStrategy[Sizes]:
    """Small ones."""
    return st.builds(Sizes, st.integers(1, 4), st.integers(1, 6))


def answer(draw: Sizes, reference: object) -> torch.Tensor:
    """The reference's."""
    return reference(*draw.arguments)


@check(points=1, given=sizes(), shape_only=True)
def has_a_row_per_sequence(position_ids: Candidate, draw: Sizes) -> None:
    """the answer has shape (B, S)

    fr: la réponse est de forme (B, S)
    """
    shaped(tensor(position_ids(*draw.arguments)), draw.arguments)


@check(points=3, given=sizes(), answer=answer)
def counts_from_0(position_ids: Candidate, draw: Sizes, numbers: torch.Tensor) -> None:
    """each row counts from 0

    fr: chaque ligne compte à partir de 0
    """
    same(position_ids(*draw.arguments), numbers)


def diagnostic_draws(seed: int) -> list[Sizes]:
    """Draws of fixed sizes."""
    return [Sizes(2, 5), Sizes(3, 4), Sizes(1, 1)]
'''
SOLUTION = '''
import torch


def position_ids(batch, length):
    return torch.arange(length).expand(batch, length).clone()


def position_ids__from_one(batch, length):
    """The first position is 1, not 0. Look at where you begin to count.

    fr: La première position est 1 et non 0. Regardez où vous commencez à compter.
    """
    return position_ids(batch, length) + 1
'''
LINE = '{ name = "position_ids", title = "Positions", title_fr = "Les positions", points = 4 },'
RIGHT = "def position_ids(batch, length):\n    return torch.stack([torch.arange(length)] * batch)\n"
FROM_ONE = "def position_ids(batch, length):\n    return torch.arange(1, length + 1).repeat(batch, 1)\n"
CALL = "import sys; from graders.cli.main import main; main(sys.argv[1:])"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what a checkout needs, with one exercise more."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("graders", "reports", "assignments", "solutions"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "right"))
    for where, text in (("assignments", ASSIGNMENT), ("graders/checks", CHECKS), ("solutions", SOLUTION)):
        (folder / where / "position_ids.py").write_text(text.lstrip(), encoding="utf-8")
    course = folder / "assignments/course.toml"
    text = course.read_text(encoding="utf-8")
    course.write_text(text.replace("exercises = [\n", f"exercises = [\n    {LINE}\n", 1), encoding="utf-8")
    return folder


def environment_of(checkout: Path) -> dict[str, str]:
    """Ours, with the checkout's code and solutions, whatever another test of this process has named."""
    kept = {name: value for name, value in os.environ.items() if name != SOLUTIONS_VARIABLE}
    return kept | {"PYTHONPATH": str(checkout)}


@pytest.fixture
def check(checkout: Path, tmp_path: Path):
    def checked(code: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / "rendu.py").write_text(f"import torch\n\n\n{code}", encoding="utf-8")
        arguments = ["check", str(tmp_path / "rendu.py"), "--exercise", "position_ids", "--sandbox", "open"]
        return subprocess.run(
            [sys.executable, "-c", CALL, *arguments],
            cwd=checkout,
            env={**environment_of(checkout), "COLUMNS": "200"},
            capture_output=True,
            text=True,
            timeout=60,
        )

    return checked


def test_a_right_answer_to_the_new_exercise_passes(check):
    done = check(RIGHT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 / 4" in done.stdout


def test_a_wrong_answer_to_it_fails_with_the_new_mistakes_hint(check):
    done = check(FROM_ONE)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "each row counts from 0" in done.stdout
    assert "The first position is 1, not 0." in done.stdout
    assert "1 / 4" in done.stdout
