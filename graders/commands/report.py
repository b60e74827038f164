"""`softmark report`: the pages again, without grading."""

import sys
from pathlib import Path

import click

from graders.commands.exits import ALL_PASSED, OURS
from reports import publish


@click.command()
@click.argument("out", type=click.Path(exists=True, file_okay=False, path_type=Path))
def report(out: Path) -> None:
    """Make the pages and grades.csv in OUT again from its results, without grading again."""
    results, notes = publish.load(out)
    for result in results:
        publish.publish_one(out, result)
    publish.publish_class(out, results, notes)
    for note in notes:
        click.echo(note, err=True)
    click.echo(f"{len(results)} pages: {out / 'index.html'}")
    sys.exit(OURS if notes else ALL_PASSED)
