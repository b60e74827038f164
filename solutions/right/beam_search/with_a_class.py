import heapq
from dataclasses import dataclass

import torch


@dataclass
class Hypothesis:
    ids: list
    logp: float
    stop: int

    @property
    def finished(self):
        return bool(self.ids) and self.ids[-1] == self.stop

    def value(self, alpha):
        return self.logp / len(self.ids) ** alpha


def extend(model, start, hypothesis):
    context = torch.tensor([[start] + hypothesis.ids])
    logits = model(context)[0, -1].detach().double()
    logp = logits - logits.logsumexp(0)
    return [Hypothesis(hypothesis.ids + [i], hypothesis.logp + float(v), hypothesis.stop) for i, v in enumerate(logp)]


def beam_search(model, start_id, stop_id, beams, max_len, length_penalty=1.0):
    beam, finished = [Hypothesis([], 0.0, stop_id)], []
    while beam and len(beam[0].ids) < max_len:
        grown = [new for old in beam for new in extend(model, start_id, old)]
        grown = heapq.nlargest(beams, grown, key=lambda h: h.logp)
        finished.extend(h for h in grown if h.finished)
        beam = [h for h in grown if not h.finished]
    winner = max(finished + beam, key=lambda h: h.value(length_penalty))
    return [i for i in winner.ids if i != stop_id]
