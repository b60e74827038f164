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

pytestmark = [pytest.mark.programs, pytest.mark.slow]
COUNT = 22


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


def graded_to(count: int, run: Program, out: Path) -> None:
    """Wait until a run has written so many results."""
    await_true(lambda: count_results(out) >= count or run.process.poll() is not None)
    assert run.process.poll() is None, run.says()


def test_kills_cost_no_result_and_leave_no_process(tmp_path: Path):
    hand_in(tmp_path / "in", COUNT)
    make_certificates(tmp_path / "certificates")
    with loopback_cluster(tmp_path / "cluster", tmp_path / "certificates") as cluster:
        kill_workers_then_the_scheduler(cluster, tmp_path)
        kill_the_client_and_go_on(cluster, tmp_path)
    words = [str(word) for word in grade_words(tmp_path / "in", tmp_path / "one")]
    assert CliRunner().invoke(main, [*words, "--jobs", "1"], catch_exceptions=False).exit_code == 1
    assert len(results(tmp_path / "out")) == COUNT
    by_cluster, by_one = results(tmp_path / "out"), results(tmp_path / "one")
    differing = [name for name in by_one if by_cluster[name] != by_one[name]]
    # Whose box was killed may have lost it in the search for a smallest case: that case alone may be larger.
    assert len(differing) <= 1
    for name in differing:
        assert verdicts(by_cluster[name]) == verdicts(by_one[name])


def verdicts(result: dict[str, Any]) -> list[Any]:
    """The outcome and the points of each check."""
    findings = [finding for exercise in result["exercises"] for finding in exercise["findings"]]
    return [(finding["check"], finding["outcome"], finding["points"]) for finding in findings]


def kill_workers_then_the_scheduler(cluster: LoopbackCluster, tmp_path: Path) -> None:
    scheduler = cluster.start_scheduler()
    survivor, victim = cluster.start_worker(), cluster.start_worker()
    run = cluster.grade(tmp_path / "in", tmp_path / "out")
    graded_to(2, run, tmp_path / "out")
    kill(a_process(survivor, "grading_process"))  # a slot
    graded_to(5, run, tmp_path / "out")
    kill(a_process(survivor, "bwrap"))
    graded_to(8, run, tmp_path / "out")
    victim.look()
    kill(victim.process.pid)
    graded_to(11, run, tmp_path / "out")
    for program in (scheduler, survivor, run):
        program.look()
    kill(scheduler.process.pid)
    assert run.process.wait(60) == 3
    assert f"the scheduler at {cluster.address} has ended, with " in run.says()
    assert "the same command goes on from there" in run.says()
    assert 11 <= count_results(tmp_path / "out") < COUNT
    assert survivor.process.wait(15) == 0
    for program in (scheduler, survivor, victim, run):
        program.process.poll()
        await_end_of(program.seen)


def kill_the_client_and_go_on(cluster: LoopbackCluster, tmp_path: Path) -> None:
    cluster.start_scheduler()
    worker = cluster.start_worker()
    before = count_results(tmp_path / "out")
    run = cluster.grade(tmp_path / "in", tmp_path / "out")
    graded_to(before + 2, run, tmp_path / "out")
    run.look()
    kill(run.process.pid)
    run.process.wait()
    await_end_of(run.seen)
    assert worker.process.poll() is None
    run = cluster.grade(tmp_path / "in", tmp_path / "out")
    graded_to(before + 4, run, tmp_path / "out")
    run.look()
    os.kill(run.process.pid, signal.SIGINT)
    assert run.process.wait(60) == 3
    assert "interrupted with " in run.says()
    await_end_of(run.seen)
    run = cluster.grade(tmp_path / "in", tmp_path / "out")
    assert run.process.wait(120) == 1, run.says()
