import torch

MASKED, RANDOM, KEPT = range(3)


def mask_tokens(ids, special, vocab_size, mask_id, share=0.15):
    chosen = torch.rand_like(ids, dtype=torch.float) < share
    chosen = chosen.logical_and(special.logical_not())
    rows, columns = chosen.nonzero(as_tuple=True)
    fate = torch.multinomial(torch.tensor([0.8, 0.1, 0.1]), max(len(rows), 1), replacement=True)[: len(rows)]
    inputs = ids.clone()
    labels = torch.full_like(ids, -100)
    labels[rows, columns] = ids[rows, columns]
    hide = fate == MASKED
    inputs[rows[hide], columns[hide]] = mask_id
    change = fate == RANDOM
    inputs[rows[change], columns[change]] = torch.randint(vocab_size, (int(change.sum()),))
    return inputs, labels
