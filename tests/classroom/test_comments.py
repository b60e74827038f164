"""Comments on a student's code, and questions that people judge: `comments.csv` and `rubric.toml`."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from graders.batch.publish_class import publish_class
from graders.classroom import comments
from graders.classroom import rubric as rubric_file
from graders.classroom.class_record import ClassRecord, HandIn, Student
from graders.classroom.questions import find_answers
from graders.classroom.run_marks import RunMarks, compute_run_marks, make_marker, save_class, settle_class
from graders.cli.main import main
from graders.results.result import Outcome, Result, SubmissionInfo, Text
from graders.results.store import read_result, write_result
from reports import publish
from reports.gradebook.feedback import feedback
from reports.gradebook.grades import grades_csv
from reports.pages import answers_page
from tests.reports import sample

RUBRIC = """
[questions.why]
title = "Why the root of D?"
title_fr = "Pourquoi la racine de D ?"
points = 2
find = "Question 1"

[comments.axes]
text = "The axes change places."
text_fr = "Les axes changent de place."
points = -0.25
"""
ANSWER = Text("rendu.ipynb", 12, "## Question 1\nThe <b>variance</b> grows with D.")


def result(id: str, *texts: Text) -> Result:  # noqa: A002
    held = sample.exercise(sample.finding(), name="concat_heads", max_points=2, points=2)
    lost = sample.exercise(
        sample.finding(Outcome.FAILED), name="split_heads", title="Splitting", points=1, max_points=2
    )
    return sample.result(held, lost, id=id, texts=texts)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Ada and Ben work alone, Cem and Dana in a team, and Eve handed nothing in."""
    for name in ("ada", "ben", "team"):
        write_result(tmp_path, result(name, *([ANSWER] if name == "ada" else [])))
    names = ("ada", "ben", "cem", "dana", "eve")
    students = tuple(Student(f"{name[0]}1", name.title(), f"{name}@example.org") for name in names)
    hand_ins = [HandIn(name, name, students=(f"{name[0]}1",)) for name in ("ada", "ben")]
    team = HandIn("team", "team", students=("c1", "d1"))
    save_class(tmp_path, ClassRecord("attention", 4, students=students, hand_ins=(*hand_ins, team)))
    return tmp_path


Run = Callable[..., RunMarks]


@pytest.fixture
def run(out: Path) -> Run:
    """Compute the marks after the instructor wrote these rows."""

    def compute(*rows: str, rubric: str = "", first: str = "id,exercise,line,text,points") -> RunMarks:
        (out / "comments.csv").write_text("\n".join([first, *rows]) + "\n", encoding="utf-8")
        (out / "rubric.toml").write_text(rubric, encoding="utf-8")
        results = [r for name in ("ada", "ben", "team") if (r := read_result(out, name))]
        return compute_run_marks(out, results)

    return compute


def points(run: RunMarks, who: str) -> tuple[float | None, float]:
    mark = next(mark for mark in run.marks if mark.id == who)
    return mark.points, mark.undecided


def page(out: Path, who: str) -> str:
    latest = read_result(out, who)
    assert latest is not None
    publish.publish_one(out, *make_marker(out)[0].count(out, latest))
    return (out / who / "index.html").read_text(encoding="utf-8")


def test_a_comment_stands_below_its_line_and_is_escaped(out: Path, run: Run) -> None:
    run("ada@example.org,concat_heads,5,<i>view</i> would do")
    shown = page(out, "ada")
    below = (
        r'data-line="5">.*\n<span class="note" role="note"><b>Comment</b> &lt;i&gt;view&lt;/i&gt; would do'
    )
    assert re.search(below, shown)
    assert "would do" not in page(out, "ben")


def test_points_of_comments_are_added_and_never_go_below_zero(run: Run) -> None:
    made = run(
        "ada,concat_heads,5,shorter,-0.5", "ada,concat_heads,,and clearer,+0.25", "ben,split_heads,,no,-9"
    )
    assert points(made, "ada") == (2.75, 0.0)
    assert points(made, "ben") == (2.0, 0.0)


def test_a_comment_of_the_bank_brings_its_text_and_its_points(out: Path, run: Run) -> None:
    made = run(
        "ada,concat_heads,5,axes,", "ben,concat_heads,,axes,-1", rubric=RUBRIC.partition("[comments")[0]
    )
    assert [mark.comments[0].text for mark in made.marks if mark.id in ("ada", "ben")] == ["axes", "axes"]
    made = run("ada,concat_heads,5,axes,", "ben,concat_heads,,axes,-1", rubric=RUBRIC)
    [ada] = [mark for mark in made.marks if mark.id == "ada"]
    assert (ada.comments[0].text, ada.override("concat_heads").points) == ("The axes change places.", 1.75)
    assert points(made, "ben")[0] == 2.0


def test_an_override_counts_in_place_of_the_points_of_a_comment_and_the_row_is_told(
    out: Path, run: Run
) -> None:
    (out / "overrides.csv").write_text("id,exercise,points\nada,concat_heads,1.5\n")
    made = run("ada,concat_heads,,shorter,-0.5")
    assert points(made, "ada")[0] == 2.5
    assert any("row 2, 'ada', concat_heads: its points do not count" in note for note in made.notes)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (",concat_heads,5,x", "row 2 is left out: it needs an id."),
        ("ada,,5,x", "row 2 is left out: a line and points need an exercise."),
        ("ada,concat_heads,five,x", "row 2 is left out: a line is a number from 1 on, and not 'five'."),
        ("ada,concat_heads,,x,1_0", "row 2 is left out: points are a number, such as -0.5, and not '1_0'."),
        ("ada,concat_heads,5,", "row 2 is left out: it has neither a text nor points."),
        ("zoe,concat_heads,5,x", "row 2, 'zoe', concat_heads: nobody has this id."),
        ("ada,joining,5,x", "row 2, 'ada', joining: the assignment has no such exercise;"),
        ("ada,concat_heads,99,x", "row 2, 'ada', concat_heads: line 99 is none of the code that"),
        ("e1,concat_heads,5,x", "row 2, 'e1', concat_heads: nothing of theirs is graded"),
        ("ada,concat_heads,5,axse", "no comment has the code 'axse' (there is axes)"),
    ],
)
def test_a_bad_row_is_told_once_with_file_and_row_and_costs_no_other(run: Run, row: str, said: str) -> None:
    made = run(row, "ben,split_heads,5,look again,-0.5", rubric=RUBRIC)
    [told] = [note for note in made.notes if note.startswith("comments.csv")]
    assert said in told
    assert any(mark.comments for mark in made.marks if mark.id == "ben")


@pytest.mark.parametrize(
    ("rubric", "said"),
    [
        ("[questions.why]\ntitle = 'Why?'\n", "rubric.toml, [questions.why] is left out: it needs points"),
        ("[questions.why]\npoints = 2\n", "rubric.toml, [questions.why] is left out: it needs a title."),
        ("[comments.x]\ntxt = 'x'\n", "rubric.toml, [comments.x] is left out: it has a key txt"),
        ("[question.why]\n", "rubric.toml: a table [question] is unknown"),
        ("[questions", "rubric.toml cannot be read"),
    ],
)
def test_a_bad_entry_of_the_rubric_is_told(run: Run, rubric: str, said: str) -> None:
    assert any(said in note for note in run(rubric=rubric).notes)


def test_a_question_is_undecided_until_somebody_gives_its_points(out: Path, run: Run) -> None:
    made = run(rubric=RUBRIC)
    assert {(mark.max_points, mark.undecided) for mark in made.marks if mark.machine is not None} == {
        (6.0, 2.0)
    }
    (out / "overrides.csv").write_text("id,exercise,points,comment\nada,why,1.5,nearly\n")
    made = run("ben,why,,right,2", rubric=RUBRIC)
    assert points(made, "ada") == (4.5, 0.0)
    assert points(made, "ben") == (5.0, 0.0)
    assert points(made, "team") == (3.0, 2.0)
    assert made.results[0].points == 4.5  # as the sum of its exercises


def test_a_question_with_the_name_of_an_exercise_is_told_and_not_asked(run: Run) -> None:
    made = run(rubric="[questions.split_heads]\ntitle = 'Why?'\npoints = 2\n")
    assert any("[questions.split_heads]: an exercise has this name" in note for note in made.notes)
    assert points(made, "ada") == (3.0, 0.0)


def test_an_answer_is_on_the_page_of_its_student_and_on_that_for_the_staff(out: Path, run: Run) -> None:
    run("ben,why,,right,2", rubric=RUBRIC)
    assert "The &lt;b&gt;variance&lt;/b&gt; grows with D." in page(out, "ada")
    results = [r for name in ("ada", "ben", "team") if (r := read_result(out, name))]
    publish_class(out, results, [])
    staff = (out / answers_page.PAGE).read_text(encoding="utf-8")
    assert "The &lt;b&gt;variance&lt;/b&gt; grows with D." in staff
    assert "No text with Question 1 was found." in staff
    (out / "rubric.toml").unlink()
    publish_class(out, results, [])
    assert not (out / answers_page.PAGE).exists()


def test_comments_are_in_feedback_and_questions_in_grades(run: Run) -> None:
    made = run("ada,split_heads,5,read it again", "ada,,,sign it", "ada,why,,right,2", rubric=RUBRIC)
    [ada] = [mark for mark in made.marks if mark.id == "ada"]
    said = feedback(ada, made.results[0])
    assert "Splitting, line 5: read it again; sign it; Why the root of D?: right (+2)" in said
    header, first, *_ = grades_csv(made.results, made.marks).splitlines()
    row = dict(zip(header.split(","), first.split(","), strict=False))
    assert (row["why"], row["why_outcome"], row["machine_points"]) == ("2", "passed", "3")


def test_a_comment_for_one_of_a_team_is_not_for_the_others(out: Path, run: Run) -> None:
    made = run("c1,split_heads,,you wrote this,-0.5")
    [team] = [mark for mark in made.marks if mark.id == "team"]
    assert [mark.points for mark in (team, *team.members)] == [3.0, 2.5]
    assert "you wrote this" not in page(out, "team")


def test_a_comment_on_other_files_than_those_that_count_is_told(out: Path, run: Run) -> None:
    run("ada,concat_heads,5,shorter")
    settle_class(out, [result("ada")])
    changed = result("ada")
    write_result(
        out, sample.result(*changed.exercises, id="ada", submission=SubmissionInfo("ada", (), "cd" * 32))
    )
    assert any(
        "row 2, 'ada', concat_heads: it is about other files" in n
        for n in run("ada,concat_heads,5,shorter").notes
    )


ROWS = (
    "ada,concat_heads,5,a,-0.3",
    "ada,concat_heads,,b,0.1",
    "ada,why,,c,1.2",
    "ada,why,,d,-0.7",
    "c1,why,,e,2",
)


@given(st.permutations(ROWS))
def test_marks_do_not_depend_on_the_order_of_the_rows(rows: Sequence[str]) -> None:
    with TemporaryDirectory() as folder:
        out = Path(folder)
        (out / "rubric.toml").write_text(RUBRIC, encoding="utf-8")
        (out / "comments.csv").write_text(
            "\n".join(("id,exercise,line,text,points", *rows)), encoding="utf-8"
        )
        team = HandIn("team", "team", students=("c1", "d1"))
        record = ClassRecord(
            "a made one", 4, students=(Student("c1"), Student("d1")), hand_ins=(team, HandIn("ada", "ada"))
        )
        save_class(out, record)
        marks = compute_run_marks(out, [result("ada"), result("team")]).marks
    made = [(mark.id, mark.points, [member.points for member in mark.members]) for mark in marks]
    assert made == [("ada", 3.3, []), ("team", 3.0, [5.0])]


@given(st.binary(max_size=300), st.binary(max_size=300))
def test_whatever_stands_in_the_files_is_read_or_told(rows: bytes, rubric: bytes) -> None:
    with TemporaryDirectory() as folder:
        out = Path(folder)
        (out / "comments.csv").write_bytes(b"id,exercise,line,text,points\nada," + rows)
        (out / "rubric.toml").write_bytes(b"[questions.why]\ntitle = " + rubric)
        read_rubric, notes = rubric_file.read(out)
        said, told = comments.read(out / "comments.csv", read_rubric.bank)
    assert read_rubric.questions or notes
    assert said or told


def test_why_says_comments_in_both_languages(out: Path, run: Run) -> None:
    run("ada,concat_heads,5,axes,", "ada,split_heads,,other", rubric=RUBRIC)
    said = CliRunner().invoke(main, ["why", str(out), "ada", "concat_heads", "--lang", "en"]).output
    assert "Joining the heads, line 5: The axes change places. (−0.25)" in " ".join(said.split())
    assert "other" not in said
    said = CliRunner().invoke(main, ["why", str(out), "ada", "--lang", "fr"]).output
    assert "ligne 5\N{NO-BREAK SPACE}: Les axes changent de place. (−0,25)" in " ".join(said.split(" "))


def test_why_shows_an_answer_with_what_was_said_of_it_alone(out: Path, run: Run) -> None:
    run("ada,why,,right,2", "ada,split_heads,,other", rubric=RUBRIC)
    (out / "overrides.csv").write_text("id,exercise,points,comment\nada,concat_heads,1,half\n")
    said = CliRunner().invoke(main, ["why", str(out), "ada", "why", "--lang", "en"]).output
    assert "The <b>variance</b> grows with D." in said
    assert "Why the root of D?: right (+2)" in said
    assert "other" not in said


def test_an_answer_ends_at_the_next_question_the_next_code_or_the_end() -> None:
    texts = [
        Text("a.ipynb", 2, "QUESTION 1: why?"),
        Text("a.ipynb", 3, "since it grows\n### Question 12\nno"),
        Text("a.ipynb", 5, "after code"),
        Text("b.md", None, "intro\nquestion 2\nyes\nand no"),
    ]
    found = find_answers(texts, ["Question 1", "Question 12", "Question 2", "Question 3"])
    assert found == [
        "QUESTION 1: why?\n\nsince it grows",
        "### Question 12\nno",
        "question 2\nyes\nand no",
        "",
    ]
