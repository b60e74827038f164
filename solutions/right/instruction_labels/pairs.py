from itertools import chain, pairwise


def instruction_labels(prompt, answer, eos):
    marked = chain(((token, False) for token in prompt), ((token, True) for token in [*answer, eos]))
    rows = [(now, then if is_answer else -100) for (now, _), (then, is_answer) in pairwise(marked)]
    inputs, targets = map(list, zip(*rows))
    return inputs, targets
