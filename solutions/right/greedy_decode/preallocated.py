import torch


def greedy_decode(model, src, start_id, stop_id, pad_id, max_len):
    memory = model.encode(src)
    ids = torch.full((len(src), max_len + 1), pad_id)
    ids[:, 0] = start_id
    active = torch.ones(len(src), dtype=torch.bool)
    end = 1
    for t in range(1, max_len + 1):
        probabilities = model.decode(ids[:, :t], memory)[:, t - 1].softmax(dim=-1)
        _, token = probabilities.max(dim=-1)
        ids[active, t] = token[active]
        active &= token != stop_id
        end = t + 1
        if not active.any():
            break
    return ids[:, :end]
