"""Opens a checkpoint inside the box: bytes in, plain values out."""

import io
import json
from typing import Any

import torch

NOTES = ("config", "chars", "losses")  # stored with a trained model's weights
KINDS = (".safetensors", ".pt", ".pth")


def open_checkpoint(data: bytes, kind: str) -> Any:
    """What a checkpoint holds. `kind` is its file's suffix.

    Raises:
        Exception: whatever the file's format makes its reader raise.
    """
    if kind == ".safetensors":
        from safetensors.torch import load  # imported only when needed

        return load(data)
    # weights_only: the file's code is not run, even here.
    return torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)  # noqa: TID251 (this is the box)


def open_with_notes(data: bytes, kind: str) -> dict[str, Any]:
    """What a trained model's checkpoint holds: `state`, its tensors, and each note as JSON or None.

    Raises:
        Exception: whatever the file's format makes its reader raise, or a note that JSON cannot hold.
    """
    contents = open_checkpoint(data, kind)
    if kind == ".safetensors":
        header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
        return {"state": contents, **_of(header.get("__metadata__") or {}, NOTES)}
    if not isinstance(contents, dict) or "state_dict" not in contents:
        return {"state": contents, **dict.fromkeys(NOTES)}
    notes = {name: json.dumps(contents[name]) for name in NOTES if contents.get(name) is not None}
    return {"state": contents["state_dict"], **_of(notes, NOTES)}


def _of(notes: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: notes.get(name) for name in names}
