"""On Colab: the first cell installs softmark from the zip that came along, and %check needs nothing else."""

import io
import json
import os
import subprocess
import sys
import types
import zipfile
from pathlib import Path

import nbformat
import pytest

from graders.course.exercise import load_assignment
from graders.handout.make_key import make_key
from graders.handout.platform_files import Bundle, Files
from graders.language import speaking
from tests.handout.test_handout import NAMED

ROOT = Path(__file__).parents[2]
WHEEL = "wheels/softmark-0.1.0+abc-py3-none-any.whl"


def files_of(language="en", **options) -> Files:
    with speaking(language):
        return Bundle(load_assignment("minigpt"), language, "colab", **options).files()


@pytest.fixture(scope="module")
def files() -> Files:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Bundle, "_wheels", {WHEEL: b"a wheel"})
        return files_of(answer_key=b"a key")


def first_cell(files: Files) -> str:
    return nbformat.reads(files["minigpt.ipynb"].decode(), as_version=4).cells[1].source


class Colab:
    """What the cell sees of Colab: files that are chosen, and commands that are run."""

    def __init__(self, patch: pytest.MonkeyPatch, packed: bytes) -> None:
        self.asked = 0
        self.commands: list[list[str]] = []
        self.packed = packed
        colab = types.ModuleType("google.colab")
        colab.files = self  # type: ignore[attr-defined]
        patch.setitem(sys.modules, "google", types.ModuleType("google"))
        patch.setitem(sys.modules, "google.colab", colab)
        patch.setattr(subprocess, "run", lambda command, check: self.commands.append(command))

    def upload(self) -> dict[str, bytes]:
        self.asked += 1
        Path("minigpt-colab (1).zip").write_bytes(self.packed)
        return {"minigpt-colab (1).zip": self.packed}


def test_the_zip_has_all_that_lies_beside_the_notebook(files: Files):
    assert set(files) == {"minigpt.ipynb", "minigpt-colab.zip", "README.md"}
    with zipfile.ZipFile(io.BytesIO(files["minigpt-colab.zip"])) as packed:
        assert set(packed.namelist()) == {WHEEL, "minigpt.key", "train.txt"}


def test_the_first_cell_asks_for_the_zip_once_and_installs_the_wheel_without_the_network(
    files: Files, tmp_path: Path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    colab = Colab(monkeypatch, files["minigpt-colab.zip"])
    for _ in range(2):
        exec(first_cell(files), {})
    assert colab.asked == 1
    assert {path.name for path in tmp_path.iterdir()} >= {"minigpt.key", "train.txt", "wheels"}
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", WHEEL]
    assert colab.commands == [pip, pip]


def test_the_first_cell_finds_the_zip_in_a_drive(files: Files, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (folder := tmp_path / "drive/MyDrive/course").mkdir(parents=True)
    (folder / "minigpt-colab.zip").write_bytes(files["minigpt-colab.zip"])
    colab = Colab(monkeypatch, b"")
    exec(first_cell(files), {})
    assert (colab.asked, len(colab.commands)) == (0, 1)


def test_elsewhere_the_first_cell_installs_nothing(files: Files, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "google.colab", None)
    monkeypatch.setattr(subprocess, "run", None)
    exec(first_cell(files), {})
    assert "This is not Colab" in capsys.readouterr().out


def test_softmark_may_come_from_elsewhere(tmp_path: Path):
    assert f'[*pip, "{NAMED}"]' in first_cell(files_of(softmark=NAMED))


# What Colab lacks: Hypothesis and msgspec. Its IPython cannot say what it calls a cell.
LIKE_COLAB = """
import importlib.util, json, os, sys
known = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "hypothesis" else known(name, *rest)
sys.modules["msgspec"] = None
from IPython.core.compilerop import CachingCompiler
from IPython.core.interactiveshell import InteractiveShell
CachingCompiler.format_code_name = None
shell = InteractiveShell.instance()
shell.run_cell("%load_ext graders", store_history=True)
said = []
def keep(output):
    said.append(output.text)
import graders.notebook.magic as magic
magic.display = keep
for cell in json.loads(sys.argv[1]):
    shell.run_cell(cell, store_history=True).raise_error()
print(json.dumps([said, "hypothesis" in sys.modules]), file=sys.stderr)
"""
STUB = "def concat_heads(x):\n    raise NotImplementedError"
WRONG = "def concat_heads(x):\n    b, h, s, d = x.shape\n    return x.reshape(b, s, h * d)"
RIGHT = "def concat_heads(x):\n    return x.transpose(1, 2).flatten(2)"


@pytest.mark.programs
def test_with_a_key_every_check_is_decided_without_what_colab_lacks(tmp_path: Path):
    key = make_key(load_assignment("attention").only(["concat_heads"]), 1)
    (tmp_path / "attention.key").write_bytes(key)
    cells = [line for code in (STUB, WRONG, RIGHT) for line in (code, "%check concat_heads")]
    environment = {"SOFTMARK_SOLUTIONS": str(tmp_path / "none"), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", LIKE_COLAB, json.dumps(cells)],
        cwd=tmp_path, env={**os.environ, **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (stub, wrong, right), left_behind = json.loads(done.stderr.strip().split("\n")[-1])
    assert "still as it was handed out" in stub
    assert "failed" in wrong.split("\n")[0]
    assert "undecided" not in wrong
    assert "passed" in right.split("\n")[0]
    assert not left_behind
