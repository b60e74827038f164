"""Models of ours that students' functions are given: what they say of how they were called.

The models are in `worker/recording_models.py`, since they live where the student's code does;
`Candidate.make_model` makes one.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from graders.worker import recording_models


@dataclass(frozen=True)
class CallLog:
    """What a model says of its calls. It lives in the student's process: a hint, and no proof.

    Attributes:
        calls: how often it was called.
        in_training: how often of these in training mode.
        tracked: how often with gradients.
        shapes: those of the ids it was given, each once.
        training: whether it is in training mode now.
    """

    calls: int
    in_training: int
    tracked: int
    shapes: tuple[tuple[int, ...], ...]
    training: bool

    @property
    def longest(self) -> int:
        """The greatest number of ids in a row that it was given."""
        return max((shape[-1] for shape in self.shapes if shape), default=0)


def understood(told: Any) -> CallLog | None:
    """What a model says; None where it is not of the form that ours have."""
    if type(told) is not dict or told.keys() != CallLog.__dataclass_fields__.keys():
        return None
    counts = (told["calls"], told["in_training"], told["tracked"])
    shapes = told["shapes"]
    if type(told["training"]) is not bool or any(type(count) is not int for count in counts):
        return None
    if type(shapes) is not list or not all(type(shape) is list for shape in shapes):
        return None
    if any(type(size) is not int for shape in shapes for size in shape):
        return None
    return CallLog(*counts, tuple(map(tuple, shapes)), told["training"])


def local(kind: str, config: dict[str, Any]) -> recording_models.RecordingModel:
    """One of the models in this process, for what is ours."""
    made: recording_models.RecordingModel = getattr(recording_models, kind)(**config)
    return made


def logits(table: Tensor, idx: Tensor) -> Tensor:
    """What a `TableModel` with this table answers to ids (B, T): logits (B, T, V)."""
    with torch.no_grad():
        answer: Tensor = recording_models.TableModel(table)(idx)
    return answer
