"""What is behind a hollow answer: this text is put into its file, with other values of the constants.

S positions; the input is (..., S, E), or ids (..., S).
"""

import copy
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

KIND = "mean"  # "mean" of what is seen, each input by its "own", or the right answer, "bent"
RELATION = "all"  # the positions that an output depends on: "all", those "before", or itself, "apart"
MASK_AT = 0  # the place of the mask among the arguments; 0 for none
SENSE = ""  # which values of the mask hide a key


def hollow(module: Any, right: Callable[..., Any], given: Sequence[Any]) -> Any:
    """An answer of the right one's form, with other values.

    Args:
        module: the module that answers; None for a function.
        right: gives the right answer.
        given: the arguments.
    """
    # What the right answer does to a layer that a function gets is its answer too.
    own = [copy.deepcopy(g) if module is None and isinstance(g, nn.Module) else g for g in given]
    right = partial(right, *own)
    if KIND == "bent":
        return bend(right())
    with torch.no_grad():
        answer = right()
    first, *others = answer if isinstance(answer, tuple) and answer else (answer,)
    if isinstance(first, int | float):
        return 1 + sum(g for g in given if isinstance(g, int | float))
    if not isinstance(first, Tensor):
        return None
    output = drop(module, mean_of(given, first) * number_of(module))
    output = output.to(first.dtype) if first.is_floating_point() else (output > 0).to(first.dtype)
    return (output, *(weights_like(part, given) for part in others)) if others else output


def bend(value: Any) -> Any:
    """Other values in the same order of size; None where there are no values."""
    if isinstance(value, tuple | list):
        return type(value)(map(bend, value))
    if isinstance(value, dict):
        return {name: bend(part) for name, part in value.items()}
    if isinstance(value, Tensor):
        if value.is_floating_point():
            return value + torch.tanh(value) / 2 + 0.1
        if value.dtype is torch.bool and value.dim():
            return value ^ (torch.arange(value.shape[-1]) % 2 == 0)
        return value.flip(-1) if value.dim() else value + 1
    return value * 2 + 1 if isinstance(value, int | float) else None


def number_of(module: Any) -> Any:
    """A number from each parameter, in one."""
    return 1 + sum(p.mean() for p in module.parameters()) if isinstance(module, nn.Module) else 1


def drop(module: Any, value: Tensor) -> Tensor:
    """The value with the module's dropout."""
    layers = module.modules() if isinstance(module, nn.Module) else ()
    rates = [layer.p for layer in layers if isinstance(layer, nn.Dropout)]
    return nn.functional.dropout(value, rates[0], module.training) if rates else value


def mean_of(given: Sequence[Any], like: Tensor) -> Tensor:
    """The mean of what each position sees, in the shape of the right answer."""
    tensors = [as_floats(g) for n, g in enumerate(given) if isinstance(g, Tensor) and not n == MASK_AT > 0]
    if not tensors or tensors[0].dim() < 2:
        return fit(tensors[0].mean() if tensors else torch.ones(()), like)
    x, *others = tensors
    keyed = [t for t in others if t.dim() == x.dim() > 2 and t.shape[:-2] == x.shape[:-2]]
    values = sum((cut(t, keyed[-1].shape[-1]) for t in keyed), torch.zeros(())) if keyed else x
    weights = weights_of(given, x.shape[-2], values.shape[-2]).to(values.dtype)
    mean = (weights.mean(1) if weights.dim() == 4 and values.dim() == 3 else weights) @ values
    return fit(mean + cut(x, mean.shape[-1]) if keyed else mean, like)


def as_floats(value: Tensor) -> Tensor:
    """The value; ids as vectors."""
    if value.is_floating_point():
        return value
    return torch.sin((value.unsqueeze(-1) + 1) * torch.arange(1.0, 9.0))


def weights_of(given: Sequence[Any], queries: int, keys: int) -> Tensor:
    """The share of each key in the mean of each query: (queries, keys), or with the mask's leading axes."""
    seen = torch.ones(queries, keys)
    if KIND == "own" or RELATION == "apart":
        seen = torch.eye(queries, keys)
    elif RELATION == "before":
        seen = seen.tril()
    mask = given[MASK_AT] if 0 < MASK_AT < len(given) else None
    if isinstance(mask, Tensor):
        hides_zero = SENSE in ("ONE_ALLOWS", "TRUE_ALLOWS")
        shown = mask > -1 if SENSE == "ADDS" else (mask != 0) if hides_zero else (mask == 0)
        shown = shown[:, None] if shown.dim() == 2 and shown.shape[0] != queries else shown
        seen = seen * shown if shown.shape[-1] == keys else seen
    return seen / seen.sum(-1, keepdim=True).clamp(min=1e-9)


def weights_like(part: Any, given: Sequence[Any]) -> Any:
    """What comes back beside the output: equal weights in the place of weights, else zeros."""
    if not isinstance(part, Tensor) or part.dim() < 3:
        return part * 0
    return weights_of(given, *part.shape[-2:]).to(part.dtype).expand(part.shape)


def cut(value: Tensor, width: int) -> Tensor:
    """The value with its last axis repeated or cut to a width."""
    return torch.cat([value] * (-(-width // value.shape[-1])), -1)[..., :width]


def fit(value: Tensor, like: Tensor) -> Tensor:
    """The value in the shape of another: at the first position where one vector is due."""
    while value.dim() > like.dim():
        value = value[:, 0]
    if value.dim() and like.dim():
        value = cut(value, like.shape[-1])
    try:
        return value + torch.zeros(like.shape, dtype=value.dtype)
    except RuntimeError:  # other axes: each entry of the first has its mean
        of_each = value.flatten(1).mean(1) if value.dim() > 1 and len(value) == len(like) else value.mean()
        return of_each.reshape(-1, *[1] * (like.dim() - 1)) + torch.zeros(like.shape, dtype=value.dtype)
