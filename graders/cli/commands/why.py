"""`softmark why`: why a student has the points that they have, for whoever answers a question about them."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console

from graders.batch.load_class import load_class
from graders.classroom.marks import Mark, Student
from graders.classroom.run_marks import compute_run_marks, make_marker
from graders.cli.course_option import course_option, use_kept_course
from graders.cli.exit_status import ALL_PASSED, fail
from graders.cli.language_option import lang_option, speak_as_results
from graders.cli.part_option import refuse_part
from graders.cli.translated_command import Command
from graders.language import tr, translatable
from graders.results.result import Outcome, Result
from reports import publish, terminal, words
from reports.gradebook.feedback import describe_comments, describe_regrade

MOST_ALIKE = 5  # ids that are listed where none is the one that was asked for


@click.command(cls=Command)
@click.argument("out", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("who", metavar="ID")
@click.argument("exercise", required=False)
@course_option
@lang_option
def why(out: Path, who: str, exercise: str | None) -> None:
    """Show why ID has the points in OUT: each check that is lost with its case, then how the mark is made.

    ID is a submission, or a student's id, address or user name; EXERCISE shows one exercise alone.

    fr: Montrer pourquoi ID a ses points dans OUT : chaque contrôle perdu avec son cas, puis la note.

        ID est un rendu, ou l'identifiant, l'adresse ou le nom d'utilisateur d'un étudiant ; EXERCISE ne
        montre qu'un exercice.
    """
    speak_as_results(out)
    refuse_part(out)
    use_kept_course(out)
    latest, unread = load_class(out)
    run = compute_run_marks(out, latest)
    results = {result.submission.id: result for result in run.results}
    mark = _choose_mark(out, who, run.marks, [*unread, *run.notes])
    console = Console(width=min(Console().width, terminal.WIDTH), highlight=False)
    if mark.machine is not None:
        counted, _ = make_marker(out)[0].count(out, _read(out, mark.id))
        _show_result(console, counted, exercise)
        for asked in counted.exercises if exercise else ():
            if asked.name == exercise and asked.answer:
                terminal.show_sentence(console, asked.answer)
    for sentence in [*_say_comments(mark, results, exercise), *_explain_mark(mark)]:
        terminal.show_sentence(console, sentence)
    sys.exit(ALL_PASSED)


def _choose_mark(out: Path, who: str, marks: Sequence[Mark], notes: Sequence[str]) -> Mark:
    """The mark of a submission or a student; where there is none, the notes may say why.

    Raises:
        click.UsageError: nobody is called so, or several are.
    """
    found = [mark for mark in marks if mark.id == who] or [m for m in marks if who.casefold() in _names(m)]
    if len(found) == 1:
        [mark] = found
        whose = [student for student in mark.team if who.casefold() in _names_of(student)]
        return mark.of(whose[0]) if len(whose) == 1 and who != mark.id else mark
    if found:
        ids = ", ".join(mark.id for mark in found)
        raise click.UsageError(tr("{who} may be each of these submissions: {ids}", who=who, ids=ids))
    for note in notes:
        click.echo(note, err=True)
    alike = [mark.id for mark in marks if any(who.casefold() in name for name in _names(mark))]
    told = tr("nobody in {out} has the id {who}", out=out, who=who)
    if alike:
        told += tr("; similar ones: {ids}", ids=", ".join(alike[:MOST_ALIKE]))
    raise click.UsageError(told)


def _names(mark: Mark) -> set[str]:
    students = [*mark.team, *([mark.student] if mark.student else [])]
    return {mark.id.casefold()}.union(*map(_names_of, students))


def _names_of(student: Student) -> set[str]:
    names = (student.id, student.name, student.email, student.username)
    return {name.casefold() for name in names if name}


def _read(out: Path, submission: str) -> Result:
    result = publish.read(out / submission / "result.json")
    if isinstance(result, str):
        fail(result)
    return result


def _show_result(console: Console, result: Result, exercise: str | None) -> None:
    """Print the exercises that lost points, or the one that is asked for."""
    names = [e.name for e in result.exercises]
    if exercise is not None and exercise not in names:
        message = translatable("there is no exercise {name!r}: there are {names}")
        raise click.UsageError(tr(message, name=exercise, names=", ".join(names)))
    lost = [e for e in result.exercises if e.points < e.max_points or e.outcome is not Outcome.PASSED]
    chosen = [e for e in result.exercises if e.name == exercise] if exercise else lost
    terminal.show(console, replace(result, exercises=tuple(chosen)), every=exercise is not None)


def _say_comments(mark: Mark, results: Mapping[str, Result], exercise: str | None) -> list[str]:
    """What people say of the submission, or of the exercise that is asked for."""
    comments = tuple(c for c in mark.comments if exercise in (None, c.exercise))
    overrides = tuple(o for o in mark.overrides if exercise in (None, o.exercise))
    about = replace(mark, comments=comments, overrides=overrides)
    return list(describe_comments(about, results.get(mark.id)))


def _explain_mark(mark: Mark) -> list[str]:
    """How the mark follows from the machine's points."""
    said = [tr("Please note: {what}.", what=mark.counts)] if mark.counts else []
    if mark.extension:
        said.append(tr("more time, until {at}", at=f"{mark.extension.due:%Y-%m-%d %H:%M %z}"))
    for override in mark.overrides:
        what = override.exercise or tr("the whole")
        set_to = tr("{what}: your instructor set {points}", what=what, points=words.points(override.points))
        said.append(f"{set_to} ({override.comment})" if override.comment else set_to)
    said.extend(describe_regrade(mark))
    if mark.late:
        said.append(
            tr("{late}: {points} points less", late=mark.late.says, points=words.points(mark.late.lost))
        )
    if mark.points is None:
        return [*said, tr("nothing was handed in, and no points were set")]
    if mark.held:
        said.append(tr("held back"))
    return [*said, tr("the mark: {total}", total=words.total(mark.points, mark.max_points, mark.undecided))]
