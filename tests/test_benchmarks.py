"""The benchmarks run; what they measure is for idle machines and asserted nowhere."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("name", "says"), [("wall", "bare fork"), ("channel", "4 KB there and back"), ("class_page", "rendering")]
)
def test_a_benchmark_runs_and_prints_its_table(name: str, says: str):
    command = [sys.executable, "-m", f"tests.benchmarks.{name}", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert says in done.stdout
