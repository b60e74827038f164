"""`softmark questions`: questions for each student about their own code, on paper and for Moodle."""

import sys
from pathlib import Path
from typing import Any

import click

from graders.cli.course_option import course_option, use_kept_course
from graders.cli.exit_status import ALL_PASSED
from graders.cli.language_option import lang_option, speak_as_results
from graders.cli.option_purpose import Purpose
from graders.cli.options import box_options
from graders.cli.parse_options import parse_box_options
from graders.cli.part_option import refuse_part
from graders.cli.results_folder import make_folder
from graders.cli.start import hand_over
from graders.cli.translated_command import Command, option
from graders.language import translatable


@click.command(cls=Command)
@click.argument("out", type=click.Path(exists=True, file_okay=False, path_type=Path))
@option(
    Purpose.OUTPUT,
    "--to",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help=translatable(
        "The folder to write: questions.html to print, questions-staff.html with the answers, and "
        "questions.xml for Moodle."
    ),
)
@option(
    Purpose.WORK,
    "--each",
    type=click.IntRange(1, 10),
    default=3,
    show_default=True,
    help=translatable("How many questions each student gets."),
)
@option(
    Purpose.SUBMISSIONS,
    "--only",
    multiple=True,
    metavar="ID",
    help=translatable("Only this submission; repeatable."),
)
@box_options
@course_option
@lang_option
def questions(out: Path, to: Path, each: int, only: tuple[str, ...], **options: Any) -> None:
    """Ask each student in OUT about their own code: shapes, values, lines, and what another line would do.

    The answers come from running the code in the box. No point depends on them.

    fr: Interroger chaque étudiant de OUT sur son propre code : formes, valeurs, lignes, et ce que ferait une
        autre ligne.

        Les réponses viennent de l'exécution du code dans le bac à sable. Aucun point n'en dépend.
    """
    speak_as_results(out)
    refuse_part(out)
    use_kept_course(out, with_files=True)
    wanted = parse_box_options(**options)
    make_folder(to)
    hand_over()
    from graders.cli.actions.questions import ask_class  # not before: PyTorch

    ask_class(out, to, only=only, each=each, box=wanted)
    sys.exit(ALL_PASSED)
