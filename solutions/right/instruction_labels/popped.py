def instruction_labels(instruction, response, end_of_text):
    inputs = [*instruction, *response]
    targets = inputs + [end_of_text]
    targets.pop(0)
    for i in range(len(instruction) - 1):
        targets[i] = -100
    return inputs, targets
