def linear(n_in, n_out, bias=True):
    return n_in * n_out + (n_out if bias else 0)


def layer_norm(width):
    return 2 * width


def block(width, inner):
    attention = sum(linear(width, width) for _ in range(4))
    return attention + layer_norm(width) + linear(width, inner) + linear(inner, width) + layer_norm(width)


def count_model(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    total = vocab_size * dim + positions * dim + types * dim + layer_norm(dim)
    for _ in range(layers):
        total += block(dim, ff_dim)
    return total if tied else total + linear(dim, vocab_size, bias=False)
