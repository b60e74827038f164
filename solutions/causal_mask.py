"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch


def causal_mask(seq_len):
    position = torch.arange(seq_len)
    return position[None, :] > position[:, None]


def causal_mask__inverted(seq_len):
    """True marks what may be seen; here True means masked."""
    return ~causal_mask(seq_len)


def causal_mask__with_diagonal(seq_len):
    """The diagonal is masked too: a position must see itself."""
    return torch.ones(seq_len, seq_len, dtype=torch.bool).triu(0)


def causal_mask__one_further(seq_len):
    """Each position sees one position too many."""
    return torch.ones(seq_len, seq_len, dtype=torch.bool).triu(2)


def causal_mask__transposed(seq_len):
    """The mask hides the past, not the future."""
    return causal_mask(seq_len).T


def causal_mask__of_numbers(seq_len):
    """The mask holds zeros and ones, not bool."""
    return causal_mask(seq_len).int()


def causal_mask__additive(seq_len):
    """The mask holds minus infinity to be added to scores, not bool."""
    return torch.zeros(seq_len, seq_len).masked_fill(causal_mask(seq_len), -torch.inf)


def causal_mask__fixed_length(seq_len):
    """The mask has one fixed length, whatever is asked for."""
    return causal_mask(8)


_kept = {}


def causal_mask__cached(seq_len):
    """The first call's mask is kept and returned for ever."""
    return _kept.setdefault("mask", causal_mask(seq_len))


def causal_mask__empty(seq_len):
    """Nothing is masked."""
    return torch.zeros(seq_len, seq_len, dtype=torch.bool)
