"""Recording models: models of ours that students' functions get as arguments, and their logs of the calls.

The models themselves are in `worker/recording_models.py`, since they live in the process of the student's
code; `Candidate.make_model` makes one.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from graders.worker import recording_models


@dataclass(frozen=True)
class CallLog:
    """A recording model's log of its calls. It comes from the student's process: a hint, not a proof.

    Attributes:
        calls: the number of calls.
        in_training: the number of calls in training mode.
        tracked: the number of calls with gradients enabled.
        shapes: the different shapes of the ids that it got.
        training: whether it is in training mode now.
    """

    calls: int
    in_training: int
    tracked: int
    shapes: tuple[tuple[int, ...], ...]
    training: bool

    @property
    def longest(self) -> int:
        """The length of the longest sequence of ids that it got."""
        return max((shape[-1] for shape in self.shapes if shape), default=0)


def parse_call_log(fields: Any) -> CallLog | None:
    """The log that a model sent; None where it has not the form that our models send."""
    if type(fields) is not dict or fields.keys() != CallLog.__dataclass_fields__.keys():
        return None
    counts = (fields["calls"], fields["in_training"], fields["tracked"])
    shapes = fields["shapes"]
    if type(fields["training"]) is not bool or any(type(count) is not int for count in counts):
        return None
    if type(shapes) is not list or not all(type(shape) is list for shape in shapes):
        return None
    if any(type(size) is not int for shape in shapes for size in shape):
        return None
    return CallLog(*counts, tuple(map(tuple, shapes)), fields["training"])


def make_local(kind: str, config: dict[str, Any]) -> recording_models.RecordingModel:
    """One of the models in this process, for code of ours (references and known mistakes)."""
    model: recording_models.RecordingModel = getattr(recording_models, kind)(**config)
    return model


def logits(table: Tensor, idx: Tensor) -> Tensor:
    """The logits (B, T, V) that a `TableModel` with this table gives for ids (B, T)."""
    with torch.no_grad():
        answer: Tensor = recording_models.TableModel(table)(idx)
    return answer
