"""What scaled dot-product attention should answer: by its definition, and by the reference."""

import math
from typing import Any

import torch
from torch import Tensor

from graders.check_api.strategies.tensors import Attention, normal
from graders.check_api.target import Target, targets


def _by_loops(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
    """The definition (Vaswani et al. 2017, equation 1), query by query and key by key."""
    rows = []
    for i in range(Q.shape[-2]):
        scores = [(Q[..., i, :] * K[..., j, :]).sum(-1) / math.sqrt(Q.shape[-1]) for j in range(K.shape[-2])]
        row = torch.stack(scores, dim=-1)
        if mask is not None:
            row = row.masked_fill(mask[..., i if mask.shape[-2] > 1 else 0, :], -math.inf)
        shares = (row - row.max(-1, keepdim=True).values).exp()
        rows.append(shares / shares.sum(-1, keepdim=True))
    weights = torch.stack(rows, dim=-2)
    return sum(weights[..., :, j, None] * V[..., j, None, :] for j in range(K.shape[-2])), weights  # type: ignore[return-value]


def defined(draw: Attention) -> tuple[Target, ...]:
    """Output and weights by the definition."""
    return targets(lambda Q, K, V: _by_loops(Q, K, V, draw.mask), [draw.Q, draw.K, draw.V])


def output_by_products(draw: Attention) -> Target:
    """The output by two products of matrices: for draws so large that loops would take seconds."""

    def attend(Q: Tensor, K: Tensor, V: Tensor) -> list[Tensor]:
        scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
        scores = scores if draw.mask is None else scores.masked_fill(draw.mask, -math.inf)
        return [scores.softmax(-1) @ V]

    return targets(attend, [draw.Q, draw.K, draw.V])[0]


def _referred(draw: Attention, reference: Any) -> tuple[Target, ...]:
    """Output and weights of the reference."""
    return targets(lambda Q, K, V: reference(Q, K, V, draw.mask), [draw.Q, draw.K, draw.V])


def with_and_without_mask(draw: Attention, reference: Any) -> tuple[tuple[Target, ...], ...]:
    """Output and weights of the reference under the mask, and without it."""
    return _referred(draw, reference), _referred(drop_mask(draw), reference)


def drop_mask(draw: Attention) -> Attention:
    """The draw without its mask."""
    return Attention(draw.Q, draw.K, draw.V, seed=draw.seed)


def output_and_gradients(draw: Attention, reference: Any) -> tuple[Target, ...]:
    """The reference's output, and its gradients of sum(output * upstream) for Q, K and V."""

    def compute(*inputs: Tensor) -> tuple[Tensor, ...]:
        leaves = [value.clone().requires_grad_() for value in inputs]
        output, _ = reference(*leaves, draw.mask)
        return torch.autograd.grad((output * upstream(draw).to(output.dtype)).sum(), leaves)

    gradients = targets(compute, [draw.Q, draw.K, draw.V], one_scale=True)
    return _referred(draw, reference)[0], *gradients


def upstream(draw: Attention) -> Tensor:
    """The gradient of a loss for the output."""
    return normal(*draw.Q.shape[:-1], draw.V.shape[-1], seed=draw.seed + 9, dtype=draw.Q.dtype)
