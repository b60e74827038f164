"""The command `softmark`: each subcommand is a file in `graders/cli/commands/`, imported when it is called.

Exit status: 0 all passed, 1 some did not, 2 wrong usage, 3 softmark itself failed or was interrupted.
"""

from importlib import import_module
from pathlib import Path
from typing import Any

import click

from graders.cli import click_translations
from graders.cli.exit_status import fail
from graders.cli.language_option import speak_as_asked, whole_lang_option
from graders.cli.translated_command import Group, section
from graders.language import tr, translatable
from graders.locations import course

# The commands by reader, each with its own line of help, so that listing them imports none.
READERS = {
    translatable("Students:"): {
        "check": translatable("Check your own work."),
        "explain": translatable("Read more about what softmark says."),
        "corpus": translatable("Write the text to train on."),
    },
    translatable("Instructors:"): {
        "handout": translatable("Make the handout for students."),
        "key": translatable("Write the answer key of an assignment."),
        "grade": translatable("Grade a class."),
        "report": translatable("Make the pages again, without grading."),
        "why": translatable("Show why a student has their points."),
        "compare": translatable("Compare two gradings."),
        "similar": translatable("List submissions to read side by side."),
        "questions": translatable("Ask students about their own code."),
        "release": translatable("Give pages and marks back."),
        "export": translatable("Write the marks in a platform's format."),
        "results": translatable("Write the results as tables to analyse."),
    },
    translatable("Authors of exercises:"): {
        "course": translatable("Begin a course of your own."),
        "new": translatable("Begin an exercise."),
        "audit": translatable("Test the checks against known mistakes."),
        "name-mistake": translatable("Begin a known mistake that a class makes."),
    },
    translatable("Operators:"): {
        "doctor": translatable("Show which box works on this machine."),
        "cache": translatable("Remove what is kept on the disk."),
        "gather": translatable("Put the parts of a class together."),
        "cluster": translatable("Prepare several machines to grade together."),
        "worker": translatable("Grade on this machine for another."),
    },
}
COMMANDS = [name for commands in READERS.values() for name in commands]


class _Commands(Group):
    """Imports only the command that is called: most import PyTorch, which takes seconds."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        speak_as_asked(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a file of the course that is no Python is told with its line."""
        try:
            return super().invoke(ctx)
        except SyntaxError as error:
            if course().describe(Path(error.filename or "")) is None:
                raise
            message = translatable("{file}, line {line}: {reason}. Correct this file of the course.")
            fail(tr(message, file=error.filename, line=error.lineno, reason=error.msg))

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as click calls it
        return COMMANDS

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = cmd_name.replace("-", "_")
        command: click.Command = getattr(import_module(f"graders.cli.commands.{module}"), module)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        width = max(map(len, COMMANDS))
        for reader, commands in READERS.items():
            with section(formatter, reader):
                formatter.write_dl([(name.ljust(width), tr(line)) for name, line in commands.items()])


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="softmark", help=translatable("Show the version and exit."))
@whole_lang_option
def main() -> None:
    """Grade the code of a Transformers course, handed in as notebooks or modules.

    fr: Corriger le code d'un cours sur les transformeurs, rendu en notebooks ou en modules.
    """


click_translations.translate_click()
