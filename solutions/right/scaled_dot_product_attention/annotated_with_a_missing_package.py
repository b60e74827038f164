import math

import torch
from beartype import beartype
from jaxtyping import Bool, Float, jaxtyped
from torch import Tensor


@jaxtyped(typechecker=beartype)
def scaled_dot_product_attention(
    Q: Float[Tensor, "*lead queries width"],
    K: Float[Tensor, "*lead keys width"],
    V: Float[Tensor, "*lead keys out"],
    mask: Bool[Tensor, "..."] | None = None,
) -> tuple[Float[Tensor, "*lead queries out"], Float[Tensor, "*lead queries keys"]]:
    scores: Float[Tensor, "..."] = torch.einsum("...qd,...kd->...qk", Q, K) / math.sqrt(Q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask, -math.inf)
    weights = scores.softmax(-1)
    return weights @ V, weights
