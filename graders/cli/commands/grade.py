"""`softmark grade`: a class, every submission of it that is not graded yet."""

from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import click

from graders.batch.class_options import ClassOptions
from graders.batch.part_record import Part
from graders.batch.regrade_policy import RegradePolicy
from graders.batch.results_folder import refuse_submissions, require_part
from graders.batch.reuse_class import reuse_class
from graders.cli.against_option import against_options, take_against
from graders.cli.cluster_options import certificates_option, cluster_option, take_cluster
from graders.cli.column_titles import ColumnTitles
from graders.cli.course_option import course_option, settle_course
from graders.cli.heads_option import heads_options, take_heads
from graders.cli.jobs_option import jobs_option
from graders.cli.kept_levels import read_levels
from graders.cli.language_option import lang_option
from graders.cli.link_option import link_option
from graders.cli.option_purpose import Purpose
from graders.cli.options import box_options, class_seed_option, corpus_option, threads_option
from graders.cli.parse_options import parse_box_options, refuse_unknown
from graders.cli.part_option import choose_seed, part_option, seed_file_option
from graders.cli.plain_file import PlainFile
from graders.cli.results_folder import wrong_usage
from graders.cli.show_grading import end_with, show_grading
from graders.cli.start import hand_over, is_parsed_again
from graders.cli.start_box import starting_interpreter
from graders.cli.timing_option import class_timing_option, plan_timing
from graders.cli.translated_command import Command, option
from graders.language import tr, translatable


@click.command(cls=Command)
@click.argument("what", type=click.Path(exists=True, path_type=Path))
@option(Purpose.WORK, "--assignment", required=True, help=translatable("The assignment's name."))
@option(
    Purpose.OUTPUT,
    "--out",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help=translatable("The folder for the results."),
)
@option(
    Purpose.SUBMISSIONS,
    "--roster",
    type=PlainFile(),
    help=translatable(
        "A CSV or .xlsx with ids, names, e-mails: any list, or Moodle's, Canvas's, Classroom 50's."
    ),
)
@option(
    Purpose.SUBMISSIONS,
    "--at",
    type=click.DateTime(["%Y-%m-%dT%H:%M%z", "%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"]),
    metavar="TIME",
    help=translatable(
        "Git repositories as they were at this time, such as 2026-11-20T23:59: the last commit up to it."
    ),
)
@option(
    Purpose.SUBMISSIONS,
    "--columns",
    type=ColumnTitles(),
    help=translatable(
        "Titles of the roster's columns, where softmark does not know them: name=TITLE,email=TITLE."
    ),
)
@option(
    Purpose.SUBMISSIONS,
    "--named",
    metavar="NAME",
    help=translatable(
        "What the platform calls the assignment, where that is another name: in nbgrader's folders, and in "
        "names of repositories."
    ),
)
@jobs_option
@corpus_option
@class_seed_option
@seed_file_option
@part_option
@option(
    Purpose.OUTPUT,
    "--notebooks",
    is_flag=True,
    help=translatable("Show each notebook itself beside its report."),
)
@option(
    Purpose.SUBMISSIONS,
    "--only",
    multiple=True,
    metavar="ID",
    help=translatable("This submission alone; may be given again."),
)
@option(
    Purpose.SUBMISSIONS,
    "--only-failed",
    is_flag=True,
    help=translatable("Grade again only submissions that have not passed everything."),
)
@option(
    Purpose.SUBMISSIONS, "--force", is_flag=True, help=translatable("Grade unchanged submissions again, too.")
)
@link_option
@against_options
@option(Purpose.BOX, "--unsafe", is_flag=True, help=translatable("Grade even if no box works here."))
@heads_options
@cluster_option
@certificates_option
@class_timing_option
@threads_option
@box_options
@course_option
@lang_option
def grade(
    what: Path,
    assignment: str,
    out: Path,
    roster: Path | None,
    at: datetime | None,
    jobs: int,
    corpus: str | None,
    seed: int | None,
    seed_file: int | None,
    part: Part | None,
    notebooks: bool,
    only: tuple[str, ...],
    only_failed: bool,
    force: bool,
    **options: Any,
) -> None:
    """Grade a class: WHAT is a folder with one folder or file per submission, or a platform's download.

    A submission that already has a result from the same files and settings is not graded again.

    fr: Corriger une classe : WHAT est un dossier avec un dossier ou un fichier par rendu, ou l'archive
        d'une plateforme.

        Un rendu qui a déjà un résultat, pour les mêmes fichiers et les mêmes réglages, n'est pas corrigé de
        nouveau.
    """
    seed = choose_seed(seed, seed_file)
    cluster, heads = take_cluster(options), take_heads(options)
    with wrong_usage():
        require_part(part, out, seeded=seed is not None, selects=bool(only or only_failed))
        refuse_submissions(out, what)
    settle_course(what, out)
    refuse_unknown(assignment)
    chosen = ClassOptions(
        out=out,
        roster=roster,
        at=at,
        columns=options.pop("columns") or {},
        named=options.pop("named"),
        link_to=options.pop("link_to"),
        only=only,
        part=part,
        regrade=_choose_policy(force, only_failed),
        notebooks=notebooks,
        seed=seed,
        corpus=corpus,
        jobs=jobs,
        timing=plan_timing(options.pop("timing"), options.pop("threads")),
        against=take_against(options, part),
        box=parse_box_options(**options),
    )
    if not (is_parsed_again() or cluster or heads):
        _end_if_all_is_graded(what, assignment, chosen)
    hand_over()
    with starting_interpreter(chosen.box) as started:
        from graders.cli.actions.grade import grade_submissions  # not before: it imports PyTorch

        grade_submissions(what, assignment, chosen, heads=heads, cluster=cluster, started=started)


def _end_if_all_is_graded(handed_in: Path, assignment: str, options: ClassOptions) -> None:
    """End the command where each result holds that is there: that needs neither a box nor PyTorch."""
    level = read_levels().taken_for(options.box.level)
    reuse = partial(reuse_class, handed_in, assignment, options, level=level)
    done = show_grading(lambda on_event: reuse(on_event=on_event))
    if done is not None:
        end_with(done, options)


def _choose_policy(force: bool, only_failed: bool) -> RegradePolicy:
    if only_failed and force:
        raise click.UsageError(tr("--force grades all again, and --only-failed some: give one of the two"))
    return RegradePolicy.ALL if force else RegradePolicy.FAILED if only_failed else RegradePolicy.CHANGED
