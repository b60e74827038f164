"""Whatever is killed in a cluster: every result is there, as one process gives it, and no process is left."""

import os
import signal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from graders.cli.main import main
from graders.cluster.certificates import make_certificates
from tests.support.clusters import (
    LoopbackCluster,
    Program,
    await_end_of,
    await_true,
    count_results,
    grade_words,
    hand_in,
    loopback_cluster,
    results,
    words_of,
)
from tests.support.processes import children_of

pytestmark = [pytest.mark.programs, pytest.mark.slow]
COUNT = 26


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def a_process(worker: Program, words: str) -> int:
    """The youngest process of a worker whose command line has these words."""
    found: list[int] = []

    def there() -> bool:
        found[:] = sorted(pid for pid in worker.look() if words in words_of(pid))
        return len(found) > 1

    await_true(there)
    return found[-1]


def a_slot(worker: Program) -> int:
    """The youngest fork of the process that grades; the oldest is the template of its boxes."""
    found: list[int] = []

    def there() -> bool:
        grading = [pid for pid in children_of(worker.process.pid) if "grading_process" in words_of(pid)]
        found[:] = [
            fork for pid in grading for fork in children_of(pid) if "grading_process" in words_of(fork)
        ]
        return len(found) > 1

    await_true(there)
    return max(found)


def graded_to(count: int, run: Program, out: Path) -> None:
    """Wait until a run has written so many results."""
    await_true(lambda: count_results(out) >= count or run.process.poll() is not None)
    assert run.process.poll() is None, run.says()


def test_kills_cost_no_result_and_leave_no_process(tmp_path: Path):
    hand_in(tmp_path / "in", COUNT)
    grade_here(tmp_path / "in", tmp_path / "one")  # first: what it draws and imports, later forks have
    make_certificates(tmp_path / "certificates")
    with loopback_cluster(tmp_path / "cluster", tmp_path / "certificates") as cluster:
        scheduler, worker = cluster.start_scheduler(), cluster.start_worker()
        kill_workers_and_interrupt(cluster, worker, tmp_path)
        kill_the_client_then_the_scheduler(cluster, scheduler, worker, tmp_path)
    by_cluster = results(tmp_path / "out")
    grade_here(tmp_path / "in", tmp_path / "out")  # what is left
    assert results(tmp_path / "out").items() >= by_cluster.items()
    assert len(results(tmp_path / "out")) == COUNT
    by_one = results(tmp_path / "one")
    differing = [name for name in by_cluster if by_cluster[name] != by_one[name]]
    # Whose box was killed may have lost it in the search for a smallest case: that case alone may be larger.
    assert len(differing) <= 1
    for name in differing:
        assert verdicts(by_cluster[name]) == verdicts(by_one[name])


def grade_here(handed_in: Path, out: Path) -> None:
    words = [str(word) for word in grade_words(handed_in, out)]
    assert CliRunner().invoke(main, words, catch_exceptions=False).exit_code == 1


def verdicts(result: dict[str, Any]) -> list[Any]:
    """The outcome and the points of each check."""
    findings = [finding for exercise in result["exercises"] for finding in exercise["findings"]]
    return [(finding["check"], finding["outcome"], finding["points"]) for finding in findings]


def kill_workers_and_interrupt(cluster: LoopbackCluster, survivor: Program, tmp_path: Path) -> None:
    victim = cluster.start_worker()
    run = cluster.grade_in_a_fork(tmp_path / "in", tmp_path / "out")
    graded_to(2, run, tmp_path / "out")
    kill(a_slot(survivor))
    graded_to(5, run, tmp_path / "out")
    kill(a_process(survivor, "bwrap"))
    graded_to(8, run, tmp_path / "out")
    victim.look()
    kill(victim.process.pid)
    graded_to(11, run, tmp_path / "out")
    run.look()
    os.kill(run.process.pid, signal.SIGINT)
    assert run.process.wait(60) == 3
    assert "interrupted, with " in run.says()
    victim.process.poll()
    await_end_of(run.seen | victim.seen)
    assert survivor.process.poll() is None


def kill_the_client_then_the_scheduler(
    cluster: LoopbackCluster, scheduler: Program, worker: Program, tmp_path: Path
) -> None:
    before = count_results(tmp_path / "out")
    assert 11 <= before < COUNT
    run = cluster.grade_in_a_fork(tmp_path / "in", tmp_path / "out")
    graded_to(before + 2, run, tmp_path / "out")
    run.look()
    kill(run.process.pid)
    run.process.wait()
    await_end_of(run.seen)
    assert worker.process.poll() is None
    before = count_results(tmp_path / "out")  # it may have written more until it was killed
    run = cluster.grade_in_a_fork(tmp_path / "in", tmp_path / "out")
    graded_to(before + 2, run, tmp_path / "out")
    for program in (scheduler, worker, run):
        program.look()
    kill(scheduler.process.pid)
    assert run.process.wait(60) == 3
    assert f"the scheduler at {cluster.address} has ended, with " in run.says()
    assert "the same command goes on from there" in run.says()
    assert before + 2 <= count_results(tmp_path / "out") < COUNT
    assert worker.process.wait(15) == 0
    for program in (scheduler, worker, run):
        program.process.poll()
        await_end_of(program.seen)
