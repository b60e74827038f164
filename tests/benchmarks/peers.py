"""What nbgrader, otter-grader and softmark cost for the same notebook: CPU seconds of all processes.

    python3 -m venv /tmp/peers
    /tmp/peers/bin/pip install nbgrader otter-grader torch==2.13.0
    .venv/bin/python -m tests.benchmarks.peers /tmp/peers/bin COPIES [GRADER...]

The notebook is a right answer of the sample class, without its cells that need the network, draw a
picture or train for hours: only softmark leaves out what no exercise needs.
nbgrader and otter run it with a test cell for each of the eight exercises, 25 random draws each; softmark
runs all checks of these exercises, which are many more. Each grades one copy, then several; the cost of a
further copy is the difference. No two copies have the same bytes.
"""

import contextlib
import ctypes
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

SUBMISSION = Path(__file__).parents[1] / "handed_in/attention/alice.ipynb"
LEFT_OUT = ("pip install", "CamembertModel", "plt.", "%matplotlib", "AdamW")
PATIENCE_S = 300
SUBREAPER = 36  # prctl: processes whose parent has ended become ours, so that their time is counted
DRAWS = """
for seed in range(25):
    g = torch.Generator().manual_seed(seed)
    B, H, S, D = (int(torch.randint(1, 5, (1,), generator=g)) for _ in range(4))
    x, q, k, v = (torch.randn(B, H, S, D, generator=g) for _ in range(4))
    flat = x.transpose(1, 2).reshape(B, S, H * D)
"""
TESTS = {
    "split_heads": "    assert torch.equal(split_heads(flat, H), x)",
    "concat_heads": "    assert torch.equal(concat_heads(x), flat)",
    "scaled_dot_product_attention": """\
    due = torch.nn.functional.scaled_dot_product_attention(q, k, v)
    assert torch.allclose(scaled_dot_product_attention(q, k, v)[0], due, atol=1e-5)""",
    "causal_mask": "    assert causal_mask(S).shape[-1] == S",
    "feed_forward": "    assert FeedForward(H * D, 8)(flat).shape == flat.shape",
    "multi_head_attention": """\
    answer = MultiHeadAttention(H * D, H)(flat)
    assert (answer[0] if isinstance(answer, tuple) else answer).shape == flat.shape""",
    "transformer_block": "    assert TransformerBlock(H * D, H).eval()(flat).shape == flat.shape",
    "count_parameters": "    assert count_parameters(H * D, H, 8) > 0",
}


def main(peers: Path, copies: int, names: list[str]) -> None:
    """Print a line for each grader, or for those named."""
    ctypes.CDLL(None).prctl(SUBREAPER, 1)
    env = {**os.environ, "PATH": f"{peers}:{os.environ['PATH']}"}
    notebook = cut(nbformat.read(SUBMISSION, as_version=4))
    for name in names or GRADERS:
        with tempfile.TemporaryDirectory(prefix="softmark-peers-") as folder:
            one, several = (measure(name, Path(folder) / str(n), notebook, n, env) for n in (1, copies))
        more = (several - one) / (copies - 1)
        print(f"{name:18} one {one:6.1f} CPU s, each further {more:6.2f}", flush=True)  # noqa: T201


def measure(name: str, folder: Path, notebook: NotebookNode, count: int, env: dict[str, str]) -> float:
    """CPU seconds that a grader takes for so many copies of the notebook."""
    make, commands = GRADERS[name]
    folder.mkdir()
    make(folder, notebook, count, env)
    return cost(commands(folder, count), env)


def cut(notebook: NotebookNode) -> NotebookNode:
    """The notebook without cells that need the network, draw a picture or train for hours."""
    notebook.cells = [
        new_code_cell(cell.source, id=f"own{number}")
        for number, cell in enumerate(notebook.cells)
        if cell.cell_type == "code" and not any(word in cell.source for word in LEFT_OUT)
    ]
    return notebook


def write_copy(notebook: NotebookNode, number: int, path: Path) -> None:
    """Write a copy whose cells differ from those of all other copies by a comment."""
    copy = nbformat.from_dict(notebook)
    copy.cells = [
        new_code_cell(f"# copy {number}\n{cell.source}", id=cell.id, metadata=cell.metadata)
        for cell in notebook.cells
    ]
    nbformat.write(copy, path)


def cost(commands: list[list[Any]], env: dict[str, str]) -> float:
    """CPU seconds of commands and of all their processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for command in commands:
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=PATIENCE_S)
        if done.returncode not in (0, 1):
            raise SystemExit(f"{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    time.sleep(1)
    with contextlib.suppress(ChildProcessError):  # there is none left
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def make_nbgrader(folder: Path, notebook: NotebookNode, count: int, env: dict[str, str]) -> None:
    """A course with one assignment and so many students."""
    tested = nbformat.from_dict(notebook)
    tested.cells = [*notebook.cells]
    for number, code in enumerate(TESTS.values()):
        cell = new_code_cell(f"import torch\n{DRAWS}{code}", id=f"test{number}")
        cell.metadata.nbgrader = {
            "schema_version": 3,
            "grade": True,
            "grade_id": f"test{number}",
            "locked": True,
            "points": 1,
            "solution": False,
            "task": False,
        }
        tested.cells.append(cell)
    places = [folder / "source/tp", *(folder / f"submitted/s{n}/tp" for n in range(count))]
    for number, place in enumerate(places):
        place.mkdir(parents=True)
        write_copy(tested, number, place / "tp.ipynb")
    made = ["nbgrader", "generate_assignment", "tp", f"--course-dir={folder}"]
    subprocess.run(made, env=env, check=True, capture_output=True)


def run_nbgrader(folder: Path, _: int) -> list[list[Any]]:
    """The command that grades all students."""
    return [["nbgrader", "autograde", "tp", f"--course-dir={folder}"]]


def make_otter(folder: Path, notebook: NotebookNode, count: int, env: dict[str, str]) -> None:
    """Tests, the zip that otter makes of them, and so many notebooks."""
    (folder / "tests").mkdir()
    for number, code in enumerate(TESTS.values()):
        indented = "\n".join(
            f">>> {line}" if not line.startswith((" ", "\t")) else f"... {line}"
            for line in f"import torch\n{DRAWS.strip()}\n{code}".splitlines()
        )
        case = {"code": indented + "\n... \n", "hidden": False, "locked": False}
        suite = {
            "name": f"q{number}",
            "points": 1,
            "suites": [{"cases": [case], "scored": True, "setup": "", "teardown": "", "type": "doctest"}],
        }
        (folder / f"tests/q{number}.py").write_text(
            f"OK_FORMAT = True\n\ntest = {suite!r}\n", encoding="utf-8"
        )
    for number in range(count):
        write_copy(notebook, number, folder / f"s{number}.ipynb")
    made = ["otter", "generate", "-t", folder / "tests", "-o", folder / "autograder.zip"]
    subprocess.run(made, env=env, check=True, capture_output=True, cwd=folder)


def run_otter(folder: Path, count: int) -> list[list[Any]]:
    """A command for each notebook: `otter run` takes one."""
    zipped = folder / "autograder.zip"
    return [["otter", "run", "-a", zipped, "-o", folder, folder / f"s{n}.ipynb"] for n in range(count)]


def make_softmark(folder: Path, notebook: NotebookNode, count: int, _: dict[str, str]) -> None:
    """A class of so many notebooks."""
    (folder / "in").mkdir()
    for number in range(count):
        write_copy(notebook, number, folder / f"in/s{number}.ipynb")


def run_softmark(folder: Path, _: int, timing: str) -> list[list[Any]]:
    """The command that grades the class."""
    softmark = Path(sys.executable).with_name("softmark")
    return [[softmark, "grade", folder / "in", "--assignment", "attention", "--out", folder / "out", timing]]


# How each makes what it grades, and its commands.
GRADERS: dict[str, tuple[Callable[..., None], Callable[[Path, int], list[list[Any]]]]] = {
    "nbgrader": (make_nbgrader, run_nbgrader),
    "otter": (make_otter, run_otter),
    "softmark": (make_softmark, partial(run_softmark, timing="--no-timing")),
    "softmark, timing": (make_softmark, partial(run_softmark, timing="--timing")),
}


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute(), int(sys.argv[2]), sys.argv[3:])
