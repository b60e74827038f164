import torch.nn as nn


def count_model(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    model = nn.ModuleDict(
        {
            "words": nn.Embedding(vocab_size, dim),
            "positions": nn.Embedding(positions, dim),
            "norm": nn.LayerNorm(dim),
            "layers": nn.ModuleList(
                nn.TransformerEncoderLayer(dim, 1, ff_dim, batch_first=True) for _ in range(layers)
            ),
            "head": nn.Linear(dim, vocab_size, bias=False),
        }
    )
    if types:
        model["types"] = nn.Embedding(types, dim)
    if tied:
        model["head"].weight = model["words"].weight
    return sum(p.numel() for p in model.parameters())
