"""A trained model in a fresh process: build it, load its weights, ask for next-token probabilities."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor

from graders.candidate.remote_values import RemoteModule
from graders.check_api.describe import unlike_a_tensor
from graders.language import tr, translatable
from graders.results.result import Outcome
from graders.safe_text import safe_text
from graders.trained.checkpoint import TrainedModel
from graders.trained.fresh_process import FreshProcesses, Parts, Stopped

NAMES_SHOWN = 3  # of each kind of problem in a sentence
BITS_PER_NAT = 1.4426950408889634  # 1 / log(2)


class Model:
    """The student's model in evaluation mode."""

    def __init__(self, module: RemoteModule, vocab_size: int) -> None:
        self._module = module
        self._vocab_size = vocab_size

    def bits(self, ids: Tensor) -> Tensor:
        """The cost in bits of each token after each prefix of `ids`, shape (T, V), float64.

        The host computes the softmax, so that the probabilities sum to one whatever the model returns.

        Raises:
            Stopped: the model does not return finite logits of this shape.
        """
        logits = self._logits(self._module.infer(ids[None]), len(ids))
        if not bool(logits.isfinite().all()):
            raise Stopped(
                Outcome.FAILED, tr("the logits should be finite numbers, but contain NaN or infinity")
            )
        return -logits.to(torch.float64).log_softmax(-1) * BITS_PER_NAT

    def _logits(self, answer: object, length: int) -> Tensor:
        first = answer[0] if isinstance(answer, tuple | list) and answer else answer
        if not isinstance(first, Tensor):
            message = tr(
                "MiniGPT should return its logits, a tensor, but returns {kind}", kind=unlike_a_tensor(first)
            )
            raise Stopped(Outcome.FAILED, safe_text(message, 300))
        expected = (length, self._vocab_size)
        shape = tuple(first.shape)
        if not first.is_floating_point() or shape not in ((1, *expected), expected):
            message = tr(
                "for ids of shape {ids} the logits should be floating point {expected}, but are {actual}",
                ids=(1, length),
                expected=(1, *expected),
                actual=f"{shape} {str(first.dtype)[6:]}",
            )
            raise Stopped(Outcome.FAILED, message)
        return first.reshape(expected)


@contextmanager
def build_model(processes: FreshProcesses, parts: Parts, trained_model: TrainedModel) -> Iterator[Model]:
    """Build the model in a new process and load its weights.

    Raises:
        Stopped: it cannot be built, its weights do not fit, or a later request to it fails.
    """
    with processes.load(parts.model) as candidate:
        module = candidate.construct(**trained_model.config)
        shapes = {name: tuple(value.shape) for name, value in trained_model.state.items()}
        if message := describe_misfit(module.state(), shapes):
            raise Stopped(Outcome.FAILED, message)
        module.load_state(trained_model.state)
        yield Model(module, trained_model.vocab_size)


def describe_misfit(expected: Mapping[str, Sequence[int]], actual: Mapping[str, Sequence[int]]) -> str | None:
    """Why weights of the shapes `actual` do not fit a model of the shapes `expected`; None if they fit."""
    missing = [tr("{name} is missing", name=name) for name in expected if name not in actual]
    unknown = [tr("{name} is not in the model", name=name) for name in actual if name not in expected]
    sentence = translatable("{name} has shape {actual}, but {expected} in the model")
    misshaped = [
        tr(sentence, name=name, actual=tuple(actual[name]), expected=tuple(shape))
        for name, shape in expected.items()
        if name in actual and tuple(actual[name]) != tuple(shape)
    ]
    problems = [text for part in (missing, unknown, misshaped) for text in _first_names(part)]
    if not problems:
        return None
    message = tr(
        "the weights do not fit MiniGPT(**config): {why}. "
        "Save the class, config and weights that belong together",
        why=tr("; ").join(problems),
    )
    return safe_text(message, 1_000)


def _first_names(texts: list[str]) -> list[str]:
    left = len(texts) - NAMES_SHOWN
    return texts if left <= 0 else [*texts[:NAMES_SHOWN], tr("and so on with {n} more", n=left)]
