"""`--link-to`: the site to whose pages of known mistakes the hints on pages lead."""

import click

from graders.cli.option_purpose import Purpose
from graders.cli.translated_command import option
from graders.language import tr, translatable
from graders.results.mistake_address import OFF, is_site


def _read(context: click.Context, parameter: click.Parameter, value: str) -> str:
    if value and not is_site(value):
        message = translatable("{value} is no address such as https://example.org/softmark/, and not {off}")
        raise click.BadParameter(tr(message, value=value, off=OFF), context, parameter)
    return value


link_option = option(
    Purpose.OUTPUT,
    "--link-to",
    metavar="URL",
    default="",
    callback=_read,
    help=translatable(
        "The address of the site that `make site` builds: each hint on a page then leads to its mistake "
        "there; off for none.  [default: what course.toml says, else none]"
    ),
)
