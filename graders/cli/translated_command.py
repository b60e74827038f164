"""Commands whose help is translated when it is shown, not when the command is defined.

A long help has its options under headings, each with a purpose (`option_purpose.py`); a short one has a list.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import click

from graders.cli import click_translations
from graders.cli.option_purpose import Purpose
from graders.language import current_language, text_in, tr

FEW = 8  # options that need no headings


class Option(click.Option):
    """An option with a purpose, whose help has `{names}`, filled in by `values` when the help is shown."""

    def __init__(
        self, *args: Any, purpose: Purpose, values: Callable[[], dict[str, str]] = dict, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.purpose = purpose
        self.values = values

    def rewrite(self, args: list[str]) -> list[str]:
        """The command line as click's parser understands this option; the same for most."""
        return args


def option(
    purpose: Purpose, *names: str, cls: type[Option] = Option, **attributes: Any
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command an option, as `click.option` does; every option says its purpose."""
    return click.option(*names, cls=cls, purpose=purpose, **attributes)


def purpose_of(param: click.Parameter) -> Purpose:
    """The purpose of an option; `--help`, which click makes itself, has the general one."""
    return param.purpose if isinstance(param, Option) else Purpose.GENERAL


def section(formatter: click.HelpFormatter, heading: str) -> contextlib.AbstractContextManager[None]:
    """A section of a help under a `translatable` heading with its colon, which click adds itself."""
    return formatter.section(tr(heading).removesuffix(":"))


class Command(click.Command):
    """A command whose docstring has both languages, and whose options' help is `translatable`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command line, once each option has rewritten it."""
        for option in self.params:
            args = option.rewrite(args) if isinstance(option, Option) else args
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options: a few in one list, more under the headings of their purposes."""
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        if len(options) <= FEW:
            super().format_options(ctx, formatter)
            return
        for purpose in Purpose:
            records = [param.get_help_record(ctx) for param in options if purpose_of(param) is purpose]
            if shown := [record for record in records if record is not None]:
                with section(formatter, purpose.value):
                    formatter.write_dl(shown)

    def get_help(self, ctx: click.Context) -> str:
        """Its whole help."""
        with _in_language(self, ctx):
            return super().get_help(ctx)


class Group(click.Group):
    """The same for a group of commands."""

    def get_help(self, ctx: click.Context) -> str:
        """Its whole help."""
        with _in_language(self, ctx):
            return super().get_help(ctx)


@contextlib.contextmanager
def _in_language(command: click.Command, ctx: click.Context) -> Iterator[None]:
    options = [param for param in command.get_params(ctx) if isinstance(param, click.Option)]
    before = command.help, [(option.help, option.show_default) for option in options]
    command.help = text_in(command.help, current_language())
    for option in options:
        values = option.values() if isinstance(option, Option) else {}
        message = click_translations.HELP if option is command.get_help_option(ctx) else option.help
        option.help = tr(message, **values) if message else None
        if isinstance(option.show_default, str):
            option.show_default = tr(option.show_default)
    try:
        yield
    finally:
        command.help, kept = before
        for option, (message, default) in zip(options, kept, strict=True):
            option.help, option.show_default = message, default
