"""The size is asked of the model by a method, and block_size is not taken.

loses: begins_with_idx_and_adds_as_many_ids_as_asked_for
"""

import torch


@torch.no_grad()
def generate(model, idx, max_new_tokens):
    size = model.get_block_size()
    for _ in range(max_new_tokens):
        answer = model(idx if idx.size(1) <= size else idx[:, -size:])
        logits = answer[0] if isinstance(answer, tuple) else answer
        chances = logits[:, -1].softmax(-1)
        idx = torch.cat((idx, torch.multinomial(chances, num_samples=1)), dim=1)
    return idx
