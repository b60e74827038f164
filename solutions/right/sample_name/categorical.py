import torch
from torch.distributions import Categorical


def next_id(model, ids):
    with torch.inference_mode():
        return Categorical(logits=model(ids)[0, -1]).sample()


def sample_name(model, stop_id, max_len):
    was = model.training
    model.train(False)
    ids = torch.full((1, 1), stop_id, dtype=torch.long)
    while ids.shape[1] - 1 < max_len:
        new = next_id(model, ids)
        if new == stop_id:
            break
        ids = torch.cat([ids, new.view(1, 1)], dim=1)
    model.train(was)
    return ids[0, 1:].tolist()
