"""What a function's own code says of what it is called with."""

import dis
import functools
import inspect
import types
from collections.abc import Sequence
from typing import Any

from softmark_worker.argument_roles import is_called_a_configuration, role_of

_KEPT = 256  # functions whose code is read once
_IDLE = {"CACHE", "PRECALL", "PUSH_NULL", "NOP", "EXTENDED_ARG", "RESUME"}
_ON_NONE = ("POP_JUMP_FORWARD_IF_", "POP_JUMP_BACKWARD_IF_", "POP_JUMP_IF_")


def tells_none(called: Any, name: str) -> bool:
    """Whether it asks if an argument of this name is None: then it has something to put there."""
    instructions = _instructions_of(called)
    return any(
        _loads(first, name)
        and (
            second.opname in {f"{jump}{when}" for jump in _ON_NONE for when in ("NONE", "NOT_NONE")}
            or (second.opname == "LOAD_CONST" and second.argval is None and third.opname == "IS_OP")
        )
        for first, second, third in zip(instructions, instructions[1:], instructions[2:], strict=False)
    )


def lengths_read_of(called: Any, name: str) -> list[str]:
    """The lengths that it reads of an argument: `config.block_size` for `model.config.block_size`."""
    instructions = _instructions_of(called)
    found: dict[str, None] = {}
    for first, *rest in zip(instructions, instructions[1:], instructions[2:], strict=False):
        if not _loads(first, name):
            continue
        path = [str(one.argval) for one in rest if one.opname in ("LOAD_ATTR", "LOAD_METHOD")]
        if path and role_of(path[0]) == "length":
            found[path[0]] = None
        elif len(path) == 2 and is_called_a_configuration(path[0]) and role_of(path[1]) == "length":
            found[".".join(path)] = None
    return list(found)


def _loads(instruction: dis.Instruction, name: str) -> bool:
    return instruction.opname.startswith(("LOAD_FAST", "LOAD_DEREF")) and instruction.argval == name


def _instructions_of(called: Any) -> Sequence[dis.Instruction]:
    """Those of the code; none where it is not Python's."""
    code = getattr(inspect.unwrap(getattr(called, "__func__", called)), "__code__", None)
    return _read(code) if isinstance(code, types.CodeType) else ()


@functools.lru_cache(_KEPT)
def _read(code: types.CodeType) -> tuple[dis.Instruction, ...]:
    """The instructions without what only the interpreter needs."""
    return tuple(one for one in dis.get_instructions(code) if one.opname not in _IDLE)
