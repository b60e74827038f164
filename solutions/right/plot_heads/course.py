import matplotlib.pyplot as plt


def plot_heads(attentions, tokens, layer, heads):
    rows = (len(heads) + 1) // 2
    fig, axes = plt.subplots(rows, 2, figsize=(12, 5 * rows), squeeze=False)
    for idx, head in enumerate(heads):
        ax = axes[idx // 2, idx % 2]
        w = attentions[layer][0, head].detach().numpy()
        im = ax.imshow(w, cmap="Blues")
        ax.set_xticks(range(len(tokens)))
        ax.set_xticklabels(tokens, rotation=45, ha="right", fontsize=8)
        ax.set_yticks(range(len(tokens)))
        ax.set_yticklabels(tokens, fontsize=8)
        ax.set_title(f"Tête {head + 1}", fontsize=11)
        plt.colorbar(im, ax=ax)
    for ax in axes.flat[len(heads):]:
        ax.axis("off")
    plt.suptitle(f"Différentes têtes de la couche {layer + 1}", fontsize=12)
    plt.show()
    return fig
