"""`softmark corpus`: the text that students train on."""

from pathlib import Path

import click

from graders.commands.exits import fail
from graders.corpora.bigram import bits
from graders.corpora.shelf import NoCorpus
from graders.corpora.shelf import corpus as corpus_of
from graders.options import seed_option
from graders.whole import write_whole


@click.command()
@click.argument("name", metavar="NAME")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the text to this file.")
@seed_option
def corpus(name: str, out: Path | None, seed: int) -> None:
    """Give out the text to train on, without the part that models are judged on.

    NAME is shakespeare, french, grammar, or the path of a text file.
    """
    try:
        found = corpus_of(name, seed)
    except NoCorpus as error:
        raise click.UsageError(str(error)) from error
    if out is not None:
        try:
            write_whole(out, found.train.encode())
        except OSError as error:
            fail(f"cannot write {out}: {error.strerror}")
    click.echo(f"{found.name}: {len(found.train):,} characters to train on, {len(found.held_out):,} held out")
    click.echo(f"{len(set(found.train))} different characters")
    click.echo(
        f"a bigram's loss on the held-out text: {bits(found.train, found.held_out):.3f} bits per character"
    )
    if found.entropy is not None:
        click.echo(f"the best possible loss: {found.entropy:.3f} bits per character")
