"""Right answers: those that are made under other names, and remarks on one that does more than it should."""

from pathlib import Path

import pytest

from graders import locations
from graders.course.exercise import Assignment
from graders.course.right_answers import rename, right_answers
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.sandbox.box import Box

RIGHT = sorted((Path(__file__).parents[2] / "solutions/right").glob("*/*.py"))


def test_setting_the_global_seed_is_remarked_and_costs_nothing(
    assignment: Assignment, draws: Draws, box: Box
):
    [path] = [path for path in RIGHT if path.stem == "sets_the_seed"]
    result = Grader(assignment.only(["scaled_dot_product_attention"]), draws, box).grade(path, path.stem)
    remarks = [f.message for f in result.exercises[0].findings if f.message]
    assert remarks == ["remark: the call uses or sets the global random state"]
    assert result.points == result.max_points


def test_an_answer_that_differs_by_names_alone_is_made_from_the_other(tmp_path: Path, monkeypatch):
    monkeypatch.setenv(locations.SOLUTIONS_VARIABLE, str(tmp_path))
    folder = tmp_path / "right/stack"
    folder.mkdir(parents=True)
    code = "class Stack:\n    def __init__(self, n, layers):\n        self.layers = {n: layers}  # n layers\n"
    (folder / "course.py").write_text(code, encoding="utf-8")
    of = '[{}]\nof = "course"\nnames = {{ {} }}\n'
    (folder / "renamed.toml").write_text(
        of.format("blocks", 'n = "count", layers = "blocks"'), encoding="utf-8"
    )
    with right_answers("stack") as paths:
        assert [path.stem for path in paths] == ["blocks", "course"]
        made = paths[0].read_text(encoding="utf-8")
    assert made.split("\n")[1:3] == [
        "    def __init__(self, count, blocks):",
        "        self.blocks = {count: blocks}  # n layers",
    ]
    (folder / "renamed.toml").write_text(of.format("blocks", 'm = "count"'), encoding="utf-8")
    with pytest.raises(ValueError, match=r"renamed\.toml, blocks: the name m cannot become count there"):
        right_answers("stack").__enter__()


@pytest.mark.parametrize("new", ["y", "class", "2b"])
def test_a_name_that_is_there_already_or_can_be_none_is_refused(new: str):
    with pytest.raises(ValueError, match=f"the name x cannot become {new} there"):
        rename("def f(x, y):\n    return x\n", {"x": new})


def test_every_description_of_other_names_can_be_followed():
    folder = Path(__file__).parents[2] / "solutions/right"
    for table in folder.glob("*/renamed.toml"):
        with right_answers(table.parent.name) as paths:
            made = [path for path in paths if path.parent != table.parent]
            assert made
            for path in made:
                compile(path.read_text(encoding="utf-8"), path.name, "exec")
