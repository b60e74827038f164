from collections import Counter
from itertools import pairwise


def train_bpe(text, num_merges):
    tokens = list(bytes(text, "utf-8"))
    learned = []
    while len(learned) < num_merges and len(tokens) > 1:
        (best, _), *_ = Counter(pairwise(tokens)).most_common(1)
        new = 256 + len(learned)
        learned.append(best)
        place = 0
        while place < len(tokens) - 1:
            if (tokens[place], tokens[place + 1]) == best:
                tokens[place : place + 2] = [new]
            place += 1
    return learned
