import torch


def beam_search(model, start_id, stop_id, beams, max_len, length_penalty=1.0):
    ids = torch.full((beams, 1), start_id)
    scores = torch.full((beams,), float("-inf"), dtype=torch.float64)
    scores[0] = 0.0  # all rows are equal at first: one of them alone counts
    pool = []
    for step in range(max_len):
        logp = model(ids)[:, -1].detach().double().log_softmax(-1)
        total = scores.unsqueeze(1) + logp
        values, index = total.view(-1).sort(descending=True)
        values, index = values[:beams], index[:beams]
        rows = torch.div(index, logp.size(1), rounding_mode="floor")
        ids = torch.cat((ids[rows], (index - rows * logp.size(1)).unsqueeze(1)), dim=1)
        scores = values.clone()
        for r in range(len(ids)):
            if ids[r, -1] == stop_id and scores[r] > float("-inf"):
                pool.append((scores[r].item() / (step + 1) ** length_penalty, ids[r, 1:-1].tolist()))
                scores[r] = float("-inf")
    for r in range(len(ids)):
        if scores[r] > float("-inf"):
            pool.append((scores[r].item() / max_len**length_penalty, ids[r, 1:].tolist()))
    return max(pool)[1]
