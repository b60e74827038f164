"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", Q, K) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return torch.einsum("...qk,...kv->...qv", weights, V), weights


def scaled_dot_product_attention__unscaled(Q, K, V, mask=None):
    """The scores are not scaled; look at what they should be divided by before the softmax."""
    return scaled_dot_product_attention(Q * math.sqrt(Q.shape[-1]), K, V, mask)


def scaled_dot_product_attention__scaled_by_width(Q, K, V, mask=None):
    """The scores are divided by D, not by its square root."""
    return scaled_dot_product_attention(Q / math.sqrt(Q.shape[-1]), K, V, mask)


def scaled_dot_product_attention__scaled_by_length(Q, K, V, mask=None):
    """The scale is taken from the number of keys; it belongs to the width of a key."""
    return scaled_dot_product_attention(Q * math.sqrt(Q.shape[-1] / K.shape[-2]), K, V, mask)


def scaled_dot_product_attention__softmax_over_queries(Q, K, V, mask=None):
    """The softmax runs over the queries; each query shares its weight among the keys."""
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, -math.inf)
    weights = torch.softmax(scores, dim=-2)
    return weights @ V, weights


def scaled_dot_product_attention__mask_inverted(Q, K, V, mask=None):
    """The mask is read the other way round: True means masked."""
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights


def scaled_dot_product_attention__mask_ignored(Q, K, V, mask=None):
    """The mask has no effect."""
    return scaled_dot_product_attention(Q, K, V)


def scaled_dot_product_attention__mask_after_softmax(Q, K, V, mask=None):
    """The mask acts after the softmax, so that the weights no longer sum to one."""
    _, weights = scaled_dot_product_attention(Q, K, V)
    if mask is not None:
        weights = weights.masked_fill(mask, 0.0)
    return weights @ V, weights


def scaled_dot_product_attention__mask_too_weak(Q, K, V, mask=None):
    """Masked scores are only made a little smaller; some weight is left on masked keys."""
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, -10.0)
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights


def scaled_dot_product_attention__mask_zero(Q, K, V, mask=None):
    """Masked scores are set to zero, which is a score like any other."""
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, 0.0)
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights


def scaled_dot_product_attention__no_softmax(Q, K, V, mask=None):
    """The scores are used as weights as they are."""
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, 0.0)
    return scores @ V, scores


def scaled_dot_product_attention__scores_returned(Q, K, V, mask=None):
    """What comes back with the output are the scores before the softmax."""
    output, _ = scaled_dot_product_attention(Q, K, V, mask)
    return output, Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])


def scaled_dot_product_attention__swapped(Q, K, V, mask=None):
    """Output and weights come back in the wrong order."""
    output, weights = scaled_dot_product_attention(Q, K, V, mask)
    return weights, output


def scaled_dot_product_attention__without_weights(Q, K, V, mask=None):
    """Only the output comes back."""
    return scaled_dot_product_attention(Q, K, V, mask)[0]


def scaled_dot_product_attention__exp_overflows(Q, K, V, mask=None):
    """The softmax is written with exp of the scores themselves, which overflows for large ones."""
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, -math.inf)
    shares = scores.exp()
    weights = shares / shares.sum(-1, keepdim=True)
    return weights @ V, weights


def scaled_dot_product_attention__half_precision(Q, K, V, mask=None):
    """The scores are computed in half precision."""
    output, weights = scaled_dot_product_attention(Q.bfloat16(), K.bfloat16(), V.bfloat16(), mask)
    return output.to(Q.dtype), weights.to(Q.dtype)


def scaled_dot_product_attention__detached(Q, K, V, mask=None):
    """The weights are cut off from the gradients."""
    _, weights = scaled_dot_product_attention(Q, K, V, mask)
    return weights.detach() @ V, weights.detach()


def scaled_dot_product_attention__changes_scores_in_place(Q, K, V, mask=None):
    """Q is scaled in place: the caller's tensor changes."""
    Q.data /= math.sqrt(Q.shape[-1])
    return scaled_dot_product_attention(Q * math.sqrt(Q.shape[-1]), K, V, mask)


def scaled_dot_product_attention__dropout(Q, K, V, mask=None):
    """Dropout acts on the weights at every call."""
    _, weights = scaled_dot_product_attention(Q, K, V, mask)
    weights = torch.nn.functional.dropout(weights, 0.1)
    return weights @ V, weights
