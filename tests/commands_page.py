"""`docs/commands.md`, the help of every command as it is given: `make docs` writes it."""

from pathlib import Path

import click

from graders.cli import COMMANDS, main
from graders.language import Language, speaking

PAGE = Path(__file__).parent.parent / "docs/commands.md"
WIDTH = 80


def help_of(name: str, language: Language = "en") -> str:
    """What `softmark NAME --help` prints, at a fixed width; without a name `softmark --help`."""
    whole = click.Context(main, info_name="softmark", terminal_width=WIDTH, **main.context_settings)
    with speaking(language):
        if not name:
            return main.get_help(whole)
        command = main.get_command(whole, name)
        assert command is not None
        return command.get_help(click.Context(command, parent=whole, info_name=name))


def page() -> str:
    """The page: a block for each command between two markers."""
    blocks = [
        f"<!-- help: {name} -->\n\n## softmark {name}\n\n```\n{help_of(name)}\n```\n\n<!-- end -->"
        for name in COMMANDS
    ]
    head = "# Commands\n\nMade by `make docs` from what `--help` says; `--lang fr` says it in French."
    return "\n\n".join([head, f"```\n{help_of('')}\n```", *blocks]) + "\n"


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
