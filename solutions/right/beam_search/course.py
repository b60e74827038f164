import torch
import torch.nn.functional as F


@torch.no_grad()
def beam_search(model, start_id, stop_id, beams, max_len, length_penalty=1.0):
    live = [([start_id], 0.0)]
    done = []
    for _ in range(max_len):
        candidates = []
        for tokens, score in live:
            logp = F.log_softmax(model(torch.tensor([tokens]))[0, -1], dim=-1)
            for token, lp in enumerate(logp.tolist()):
                candidates.append((tokens + [token], score + lp))
        candidates.sort(key=lambda c: c[1], reverse=True)
        live = []
        for tokens, score in candidates[:beams]:
            (done if tokens[-1] == stop_id else live).append((tokens, score))
        if not live:
            break
    done += live
    tokens, _ = max(done, key=lambda c: c[1] / (len(c[0]) - 1) ** length_penalty)
    tokens = tokens[1:]
    return tokens[:-1] if tokens[-1] == stop_id else tokens
