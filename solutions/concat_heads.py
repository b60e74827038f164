"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""


def concat_heads(x):
    return x.transpose(1, 2).flatten(2)


def concat_heads__without_transpose(x):
    """The memory is only read in another shape: positions and heads mix."""
    batch, heads, length, width = x.shape
    return x.reshape(batch, length, heads * width)


def concat_heads__interleaved(x):
    """The columns of the heads are interleaved, not side by side."""
    return x.permute(0, 2, 3, 1).flatten(2)


def concat_heads__reversed(x):
    """The heads come in reverse order."""
    return concat_heads(x.flip(1))


def concat_heads__along_positions(x):
    """The heads are put one after the other along the sequence."""
    return x.flatten(1, 2)


def concat_heads__mean(x):
    """The heads are averaged, not put side by side."""
    return x.mean(1, keepdim=True).expand_as(x).transpose(1, 2).flatten(2)


def concat_heads__detached(x):
    """The result is cut off from the gradients."""
    return concat_heads(x).detach()


def concat_heads__changes_its_input(x):
    """The caller's tensor is changed."""
    joined = concat_heads(x).clone()
    x.data.mul_(0)
    return joined
