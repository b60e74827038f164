"""Answers for a submission's wrong parts while the whole around them is judged: those of the reference.

A block contains an attention; where the attention is wrong, the block's checks fail too. The block is judged
again, with a stand-in for the attention (`softmark_worker/stand_ins.py`), which asks here. All that it asks
is untrusted: names, types and sizes are checked. Calls, values and work are bounded, by counts that are the
same on every machine.
"""

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import partial
from types import ModuleType
from typing import Any

import torch
from torch import Tensor, nn
from torch.func import functional_call

CALLS = 20_000  # of all stand-ins while one whole is judged
WORK = 1 << 31  # values that these compute, as far as the shapes tell: some 20 seconds
PER_TENSOR = 1 << 10  # what a tensor of parameters costs beside its values
PER_LAYER = 16  # tensors of parameters in a layer that takes its own share of the work
NEW = 12  # times what a tensor of parameters costs when it is made
PER_CALL = 1 << 14  # what a question costs at least
BACKWARD = 3  # times what a call costs
INTEGER = 1_024  # the largest in a configuration
ENTRIES = 16  # of a configuration, or arguments of a call
PARAMETERS = 1 << 20  # values in the parameters of one part
AXIS = 512  # the longest axis of an argument
VALUES = 1 << 24  # of an intermediate tensor, as far as the shapes tell
TEXT = 300  # characters of an error's text


class RefusedQuestion(Exception):
    """The question is none that a stand-in asks, or it is too large."""


class AnswerForm(Enum):
    """In which form right parts answer: a whole takes what the submission's own part answers."""

    AS_DUE = "as the contract says"
    FIRST_ALONE = "of several tensors the first alone"
    WITH_ANOTHER = "one tensor as the first of two, the second None"


class RightParts:
    """The reference's parts, which answer questions from the box.

    `called` has the names of those that were called, `used` of those made or called since it was emptied,
    `unanswered` of those to whose questions there was no answer since it was last emptied: with an answer key
    not all can be had. `form` is the one in which they answer.

    Args:
        references: functions and classes by name.
    """

    def __init__(self, references: Mapping[str, Any]) -> None:
        self._references = dict(references)
        self._modules: dict[tuple[Any, ...], nn.Module] = {}
        self._sizes: dict[tuple[Any, ...], tuple[int, int]] = {}
        self._calls = self._work = 0
        self.called: set[str] = set()
        self.used: set[str] = set()
        self.unanswered: set[str] = set()
        self.form = AnswerForm.AS_DUE

    @property
    def descriptions(self) -> dict[str, Any]:
        """What the box is told of the parts: the names of their arguments."""
        return {name: _describe(part) for name, part in self._references.items()}

    def note_call(self, name: str) -> None:
        """Take down that a part was called."""
        self.called.add(name)
        self.used.add(name)

    def answer(self, question: str, value: Any) -> list[Any]:
        """Whether the question has an answer, and the answer, or an error's type and text. Never raises."""
        self._calls += 1
        if self._calls > CALLS or self._work > WORK:
            return [False, ["RuntimeError", "too many calls"]]
        self._work += PER_CALL
        try:
            with torch.random.fork_rng(devices=[]):
                return [True, self._answer(question, value)]
        except Exception as error:  # ours or torch's, about arguments that student code chose
            return [False, [type(error).__name__, str(error)[:TEXT]]]

    def _answer(self, question: str, value: Any) -> Any:
        if type(value) is not list:
            raise RefusedQuestion(question)
        if question == "construct" and len(value) == 3:
            return self._construct(*value)
        if question == "forward" and len(value) == 3:
            return self._forward(*value)
        if question == "backward" and len(value) == 4:
            return self._backward(*value)
        raise RefusedQuestion(question)

    def _construct(self, name: Any, config: Any, number: Any) -> dict[str, Any]:
        torch.default_generator.manual_seed(_integer(number))
        module = self._module(name, _check_config(config), torch.get_default_dtype(), fresh=True)
        self.used.add(name)
        named = dict(module.named_parameters())
        frozen = [path for path, parameter in named.items() if not parameter.requires_grad]
        return {"values": {path: parameter.detach() for path, parameter in named.items()}, "frozen": frozen}

    def _forward(self, about: Any, args: Any, parameters: Any) -> Any:
        with torch.no_grad():
            return self.in_form(self._call(about, args, parameters))

    def in_form(self, answer: Any) -> Any:
        """What is sent of an answer."""
        if self.form is AnswerForm.FIRST_ALONE and isinstance(answer, tuple | list):
            return answer[0]
        if self.form is AnswerForm.WITH_ANOTHER and isinstance(answer, Tensor):
            return (answer, None)
        return answer

    def _backward(self, about: Any, args: Any, parameters: Any, upstream: Any) -> list[Any]:
        with torch.enable_grad():
            given = [_leaf(value) for value in (*_check_list(args), *_check_list(parameters, PARAMETERS))]
            answer = self._call(about, given[: len(args)], given[len(args) :], BACKWARD)
            outputs = answer if isinstance(answer, tuple | list) else [answer]
            pairs = [
                (output, gradient)
                for output, gradient in zip(outputs, fitted(upstream, len(outputs)), strict=True)
                if isinstance(output, Tensor) and output.requires_grad and isinstance(gradient, Tensor)
            ]
            wanted = [value for value in given if isinstance(value, Tensor) and value.requires_grad]
            results: Iterator[Any] = iter([None] * len(wanted))
            if pairs and wanted:
                results = iter(
                    torch.autograd.grad(
                        [o for o, _ in pairs], wanted, [g for _, g in pairs], allow_unused=True
                    )
                )
            return [next(results) if isinstance(v, Tensor) and v.requires_grad else None for v in given]

    def _call(self, about: Any, args: Any, parameters: Any, times: int = 1) -> Any:
        if type(about) is not dict or about.keys() != {"part", "config", "training", "number"}:
            raise RefusedQuestion("about")
        name, config = about["part"], about["config"]
        values, tensors = _check_sizes(_check_list(args), config), len(_check_list(parameters, PARAMETERS))
        self._work += times * (values * (1 + tensors // PER_LAYER) + PER_TENSOR * tensors)
        if config is None:
            called = self._function(name)
        else:
            called = self._with_parameters(about, _check_list(parameters, PARAMETERS))
        answer = called(*args)
        self.note_call(name)
        return answer

    def _with_parameters(self, about: dict[str, Any], parameters: Sequence[Any]) -> Callable[..., Any]:
        """A part of the described configuration with these parameters; its dropout follows a seed."""
        dtype = next(
            (v.dtype for v in _check_list(parameters, PARAMETERS) if isinstance(v, Tensor)), torch.float32
        )
        module = self._module(about["part"], _check_config(about["config"]), dtype)
        named = dict(module.named_parameters())
        if [getattr(value, "shape", None) for value in parameters] != [p.shape for p in named.values()]:
            raise RefusedQuestion("parameters")
        torch.default_generator.manual_seed(_integer(about["number"]))
        module.train(about["training"] is True)
        return partial(_call_with, module, dict(zip(named, parameters, strict=True)))

    def _function(self, name: Any) -> Any:
        function = self._references.get(name)
        if function is None or isinstance(function, type):
            raise RefusedQuestion("name")
        return function

    def _module(
        self, name: Any, config: dict[str, Any], dtype: torch.dtype, *, fresh: bool = False
    ) -> nn.Module:
        symbol = self._references.get(name)
        if not isinstance(symbol, type):
            raise RefusedQuestion("name")
        key = (name, tuple(sorted(config.items())), dtype)
        if fresh or key not in self._modules:
            values, tensors = self._size_of(symbol, config, key[:2])
            if values > PARAMETERS:
                raise RefusedQuestion("size")
            self._work += values + NEW * PER_TENSOR * tensors
            while len(self._modules) >= ENTRIES:
                self._modules.pop(next(iter(self._modules)))
            self._modules[key] = symbol(**config).to(dtype)
        return self._modules[key]

    def _size_of(self, symbol: type[nn.Module], config: dict[str, Any], key: Any) -> tuple[int, int]:
        """How many values a part's parameters have, and in how many tensors, before they take memory."""
        if key not in self._sizes:
            with torch.device("meta"):
                sizes = [parameter.numel() for parameter in symbol(**config).parameters()]
            self._sizes[key] = sum(sizes), len(sizes)
        return self._sizes[key]


def fitted(upstream: Any, outputs: int) -> list[Any]:
    """The gradients that arrive, one for each output of the part, in whatever form it has answered."""
    arriving = [*_check_list(upstream)][:outputs]
    return arriving + [None] * (outputs - len(arriving))


def right_parts(whole: Any, wrong: Iterable[str]) -> RightParts | None:
    """The reference's parts among `wrong` that its whole is built of, at any depth; None if there are none.

    Args:
        whole: the reference's class or function.
        wrong: the names of the submission's parts that were found wrong.
    """
    symbols = built_of(whole)
    parts = {name: symbols[name] for name in sorted(wrong) if name in symbols and symbols[name] is not whole}
    return RightParts(parts) if parts else None


def built_of(whole: Any) -> dict[str, Any]:
    """The functions and classes that the reference's whole is built of, at any depth, and itself, by name."""
    return _built_of(sys.modules[whole.__module__], set())


def _built_of(module: ModuleType, seen: set[str]) -> dict[str, Any]:
    """The functions and classes that a solution and the solutions that it imports define, by name."""
    seen.add(module.__name__)
    symbols: dict[str, Any] = {}
    for name, value in vars(module).items():
        home = getattr(value, "__module__", None) or ""
        if home.startswith("solutions.") and home in sys.modules and callable(value):
            symbols[name] = value
            if home not in seen:
                symbols = _built_of(sys.modules[home], seen) | symbols
    return symbols


def _describe(part: Any) -> dict[str, list[str] | None]:
    if not isinstance(part, type):
        return {"init": None, "call": _names(part)}
    forward: Any = vars(part).get("forward", nn.Module.forward)
    return {"init": _names(part), "call": _names(forward)[1:]}


def _call_with(module: nn.Module, parameters: dict[str, Tensor], *args: Any) -> Any:
    return functional_call(module, parameters, args)


def _names(called: Any) -> list[str]:
    return list(inspect.signature(called).parameters)


def _check_config(config: Any) -> dict[str, Any]:
    """A configuration: few plain values by name, none of them large."""
    if type(config) is not dict or len(config) > ENTRIES:
        raise RefusedQuestion("config")
    for value in config.values():
        if type(value) not in (int, float, bool, type(None)) or (value is not None and abs(value) > INTEGER):
            raise RefusedQuestion("config")
    return config


def _check_list(values: Any, most: int = ENTRIES) -> Sequence[Any]:
    if type(values) is not list or len(values) > most:
        raise RefusedQuestion("values")
    return values


def _integer(number: Any) -> int:
    if type(number) is not int or not 0 <= number < 1 << 31:
        raise RefusedQuestion("number")
    return number


def _leaf(value: Any) -> Any:
    """A float tensor as one that gets a gradient."""
    floating = isinstance(value, Tensor) and value.is_floating_point()
    return value.detach().clone().requires_grad_() if floating else value


def _check_sizes(args: Sequence[Any], config: Any) -> int:
    """What a call costs; refuse arguments of which the reference would make large intermediate tensors.

    Scores have the leading axes of all arguments together, an axis of heads, and two of positions; a layer
    makes an axis as long as a number of the configuration. A call costs as if all axes were the longest.
    """
    tensors = [value for value in args if isinstance(value, Tensor)]
    if not all(
        value is None or type(value) in (int, float, bool) or isinstance(value, Tensor) for value in args
    ):
        raise RefusedQuestion("arguments")
    shapes = [tuple(tensor.shape) for tensor in tensors]
    longest = max((size for shape in shapes for size in shape), default=1)
    numbers = config.values() if type(config) is dict else args
    widest = max((value for value in numbers if type(value) is int), default=1)
    leading = [shape[:-2] if len(shape) > 2 else shape[:1] for shape in shapes]
    count = 1
    for axis in range(max(map(len, leading), default=0)):
        count *= max(shape[-1 - axis] for shape in leading if len(shape) > axis)
    rows = max((size for tensor in tensors for size in _axes_of_positions(tensor)), default=1)
    columns = max([rows, *(shape[-1] for shape in shapes[1:] if shape)])  # a mask may have as many keys
    if longest > AXIS or count * rows * max(columns * widest, longest) > VALUES:
        raise RefusedQuestion("sizes")
    return count * longest * longest * max(widest, 1)


def _axes_of_positions(tensor: Tensor) -> tuple[int, ...]:
    """Those of the last two axes that may be of positions: of states the last one is of features."""
    has_features = tensor.is_floating_point() and tensor.dim() > 2
    return tuple(tensor.shape[-2:-1] if has_features else tensor.shape[-2:])
