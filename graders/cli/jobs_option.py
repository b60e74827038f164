"""`--jobs`: the number of processes that a command uses."""

import click

from graders.batch.process_pool import default_jobs
from graders.cli.option_purpose import Purpose
from graders.cli.translated_command import option
from graders.language import translatable

jobs_option = option(
    Purpose.MACHINES,
    "--jobs",
    default=default_jobs(),
    show_default=translatable("all processors"),
    type=click.IntRange(1, 256),
    help=translatable("The number of submissions processed at the same time."),
)
