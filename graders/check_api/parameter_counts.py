"""How many values the parameters of a Transformer's parts have: E the model's width, F the inner one."""


def count_attention(width: int) -> int:
    """Four linear layers with bias, from E to E: 4 (E E + E)."""
    return 4 * (width * width + width)


def count_feed_forward(width: int, inner: int) -> int:
    """Two linear layers with bias, from E to F and back: (E F + F) + (F E + E)."""
    return 2 * width * inner + inner + width


def count_norm(width: int) -> int:
    """A gain and a shift: 2 E."""
    return 2 * width


def count_layer(width: int, inner: int) -> int:
    """An attention, a feed-forward network and two norms."""
    return count_attention(width) + count_feed_forward(width, inner) + 2 * count_norm(width)


def count_grouped_attention(dim: int, num_heads: int, num_kv_heads: int) -> int:
    """Two linear layers without bias from E to E, and two from E to the heads of keys and values."""
    return 2 * dim * dim + 2 * dim * (dim // num_heads * num_kv_heads)
