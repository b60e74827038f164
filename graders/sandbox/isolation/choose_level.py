"""Choose an isolation level: start each and test it, best first. A requested level is never replaced."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from graders.language import tr
from graders.sandbox.box import Box
from graders.sandbox.interpreter import BoxBroken, Interpreter
from graders.sandbox.isolation.causes import Cause, describe_failure
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.isolation.needs import find_missing
from graders.sandbox.isolation.selftest import holes
from graders.sandbox.limits import Limits
from graders.sandbox.new_processes import NewProcesses
from graders.sandbox.process_lost import ProcessLost

StartedInterpreter = Interpreter | NewProcesses | None


@dataclass(frozen=True)
class Step:
    """An isolation level that was tried; `problem` is why it fails, for staff, or None if it holds.

    `cause` is what the machine lacks, where that is known.
    """

    level: IsolationLevel
    problem: str | None
    cause: Cause | None = None

    @property
    def advice(self) -> str | None:
        """How to make it hold, where that is known."""
        return self.cause.advice if self.cause else None


class NoIsolation(Exception):
    """The requested isolation level does not hold here. The text is for the person who asked for it."""


def try_level(
    level: IsolationLevel, limits: Limits, device: str = "cpu", started: StartedInterpreter = None
) -> tuple[Box | None, Step]:
    """A warm box at an isolation level, None if the level does not hold; the caller closes the box.

    Args:
        level: to try.
        limits: of the box.
        device: "cpu" or "cuda".
        started: the interpreter that was started for a box of these settings; one of others is not used.
    """
    if lacking := find_missing(level):
        return None, Step(level, lacking.says, lacking)
    fits = started is not None and started.settings == (level, limits, device)
    box = Box(level, limits, device, started if fits else None)
    cause: Cause | None = None
    try:
        if not fits:
            box.start()
        problems = holes(box) if level.walled else []
    except BoxBroken as error:
        problems, cause = [str(error)], error.cause
    except ProcessLost as lost:
        cause = lost.cause
        known = bool(lost.staff or cause)
        problems = [f"{lost} ({describe_failure(lost.staff, cause)})" if known else str(lost)]
    except OSError as error:
        problems = [str(error)]
    if problems:
        box.close()
        return None, Step(level, "; ".join(problems), cause)
    return box, Step(level, None)


def choose_level(
    limits: Limits, device: str = "cpu", started: StartedInterpreter = None
) -> Iterator[tuple[Box | None, Step]]:
    """Try every isolation level in turn, best first, until the caller stops."""
    for level in IsolationLevel:
        yield try_level(level, limits, device, started)


def best(limits: Limits, device: str = "cpu", started: StartedInterpreter = None) -> tuple[Box, list[Step]]:
    """A warm box at the best isolation level that holds, and all levels that were tried.

    Raises:
        NoIsolation: not even `process` works.
    """
    steps = []
    for box, step in choose_level(limits, device, started):
        steps.append(step)
        if box:
            return box, steps
    raise NoIsolation(tr("no process can be started: {why}", why=steps[-1].problem))


def wanted(
    level: IsolationLevel, limits: Limits, device: str = "cpu", started: StartedInterpreter = None
) -> Box:
    """A warm box at this isolation level and no other.

    Raises:
        NoIsolation: it does not hold here.
    """
    box, step = try_level(level, limits, device, started)
    if box is None:
        message = tr("the box {name} cannot be had here: {why}", name=repr(level.value), why=step.problem)
        advice = [tr("To have it: {advice}", advice=step.advice)] if step.advice else []
        raise NoIsolation("\n".join([message, *advice]))
    return box


def levels_by_problem(steps: Iterable[Step]) -> list[tuple[str, str]]:
    """Each problem once, with the names of the levels that fail because of it."""
    names: dict[str, list[str]] = {}
    for step in steps:
        if step.problem:
            names.setdefault(step.problem, []).append(step.level)
    return [(problem, ", ".join(levels)) for problem, levels in names.items()]
