"""`softmark compare`: two gradings side by side, of one class before and after a change, or of two years."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console

from graders.batch.load_class import load_class
from graders.classroom.run_marks import compute_run_marks
from graders.cli.course_option import course_option, use_kept_course
from graders.cli.exit_status import ALL_PASSED
from graders.cli.language_option import lang_option, speak_as_results
from graders.cli.option_purpose import Purpose
from graders.cli.part_option import refuse_part
from graders.cli.translated_command import Command, option
from graders.language import number, tr, translatable, trn
from graders.results.result import Result
from reports import terminal, words
from reports.class_statistics.compare import (
    ChangedPerson,
    ChangedShare,
    changed_checks,
    changed_mistakes,
    changed_people,
    count_both,
)

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command(cls=Command)
@click.argument("old", type=_FOLDER)
@click.argument("new", type=_FOLDER)
@option(
    Purpose.OUTPUT,
    "--most",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help=translatable("How many lines of each list are shown."),
)
@course_option
@lang_option
def compare(old: Path, new: Path, most: int) -> None:
    """Compare the results in OLD and NEW: who has other points and why, and what more or fewer fail.

    fr: Comparer les résultats de OLD et de NEW : qui a d'autres points et pourquoi, et ce que plus ou moins
        d'étudiants ratent.
    """
    speak_as_results(new)
    use_kept_course(new)
    classes = []
    for folder in (old, new):
        refuse_part(folder)
        results, notes = load_class(folder)
        for note in notes:
            click.echo(note, err=True)
        classes.append(compute_run_marks(folder, results).results)
    console = Console(width=min(Console().width, terminal.WIDTH), highlight=False)
    for line in _people(*classes, most=most):
        terminal.show_sentence(console, line)
    for title, shares in (
        (tr("Checks that more or fewer fail:"), changed_checks(*classes)),
        (tr("Known mistakes that more or fewer make:"), changed_mistakes(*classes)),
    ):
        for line in _shares(title, shares, most):
            terminal.show_sentence(console, line)
    sys.exit(ALL_PASSED)


def _people(old: Sequence[Result], new: Sequence[Result], *, most: int) -> list[str]:
    """Who gains and who loses, by which checks."""
    both, changed = count_both(old, new), changed_people(old, new)
    if not both:
        return [tr("no submission is in both")]
    gain = sum(person.gained > 0 for person in changed)
    lose = sum(person.gained < 0 for person in changed)
    said = tr(
        "{n} submissions are in both: {gain} gain points, {lose} lose some", n=both, gain=gain, lose=lose
    )
    return [said, *(_person(person) for person in changed[:most]), *_beyond(changed, most)]


def _person(person: ChangedPerson) -> str:
    by = "; ".join(
        f"{each.title}{f' ({each.says})' if each.says else ''} {_signed(each.after - each.before)}"
        for each in person.by
    )
    return f"  {person.id}  {words.points(person.before)} → {words.points(person.after)}  {by}"


def _shares(title: str, shares: Sequence[ChangedShare], most: int) -> list[str]:
    lines = [
        f"  {number(share.before, '.0%')} → {number(share.after, '.0%')}  {share.title}: {share.what}"
        for share in shares[:most]
    ]
    return ["", title, *lines, *_beyond(shares, most)] if lines else []


def _beyond(every: Sequence[object], most: int) -> list[str]:
    left = len(every) - most
    return [f"  {trn('and {n} more', 'and {n} more', left)}"] if left > 0 else []


def _signed(points: float) -> str:
    return number(round(points, 2), "+g")
