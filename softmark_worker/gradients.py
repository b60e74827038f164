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
    by_sequence = _is_by_sequence(called, args, kwargs, outputs)
    pairs = [(_like(o, u, by_sequence), u) for o, u in zip(outputs, upstream, strict=False) if u is not None]
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


def _is_by_sequence(called: Any, args: Any, kwargs: Any, outputs: list[Any]) -> bool:
    """Whether a list among the outputs has an entry for each sequence, and not for each position.

    Asked of one sequence alone, where there are as many of both.
    """
    first = next((arg for arg in args if isinstance(arg, torch.Tensor)), None)
    if first is None or first.dim() < 2 or not any(map(_is_list, outputs)):
        return False
    many = first.shape[0]
    one = [arg[:1] if isinstance(arg, torch.Tensor) and arg.shape[:1] == (many,) else arg for arg in args]
    try:
        with torch.no_grad():
            answer = parts_of(with_names(called(*one, **kwargs)))
    except Exception:  # of the student's code, which need not take this
        return False
    return many > 1 and any(_is_list(part) and len(part) == 1 for part in answer)


def _is_list(output: Any) -> bool:
    parts = output if isinstance(output, list | tuple) else ()
    return bool(parts) and all(isinstance(part, torch.Tensor) and part.dim() == 2 for part in parts)


def _like(output: Any, upstream: torch.Tensor, by_sequence: bool = False) -> torch.Tensor:
    output = _joined(output, upstream, by_sequence)
    if not isinstance(output, torch.Tensor):
        raise TypeError({"says": "not_a_tensor", "got": type(output).__name__})
    if output.shape != upstream.shape:
        shape, got = str(tuple(upstream.shape)), str(tuple(output.shape))
        raise ValueError({"says": "wrong_shape", "shape": shape, "got": got})
    return output


def _joined(output: Any, upstream: torch.Tensor, by_sequence: bool) -> Any:
    """The states of a network at each position, or the output of each sequence, in a list, as one tensor."""
    if not _is_list(output):
        return output
    due = (upstream.shape[1], upstream.shape[0]) if upstream.dim() == 3 else None
    of_length = (len(output), len(output[0])) == due and not by_sequence
    same_shape = len({part.shape for part in output}) == 1
    return torch.stack([*output], int(of_length)) if same_shape else output
