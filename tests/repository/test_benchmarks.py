"""The benchmarks run; what they measure is for idle machines and asserted nowhere."""

import contextlib
import multiprocessing
import runpy
import sys
import warnings
from pathlib import Path

import pytest
import torch

pytestmark = [pytest.mark.programs, pytest.mark.nightly]


def run_benchmark(name: str, arguments: tuple[str, ...], printed: Path) -> None:
    """As `python -m` does, but in a forked process: importing torch costs more than all else."""
    torch.set_num_threads(1)
    warnings.simplefilter("default")
    sys.argv = [name, *arguments]
    with printed.open("w", encoding="utf-8") as out, contextlib.redirect_stdout(out):
        runpy.run_module(f"tests.benchmarks.{name}", run_name="__main__", alter_sys=True)


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("line", ("1", "concat_heads"), "right, the first time (alice.ipynb)"),
        ("wall", ("2",), "bare fork"),
        ("channel", ("2",), "4 KB there and back"),
        ("class_page", ("2",), "rendering"),
        ("hundred_thousand", ("28",), "class page"),
        ("timing", ("1", "short"), "planted 1.2"),
        ("mapping", ("1",), "proven"),
        ("plugin", ("1",), "checks listed (alice.ipynb)"),
        ("notebook", ("1", "concat_heads"), "concat_heads: wrong, warm"),
    ],
    ids=[
        "line",
        "wall",
        "channel",
        "class_page",
        "hundred_thousand",
        "timing",
        "mapping",
        "plugin",
        "notebook",
    ],
)
@pytest.mark.slow
def test_a_benchmark_runs_and_prints_its_table(
    name: str, arguments: tuple[str, ...], says: str, tmp_path: Path
):
    printed = tmp_path / "table.txt"
    forking = multiprocessing.get_context("fork")
    process = forking.Process(target=run_benchmark, args=(name, arguments, printed))
    process.start()
    process.join()
    assert process.exitcode == 0
    assert says in printed.read_text(encoding="utf-8")
