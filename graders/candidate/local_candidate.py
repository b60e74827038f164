"""A reference or a known mistake as a candidate, in this process: what is ours needs no box.

Implements the protocols of `check_api/check.py`, as `RemoteCandidate` does for the student's code.
"""

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from graders.candidate.parameter_mapping.mapper import ParameterMapper
from graders.candidate.set_weights import load_random_weights, load_reference_weights
from graders.check_api.check import CallLog, Gradients, Module, ObservedCall, Raised, Seeded, Taken
from graders.check_api.recording_models import local, understood
from graders.check_api.reference_answer import ReferenceAnswer
from graders.worker.adam import train_steps


class _Called:
    def __init__(self, made: Any) -> None:
        self.made = made

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return _tried(self.made, *_copies(args), **kwargs)

    def observed_call(self, *args: Any, **kwargs: Any) -> ObservedCall:
        given = _copies(args)
        before = torch.get_rng_state()
        answer = _tried(self.made, *given, **kwargs)
        return ObservedCall(answer, given, torch.equal(before, torch.get_rng_state()))

    def seeded(self, seed: int, *args: Any) -> Seeded:
        """The answer of a call under a seed; this process's randomness and gradients stay as they are."""
        given = _copies(args)
        with torch.random.fork_rng(devices=[]), torch.enable_grad():
            torch.manual_seed(seed)
            answer = _tried(self.made, *given)
            return Seeded(answer, given, torch.is_grad_enabled())

    def gradients(self, *args: Any, upstream: Sequence[Tensor | None]) -> Gradients:
        given = _copies(args)
        inputs = [a.requires_grad_() for a in given if isinstance(a, Tensor) and a.is_floating_point()]
        known = self.made.named_parameters() if isinstance(self.made, nn.Module) else ()
        named = {name: value for name, value in known if value.requires_grad}
        answer = _tried(self.made, *given)
        outputs = answer if isinstance(answer, tuple | list) else (answer,)
        pairs = [(o, u) for o, u in zip(outputs, upstream, strict=False) if u is not None]
        wanted = [*inputs, *named.values()]
        found = _tried(_slopes, pairs, wanted)
        return Gradients(answer, found[: len(inputs)], dict(zip(named, found[len(inputs) :], strict=True)))


class LocalModule(_Called):
    """A module in this process."""

    def __init__(self, made: nn.Module) -> None:
        super().__init__(made)
        self.taken: Taken = dict

    def parameters(self) -> dict[str, Tensor]:
        """Its named parameters."""
        return {name: value.detach() for name, value in self.made.named_parameters()}

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes of its parameters."""
        return {name: tuple(value.shape) for name, value in self.parameters().items()}

    @property
    def frozen(self) -> frozenset[str]:
        """The names of those that are not to be learned."""
        return frozenset(name for name, value in self.made.named_parameters() if not value.requires_grad)

    def load(self, parameters: Mapping[str, Tensor], dtype: torch.dtype | None = None) -> Module:
        """Set parameters by name, in another dtype if one is given."""
        if dtype is not None:
            self.to(dtype)
        named = dict(self.made.named_parameters())
        with torch.no_grad():
            for name, value in parameters.items():
                named[name].copy_(value)
        return self

    def train(self, mode: bool = True) -> Module:
        """Training or evaluation mode."""
        self.made.train(mode)
        return self

    def to(self, dtype: torch.dtype) -> Module:
        """Change its floating-point dtype."""
        self.made.to(dtype)
        return self

    def train_steps(self, *args: Any, steps: int, rate: float) -> Module:
        """Train it on one batch, by the loss that it answers with."""
        _tried(train_steps, self.made, _copies(args), steps, rate)
        return self


class LocalRecordingModel(LocalModule):
    """A model that is lent to a mistake of ours."""

    def call_log(self) -> CallLog:
        """How it was called."""
        told = understood(self.made.call_log())
        assert told is not None
        return told


class LocalCandidate(_Called):
    """A function or class of ours. `adapt` makes of a new module another that is just as right or wrong."""

    def __init__(
        self,
        symbol: Any,
        proofs: Callable[[], Sequence[ReferenceAnswer]] = list,
        adapt: Callable[[nn.Module], nn.Module] | None = None,
    ) -> None:
        super().__init__(symbol)
        self.value: Tensor | None = None
        self.mapper = ParameterMapper(self, proofs)
        self._adapt = adapt

    def construct(self, *args: Any, **kwargs: Any) -> Module:
        """A module of the class, in evaluation mode."""
        made = _tried(self.made, *args, **kwargs)
        return LocalModule((self._adapt(made) if self._adapt else made).eval())

    def make_model(self, kind: str, **config: Any) -> LocalRecordingModel:
        """A model of ours, in training mode."""
        return LocalRecordingModel(local(kind, config))

    def with_random_weights(self, seed: int, **config: Any) -> Module:
        """One with mild parameters of a seed."""
        return load_random_weights(self.construct(**config), seed)

    def with_reference_weights(self, twin: ReferenceAnswer) -> Module:
        """One with the reference's parameters and dtype."""
        return load_reference_weights(self.construct(**twin.draw.config), self.mapper, twin)


def _tried(called: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    try:
        return called(*args, **kwargs)
    except Exception as error:  # a mistake of ours fails as a student's code does
        raise Raised(f"{type(error).__name__}: {error}") from error


def _copies(args: Sequence[Any]) -> list[Any]:
    given = [a.made if isinstance(a, LocalModule) else a for a in args]
    return [copy.deepcopy(a.detach()) if isinstance(a, Tensor) else a for a in given]


def _slopes(pairs: list[tuple[Any, Tensor]], wanted: list[Tensor]) -> list[Tensor | None]:
    if not any(output.requires_grad for output, _ in pairs):
        return [None] * len(wanted)
    loss = sum((output * upstream).sum() for output, upstream in pairs)
    return list(torch.autograd.grad(loss, wanted, allow_unused=True))
