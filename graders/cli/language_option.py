"""`--lang`: the language of all that a command says and writes."""

import os
from collections.abc import Sequence

import click
from click.core import ParameterSource

from graders.language import LANGUAGES, Language, speak, translatable, usual

VARIABLE = "SOFTMARK_LANG"
_OPTION = "--lang"


def _spoken(context: click.Context, parameter: click.Parameter, value: Language) -> None:
    # Where nothing was said, `softmark` itself has found the language already.
    if (
        context.parent is None
        or context.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE
    ):
        speak(value)


_HELP = translatable("The language of what is said.  [default: the locale's]")
_CHOICE = click.Choice(LANGUAGES)
lang_option = click.option(
    _OPTION,
    type=_CHOICE,
    default=usual,
    envvar=VARIABLE,
    is_eager=True,
    expose_value=False,
    callback=_spoken,
    help=_HELP,
)
# Of `softmark` itself, which has called `speak_as_asked`.
whole_lang_option = click.option(_OPTION, type=_CHOICE, expose_value=False, help=_HELP)


def speak_as_asked(arguments: Sequence[str]) -> None:
    """Speak the language that these arguments ask for, wherever they do; else the variable's or the locale's.

    Before anything else is read of them, since help and wrong usage are said in a language, too.
    """
    asked = [os.environ.get(VARIABLE, "")]
    for word, after in zip(arguments, [*arguments[1:], ""], strict=True):
        name, equals, value = word.partition("=")
        asked += [value if equals else after] if name == _OPTION else []
    languages = [language for word in asked for language in LANGUAGES if language == word]
    speak(languages[-1] if languages else usual())
