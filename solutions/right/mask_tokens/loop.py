import torch


def mask_tokens(ids, special, vocab_size, mask_id, share=0.15):
    skip = special.tolist()
    inputs, labels = [], []
    for b, row in enumerate(ids.tolist()):
        chances = torch.rand(len(row)).tolist()
        kinds = torch.rand(len(row)).tolist()
        words = torch.randint(0, vocab_size, (len(row),)).tolist()
        new, label = [], []
        for s, token in enumerate(row):
            if skip[b][s] or chances[s] >= share:
                new.append(token)
                label.append(-100)
                continue
            label.append(token)
            if kinds[s] < 0.8:
                new.append(mask_id)
            elif kinds[s] < 0.9:
                new.append(words[s])
            else:
                new.append(token)
        inputs.append(new)
        labels.append(label)
    return torch.tensor(inputs), torch.tensor(labels)
