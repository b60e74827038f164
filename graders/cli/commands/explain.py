"""`softmark explain`: more about what softmark says."""

import click

from graders.cli.language_option import lang_option
from graders.cli.translated_command import Command
from graders.help.topics import TOPICS, read_topic


@click.command(cls=Command)
@click.argument("topic", required=False, type=click.Choice(TOPICS), metavar="[TOPIC]")
@lang_option
def explain(topic: str | None) -> None:
    """Read more about what softmark says: TOPIC is what a message names; without it, all is shown.

    fr: En lire plus sur ce que dit softmark : TOPIC est le sujet qu'un message nomme ; sans lui, tout est
        affiché.
    """
    for name in [topic] if topic else TOPICS:
        click.echo(read_topic(name))
