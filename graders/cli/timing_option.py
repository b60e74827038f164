"""The option `--timing [full]`, `--no-timing`: whether correct answers are timed, and how thoroughly."""

from collections.abc import Callable
from typing import Any

import click

from graders.cli.option_purpose import Purpose
from graders.cli.translated_command import Option, option
from graders.language import tr, translatable
from graders.timing.plan import Plan

NO, BRIEF, FULL = "no", "brief", "full"
# The variable's values, too: 0 turns timing off where it would be meaningless, as in tests.
MEANINGS = {"0": NO, "no": NO, "false": NO, "1": BRIEF, "yes": BRIEF, "true": BRIEF, BRIEF: BRIEF, FULL: FULL}


class TimingOption(Option):
    """`--timing`, `--timing full` or `--no-timing`: the word that follows belongs to it if it is `full`."""

    def rewrite(self, args: list[str]) -> list[str]:
        """The arguments with one word for each of the three."""
        rewritten: list[str] = []
        waiting = list(args)
        while waiting:
            word = waiting.pop(0)
            if word == "--":
                return [*rewritten, word, *waiting]
            if word == "--no-timing":
                word = f"--timing={NO}"
            elif word == "--timing":
                full = waiting[:1] == [FULL]
                word = f"--timing={FULL if full else BRIEF}"
                waiting = waiting[1:] if full else waiting
            rewritten.append(word)
        return rewritten


class _TimingType(click.ParamType):  # type: ignore[type-arg] # generic since click 8.4 only
    name = "timing"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """One of the three; anything else is refused."""
        if str(value).lower() not in MEANINGS:
            self.fail(tr("{value} is not full", value=repr(value)), param, ctx)
        return MEANINGS[str(value).lower()]


def plan_timing(timing: str, threads: int) -> Plan | None:
    """How correct answers are timed, by the parsed options; None if they are not."""
    return None if timing == NO else Plan(threads=threads, full=timing == FULL)


def timing_option(default: str, message: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option, with the help `message`."""
    return option(
        Purpose.TIMING,
        "--timing",
        "--no-timing",
        "timing",
        cls=TimingOption,
        type=_TimingType(),
        default=default,
        metavar="[full]",
        envvar="SOFTMARK_TIMING",
        help=message,
    )


class_timing_option = timing_option(
    BRIEF,
    translatable(
        "Time correct answers, as exactly as the verdict needs; `full`: against all, at all lengths, for "
        "ten times the time.  [default: timing]"
    ),
)

# A student's check answers in seconds; timing takes some more.
check_timing_option = timing_option(
    NO,
    translatable(
        "Time correct answers, as exactly as the verdict needs; `full`: against all, at all lengths, for "
        "ten times the time.  [default: no timing]"
    ),
)
