import torch


def generate(model, idx, max_new_tokens, block_size):
    """The greatest of the logits, each with Gumbel noise, is drawn by their softmax."""
    with torch.inference_mode():
        for _ in range(max_new_tokens):
            logits = model(idx[:, max(0, idx.size(1) - block_size) :])
            if type(logits) is tuple:
                logits = logits[0]
            noise = -torch.log(-torch.log(torch.rand_like(logits[:, -1], dtype=torch.float64)))
            idx = torch.hstack([idx, (logits[:, -1] + noise).argmax(dim=-1, keepdim=True)])
        return idx.clone()
