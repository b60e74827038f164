import torch


def mask_tokens(ids, special, vocab_size, mask_id, share=0.15):
    flat = ids.flatten()
    words = (~special).flatten().nonzero().squeeze(1)
    keep = torch.empty(len(words)).uniform_() < share
    chosen = words[keep]
    dice = torch.randint(10, (len(chosen),))
    new = flat.clone()
    new[chosen[dice < 8]] = mask_id
    nine = chosen[dice == 8]
    new[nine] = torch.randint(0, vocab_size, nine.shape)
    labels = flat.new_full(flat.shape, -100)
    labels[chosen] = flat[chosen]
    return new.view_as(ids), labels.view_as(ids)
