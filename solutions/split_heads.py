"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""


def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def split_heads__without_transpose(x, num_heads):
    """The memory is only read in another shape: positions and heads mix."""
    batch, length, width = x.shape
    return x.reshape(batch, num_heads, length, width // num_heads)


def split_heads__strided(x, num_heads):
    """Head h takes every H-th column, not a block of columns."""
    return x.unflatten(-1, (-1, num_heads)).permute(0, 3, 1, 2)


def split_heads__not_transposed(x, num_heads):
    """The heads stand behind the positions: (B, S, H, D)."""
    return x.unflatten(-1, (num_heads, -1))


def split_heads__reversed(x, num_heads):
    """The heads come in reverse order."""
    return split_heads(x, num_heads).flip(1)


def split_heads__detached(x, num_heads):
    """The heads are cut off from the gradients."""
    return split_heads(x, num_heads).detach()


def split_heads__only_batch_one(x, num_heads):
    """All sequences of the batch get the first one's heads."""
    return split_heads(x[:1].expand_as(x), num_heads)


def split_heads__changes_its_input(x, num_heads):
    """The caller's tensor is changed."""
    apart = split_heads(x, num_heads).clone()
    x.data.zero_()
    return apart
