"""`--heads` on the command line: drawn beside results that it never changes, once, and where asked."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner, Result

from graders.batch import prepare_run
from graders.cli.main import main
from graders.course.exercise import Assignment, load_assignment
from graders.heads import draw_class, open_request
from graders.heads.request import PretrainedModel
from graders.results.heads import NAME, Drawing, layer_of, read_heads
from reports.pages.page_head import is_harmless
from tests.heads.test_draw_exercise import OWN

pytestmark = pytest.mark.programs
SENTENCE = "Le chat dort"
RIGHT, WRONG = OWN.format(end="return output, weights"), OWN.format(end="return output, weights.mT")


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


@pytest.fixture(autouse=True)
def one_exercise(monkeypatch: pytest.MonkeyPatch) -> None:
    """One exercise with one check: to grade all of them takes seconds, and changes no drawing."""

    def load(name: str) -> Assignment:
        assignment = load_assignment(name).only(["multi_head_attention"])
        [exercise] = assignment.exercises
        return replace(assignment, exercises=(replace(exercise, checks=exercise.checks[:1]),))

    monkeypatch.setattr(prepare_run, "load_assignment", load)


@pytest.fixture
def handed_in(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    for name, code in {"right": RIGHT, "wrong": WRONG, "nothing": "x = 1\n"}.items():
        (folder / f"{name}.py").write_text(code, encoding="utf-8")
    return folder


def grade(folder: Path, *more: object, out: str = "out", jobs: int = 1) -> Result:
    words = ("--assignment", "attention", "--out", folder.parent / out, "--seed", 3, "--jobs", jobs)
    return run("grade", folder, *words, *more)


def files(folder: Path, name: str) -> dict[str, bytes]:
    return {path.parent.name: path.read_bytes() for path in sorted(folder.glob(f"*/{name}"))}


@pytest.mark.slow
def test_a_class_that_is_graded_is_drawn_without_grading_it_again(handed_in: Path):
    out = handed_in.parent / "out"
    assert grade(handed_in).exit_code == 1
    results, marks = files(out, "result.json"), (out / "grades.csv").read_bytes()
    done = grade(handed_in, "--heads", SENTENCE, jobs=2)
    assert done.exit_code == 1
    assert "graded: 0" in done.output
    assert files(out, "result.json") == results
    assert (out / "grades.csv").read_bytes() == marks
    drawn = files(out, NAME)
    assert sorted(drawn) == ["nothing", "right", "wrong"]
    assert files(out, "index.html")["right"].count(b"<svg") >= 8
    assert b'id="heads"' in files(out, "index.html")["wrong"]
    assert all(map(is_harmless, files(out, "index.html").values()))

    before = (out / "right" / NAME).stat().st_mtime_ns
    pages = files(out, "index.html")
    grade(handed_in)
    grade(handed_in, "--heads", SENTENCE)
    assert (out / "right" / NAME).stat().st_mtime_ns == before  # nothing is drawn a second time
    assert run("report", out, "--force").exit_code == 0
    assert files(out, "index.html") == pages

    grade(handed_in, "--heads", "Un autre chat dort")
    other = read_heads(out / "right")
    assert other is not None
    assert other.drawings[0].tokens == ("Un", "autre", "chat", "dort")
    assert files(out, "result.json") == results

    (handed_in / "right.py").write_text(RIGHT + "# changed\n", encoding="utf-8")
    grade(handed_in)
    assert b'id="heads"' not in files(out, "index.html")["right"]  # it was of other files


@pytest.mark.slow
def test_parts_take_their_drawings_along(handed_in: Path):
    root = handed_in.parent
    for part in (1, 2):
        grade(handed_in, "--heads", SENTENCE, "--part", f"{part}/2", out=f"part{part}")
    damaged = next((root / "part1").glob(f"*/{NAME}")).parent.name
    text = (root / "part1" / damaged / NAME).read_text(encoding="utf-8")
    data = json.loads(text) | {"drawings": [{"title": 7}] * 1000}
    (root / "part1" / damaged / NAME).write_text(json.dumps(data), encoding="utf-8")
    done = run("gather", root / "part1", root / "part2", "--out", root / "all", "--jobs", 1)
    assert done.exit_code == 1, done.output
    expected = {"nothing", "right", "wrong"} - {damaged}
    assert set(files(root / "all", NAME)) == expected
    for name in expected - {"nothing"}:
        assert b'id="heads"' in files(root / "all", "index.html")[name]
    assert b'id="heads"' not in files(root / "all", "index.html")[damaged]


@pytest.mark.slow
def test_a_fault_of_ours_leaves_the_results_and_the_other_drawings(handed_in: Path, monkeypatch):
    draw = draw_class.Drawer.draw

    def broken(drawer, path: Path, name: str):
        assert name != "right", "ours"
        return draw(drawer, path, name)

    monkeypatch.setattr(draw_class.Drawer, "draw", broken)
    done = grade(handed_in, "--heads", SENTENCE)
    assert done.exit_code == 1
    assert "the heads of right are not drawn" in done.output
    assert sorted(files(handed_in.parent / "out", NAME)) == ["nothing", "wrong"]


def test_a_check_draws_on_its_page(handed_in: Path, tmp_path: Path):
    words = ("--assignment", "attention", "--exercise", "multi_head_attention", "--heads", SENTENCE)
    done = run("check", handed_in / "right.py", *words, "--format", "html", "--to", tmp_path / "page")
    assert done.exit_code == 0, done.output
    [path] = (tmp_path / "page").iterdir()
    page = path.read_text(encoding="utf-8")
    assert page.count('class="head"') == 8
    assert "Le chat dort" in page


def test_a_check_without_a_page_says_where_heads_are_drawn(handed_in: Path):
    done = run("check", handed_in / "right.py", "--heads", SENTENCE)
    assert done.exit_code == 2
    assert "--format html" in done.output


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--heads", "mot " * 65], "at most 64 tokens"),
        (["--heads", "x" * 500], "400 characters"),
        (["--heads", "chat"], "fewer than two tokens"),
        (["--heads", " \x1b[31m "], "fewer than two tokens"),
        (["--heads", "un chat", "--heads-layer", "5"], "go with --heads-model"),
        (["--heads-tokens", "words"], "go with --heads SENTENCE"),
        (["--heads", "un chat", "--heads-model", "{folder}", "--heads-only", "0"], "numbers from 1"),
        (["--heads", "un chat", "--heads-model", "{folder}"], "can run code"),
        (["--heads", "un chat", "--heads-model", "{folder}/nowhere"], "does not exist"),
    ],
)
def test_what_cannot_be_drawn_is_refused_before_anything_is_graded(
    words: list[str], says: str, handed_in: Path, tmp_path: Path
):
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "pytorch_model.bin").write_bytes(b"\x80")
    done = grade(handed_in, *[word.format(folder=folder) for word in words])
    assert done.exit_code == 2
    assert says in " ".join(done.output.split())
    assert not list((handed_in.parent / "out").glob("*/result.json"))


@pytest.mark.slow
@pytest.mark.nightly  # four CPU s to import transformers; `test_pretrained.py` shows what is drawn
def test_the_command_reads_a_pretrained_model_in_the_box(handed_in: Path, camembert: Path):
    done = grade(handed_in, "--heads", SENTENCE, "--heads-model", camembert)
    assert done.exit_code == 1, done.output
    for name, page in files(handed_in.parent / "out", "index.html").items():
        assert "A pretrained model" in page.decode(), name


@pytest.mark.slow
def test_a_pretrained_model_is_on_every_page(handed_in: Path, monkeypatch):
    weights = torch.eye(3).tolist()
    layer = layer_of(5, [1, 2, 6, 11], [tuple(map(tuple, weights))] * 4)
    drawing = Drawing(
        "", "A pretrained model: it", causal=False, tokens=tuple(SENTENCE.split()), layers=(layer,)
    )
    asked = []
    monkeypatch.setattr(open_request, "draw_pretrained", lambda *what: asked.append(what) or drawing)
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        (handed_in.parent / name).write_text("{}")
    done = grade(handed_in, "--heads", SENTENCE, "--heads-model", handed_in.parent)
    assert done.exit_code == 1, done.output
    [(model, sentence, _)] = asked
    assert (model, sentence) == (PretrainedModel(handed_in.parent, 5, (1, 2, 6, 11)), SENTENCE)
    for name, page in files(handed_in.parent / "out", "index.html").items():
        text = page.decode()
        assert "A pretrained model" in text, name
        at = text.index("A pretrained model")
        assert [f"Head {n}<" in text[at:] for n in (1, 2, 6, 11)] == [True] * 4
        assert "Layer 5" in text[at:]
