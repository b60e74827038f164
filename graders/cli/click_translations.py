"""Click's own words in the language spoken: it asks gettext for each, and here gettext is ours."""

from types import ModuleType

import click.core
import click.decorators
import click.exceptions
import click.formatting
import click.parser
import click.types

from graders.language import later, tr

HELP = later("Show this message and exit.")
SAID = (
    HELP,
    later("Show the version and exit."),
    later("%(prog)s, version %(version)s"),
    later("Usage:"),
    later("Options"),
    later("Commands"),
    later("required"),
    later("default: {default}"),
    later("Aborted!"),
    later("Error: {message}"),
    later("Try '{command} {option}' for help."),
    later("Missing command."),
    later("Missing argument"),
    later("Missing option"),
    later("Did you mean {possibility}?"),
    later("(Did you mean one of: {possibilities}?)"),
    later("Got unexpected extra argument ({args})"),
    later("Got unexpected extra arguments ({args})"),
    later("Invalid value for {param_hint}: {message}"),
    later("No such option {name!r}."),
    later("No such command {name!r}."),
    later("Option {name!r} does not take a value."),
    later("Option {name!r} requires an argument."),
    later("{value!r} is not one of {choices}."),
    later("{value!r} is not a valid {number_type}."),
    later("{value} is not in the range {range}."),
    later("{name} {filename!r} is a file."),
    later("{name} {filename!r} is a directory."),
    later("{name} {filename!r} is not readable."),
    later("{name} {filename!r} is not writable."),
    later("{name} {filename!r} does not exist."),
)
_MODULES: tuple[ModuleType, ...] = (
    click.core,
    click.decorators,
    click.exceptions,
    click.formatting,
    click.parser,
    click.types,
)


def translated() -> None:
    """From now on, what click says by itself is in the language spoken; what is not known, in English."""
    for module in _MODULES:
        for name, ours in (("_", tr), ("ngettext", _several)):
            if hasattr(module, name):
                setattr(module, name, ours)


def _several(one: str, many: str, count: int) -> str:
    return tr(one if count == 1 else many)
