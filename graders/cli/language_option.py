"""`--lang`: the language of a command's output."""

import itertools
import os
from collections.abc import Sequence
from pathlib import Path

import click
from click.core import ParameterSource

from graders.cli.option_purpose import Purpose
from graders.cli.translated_command import option
from graders.language import LANGUAGES, Language, current_language, default_language, speak, translatable
from graders.results.store import language_of_results

VARIABLE = "SOFTMARK_LANG"
_OPTION = "--lang"


def _set_language(context: click.Context, parameter: click.Parameter, value: Language) -> None:
    # Without `--lang`, `softmark` itself has chosen the language already.
    if (
        context.parent is None
        or context.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE
    ):
        speak(value)


_HELP = translatable("The language of what is said.  [default: the locale's]")
_CHOICE = click.Choice(LANGUAGES)
lang_option = option(
    Purpose.GENERAL,
    _OPTION,
    type=_CHOICE,
    default=default_language,
    envvar=VARIABLE,
    is_eager=True,
    expose_value=False,
    callback=_set_language,
    help=_HELP,
)
# For `softmark` itself, which has called `speak_as_asked` before.
whole_lang_option = option(Purpose.GENERAL, _OPTION, type=_CHOICE, expose_value=False, help=_HELP)


def speak_as_results(out: Path) -> None:
    """Within a command without `--lang`, use the language of the results in `out`, if they say one."""
    if not _is_asked():
        speak_as(language_of_results(out))


def speak_as(language: str | None) -> None:
    """Within a command without `--lang`, use this language, if it is one that softmark speaks."""
    if not _is_asked():
        speak(next((known for known in LANGUAGES if known == language), current_language()))


def _is_asked() -> bool:
    """Whether the current command was given `--lang`."""
    context = click.get_current_context()
    while context is not None:
        if context.get_parameter_source("lang") is ParameterSource.COMMANDLINE:
            return True
        context = context.parent  # type: ignore[assignment]
    return False


def speak_as_asked(arguments: Sequence[str]) -> None:
    """Set the language that the arguments ask for; otherwise the variable's or the locale's.

    Called before the arguments are parsed, since help and usage errors are translated, too.
    """
    asked = [os.environ.get(VARIABLE, "")]
    for word, after in itertools.pairwise([*arguments, ""]):
        name, equals, value = word.partition("=")
        asked += [value if equals else after] if name == _OPTION else []
    languages = [language for word in asked for language in LANGUAGES if language == word]
    speak(languages[-1] if languages else default_language())
