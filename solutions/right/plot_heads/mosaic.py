import matplotlib.pyplot as plt


def show(ax, matrix, words):
    ax.imshow(matrix.cpu(), cmap="magma")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_ticks(list(range(len(words))))
        axis.set_ticklabels(words)


def plot_heads(attentions, tokens, layer, heads):
    names = [f"head {head}" for head in heads]
    fig, axes = plt.subplot_mosaic([names])
    for name, head in zip(names, heads):
        show(axes[name], attentions[layer][0, head], tokens)
        axes[name].set_title(name)
    return fig
