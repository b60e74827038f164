import matplotlib.pyplot as plt


def plot_heads(attentions, tokens, layer, heads):
    weights = attentions[layer][0]
    fig = plt.figure(figsize=(3 * len(heads), 3))
    for i, head in enumerate(heads, start=1):
        ax = fig.add_subplot(1, len(heads), i)
        ax.matshow(weights[head].numpy())
        ax.set(xticks=range(len(tokens)), yticks=range(len(tokens)), xticklabels=tokens, yticklabels=tokens)
        ax.set_xlabel("tokens regardés")
        ax.set_ylabel("tokens qui regardent")
    return fig
