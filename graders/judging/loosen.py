"""Wider tolerances, for devices whose rounding differs from the CPU's."""

from dataclasses import fields, is_dataclass, replace
from typing import Any

from graders.check_api.target import Target

LOOSER = {"cpu": 1.0, "cuda": 4.0}  # factor on the tolerance: GPUs sum in another order, with a faster exp


def loosen(answer: Any, times: float) -> Any:
    """The same answer, with the tolerance of every `Target` in it multiplied by `times`."""
    if isinstance(answer, Target):
        return answer.loosen(times)
    if isinstance(answer, tuple | list):
        return type(answer)(loosen(part, times) for part in answer)
    if isinstance(answer, dict):
        return {name: loosen(part, times) for name, part in answer.items()}
    if is_dataclass(answer) and not isinstance(answer, type):
        return replace(answer, **{f.name: loosen(getattr(answer, f.name), times) for f in fields(answer)})
    return answer
