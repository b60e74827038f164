"""A reference or a known mistake as a candidate, in this process: our own code needs no box.

Implements the protocols of `check_api/check.py`, as `RemoteCandidate` does for the student's code.
"""

import linecache
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from graders.candidate.parameter_mapping.mapper import ParameterMapper
from graders.candidate.set_weights import load_random_weights, load_reference_weights
from graders.check_api.candidate import Called, Convert, Gradients, Module, ObservedCall, Raised, Seeded
from graders.check_api.check import CallLog
from graders.check_api.lent_models import ModelAnswers, make_local
from graders.check_api.quick_linear import quick_linear
from graders.check_api.reference_answer import ReferenceAnswer
from graders.check_api.refusal import is_refusal
from softmark_worker import drawn_figure, single_precision
from softmark_worker.adam import train_steps
from softmark_worker.answer_parts import parts_of
from softmark_worker.devices import in_dtype
from softmark_worker.lent_layers import make_layer


@dataclass(frozen=True)
class KeptTensor:
    """A tensor that stays from call to call, as in the box: what a call does to it, the next one sees."""

    value: Tensor


class _LocalCallable:
    def __init__(self, symbol: Any) -> None:
        self.symbol = symbol

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return _call(self.symbol, *_copies(args), **kwargs)

    def observed_call(self, *args: Any, **kwargs: Any) -> ObservedCall:
        given = _copies(args)
        torch.rand(1)  # moves the state away from a seed that an earlier call may have set
        before = torch.get_rng_state()
        answer = _call(self.symbol, *given, **kwargs)
        return ObservedCall(answer, given, torch.equal(before, torch.get_rng_state()))

    def seeded(self, seed: int, *args: Any) -> Seeded:
        """The answer of a call under a seed; this process's randomness and gradients stay as they are."""
        given = _copies(args)
        with torch.random.fork_rng(devices=[]), torch.enable_grad():
            torch.default_generator.manual_seed(seed)  # torch.manual_seed formats three tracebacks for GPUs
            answer = _call(self.symbol, *given)
            return Seeded(answer, given, torch.is_grad_enabled())

    def gradients(self, *args: Any, upstream: Sequence[Tensor | None]) -> Gradients:
        found: Gradients = _guarded(_gradients, self.symbol, _copies(args), upstream)
        return found


class LocalModule(_LocalCallable):
    """A module in this process."""

    def __init__(self, symbol: nn.Module) -> None:
        super().__init__(symbol)
        self.convert: Convert = dict

    def parameters(self) -> dict[str, Tensor]:
        """Its named parameters."""
        return {name: value.detach() for name, value in self.symbol.named_parameters()}

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes of its parameters."""
        return {name: tuple(value.shape) for name, value in self.symbol.named_parameters()}

    @property
    def frozen(self) -> frozenset[str]:
        """The names of its parameters that are not trained."""
        return frozenset(name for name, value in self.symbol.named_parameters() if not value.requires_grad)

    def load(self, parameters: Mapping[str, Tensor], dtype: torch.dtype | None = None) -> Module:
        """Set parameters by name; with `dtype`, change the module's dtype first.

        Raises:
            Raised: it has other parameters, as code that makes other ones each time.
        """
        if dtype is not None:
            self.to(dtype)
        _guarded(_copy_parameters, dict(self.symbol.named_parameters()), parameters)
        return self

    def train(self, mode: bool = True) -> Module:
        """Training or evaluation mode."""
        self.symbol.train(mode)
        return self

    def to(self, dtype: torch.dtype) -> Module:
        """Change its floating-point dtype."""
        in_dtype(self.symbol, dtype)
        return self

    def train_steps(self, *args: Any, steps: int, rate: float) -> Module:
        """Train it on one batch, with the loss that it returns."""
        _call(train_steps, self.symbol, _copies(args), steps, rate)
        return self


class LocalLentModel(LocalModule):
    """A model of ours for a reference or a known mistake."""

    def __init__(self, symbol: nn.Module, answers: ModelAnswers) -> None:
        super().__init__(symbol)
        self._answers = answers

    @property
    def calls(self) -> int:
        """How often it was called."""
        return self._answers.calls

    def call_log(self) -> CallLog:
        """How it was called."""
        return self._answers.log(self.symbol.training)


class LocalCandidate(_LocalCallable):
    """A function or class of ours. `adapt` turns a new module into an equivalent variant of it."""

    def __init__(
        self,
        symbol: Any,
        mapping_draws: Callable[[], Sequence[ReferenceAnswer]] = list,
        adapt: Callable[[nn.Module], nn.Module] | None = None,
    ) -> None:
        super().__init__(symbol)
        self.value: Tensor | None = None
        self.mapper = ParameterMapper(self, mapping_draws)
        self._adapt = adapt
        self._starts_anew = False

    def start_anew(self) -> None:
        """Construct the next module as in a new process: with the same random numbers as after this."""
        self._starts_anew = True

    def construct(self, /, *args: Any, **kwargs: Any) -> Module:
        """A module of the class, in evaluation mode."""
        with torch.random.fork_rng(devices=[], enabled=self._starts_anew):
            if self._starts_anew:
                torch.default_generator.manual_seed(0)
            given = dict(zip(kwargs, _as_symbols(kwargs.values()), strict=True))
            with quick_linear():
                module = _call(self.symbol, *args, **given)
        self._starts_anew = False
        return LocalModule((self._adapt(module) if self._adapt else module).eval())

    def make_model(self, kind: str, **config: Any) -> LocalLentModel:
        """A model of ours, in training mode."""
        return LocalLentModel(*make_local(kind, config))

    def make_layer(self, kind: str, parameters: Mapping[str, Tensor], **config: Any) -> Module:
        """A layer of `softmark_worker/lent_layers.py`."""
        return LocalModule(make_layer(kind, parameters, config))

    def transposed(self, values: Tensor, first: int, second: int) -> KeptTensor:
        """The same values as a transpose of these axes leaves them in memory."""
        return KeptTensor(values.transpose(first, second).contiguous().transpose(first, second))

    def method_of(self, module: Module, name: str) -> Called:
        """A method of one of its modules."""
        assert isinstance(module, LocalModule)
        return _LocalCallable(_call(getattr, module.symbol, name))

    def with_random_weights(self, seed: int, **config: Any) -> Module:
        """A module with small random parameters from a seed."""
        return load_random_weights(self.construct(**config), seed)

    def with_reference_weights(self, answer: ReferenceAnswer) -> Module:
        """A module with the reference's parameters and dtype."""
        return load_reference_weights(self.construct(**answer.draw.config), self.mapper, answer)


def _call(called: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    return _guarded(_ask, called, args, kwargs)


@torch.no_grad()
def _copy_parameters(named: Mapping[str, Tensor], parameters: Mapping[str, Tensor]) -> None:
    for name, value in parameters.items():
        named[name].copy_(value)


def _guarded(ask: Callable[..., Any], *values: Any) -> Any:
    """What is asked, in float32 where the code does not go with float64, as in a box."""
    try:
        return single_precision.call(ask, *values)
    except Exception as error:  # a mistake of ours fails as a student's code does
        name = type(error).__name__
        raise Raised(f"{name}: {error}", name, refused=_is_refusal(error, name)) from error


def _is_refusal(error: Exception, kind: str) -> bool:
    """Whether a statement of our own raised an error, and no library that it calls."""
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    ours = str(frame.f_globals.get("__name__")).startswith("solutions.")
    return ours and is_refusal(linecache.getline(frame.f_code.co_filename, line).strip(), kind)


def _ask(called: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    return drawn_figure.call(called, *args, **kwargs)


def _copies(args: Sequence[Any]) -> list[Any]:
    return [_copy(argument) for argument in _as_symbols(args)]


def _copy(argument: Any) -> Any:
    if isinstance(argument, KeptTensor):
        return argument.value
    if isinstance(argument, Tensor):
        return argument.detach().clone()
    return type(argument)(map(_copy, argument)) if type(argument) in (tuple, list) else argument


def _as_symbols(args: Iterable[Any]) -> list[Any]:
    return [a.symbol if isinstance(a, LocalModule) else a for a in args]


def _gradients(symbol: Any, given: Sequence[Any], upstream: Sequence[Tensor | None]) -> Gradients:
    inputs = [a.requires_grad_() for a in given if isinstance(a, Tensor) and a.is_floating_point()]
    named_parameters = symbol.named_parameters() if isinstance(symbol, nn.Module) else ()
    named = {name: value for name, value in named_parameters if value.requires_grad}
    answer = drawn_figure.call(symbol, *given)
    outputs = parts_of(answer)
    pairs = [(o, u) for o, u in zip(outputs, upstream, strict=False) if u is not None]
    gradients = _gradients_of(pairs, [*inputs, *named.values()])
    return Gradients(
        answer, gradients[: len(inputs)], dict(zip(named, gradients[len(inputs) :], strict=True))
    )


def _gradients_of(pairs: list[tuple[Any, Tensor]], wanted: list[Tensor]) -> list[Tensor | None]:
    if not any(output.requires_grad for output, _ in pairs):
        return [None] * len(wanted)
    loss = sum((output * upstream).sum() for output, upstream in pairs)
    return list(torch.autograd.grad(loss, wanted, allow_unused=True))
