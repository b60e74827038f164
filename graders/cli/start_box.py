"""Start the interpreter in the box first: it imports PyTorch while this process does, and not afterwards."""

import contextlib
from collections.abc import Iterator

from graders.sandbox.box_options import BoxOptions
from graders.sandbox.interpreter import BoxBroken, Interpreter
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.isolation.needs import first_level
from graders.sandbox.new_processes import NewProcesses


@contextlib.contextmanager
def starting_interpreter(asked: BoxOptions) -> Iterator[Interpreter | NewProcesses | None]:
    """The interpreter of the box that will be tried first; it ends with the block.

    None where it cannot be started: whoever opens the box tries again, and says why.
    """
    level = asked.level or first_level()
    starts = NewProcesses if level is IsolationLevel.PROCESS else Interpreter
    interpreter = starts(level, asked.limits, asked.device)
    try:
        interpreter.start()
    except (BoxBroken, OSError):
        yield None
        return
    try:
        yield interpreter
    finally:
        interpreter.close()
