"""Commands in the process of the tests find a warm box: to start one costs as much as to grade a submission.

A command tries its box, uses it, and closes it. Here the box stays open for the next command, as it does
between the submissions of a class. At the level `fresh` each process has an interpreter of its own anyway.
"""

import atexit
from collections.abc import Callable
from typing import Any

from graders.batch import prepare_run
from graders.cli import start_box
from graders.cli.actions import handout
from graders.sandbox.box import Box
from graders.sandbox.interpreter import BoxBroken, Interpreter
from graders.sandbox.isolation.level import IsolationLevel


class KeptBox(Box):
    """A box that stays open at the end of its block. What lost its interpreter gets a new one."""

    def __exit__(self, *_: object) -> None:
        """Stay open: it ends with this process."""


class Unstarted(Interpreter):
    """No interpreter is started in advance: there is a warm box already."""

    def start(self) -> None:
        raise BoxBroken("there is a warm box already")


def keep_boxes() -> None:
    """From now on commands of this process share their boxes, as far as these have the same settings."""
    start_box.Interpreter = Unstarted
    for module, name in ((prepare_run, "best"), (prepare_run, "wanted"), (handout, "best")):
        setattr(module, name, _kept(getattr(module, name)))


def _kept(choose: Callable[..., Any]) -> Callable[..., Any]:
    chosen: dict[tuple[Any, ...], Any] = {}

    def choose_once(*settings: Any) -> Any:
        if IsolationLevel.FRESH in settings:
            return choose(*settings)
        if settings not in chosen:
            chosen[settings] = choose(*settings)
            box = chosen[settings] if isinstance(chosen[settings], Box) else chosen[settings][0]
            box.__class__ = KeptBox
            atexit.register(box.close)
        return chosen[settings]

    return choose_once
