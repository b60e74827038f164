"""Translate click's own sentences: click asks gettext for each, and we replace its gettext."""

from types import ModuleType

import click.core
import click.decorators
import click.exceptions
import click.formatting
import click.parser
import click.termui
import click.types

from graders.language import tr, translatable

HELP = translatable("Show this message and exit.")
CLICK_SENTENCES = (
    HELP,
    translatable("Show the version and exit."),
    translatable("%(prog)s, version %(version)s"),
    translatable("Usage:"),
    translatable("Options"),
    translatable("Commands"),
    translatable("required"),
    translatable("default: {default}"),
    translatable("Aborted!"),
    translatable("Error: {message}"),
    translatable("Try '{command} {option}' for help."),
    translatable("Missing command."),
    translatable("Missing argument"),
    translatable("Missing option"),
    translatable("Did you mean {possibility}?"),
    translatable("(Did you mean one of: {possibilities}?)"),
    translatable("Got unexpected extra argument ({args})"),
    translatable("Got unexpected extra arguments ({args})"),
    translatable("Invalid value for {param_hint}: {message}"),
    translatable("No such option {name!r}."),
    translatable("No such command {name!r}."),
    translatable("Option {name!r} does not take a value."),
    translatable("Option {name!r} requires an argument."),
    translatable("{value!r} is not one of {choices}."),
    translatable("{value!r} is not a valid {number_type}."),
    translatable("{value} is not in the range {range}."),
    translatable("{name} {filename!r} is a file."),
    translatable("{name} {filename!r} is a directory."),
    translatable("{name} {filename!r} is not readable."),
    translatable("{name} {filename!r} is not writable."),
    translatable("{name} {filename!r} does not exist."),
)
_MODULES: tuple[ModuleType, ...] = (
    click.core,
    click.decorators,
    click.exceptions,
    click.formatting,
    click.parser,
    click.termui,
    click.types,
)


def translate_click() -> None:
    """Make click say its own sentences in the current language, or in English without a translation."""
    for module in _MODULES:
        for name, ours in (("_", tr), ("ngettext", _translate_plural)):
            if hasattr(module, name):
                setattr(module, name, ours)


def _translate_plural(singular: str, plural: str, count: int) -> str:
    return tr(singular if count == 1 else plural)
