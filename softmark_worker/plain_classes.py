"""A class that is no module, where one is due: its tensors, or NumPy's arrays, become a module's parameters.

Before each call they are put where the object keeps them. Bare tensors of a module become parameters, too.
"""

import functools
import inspect
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy
import torch
from torch import nn

from softmark_worker.followed_arrays import follow

# Behind the name of a class that is no module, or of a tensor that is no parameter, in what was taken.
PLAIN, BARE = " (plain)", " (tensor)"
_DEEPEST = 6
_MOST = 2_000  # objects that are looked at
_MODES = ("training", "train", "is_training")  # names of flags and arguments
_ABOUT_TENSORS = ("data", "value", "grad", "gradient")  # attributes of a parameter of one's own
_PACKAGES = ("torch", "numpy", "builtins")


@dataclass(frozen=True)
class Place:
    """Where an object keeps an array or a tensor: the names of the attributes on the way, and its holder."""

    path: tuple[str, ...]
    holder: Any
    key: Any

    @property
    def value(self) -> Any:
        """What is kept there."""
        return self.holder[self.key]

    def put(self, value: Any) -> None:
        """Keep another value there."""
        self.holder[self.key] = value


class PlainModule(nn.Module):
    """A module around an object that is none."""

    def __init__(self, made: Any, places: Sequence[Place], objects: Sequence[Any]) -> None:
        super().__init__()
        vars(self).update(_made=made, _objects=objects, _held=[])
        of_numpy = not any(isinstance(p.value, torch.Tensor | nn.Module) for p in places)
        vars(self)["_of_numpy"] = of_numpy
        numbers = [(place, place.value) for place in places if isinstance(place.value, numpy.generic)]
        vars(self)["_numbers"] = numbers
        known: dict[int, Any] = {}
        for place in places:
            value = place.value
            if isinstance(value, numpy.generic):
                continue
            if isinstance(value, nn.Module):
                _part(self, place.path[:-1]).add_module(_free(self, place.path[-1]), value)
            elif id(value) in known or isinstance(value, torch.Tensor) or of_numpy:
                known[id(value)] = self._register(place, value, known.get(id(value)))
        self.forward = self._adapted(_called(made))

    def train(self, mode: bool = True) -> "PlainModule":
        """As of a module; flags of the object that say it are set too."""
        super().train(mode)
        for each in self._objects:
            own = getattr(each, "__dict__", {})
            own.update({flag: mode for flag in _MODES if type(own.get(flag)) is bool})
        return self

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError:
            method = getattr(vars(self)["_made"], name, None)
            if name.startswith("__") or not isinstance(method, types.MethodType):
                raise
            return self._adapted(method)

    def _register(self, place: Place, value: Any, known: Any) -> Any:
        """Register it as a parameter, or a constant as a buffer; `known` where another place has it, too."""
        *inner, last = place.path
        part = _part(self, inner)
        name = _free(part, last)
        tensor = value.detach() if isinstance(value, torch.Tensor) else torch.tensor(value)
        if known is None and is_constant(tensor):
            part.register_buffer(name, tensor.clone())
        else:
            tensor = nn.Parameter(tensor.clone()) if known is None else known
            part.register_parameter(name, tensor)
        vars(self)["_held"].append((place, part, name))
        return getattr(part, name)

    def _adapted(self, method: Callable[..., Any]) -> Callable[..., Any]:
        """A method that is called with the present parameters, in the present mode."""
        signature = inspect.signature(method)
        mode = next((flag for flag in _MODES if _is_flag(signature.parameters.get(flag))), None)

        @functools.wraps(method)
        def call(*args: Any, **kwargs: Any) -> Any:
            given = {**kwargs, mode: self.training} if mode else kwargs
            if vars(self)["_of_numpy"]:
                held = [(place, getattr(part, name)) for place, part, name in vars(self)["_held"]]
                return follow(method, [*held, *vars(self)["_numbers"]], args, given)
            for place, part, name in vars(self)["_held"]:
                place.put(getattr(part, name))
            return method(*args, **given)

        left = [p for name, p in signature.parameters.items() if name != mode]
        call.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return call


def as_module(made: Any) -> PlainModule | None:
    """A module around an object of a class that is none; None where it is one, or holds nothing to learn."""
    if isinstance(made, nn.Module) or not hasattr(made, "__dict__") or not callable(_called(made)):
        return None
    objects: list[Any] = []
    places = [*_walk(made, (), objects, 0)]
    places = [place for place in places if not _is_gradient(place, places)]
    module = PlainModule(made, places, objects) if places else None
    return module if module is not None and any(True for _ in module.parameters()) else None


def learn_tensors(module: nn.Module) -> list[str]:
    """Make parameters of a module's bare tensors; their names.

    Those that require gradients; where it has no parameters, all that are no constants.
    """
    learns = any(True for _ in module.parameters())
    found = []
    for path, part in module.named_modules():
        for name, value in [*vars(part).items()]:
            is_bare = type(value) is torch.Tensor and is_weight(value) and value.is_leaf
            if is_bare and (value.requires_grad or not (learns or _is_fixed(value))):
                delattr(part, name)
                part.register_parameter(name, nn.Parameter(value.detach()))
                found.append(f"{path}.{name}" if path else name)
    return found


def adopt_parts(module: nn.Module) -> list[str]:
    """Make parts of a module of the layers and parameters in its objects that are no modules; their classes.

    What is kept in lists and dicts stays where it is: that is a mistake of its own.
    """
    known = {id(each) for each in (*module.modules(), *module.parameters())}
    classes: dict[str, None] = {}
    for part in [*module.modules()]:
        for name, value in [*vars(part).items()]:
            if not _is_own(value) or isinstance(value, nn.Module):
                continue
            for place in _walk(value, (name,), [], 0):
                layer = place.value
                if not isinstance(layer, nn.Module | nn.Parameter) or id(layer) in known:
                    continue
                known.update(id(each) for each in [layer, *_inside(layer)])
                classes[type(value).__name__] = None
                *inner, last = place.path
                _hold(_part(part, [f"{step}_" if step == name else step for step in inner]), last, layer)
    return list(classes)


def _inside(layer: nn.Module | nn.Parameter) -> list[Any]:
    return [*layer.modules(), *layer.parameters()] if isinstance(layer, nn.Module) else []


def _hold(part: nn.Module, name: str, layer: nn.Module | nn.Parameter) -> None:
    if isinstance(layer, nn.Module):
        part.add_module(_free(part, name), layer)
    else:
        part.register_parameter(_free(part, name), layer)


def _is_fixed(value: torch.Tensor) -> bool:
    """Whether it looks like no start of a weight: a constant, or a row that is neither ones nor zeros."""
    is_row = sum(size > 1 for size in value.shape) < 2
    return is_constant(value) or (is_row and not bool((value == 1).all() or (value == 0).all()))


def is_constant(tensor: torch.Tensor) -> bool:
    """Whether it looks like a mask or a table of sines: two values at most, or 0 and 1 at position 0."""
    if sum(size > 1 for size in tensor.shape) < 2:
        return False
    first = tensor.reshape(-1, tensor.shape[-1])[0]
    of_sines = bool(((first == 0) | (first == 1)).all()) and bool((tensor != 0).any())
    return of_sines or 1 < len(tensor.unique()) <= 2


def _called(made: Any) -> Any:
    """What answers for the module: its forward, else itself as a function, else `call`."""
    forward = getattr(made, "forward", None)
    if callable(forward):
        return forward
    own = next((vars(kind)["__call__"] for kind in type(made).__mro__ if "__call__" in vars(kind)), None)
    return types.MethodType(own, made) if isinstance(own, types.FunctionType) else getattr(made, "call", None)


def _walk(value: Any, path: tuple[str, ...], objects: list[Any], depth: int) -> Iterator[Place]:
    """The places of arrays, tensors and modules in an object, in the objects that it holds, and so on."""
    if depth > _DEEPEST or len(objects) > _MOST or any(value is each for each in objects):
        return
    objects.append(value)
    holder = value if isinstance(value, list | dict) else getattr(value, "__dict__", None)
    if not isinstance(holder, list | dict):
        return
    for key in range(len(holder)) if isinstance(holder, list) else [*holder]:
        inner = holder[key]
        further = (*path, str(key).replace(".", "_") or "_")
        if isinstance(inner, nn.Module | numpy.generic) or is_weight(inner):
            yield Place(_without_data(further), holder, key)
        elif isinstance(inner, list | dict) or _is_own(inner):
            yield from _walk(inner, further, objects, depth + 1)


def is_weight(value: Any) -> bool:
    """Whether it is an array or a tensor of floating-point numbers, with an axis."""
    if isinstance(value, torch.Tensor):
        return value.is_floating_point() and value.ndim > 0 and value.numel() > 0
    return isinstance(value, numpy.ndarray) and value.dtype.kind == "f" and value.ndim > 0 and value.size > 0


def _is_own(value: Any) -> bool:
    """Whether it is an object of a class of the submission."""
    package = type(value).__module__.partition(".")[0]
    return (
        package not in _PACKAGES
        and not isinstance(value, type | types.ModuleType)
        and (type(getattr(value, "__dict__", None)) is dict)
    )


def _is_gradient(place: Place, places: Sequence[Place]) -> bool:
    """Whether it is zeros that are kept for another one: its gradient, or a moment of it."""
    value = place.value
    if not is_weight(value):
        return False
    if place.path[-1].strip("_") in ("grad", "gradient"):
        return True
    if bool((value != 0).any()):
        return False
    beside = (p for p in places if p.holder is place.holder and is_weight(p.value))
    name = place.path[-1].lower()
    return any(
        p.value.shape == value.shape and (other := p.path[-1].lower()) != name and other.strip("_") in name
        for p in beside
    )


def _without_data(path: tuple[str, ...]) -> tuple[str, ...]:
    """The path without the last step into a parameter of one's own: `wq.data` is `wq`."""
    return path[:-1] if len(path) > 1 and path[-1].strip("_") in _ABOUT_TENSORS[:2] else path


def _part(module: nn.Module, path: Sequence[str]) -> nn.Module:
    """The part of a module at this path, made where it is not there."""
    for step in path:
        inner = module._modules.get(step)
        if inner is None:
            inner = nn.Module()
            module.add_module(_free(module, step), inner)
        module = inner
    return module


def _free(module: nn.Module, name: str) -> str:
    """The name, with a line behind it where a module has something else under it."""
    while name in vars(module) or hasattr(nn.Module, name):
        name += "_"
    return name


def _is_flag(parameter: inspect.Parameter | None) -> bool:
    return parameter is not None and type(parameter.default) is bool
