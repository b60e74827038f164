import torch


def instruction_labels(prompt, answer, eos):
    text = torch.LongTensor([*prompt, *answer, eos])
    targets = text.roll(-1)
    hidden = torch.arange(len(text)) < len(prompt) - 1
    targets = targets.masked_fill(hidden, -100)
    return text[:-1].tolist(), targets[:-1].tolist()
