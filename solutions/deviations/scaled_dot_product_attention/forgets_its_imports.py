"""Forgets to import what it uses.

loses: imports_what_it_uses
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, -math.inf)
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, V), weights
