import math


def count_model(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    linear = lambda i, o: [(o, i), (o,)]
    norm = [(dim,), (dim,)]
    layer = 4 * linear(dim, dim) + linear(dim, ff_dim) + linear(ff_dim, dim) + 2 * norm
    shapes = [(vocab_size, dim), (positions, dim), (types, dim), *norm, *(layers * layer)]
    if not tied:
        shapes.append((vocab_size, dim))
    return sum(math.prod(shape) for shape in shapes)
