import matplotlib.pyplot as plt
import torch


def plot_heads(attentions, tokens, layer, heads):
    figure = plt.figure()
    grid = figure.add_gridspec(1, len(heads))
    for column, head in enumerate(heads):
        ax = figure.add_subplot(grid[0, column])
        ax.pcolormesh(attentions[layer].squeeze(0)[head].tolist(), cmap="viridis")
        middles = torch.arange(len(tokens)) + 0.5
        ax.set_xticks(middles, labels=tokens, rotation=90)
        ax.set_yticks(middles, labels=tokens)
        ax.invert_yaxis()
    return figure
