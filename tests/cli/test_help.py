"""`--help` groups commands by their readers, and the options of a command by their purpose."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from graders.cli import commands
from graders.cli.main import COMMANDS, READERS, main
from graders.cli.translated_command import Option
from tests.maintenance.documents import help_of

HEADING = re.compile(r"^(?! ).*:$", re.MULTILINE)
NAMED = re.compile(r"^  (?:-\w, )?(--[\w-]+)", re.MULTILINE)


def all_commands() -> Iterator[click.Command]:
    """`softmark` itself, its commands, and the commands within them."""
    waiting: list[click.Command] = [main]
    while waiting:
        yield (command := waiting.pop())
        if isinstance(command, click.Group):
            context = click.Context(command)
            waiting += filter(None, (command.get_command(context, n) for n in command.list_commands(context)))


def options_of(command: click.Command) -> list[click.Option]:
    parameters = command.get_params(click.Context(command, help_option_names=["-h", "--help"]))
    return [parameter for parameter in parameters if isinstance(parameter, click.Option)]


def long_name(one: click.Option) -> str:
    return next(name for name in one.opts if name.startswith("--"))


def test_every_command_has_one_reader():
    files = {path.stem for path in Path(commands.__file__).parent.glob("*.py")} - {"__init__"}
    assert sorted(COMMANDS) == sorted(name.replace("_", "-") for name in files)
    shown = re.findall(r"^  (\w[\w-]*) +[A-Z]", help_of(""), re.MULTILINE)
    assert shown == COMMANDS


def test_every_option_has_a_purpose():
    for command in all_commands():
        plain = {long_name(one) for one in options_of(command) if not isinstance(one, Option)}
        assert plain <= {"--help", "--version"}, command.name  # which click makes


def test_an_option_without_a_purpose_is_refused():
    with pytest.raises(TypeError, match="purpose"):
        click.option("--name", cls=Option)(lambda: None)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_shows_every_option_once(name):
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert command.help
    expected = [long_name(one) for one in options_of(command) if not one.hidden]
    assert sorted(NAMED.findall(help_of(name))) == sorted(expected)


def test_a_long_help_has_headings_and_a_short_one_has_not():
    assert HEADING.findall(help_of("key")) == ["Options:"]
    assert HEADING.findall(help_of("handout")) == [
        "What is shown and written:",
        "What students get:",
        "General:",
    ]


def test_french_help_has_no_english_heading():
    for name in ("", *COMMANDS):
        english, french = (HEADING.findall(help_of(name, language)) for language in ("en", "fr"))
        assert len(french) == len(english)
        assert not set(french) & set(english), name
    assert len(HEADING.findall(help_of("", "fr"))) == 1 + len(READERS)
