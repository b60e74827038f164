"""`--lang`: the language of all that a command says and writes."""

import click

from graders.language import LANGUAGES, Language, speak, usual


def _spoken(context: click.Context, parameter: click.Parameter, value: Language) -> None:  # noqa: ARG001
    speak(value)


lang_option = click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    default=usual,
    envvar="SOFTMARK_LANG",
    is_eager=True,
    expose_value=False,
    callback=_spoken,
    help="The language of what is said.  [default: the locale's]",
)
