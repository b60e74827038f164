import torch


def greedy_decode(model, src, start_id, stop_id, pad_id, max_len):
    rows = []
    for source in src:
        memory = model.encode(source[None])
        ids = [start_id]
        while len(ids) <= max_len and ids[-1] != stop_id:
            logits = model.decode(torch.tensor([ids]), memory)
            ids.append(int(logits[0, -1].argmax()))
        rows.append(ids)
    longest = max(map(len, rows))
    return torch.tensor([row + [pad_id] * (longest - len(row)) for row in rows])
