"""A program of its own for each submission, over pipes alone: what it answers, and how it is lost."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graders.results.result import Outcome
from graders.sandbox.box import Box
from graders.sandbox.isolation.environment import portable_environment
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits
from graders.sandbox.pipe_line import PipeLine
from graders.sandbox.process_lost import ProcessLost
from graders.sandbox.said_between import OutputSplitter
from tests.sandbox.test_box import call, loaded
from tests.support.processes import alive

WORD = "0123456789abcdef"
MANY = """
import os, sys, time, torch
def f(what, x=None):
    if what == "print":
        print("salut")
        os.write(2, b"brut\\0")
        return x
    if what == "where":
        return [os.getcwd(), sorted(os.listdir()), sys.stdin.read(), os.environ["PYTHONUTF8"]]
    if what == "work":
        end = time.process_time() + 0.3
        while time.process_time() < end:
            pass
    if what == "loop":
        while True:
            x = 1
    return torch.as_tensor(x) + 1
"""
LOOP = {line for line, text in enumerate(MANY.split("\n"), 1) if "while True" in text or "x = 1" in text}


@pytest.fixture(scope="module")
def programs() -> Iterator[Box]:
    with Box(IsolationLevel.PROCESS, Limits()) as box:
        yield box


@pytest.mark.programs
def test_a_program_answers_prints_and_is_told_where_it_loops(programs, monkeypatch):
    # As on a system where the kernel tells nothing of other processes.
    monkeypatch.setattr("graders.sandbox.pipe_line._kernel_times", lambda process: None)
    with loaded(programs, MANY) as child:
        large = torch.arange(3_000_000)
        assert torch.equal(call(child, "add", large, seconds=10.0).value, large + 1)
        assert call(child, "print", 3).value == 3
        assert child.take_printed() == "salut\nbrut\0"
        folder, files, typed, utf8 = call(child, "where").value
        assert (files, typed, utf8) == ([], "", "1")
        before = child.own.settle()
        call(child, "work", 1, seconds=10.0)
        assert 0.25 < child.own.settle() - before < 0.6
        with pytest.raises(ProcessLost) as caught:
            call(child, "loop", seconds=0.5)
    assert caught.value.outcome is Outcome.TIMED_OUT
    assert caught.value.frames[0][0] == "rendu.ipynb, cell 2"
    assert caught.value.frames[0][1] in LOOP
    assert child.pid is not None
    assert not alive(child.pid)
    assert not Path(folder).exists()


@pytest.mark.programs
@pytest.mark.parametrize(
    ("code", "outcome", "says"),
    [
        ("import os\ndef f(x):\n    os._exit(3)", Outcome.RAISED, r"ended the Python process.*status 3"),
        pytest.param(
            "def f(x):\n    while True:\n        print('x' * 1000)",
            Outcome.FAILED,
            "printed more than",
            marks=pytest.mark.nightly,
        ),
        pytest.param(
            "import sys, os\ndef f(x):\n    frame = sys._getframe()\n"
            "    while 'replies_to' not in frame.f_locals:\n        frame = frame.f_back\n"
            "    os.write(frame.f_locals['replies_to'], b'y' * 64)",
            Outcome.FAILED,
            "interfered",
            marks=pytest.mark.nightly,
        ),
    ],
)
def test_a_program_that_is_lost_says_how(programs, code, outcome, says):
    with loaded(programs, code) as child, pytest.raises(ProcessLost, match=says) as caught:
        call(child, 1, seconds=5.0)
    assert caught.value.outcome is outcome


def test_a_crash_of_windows_is_a_crash(monkeypatch):
    from graders.sandbox.process_lost import why_it_ended

    lost = why_it_ended({"exit": 0xC0000005}, Limits(), None)
    assert lost.outcome is Outcome.RAISED
    assert "crashed the Python process (0xC0000005)" in str(lost)


@given(st.lists(st.binary(max_size=40), max_size=4), st.data())
def test_what_is_said_is_told_from_what_is_printed_wherever_pieces_end(texts, data):
    sent, printed = b"", b""
    for number, text in enumerate(texts):
        text = text.replace(b"\0" + WORD.encode(), b"")
        sent += text + b"\0%s printed %d\n" % (WORD.encode(), number)
        printed += text
    between, events = OutputSplitter(WORD), []
    while sent:
        size = data.draw(st.integers(1, len(sent)))
        events += between.parse(sent[:size])
        sent = sent[size:]
    events += between.end()
    assert b"".join(value for kind, value in events if kind == "printed") == printed
    assert [value for kind, value in events if kind == "said"] == [{"printed": n} for n in range(len(texts))]


def test_a_program_finds_the_same_packages_and_gets_what_decides_answers_from_us():
    host = {
        "PATH": "/a",
        "PYTHONPATH": "/b",
        "SYSTEMROOT": "C:/W",
        "OMP_NUM_THREADS": "8",
        "TOKEN": "x",
    }
    given = portable_environment(host)
    assert {name: given.get(name) for name in host} == host | {"OMP_NUM_THREADS": "1", "TOKEN": None}


@pytest.mark.programs
def test_a_program_that_does_not_start_is_softmarks_fault(monkeypatch, tmp_path):
    from graders.sandbox import program
    from graders.sandbox.interpreter import BoxBroken

    (tmp_path / "start.py").write_text("raise ImportError('no torch here')\n", encoding="utf-8")
    monkeypatch.setattr(program, "WORKER", tmp_path)
    with Box(IsolationLevel.PROCESS) as box, pytest.raises(BoxBroken, match="no torch here"):
        box.fork()


@pytest.mark.programs
def test_a_program_ends_with_its_host(monkeypatch):
    from graders.sandbox.program import start_program

    started = start_program(Limits(), "cpu", ())
    line = PipeLine(started, Limits())
    assert line.await_ready(60.0) is None
    line._requests.put(None)
    line._threads[2].join()
    assert started.process.stdin is not None
    started.process.stdin.close()  # as the system does when the host has died
    until = time.monotonic() + 10
    while started.process.poll() is None and time.monotonic() < until:
        time.sleep(0.02)
    assert started.process.poll() == 0
    line.close()
