"""A worker that answers what no honest one would costs itself alone; one that differs is refused by name."""

from pathlib import Path

import pytest

from tests.support.clusters import hand_in, loopback_cluster, results

pytestmark = [pytest.mark.programs, pytest.mark.slow]
COUNT = 48
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
    hand_in(tmp_path / "in", COUNT)
    (tmp_path / "marks").mkdir()
    more = tmp_path / "packages/surplus-9.dist-info"
    more.mkdir(parents=True)
    (more / "METADATA").write_text("Metadata-Version: 2.1\nName: surplus\nVersion: 9\n", encoding="utf-8")
    with loopback_cluster(tmp_path / "cluster") as cluster:
        cluster.start_scheduler()
        hostile = cluster.start_python(
            "-m", "tests.cluster.hostile_workers", cluster.address, tmp_path / "marks"
        )
        hostile.await_line("all are at work")
        cluster.start_worker(environment={"PYTHONPATH": str(more.parent)})
        run = cluster.grade_in_a_fork(tmp_path / "in", tmp_path / "out")
        run.await_line(r"\(tcp://\S+\) grades, 1 at a time")  # by now the hostile ones have work
        run.await_line("surplus: 9 there, absent here")  # before an honest one can end the class
        cluster.start_worker()
        assert run.process.wait(200) == 1, run.says()
    for mark in (tmp_path / "marks").iterdir():  # Dask opens an error where it is raised
        assert b"hostile_workers" in mark.read_bytes(), mark
    said = run.says()
    for name, reason in REASONS.items():
        assert f"{name} (tcp://127.0.0.1:" in said
        assert any(line.startswith(f"{name} ") and reason in line for line in said.splitlines()), said
    found = results(tmp_path / "out")
    assert [found[name]["points"] for name in sorted(found)] == [
        0.2 if number % 3 == 2 else 2 for number in range(COUNT)
    ]
