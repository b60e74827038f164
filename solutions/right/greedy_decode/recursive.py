import torch


def greedy_decode(model, src, start_id, stop_id, pad_id, max_len):
    memory = model.encode(src)

    def go_on(ids, stopped, left):
        if left == 0 or stopped.all().item():
            return ids
        log_probs = model.decode(ids, memory)[:, -1].log_softmax(-1)
        new = log_probs.argmax(dim=1)
        new[stopped] = pad_id
        return go_on(torch.hstack([ids, new[:, None]]), stopped | (new == stop_id), left - 1)

    start = torch.LongTensor([[start_id]] * len(src))
    return go_on(start, torch.zeros(len(src)).bool(), max_len)
