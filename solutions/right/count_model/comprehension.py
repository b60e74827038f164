def count_model(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    counts = {
        "tables": sum(rows * dim for rows in (vocab_size, positions, types)),
        "attention": layers * 4 * dim * (dim + 1),
        "network": layers * (ff_dim * (dim + 1) + dim * (ff_dim + 1)),
        "norms": (2 * layers + 1) * 2 * dim,
        "head": {True: 0, False: vocab_size * dim}[tied],
    }
    return int(sum(counts.values()))
