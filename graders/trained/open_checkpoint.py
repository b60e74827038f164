"""A checkpoint that was handed in: opened in the box, never in this process."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

import torch
from torch import Tensor

from graders.help.topics import with_topic
from graders.language import tr
from graders.safe_text import safe_text
from graders.sandbox.limits import parse_size
from graders.sandbox.process_lost import interference
from graders.sandbox.session import BoxSession
from graders.worker.open_checkpoint import KINDS, NOTES
from graders.worker.wire import REQUEST

OPEN_S = 20.0
SPARE = 1 << 16  # bytes of a frame that are not the file's
STATE = "state_dict"  # where a dictionary of several things keeps its weights


class BadCheckpoint(Exception):
    """What is wrong with a checkpoint: a sentence for the student."""


def weights(turn: BoxSession, name: str, data: bytes) -> dict[str, Tensor]:
    """The named tensors in a checkpoint.

    Args:
        turn: the submission's turn in the box.
        name: the file's name; its suffix says the format.
        data: the file's bytes.

    Raises:
        BadCheckpoint: it cannot be opened, is too large, or holds no named tensors.
        Lost: opening it ended the process.
    """
    return _tensors(name, _asked(turn, "open_checkpoint", name, data))


def trained(turn: BoxSession, name: str, data: bytes) -> tuple[dict[str, Tensor], dict[str, str | None]]:
    """The named tensors in a trained model's checkpoint, and the JSON of its notes (`NOTES`) by name.

    Takes and raises what `weights` does.
    """
    found = _asked(turn, "open_trained", name, data)
    if type(found) is not dict:
        raise interference()
    notes = {note: text if type(text := found.get(note)) is str else None for note in NOTES}
    return _tensors(name, found.get("state")), notes


def _asked(turn: BoxSession, do: str, name: str, data: bytes) -> Any:
    """What is in a checkpoint, as the box's operation `do` tells it."""
    kind = PurePosixPath(name).suffix.lower()
    if kind not in KINDS:
        raise BadCheckpoint(
            tr("{name} is no checkpoint: its name should end with {kinds}", name=name, kinds=", ".join(KINDS))
        )
    if len(data) > REQUEST.body - SPARE:
        size, most = parse_size(len(data)), parse_size(REQUEST.body)
        raise BadCheckpoint(
            tr("{name} has {size}, and a checkpoint may have {most}", name=name, size=size, most=most)
        )
    if not data:
        raise BadCheckpoint(tr("{name} is empty: save the model again", name=name))
    answer = turn.ask(do, [torch.frombuffer(bytearray(data), dtype=torch.uint8), kind], OPEN_S)
    if not answer.ok:
        says = tr("{name} cannot be opened: {reason}", name=name, reason=_error(answer.value))
        raise BadCheckpoint(with_topic(says, "checkpoint"))
    return answer.value


def _tensors(name: str, value: Any) -> dict[str, Tensor]:
    if isinstance(value, Mapping) and isinstance(value.get(STATE), Mapping):
        value = value[STATE]
    if not isinstance(value, Mapping) or not value:
        raise BadCheckpoint(tr("{name} should hold a state_dict: named tensors", name=name))
    for key, item in value.items():
        if not isinstance(item, Tensor):
            says = tr("{name} should hold named tensors alone, but {key} is none", name=name, key=repr(key))
            raise BadCheckpoint(safe_text(says, 300))
    return dict(value)


def _error(described: Any) -> str:
    fields = described if isinstance(described, dict) else {}
    if fields.get("memory") is True:
        return tr("it takes more memory than a submission may use")
    return safe_text(f"{fields.get('type')}: {fields.get('text')}", 300)
