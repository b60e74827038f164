"""`softmark audit` with another question than the usual one: the commands themselves, on a small exercise."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from graders.cli.main import main

EXERCISE = "receptive_field"


def audit(*arguments: str | Path) -> Result:
    asked = ["audit", EXERCISE, *map(str, arguments), "--jobs", "1", "--lang", "en"]
    return CliRunner().invoke(main, asked, catch_exceptions=False)


@pytest.mark.programs
@pytest.mark.parametrize(
    ("question", "said"),
    [
        (("--styles", "3"), "3 compositions of styles tried\nno changed verdict"),
        (("--seeds", "2"), "answers graded under 2 seeds"),
        (("--neighbours", "3"), "3 neighbours tried\nnothing is named falsely"),
        (("--draws", "2"), "by further draws alone\nno gap"),
    ],
)
def test_each_question_is_answered_for_one_exercise(question: tuple[str, ...], said: str):
    answered = audit(*question)
    assert answered.exit_code == 0, answered.output
    assert said in answered.output


@pytest.mark.programs
def test_names_are_written_as_a_page_and_as_data(tmp_path: Path):
    answered = audit("--names", "--out", tmp_path / "names")
    assert answered.exit_code == 0, answered.output
    [data] = (tmp_path / "names").glob("*.json")
    [named] = json.loads(data.read_text(encoding="utf-8"))
    [page] = (tmp_path / "names").glob("*.html")
    shown = page.read_text(encoding="utf-8")
    assert len(named["mistakes"]) > 10
    names = [mistake["name"].partition("__")[2] for mistake in named["mistakes"]]
    assert all(name.replace("_", " ") in shown for name in names)


@pytest.mark.programs
def test_draws_are_written_as_a_page_and_as_data(tmp_path: Path):
    answered = audit("--draws", "2", "--out", tmp_path)
    assert answered.exit_code == 0, answered.output
    [drawn] = json.loads((tmp_path / "draws.json").read_text(encoding="utf-8"))
    shown = (tmp_path / "draws.html").read_text(encoding="utf-8")
    assert drawn["name"] == EXERCISE and any(check["shown"] for check in drawn["checks"])
    assert all(check["name"].replace("_", "_<wbr>") in shown for check in drawn["checks"])
