"""What `softmark key` does once its options are known to be right."""

import sys
from pathlib import Path
from typing import NoReturn

import click

from graders.cli.exit_status import ALL_PASSED, fail
from graders.cli.grading_options import load_chosen
from graders.cli.options import SEED
from graders.handout.make_key import make_key
from graders.handout.refused import Refused
from graders.language import tr
from graders.results.atomic_write import write_atomically


def write_key(name: str, out: Path, hints: bool) -> NoReturn:
    """Write the answer key of an assignment, with hints or without, and end with the status.

    Raises:
        click.UsageError: it cannot be written.
    """
    try:
        write_atomically(out.resolve(), make_key(load_chosen(name, ()), SEED, hints))
    except Refused as refused:
        fail(tr("no key is made: {reason}", reason=refused))
    except OSError as error:
        raise click.UsageError(tr("cannot write {out}: {reason}", out=out, reason=error.strerror)) from error
    click.echo(tr("written: {out}", out=out))
    sys.exit(ALL_PASSED)
