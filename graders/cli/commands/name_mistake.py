"""`softmark name-mistake`: begin a known mistake that a group of a class makes."""

from pathlib import Path

import click

from graders.batch.load_class import load_class
from graders.cli.course_option import course_option, use_kept_course
from graders.cli.exit_status import fail
from graders.cli.language_option import lang_option, speak_as_results
from graders.cli.option_purpose import Purpose
from graders.cli.part_option import refuse_part
from graders.cli.translated_command import Command, option
from graders.course.new_mistake import begin_mistake
from graders.course.new_names import BadName, refuse_outside
from graders.language import tr, translatable
from graders.locations import course
from graders.results.result import ExerciseResult
from graders.results.write_together import write_together
from reports import publish
from reports.class_statistics.similar import SameFailures, group_by_answers


@click.command(cls=Command, name="name-mistake")
@click.argument("out", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("name", metavar="NAME")
@option(
    Purpose.WORK,
    "--group",
    type=click.IntRange(min=1),
    required=True,
    help=translatable('The group\'s number on the class page, under "Stuck on the same".'),
)
@course_option
@lang_option
def name_mistake(out: Path, name: str, group: int) -> None:
    """Begin a known mistake out of answers that are alike, which no known mistake explains.

    NAME is what the mistake is to be called. It is written below the exercise's solution, with the code of
    one student as a comment: change it until it answers as they do, and write the hint.

    fr: Commencer une erreur connue à partir de réponses semblables qu'aucune erreur connue n'explique.

        NAME est le nom de l'erreur. Elle est écrite sous la solution de l'exercice, avec le code d'un
        étudiant en commentaire : modifiez-la jusqu'à ce qu'elle réponde comme eux, et écrivez l'indication.
    """
    speak_as_results(out)
    refuse_part(out)
    use_kept_course(out, with_files=True)
    chosen = _choose_group(out, group)
    written = _shortest(out, chosen)
    path = course().own.solutions / f"{chosen.exercise}.py"
    try:
        refuse_outside([path])
        code = written.definitions[0].code
        text = begin_mistake(chosen.exercise, written.symbol, name, code, len(chosen.ids))
        write_together({}, {path: text}) if path.exists() else write_together({path: text}, {})
    except BadName as error:
        raise click.UsageError(str(error)) from error
    except OSError as error:
        fail(tr("cannot write: {reason}", reason=error))
    click.echo(tr("written: {path}", path=path))
    said = translatable(
        "Change it until it answers as they do: `softmark audit {exercise}` says what is missing. "
        "Then `softmark grade` with `--only-failed` names it for all who make it."
    )
    click.echo(tr(said, exercise=chosen.exercise))


def _choose_group(out: Path, number: int) -> SameFailures:
    """The group of this number on the class page.

    Raises:
        click.UsageError: there is none, or a known mistake explains it.
    """
    results, notes = load_class(out)
    for note in notes:
        click.echo(note, err=True)
    groups = group_by_answers(results)
    if number > len(groups):
        message = tr(
            "{out} has no group {number}: the last one is {last}", out=out, number=number, last=len(groups)
        )
        raise click.UsageError(message)
    chosen = groups[number - 1]
    if not chosen.answer_alike:
        alike = ", ".join(str(n) for n, g in enumerate(groups, 1) if g.answer_alike) or "-"
        message = translatable(
            "group {number} makes known mistakes, or its answers could not be compared; groups whose answers "
            "are alike and that no known mistake explains: {alike}"
        )
        raise click.UsageError(tr(message, number=number, alike=alike))
    return chosen


def _shortest(out: Path, group: SameFailures) -> ExerciseResult:
    """What the member of a group handed in whose code is the shortest.

    Raises:
        click.UsageError: the results have no code.
    """
    read = (publish.read(out / member / "result.json") for member in group.ids)
    exercises = (e for result in read if not isinstance(result, str) for e in result.exercises)
    own = [e for e in exercises if e.name == group.exercise and e.definitions]
    if not own:
        raise click.UsageError(tr("the results in {out} have no code of this group", out=out))
    return min(own, key=lambda e: len(e.definitions[0].code))
