# %% [markdown] lang="en"
# ## Names, until a stop sign
#
# A model that was trained on names knows where one ends: there, a stop sign is likely. The same sign stands
# before the first letter. So a name is written from it, one id after another, until it comes again.
#
# `softmark corpus names --out names.txt` gives names to train on: one a line, whose end is the sign.

# %% [markdown] lang="fr"
# ## Des noms, jusqu'à un signe d'arrêt
#
# Un modèle entraîné sur des noms sait où un nom finit : un signe d'arrêt y est probable. Le même signe se
# trouve devant la première lettre. Un nom s'écrit donc à partir de lui, un identifiant après l'autre, jusqu'à
# ce qu'il revienne.
#
# `softmark corpus names --out names.txt` donne des noms sur lesquels entraîner : un par ligne, et la fin de
# ligne est le signe.

# %%
import torch


def sample_name(model, stop_id, max_len):
    """Write one name: the ids that a model draws between two stop signs.

    Args:
        model: model(ids), with ids int64 of shape (1, T), gives logits of shape (1, T, V). It may come in
            training mode: it is asked in evaluation mode, and left in the mode in which it came.
        stop_id: the id of the sign before and behind a name, not always 0. The first question to the model is
            this id alone; each later one is this id and all ids drawn so far.
        max_len: a name has so many ids at most, 1 or more: then it ends without a sign.

    Returns:
        a list of ints: the ids drawn, without the sign before them and without the one behind. It is empty
        where the sign is drawn at once.

    Each id is drawn by the softmax of the logits at the last position. The randomness is torch's: after
    torch.manual_seed with the same seed, the same name comes.

    fr: Écrit un nom : les identifiants qu'un modèle tire entre deux signes d'arrêt.

    Args:
        model: model(ids), avec ids int64 de forme (1, T), donne des logits de forme (1, T, V). Il peut
            arriver en mode entraînement : il est interrogé en mode évaluation, et laissé dans le mode où
            il est arrivé.
        stop_id: l'identifiant du signe devant et derrière un nom, pas toujours 0. La première question au
            modèle est cet identifiant seul ; chacune des suivantes est cet identifiant et tous ceux qui ont
            été tirés.
        max_len: un nom a au plus ce nombre d'identifiants, 1 ou davantage : il finit alors sans signe.

    Returns:
        une liste d'int : les identifiants tirés, sans le signe qui les précède ni celui qui les suit. Elle
        est vide là où le signe est tiré d'emblée.

    Chaque identifiant est tiré selon le softmax des logits à la dernière position. Le hasard est celui de
    torch : après torch.manual_seed avec la même graine vient le même nom.
    """
    raise NotImplementedError
