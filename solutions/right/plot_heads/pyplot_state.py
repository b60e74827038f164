import math

import matplotlib.pyplot as plt


def plot_heads(attentions, tokens, layer, heads):
    side = math.ceil(math.sqrt(len(heads)))
    fig = plt.figure()
    for k, h in enumerate(heads):
        plt.subplot(side, side, k + 1)
        plt.imshow(attentions[layer][0][h], interpolation="nearest", aspect="auto")
        plt.xticks(range(len(tokens)), tokens, rotation="vertical")
        plt.yticks(range(len(tokens)), tokens)
        plt.title("head %d" % h)
    return fig
