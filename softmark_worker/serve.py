"""One submission's names and objects in its process, and each operation that a request can name.

A request carries plain values and tensors, no more: no check, no expected value, no seed of a check, no
tolerance. Student code that damages this process harms only its own answers.
"""

import contextlib
import dataclasses
import gc
import os
import types
from collections.abc import Mapping, Sequence
from typing import Any

import numpy.random  # noqa: F401 (`import numpy` leaves it to each process to import: 20 ms)
import torch

from softmark_worker import (
    absent_devices,
    adam,
    bind_arguments,
    call_assignments,
    class_for_function,
    count_operations,
    describe_error,
    devices,
    drawn_figure,
    edited_code,
    followed_values,
    forward_arguments,
    gradients,
    lent_layers,
    lent_model,
    no_dropout,
    one_by_one,
    open_checkpoint,
    own_cache,
    plain_classes,
    pretrained_heads,
    run_source,
    single_precision,
    stand_ins,
    symbol_kind,
    timed_calls,
    watch_attention,
    wire,
)

# A module whose `forward` was adapted refers to itself: so many at most wait to be found.
FORGOTTEN = 16
PROBLEMS = 100  # statements that raised while a source was loaded, reported at most


class Room:
    """The submission's names and objects, and what can be done with them."""

    def __init__(self, device: str = "cpu", ask: stand_ins.Ask | None = None) -> None:
        self.device = device
        self._ask = ask
        self._edit = contextlib.ExitStack()
        self.name = ""
        self.parts: dict[str, Any] = {}
        self.calls: dict[str, tuple[call_assignments.Argument, ...]] = {}
        self.taken_as: dict[str, int] = {}
        self.axes_lacking = 0
        self.symbol: Any = None
        self.objects: dict[int, Any] = {}
        self.files: dict[str, list[torch.Tensor]] = {}
        self._forgotten = 0
        self._devices = absent_devices.AbsentDevices()
        # Starts at random, so that no handle of an earlier process is valid in the next.
        self._number = int.from_bytes(os.urandom(5))

    def load(self, source: dict[str, Any], symbol: str, parts: Any = None) -> dict[str, Any]:
        """Run a source's statements and look the symbol up: its kind, what raised, what was left out.

        With stand-ins for its parts, where these are described.
        """
        self.objects = {}
        bind = stand_ins.StandIns(parts, self._ask).bind if parts and self._ask else None
        loaded = run_source.load(source, bind, self._devices.run)
        self._devices.leave_default()
        taken = self.take(loaded.namespace.get(symbol, symbol_kind.ABSENT), source, loaded.namespace)
        return taken | {"problems": loaded.problems[:PROBLEMS], "notes": loaded.notes[:PROBLEMS]}

    def take(self, value: Any, source: dict[str, Any], namespace: dict[str, Any]) -> dict[str, Any]:
        """Take an object of a namespace as a source's symbol: its kind, and its value if it is a tensor."""
        of_parts = {theirs: namespace.get(name) for theirs, name in source.get("parts", {}).items()}
        self.parts = {theirs: part for theirs, part in of_parts.items() if isinstance(part, type)}
        self.name, self.symbol = source["symbol"], value
        calls = source.get("calls", {})
        self.calls = {name: forward_arguments.read_arguments(order) for name, order in calls.items()}
        self.taken_as = dict(source.get("taken_as", {}))
        self.axes_lacking = source.get("axes_lacking", 0)
        kind = symbol_kind.kind_of(value)
        taken: dict[str, str] = {}
        if kind in ("class", "function") and (own := own_cache.as_function(value, self.calls.get("", ()))):
            kind, (value, taken) = "function", own
        elif kind == "class" and "" in self.calls and (joined := class_for_function.as_function(value)):
            kind, taken = "function", {f"{value.__name__}{class_for_function.CLASS}": self.name}
            value = joined
        if kind == "function":
            self.symbol, pairs = forward_arguments.adapt_function(value, *self._call_of(""))
            taken |= pairs
            if self.axes_lacking:
                self.symbol = one_by_one.call_one_by_one(self.symbol, self.axes_lacking)
        tensor = value if isinstance(value, torch.Tensor) else None
        return {"kind": kind, "value": tensor, "ways": self._count_ways(value), "taken": taken}

    def answer(self, do: str, value: Any) -> Any:
        """The answer to a request, whatever device the code asks for; for `do`, see the other methods."""
        return self._devices.run(lambda: getattr(self, do)(*value))

    def absent_device(self) -> list[Any] | None:
        """The frames where the code first asked for a device that is absent; None where it never did."""
        return self._devices.at if self._devices.asked else None

    def several(self, requests: Any) -> list[Any]:
        """The answers to requests, in order: whether each succeeded, and its value or error."""
        return [self._try(*request) for request in requests]

    def try_edits(self, edits: Any, requests: Any) -> list[list[Any] | None]:
        """For each edit of the code, the answers to the same requests; None where one cannot be answered.

        An edit has the arguments of `edited_code.exchanged`.
        """
        return [self._try_edit(edit, requests) for edit in edits]

    def _try_edit(self, edit: Any, requests: Any) -> list[Any] | None:
        try:
            kept = edited_code.kept_as_they_are(self.objects.values())
            bounds = edited_code.in_little_memory(), edited_code.soon()
            with edited_code.exchanged(*edit), kept, bounds[0], bounds[1]:
                return [self.answer(do, edited_code.copy_of(value)) for do, value in requests]
        except BaseException:  # edited code may raise anything
            return None

    def exchange(self, edit: Any) -> None:
        """From now on have an edit of the code, and no other; none for None."""
        self._edit.close()
        if edit is not None:
            self._edit.enter_context(edited_code.in_little_memory())
            self._edit.enter_context(edited_code.kept_as_they_are(self.objects.values()))
            self._edit.enter_context(edited_code.exchanged(*edit))

    def follow(self, files: Any, do: str, value: Any) -> list[Any]:
        """The values that functions of these files have during a request; see `followed_values`."""
        with contextlib.suppress(Exception), followed_values.followed(files) as rows:
            self.answer(do, value)
        return rows

    def follow_every(self, files: Any, do: str, value: Any) -> list[Any]:
        """The same, with values of every kind, such as masks."""
        with contextlib.suppress(Exception), followed_values.followed(files, every=True) as rows:
            self.answer(do, value)
        return rows

    def forget(self, numbers: Any) -> None:
        """Free objects that will not be used again: a model may be large."""
        for number in numbers:
            self.objects.pop(number, None)
        self._forgotten += len(numbers)
        if self._forgotten >= FORGOTTEN:
            self._forgotten = 0
            gc.collect()

    def call(self, target: int | None, args: Any, kwargs: Any) -> Any:
        """The answer of the symbol (`target` None) or of an object; NumPy's numbers come back as Python's."""
        answer = self._answer(target, args, kwargs)
        return symbol_kind.with_plain_numbers(answer)

    def call_seeded(self, target: int | None, seed: int, args: Any) -> dict[str, Any]:
        """The answer of a call with torch's generator seeded by `seed` and gradients enabled.

        Also the arguments as they are after the call, and whether gradients are still enabled.
        """
        with torch.enable_grad():
            torch.default_generator.manual_seed(seed)
            if self.device != "cpu":  # without a GPU torch.manual_seed formats three tracebacks for one
                torch.cuda.manual_seed_all(seed)
            answer = self._answer(target, args, {})
            kept = torch.is_grad_enabled()
        plain = symbol_kind.with_plain_numbers(answer)
        return {"answer": plain, "args": args, "gradients_kept": kept}

    def take_model(self, shell: str, number: int, words: int | None, pair: bool) -> wire.Handle:
        """Keep a model whose answers come from the host; calls pass it as its handle."""
        assert self._ask is not None
        return self._keep(lent_model.SHELLS[shell](number, self._ask, words, pair).to(self.device))

    def take_layer(self, kind: str, parameters: Any, config: Any) -> wire.Handle:
        """Keep a layer that calls and constructors are given, as its handle."""
        return self._keep(lent_layers.make_layer(kind, parameters, config).to(self.device))

    def take_transposed(self, values: torch.Tensor, first: int, second: int) -> wire.Handle:
        """Keep a tensor with these values that lies in memory as a transpose leaves it."""
        return self._keep(values.transpose(first, second).contiguous().transpose(first, second))

    def take_method(self, target: int, name: str) -> wire.Handle:
        """Keep a method of a module, to be called as the symbol is."""
        module = self._module(target)
        way = forward_arguments.choose_way(getattr(module, name), *self._call_of(name))
        called = no_dropout.method_of(module, name)
        return self._keep(dataclasses.replace(way, called=called).call if way else called)

    def mode(self, target: int) -> bool:
        """Whether a module is in training mode."""
        return self._module(target).training

    def call_and_look(self, target: int | None, args: Any, kwargs: Any) -> dict[str, Any]:
        """The answer, the arguments after the call, and whether torch's random state is unchanged."""
        torch.rand(1)  # moves the state away from a seed that an earlier call may have set
        before = torch.get_rng_state()
        answer = self._answer(target, args, kwargs)
        same = bool(torch.equal(before, torch.get_rng_state()))
        plain = symbol_kind.with_plain_numbers(answer)
        return {"answer": plain, "args": args, "kwargs": kwargs, "random_state_kept": same}

    def count_assignments(self, kwargs: Any, contract: str) -> int:
        """In how many ways `construct` can bind the contract's arguments; 1 where their names say it."""
        return bind_arguments.count_assignments(**self._contract_of(kwargs, contract))

    def _contract_of(self, kwargs: Any, contract: str) -> dict[str, Any]:
        """What a constructor is bound by: the values, and the contract's names and defaults."""
        names = bind_arguments.read_contract(contract)
        return {
            "symbol": self.symbol,
            "given": dict(zip(kwargs, self._resolve_handles(kwargs.values()), strict=True)),
            "order": names.get("__init__", []),
            "defaults": names.get("defaults", {}),
            "name": self.name,
            "parts": self.parts,
        }

    def construct(
        self, args: Any, kwargs: Any, dtype: str | None, contract: str, number: int = 0
    ) -> list[Any]:
        """Call the symbol and keep the result here.

        A module is put into evaluation mode, and cast to `dtype` if one is given. `contract` is JSON with the
        names of the arguments of `__init__` and `forward`, as far as known, and the first's `defaults`. Of
        the ways that `count_assignments` counts, the one with this number is taken.

        Returns its handle, the shapes of its parameters (None if it is no module), the names of the
        frozen ones, and what was taken for what where the arguments' names are not the contract's.
        """
        bound = self._contract_of(kwargs, contract)
        result, pairs = bind_arguments.construct(args=args, number=number, **bound)
        if plain := plain_classes.as_module(result):
            pairs |= {f"{type(result).__name__}{plain_classes.PLAIN}": "nn.Module"}
            result = plain
        if not isinstance(result, torch.nn.Module):
            return [self._keep(result), None, [], pairs]
        pairs |= {f"{name}{plain_classes.PLAIN}": "nn.Module" for name in plain_classes.adopt_parts(result)}
        bare = plain_classes.learn_tensors(result)
        pairs |= {f"{name}{plain_classes.BARE}": "nn.Parameter" for name in bare}
        for method in self.calls:
            taken = self._adapt(result, method, bound["given"])
            pairs |= {f"{method}: {theirs}": ours for theirs, ours in taken.items()}
        if self.axes_lacking:
            result.forward = one_by_one.call_one_by_one(result.forward, self.axes_lacking)
        module, named = result.eval(), dict(result.named_parameters())
        if forward_arguments.materialise(module, named.values(), bound["given"]):
            named = dict(module.named_parameters())
        if self.device != "cpu" or dtype is not None:
            module = module if self.device == "cpu" else module.to(self.device)
            module = module if dtype is None else devices.in_dtype(module, wire.DTYPES[dtype])
            named = dict(module.named_parameters())
        if no_dropout.is_asked_for(bound["given"], bound["defaults"]):
            no_dropout.switch_off(module)
        frozen = [name for name, value in named.items() if not value.requires_grad]
        return [self._keep(module), {name: list(value.shape) for name, value in named.items()}, frozen, pairs]

    def parameters(self, target: int) -> dict[str, torch.Tensor]:
        """The named parameters of a module."""
        return dict(self._module(target).named_parameters())

    def load_parameters(self, target: int, names: Any, values: torch.Tensor, dtype: str | None) -> None:
        """Copy `values`, one after another, into the named parameters, in another dtype if one is given."""
        if dtype is not None:
            self.cast(target, dtype)
        known = dict(self._module(target).named_parameters())
        parameters = [known[name] for name in names]
        with torch.no_grad():
            for parameter, value in zip(
                parameters, values.split([p.numel() for p in parameters]), strict=True
            ):
                parameter.copy_(value.view(parameter.shape))

    def train(self, target: int, mode: bool) -> None:
        """Set training or evaluation mode."""
        self._module(target).train(mode)

    def cast(self, target: int, dtype: str) -> None:
        """Change the module's floating-point dtype."""
        devices.in_dtype(self._module(target), wire.DTYPES[dtype])

    def gradients(self, target: int | None, args: Any, kwargs: Any, upstream: Any) -> dict[str, Any]:
        """Gradients of the sum over outputs of output * upstream; see `gradients.gradients`."""
        called = self._target(target)
        answer: dict[str, Any] = single_precision.call(gradients.gradients, called, args, kwargs, upstream)
        return answer

    def train_steps(self, target: int, args: Any, steps: int, rate: float) -> None:
        """Train a module on one batch, by the loss that it returns."""
        adam.train_steps(self._module(target), args, steps, rate)

    def repeat(self, target: int | None, *how: Any) -> torch.Tensor:
        """Call repeatedly for the stopwatch; see `timed_calls.time_calls`."""
        return timed_calls.time_calls(self._target(target), *how)

    def count(self, target: int | None, arguments: Any) -> list[int]:
        """What a call computes; see `count_operations.count_operations`."""
        return count_operations.count_operations(self._target(target), arguments)

    def open_checkpoint(self, data: torch.Tensor, kind: str) -> Any:
        """What the bytes of a checkpoint hold."""
        return open_checkpoint.open_checkpoint(data.numpy().tobytes(), kind)

    def open_trained(self, data: torch.Tensor, kind: str) -> Any:
        """What the bytes of a trained model's checkpoint hold: its weights and its notes."""
        return open_checkpoint.open_with_notes(data.numpy().tobytes(), kind)

    def state(self, target: int) -> dict[str, list[int]]:
        """The shapes of a module's parameters and buffers."""
        return {name: list(value.shape) for name, value in self._module(target).state_dict().items()}

    def load_state(self, target: int, names: Any, values: Any) -> None:
        """Give a module's parameters and buffers these values."""
        self._module(target).load_state_dict(dict(zip(names, values, strict=True)))

    def infer(self, target: int, args: Any) -> Any:
        """The answer of an object, without gradients."""
        with torch.no_grad():
            return self._target(target)(*args)

    def watch(self, target: int | None, args: Any, length: int) -> list[dict[str, Any]]:
        """The attention weights that a call computes; see `watch_attention.watch`."""
        return watch_attention.watch(self._target(target), args, length)

    def take_file(self, name: str, piece: torch.Tensor) -> None:
        """Keep a further piece of a pretrained model's file."""
        self.files.setdefault(name, []).append(piece)

    def pretrained_heads(self, sentence: str) -> dict[str, Any]:
        """The attention of the model whose files were sent; see `pretrained_heads.attend`."""
        return pretrained_heads.attend(self.files, sentence)

    def numbers_of(self, text: str, chars: Any) -> torch.Tensor:
        """The numbers that the symbol encodes a text as."""
        return torch.as_tensor(self.symbol(text, chars))

    def text_of(self, numbers: torch.Tensor, chars: Any) -> Any:
        """The text that the symbol decodes from numbers."""
        return self.symbol(numbers.tolist(), chars)

    def _count_ways(self, value: Any) -> dict[str, int]:
        """In how many ways each call may take the contract's arguments, where there are several."""
        counts: dict[str, int] = {}
        for name, arguments in self.calls.items():
            called = getattr(value, name, None) if name else value
            if name == "forward" and called is None and isinstance(value, type):
                called = vars(value).get("__call__")  # of a class that is no module
            if isinstance(value, type) and callable(called):
                called = types.MethodType(called, self)  # as of a module of the class
            counts[name] = forward_arguments.count_ways(called, arguments)
        return {name: count for name, count in counts.items() if count > 1}

    def _adapt(self, module: torch.nn.Module, method: str, sizes: Mapping[str, Any]) -> dict[str, str]:
        """Have a module's forward take the contract's arguments; what is taken for what in this method."""
        arguments, number = self._call_of(method)
        if method == "forward":
            hidden = sizes.get("hidden_size", 0)
            return forward_arguments.adapt_forward(module, arguments, number, hidden)
        called = getattr(module, method, None)  # what the module's own code calls stays as it is
        way = forward_arguments.choose_way(called, arguments, number) if callable(called) else None
        return way.taken if way else {}

    def _call_of(self, name: str) -> tuple[Sequence[call_assignments.Argument], int]:
        """The contract's arguments of a call, and the number of the way in which they are taken."""
        return self.calls.get(name, ()), self.taken_as.get(name, 0)

    def _try(self, do: str, value: Any) -> list[Any]:
        try:
            return [True, self.answer(do, value)]
        except BaseException as error:
            return [False, describe_error.describe(error)]

    def _answer(self, target: int | None, args: Any, kwargs: Any) -> Any:
        return single_precision.call(_call, self._target(target), self._resolve_handles(args), kwargs)

    def _keep(self, value: Any) -> wire.Handle:
        self._number += 1
        self.objects[self._number] = value
        return wire.Handle(self._number)

    def _resolve_handles(self, args: Any) -> list[Any]:
        """The arguments of a call, with each handle replaced by its object."""
        return [self.objects[a.number] if isinstance(a, wire.Handle) else a for a in args]

    def _target(self, target: int | None) -> Any:
        return self.symbol if target is None else self.objects[target]

    def _module(self, target: int) -> torch.nn.Module:
        module = self.objects[target]
        if not isinstance(module, torch.nn.Module):
            raise TypeError({"says": "not_a_module", "got": type(module).__name__})
        return module


def _call(called: Any, args: Any, kwargs: Any) -> Any:
    return drawn_figure.call(called, *args, **kwargs)
