"""A trained model in a fresh process: build it, load its weights, ask for next-token probabilities."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor

from graders.candidate.remote_values import RemoteModule
from graders.check_api.describe import unlike_a_tensor
from graders.language import number, tr, translatable
from graders.results.result import Outcome
from graders.safe_text import safe_text
from graders.trained.checkpoint import TrainedModel
from graders.trained.fresh_process import MeasurementStopped, Parts, Processes

NAMES_SHOWN = 3  # of each kind of problem in a sentence
BITS_PER_NAT = 1.4426950408889634  # 1 / log(2)
AT_ONCE = 1 << 18  # probabilities that are computed together, in float64: 2 MB
LARGEST = 1e100  # a logit; the squares of larger differences overflow. Those of float32 are all smaller
Rows = dict[int, Tensor]  # the bits of every token (V,), float32, by place


class Model:
    """The student's model in evaluation mode."""

    def __init__(self, module: RemoteModule, vocab_size: int) -> None:
        self._module = module
        self._vocab_size = vocab_size

    def last_bits(self, ids: Tensor) -> Tensor:
        """The cost in bits of each token after all of `ids`, shape (V,), float64.

        Raises:
            MeasurementStopped: the model does not return usable logits of the right shape.
        """
        return _bits(self._logits(ids)[-1:])[0]

    def costs(self, ids: Tensor, targets: Tensor, keep: Collection[int] = ()) -> tuple[list[float], Rows]:
        """The cost in bits of each target, which follows the prefix of `ids` that ends at its place.

        Args:
            ids: shape (T,).
            targets: shape (T,).
            keep: places whose bits of every token are wanted.

        Returns:
            The T costs, and for each place of `keep` a row of shape (V,), float32.

        Raises:
            MeasurementStopped: as `last_bits`.
        """
        logits, costs, rows = self._logits(ids), list[float](), dict[int, Tensor]()
        size = max(1, AT_ONCE // self._vocab_size)
        for start in range(0, len(ids), size):
            bits = _bits(logits[start : start + size])
            costs += bits.gather(1, targets[start : start + size, None])[:, 0].tolist()
            # Copies: a view would keep the bits of all tokens after all prefixes.
            rows |= {at: bits[at - start].float() for at in keep if start <= at < start + size}
        return costs, rows

    def watch(self, ids: Tensor) -> object:
        """What the box saw of the attention weights while the model answered `ids`, shape (T,)."""
        return self._module.watch(ids[None], length=len(ids))

    def _logits(self, ids: Tensor) -> Tensor:
        """The logits after each prefix of `ids`, shape (T, V)."""
        logits = self._shaped(self._module.infer(ids[None]), len(ids))
        if not logits.numel():
            return logits
        low, high = (float(bound) for bound in torch.aminmax(logits))  # NaN if there is one
        if not (math.isfinite(low) and math.isfinite(high)):
            raise MeasurementStopped(
                Outcome.FAILED, tr("the logits should be finite numbers, but contain NaN or infinity")
            )
        if max(-low, high) > LARGEST:
            message = tr(
                "the logits should lie within ±{most}, but reach {worst}",
                most=number(LARGEST, ".0e"),
                worst=number(low if -low > high else high, ".0e"),
            )
            raise MeasurementStopped(Outcome.FAILED, message)
        return logits

    def _shaped(self, answer: object, length: int) -> Tensor:
        first = answer[0] if isinstance(answer, tuple | list) and answer else answer
        if not isinstance(first, Tensor):
            message = tr(
                "MiniGPT should return its logits, a tensor, but returns {kind}", kind=unlike_a_tensor(first)
            )
            raise MeasurementStopped(Outcome.FAILED, safe_text(message, 300))
        expected = (length, self._vocab_size)
        shape = tuple(first.shape)
        if not first.is_floating_point() or shape not in ((1, *expected), expected):
            message = tr(
                "for ids of shape {ids} the logits should be floating point {expected}, but are {actual}",
                ids=(1, length),
                expected=(1, *expected),
                actual=f"{shape} {str(first.dtype)[6:]}",
            )
            raise MeasurementStopped(Outcome.FAILED, message)
        return first.reshape(expected)


def _bits(logits: Tensor) -> Tensor:
    """The cost in bits of each token; the host's softmax makes probabilities sum to one whatever comes."""
    return logits.to(torch.float64).log_softmax(-1).mul_(-BITS_PER_NAT)


@contextmanager
def build_model(processes: Processes, parts: Parts, trained_model: TrainedModel) -> Iterator[Model]:
    """Build the model in a new process and load its weights.

    Raises:
        MeasurementStopped: it cannot be built, its weights do not fit, or a later request to it fails.
    """
    with processes.load(parts.model) as candidate:
        module = candidate.construct(**trained_model.config)
        shapes = {name: tuple(value.shape) for name, value in trained_model.state.items()}
        if message := describe_misfit(module.state(), shapes):
            raise MeasurementStopped(Outcome.FAILED, message)
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
