"""The command `softmark`: each command is a file of `graders/commands/`.

Exit status: 0 all passed, 1 some did not, 2 wrong usage, 3 softmark itself failed somewhere.
"""

import click

from graders.commands.audit import audit
from graders.commands.check import check
from graders.commands.doctor import doctor
from graders.commands.grade import grade
from graders.commands.report import report


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="softmark")
def main() -> None:
    """Grade the code of a Transformers course: notebooks and modules in, findings out."""


for command in (check, grade, report, audit, doctor):
    main.add_command(command)
