"""`softmark corpus`: the text that students train on."""

from collections.abc import Iterator
from pathlib import Path

import click

from graders.cli.language_option import lang_option
from graders.cli.option_purpose import Purpose
from graders.cli.options import seed_option
from graders.cli.translated_command import Command, option
from graders.corpora.bigram import bits
from graders.corpora.catalogue import NoCorpus
from graders.corpora.catalogue import corpus as corpus_of
from graders.corpora.corpus import Corpus
from graders.help.topics import with_topic
from graders.language import number, tr, translatable
from graders.results.atomic_write import write_atomically


@click.command(cls=Command)
@click.argument("name", metavar="NAME")
@option(
    Purpose.OUTPUT,
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help=translatable("Write the text to this file."),
)
@seed_option
@lang_option
def corpus(name: str, out: Path | None, seed: int) -> None:
    """Give out the text to train on, without the part that models are judged on.

    NAME is shakespeare, french, grammar, names, or the path of a text file.

    fr: Donner le texte d'entraînement, sans la partie sur laquelle les modèles sont jugés.

        NAME est shakespeare, french, grammar, names, ou le chemin d'un fichier texte.
    """
    try:
        chosen = corpus_of(name, seed)
    except NoCorpus as error:
        raise click.UsageError(with_topic(error, "corpus")) from error
    if out is not None:
        try:
            write_atomically(out, chosen.train.encode())
        except OSError as error:
            raise click.UsageError(
                tr("cannot write {file}: {reason}", file=out, reason=error.strerror)
            ) from error
    for line in _describe(chosen):
        click.echo(line)


def _describe(chosen: Corpus) -> Iterator[str]:
    train, held_out = number(len(chosen.train), ","), number(len(chosen.held_out), ",")
    message = translatable("{name}: {train} characters to train on, {held_out} held out")
    yield tr(message, name=chosen.name, train=train, held_out=held_out)
    yield tr("{n} different characters", n=len(set(chosen.train)))
    message = translatable("a bigram's loss on the held-out text: {loss} bits per character")
    yield tr(message, loss=number(bits(chosen.train, chosen.held_out), ".3f"))
    if chosen.entropy is not None:
        yield tr("the best possible loss: {loss} bits per character", loss=number(chosen.entropy, ".3f"))
