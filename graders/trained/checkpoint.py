"""A trained model's checkpoint: weights, the arguments of its class, its characters, its learning curve."""

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
from graders.sandbox.session import BoxSession
from graders.submission.read import Checkpoint
from graders.trained.open_checkpoint import BadCheckpoint, trained

SIZE = 1 << 17  # of a vocabulary and of a block
LOGITS = 12_000_000  # of one window: what comes back of them must fit an answer
CHARACTERS = 1_000_000  # of all tokens together
POINTS = 1_000  # of a learning curve
PREFIXES = ("module.", "_orig_mod.")  # what wrapping a model puts before each name


@dataclass(frozen=True)
class TrainedModel:
    """What a checkpoint holds: `chars` are the tokens in the order of their numbers."""

    config: dict[str, Any]
    chars: tuple[str, ...]
    losses: tuple[Logged, ...]
    state: dict[str, Tensor]
    joined: bool = False

    @property
    def block_size(self) -> int:
        """The most tokens that the model takes."""
        return int(self.config["block_size"])

    @property
    def vocab_size(self) -> int:
        """How many tokens there are."""
        return int(self.config["vocab_size"])

    @property
    def given(self) -> str | list[str]:
        """The tokens as they were handed in: one text, or a list."""
        return "".join(self.chars) if self.joined else list(self.chars)

    def facts(self) -> Trained:
        """What is known of the model before it is measured."""
        return Trained(
            weights=digest(self.state.values()),
            parameters=sum(value.numel() for value in self.state.values()),
            vocab_size=self.vocab_size,
            block_size=self.block_size,
            losses=self.losses,
        )


def open_checkpoint(turn: BoxSession, checkpoint: Checkpoint) -> TrainedModel:
    """What the checkpoint holds.

    Raises:
        BadCheckpoint: it cannot be opened, or something is missing in it or means nothing.
        Lost: opening it ended the process.
    """
    state, notes = trained(turn, checkpoint.name, checkpoint.data)
    missing = [note for note in ("config", "chars") if notes.get(note) is None]
    if missing:
        says = tr(
            "{name} does not hold {missing}: save it with save_minigpt, which keeps MiniGPT's arguments "
            "and the characters beside the weights",
            name=checkpoint.name,
            missing=tr("{one} and {other}", one=missing[0], other=missing[1]) if missing[1:] else missing[0],
        )
        raise BadCheckpoint(says)
    for name, value in state.items():
        if value.is_floating_point() and bool(value.isnan().any()):
            says = tr("the weights {name} hold NaN: the training broke down", name=repr(name))
            raise BadCheckpoint(safe_text(says, 300))
    config = _config(_parsed("config", notes["config"]))
    chars = _parsed("chars", notes["chars"])
    losses = _losses(_parsed("losses", notes["losses"])) if notes.get("losses") else ()
    return TrainedModel(config, _tokens(chars), losses, _bare(state), isinstance(chars, str))


def digest(values: Iterable[Tensor]) -> str:
    """A digest of tensors of floating point, whatever their names and their order."""
    each = {_digest(value) for value in values if value.is_floating_point()}
    return hashlib.sha256(b"".join(sorted(each))).hexdigest()


def _digest(value: Tensor) -> bytes:
    single = value.to(torch.float32).contiguous()
    return hashlib.sha256(repr(tuple(value.shape)).encode() + single.numpy().tobytes()).digest()


def _parsed(name: str, text: str | None) -> Any:
    try:
        return json.loads(text or "")
    except (ValueError, RecursionError):
        raise BadCheckpoint(tr("the checkpoint's {name} should be JSON, and is not", name=name)) from None


def _config(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadCheckpoint(tr("the checkpoint's config should be MiniGPT's arguments by name"))
    for name, item in value.items():
        if not isinstance(item, int | float | str | None):
            says = tr(
                "the checkpoint's config should hold numbers and words, but {name} is neither",
                name=repr(name),
            )
            raise BadCheckpoint(safe_text(says, 300))
    for name in ("vocab_size", "block_size"):
        if type(value.get(name)) is not int or not 0 < value[name] <= SIZE:
            raise BadCheckpoint(
                tr(
                    "the checkpoint's config should say {name}, a number from 1 to {most}",
                    name=name,
                    most=number(SIZE, ","),
                )
            )
    if value["vocab_size"] * value["block_size"] > LOGITS:
        raise BadCheckpoint(
            tr("vocab_size times block_size is more than can be judged ({most})", most=number(LOGITS, ","))
        )
    return value


def _tokens(value: Any) -> tuple[str, ...]:
    listed = isinstance(value, str | list) and all(isinstance(token, str) for token in value)
    if not listed or not value:
        raise BadCheckpoint(tr("the checkpoint's chars should be a text, or a list of texts"))
    if len(value) > SIZE or sum(map(len, value)) > CHARACTERS:
        raise BadCheckpoint(
            tr("the checkpoint's chars are more than can be judged ({most})", most=number(SIZE, ","))
        )
    return tuple(value)


def _losses(value: Any) -> tuple[Logged, ...]:
    """The points of a learning curve that can be read; it is shown, and nothing depends on it."""
    rows = value if isinstance(value, list) else []
    found = [
        Logged(*numbers)
        for row in rows
        if isinstance(row, list) and len(row) == 3 and (numbers := [*map(_finite, row)])[0] is not None
    ]
    step = -(-len(found) // POINTS) or 1
    return tuple(found[::step])


def _finite(value: Any) -> Any:
    counts = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9
    return float(value) if counts and math.isfinite(value) else None


def _bare(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    for prefix in PREFIXES:
        if all(name.startswith(prefix) for name in state):
            state = {name.removeprefix(prefix): value for name, value in state.items()}
    return dict(state)
