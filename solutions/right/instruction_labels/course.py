def instruction_labels(prompt, answer, eos):
    ids = prompt + answer + [eos]
    labels = [-100] * len(prompt) + answer + [eos]
    return ids[:-1], labels[1:]
