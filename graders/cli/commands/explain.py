"""`softmark explain`: more about what softmark says."""

import click

from graders.cli.language_option import lang_option
from graders.cli.translated_command import Command, section
from graders.help.topics import TOPICS, read_title, read_topic
from graders.language import translatable

_TOPICS = translatable("Topics:")


class _Explain(Command):
    """Lists the topics in its help."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with section(formatter, _TOPICS):
            formatter.write_dl([(topic, read_title(topic)) for topic in TOPICS])
        super().format_options(ctx, formatter)


@click.command(cls=_Explain)
@click.argument("topic", required=False, type=click.Choice(TOPICS), metavar="[TOPIC]")
@lang_option
def explain(topic: str | None) -> None:
    """Read more about what softmark says: TOPIC is what a message names; without it, all is shown.

    fr: En lire plus sur ce que dit softmark : TOPIC est le sujet qu'un message nomme ; sans lui, tout est
        affiché.
    """
    for name in [topic] if topic else TOPICS:
        click.echo(read_topic(name))
