"""A trained model in a fresh process: built, given its weights, asked for what it expects to come next."""

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

NAMED = 3  # names of each kind that a sentence lists
PER_NAT = 1.4426950408889634  # bits


class Model:
    """The student's model in evaluation mode."""

    def __init__(self, module: RemoteModule, vocab_size: int) -> None:
        self._module = module
        self._vocab_size = vocab_size

    def bits(self, ids: Tensor) -> Tensor:
        """How many bits each token would cost after each prefix of `ids`, shape (T, V), float64.

        The host makes probabilities of the logits, so that they sum to one.

        Raises:
            Stopped: what comes back are no finite logits of this shape.
        """
        logits = self._logits(self._module.infer(ids[None]), len(ids))
        if not bool(logits.isfinite().all()):
            raise Stopped(Outcome.FAILED, tr("the logits should be finite numbers, but hold NaN or infinity"))
        return -logits.to(torch.float64).log_softmax(-1) * PER_NAT

    def _logits(self, answer: object, length: int) -> Tensor:
        first = answer[0] if isinstance(answer, tuple | list) and answer else answer
        if not isinstance(first, Tensor):
            says = tr(
                "MiniGPT's answer should be its logits, a tensor, but is {kind}", kind=unlike_a_tensor(first)
            )
            raise Stopped(Outcome.FAILED, safe_text(says, 300))
        due = (length, self._vocab_size)
        shape = tuple(first.shape)
        if not first.is_floating_point() or shape not in ((1, *due), due):
            says = tr(
                "for ids of shape {ids} the logits should have shape {due}, floating point, but are {found}",
                ids=(1, length),
                due=(1, *due),
                found=f"{shape} {str(first.dtype)[6:]}",
            )
            raise Stopped(Outcome.FAILED, says)
        return first.reshape(due)


@contextmanager
def model(bench: FreshProcesses, parts: Parts, opened: TrainedModel) -> Iterator[Model]:
    """The model in a process that has seen nothing.

    Raises:
        Stopped: it cannot be built, its weights do not fit, or what is done with it goes wrong.
    """
    with bench.fresh(parts.model) as candidate:
        module = candidate.construct(**opened.config)
        told = module.state()
        if says := misfit(told, {name: tuple(value.shape) for name, value in opened.state.items()}):
            raise Stopped(Outcome.FAILED, says)
        module.load_state(opened.state)
        yield Model(module, opened.vocab_size)


def misfit(due: Mapping[str, Sequence[int]], found: Mapping[str, Sequence[int]]) -> str | None:
    """Why weights of the shapes `found` do not fit a model of the shapes `due`; None where they do."""
    missing = [tr("{name} is missing", name=name) for name in due if name not in found]
    more = [tr("{name} is not in the model", name=name) for name in found if name not in due]
    shapes = translatable("{name} has shape {found}, where the model's has {due}")
    other = [
        tr(shapes, name=name, found=tuple(found[name]), due=tuple(shape))
        for name, shape in due.items()
        if name in found and tuple(found[name]) != tuple(shape)
    ]
    said = [text for part in (missing, more, other) for text in _some(part)]
    if not said:
        return None
    says = tr(
        "the weights do not fit MiniGPT(**config): {why}. "
        "Save the class, config and weights that belong together",
        why=tr("; ").join(said),
    )
    return safe_text(says, 1_000)


def _some(texts: list[str]) -> list[str]:
    left = len(texts) - NAMED
    return texts if left <= 0 else [*texts[:NAMED], tr("and so on with {n} more", n=left)]
