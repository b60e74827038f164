"""Opens a checkpoint inside the box: bytes in, plain values out."""

import io
import json
from typing import Any

import torch

NOTES = ("config", "chars", "losses")  # what a trained model brings beside its weights
KINDS = (".safetensors", ".pt", ".pth")


def open_checkpoint(data: bytes, kind: str) -> Any:
    """What a checkpoint holds. `kind` is its file's suffix.

    Raises:
        Exception: whatever the file's format makes its reader raise.
    """
    if kind == ".safetensors":
        from safetensors.torch import load  # only here: no other submission needs it

        return load(data)
    # weights_only: no code of the file's is run, even here.
    return torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)  # noqa: TID251 (this is the box)


def open_with_notes(data: bytes, kind: str) -> dict[str, Any]:
    """What a trained model's checkpoint holds: `state`, its tensors, and each note as JSON or None.

    Raises:
        Exception: whatever the file's format makes its reader raise, or a note that JSON does not know.
    """
    found = open_checkpoint(data, kind)
    if kind == ".safetensors":
        header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
        return {"state": found, **_of(header.get("__metadata__") or {}, NOTES)}
    if not isinstance(found, dict) or "state_dict" not in found:
        return {"state": found, **dict.fromkeys(NOTES)}
    notes = {name: json.dumps(found[name]) for name in NOTES if found.get(name) is not None}
    return {"state": found["state_dict"], **_of(notes, NOTES)}


def _of(notes: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: notes.get(name) for name in names}
