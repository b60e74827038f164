import torch


def greedy_decode(model, src, start_id, stop_id, pad_id, max_len):
    memory = model.encode(src)
    out = torch.full((src.shape[0], 1), start_id)
    for _ in range(max_len):
        best = model.decode(out, memory)[:, -1:].topk(1, dim=-1).indices[..., 0]
        out = torch.cat((out, best), dim=1)
        if (out[:, 1:] == stop_id).any(dim=1).all():
            break
    # A sequence may have gone on behind its stop: what stands there is overwritten.
    is_stop = out == stop_id
    is_stop[:, 0] = False
    behind = is_stop.cumsum(1) - is_stop.long() > 0
    return out.masked_fill(behind, pad_id)
