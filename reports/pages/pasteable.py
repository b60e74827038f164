"""The inputs of a case as code that a student can paste and run."""

import math

from graders.results.case import Case, TensorView
from reports.words import figure

MAX_VALUES = 128


def inputs_as_code(case: Case) -> str | None:
    """`x = torch.tensor(...)` for each tensor; None where a tensor was cut or is too long."""
    views = [(i.name, i.tensor) for i in case.inputs if i.tensor is not None]
    if not views or not all(name.isidentifier() and _complete(view) for name, view in views):
        return None
    if sum(len(view.values) for _, view in views) > MAX_VALUES:
        return None
    return "\n".join(f"{name} = {_tensor(view)}" for name, view in views)


def _complete(view: TensorView) -> bool:
    return not view.clipped and len(view.values) == math.prod(view.shape)


def _tensor(view: TensorView) -> str:
    dtype = f"torch.{view.dtype.removeprefix('torch.')}"
    if 0 in view.shape:
        return f"torch.empty({view.shape}, dtype={dtype})"
    values = [_value(value, view.dtype) for value in view.values]
    return f"torch.tensor({_nest(values, view.shape)}, dtype={dtype})"


def _value(value: float | str, dtype: str) -> str:
    if isinstance(value, str) or not math.isfinite(value):
        return f'float("{figure(value)}")'
    if dtype.endswith("bool"):
        return str(bool(value))
    return str(int(value)) if "int" in dtype else repr(float(value))


def _nest(values: list[str], shape: tuple[int, ...]) -> str:
    if not shape:
        return values[0]
    step = len(values) // shape[0]
    parts = [_nest(values[i * step : (i + 1) * step], shape[1:]) for i in range(shape[0])]
    return f"[{', '.join(parts)}]"
