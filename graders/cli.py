"""The command `softmark`: each command is a file of `graders/commands/`, opened when it is called.

Exit status: 0 all passed, 1 some did not, 2 wrong usage, 3 softmark itself failed somewhere, or was
stopped before its end.
"""

from importlib import import_module

import click

COMMANDS = ("check", "grade", "report", "export", "corpus", "audit", "handout", "doctor")


class _Commands(click.Group):
    """Imports no more than the command that is called: most need PyTorch, which takes seconds."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as click calls it
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"graders.commands.{cmd_name}"), cmd_name)
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="softmark")
def main() -> None:
    """Grade the code of a Transformers course: notebooks and modules in, findings out."""
