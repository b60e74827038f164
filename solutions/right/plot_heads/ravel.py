import numpy as np
import matplotlib.pyplot as plt


def plot_heads(attentions, tokens, layer, heads):
    n_cols = 3
    n_rows = int(np.ceil(len(heads) / n_cols))
    fig, axs = plt.subplots(n_rows, n_cols, squeeze=False, sharex=True, sharey=True)
    axs = axs.ravel()
    att = attentions[layer].detach().cpu().numpy()[0]
    for ax, head in zip(axs, heads):
        ax.imshow(att[head], cmap="gray_r")
        ax.set_xticks(np.arange(len(tokens)), labels=tokens)
        ax.set_yticks(np.arange(len(tokens)), labels=tokens)
    for ax in axs[len(heads):]:
        fig.delaxes(ax)
    return fig
