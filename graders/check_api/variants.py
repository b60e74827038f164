"""Equally right variants of a module: another activation in the place of GELU, another epsilon of a norm.

A reference may have another part in whose place several are right. Its class then has `alternatives`: by
the name of the part the classes that are right there, the reference's own first. A class that is a norm
itself may have `epsilons`, which are tried in the place of its own: one that is always the same is told so.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from torch import nn

Activation = Callable[[], nn.Module]
Variant = Callable[[nn.Module], nn.Module]
GELUS: tuple[Activation, ...] = (nn.GELU, lambda: nn.GELU(approximate="tanh"))
WITH_RELU: tuple[Activation, ...] = (*GELUS, nn.ReLU)
NORMS = (nn.LayerNorm, nn.RMSNorm)
LEAST_EPS, MOST_EPS = 1e-12, 1e-5  # of a norm: every epsilon between these is accepted


def apply_variant(
    model: nn.Module, activation: Activation | None = None, eps: float | None = None
) -> nn.Module:
    """Change a module in place: every GELU to this activation, every accepted epsilon to this one."""
    if activation is not None:
        for name in _free_places(model):
            model.set_submodule(name, activation())
    for part in model.modules():
        if eps is not None and isinstance(part, NORMS) and (part.eps or 0) <= MOST_EPS:
            part.eps = eps
    return model


def accepted_variants(model: nn.Module, activations: Sequence[Activation] = WITH_RELU) -> list[Variant]:
    """All accepted variants (activation x epsilon): each turns a module into an equivalent one.

    A right module stays right, and a known mistake stays the same mistake.
    """
    norms = [part.eps or 0 for part in model.modules() if isinstance(part, NORMS)]
    others = _choices(model, activations)[1:] if _free_places(model) else ()
    usual = (MOST_EPS if min(norms) < MOST_EPS else LEAST_EPS,) if norms else ()
    epsilons: Sequence[float] = getattr(model, "epsilons", usual)
    pairs = itertools.product((None, *others), (None, *epsilons))
    return [partial(apply_variant, activation=a, eps=e) for a, e in pairs if a or e]


def each_activation(model: nn.Module, activations: Sequence[Activation]) -> Iterator[nn.Module]:
    """The module with each activation in the place of its GELUs. It is changed in place: use it at once."""
    places, choices = _free_places(model), _choices(model, activations)
    for activation in choices if places else choices[:1]:
        for place in places:
            model.set_submodule(place, activation())
        yield model


def count_activations(model: nn.Module, activations: Sequence[Activation]) -> int:
    """How many modules `each_activation` gives."""
    return len(_choices(model, activations)) if _free_places(model) else 1


def count_own_alternatives(symbol: Any) -> int:
    """How many parts are right in the place that `alternatives` of a class name, its own too; 1 without."""
    own: Mapping[str, Sequence[Activation]] = getattr(symbol, "alternatives", {})
    return len(next(iter(own.values()), ("its own",)))


def _free_places(model: nn.Module) -> list[str]:
    """The names of the parts in whose place another is as right: of a model's own, or else of all GELUs."""
    own = getattr(model, "alternatives", None)
    return [*own] if own else [name for name, part in model.named_modules() if isinstance(part, nn.GELU)]


def _choices(model: nn.Module, activations: Sequence[Activation]) -> Sequence[Activation]:
    """What is right there, the reference's own first."""
    own: Mapping[str, Sequence[Activation]] = getattr(model, "alternatives", {})
    return next(iter(own.values()), activations)


def with_least_eps(model: nn.Module) -> Iterator[nn.Module]:
    """The module with the least epsilon in one norm, for each norm. It is changed in place."""
    for part in model.modules():
        if isinstance(part, NORMS) and (part.eps or 0) <= MOST_EPS:
            before, part.eps = part.eps, LEAST_EPS
            yield model
            part.eps = before
