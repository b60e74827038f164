"""The state of a repository at a time: which commit it is, and its files, without running anything in it."""

import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graders.classroom.intake.git import Commit, last_commit, write_files
from tests.support.downloads import CODE, checkout, commit

pytestmark = pytest.mark.programs

DUE = datetime(2026, 11, 20, 22, 59, tzinfo=UTC)
IN_TIME, LATE = "2026-11-20T23:50:00+0100", "2026-11-23T10:00:00+0100"


def state(folder: Path, into: Path) -> dict[str, str]:
    """The files of the last commit in time."""
    found = last_commit(folder, DUE)
    assert found is not None and write_files(folder, found, into)
    return {path.relative_to(into).as_posix(): path.read_text() for path in into.rglob("*") if path.is_file()}


@pytest.mark.parametrize("packed", [False, True])
def test_the_last_commit_in_time_has_its_own_files(tmp_path: Path, packed: bool) -> None:
    folder = checkout(tmp_path / "a-b", "2026-11-19T10:00:00+0100", packed=packed)
    commit(folder, IN_TIME, {"answers.py": "x = 1\n", "notes/more.py": "y = 1\n", "README.md": "words"})
    commit(folder, LATE, {"answers.py": "x = 2\n", "late.py": ""})
    assert state(folder, tmp_path / "state") == {
        "answers.py": "x = 1\n",
        "notes/more.py": "y = 1\n",
        "README.md": "words",
    }


def test_a_commit_that_is_dated_back_does_not_come_before_a_late_one(tmp_path: Path) -> None:
    folder = checkout(tmp_path / "a-b", "2026-11-19T10:00:00+0100")
    commit(folder, LATE, {"answers.py": "x = 2\n"})
    commit(folder, IN_TIME, {"answers.py": "x = 3\n"})
    assert state(folder, tmp_path / "state")["answers.py"] == CODE


def test_there_may_be_no_commit_in_time(tmp_path: Path) -> None:
    assert last_commit(checkout(tmp_path / "a-b", LATE), DUE) is None
    (tmp_path / "c-d").mkdir()
    assert last_commit(tmp_path / "c-d", DUE) is None


def test_links_and_caches_are_not_written(tmp_path: Path) -> None:
    folder = checkout(tmp_path / "a-b", "2026-11-19T10:00:00+0100")
    (folder / "link.py").symlink_to("/etc/passwd")
    commit(folder, IN_TIME, {"__pycache__/x.py": "", "data.csv": "1"})
    assert [*state(folder, tmp_path / "state")] == ["answers.py"]


def test_a_clone_of_the_last_commits_alone_is_read(tmp_path: Path) -> None:
    folder = checkout(tmp_path / "a-b", "2026-11-18T10:00:00+0100")
    commit(folder, IN_TIME, {"answers.py": "x = 1\n"})
    commit(folder, LATE, {"answers.py": "x = 2\n"})
    clone = tmp_path / "clone-b"
    command = ["git", "clone", "-q", "--depth", "2", f"file://{folder}", str(clone)]
    subprocess.run(command, check=True, capture_output=True)
    assert state(clone, tmp_path / "state")["answers.py"] == "x = 1\n"


def test_objects_of_another_repository_are_not_read(tmp_path: Path) -> None:
    secret = checkout(tmp_path / "se-cret", IN_TIME)
    folder = checkout(tmp_path / "a-b", IN_TIME)
    found = last_commit(folder, DUE)
    (folder / ".git/objects/info/alternates").write_text(f"{secret}/.git/objects\n")
    assert isinstance(found, Commit)
    assert last_commit(folder, DUE) is None
    assert not write_files(folder, found, tmp_path / "state")
