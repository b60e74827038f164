"""Commands whose help is translated when it is shown, not when the command is defined."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import click

from graders.cli import click_translations
from graders.language import current_language, text_in, tr


class Option(click.Option):
    """An option whose help has `{names}`, filled in by `values` when the help is shown."""

    def __init__(self, *args: Any, values: Callable[[], dict[str, str]] = dict, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.values = values

    def rewrite(self, args: list[str]) -> list[str]:
        """The command line as click's parser understands this option; the same for most."""
        return args


class Command(click.Command):
    """A command whose docstring has both languages, and whose options' help is `translatable`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command line, once each option has rewritten it."""
        for option in self.params:
            args = option.rewrite(args) if isinstance(option, Option) else args
        return super().parse_args(ctx, args)

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
