import math

import torch


def steps(model, start_id, stop_id, beams, left, beam):
    if left == 0 or not beam:
        return beam
    options = []
    for total, ids in beam:
        probs = model(torch.tensor([[start_id, *ids]]))[0, -1].softmax(-1).tolist()
        options += [(total + math.log(max(p, 1e-300)), (*ids, i)) for i, p in enumerate(probs)]
    options = sorted(options, reverse=True)[:beams]
    ended = [o for o in options if o[1][-1] == stop_id]
    going = [o for o in options if o[1][-1] != stop_id]
    return ended + steps(model, start_id, stop_id, beams, left - 1, going)


def beam_search(model, start_id, stop_id, beams, max_len, length_penalty=1.0):
    results = steps(model, start_id, stop_id, beams, max_len, [(0.0, ())])
    results.sort(key=lambda r: r[0] / len(r[1]) ** length_penalty)
    ids = list(results[-1][1])
    if ids[-1] == stop_id:
        ids.pop()
    return ids
