"""`softmark audit`: do the checks catch every known mistake, and refuse no right answer?"""

import tomllib
from pathlib import Path
from typing import Any

import click

from graders.audit.depth import QUICK, Depth
from graders.audit.write_spaces import write_spaces
from graders.cli.course_option import course_option
from graders.cli.jobs_option import jobs_option
from graders.cli.language_option import lang_option
from graders.cli.option_purpose import Purpose
from graders.cli.options import box_options, seed_option
from graders.cli.parse_options import parse_box_options
from graders.cli.results_folder import make_folder
from graders.cli.start import hand_over
from graders.cli.translated_command import Command, option
from graders.course.course_table import BadCourse
from graders.course.outline import UnknownName, refuse_unknown
from graders.language import tr, translatable
from graders.locations import course


@click.command(cls=Command)
@click.argument("name", required=False)
@option(
    Purpose.OUTPUT,
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help=translatable("Write a page here; for its tables every check is tried on every mistake."),
)
@option(
    Purpose.WORK,
    "--with-key",
    is_flag=True,
    help=translatable("Judge answers with an answer key too: a difference is a gap."),
)
@option(
    Purpose.WORK,
    "--quick",
    is_flag=True,
    help=translatable("Try right answers on two draws of each check and the longest; by default on all."),
)
@option(
    Purpose.WORK,
    "--fix",
    is_flag=True,
    help=translatable("First write the no-break spaces that French needs into the files."),
)
@option(
    Purpose.WORK,
    "--styles",
    type=click.IntRange(min=0),
    metavar="N",
    help=translatable(
        "Instead, rewrite known answers as other people would write them, N times for each exercise: the "
        "verdict must stay. --out gets the code of those whose verdict changed. With 0, hand in each known "
        "mistake as it is: it must be named as itself."
    ),
)
@option(
    Purpose.WORK,
    "--seeds",
    type=click.IntRange(min=2),
    metavar="N",
    help=translatable(
        "Instead, grade all known answers under N seeds, from --seed on: no answer may change its points."
    ),
)
@option(
    Purpose.WORK,
    "--names",
    is_flag=True,
    help=translatable(
        "Instead, say by which draw and how far each known mistake is told apart from what is nearest to it: "
        "a pair that no draw tells apart is a gap. --out gets a page and JSON."
    ),
)
@option(
    Purpose.WORK,
    "--neighbours",
    type=click.IntRange(min=1),
    metavar="N",
    help=translatable(
        "Instead, change one small thing in known answers, N times for each exercise: no mistake may be "
        "named that the code does not make. --out gets the code that is named falsely."
    ),
)
@option(
    Purpose.WORK,
    "--draws",
    type=click.IntRange(min=1),
    metavar="N",
    help=translatable(
        "Instead, say for each check which of its draws show which known mistakes, and which of N right "
        "answers with one small change: what further draws alone show is a gap. --out gets a page and JSON."
    ),
)
@jobs_option
@seed_option
@box_options
@course_option
@lang_option
def audit(
    name: str | None,
    out: Path | None,
    jobs: int,
    seed: int,
    with_key: bool,
    quick: bool,
    fix: bool,
    styles: int | None,
    seeds: int | None,
    names: bool,
    neighbours: int | None,
    draws: int | None,
    **options: Any,
) -> None:
    """Test the checks: does each known mistake fail, and does each right answer pass?

    NAME is an assignment or an exercise; without it, all are audited.

    fr: Éprouver les vérifications : chaque erreur connue échoue-t-elle, et chaque réponse juste
        réussit-elle ?

        NAME est un devoir ou un exercice ; sans lui, tout est passé en revue.
    """
    if out is not None:
        make_folder(out)
    depth = Depth(every_check=out is not None, with_key=with_key, draws=QUICK if quick else None)
    wanted = parse_box_options(**options)
    try:
        if name is not None:
            refuse_unknown(name)
        hand_over()
        if fix:
            _write_spaces(name)
        from graders.cli.actions.audit import (  # not before: PyTorch
            audit_draws,
            audit_exercises,
            audit_names,
            audit_neighbours,
            audit_seeds,
            audit_styles,
        )

        if styles is not None:
            audit_styles(name=name, out=out, jobs=jobs, seed=seed, count=styles, asked=wanted)
        if seeds is not None:
            audit_seeds(name=name, jobs=jobs, seed=seed, count=seeds, asked=wanted)
        if names:
            audit_names(name=name, out=out, jobs=jobs, seed=seed, asked=wanted)
        if neighbours is not None:
            audit_neighbours(name=name, out=out, jobs=jobs, seed=seed, count=neighbours, asked=wanted)
        if draws is not None:
            audit_draws(name=name, out=out, jobs=jobs, seed=seed, count=draws, asked=wanted)
        audit_exercises(name=name, out=out, jobs=jobs, seed=seed, depth=depth, asked=wanted)
    except (UnknownName, BadCourse) as error:
        raise click.UsageError(str(error)) from error
    except tomllib.TOMLDecodeError as error:
        message = tr("{file} is no TOML: correct it: {error}", file=course().name, error=error)
        raise click.UsageError(message) from error


def _write_spaces(name: str | None) -> None:
    """Write the no-break spaces that are missing, and say where."""
    try:
        for place in write_spaces(name):
            message = translatable("{file}, line {line}: no-break space written: {words}")
            click.echo(tr(message, file=place.file, line=place.line, words=place.words))
    except OSError as error:
        message = translatable("cannot write {file}: {reason}")
        raise click.UsageError(tr(message, file=error.filename, reason=error.strerror)) from error
