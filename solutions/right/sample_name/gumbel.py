import torch
from torch import nn


def sample_name(model: nn.Module, stop_id: int, max_len: int) -> list[int]:
    mode = model.training
    model.eval()
    sequence = [stop_id]
    for step in range(max_len + 1):
        if step == max_len:
            break
        scores = model(torch.LongTensor([sequence])).detach()[0][-1]
        noise = -torch.log(-torch.log(torch.rand_like(scores).clamp(1e-30, 1 - 1e-7)))
        choice = torch.argmax(scores + noise).item()
        if choice == stop_id:
            break
        sequence += [choice]
    model.train(mode)
    del sequence[0]
    return sequence
