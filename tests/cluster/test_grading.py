"""The process that grades for a run imports PyTorch once, and its boxes know nothing of it."""

from pathlib import Path

import pytest

from graders.batch import cache_key
from graders.batch.kept_course import text_to_keep
from graders.batch.part_record import digest_of
from graders.cluster import grading
from graders.cluster.grading import GradingProcess
from graders.cluster.machine_report import read_report
from graders.cluster.message import pack, unpack
from graders.cluster.packed_course import pack_course, unpack_course
from graders.cluster.packed_submission import pack_submission
from graders.cluster.run_settings import RunSettings
from graders.cluster.statuses import GRADED
from graders.course.exercise import load_assignment
from graders.course.open_course import open_course
from graders.locations import use_course
from graders.results.result import from_json
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits
from tests.cli.test_start import SEARCH
from tests.support.clusters import COURSE
from tests.support.own_course import write_own_course

pytestmark = pytest.mark.programs


@pytest.fixture
def run(tmp_path: Path) -> RunSettings:
    """A run of one exercise without a box, where code may read its own memory."""
    course = tmp_path / "course.toml"
    course.write_text(COURSE, encoding="utf-8")
    use_course(open_course(course))
    settings = cache_key.Settings(
        seed=1, device="cpu", dtype="None", limits=Limits(call_s=20.0), level=IsolationLevel.OPEN
    )
    key = digest_of(cache_key.facts_of_run(load_assignment("attention"), settings))
    return RunSettings(key=key, assignment="attention", corpus=None, course=COURSE, settings=settings)


def seen(run: RunSettings, folder: Path) -> set[str]:
    """The lines that code prints which looks through its memory."""
    path = folder / "answer.py"
    path.write_text(SEARCH, encoding="utf-8")
    process = GradingProcess(run.to_json(), unsafe=True)
    try:
        assert read_report(process.report()).problem == ""
        asked = pack({"name": path.name, "id": "someone"}, pack_submission(path))
        header, body = unpack(process.grade(asked))
    finally:
        process.close()
    assert header == {"status": GRADED}
    [exercise] = from_json(body.decode()).exercises
    return {line for finding in exercise.findings for line in (finding.output or "").splitlines()}


def test_a_box_holds_nothing_of_the_process_that_grades(run: RunSettings, tmp_path: Path, monkeypatch):
    monkeypatch.setenv("SOFTMARK_TEST", "kept-by-the-command")
    assert seen(run, tmp_path) == {"seen: box ."}


@pytest.mark.nightly
def test_where_pytorch_needs_the_workers_own_environment_it_grades_in_that(
    run: RunSettings, tmp_path: Path, monkeypatch
):
    (tmp_path / "without").mkdir()
    (tmp_path / "without/torch.py").write_text("raise ImportError('there is none here')\n", encoding="utf-8")
    bare = {**grading.ENVIRONMENT, "PYTHONPATH": str(tmp_path / "without")}
    monkeypatch.setattr(grading, "ENVIRONMENT", bare)
    monkeypatch.setenv("SOFTMARK_TEST", "kept-by-the-command")
    assert seen(run, tmp_path) == {"seen: box ."}


def test_a_worker_gets_a_course_of_ones_own_with_its_run(tmp_path: Path):
    folder = write_own_course(tmp_path / "my-course")
    use_course(open_course(folder))
    settings = cache_key.Settings(
        seed=1, device="cpu", dtype="None", limits=Limits(), level=IsolationLevel.OPEN
    )
    key = digest_of(cache_key.facts_of_run(load_assignment("tp1"), settings))
    run = RunSettings(
        key=key,
        assignment="tp1",
        corpus=None,
        course=text_to_keep(),
        settings=settings,
        course_files=pack_course(),
    )
    folder.rename(tmp_path / "gone")
    process = GradingProcess(run.to_json(), unsafe=True)
    try:
        report = read_report(process.report())
    finally:
        process.close()
    assert (report.problem, digest_of(report.facts)) == ("", key)


def test_files_of_a_course_are_written_nowhere_else(tmp_path: Path):
    for name in ("checks/../../x.py", "../checks/x.py", "/checks/x.py", "checks", "lib/x.py", "checks/.."):
        with pytest.raises(ValueError, match="is no file of a course"):
            unpack_course("[course]\n", {name: ""}, tmp_path / "worker")
