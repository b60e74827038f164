"""`softmark doctor`: what this machine offers."""

import sys

import click
from rich.console import Console

from graders.cli.course_option import course_option
from graders.cli.exit_status import ALL_PASSED, SOME_DID_NOT
from graders.cli.language_option import lang_option
from graders.cli.start import hand_over
from graders.cli.translated_command import Command


@click.command(cls=Command)
@course_option
@lang_option
def doctor() -> None:
    """Say what this machine offers, which box is in force, and what to install.

    fr: Dire ce que cette machine permet, quel bac à sable est en place et ce qu'il faut installer.
    """
    hand_over()
    from graders.cli import machine_facts  # not before: it imports PyTorch

    console = Console()
    facts = machine_facts.facts()
    for fact in facts:
        mark, style = ("ok", "green") if fact.well else ("!!", "yellow")
        console.print(f"[{style}]{mark}[/] [bold]{fact.what:<11}[/] ", end="")
        console.print(fact.value, markup=False, highlight=False, soft_wrap=True)
        if fact.advice:
            console.print(f"   {'':<11} {fact.advice}", markup=False, highlight=False, soft_wrap=True)
    sys.exit(ALL_PASSED if all(fact.well for fact in facts) else SOME_DID_NOT)
