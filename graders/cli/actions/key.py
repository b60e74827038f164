"""What `softmark key` does once its options are known to be right."""

import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import NoReturn

import click

from graders.batch.process_pool import default_jobs
from graders.cli.exit_status import ALL_PASSED, fail
from graders.cli.grading_options import load_chosen
from graders.cli.options import SEED
from graders.cli.progress import follow
from graders.course.exercise import Assignment
from graders.handout.kept_parts import missing_pieces, pack_or_read
from graders.handout.make_key import MadePiece, make_key, pieces_of, symbols_of
from graders.handout.piece_costs import TimeLeft, weigh
from graders.handout.refused import HandoutRefused
from graders.language import number, tr, trn
from graders.results.atomic_write import write_atomically

MOST_JOBS = 4  # processes that make parts of a key: each takes most of a gigabyte


def write_key(name: str, out: Path, hints: bool) -> NoReturn:
    """Write the answer key of an assignment, with hints or without, and end with the status.

    Raises:
        click.UsageError: it cannot be written.
    """
    try:
        write_atomically(out.resolve(), make_and_show(load_chosen(name), hints))
    except HandoutRefused as refused:
        fail(tr("no key is made: {reason}", reason=refused))
    except OSError as error:
        raise click.UsageError(tr("cannot write {out}: {reason}", out=out, reason=error.strerror)) from error
    click.echo(tr("written: {out}", out=out))
    sys.exit(ALL_PASSED)


def make_and_show(assignment: Assignment, hints: bool) -> bytes:
    """The answer key of an assignment; how far it is stands on standard error.

    Raises:
        HandoutRefused: no key can be made.
    """
    pieces, jobs = pieces_of(assignment), min(default_jobs(), MOST_JOBS)
    missing = missing_pieces(pieces, SEED, hints, symbols_of(pieces))

    def shown(made: Iterable[MadePiece]) -> Iterable[MadePiece]:
        label = trn("{n} part of the key", "{n} parts of the key", len(pieces))
        left = TimeLeft(weigh(pieces), missing, jobs)
        return follow(items=made, total=len(pieces), label=label, notes=_size, noted=_megabytes, left=left)

    return make_key(assignment, SEED, hints, shown, partial(pack_or_read, jobs=jobs))


def _size(made: MadePiece) -> int:
    return sum(map(len, made.files.values()))


def _megabytes(size: int) -> str:
    return tr("{n} MB unpacked", n=number(size / 1e6, ".1f"))
