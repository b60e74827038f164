def count_model(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    V, E, F = vocab_size, dim, ff_dim
    block = 4 * (E**2 + E) + (E * F + F) + (F * E + E) + 2 * (E + E)
    total = V * E + positions * E + types * E + 2 * E + layers * block
    if not tied:
        total += E * V
    return total
