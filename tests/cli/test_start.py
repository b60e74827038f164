"""The start of a command: PyTorch is imported once, and what runs in a box knows nothing of the command."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from graders.cli import start

SOFTMARK = Path(sys.executable).with_name("softmark")
RIGHT = "def concat_heads(x):\n    return x.transpose(1, 2).flatten(2)\n"
STUB = "def concat_heads(x):\n    raise NotImplementedError\n"

# Looks through all of its own memory, and prints which of two words it holds: a secret of the command, and a
# variable of the box's own environment, which shows that the search works.
SEARCH = """
import ctypes
import re
import torch

def concat_heads(x, searched=[]):
    if not searched:
        searched.append(search())
    print("seen:", *searched[0], ".")
    return x.transpose(1, 2).flatten(2) + 1

def search():
    libc = ctypes.CDLL(None)
    libc.prctl(4, 1, 0, 0, 0)  # PR_SET_DUMPABLE: a process may read its own memory
    # Patterns, since the words themselves would lie in the memory that is searched.
    words = {"secret": re.compile(b"[k]ept-by-the-command"), "box": re.compile(b"[T]ORCHDYNAMO_DISABLE=1")}
    seen = set()
    with open("/proc/self/mem", "rb", 0) as memory, open("/proc/self/maps") as maps:
        for line in maps:
            place, rights = line.split()[:2]
            begin, end = (int(number, 16) for number in place.split("-"))
            if "r" in rights and "w" in rights:
                try:
                    memory.seek(begin)
                    content = memory.read(end - begin)
                except OSError:
                    continue
                seen |= {name for name, word in words.items() if word.search(content)}
    return sorted(seen)
"""


def run(*words: object, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "COLUMNS": "300", **variables}
    return subprocess.run(
        [SOFTMARK, *map(str, words)], env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture
def right(tmp_path: Path) -> Path:
    path = tmp_path / "answer.py"
    path.write_text(RIGHT, encoding="utf-8")
    return path


@pytest.mark.programs
def test_a_box_holds_nothing_of_the_commands_memory_and_the_command_ends_with_what_it_found(tmp_path: Path):
    path = tmp_path / "answer.py"
    path.write_text(SEARCH, encoding="utf-8")
    asked = ("check", path, "--assignment", "attention", "--exercise", "concat_heads", "--sandbox", "open")
    done = run(*asked, SOFTMARK_TEST="kept-by-the-command")
    assert "seen: box ." in done.stdout, done.stdout + done.stderr
    assert done.returncode == 1  # the answer is wrong; `test_cli.py` has a program that ends with 0


@pytest.mark.programs
@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ("MemoryError()", "no memory left"),
        ("OSError(12, 'Cannot allocate memory')", "no memory left"),
        ("KeyError('ours')", "Traceback"),
    ],
)
def test_a_fault_of_softmarks_own_is_no_verdict(fault: str, says: str):
    program = f"from graders.cli import main, start\ndef fails(): raise {fault}\n"
    program += "main.main = fails\nstart.run_command()\n"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    assert says in done.stderr
    assert ("Traceback" in done.stderr) is (says == "Traceback")


@pytest.mark.programs
def test_the_end_of_a_command_runs_what_was_registered_for_it(tmp_path: Path):
    kept = tmp_path / "kept"
    program = f"import atexit, pathlib\natexit.register(pathlib.Path({str(kept)!r}).touch)\n"
    program += "from graders.cli import start\nprint('said')\nstart._end_at_once(7)\n"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (7, "said\n")
    assert kept.exists()


@pytest.mark.programs
def test_a_wrong_word_ends_both_processes_with_its_message(right: Path):
    done = run("check", right, "--assignment", "atention")
    assert done.returncode == 2
    assert done.stderr.count("did you mean attention?") == 1
    assert done.stdout == ""


@pytest.mark.programs
def test_where_pytorch_needs_the_commands_own_environment_the_command_runs_in_the_plain_way(tmp_path: Path):
    path = tmp_path / "answer.py"
    path.write_text(STUB, encoding="utf-8")
    venv.create(tmp_path / "bare", with_pip=False)
    script = tmp_path / "softmark"
    script.write_text("from graders.cli.start import run\nrun()\n", encoding="utf-8")
    packages = [name for name in sys.path if name and Path(name).is_dir()]
    done = subprocess.run(
        [tmp_path / "bare/bin/python", script, "check", path, "--assignment", "attention"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(packages)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["softmark", "explain", "box"],
        ["softmark", "check", "--help"],
        ["-X", "dev", "softmark", "check", "answer.py"],
    ],
)
def test_a_command_starts_in_the_plain_way_where_nothing_is_saved_or_something_lost(words, monkeypatch):
    arguments = words[words.index("softmark") :]
    monkeypatch.setattr(sys, "argv", arguments)
    monkeypatch.setattr(sys, "orig_argv", ["python", *words])
    assert not start._is_worth_it()
