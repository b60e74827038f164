"""Open a checkpoint that was handed in: in the box, never in this process."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

import torch
from torch import Tensor

from graders.help.topics import with_topic
from graders.language import tr
from graders.safe_text import safe_text
from graders.sandbox.limits import format_size
from graders.sandbox.process_lost import interference
from graders.sandbox.session import Session
from softmark_worker.open_checkpoint import KINDS, NOTES
from softmark_worker.wire import REQUEST

OPEN_S = 20.0
FRAME_BYTES = 1 << 16  # of a message to the box, beside the file
STATE = "state_dict"  # the key of the weights in a dictionary that also holds other things


class BadCheckpoint(Exception):
    """A checkpoint cannot be used. The text is for the student."""


def read_weights(session: Session, name: str, data: bytes) -> dict[str, Tensor]:
    """Read the named tensors in a checkpoint.

    Args:
        session: of the submission's box.
        name: the file's name; its suffix gives the format.
        data: the file's bytes.

    Raises:
        BadCheckpoint: it cannot be opened, is too large, or holds no named tensors.
        ProcessLost: opening it ended the process.
    """
    return _tensors(name, _open(session, "open_checkpoint", name, data))


def read_trained_model(
    session: Session, name: str, data: bytes
) -> tuple[dict[str, Tensor], dict[str, str | None]]:
    """Read the named tensors of a trained model, and the JSON texts beside them by name (`NOTES`).

    Arguments and errors are those of `read_weights`.
    """
    contents = _open(session, "open_trained", name, data)
    if type(contents) is not dict:
        raise interference()
    notes = {note: text if type(text := contents.get(note)) is str else None for note in NOTES}
    return _tensors(name, contents.get("state")), notes


def _open(session: Session, request: str, name: str, data: bytes) -> Any:
    """Have the box open a checkpoint by the operation `request`; its reply."""
    kind = PurePosixPath(name).suffix.lower()
    if kind not in KINDS:
        raise BadCheckpoint(
            tr(
                "{name} is not a checkpoint: its name should end with {kinds}",
                name=name,
                kinds=", ".join(KINDS),
            )
        )
    if len(data) > REQUEST.body - FRAME_BYTES:
        size, most = format_size(len(data)), format_size(REQUEST.body)
        raise BadCheckpoint(
            tr("{name} has {size}; a checkpoint may have at most {most}", name=name, size=size, most=most)
        )
    if not data:
        raise BadCheckpoint(tr("{name} is empty: save the model again", name=name))
    answer = session.ask(request, [torch.frombuffer(bytearray(data), dtype=torch.uint8), kind], OPEN_S)
    if not answer.ok:
        message = tr("{name} cannot be opened: {reason}", name=name, reason=_error(answer.value))
        raise BadCheckpoint(with_topic(message, "checkpoint"))
    return answer.value


def _tensors(name: str, value: Any) -> dict[str, Tensor]:
    if isinstance(value, Mapping) and isinstance(value.get(STATE), Mapping):
        value = value[STATE]
    if not isinstance(value, Mapping) or not value:
        raise BadCheckpoint(tr("{name} should contain a state_dict: named tensors", name=name))
    for key, item in value.items():
        if not isinstance(item, Tensor):
            message = tr(
                "{name} should contain only named tensors, but {key} is not a tensor",
                name=name,
                key=repr(key),
            )
            raise BadCheckpoint(safe_text(message, 300))
    return dict(value)


def _error(described: Any) -> str:
    fields = described if isinstance(described, dict) else {}
    if fields.get("memory") is True:
        return tr("it takes more memory than a submission may use")
    return safe_text(f"{fields.get('type')}: {fields.get('text')}", 300)
