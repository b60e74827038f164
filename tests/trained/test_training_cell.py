"""The training that students get: it trains what they wrote, saves it, and no check ever runs it."""

import re
import runpy
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from graders.course.exercise import Assignment, load_assignment
from graders.extraction.extract import Source, extract, study
from graders.grade import Grader
from graders.handout.fill_in_reference import fill_in_reference
from graders.handout.notebook_file import as_module
from graders.handout.refused import HandoutRefused
from graders.handout.sheet import Sheet, sheet_of
from graders.handout.training_text import training_text
from graders.judging.draws import Draws
from graders.language import LANGUAGES, number, speaking
from graders.notebook.check_live import NotebookChecker
from graders.notebook.restore_state import restore_state
from graders.notebook.source_places import Places
from graders.results.result import ExerciseResult, Outcome
from graders.sandbox.box import Box
from graders.submission.read import read
from graders.trained.held_out import make_evaluation_set
from tests.support.trained_models import failing, make_hall

FEW = {"max_iters": 200, "eval_interval": 100, "eval_iters": 4}
SHOWN = re.compile(r"\r(\d+)/\d+  train (\d\.\d\d)  val (\d\.\d\d) bits  (.+)")


@pytest.fixture(scope="module")
def asked() -> Assignment:
    return load_assignment("minigpt")


@pytest.fixture(scope="module")
def completed(asked: Assignment) -> str:
    """The module that students get, with the references in the place of the stubs."""
    return as_module(fill_in_reference(sheet_of(asked, "en", "# MiniGPT"), asked))


def with_settings(code: str, **settings: int) -> str:
    for name, value in settings.items():
        code, count = re.subn(rf"^{name} = .*$", f"{name} = {value}", code, flags=re.MULTILINE)
        assert count == 1, name
    return code


def run(folder: Path, code: str, asked: Assignment) -> dict[str, Any]:
    """The names that `python minigpt.py` leaves, started in the folder that holds the text."""
    text = training_text(asked)
    assert text is not None
    (folder / "train.txt").write_text(text, encoding="utf-8")
    (folder / "minigpt.py").write_text(code, encoding="utf-8")
    threads = torch.get_num_threads()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        names = runpy.run_path("minigpt.py", run_name="__main__")
    torch.set_num_threads(threads)
    return names


def in_a_box(folder: Path, asked: Assignment, box: Box) -> ExerciseResult:
    return Grader(asked.only(["minigpt"]), Draws(1), box).grade(folder, "x").exercises[0]


def in_a_notebook(folder: Path, names: dict[str, Any]) -> ExerciseResult:
    checker = NotebookChecker(Places())
    with pytest.MonkeyPatch.context() as patch, restore_state(names):
        patch.chdir(folder)
        result, stopped = checker.check([checker.find_by_name("minigpt", names, None)])
    assert stopped is None
    return result.exercises[0]


def test_it_lowers_the_loss_and_saves_a_model_that_a_box_and_a_notebook_judge_alike(
    asked: Assignment, completed: str, box: Box, tmp_path: Path, monkeypatch, capsys
):
    make_hall(tmp_path, box, monkeypatch)  # measured on little
    (folder := tmp_path / "work").mkdir()
    names = run(folder, with_settings(completed, **FEW), asked)
    shown = SHOWN.findall(capsys.readouterr().out)
    assert [int(step) for step, *_ in shown] == [40, 100, 200], "the bigram, then MiniGPT"
    assert all(len(sample) > 50 for *_, sample in shown)
    first, last = names["losses"]
    assert last[2] < first[2] - 0.2
    boxed, live = in_a_box(folder, asked, box), in_a_notebook(folder, names)
    assert boxed.outcome is Outcome.FAILED, "it was trained for a moment"
    assert failing(boxed) == ["beats_the_bigram"]
    assert [f.points for f in live.findings] == [f.points for f in boxed.findings]
    assert boxed.trained
    assert live.trained == replace(boxed.trained, counted=pytest.approx(boxed.trained.counted))


def test_without_a_file_a_notebook_says_what_to_do_first(tmp_path: Path):
    result = in_a_notebook(tmp_path, {"MiniGPT": type("MiniGPT", (nn.Module,), {})})
    assert result.outcome is Outcome.NOT_ATTEMPTED
    assert "train your model and save it first" in str(result.message)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_check_runs_a_statement_of_the_training(language, tmp_path: Path):
    with speaking(language):
        asked = load_assignment("minigpt")
    (path := tmp_path / "minigpt.py").write_text(
        as_module(fill_in_reference(sheet_of(asked, language, ""), asked)), encoding="utf-8"
    )
    program = study(read(path))
    for exercise in asked.exercises:
        for symbol in (exercise.symbol, *exercise.options.beside):
            source = extract(program, symbol, exercise.handed_out)
            assert isinstance(source, Source)
            kept = "\n".join(statements(source))
            assert f" {symbol}(" in kept
            assert not re.search(r"train\.txt|max_iters|def train\b|__main__", kept), symbol


def statements(source: Source) -> list[str]:
    """The first lines of all statements that run."""
    pieces = [piece for module in source.modules for piece in module.pieces]
    return [piece.code.split("\n")[line - 1] for piece in pieces for line, _ in piece.keep]


def told(sheet: Sheet) -> str:
    return "\n".join(cell.text for cell in sheet.cells if cell.exercise == "minigpt")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_losses_that_students_are_told_are_those_that_they_are_graded_by(language):
    with speaking(language):
        asked = load_assignment("minigpt")
        rule = asked.exercises[-1].rule
        assert rule is not None
        measured = make_evaluation_set(rule, 1)
        text = told(sheet_of(asked, language, ""))
        for bits in (measured.bigram, measured.target, measured.counting):
            assert f"{number(bits, '.2f')}" in text
        [(_, minutes)] = rule.minutes
        assert f"{number(minutes, 'g')} minutes" in text
        other = sheet_of(asked.measured_on("grammar"), language, "")
        entropy = make_evaluation_set(rule.on("grammar"), 1).entropy
        assert f"{number(entropy, '.2f')} |" in told(other)
        assert f"{number(minutes, 'g')} minutes" not in told(other), "these sizes were tried on another text"


def test_no_handout_is_made_without_the_text_to_train_on(asked: Assignment, tmp_path: Path):
    elsewhere = asked.measured_on(str(tmp_path / "nowhere.txt"))
    with pytest.raises(HandoutRefused, match=r"the text to train on is not available: .*nowhere\.txt"):
        sheet_of(elsewhere, "en", "")


@pytest.mark.nightly
@pytest.mark.slow
def test_as_it_is_handed_out_it_reaches_the_target_in_the_minutes_that_it_names(
    asked: Assignment, completed: str, box: Box, tmp_path: Path
):
    start = time.process_time()
    names = run(tmp_path, completed, asked)
    rule = asked.exercises[-1].rule
    assert rule is not None
    assert time.process_time() - start < 60 * dict(rule.minutes)["french"]
    for result in (in_a_box(tmp_path, asked, box), in_a_notebook(tmp_path, names)):
        assert result.points == result.max_points
