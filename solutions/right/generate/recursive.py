import torch


def next_ids(model, idx, block_size):
    try:
        logits, _ = model(idx[:, -block_size:])
        assert logits.dim() == 3
    except (ValueError, AssertionError, RuntimeError):
        logits = model(idx[:, -block_size:])
    return torch.multinomial(logits[:, -1].softmax(-1), 1)


def generate(model, idx, max_new_tokens, block_size):
    if max_new_tokens == 0:
        return idx
    longer = torch.cat([idx, next_ids(model, idx, block_size)], dim=1)
    return generate(model, longer, max_new_tokens - 1, block_size)
