import torch


def greedy_decode(model, src, start_id, stop_id, pad_id, max_len):
    """Only the sequences that go on are decoded."""
    memory = model.encode(src)
    rows = [[start_id] for _ in src]
    active = list(range(len(rows)))
    for _ in range(max_len):
        if not active:
            break
        logits = model.decode(torch.tensor([rows[i] for i in active]), memory[active])
        for i, token in zip(active, logits[:, -1].argmax(-1).tolist()):
            rows[i].append(token)
        active = [i for i in active if rows[i][-1] != stop_id]
    width = max(len(row) for row in rows)
    return torch.tensor([row + (width - len(row)) * [pad_id] for row in rows])
