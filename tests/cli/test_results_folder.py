"""Where results may be written: not among submissions, and only where a folder can be made."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from graders.classroom.intake.take import take
from graders.cli.main import main

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
