import torch


def instruction_labels(prompt, answer, eos):
    ids = torch.tensor(prompt + answer + [eos])
    labels = ids.clone()
    labels[: len(prompt)] = -100
    return ids[:-1], labels[1:]
