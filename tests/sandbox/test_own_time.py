"""Limits on time count what code takes on an idle machine: its work and its sleep, and no other program's."""

import contextlib
import itertools
import os
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from graders.course.exercise import load_assignment
from graders.results.result import Outcome
from graders.sandbox.box import Box
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits
from graders.sandbox.own_time import OwnTime, RequestTime
from graders.sandbox.process import StudentProcess
from graders.sandbox.process_lost import ProcessLost
from graders.sandbox.session import BoxSession
from graders.sandbox.socket_line import SocketLine
from tests.sandbox.test_box import EACH_LEVEL, NEW_EACH_TIME
from tests.support.busy_machine import busy_machine
from tests.support.submissions import source_of

pytestmark = pytest.mark.programs
BUSY = 2 * (os.cpu_count() or 1)  # processes that spin: code gets a third of a processor
WORKS = """
import time
def concat_heads(x):
    end = time.process_time() + x
    while time.process_time() < end:
        pass
"""
THREADS = """
import hashlib, threading
def work():
    hashlib.pbkdf2_hmac("sha256", b"a", b"b", 1_000_000_000)
def concat_heads(x):
    for _ in range(20):
        threading.Thread(target=work, daemon=True).start()
    work()
"""
NEVER_LOADED = "import time\ndef concat_heads(x=time.sleep(60)):\n    return x\n"
[JOIN] = load_assignment("attention").only(["concat_heads"]).exercises
SLEEPS = "import time\ndef concat_heads(x):\n    time.sleep(x)\n"


@contextlib.contextmanager
def session_of(box: Box, folder: Any, code: str, limits: Limits | None = None) -> Iterator[BoxSession]:
    with contextlib.ExitStack() as stack:
        if limits:
            box = stack.enter_context(Box(box.level, limits))
        session = stack.enter_context(BoxSession(box))
        session.open(source_of(folder, code, JOIN))
        yield session


def ask(session: BoxSession, x: float, seconds: float) -> Any:
    return session.ask("call", [None, [x], {}], seconds).value


def test_no_limit_depends_on_the_wall_clock(box: Box, tmp_path, monkeypatch):
    now, jumps = time.time, itertools.cycle((0.0, 3e9, -1e9, 86_400.0))  # seconds
    monkeypatch.setattr(time, "time", lambda: now() + next(jumps))
    monkeypatch.setattr(time, "time_ns", lambda: int(1e9 * time.time()))
    with session_of(box, tmp_path, SLEEPS) as session:
        assert ask(session, 0.05, 2.0) is None
        with pytest.raises(ProcessLost, match=r"no answer within 0\.2 s"):
            ask(session, 60.0, 0.2)


def child_of(session: BoxSession) -> StudentProcess:
    assert session.child is not None
    return session.child


def test_code_has_its_time_on_a_busy_machine_however_long_that_takes(box, tmp_path):
    with session_of(box, tmp_path, WORKS) as session, busy_machine(BUSY):
        before, started = session.spent(exactly=True), time.monotonic()
        ask(session, 0.15, 0.3)
        assert time.monotonic() - started > 0.3
        with pytest.raises(ProcessLost, match=r"no answer within 0\.3 s"):
            ask(session, 60.0, 0.3)
        assert 0.4 < session.spent(exactly=True) - before < 0.9


def test_sleep_counts_on_a_busy_machine_too(box, tmp_path):
    with session_of(box, tmp_path, SLEEPS) as session, busy_machine(BUSY):
        started = time.monotonic()
        with pytest.raises(ProcessLost, match="no answer within"):
            ask(session, 60.0, 0.2)
        assert time.monotonic() - started < 3.2


@EACH_LEVEL
def test_an_idle_machine_gives_no_more_than_the_limit(any_box, tmp_path):
    with session_of(any_box, tmp_path, SLEEPS) as session:
        started = session.spent(exactly=True)
        with pytest.raises(ProcessLost, match="no answer within"):
            ask(session, 60.0, 0.5)
        assert 0.4 < session.spent(exactly=True) - started < 1.6


def test_threads_that_wait_for_one_another_gain_no_time(box, tmp_path):
    with session_of(box, tmp_path, THREADS) as session:
        own = child_of(session).own
        before, work = own.settle(), own._worked
        with pytest.raises(ProcessLost, match="no answer within"):
            ask(session, 0.0, 0.6)
        assert own.at_most() - before > 0.5
        assert own.at_most() - before >= own._worked - work - 0.1


def test_what_lost_processes_took_counts_towards_the_time_of_the_submission(box, tmp_path):
    dies = "import os, time\ndef concat_heads(x):\n    time.sleep(x)\n    os._exit(3)\n"
    with session_of(box, tmp_path, dies, Limits(submission_s=1.0)) as session:
        for _ in range(2):
            with pytest.raises(ProcessLost, match="status 3"):
                ask(session, 0.4, 2.0)
        with pytest.raises(ProcessLost, match=r"the time for the whole submission \(1 s\) was used up"):
            ask(session, 0.4, 2.0)
        with pytest.raises(ProcessLost, match="was used up before this"):
            ask(session, 0.0, 2.0)


def test_large_answers_cost_what_the_host_takes_for_them(box, tmp_path):
    code = "import torch\ndef concat_heads(x):\n    return torch.ones(1 << 20)\n"
    with session_of(box, tmp_path, code) as session:
        child_of(session).seconds_per_byte = 1e-7
        before = session.spent(exactly=True)
        ask(session, 0.0, 2.0)
        assert session.spent(exactly=True) - before > 0.4


def test_a_block_of_requests_may_have_a_time_of_its_own(box, tmp_path):
    with session_of(box, tmp_path, SLEEPS) as session:
        with session.within(0.5, "the block is over"):
            ask(session, 0.3, 2.0)
            with pytest.raises(ProcessLost, match="the block is over") as caught:
                ask(session, 60.0, 2.0)
            assert caught.value.outcome is Outcome.TIMED_OUT
            with pytest.raises(ProcessLost, match="the block is over"):
                ask(session, 0.0, 2.0)
        ask(session, 0.0, 2.0)


def test_definitions_that_time_out_once_have_no_more_than_a_call_from_then_on(box, tmp_path):
    limits = Limits(load_s=1.0, call_s=0.3)
    took = []
    with Box(box.level, limits) as hurried, BoxSession(hurried) as session:
        for _ in range(2):
            before = session.spent(exactly=True)
            with pytest.raises(ProcessLost):
                session.open(source_of(tmp_path, NEVER_LOADED, JOIN))
            took.append(session.spent(exactly=True) - before)
    assert took[0] > 0.9
    assert took[1] < 0.8


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time on the wall, which the test sets; the host never waits for a processor."""
    now = [100.0]
    monkeypatch.setattr("graders.sandbox.own_time.time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr("graders.sandbox.own_time._schedstat", lambda *_: None)
    monkeypatch.setattr("os.getloadavg", lambda: (0.0, 0.0, 0.0))
    return now


def test_where_the_kernel_counts_no_waiting_work_counts_and_a_tenth_of_the_wall(clock, monkeypatch):
    report = {"worked": 0.0, "waited": None}
    own = OwnTime(lambda: report)
    own.begin()
    clock[0] += 5.0
    report["worked"] = 2.0
    assert own.settle() == 2.0
    clock[0] += 10.0
    assert own.settle() == 3.0
    monkeypatch.setattr("os.getloadavg", lambda: (4.0 * (os.cpu_count() or 1), 0.0, 0.0))
    clock[0] += 40.0
    assert own.settle() == 4.0


def test_waiting_is_taken_off_until_a_tenth_of_the_wall_is_left(clock):
    report = {"worked": 0.0, "waited": 0.0}
    own = OwnTime(lambda: report)
    own.begin()
    request = RequestTime(own, 1.0, 60.0)
    for seconds in (1.0, 2.0, 3.0, 3.0):
        assert not request.is_over()
        clock[0] += seconds
        report["waited"] += seconds
    clock[0] += 1.0
    report["waited"] += 1.0
    assert request.is_over()


def test_a_thread_that_has_ended_with_its_waiting_gives_nothing_back(clock):
    report = {"worked": 0.0, "waited": 5.0}
    own = OwnTime(lambda: report)
    own.settle()
    own.begin()
    clock[0] += 2.0
    report["waited"] = 1.0
    assert own.settle() == pytest.approx(2.0)


def test_an_interpreter_that_does_not_answer_makes_all_time_the_codes_own(clock):
    own = OwnTime(lambda: None)
    own.begin()
    clock[0] += 2.0
    own.end()
    clock[0] += 2.0
    assert own.at_most() == own.settle() == 2.0


def test_requests_in_time_send_no_message(box, tmp_path, monkeypatch):
    asked = []
    read = SocketLine.read_time
    monkeypatch.setattr(SocketLine, "read_time", lambda self: asked.append(1) or read(self))
    with session_of(box, tmp_path, SLEEPS) as session:
        for _ in range(20):
            ask(session, 0.0, 2.0)
    assert asked == []


# One with namespaces and one without at each push; it is read in the same way at the others.
KNOW_WAITING = (IsolationLevel.NESTED, IsolationLevel.REDUCED)


@pytest.mark.parametrize(
    "any_box",
    [
        pytest.param(level, marks=() if level in KNOW_WAITING else pytest.mark.nightly)
        for level in IsolationLevel
        if level not in NEW_EACH_TIME
    ],
    indirect=True,
)
def test_every_level_knows_the_waiting_of_its_processes(any_box, tmp_path):
    with session_of(any_box, tmp_path, WORKS) as session, busy_machine(BUSY):
        own = child_of(session).own
        ask(session, 0.2, 5.0)
        taken, clock = own.unsettled(), own.at_most()
        assert clock - own.settle() > 0.1 or taken < 0.3
        assert own._waited > 0.1 or taken < 0.3
