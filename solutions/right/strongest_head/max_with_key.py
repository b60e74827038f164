import math


def score(head, kind):
    n = len(head)
    if kind == "previous":
        return sum(head[i][i - 1] for i in range(1, n)) / (n - 1)
    if kind == "first":
        return sum(row[0] for row in head) / n
    if kind == "self":
        return sum(head[i][i] for i in range(n)) / n
    return sum(w * math.log(w) for row in head for w in row if w > 0) / n


def strongest(attentions, kind):
    layers = [layer.tolist() for layer in attentions]
    places = [(l, h) for l, layer in enumerate(layers) for h in range(len(layer[0]))]
    # max keeps the first of equal ones.
    return max(places, key=lambda place: sum(score(sequence[place[1]], kind) for sequence in layers[place[0]]))
