"""Two handouts in one environment: each is decided by its own key, whichever softmark is installed."""

import importlib.metadata
import subprocess
import venv
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from graders import locations
from graders.answer_key import answer_key
from graders.answer_key.code_digest import BUILT
from graders.cli.main import main
from graders.course.exercise import Assignment, load_assignment
from graders.handout.make import write_handout
from graders.handout.make_key import make_key
from graders.handout.platform_files import Bundle
from graders.handout.wheel import build_wheel
from graders.judging import score
from graders.language import speaking
from graders.notebook.check_live import NotebookChecker
from graders.notebook.notebook_folders import OF_JUPYTER, OF_VS_CODE, notebook_folders
from graders.notebook.source_places import Places
from graders.pytest_plugin.grading import DrawsByKeys
from graders.results.result import Outcome, Remark, Result, SubmissionInfo
from reports.pages import notebook_cell_output

HANDED_OUT = {"attention": "count_parameters", "minigpt": "bigram_model"}
ANSWERS = {
    "attention": """
def count_parameters(embed_dim, num_heads, ff_dim):
    return embed_dim * num_heads + ff_dim
""",
    "minigpt": """
import torch
from torch import nn

class BigramLanguageModel(nn.Module):
    def __init__(self, vocab_size):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, vocab_size)

    def forward(self, idx, targets=None):
        return torch.sigmoid(self.embedding(idx)), None
""",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two handouts, each in a folder of its own, with a wrong answer in each."""
    folder = tmp_path_factory.mktemp("course")
    for name, exercise in HANDED_OUT.items():
        with speaking("en"):
            assignment = load_assignment(name).only([exercise])
            files = Bundle(
                assignment, "en", "moodle", "softmark==0.1.0", False, make_key(assignment, 1, hints=False)
            )
            write_handout(folder / name, files.students())
        (folder / f"{name}/{name}.py").write_text(ANSWERS[name], encoding="utf-8")
    return folder


@pytest.fixture
def course(made: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same at a student's, who has no solutions and is in another folder."""
    monkeypatch.setenv(locations.SOLUTIONS_VARIABLE, str(made / "nowhere"))
    monkeypatch.setattr("graders.judging.draws.reference", lambda *_: None)  # the handouts' making loaded it
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    return made


@pytest.fixture
def other_softmark(monkeypatch: pytest.MonkeyPatch) -> None:
    """Installed is a softmark with other checks in `bigram_model`, and in nothing else."""
    digests = answer_key.exercise_digests
    monkeypatch.setattr(
        answer_key,
        "exercise_digests",
        lambda names: {n: "other" if n == "bigram_model" else d for n, d in digests(names).items()},
    )


def check_live(folder: Path, exercise: str, code: str) -> tuple[Outcome, list[str]]:
    """What `%check` says of an exercise, in a notebook in a folder: the outcome and the remarks."""
    names: dict[str, object] = {}
    exec(code, names)
    checker = NotebookChecker(Places(lambda _: None), lambda: [folder])
    result, _ = checker.check([checker.find_by_name(exercise, names, None)])
    return result.exercises[0].outcome, [remark.says for remark in result.remarks]


def remarked(says: str) -> Result:
    """A result without exercises, with a remark."""
    return score.submission_result(
        Assignment("minigpt", "MiniGPT", ()),
        SubmissionInfo("", (), ""),
        [],
        [Remark(says)],
        score.Run(1, "notebook", "cpu"),
    )


@pytest.mark.parametrize("name", HANDED_OUT)
def test_each_key_decides_its_own_handout_in_a_notebook_and_under_pytest(course: Path, name: str) -> None:
    folder, exercise = course / name, HANDED_OUT[name]
    outcome, remarks = check_live(folder, exercise, ANSWERS[name])
    assert outcome is Outcome.FAILED
    assert all("cases are shown under the likeliest match" in remark for remark in remarks)
    [handed_out] = load_assignment(name).only([exercise]).exercises
    draws_for = DrawsByKeys(1, course.parent)
    draws = draws_for(folder / f"{name}.ipynb")
    assert all(draws.decidable(handed_out, check) for check in handed_out.value_checks)
    assert draws_for(folder / f"{name}.py") is draws
    [other] = HANDED_OUT.keys() - {name}
    assert draws_for(course / f"{other}/{other}.ipynb") is not draws


@pytest.mark.programs
def test_a_key_that_does_not_fit_is_told_with_what_to_type_and_the_other_goes_on_deciding(
    course: Path, other_softmark: None
) -> None:
    folder = course / "minigpt"
    done = CliRunner().invoke(
        main, ["check", str(folder / "minigpt.py"), "--exercise", "bigram_model", "--lang", "en"]
    )
    said = " ".join(done.output.split())
    assert "minigpt.key is not used for bigram_model: it was made with other checks" in said
    assert "Download the handout again" in said
    assert "decided at hand-in" in said
    _, [remark] = check_live(folder, "bigram_model", ANSWERS["minigpt"])
    assert remark.startswith("minigpt.key is not used")
    for brief in (True, False):
        shown = notebook_cell_output.render(remarked(remark), "a", brief, unused_keys=[remark])
        assert shown.text.count(remark) == 1
        assert shown.html.count(remark) == 1
    assert check_live(course / "attention", "count_parameters", ANSWERS["attention"]) == (Outcome.FAILED, [])


def test_two_handouts_in_one_folder_keep_both_keys(course: Path, tmp_path: Path) -> None:
    for name in HANDED_OUT:
        (tmp_path / f"{name}.key").write_bytes((course / name / f"{name}.key").read_bytes())
    draws = DrawsByKeys(1, tmp_path)(tmp_path / "both.ipynb")
    for name, exercise in HANDED_OUT.items():
        [handed_out] = load_assignment(name).only([exercise]).exercises
        assert all(draws.decidable(handed_out, check) for check in handed_out.value_checks)


def test_a_key_that_comes_later_decides_without_a_new_kernel(course: Path, tmp_path: Path) -> None:
    names: dict[str, object] = {}
    exec(ANSWERS["attention"], names)
    checker = NotebookChecker(Places(lambda _: None), lambda: [tmp_path])
    target = [checker.find_by_name("count_parameters", names, None)]
    assert checker.check(target)[0].undecided_points > 0
    (tmp_path / "attention.key").write_bytes((course / "attention/attention.key").read_bytes())
    assert checker.check(target)[0].undecided_points == 0


def test_a_notebook_lies_where_its_editor_says_where_it_was_opened_or_where_it_is_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, jupyter, began, now = (tmp_path / name for name in ("code", "jupyter", "began", "now"))
    for folder in (code, jupyter, began, now):
        folder.mkdir()
    monkeypatch.chdir(now)
    monkeypatch.setenv(OF_JUPYTER, str(jupyter / "a.ipynb"))
    names = {OF_VS_CODE: str(code / "a.ipynb")}
    assert notebook_folders(names, began) == [code, jupyter, began, now]
    monkeypatch.setenv(OF_JUPYTER, "a.ipynb")  # a name alone, which some servers give
    assert notebook_folders({OF_VS_CODE: tmp_path / "gone/a.ipynb"}, None) == [now]


@pytest.mark.nightly
@pytest.mark.programs
def test_pip_installs_the_softmark_of_the_folder_in_place_of_any_other(tmp_path: Path) -> None:
    for folder, further in (("old", {}), ("new", {f"graders/{BUILT}": b"{}"})):
        name, data = build_wheel(further)
        (tmp_path / folder / "wheels").mkdir(parents=True)
        (tmp_path / folder / "wheels" / name).write_bytes(data)
        (tmp_path / folder / "requirements.txt").write_text(f"./wheels/{name}[course]\n", encoding="utf-8")
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv/bin/python"
    command = [python, "-m", "pip", "install", "--quiet", "--no-deps", "-r", "requirements.txt"]
    seen = []
    for folder in ("old", "new", "old", "old"):
        subprocess.run(command, cwd=tmp_path / folder, check=True)
        [wheel] = (tmp_path / folder / "wheels").iterdir()
        site = subprocess.run(
            [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        [installed] = [d for d in importlib.metadata.distributions(path=[site]) if d.name == "softmark"]
        assert installed.version == wheel.name.split("-")[1]
        with zipfile.ZipFile(wheel) as packed:
            built = f"graders/{BUILT}"
            assert (Path(site) / built).exists() == (built in packed.namelist())
        seen.append(installed.version)
    assert len(set(seen)) == 2
