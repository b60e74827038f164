import torch
from torch.distributions import Categorical


def generate(model, idx, max_new_tokens, block_size):
    model.eval()
    written = idx
    for step in range(max_new_tokens):
        answer = model(written[..., -block_size:])
        if isinstance(answer, (tuple, list)):
            answer, *_ = answer
        new = Categorical(logits=answer[:, -1]).sample()
        written = torch.cat([written, new.unsqueeze(1)], dim=-1)
    return written
