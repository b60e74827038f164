"""A case as code that a student can paste and run: the inputs, the call, and the value that is due."""

import math
import re

from graders.results.case import Case, Input, TensorView
from graders.results.result import Definition, Finding
from reports.case_text import nest
from reports.words import figure

MAX_VALUES = 128
MAX_COMMENT = 160
_SIGNATURE = re.compile(r"\s*def (\w+)\(([^()]*)\)")
_CLASS = re.compile(r"\s*class (\w+)\b")


def case_as_code(finding: Finding, definition: Definition | None) -> str | None:
    """The smallest case of a finding as code; None where a tensor was cut, is too long, or there is none.

    The call is that of the student's own `definition`. It is left out where the inputs are not its arguments.
    What a module should return depends on its parameters, which are drawn anew, so it is left out there.
    """
    case = finding.case
    inputs = case and _inputs(case)
    if case is None or not inputs:
        return None
    calls = _calls(case, definition.code if definition else "")
    parts = ["import torch" if "torch." in inputs else "", inputs, calls or ""]
    if finding.message:
        parts.append(f"# {_comment(finding.message)}")
    expected = case.expected
    if calls and not calls.startswith("module") and expected and _is_short([expected]):
        parts[-1] += f"\nexpected = {_tensor(expected)}"
    return "\n\n".join(filter(None, parts))


def _inputs(case: Case) -> str | None:
    """`x = torch.tensor(...)` for each input that is a tensor, `n = 3` for each that is a number."""
    tensors = [(given.name, given.tensor) for given in case.inputs if given.tensor is not None]
    if not all(given.name.isidentifier() for given in case.inputs) or not _is_short([t for _, t in tensors]):
        return None
    values = [(given.name, _literal(given)) for given in case.inputs]
    return "\n".join(f"{name} = {value}" for name, value in values if value is not None) or None


def _literal(given: Input) -> str | None:
    """An input as an expression; None for what cannot be one."""
    return given.expression if given.tensor is None else _tensor(given.tensor)


def _calls(case: Case, code: str) -> str | None:
    """The lines that call the student's code with the inputs of a case; None where that is not certain."""
    if any(_literal(given) is None for given in case.inputs):
        return None
    names = [given.name for given in case.inputs]
    if function := _SIGNATURE.match(code):
        return _call_function(function[1], function[2], names)
    tensors = {given.name: given.tensor for given in case.inputs if given.tensor is not None}
    numbers = [given.name for given in case.inputs if given.expression not in (None, "None")]
    module = _CLASS.match(code)
    if module is None or not tensors:
        return None
    arguments = ", ".join(f"{name}={name}" for name in numbers)
    double = ".double()" if any(view.dtype.endswith("float64") for view in tensors.values()) else ""
    return f"module = {module[1]}({arguments}).eval(){double}\nyours = module({', '.join(tensors)})"


def _call_function(name: str, signature: str, arguments: list[str]) -> str | None:
    parameters = [part for part in map(str.strip, signature.split(",")) if part]
    needed = [part for part in parameters if "=" not in part]
    if any("*" in part or "/" in part for part in parameters) or not (
        len(needed) <= len(arguments) <= len(parameters)
    ):
        return None
    return f"yours = {name}({', '.join(arguments)})"


def _comment(message: str) -> str:
    """The first line of a message. No further line may follow: it would be code."""
    line = " ".join((message.splitlines() or [""])[0].split())
    return line if len(line) <= MAX_COMMENT else line[:MAX_COMMENT] + " ..."


def _is_short(views: list[TensorView]) -> bool:
    whole = all(not view.clipped and len(view.values) == math.prod(view.shape) for view in views)
    return whole and sum(len(view.values) for view in views) <= MAX_VALUES


def _tensor(view: TensorView) -> str:
    dtype = f"torch.{view.dtype.removeprefix('torch.')}"
    if 0 in view.shape:
        return f"torch.empty({view.shape}, dtype={dtype})"
    values = [_value(value, view.dtype) for value in view.values]
    return f"torch.tensor({nest(values, view.shape)}, dtype={dtype})"


def _value(value: float | str, dtype: str) -> str:
    if isinstance(value, str) or not math.isfinite(value):
        return f'float("{figure(value)}")'
    if dtype.endswith("bool"):
        return str(bool(value))
    return str(int(value)) if "int" in dtype else repr(float(value))
