"""Which isolation levels held when `softmark doctor` tried them, so that it need not try these again.

To try a level is to start a box and hand it what must be refused; `fresh` imports PyTorch anew for it, 1.5
s. What held is kept (`kept_levels.py`). What did not hold is tried each time: its reader may just have
installed what was missing.
"""

from collections.abc import Iterator

from graders.cli.kept_levels import keep_held, read_levels
from graders.sandbox.box import Box
from graders.sandbox.interpreter import BoxBroken
from graders.sandbox.isolation.choose_level import Step, try_level
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits


def try_levels(limits: Limits) -> Iterator[Step]:
    """How each isolation level ends, best first; those that held before are not tried again."""
    held = set(read_levels().held)
    for level in IsolationLevel:
        if level in held:
            yield Step(level, None)
            continue
        box, step = try_level(level, limits)
        if box is not None:
            if level is IsolationLevel.PROCESS and not held:  # it is in force, so it should be seen to work
                step = _start_one(box)
            box.close()
        if not step.problem:
            held.add(level)
            keep_held(level)
        yield step


def _start_one(box: Box) -> Step:
    try:
        box.fork().close()
    except BoxBroken as error:
        return Step(box.level, str(error), error.cause)
    return Step(box.level, None)
