def count_model(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    rows = vocab_size * (2 - bool(tied)) + positions + types + 2
    per_layer = dim * (4 * dim + 2 * ff_dim + 9) + ff_dim
    return dim * rows + layers * per_layer
