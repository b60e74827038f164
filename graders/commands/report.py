"""`softmark report`: the pages again, without grading."""

import sys
from pathlib import Path

import click

from graders.commands.exits import ALL_PASSED, OURS
from graders.commands.published import publish_marked
from reports import publish


@click.command()
@click.argument("out", type=click.Path(exists=True, file_okay=False, path_type=Path))
def report(out: Path) -> None:
    """Make the pages and grades.csv in OUT again from its results, without grading again."""
    results, unread = publish.load(out)
    for note in publish_marked(out, (results, unread), anew=True):
        click.echo(note, err=True)
    click.echo(f"{len(results)} pages: {out / 'index.html'}")
    sys.exit(OURS if unread else ALL_PASSED)
