# %% [markdown] lang="en"
# ## What a model still knows after k positions
#
# A symbol, then nothing for a while, then the question: what was it? An RNN has to carry the symbol through
# every position in between. Attention looks back at it, however far away it is. Measure how often a model
# recalls it, at several lags, on sequences that it has never seen. Who guesses is right once in `symbols`
# times.
#
# Count the recalled position alone: the positions in between are blank and easy to predict, and a model that
# has learned to say "blank" would look good.

# %% [markdown] lang="fr"
# ## Ce qu'un modèle sait encore après k positions
#
# Un symbole, puis rien pendant un moment, puis la question : lequel était-ce ? Un RNN doit porter le
# symbole à travers toutes les positions intermédiaires. L'attention le regarde directement, si loin qu'il
# soit. Mesurez combien de fois un modèle le retrouve, à plusieurs décalages, sur des séquences qu'il n'a
# jamais vues. Qui devine a raison une fois sur `symbols`.
#
# Ne comptez que la position de la question : les positions intermédiaires sont vides et faciles à prédire, et
# un modèle qui a appris à dire « vide » aurait l'air bon.

# %%
import time

import torch
import torch.nn as nn


def recall_by_lag(model, lags, trials, symbols, seed):
    """How often a model recalls the first symbol, at each lag.

    A sequence of lag k has k + 1 ids: first the symbol, a number from 1 to symbols, all as likely; then k - 1
    blanks, which are 0; last the question, which is symbols + 1. The model has recalled the symbol if, of its
    logits at the last position, the one of the symbol is the largest.

    Args:
        model: a module; model(ids) gives logits (B, T, symbols + 2) for ids (B, T), an int64 tensor. It is
            called in evaluation mode and without gradients, and is afterwards in the mode in which it was
            before.
        lags: a list of different whole numbers, each at least 1.
        trials: how many sequences are drawn for each lag, with a symbol each.
        symbols: how many symbols there are, at least 2.
        seed: a whole number. The same seed draws the same sequences, another seed draws others.

    Returns:
        shares, shape (len(lags),): for each lag the share of its sequences, from 0 to 1, whose symbol is
        recalled.

    fr: Combien de fois un modèle retrouve le premier symbole, à chaque décalage.

    Une séquence de décalage k a k + 1 identifiants : d'abord le symbole, un nombre de 1 à symbols, tous aussi
    probables ; puis k - 1 vides, qui sont 0 ; enfin la question, qui est symbols + 1. Le modèle a retrouvé le
    symbole si, parmi ses logits à la dernière position, celui du symbole est le plus grand.

    Args:
        model: un module ; model(ids) donne des logits (B, T, symbols + 2) pour ids (B, T), un tenseur int64.
            Il est appelé en mode évaluation et sans gradients, et se trouve ensuite dans le mode où il était
            avant.
        lags: une liste de nombres entiers différents, chacun d'au moins 1.
        trials: combien de séquences sont tirées pour chaque décalage, avec chacune son symbole.
        symbols: combien il y a de symboles, au moins 2.
        seed: un nombre entier. La même graine tire les mêmes séquences, une autre en tire d'autres.

    Returns:
        parts, de forme (len(lags),) : pour chaque décalage, la part de ses séquences, de 0 à 1, dont le
        symbole est retrouvé.
    """
    raise NotImplementedError


# %% [markdown] lang="en"
# ### See it
#
# What follows is complete. It trains a network with your `RNN` and one with attention on sequences of several
# lags, for some seconds, and draws three pictures:
#
# | picture | what it shows |
# | --- | --- |
# | 1 | how often each network recalls the symbol at lag k; dotted: guessing |
# | 2 | how long the next token takes after S tokens |
# | 3 | how many numbers have to be kept for it |
#
# An RNN takes the same time and keeps the same state however long the text is, and it forgets. Attention
# recalls the symbol at every lag. If it computes all positions anew for each token, the time grows with the
# square of S; with a cache of keys and values it grows with S, and so do the numbers that are kept.

# %% [markdown] lang="fr"
# ### Le voir
#
# Ce qui suit est complet. Cela entraîne, pendant quelques secondes, un réseau avec votre `RNN` et un réseau
# avec une attention, sur des séquences de plusieurs décalages, puis dessine trois figures :
#
# | figure | ce qu'elle montre |
# | --- | --- |
# | 1 | combien de fois chaque réseau retrouve le symbole au décalage k ; en pointillé : au hasard |
# | 2 | le temps que prend le token suivant après S tokens |
# | 3 | combien de nombres il faut garder pour lui |
#
# Un RNN prend le même temps et garde le même état, quelle que soit la longueur du texte, et il oublie.
# L'attention retrouve le symbole à chaque décalage. Si elle recalcule toutes les positions pour chaque token,
# le temps croît comme le carré de S ; avec un cache des clés et des valeurs il croît comme S, et les nombres
# gardés aussi.


# %%
class LookBack(nn.Module):
    """Causal attention with one head, added to its input. As an RNN it answers a pair, the outputs first.

    fr: Une attention causale à une tête, ajoutée à son entrée. Comme un RNN, elle répond une paire, les
    sorties d'abord.
    """

    def __init__(self, width):
        super().__init__()
        self.attention = nn.MultiheadAttention(width, 1, batch_first=True)

    def forward(self, x):
        later = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
        output, weights = self.attention(x, x, x, attn_mask=later)
        return x + output, weights


class RecallNetwork(nn.Module):
    """From ids (B, T) to logits (B, T, symbols + 2), by a layer that answers a pair, the outputs first.

    fr: D'identifiants (B, T) à des logits (B, T, symbols + 2), par une couche qui répond une paire, les
    sorties d'abord.
    """

    def __init__(self, layer, symbols, width):
        super().__init__()
        self.words = nn.Embedding(symbols + 2, width)
        self.layer = layer
        self.head = nn.Linear(width, symbols + 2)

    def forward(self, ids):
        return self.head(self.layer(self.words(ids))[0])


def train_recall(model, lags, symbols, steps):
    """Train a network on batches of one of the lags each.

    fr: Entraîne un réseau sur des lots d'un des décalages chacun.
    """
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for _ in range(steps):
        lag = lags[int(torch.randint(len(lags), ()))]
        ids = torch.zeros(32, lag + 1, dtype=torch.int64)
        ids[:, 0] = torch.randint(1, symbols + 1, (32,))
        ids[:, -1] = symbols + 1
        loss = nn.functional.cross_entropy(model(ids)[:, -1], ids[:, 0])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


def cost_of_next_token(length, width):
    """What the next token costs after so many: by name, seconds and the numbers that are kept.

    fr: Ce que coûte le token suivant après tant d'autres : par nom, les secondes et les nombres gardés.
    """
    matrices, x = torch.randn(3, width, width) / width**0.5, torch.randn(length, width)
    state, keys, values = x[0], x @ matrices[1], x @ matrices[2]

    def step():
        return torch.tanh(x[-1] @ matrices[0] + state @ matrices[1])

    def attend_anew():
        queries, all_keys, all_values = x @ matrices
        return (queries @ all_keys.T).softmax(-1) @ all_values

    def attend_with_cache():
        query, key, value = x[-1] @ matrices
        scores = torch.cat([keys[:-1], key[None]]) @ query
        return scores.softmax(-1) @ torch.cat([values[:-1], value[None]])

    kept = {step: width, attend_anew: length, attend_with_cache: 2 * length * width}
    names = {step: "RNN", attend_anew: "attention", attend_with_cache: "attention + cache"}
    costs = {}
    for call, numbers in kept.items():
        seconds = []
        for _ in range(7):
            start = time.perf_counter()
            call()
            seconds.append(time.perf_counter() - start)
        costs[names[call]] = (min(seconds), numbers)
    return costs


# %% tags=["raises-exception"]
if __name__ == "__main__":
    import matplotlib.pyplot as plt

    torch.manual_seed(1337)
    torch.set_num_threads(1)
    symbols, width, lags = 8, 32, [1, 2, 4, 8, 16, 32, 64]
    networks = {"RNN": RNN(width, width), "attention": LookBack(width)}
    figure, (recalled, times, memory) = plt.subplots(1, 3, figsize=(12, 3.2), layout="constrained")
    for name, layer in networks.items():
        network = train_recall(RecallNetwork(layer, symbols, width), lags, symbols, 600)
        shares = [float(share) for share in recall_by_lag(network, lags, 200, symbols, seed=7)]
        print(name, shares)
        recalled.plot(lags, shares, marker="o", label=name)
    recalled.axhline(1 / symbols, linestyle=":", color="grey")
    recalled.set(xscale="log", xlabel="k", ylim=(0, 1.05), title="recall_by_lag")

    lengths = [64, 128, 256, 512, 1024, 2048]
    with torch.no_grad():
        costs = [cost_of_next_token(length, width) for length in lengths]
    for name in costs[0]:
        times.plot(lengths, [1e6 * cost[name][0] for cost in costs], marker="o", label=name)
        memory.plot(lengths, [cost[name][1] for cost in costs], marker="o", label=name)
    times.set(xscale="log", yscale="log", xlabel="S", title="µs / token")
    memory.set(xscale="log", yscale="log", xlabel="S", title="state (numbers)")
    recalled.legend()
    times.legend()
    plt.show()
