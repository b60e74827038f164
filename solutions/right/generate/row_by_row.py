import torch


def generate(model, idx, max_new_tokens, block_size):
    for _ in range(max_new_tokens):
        out = model(idx[:, -block_size:])
        logits = out[0] if isinstance(out, tuple) else out
        new = []
        for row in logits[:, -1]:
            exp = torch.exp(row - row.max())
            new.append(torch.multinomial(exp / exp.sum(), 1))
        idx = torch.cat([idx, torch.stack(new)], dim=1)
    return idx
