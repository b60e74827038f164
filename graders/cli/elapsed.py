"""How long the command has been running: since before PyTorch is imported, as a person sees it."""

import time

import click

_KEY = "softmark.started"


def start_clock(context: click.Context) -> None:
    """Remember that the command starts now."""
    context.meta[_KEY] = time.monotonic()


def seconds_running() -> float:
    """The seconds since the command was started."""
    now = time.monotonic()
    return now - float(click.get_current_context().meta.get(_KEY, now))
