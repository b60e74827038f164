"""The checkpoint of a trained model: its weights, the arguments of its class, its tokens, its losses."""

import hashlib
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from graders.language import number, tr
from graders.results.measurements import Logged, Trained
from graders.safe_text import safe_text
from graders.sandbox.session import Session
from graders.submission.read import Checkpoint
from graders.trained.open_checkpoint import BadCheckpoint, read_trained_model

MAX_SIZE = 1 << 17  # of a vocabulary and of a window
MAX_LOGITS = 12_000_000  # of one window, which must fit into one reply
MAX_CHARACTERS = 1_000_000  # of all tokens together
MAX_CURVE_POINTS = 1_000  # of a learning curve
PREFIXES = ("module.", "_orig_mod.")  # that DataParallel and torch.compile put before each name


@dataclass(frozen=True)
class TrainedModel:
    """The contents of a checkpoint. `chars` are the tokens in the order of their ids.

    `joined`: they were handed in as one text instead of a list.
    """

    config: dict[str, Any]
    chars: tuple[str, ...]
    losses: tuple[Logged, ...]
    state: dict[str, Tensor]
    joined: bool = False

    @property
    def block_size(self) -> int:
        """The most tokens that the model accepts at once."""
        return int(self.config["block_size"])

    @property
    def vocab_size(self) -> int:
        """The number of tokens in the vocabulary."""
        return int(self.config["vocab_size"])

    @property
    def given(self) -> str | list[str]:
        """The tokens as they were handed in: one text, or a list."""
        return "".join(self.chars) if self.joined else list(self.chars)

    def facts(self) -> Trained:
        """The facts that are known before the model is measured."""
        return Trained(
            weights=digest(self.state.values()),
            parameters=sum(value.numel() for value in self.state.values()),
            vocab_size=self.vocab_size,
            block_size=self.block_size,
            losses=self.losses,
        )


def open_checkpoint(session: Session, checkpoint: Checkpoint) -> TrainedModel:
    """Open a checkpoint and check its contents.

    Raises:
        BadCheckpoint: it cannot be opened, or an entry is missing or invalid.
        ProcessLost: opening it ended the process.
    """
    state, notes = read_trained_model(session, checkpoint.name, checkpoint.data)
    missing = [note for note in ("config", "chars") if notes.get(note) is None]
    if missing:
        message = tr(
            "{name} does not contain {missing}: save it with save_minigpt, which also saves MiniGPT's "
            "arguments and the characters",
            name=checkpoint.name,
            missing=tr("{one} and {other}", one=missing[0], other=missing[1]) if missing[1:] else missing[0],
        )
        raise BadCheckpoint(message)
    for name, value in state.items():
        if value.is_floating_point() and bool(value.isnan().any()):
            message = tr("the weights {name} contain NaN: the training diverged", name=repr(name))
            raise BadCheckpoint(safe_text(message, 300))
    config = _check_config(_parse("config", notes["config"]))
    chars = _parse("chars", notes["chars"])
    losses = _read_losses(_parse("losses", notes["losses"])) if notes.get("losses") else ()
    return TrainedModel(config, _check_chars(chars), losses, _without_prefixes(state), isinstance(chars, str))


def digest(values: Iterable[Tensor]) -> str:
    """A digest of the floating-point tensors; their names and their order do not matter."""
    digests = {_digest(value) for value in values if value.is_floating_point()}
    return hashlib.sha256(b"".join(sorted(digests))).hexdigest()


def _digest(value: Tensor) -> bytes:
    single = value.to(torch.float32).contiguous()
    return hashlib.sha256(repr(tuple(value.shape)).encode() + single.numpy().tobytes()).digest()


def _parse(name: str, text: str | None) -> Any:
    try:
        return json.loads(text or "")
    except (ValueError, RecursionError):
        raise BadCheckpoint(tr("the checkpoint's {name} should be JSON, but is not", name=name)) from None


def _check_config(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadCheckpoint(tr("the checkpoint's config should be a dictionary of MiniGPT's arguments"))
    for name, item in value.items():
        if not isinstance(item, int | float | str | None):
            message = tr(
                "the checkpoint's config should contain numbers and texts, but {name} is neither",
                name=repr(name),
            )
            raise BadCheckpoint(safe_text(message, 300))
    for name in ("vocab_size", "block_size"):
        if type(value.get(name)) is not int or not 0 < value[name] <= MAX_SIZE:
            raise BadCheckpoint(
                tr(
                    "the checkpoint's config should contain {name}, a number from 1 to {most}",
                    name=name,
                    most=number(MAX_SIZE, ","),
                )
            )
    if value["vocab_size"] * value["block_size"] > MAX_LOGITS:
        raise BadCheckpoint(
            tr(
                "vocab_size times block_size is more than softmark can measure ({most})",
                most=number(MAX_LOGITS, ","),
            )
        )
    return value


def _check_chars(value: Any) -> tuple[str, ...]:
    is_list_of_texts = isinstance(value, str | list) and all(isinstance(token, str) for token in value)
    if not is_list_of_texts or not value:
        raise BadCheckpoint(tr("the checkpoint's chars should be a text, or a list of texts"))
    if len(value) > MAX_SIZE or sum(map(len, value)) > MAX_CHARACTERS:
        raise BadCheckpoint(
            tr(
                "the checkpoint's chars are more than softmark can measure ({most})",
                most=number(MAX_SIZE, ","),
            )
        )
    return tuple(value)


def _read_losses(value: Any) -> tuple[Logged, ...]:
    """The usable points of a learning curve. It is only shown: no points depend on it."""
    rows = value if isinstance(value, list) else []
    points = [
        Logged(*numbers)
        for row in rows
        if isinstance(row, list) and len(row) == 3 and (numbers := [*map(_finite, row)])[0] is not None
    ]
    step = -(-len(points) // MAX_CURVE_POINTS) or 1
    return tuple(points[::step])


def _finite(value: Any) -> Any:
    is_usable = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9
    return float(value) if is_usable and math.isfinite(value) else None


def _without_prefixes(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    for prefix in PREFIXES:
        if all(name.startswith(prefix) for name in state):
            state = {name.removeprefix(prefix): value for name, value in state.items()}
    return dict(state)
