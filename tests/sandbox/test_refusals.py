"""Honest code that cannot work in the box is told so by name, and every limit by its number."""

import textwrap
from dataclasses import replace
from pathlib import Path

import pytest

from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.limit import Limit
from graders.results.result import ExerciseResult, Outcome
from graders.sandbox.box import Box
from graders.sandbox.denied import explain_denial
from graders.sandbox.limits import Limits

# Small, so that each is soon reached.
LIMITS = Limits(
    call_s=8.0,
    memory_bytes=256 << 20,
    processes=16,
    open_files=32,
    file_bytes=1 << 20,
    scratch_bytes=4 << 20,
    scratch_files=50,
    output_bytes=1 << 20,
    reply_bytes=8 << 20,
)

REFUSED = {
    "DataLoader workers": (
        """
        from torch.utils.data import DataLoader
        def concat_heads(x):
            list(DataLoader(list(range(4)), num_workers=2))
        """,
        "num_workers=0",
    ),
    "multiprocessing": (
        """
        import multiprocessing
        def concat_heads(x):
            with multiprocessing.Pool(2) as pool:
                pool.map(abs, [1])
        """,
        "multiprocessing cannot work",
    ),
    "a process pool": (
        """
        from concurrent.futures import ProcessPoolExecutor
        def concat_heads(x):
            with ProcessPoolExecutor(2) as pool:
                list(pool.map(abs, [1]))
        """,
        "multiprocessing cannot work",
    ),
    "subprocess": (
        """
        import subprocess
        def concat_heads(x):
            subprocess.run(["pip", "install", "einops"])
        """,
        "subprocess cannot work",
    ),
    "fork": ("import os\ndef concat_heads(x):\n    os.fork()", "no processes, no programs and no network"),
    "sockets": (
        """
        import socket
        def concat_heads(x):
            socket.create_connection(("127.0.0.1", 80))
        """,
        "there is no network in the box",
    ),
    "a download": (
        """
        import torch
        W = torch.hub.load_state_dict_from_url("https://example.org/w.pt")
        def concat_heads(x):
            return x * W
        """,
        "there is no network in the box",
    ),
    "a data file": ("def concat_heads(x):\n    open('data.csv')", "only the code is in the box"),
    "a file elsewhere": ("def concat_heads(x):\n    open('/etc/x', 'w')", "only /tmp may be written to"),
    "shared memory": ("def concat_heads(x):\n    return x.share_memory_()", "the box has no shared memory"),
    "threads": (
        """
        import threading, time
        def concat_heads(x):
            for _ in range(99):
                threading.Thread(target=time.sleep, args=(9,), daemon=True).start()
        """,
        "at most 16 threads and processes",
    ),
    "open files": (
        "def concat_heads(x):\n    return [open(f'/tmp/{i}', 'w') for i in range(40)]",
        "at most 32 files may be open",
    ),
    "many files": (
        "def concat_heads(x):\n    for i in range(99):\n        open(f'/tmp/{i}', 'w').close()",
        "at most 50 files of 4 MB in all",
    ),
    "a large file": (
        "def concat_heads(x):\n    open('/tmp/x', 'wb').write(bytes(3 << 20))",
        "a file may have at most 1 MB",
    ),
    "full scratch": (
        """
        def concat_heads(x):
            for i in range(9):
                with open(f"/tmp/{i}", "wb") as file:
                    file.write(bytes(1 << 20))
        """,
        "at most 50 files of 4 MB in all",
    ),
    "too large an answer": (
        "import torch\ndef concat_heads(x):\n    return torch.ones(3 << 20)",
        "the answer is too large: its tensors have too many bytes (an answer may have at most 8 MB)",
    ),
}


LIMIT = {
    "DataLoader workers": Limit.PROCESSES,
    "multiprocessing": Limit.PROCESSES,
    "a process pool": Limit.PROCESSES,
    "subprocess": Limit.PROCESSES,
    "fork": Limit.PROCESSES,
    "sockets": Limit.NETWORK,
    "a download": Limit.NETWORK,
    "a data file": Limit.FILES,
    "a file elsewhere": Limit.FILES,
    "shared memory": Limit.SHARED_MEMORY,
    "threads": Limit.PROCESSES,
    "open files": Limit.FILES,
    "many files": Limit.FILES,
    "a large file": Limit.FILES,
    "full scratch": Limit.FILES,
    "too large an answer": Limit.ANSWER_SIZE,
}


@pytest.fixture(scope="module")
def grader(assignment, level):
    [exercise] = assignment.only(["concat_heads"]).exercises
    few = replace(assignment, exercises=(replace(exercise, checks=exercise.checks[:1]),))
    with Box(level, LIMITS) as box:
        yield Grader(few, Draws(1), box)


def graded(grader: Grader, folder: Path, code: str) -> ExerciseResult:
    path = folder / "rendu.py"
    path.write_text(textwrap.dedent(code).strip() + "\n", encoding="utf-8")
    [result] = grader.grade(path, "rendu").exercises
    return result


@pytest.mark.parametrize("name", list(REFUSED))
def test_what_the_box_refuses_is_told_by_name(grader, tmp_path: Path, name: str):
    code, says = REFUSED[name]
    [finding] = graded(grader, tmp_path, code).findings
    assert finding.outcome is Outcome.RAISED
    assert says in finding.message
    assert finding.limit is LIMIT[name]


def test_memory_has_an_outcome_and_a_sentence_with_the_limit(grader, tmp_path: Path):
    code = "import torch\ndef concat_heads(x):\n    return torch.ones(1 << 30)"
    [finding] = graded(grader, tmp_path, code).findings
    assert finding.outcome is Outcome.OUT_OF_MEMORY
    assert "more memory than the 256 MB" in finding.message


def test_a_flood_of_text_is_told_with_the_limit(grader, tmp_path: Path):
    code = "def concat_heads(x):\n    while True:\n        print('x' * 1000)"
    [finding] = graded(grader, tmp_path, code).findings
    assert finding.outcome is Outcome.FAILED
    assert "printed more than 1 MB" in finding.message
    assert finding.limit is Limit.OUTPUT


def test_processor_time_is_told_with_the_limit(assignment, level, tmp_path: Path):
    code = "def concat_heads(x):\n    while True:\n        pass"
    [exercise] = assignment.only(["concat_heads"]).exercises
    few = replace(assignment, exercises=(replace(exercise, checks=exercise.checks[:1]),))
    with Box(level, Limits(call_s=60.0, cpu_s=1)) as box:
        [finding] = graded(Grader(few, Draws(1), box), tmp_path, code).findings
    assert finding.outcome is Outcome.TIMED_OUT
    assert "more processor time than it may use (1 s)" in finding.message
    assert finding.limit is Limit.TIME


WORKS = {
    "torch.compile": ("import torch\n@torch.compile", ""),
    "torch.save": ("import torch", "torch.save(x, '/tmp/x.pt')"),
    "tempfile": ("import tempfile", "tempfile.TemporaryFile().write(b'x')"),
    "a thread": ("import threading", "t = threading.Thread(target=print); t.start(); t.join()"),
    "DataLoader": ("from torch.utils.data import DataLoader", "list(DataLoader([1, 2]))"),
}


@pytest.mark.parametrize("name", list(WORKS))
def test_what_needs_no_more_than_the_box_has_works(grader, tmp_path: Path, name: str):
    before, first = WORKS[name]
    code = f"{before}\ndef concat_heads(x):\n    {first}\n    return x.transpose(1, 2).flatten(2)"
    assert graded(grader, tmp_path, code).outcome is Outcome.PASSED


def test_an_error_of_ones_own_is_told_as_it_is():
    assert explain_denial("ValueError: no", ["rendu.py"], Limits(), True) == ("ValueError: no", None)


def test_without_a_scratch_folder_nothing_may_be_written():
    error = "PermissionError: [Errno 13] Permission denied: '/tmp/x'"
    text, limit = explain_denial(error, [], Limits(), False)
    assert text.endswith("and nothing may be written to)")
    assert limit is Limit.FILES
