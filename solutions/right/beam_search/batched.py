import torch


def beam_search(model, start_id, stop_id, beams, max_len, length_penalty=1.0):
    ids = torch.tensor([[start_id]])
    scores = torch.zeros(1, dtype=torch.float64)
    best, best_value = [], float("-inf")

    def offer(row, value):
        nonlocal best, best_value
        if value > best_value:
            best, best_value = row, value

    for step in range(1, max_len + 1):
        logp = torch.log_softmax(model(ids)[:, -1].detach().double(), -1)
        vocab = logp.shape[-1]
        scores, flat = (scores[:, None] + logp).flatten().topk(min(beams, len(ids) * vocab))
        ids = torch.cat([ids[flat // vocab], (flat % vocab)[:, None]], 1)
        ended = ids[:, -1] == stop_id
        for row, score in zip(ids[ended], scores[ended]):
            offer(row[1:-1].tolist(), score.item() / step**length_penalty)
        ids, scores = ids[~ended], scores[~ended]
        if len(ids) == 0:
            return best
    for row, score in zip(ids, scores):
        offer(row[1:].tolist(), score.item() / max_len**length_penalty)
    return best
