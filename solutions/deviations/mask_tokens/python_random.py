"""Python's own generator, which torch.manual_seed does not reach.

loses: follows_the_seed
"""

import random

import torch


def mask_tokens(ids, special, vocab_size, mask_id, share=0.15):
    inputs, labels = ids.clone(), torch.full_like(ids, -100)
    for row in range(ids.shape[0]):
        for place in range(ids.shape[1]):
            if special[row, place] or random.random() >= share:
                continue
            labels[row, place] = ids[row, place]
            fate = random.random()
            if fate < 0.8:
                inputs[row, place] = mask_id
            elif fate < 0.9:
                inputs[row, place] = random.randrange(vocab_size)
    return inputs, labels
