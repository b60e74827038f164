import torch


def generate(model, idx, max_new_tokens, block_size):
    batch, length = idx.shape
    whole = torch.empty(batch, length + max_new_tokens, dtype=torch.long)
    whole[:, :length] = idx
    for end in range(length, length + max_new_tokens):
        out = model(whole[:, max(0, end - block_size) : end])
        logits = out if torch.is_tensor(out) else out[0]
        p = torch.softmax(logits[:, -1].double(), dim=1)
        u = torch.rand(batch, 1, dtype=torch.float64)
        whole[:, end] = (p.cumsum(1) < u).sum(1).clamp(max=p.shape[1] - 1)
    return whole
