"""The benchmarks run; what they measure is for idle machines and asserted nowhere."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.programs


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("line", ("1", "concat_heads"), "right, the first time (alice.ipynb)"),
        ("wall", ("2",), "bare fork"),
        ("channel", ("2",), "4 KB there and back"),
        ("class_page", ("2",), "rendering"),
        ("timing", ("1", "0.1"), "planted 1.2"),
        ("mapping", ("1",), "proven"),
        ("plugin", ("1",), "checks listed (alice.ipynb)"),
        ("notebook", ("1", "concat_heads"), "concat_heads: wrong, warm"),
    ],
    ids=["line", "wall", "channel", "class_page", "timing", "mapping", "plugin", "notebook"],
)
@pytest.mark.slow
def test_a_benchmark_runs_and_prints_its_table(name: str, arguments: tuple[str, ...], says: str):
    command = [sys.executable, "-m", f"tests.benchmarks.{name}", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert says in done.stdout
