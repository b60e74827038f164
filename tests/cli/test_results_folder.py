"""Where results may be written: not among submissions, and only where a folder can be made."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from graders.batch.folder_lock import lock_folder
from graders.classroom.intake.take import take
from graders.cli.main import main
from graders.locations import SHIPPED_FILE
from graders.results.atomic_write import write_atomically
from graders.results.result import SubmissionInfo
from graders.results.store import write_result
from tests.reports import sample

NOTEBOOK = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
CODE = "def concat_heads(x):\n    return x.transpose(1, 2).flatten(2)\n"


@pytest.fixture
def handed_in(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    (folder / "alice").mkdir(parents=True)
    (folder / "alice/rendu.py").write_text(CODE, encoding="utf-8")
    return folder


def refusal(what: Path, out: Path) -> str:
    done = CliRunner().invoke(main, ["grade", str(what), "--assignment", "attention", "--out", str(out)])
    assert done.exit_code == 2, done.output
    return " ".join(done.output.split())


def test_results_are_not_written_to_the_submissions(handed_in: Path):
    assert "it is the folder of the submissions" in refusal(handed_in, handed_in)


def test_results_are_not_written_between_the_submissions(handed_in: Path):
    assert "it lies in the folder of the submissions" in refusal(handed_in, handed_in / "results")
    assert not (handed_in / "results").exists()


def test_results_are_not_written_to_a_folder_with_other_code(handed_in: Path, tmp_path: Path):
    other = tmp_path / "other"
    handed_in.rename(other)
    handed_in.mkdir()
    assert "it holds notebooks, modules or zips, and no results" in refusal(handed_in, other)


@pytest.mark.programs  # a box is tried before
def test_a_folder_that_cannot_be_made_is_wrong_usage(handed_in: Path, tmp_path: Path):
    (tmp_path / "file").touch()
    assert "cannot write" in refusal(handed_in, tmp_path / "file/out")


def test_results_among_the_submissions_are_no_submission(handed_in: Path, tmp_path: Path):
    (handed_in / "results/alice").mkdir(parents=True)
    (handed_in / "results/class.json").touch()
    with take(handed_in, "attention", 20, tmp_path / "out", None) as intake:
        assert [entry.id for entry in intake.entries] == ["alice"]
        [left_out] = intake.class_record.unmatched
        assert left_out.why == "it was not graded, since it holds results of softmark"


def rights(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_a_new_folder_of_results_and_what_lies_in_it_is_for_its_owner_alone(tmp_path: Path):
    with lock_folder(tmp_path / "out"):
        (tmp_path / "out/alice").mkdir()
        write_atomically(tmp_path / "out/alice/result.json", b"{}")
    assert rights(tmp_path / "out") == rights(tmp_path / "out/alice") == 0o700
    assert rights(tmp_path / "out/alice/result.json") == 0o600
    (tmp_path / "elsewhere").touch()
    assert rights(tmp_path / "elsewhere") != 0o600  # afterwards, files are as before


def test_a_folder_of_results_that_is_there_stays_open_to_its_group_and_to_nobody_else(tmp_path: Path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out").chmod(0o755)
    with lock_folder(tmp_path / "out"):
        write_atomically(tmp_path / "out/class.json", b"{}")
    assert rights(tmp_path / "out") == 0o750
    assert rights(tmp_path / "out/class.json") == 0o640


@pytest.mark.parametrize(
    "command", [["results"], ["export", "junit"], ["export", "gradescope", "--only", "alice"]]
)
def test_a_device_or_a_link_is_never_replaced_by_a_file(tmp_path: Path, command: list[str]):
    write_result(tmp_path / "out", replace(sample.result(), submission=SubmissionInfo("alice", (), "")))
    (tmp_path / "kept.sqlite").write_text("kept")
    to = tmp_path / "link.sqlite"
    to.symlink_to(tmp_path / "kept.sqlite")
    name, *more = command
    done = CliRunner().invoke(main, [name, str(tmp_path / "out"), *more, "--to", str(to)])
    assert done.exit_code in (2, 3)
    assert "only plain files are replaced" in done.output
    assert to.is_symlink()
    assert (tmp_path / "kept.sqlite").read_text() == "kept"


@pytest.mark.parametrize("name", ["index.html", "notebook.html"])
@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir], ids=["a pipe", "a folder"])
def test_what_is_in_the_place_of_a_page_costs_that_page_alone(tmp_path: Path, name: str, make):
    for student in ("alice", "bob"):
        write_result(tmp_path, sample.result(id=student))
    (tmp_path / "alice/notebook.ipynb").write_text(json.dumps(NOTEBOOK), encoding="utf-8")
    make(tmp_path / "alice" / name)
    done = CliRunner().invoke(main, ["report", str(tmp_path)])
    assert done.exit_code == 3
    assert f"no page for alice: {tmp_path / 'alice' / name}: " in done.output
    assert (tmp_path / "bob/index.html").is_file()
    grades = (tmp_path / "grades.csv").read_text(encoding="utf-8")
    assert [line.partition(",")[0] for line in grades.splitlines()] == ["id", "alice", "bob"]


def test_a_link_to_another_course_or_to_overrides_is_told_and_not_followed(tmp_path: Path):
    write_result(tmp_path / "out", sample.result(id="alice"))
    (tmp_path / "overrides.csv").write_text("id,points\nalice,0\n", encoding="utf-8")
    (tmp_path / "out/overrides.csv").symlink_to(tmp_path / "overrides.csv")
    done = CliRunner().invoke(main, ["report", str(tmp_path / "out")])
    assert "overrides.csv is not a plain file: no override is in force." in done.output
    (tmp_path / "out/course.toml").symlink_to(SHIPPED_FILE)
    done = CliRunner().invoke(main, ["report", str(tmp_path / "out")])
    assert done.exit_code == 2
    assert "out/course.toml cannot be read" in "".join(done.output.split("\n"))


@pytest.mark.parametrize(
    "words", [["report", "out", "--course"], ["export", "out", "moodle", "--template"], ["corpus"]]
)
def test_a_pipe_is_no_file_to_read_and_nobody_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out").mkdir()
    os.mkfifo(tmp_path / "pipe")
    done = CliRunner().invoke(main, [*words, "pipe"])
    assert done.exit_code == 2
    assert "pipe is not a plain file" in done.output


@pytest.mark.parametrize("words", [["--timing-threads"], ["--limit", "processes="], ["--limit", "call="]])
def test_a_number_of_thousands_of_digits_is_wrong_usage(tmp_path: Path, words: list[str]):
    *options, last = words
    number = [*options, last + "9" * 5_000] if last.endswith("=") else [last, "9" * 5_000]
    done = CliRunner().invoke(
        main, ["grade", str(tmp_path), "--assignment", "attention", "--out", str(tmp_path / "out"), *number]
    )
    assert done.exit_code == 2
    assert isinstance(done.exception, SystemExit)


def test_results_of_another_version_are_told_and_left_as_they_are(tmp_path: Path):
    for student in ("alice", "bob"):
        write_result(tmp_path, sample.result(id=student))
    file = tmp_path / "alice/result.json"
    file.write_text(file.read_text(encoding="utf-8").replace("result/1", "result/2"), encoding="utf-8")
    before = file.read_bytes()
    done = CliRunner().invoke(main, ["report", str(tmp_path)])
    assert done.exit_code == 3
    told = "not of schema softmark/result/1, which this version of softmark reads, but of"
    assert f"{told} 'softmark/result/2'" in " ".join(done.output.split())
    assert file.read_bytes() == before
    assert (tmp_path / "bob/index.html").is_file()


def test_results_into_a_folder_that_is_absent_are_a_sentence(tmp_path: Path):
    write_result(tmp_path / "out", replace(sample.result(), submission=SubmissionInfo("alice", (), "")))
    to = tmp_path / "absent/class.sqlite"
    done = CliRunner().invoke(main, ["results", str(tmp_path / "out"), "--to", str(to)])
    assert done.exit_code in (2, 3)
    assert f"{tmp_path / 'absent'}" in done.output
    assert isinstance(done.exception, SystemExit)
