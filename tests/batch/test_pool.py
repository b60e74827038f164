"""Processes of our own: whatever happens in one, the others' work comes back once and whole."""

import os
import signal
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graders.batch.process_pool import WorkerDied, spread
from tests.support.processes import alive


@settings(max_examples=8)
@given(st.lists(st.booleans(), max_size=8), st.integers(1, 4))
@pytest.mark.slow
def test_those_that_end_their_process_cost_nobody_else_anything(deadly: list[bool], jobs: int):
    def work(number: int) -> int:
        if deadly[number]:
            os._exit(7)
        return number * number

    came = dict(spread(range(len(deadly)), work, jobs))
    assert sorted(came) == list(range(len(deadly)))
    for number, answer in came.items():
        if deadly[number]:
            assert isinstance(answer, WorkerDied)
            assert "status 7" in str(answer)
        else:
            assert answer == number * number


def test_work_in_other_processes_goes_on_while_one_dies(tmp_path: Path):
    def work(name: str) -> str:
        with (tmp_path / name).open("a", encoding="utf-8") as file:
            file.write("begun\n")
        if name == "deadly":
            os.kill(os.getpid(), signal.SIGKILL)
        deadline = time.monotonic() + 10
        while not (tmp_path / "told").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        return name

    came = {}
    for name, answer in spread(["slow", "deadly"], work, 2):
        came[name] = answer
        if name == "deadly":
            (tmp_path / "told").touch()
    assert list(came) == ["deadly", "slow"]
    assert "SIGKILL" in str(came["deadly"])
    assert came["slow"] == "slow"
    assert (tmp_path / "slow").read_text(encoding="utf-8") == "begun\n"


def test_a_process_that_hangs_is_ended(monkeypatch):
    monkeypatch.setattr("graders.batch.process_pool.TICK_S", 0.05)
    [(_, came)] = spread([1], lambda _: time.sleep(60), 1, patience=0.3)
    assert isinstance(came, WorkerDied)
    assert "more than" in str(came)


def test_a_process_that_is_slow_since_the_machine_is_full_is_not_ended(monkeypatch):
    monkeypatch.setattr("graders.batch.process_pool.TICK_S", 0.05)
    monkeypatch.setattr("graders.sandbox.own_time.crowding", lambda: 40.0)
    assert list(spread([1], lambda _: time.sleep(1.0), 1, patience=0.3)) == [(1, None)]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), ValueError("no")], ids=repr)
def test_what_the_work_raises_is_raised_here_and_ends_the_others(error: Exception):
    def work(number: int) -> None:
        if number:
            time.sleep(60)
        raise error

    began = time.monotonic()
    with pytest.raises(type(error), match=str(error.args[-1])):
        list(spread([0, 1], work, 2))
    assert time.monotonic() - began < 10


def test_what_cannot_begin_is_raised_here():
    def begin() -> None:
        raise ZeroDivisionError("no box")

    with pytest.raises(ZeroDivisionError, match="no box"):
        list(spread([1, 2], abs, 2, begin))


def test_an_answer_that_cannot_cross_costs_its_item_alone(capfd):
    came = dict(spread([0, 1], lambda number: (lambda: 0) if number else 0, 1))
    assert came[0] == 0
    assert isinstance(came[1], WorkerDied)


def test_nothing_is_left_open_or_running():
    def descriptors() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    before = descriptors()
    seen = {answer for _, answer in spread(range(20), lambda _: os.getpid(), 3)}
    stopped = spread(range(20), lambda _: os.getpid(), 3)
    seen.add(next(stopped)[1])
    stopped.close()
    assert descriptors() == before
    assert not any(alive(pid) for pid in seen)


def test_a_process_ends_though_it_was_told_to_in_a_callback_that_ignores_exceptions(tmp_path: Path, capfd):
    class Slow:
        def __del__(self) -> None:
            (tmp_path / "in its callback").touch()
            time.sleep(0.5)

    def work(name: str) -> None:
        if name == "ends the run":
            while not (tmp_path / "in its callback").exists():
                time.sleep(0.01)
            raise ValueError
        Slow()
        time.sleep(5)
        (tmp_path / "went on").touch()

    with pytest.raises(ValueError):
        list(spread(["has a callback", "ends the run"], work, 2))
    assert not (tmp_path / "went on").exists()
    assert "Traceback" not in capfd.readouterr().err
