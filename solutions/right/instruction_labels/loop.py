IGNORE_INDEX = -100


def instruction_labels(prompt, answer, eos):
    text = []
    text.extend(prompt)
    text.extend(answer)
    text.append(eos)
    inputs, targets = [], []
    for i in range(len(text) - 1):
        inputs.append(text[i])
        if i + 1 < len(prompt):
            targets.append(IGNORE_INDEX)
        else:
            targets.append(text[i + 1])
    return inputs, targets
