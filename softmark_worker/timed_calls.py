"""Repeat calls for the stopwatch, each with arguments of its own, and reduce each answer to a few numbers.

These are projections on numbers that arrived with the request: to know them, code must compute the whole
answer between request and reply.
"""

import contextlib
import ctypes
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from softmark_worker.argument_shapes import as_arguments, flat_shapes

FLUSHED = 64 << 20  # float32 numbers: more than the second-level cache of any GPU holds
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_MMAP_MAX = -1, -3, -4  # malloc.h
LARGE = 8192  # bytes: of one block, if the peak of memory is measured
NEVER = (1 << 31) - 1
_spare: list[torch.Tensor] = []


def time_calls(
    called: Callable[..., Any],
    pool: torch.Tensor,
    places: torch.Tensor,
    shapes: Sequence[Sequence[Any]],
    further: Sequence[Any],
    backward: bool,
    working: bool,
    threads: int,
    keep_memory: bool = True,
) -> torch.Tensor:
    """The projections of each call's answer, one row per call; an empty tensor if not `working`.

    Args:
        called: a function or module.
        pool: numbers from which all arguments are copied.
        places: (calls, arguments), where in the pool each argument begins.
        shapes: the arguments' shapes; of a tuple of tensors, theirs.
        further: arguments that follow these, the same in every call.
        backward: whether to compute the gradients of a projection of the first output too.
        working: whether to make the calls; without them, only the overhead is timed.
        threads: how many PyTorch may use.
        keep_memory: whether memory is kept from call to call from now on. Where the peak is measured, each
            large block is given back at once.
    """
    if torch.get_num_threads() != threads:
        torch.set_num_threads(threads)
    if keep_memory:
        _keep_memory()
    else:
        _give_memory_back()
    parameters = list(called.parameters()) if backward and isinstance(called, torch.nn.Module) else []
    rows = []
    for inputs in _arguments(pool, places.tolist(), shapes, backward):
        if working:
            rows.append(
                _time_training(called, inputs, further, parameters, pool)
                if backward
                else _time_calls(called, [*inputs, *further], pool)
            )
    if pool.is_cuda:
        torch.cuda.synchronize()
    return torch.tensor(rows, dtype=torch.float64)


@functools.cache
def _keep_memory() -> None:
    """Make malloc reuse freed memory: asking the kernel for more would slow down some calls by chance."""
    with contextlib.suppress(AttributeError, OSError):  # mallopt(3) is the GNU library's
        libc = ctypes.CDLL(None)
        libc.mallopt(M_MMAP_MAX, 0)
        libc.mallopt(M_TRIM_THRESHOLD, NEVER)


@functools.cache
def _give_memory_back() -> None:
    """Give large blocks pages of their own: what lies between them would not be freed, and look like use."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE)


def _arguments(
    pool: torch.Tensor, places: Sequence[Sequence[int]], shapes: Sequence[Sequence[Any]], backward: bool
) -> Iterator[list[Any]]:
    for row in places:
        values = []
        for at, shape in zip(row, flat_shapes(shapes), strict=True):
            size = torch.Size(shape)
            value = pool[at : at + size.numel()].clone().view(size)
            values.append(value.requires_grad_() if backward else value)
        if pool.is_cuda:
            _flush(pool.device)
        yield as_arguments(values, shapes)


def _time_calls(called: Callable[..., Any], arguments: list[Any], pool: torch.Tensor) -> list[float]:
    with torch.no_grad():
        return [float(_project(output, pool)) for output in _outputs(called(*arguments))]


def _time_training(
    called: Callable[..., Any],
    inputs: list[torch.Tensor],
    further: Sequence[Any],
    parameters: list[torch.nn.Parameter],
    pool: torch.Tensor,
) -> list[float]:
    loss = _project(_outputs(called(*inputs, *further))[0], pool)
    gradients = torch.autograd.grad(loss, [*inputs, *parameters], allow_unused=True)
    projections = [float(_project(g, pool)) for g in gradients[: len(inputs)] if g is not None]
    # The same however parameters are split or transposed.
    size = sum(float(g.square().sum()) for g in gradients[len(inputs) :] if g is not None)
    return [float(loss.detach()), *projections, size]


def _outputs(answer: Any) -> Sequence[Any]:
    if not isinstance(answer, (tuple, list)):
        return (answer,)
    return [output for part in answer for output in _outputs(part)]


def _project(value: torch.Tensor, pool: torch.Tensor) -> torch.Tensor:
    """A number that depends on every value. If larger than the pool, `value` loses its last axis first."""
    flat = value.reshape(-1)
    if flat.numel() <= pool.numel():
        return torch.dot(flat, pool[: flat.numel()].to(flat.dtype))
    width = value.shape[-1]
    return _project(value @ pool[:width].to(flat.dtype), pool)


def _flush(device: torch.device) -> None:
    if not _spare:
        _spare.append(torch.empty(FLUSHED, device=device))
    _spare[0].zero_()
