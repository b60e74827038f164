"""`softmark new`: a small exercise that works, its line in course.toml, and nothing written over or half."""

import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from graders.audit.write_spaces import write_spaces
from graders.cli.main import main
from graders.course.course_edit import OtherForm, add_exercise, set_points
from graders.results.write_together import write_together
from tests.support.course_copies import FILES, ROOT, copy_tree, softmark, write_files
from tests.support.own_course import use_course, write_own_course

ROW = '    { name = "running_total", title = "Totals", title_fr = "Sommes", points = 17 },'
COURSE = f"""\
[small]
title = "Small"
title_fr = "Petit"
exercises = [ # in this order
{ROW}
    {{ name = "other", timing = {{ points = 1 }}, title = "It's: \\"points = 3\\"", points = 3 }},
]

[large]
title = "Large"
title_fr = "Grand"
exercises = [{{ name = "whole", title = "Whole", title_fr = "Tout", points = 20 }}]
"""
NEW = ("new", "gate", "--assignment", "small", "--symbol", "Gate")
RUFF = Path(sys.executable).with_name("ruff")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a course of our own."""
    use_course(tmp_path, monkeypatch, {"assignments/course.toml": COURSE, **plain_files()})
    return tmp_path


def plain_files() -> dict[str, str]:
    return {name: text.lstrip("\n") for name, text in FILES.items() if "/right/" not in name}


def run(*arguments: str, **options: object) -> Result:
    return CliRunner().invoke(main, [*arguments, "--lang", "en"], **options)


def texts_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def rows(folder: Path, assignment: str = "small") -> dict[str, float]:
    course = tomllib.loads((folder / "assignments/course.toml").read_text(encoding="utf-8"))
    return {row["name"]: row["points"] for row in course[assignment]["exercises"]}


@pytest.mark.programs
@pytest.mark.parametrize("languages", [("en", "fr"), ("en",)], ids="-".join)
def test_what_is_written_passes_the_audit_and_ruff_at_once(languages: tuple[str, ...], tmp_path: Path):
    copy_tree(tmp_path)
    said = f"languages = {list(languages)}\n".replace("'", '"')
    empty = '[own]\ntitle = "Own"\ntitle_fr = "Propre"\nexercises = [\n]\n'
    write_files(tmp_path, {"assignments/course.toml": said + empty, "pyproject.toml": ruff_settings()})
    for name, symbol in (("of_a_module", "M" * 40), ("of_a_function", "compute")):
        done = softmark(
            tmp_path,
            "new",
            name,
            "--assignment",
            "own",
            "--symbol",
            symbol,
            "--points",
            "10",
            "--title",
            "T" * 80,
        )
        assert done.returncode == 0, done.stderr
        assert f"softmark audit {name}" in done.stdout
    written = [text for text in texts_in(tmp_path).items() if "/of_a_" in text[0]]
    assert len(written) == 18
    assert any(b"fr:" in text for _, text in written) is (len(languages) == 2)
    for arguments in (["format", "--check"], ["check"]):
        subprocess.run([RUFF, *arguments, "assignments", "graders/checks"], cwd=tmp_path, check=True)
        subprocess.run(
            [RUFF, *arguments, *sorted((tmp_path / "solutions").glob("*.py"))], cwd=tmp_path, check=True
        )
    audited = softmark(tmp_path, "audit", "own", "--quick", "--sandbox", "open", "--jobs", "2")
    assert audited.returncode == 0, audited.stdout + audited.stderr


def ruff_settings() -> str:
    """The settings of this checkout."""
    return (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_points_come_from_the_exercise_that_is_named_and_the_total_stays(folder: Path):
    done = run(*NEW, "--points", "1.5", "--points-from", "other", "--title-fr", "La porte: une")
    assert done.exit_code == 0, done.output
    assert rows(folder) == {"running_total": 17, "other": 1.5, "gate": 1.5}
    assert "other has 1.5 points now" in done.output
    assert 'title_fr = "La porte\u00a0: une"' in (folder / "assignments/course.toml").read_text(
        encoding="utf-8"
    )
    changed = (folder / "assignments/course.toml").read_text(encoding="utf-8").split("\n")
    assert [line for line in COURSE.split("\n") if line not in changed] == [COURSE.split("\n")[5]]


def test_on_a_terminal_it_asks_whose_points_and_lists_those_that_can_give_them(folder: Path, monkeypatch):
    monkeypatch.setattr("graders.cli.points_of_new.is_terminal", lambda: True)
    done = run(*NEW, "--points", "2", input="other\nrunning_total\n")
    assert done.exit_code == 0, done.output
    assert "Which one gives 2? (running_total)" in done.output
    assert rows(folder) == {"running_total": 15, "other": 3, "gate": 2}


def test_without_a_terminal_it_says_what_to_change(folder: Path):
    done = run(*NEW, "--points", "2")
    assert done.exit_code == 0, done.output
    assert (
        "the points sum to 22, not 20; take 2 from another exercise, for example points = 15 for running"
        in (done.output)
    )
    assert rows(folder)["gate"] == 2
    done = run("new", "gate_b", "--assignment", "small", "--symbol", "GateB", "--points", "19")
    assert "take 21 from several exercises, since none has so many" in done.output


def test_a_course_in_another_form_stays_and_the_line_is_to_be_added_by_hand(folder: Path):
    done = run("new", "gate", "--assignment", "large", "--points", "2", "--points-from", "whole")
    assert done.exit_code == 0, done.output
    assert "add to " in done.output
    assert 'in [large]: { name = "gate", title = "gate", title_fr = "gate", points = 2 },' in done.output
    assert "give whole 18 points" in done.output
    assert (folder / "assignments/course.toml").read_text(encoding="utf-8") == COURSE
    assert (folder / "solutions/gate.py").is_file()


REFUSED = {
    "running_total": "running_total is there already, in the assignment small",
    "small": "small is an assignment",
    "Gate": "is no name of an exercise",
    "a__b": "is no name of an exercise",
    "class": "class is a word of Python's own",
    "match": "match is a word of Python's own",
    "sum": "sum is a function of Python's own",
    "random": "random is a module that Python imports",
    "torch": "torch is a module that Python imports",
    "np": "np stands for numpy in students' code",
    "left_over": "left_over.py is there already: choose another name",
    "right_alone": "right_alone is there already: choose another name",
    "gate --symbol running_total": "running_total is what students define in running_total already",
    "gate --symbol lambda": "lambda is a word of Python's own",
    "gate --symbol nn": "nn stands for torch.nn in students' code",
    "gate --symbol a-b": "is no name in Python",
    "gate --symbol Gate__wrong": "symbol__mistake is a known mistake",
    f"gate --symbol {'G' * 41}": "is too long: use 40 letters at most",
    "gate --assignment smal": "did you mean small?",
    'gate --title "': "a title has no quotation marks",
    "gate --points-from othr": "did you mean other?",
    "gate --points-from other --points 2": "other cannot give 2 points and keep some",
    "gate --points 0": "0.0 is not in the range 0<x<=1000",
}


@pytest.mark.parametrize("arguments", REFUSED)
def test_what_cannot_be_written_is_refused_and_nothing_changes(arguments: str, folder: Path):
    (folder / "solutions/left_over.py").write_text("mine = 1\n", encoding="utf-8")
    (folder / "solutions/right/right_alone").mkdir(parents=True)
    before = texts_in(folder)
    done = run("new", "--assignment", "small", *arguments.split(" "))
    assert done.exit_code == 2, done.output
    assert REFUSED[arguments] in " ".join(done.output.split())
    assert texts_in(folder) == before


def test_without_solutions_there_is_nothing_to_begin(folder: Path, monkeypatch):
    monkeypatch.setenv("SOFTMARK_SOLUTIONS", str(folder / "nowhere"))
    done = run(*NEW)
    assert done.exit_code == 2
    assert "There is no folder solutions/ here" in done.output


def test_where_the_total_has_room_no_points_are_taken(folder: Path):
    course = folder / "assignments/course.toml"
    course.write_text(COURSE.replace("points = 17", "points = 16"), encoding="utf-8")
    assert (
        "has room for the new exercise: leave out --points-from" in run(*NEW, "--points-from", "other").output
    )
    assert run(*NEW).exit_code == 0
    assert rows(folder) == {"running_total": 16, "other": 3, "gate": 1}


def test_in_a_course_in_french_all_that_is_written_is_french_with_its_spaces(folder: Path):
    course = folder / "assignments/course.toml"
    course.write_text(f'languages = ["fr"]\n{COURSE}', encoding="utf-8")
    assert "the course is in one language: leave out --title-fr" in run(*NEW, "--title-fr", "Porte").output
    done = run(*NEW, "--title", "La porte: une", "--points-from", "other")
    assert done.exit_code == 0, done.output
    assert [place for place in write_spaces("gate") if "It's" not in place.words] == []
    assert '"gate", title = "La porte\u00a0: une", points = 1 },' in course.read_text(encoding="utf-8")
    stub = (folder / "assignments/gate.py").read_text(encoding="utf-8")
    assert "fr:" not in stub
    assert "Multiplie chaque valeur" in stub
    assert "Multiply" not in stub


@pytest.mark.parametrize("stopped_by", [OSError(28, "No space left on device", "x"), KeyboardInterrupt()])
@pytest.mark.parametrize("after", [0, 5, 12, 19])  # of ten texts, each written and then renamed
def test_all_is_written_or_nothing_whatever_stops_it(stopped_by, after: int, folder: Path, monkeypatch):
    before, calls = texts_in(folder), iter(range(after))

    def fails_in_the_end(do):
        def call(*arguments, **options):
            if next(calls, None) is None:
                raise stopped_by
            return do(*arguments, **options)

        return call

    for name in ("write_text", "replace"):
        monkeypatch.setattr(Path, name, fails_in_the_end(getattr(Path, name)))
    done = run(*NEW, "--points-from", "other")
    monkeypatch.undo()
    assert done.exit_code != 0
    assert texts_in(folder) == before
    assert not (folder / "solutions/right").exists()


def test_a_signal_to_end_takes_back_what_is_written(folder: Path, monkeypatch):
    before, replace = texts_in(folder), Path.replace
    monkeypatch.setattr(Path, "replace", lambda *two: (replace(*two), signal.raise_signal(signal.SIGTERM)))
    handler = signal.getsignal(signal.SIGTERM)
    assert run(*NEW, "--points-from", "other").exit_code == 1
    monkeypatch.undo()
    assert signal.getsignal(signal.SIGTERM) == handler
    assert texts_in(folder) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_course_that_is_read_only_is_named_and_nothing_is_written(folder: Path):
    before = texts_in(folder)
    (folder / "assignments/course.toml").chmod(0o444)
    done = run(*NEW, "--points-from", "other")
    assert done.exit_code == 2
    assert "course.toml: Permission denied" in " ".join(done.output.split())
    assert texts_in(folder) == before


def test_a_file_that_appears_meanwhile_is_not_written_over(tmp_path: Path):
    (tmp_path / "b").write_text("theirs", encoding="utf-8")
    with pytest.raises(FileExistsError):
        write_together({tmp_path / "a": "ours", tmp_path / "b": "ours"}, {})
    assert texts_in(tmp_path) == {"b": b"theirs"}


def test_a_change_of_the_course_that_would_change_something_else_is_none():
    assert set_points(COURSE, "small", "other", 2.5).count("points = 3") == 1  # that in the title
    for text, assignment in ((COURSE, "large"), (COURSE.replace("3 },\n]", "3 } # last\n]"), "small")):
        with pytest.raises(OtherForm):
            add_exercise(text, assignment, '    { name = "gate" },')


def test_an_exercise_is_begun_in_a_course_of_ones_own_and_nowhere_else(tmp_path: Path):
    course = write_own_course(tmp_path / "my-course")
    done = run("new", "gate", "--assignment", "tp2", "--points", "3", "--course", str(course))
    assert done.exit_code == 0, done.output
    table = tomllib.loads((course / "course.toml").read_text(encoding="utf-8"))["tp2"]
    assert table["exercises"] == [{"name": "gate", "title": "gate", "title_fr": "gate", "points": 3}]
    assert (course / "checks/gate.py").is_file()
    assert not (ROOT / "graders/checks/gate.py").exists()
    audited = run("audit", "gate", "--quick", "--sandbox", "open", "--jobs", "1", "--course", str(course))
    assert audited.exit_code == 0, audited.output


def test_nothing_is_written_through_a_link_that_leads_out_of_the_course(tmp_path: Path):
    course, elsewhere = write_own_course(tmp_path / "my-course"), tmp_path / "elsewhere"
    (course / "checks").rename(elsewhere)
    (course / "checks").symlink_to(elsewhere)
    before = texts_in(tmp_path)
    done = run("new", "gate", "--assignment", "tp1", "--course", str(course))
    assert done.exit_code == 2
    assert "gate.py is a link that leads out of the course's folder" in " ".join(done.output.split())
    assert texts_in(tmp_path) == before


@pytest.mark.parametrize("name", ["course", "a b", "Tp", "concat_heads", "../tp"])
def test_what_can_be_no_assignment_is_refused(name: str, tmp_path: Path):
    course = write_own_course(tmp_path / "my-course")
    before = texts_in(course)
    done = run("new", "gate", "--assignment", name, "--course", str(course))
    assert (done.exit_code, texts_in(course) == before) == (2, True), done.output
