import torch


@torch.no_grad()
def greedy_decode(model, src, start_id, stop_id, pad_id, max_len):
    memory = model.encode(src)
    unfinished = src.new_ones(len(src))
    input_ids = src.new_full((len(src), 1), start_id)
    while input_ids.shape[-1] < max_len + 1 and unfinished.max() != 0:
        next_tokens = model.decode(input_ids, memory)[:, -1, :].argmax(-1)
        next_tokens = next_tokens * unfinished + pad_id * (1 - unfinished)
        input_ids = torch.cat([input_ids, next_tokens[:, None]], dim=-1)
        unfinished = unfinished.mul((next_tokens != stop_id).long())
    return input_ids
