"""The bounds on reading: too much time or memory gives a sentence, and the process is left unchanged."""

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from graders import grade
from graders.course.exercise import Assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import Outcome
from graders.sandbox.box import Box
from graders.submission import resource_bounds
from graders.submission.read import Unreadable
from graders.submission.resource_bounds import bound_resources

resource = pytest.importorskip("resource")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the bounds hold on Linux")

MUCH = 1 << 34


def state() -> tuple[object, ...]:
    """The state of the process that a bound changes for a while."""
    timer = signal.getitimer(signal.ITIMER_REAL)
    return signal.getsignal(signal.SIGALRM), timer, resource.getrlimit(resource.RLIMIT_DATA)


@pytest.fixture(autouse=True)
def process_is_unchanged() -> Iterator[None]:
    before = state()
    yield
    assert state() == before


def test_slow_reading_is_ended():
    started = time.monotonic()
    with pytest.raises(Unreadable, match="takes too long to read: hand in only"), bound_resources(0.2, MUCH):
        while True:
            pass
    assert time.monotonic() - started < 10


def test_waiting_is_ended_by_the_wall_clock():
    started = time.process_time()
    with pytest.raises(Unreadable, match="too long"), bound_resources(0.1, MUCH):
        time.sleep(60)
    assert time.process_time() - started < 10


def test_a_swallowed_exception_is_raised_again():
    swallowed = 0
    with pytest.raises(Unreadable, match="too long"), bound_resources(0.1, MUCH):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                swallowed += 1
                if swallowed == 3:
                    raise


def test_except_exception_does_not_catch_it():
    with pytest.raises(Unreadable, match="too long"), bound_resources(0.1, MUCH):
        while True:
            try:
                while True:
                    pass
            except Exception as error:
                raise AssertionError from error


class Slow:
    """A context manager whose end takes longer than the bound."""

    ended = False

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        until = time.process_time() + 0.5
        while time.process_time() < until:
            pass
        self.ended = True


def test_clean_up_is_not_interrupted():
    slow = Slow()
    with pytest.raises(Unreadable, match="too long"), bound_resources(0.1, MUCH):
        with slow:
            pass
        while True:
            pass
    assert slow.ended


def test_too_much_memory_is_refused():
    with (
        pytest.raises(Unreadable, match="takes too much memory to read: hand in only"),
        bound_resources(60, 50 << 20),
    ):
        [b"x" * 1_000_000 for _ in range(1_000)]
    assert len(b"x" * (100 << 20)) == 100 << 20, "afterwards there is as much as before"


def test_deep_nesting_is_refused():
    def deeper() -> None:
        deeper()

    with pytest.raises(Unreadable, match="nested too deeply"), bound_resources():
        deeper()


def test_a_system_error_counts_as_too_much_memory():
    with pytest.raises(Unreadable, match="too much memory"), bound_resources():
        raise SystemError("error return without exception set")


def test_other_exceptions_and_results_pass_through():
    with pytest.raises(KeyError), bound_resources():
        raise KeyError
    with bound_resources():
        pass


@pytest.mark.slow
def test_a_previous_timer_is_restored():
    level = []
    before = signal.signal(signal.SIGALRM, lambda *_: level.append(time.monotonic()))
    started = time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with bound_resources():
            time.sleep(0.6)
        assert level == []
        time.sleep(0.5)
        assert level and level[0] - started >= 0.6
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_an_existing_memory_limit_is_never_raised():
    limits = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (1 << 40, limits[1]))
    try:
        with bound_resources(size=1 << 50):
            assert resource.getrlimit(resource.RLIMIT_DATA)[0] == 1 << 40
        assert resource.getrlimit(resource.RLIMIT_DATA)[0] == 1 << 40
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, limits)


def test_in_another_thread_it_does_nothing():
    ended = []

    def read() -> None:
        before = state()
        with bound_resources(0.01, 0):
            ended.append(state() == before)
            time.sleep(0.1)
        ended.append(True)

    thread = threading.Thread(target=read)
    thread.start()
    thread.join()
    assert ended == [True, True]


# In its own process, since an alarm at a wrong moment would end the tests.
OFTEN = """
import ast, random, signal, time, warnings
from graders.submission import resource_bounds as bounds
from graders.submission.read import Unreadable

bounds.TICK_S = 0.0003
late, before, filters = 0, signal.getsignal(signal.SIGALRM), list(warnings.filters)
for _ in range(800):
    try:
        with bounds.bound_resources(random.random() * 0.0015 + 1e-6, 1 << 34):
            until = time.perf_counter() + random.random() * 0.003
            while time.perf_counter() < until:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    try:
                        ast.parse("(" * 150)
                    except SyntaxError:
                        pass
    except Unreadable:
        late += 1
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert warnings.filters == filters
assert late > 10, late
"""


@pytest.mark.programs
def test_an_alarm_at_any_moment_leaves_no_trace():
    done = subprocess.run(
        [sys.executable, "-c", OFTEN], cwd=Path(resource_bounds.__file__).parents[2], stderr=-1
    )
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.parametrize(
    ("seconds", "size", "message"), [(0.2, MUCH, "too long"), (60, 50 << 20, "too much memory")]
)
def test_a_submission_that_is_cut_short_is_unreadable(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    assignment: Assignment,
    box: Box,
    seconds: float,
    size: int,
    message: str,
):
    """If any step of reading takes too long, the student is told; softmark does not fail."""

    def endless(*_: object) -> None:
        kept = []
        while True:
            kept.append(b"x" * (1_000_000 if size < MUCH else 0))

    monkeypatch.setattr(grade, "bound_resources", lambda: bound_resources(seconds, size))
    monkeypatch.setattr(grade, "extract_by_names", endless)
    (tmp_path / "a.py").write_text("x = 1", encoding="utf-8")
    result = Grader(assignment, Draws(1), box).grade(tmp_path / "a.py", "somebody")
    assert {exercise.outcome for exercise in result.exercises} == {Outcome.UNREADABLE}
    assert message in (result.unreadable or "") and not result.remarks
