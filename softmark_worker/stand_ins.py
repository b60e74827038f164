"""Stand-ins for a submission's parts that were found wrong: the host computes what they answer.

They exist while a whole is judged that is built of these parts. No code of a right part comes here: each call
and each backward pass sends its arguments to the host. A stand-in for a class is a module whose parameters
have the names and shapes that the host describes.
"""

import builtins
import inspect
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from softmark_worker.argument_roles import role_of
from softmark_worker.call_assignments import Argument, Sources, find_assignments

Ask = Callable[[str, list[Any]], list[Any]]
_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


class StandIns:
    """Binds the names of parts to stand-ins, wherever the submission's own definition has bound them.

    Args:
        parts: by name; `init` has the names of the contract's arguments of the constructor, or None for a
            function, and `call` those of a call.
        ask: sends a question to the host and returns whether it succeeded, and the answer.
    """

    def __init__(self, parts: Mapping[str, Any], ask: Ask) -> None:
        self._parts = parts
        self._ask = ask
        self._made: list[Any] = []
        self._numbers = itertools.count()

    def bind(self, namespace: dict[str, Any]) -> None:
        """Replace what these names are bound to."""
        for name, part in self._parts.items():
            value = namespace.get(name)
            if not callable(value) or any(value is made for made in self._made):
                continue
            if isinstance(value, type) is (part["init"] is not None):
                make = self._class if isinstance(value, type) else self._function
                namespace[name] = make(name, part, value)
                self._made.append(namespace[name])

    def ask(self, question: str, *value: Any) -> Any:
        """The host's answer; raises the error that a right part raises."""
        succeeded, answer = self._ask(question, list(value))
        if succeeded:
            return answer
        kind = getattr(builtins, answer[0], RuntimeError)
        raise (kind if isinstance(kind, type) and issubclass(kind, Exception) else RuntimeError)(answer[1])

    def call(self, about: dict[str, Any], args: Sequence[Any], parameters: Sequence[torch.Tensor]) -> Any:
        """The answer of a call of a part, with its gradients."""
        about = about | {"number": next(self._numbers)}
        return _Call.apply(self, about, len(args), *args, *parameters)  # type: ignore[no-untyped-call]

    def _function(self, name: str, part: dict[str, Any], own: Any) -> Any:
        parameters = _parameters(own)
        sources = _sources(parameters, part["call"])

        def stand_in(*args: Any, **kwargs: Any) -> Any:
            given = _by_place(own, parameters, sources, args, kwargs)
            return self.call({"part": name, "config": None, "training": False}, given, [])

        stand_in.__name__ = stand_in.__qualname__ = name
        return stand_in

    def _class(self, name: str, part: dict[str, Any], own: Any) -> Any:
        room = self
        forward_of = getattr(own, "forward", None)
        parameters = _parameters(forward_of, skip=1)
        sources = _sources(parameters, part["call"])

        class Part(torch.nn.Module):
            def __init__(self, *args: Any, **kwargs: Any) -> None:
                super().__init__()
                self._config = _by_meaning(own, part["init"], args, kwargs)
                described = room.ask("construct", name, self._config, next(room._numbers))
                self._order = list(described["values"])
                for path, value in described["values"].items():
                    _register(self, path, torch.nn.Parameter(value, path not in described["frozen"]))

            def forward(self, *args: Any, **kwargs: Any) -> Any:
                given = _by_place(forward_of, parameters, sources, args, kwargs, self)
                named = dict(self.named_parameters(remove_duplicate=False))
                about = {"part": name, "config": self._config, "training": bool(self.training)}
                return room.call(about, given, [named[path] for path in self._order])

        Part.__name__ = Part.__qualname__ = name
        return Part


class _Call(torch.autograd.Function):
    """A call of a part at the host, and its backward pass there."""

    @staticmethod
    def forward(ctx: Any, room: StandIns, about: dict[str, Any], count: int, *values: Any) -> Any:
        ctx.set_materialize_grads(False)
        sent = [v.detach() if isinstance(v, torch.Tensor) else v for v in values]
        ctx.room, ctx.question = room, [about, sent[:count], sent[count:]]
        return room.ask("forward", *ctx.question)

    @staticmethod
    def backward(ctx: Any, *upstream: Any) -> Any:
        return None, None, None, *ctx.room.ask("backward", *ctx.question, list(upstream))


def _parameters(called: Any, skip: int = 0) -> list[inspect.Parameter] | None:
    """The parameters of the student's own definition; None if a call cannot be matched by their names."""
    try:
        parameters = list(inspect.signature(called).parameters.values())[skip:]
    except (TypeError, ValueError):
        return None
    return parameters if all(p.kind in _NAMED for p in parameters) else None


def _sources(parameters: list[inspect.Parameter] | None, order: Sequence[str]) -> Sources:
    """The place of the contract's argument for each parameter: the likeliest, since nothing is tried here."""
    arguments = [Argument(name, has_default=at > 0) for at, name in enumerate(order)]
    return find_assignments(parameters, arguments)[0] if parameters else {}


def _by_place(
    own: Any,
    parameters: list[inspect.Parameter] | None,
    sources: Mapping[str, int | None],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    *bound: Any,
) -> list[Any]:
    """A call's arguments in the contract's order, whatever the student's own definition calls them."""
    if parameters is None:
        return [*args, *kwargs.values()]
    call = inspect.signature(own).bind(*bound, *args, **kwargs)
    places: dict[int, Any] = {}
    _fill(places, parameters, sources, call.arguments)
    # An argument that is left out before one that is given, as in rotary(x, offset=3), has their own default.
    call.apply_defaults()
    defaults: dict[int, Any] = {}
    _fill(defaults, parameters, sources, call.arguments)
    places |= {
        at: defaults[at] for at in range(max(places, default=0)) if at not in places and at in defaults
    }
    return [places.get(place) for place in range(max(places, default=-1) + 1)]


def _fill(
    places: dict[int, Any],
    parameters: Sequence[inspect.Parameter],
    sources: Mapping[str, int | None],
    given: Mapping[str, Any],
) -> None:
    for parameter in parameters:
        place = sources.get(parameter.name)
        if place is not None and parameter.name in given:
            places.setdefault(place, given[parameter.name])


def _by_meaning(
    own: Any, order: Sequence[str], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> dict[str, Any]:
    """A constructor's arguments by the contract's names, whatever the student's own definition calls them."""
    given = inspect.signature(own).bind(*args, **kwargs).arguments
    by_role = {_role(name): name for name in reversed(order)}
    config: dict[str, Any] = {}
    for place, (theirs, value) in enumerate(given.items()):
        near = order[place] if place < len(order) else None
        ours = theirs if theirs in order else by_role.get(_role(theirs), None if _role(theirs) else near)
        if ours is not None and ours not in config:
            config[ours] = value
    return config


def _role(name: str) -> str | None:
    role = role_of(name)
    return "width" if role == "hidden" else role


def _register(module: torch.nn.Module, path: str, parameter: torch.nn.Parameter) -> None:
    *names, last = path.split(".")
    for name in names:
        if name not in module._modules:
            module.add_module(name, torch.nn.Module())
        child = module._modules[name]
        assert child is not None
        module = child
    module.register_parameter(last, parameter)
