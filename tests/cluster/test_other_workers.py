"""A worker that answers what no honest one would costs itself alone; one that differs is refused by name."""

from pathlib import Path

import pytest

from tests.support.clusters import hand_in, loopback_cluster, results

pytestmark = [pytest.mark.programs, pytest.mark.slow]
COUNT = 24
REASONS = {
    "garbage": "its answer holds no result",
    "nothing": "its answer holds no result",
    "large": "its answer is no bytes, or too many",
    "another": "its answer is about 'another'",
    "points": "its answer gives impossible points",
    "object": "its answer is no bytes, or too many",
    "error": "its answer is no bytes, or too many",
    "warning": "its answer holds no result",
}


def test_other_workers_are_refused_by_name_and_open_no_pickle_here(tmp_path: Path):
    from tests.cluster import hostile_workers  # with Dask, which takes a second

    hand_in(tmp_path / "in", COUNT)
    (tmp_path / "marks").mkdir()
    with loopback_cluster(tmp_path / "cluster") as cluster:
        cluster.start_scheduler()
        hostile = cluster.fork(hostile_workers.work, cluster.address, tmp_path / "marks")
        hostile.await_line("all are at work")
        run = cluster.grade_in_a_fork(tmp_path / "in", tmp_path / "out")
        for name in REASONS:
            run.await_line(rf"{name} \(tcp://\S+\) grades, 1 at a time")  # and has work
        run.await_line("surplus: 9 there, absent here")
        cluster.start_worker()  # not before: it could end the class
        assert run.process.wait(200) == 1, run.says()
    for mark in (tmp_path / "marks").iterdir():  # Dask opens an error where it is raised
        assert mark.read_text() == str(hostile.process.pid), mark
    said = run.says()
    for name, reason in REASONS.items():
        assert f"{name} (tcp://127.0.0.1:" in said
        assert any(line.startswith(f"{name} ") and reason in line for line in said.splitlines()), said
    found = results(tmp_path / "out")
    assert [found[name]["points"] for name in sorted(found)] == [
        0.4 if number % 3 == 2 else 2 for number in range(COUNT)
    ]
