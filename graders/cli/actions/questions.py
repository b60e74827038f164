"""What `softmark questions` does once its options are known to be right."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from graders.batch.errors import CannotGrade, NoWall
from graders.batch.grade_submission import PRACTICE_SEED, open_grader
from graders.batch.load_class import load_class
from graders.batch.prepare_run import make_draws, open_walled
from graders.classroom.run_marks import compute_run_marks, make_marker
from graders.cli.exit_status import fail
from graders.cli.grading_options import load_chosen
from graders.cli.results_folder import wrong_usage
from graders.grade import Grader
from graders.judging.code_questions.make_questions import make_questions
from graders.language import list_names, tr, translatable, trn
from graders.results.atomic_write import write_atomically
from graders.results.code_questions import CodeQuestion, StudentQuestions
from graders.results.store import read_result
from graders.sandbox.box_options import BoxOptions
from graders.sandbox.interpreter import BoxBroken
from reports import publish
from reports.gradebook import moodle_quiz
from reports.pages import code_questions_page
from reports.pages.student_page import name_of
from reports.publish import shorten_reason

SHEETS, ANSWERS, QUIZ = "questions.html", "questions-staff.html", "questions.xml"


def ask_class(out: Path, to: Path, *, only: Sequence[str], each: int, box: BoxOptions) -> None:
    """Make the questions of a class, and write them.

    Args:
        out: the folder of the results.
        to: the folder to write.
        only: ids of submissions; all where there is none.
        each: how many questions a student gets.
        box: the box in which the code runs.

    Raises:
        click.UsageError: there is no such submission, or no box with a wall.
    """
    results, unread = load_class(out)
    for note in unread:
        click.echo(note, err=True)
    ids = [result.submission.id for result in results]
    if missing := sorted(set(only) - set(ids)):
        raise click.UsageError(tr("nobody in {out} has the id {who}", out=out, who=list_names(missing)))
    if not results:
        raise click.UsageError(tr("there are no results in {out}", out=out))
    chosen = load_chosen(results[0].assignment)
    with wrong_usage():
        try:
            opened, _ = open_walled(box)
        except NoWall as error:
            message = tr(
                "no box with a wall holds here (softmark doctor says why): code of students is not run"
            )
            raise CannotGrade(message) from error
    draws = make_draws(box, PRACTICE_SEED, opened.level)  # those of a class stay secret
    try:
        asked = sorted(set(only) or set(ids))
        with open_grader(chosen, chosen, box=opened, draws=draws, timing=None) as grader:
            students = [*_ask_each(out, asked, grader, each)]
        draws.save()
        _write(to, results[0].title, students)
    except BoxBroken as error:
        fail(str(error))
    except OSError as error:
        fail(tr("cannot write: {reason}", reason=error))
    _tell(to, students, each)


def _ask_each(out: Path, ids: Sequence[str], grader: Grader, each: int) -> Iterator[StudentQuestions]:
    exercises = {exercise.name for exercise in grader.assignment.exercises if exercise.rule is None}
    marker = make_marker(out)[0]
    marks = {mark.id: mark for mark in compute_run_marks(out, load_class(out)[0]).marks}
    for id in ids:  # noqa: A001 - the field's name everywhere
        latest = read_result(out, id)
        if latest is not None:
            counted, _ = marker.count(out, latest)
            asked = list[CodeQuestion]()
            try:
                asked = make_questions(
                    counted, exercises, lambda name, path: grader.only((name,)).judge_at(path), each
                )
            except BoxBroken:
                raise
            except Exception as error:  # a fault of ours on one student must not cost the others their sheets
                message = translatable("softmark itself failed on the code of {id} ({reason})")
                click.echo(tr(message, id=id, reason=shorten_reason(error)), err=True)
            yield StudentQuestions(id, name_of(id, marks.get(id)), tuple(asked))


def _write(to: Path, title: str, students: Sequence[StudentQuestions]) -> None:
    asked = [student for student in students if student.questions]
    publish.write(to / SHEETS, code_questions_page.render(title, asked, with_answers=False))
    publish.write(to / ANSWERS, code_questions_page.render(title, asked, with_answers=True))
    write_atomically(to / QUIZ, moodle_quiz.render(title, asked))


def _tell(to: Path, students: Sequence[StudentQuestions], each: int) -> None:
    count = sum(len(student.questions) for student in students)
    says = trn(
        "{n} question for {students} students: {to}",
        "{n} questions for {students} students: {to}",
        count,
        students=len(students),
        to=to,
    )
    click.echo(says)
    if fewer := [student.id for student in students if len(student.questions) < each]:
        message = translatable("fewer than {each}, since code that does not run leaves none: {names}")
        click.echo(tr(message, each=each, names=list_names(fewer)))
