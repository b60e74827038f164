import numpy as np
from matplotlib.figure import Figure


def plot_heads(attentions, tokens, layer, heads):
    selected = np.asarray(attentions[layer])[0][list(heads)]
    fig = Figure(figsize=(4, 4 * len(selected)))
    axes = np.atleast_1d(fig.subplots(len(selected), 1))
    positions = np.arange(len(tokens))
    for ax, head, w in zip(axes, heads, selected):
        ax.imshow(w, vmin=0, vmax=1, origin="lower")
        ax.set_xticks(positions, tokens)
        ax.set_yticks(positions, tokens)
        ax.set_title(f"head {head}")
    return fig
