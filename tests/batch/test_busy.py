"""A class gets the same results on a busy machine as on an idle one."""

import os
import shutil
from pathlib import Path

import pytest

from tests.benchmarks.busy import comparable, grade
from tests.benchmarks.line import HANDED_IN
from tests.support.busy_machine import busy_machine

# Right, and slow in one call.
CLASS = ("alice.ipynb", "slow.py")
SLOW = """
import time

started = []

def concat_heads(x):
    end = time.process_time() + 0.35 * (not started)
    started.append(1)
    while time.process_time() < end:
        pass
    return x.transpose(1, 2).flatten(2)

def split_heads(x, num_heads):
    B, S, E = x.shape
    while S > 2:
        pass
    return x.view(B, S, num_heads, E // num_heads).transpose(1, 2)
"""
# By the clock on the wall the slow call would be late beside other programs.
LIMITS = ("--limit", "call=0.6", "--limit", "later-call=0.5", "--jobs", "2")


@pytest.mark.programs
@pytest.mark.nightly
def test_a_class_gets_the_same_results_on_a_busy_machine(tmp_path: Path):
    folder = tmp_path / "class"
    folder.mkdir()
    for name in CLASS:
        if name == "slow.py":
            (folder / name).write_text(SLOW, encoding="utf-8")
        else:
            shutil.copy(HANDED_IN / name, folder / name)
    grade(folder, tmp_path / "idle", *LIMITS)
    with busy_machine(2 * (os.cpu_count() or 1)):
        grade(folder, tmp_path / "busy", *LIMITS)
    results = [[comparable(tmp_path / out, name.split(".")[0]) for name in CLASS] for out in ("idle", "busy")]
    assert results[0] == results[1]
