import torch


def mask_tokens(ids, special, vocab_size, mask_id, share=0.15):
    inputs, labels = ids.clone(), ids.clone()
    probability = torch.full(labels.shape, share)
    probability.masked_fill_(special, value=0.0)
    masked = torch.bernoulli(probability).bool()
    labels[~masked] = -100

    replaced = torch.bernoulli(torch.full(labels.shape, 0.8)).bool() & masked
    inputs[replaced] = mask_id

    random = torch.bernoulli(torch.full(labels.shape, 0.5)).bool() & masked & ~replaced
    words = torch.randint(vocab_size, labels.shape, dtype=torch.long)
    inputs[random] = words[random]
    return inputs, labels
