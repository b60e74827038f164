"""Gradients of what student code computes."""

from typing import Any

import torch

from softmark_worker.answer_parts import parts_of, with_names, without_long_parts


def gradients(called: Any, args: Any, kwargs: Any, upstream: Any) -> dict[str, Any]:
    """Gradients of the sum over outputs of output * upstream, for tensor arguments and parameters.

    `upstream` holds one tensor or None per output. A gradient is None where none arrives; frozen parameters
    are left out.
    """
    inputs = [a.requires_grad_() for a in args if isinstance(a, torch.Tensor) and a.is_floating_point()]
    named = called.named_parameters() if isinstance(called, torch.nn.Module) else ()
    parameters = {name: value for name, value in named if value.requires_grad}
    answer = with_names(called(*args, **kwargs))
    outputs = parts_of(answer)
    if upstream and upstream[0] is not None:
        while outputs and outputs[0] is None:  # a loss that there is not, before the output
            outputs.pop(0)
    pairs = [(_like(o, u), u) for o, u in zip(outputs, upstream, strict=False) if u is not None]
    wanted = [*inputs, *parameters.values()]
    if not any(o.requires_grad for o, _ in pairs):
        results: Any = [None] * len(wanted)
    else:
        loss = sum((o * u).sum() for o, u in pairs)
        results = torch.autograd.grad(loss, wanted, allow_unused=True)
    return {
        "answer": without_long_parts(answer),
        "inputs": list(results[: len(inputs)]),
        "parameters": dict(zip(parameters, results[len(inputs) :], strict=True)),
    }


def _like(output: Any, upstream: torch.Tensor) -> torch.Tensor:
    output = _joined(output, upstream)
    if not isinstance(output, torch.Tensor):
        raise TypeError({"says": "not_a_tensor", "got": type(output).__name__})
    if output.shape != upstream.shape:
        shape, got = str(tuple(upstream.shape)), str(tuple(output.shape))
        raise ValueError({"says": "wrong_shape", "shape": shape, "got": got})
    return output


def _joined(output: Any, upstream: torch.Tensor) -> Any:
    """The states of a network at each position, in a list, as one tensor of the shape that is due."""
    parts = output if isinstance(output, list | tuple) else ()
    if not parts or not all(isinstance(part, torch.Tensor) and part.dim() == 2 for part in parts):
        return output
    of_length = upstream.dim() == 3 and (len(parts), len(parts[0])) == (upstream.shape[1], upstream.shape[0])
    return torch.stack([*parts], int(of_length)) if len({part.shape for part in parts}) == 1 else output
