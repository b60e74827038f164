import torch


def mask_tokens(ids, special, vocab_size, mask_id, share=0.15):
    p = torch.rand(ids.shape)
    p[special] = 1.0
    chosen = p < share
    fate = p / share if share > 0 else p
    labels = torch.where(chosen, ids, torch.full_like(ids, -100))
    inputs = ids.clone()
    inputs[chosen & (fate < 0.8)] = mask_id
    change = chosen & (fate >= 0.8) & (fate < 0.9)
    inputs[change] = torch.randint(vocab_size, (int(change.sum()),))
    return inputs, labels
