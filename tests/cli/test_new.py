"""`softmark new`: skeletons that can be audited at once, a line in course.toml, and nothing written over."""

import tomllib
from pathlib import Path

import pytest

from tests.support.course_copies import FILES, copy_tree, softmark, write_files

pytestmark = pytest.mark.programs

COURSE = """\
[small]
title = "Small"
title_fr = "Petit"
exercises = [
    { name = "running_total", title = "Totals", title_fr = "Sommes", points = 20 },
]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("course")
    copy_tree(folder)
    write_files(folder, {**FILES, "assignments/course.toml": COURSE})
    for name, symbol in (("of_a_module", "Module"), ("of_a_function", "compute")):
        done = softmark(folder, "new", name, "--assignment", "small", "--symbol", symbol, "--points", "2")
        assert done.returncode == 0, done.stderr
        assert f"softmark audit {name}" in done.stdout
        assert f'{{ name = "{name}", title = "{name}", title_fr = "{name}", points = 2 }}' in done.stdout
    return folder


def test_the_line_stands_in_the_assignment(folder: Path):
    course = tomllib.loads((folder / "assignments/course.toml").read_text(encoding="utf-8"))
    names = [entry["name"] for entry in course["small"]["exercises"]]
    assert names == ["running_total", "of_a_module", "of_a_function"]


def test_skeletons_can_be_audited_and_lack_only_what_their_author_is_to_write(folder: Path):
    done = softmark(folder, "audit", "small", "--sandbox", "open", "--jobs", "1")
    gaps = [line for line in done.stdout.split("\n") if line.startswith(("of_a_", "small: "))]
    for name in ("of_a_module", "of_a_function"):
        sentences = [line for line in gaps if line.startswith(f"{name}: ")]
        lacks = ("checks, and has 2", "mistake, and has 1", "styles, and has 1", "keeps_the_shape catches no")
        assert len(sentences) == len(lacks), "\n".join(sentences)
        for sentence, lack in zip(sentences, lacks, strict=True):
            assert lack in sentence


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["of_a_module", "--assignment", "small"], "of_a_module is there already"),
        (["solutions", "--assignment", "smal"], "did you mean small?"),
        (["Solutions", "--assignment", "small"], "is no name of an exercise"),
        (["other", "--assignment", "small", "--symbol", "a b"], "is no name in Python"),
        (["other", "--assignment", "small", "--title", 'a "b"'], "a title must not have"),
        (["left_over", "--assignment", "small"], "left_over.py is there already: choose another name"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_what_cannot_be_written_is_refused_and_nothing_changes(folder: Path, arguments, sentence):
    (folder / "solutions/left_over.py").write_text("mine = 1\n", encoding="utf-8")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.suffix in (".py", ".toml")}
    done = softmark(folder, "new", *arguments)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert {
        path: path.read_bytes() for path in folder.rglob("*") if path.suffix in (".py", ".toml")
    } == before
