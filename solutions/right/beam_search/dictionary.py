import torch


def next_logs(model, prefix):
    with torch.no_grad():
        return torch.log_softmax(model(torch.tensor([list(prefix)])).double(), dim=2)[0, -1]


def beam_search(net, bos, eos, k, limit, alpha=1.0):
    beam = {(bos,): 0.0}
    finished = {}
    for n in range(limit):
        scores = {}
        for prefix, value in beam.items():
            for token, log in enumerate(next_logs(net, prefix)):
                scores[prefix + (token,)] = value + log.item()
        kept = dict(sorted(scores.items(), key=lambda item: item[1])[-k:])
        finished.update({p: v for p, v in kept.items() if p[-1] == eos})
        beam = {p: v for p, v in kept.items() if p[-1] != eos}
        if len(beam) == 0:
            break
    finished.update(beam)
    best = max(finished, key=lambda p: finished[p] / pow(len(p) - 1, alpha))
    return [t for t in best[1:] if t != eos]
