import torch
import torch.nn.functional as F


@torch.no_grad()
def generate(model, idx, max_new_tokens, block_size, temperature=1.0, top_k=None):
    was_training = model.training
    model.eval()
    for _ in range(max_new_tokens):
        context = idx if idx.size(1) <= block_size else idx[:, -block_size:]
        result = model(context)
        if isinstance(result, tuple):
            result = result[0]
        scores = result[:, -1, :] / temperature
        if top_k is not None:
            v, _ = torch.topk(scores, min(top_k, scores.size(-1)))
            scores[scores < v[:, [-1]]] = -float("Inf")
        idx = torch.cat((idx, torch.multinomial(F.softmax(scores, dim=-1), 1)), dim=1)
    model.train(was_training)
    return idx
