# %% [markdown] lang="en"
# ## The training loop
#
# Draw a batch, compute the loss, compute its gradients, take a step: that is all there is to training, some
# thousand times. What goes wrong here raises no error: the loss just falls more slowly, or not at all.

# %% [markdown] lang="fr"
# ## La boucle d'entraînement
#
# Tirer un lot, calculer la perte, calculer ses gradients, faire un pas : voilà tout l'entraînement, quelques
# milliers de fois. Ce qui va mal ici ne lève pas d'erreur : la perte descend seulement plus lentement, ou
# pas du tout.

# %%
import torch


def train_model(model, data, steps, batch_size, block_size, lr, seed):
    """Train a language model on a text, with AdamW.

    Args:
        model: a module; model(x, y) gives (logits, loss) for x and y of shape (B, T).
        data: the text as ids, an int64 tensor of shape (N,).
        steps: how many steps of the optimizer are taken.
        batch_size: B, the number of windows of a batch.
        block_size: T, the length of a window.
        lr: the learning rate, the same for all steps.
        seed: of the random windows: the same seed gives the same batches, and another seed others.

    Returns:
        the losses, a list of as many floats as there are steps: that of each step's batch, before the step.

    Each step draws a batch anew, of windows of data and of the ids that follow them, as get_batch does. The
    optimizer is torch.optim.AdamW with its usual values (Adam is accepted, too); there is no schedule and no
    clipping. The model is trained in training mode, and is afterwards in the mode in which it was before.
    torch's global random state is afterwards as it was before. No loss keeps its graph: memory does not
    grow with the number of steps.

    fr: Entraîne un modèle de langage sur un texte, avec AdamW.

    Args:
        model: un module ; model(x, y) donne (logits, loss) pour x et y de forme (B, T).
        data: le texte en identifiants, un tenseur int64 de forme (N,).
        steps: le nombre de pas de l'optimiseur.
        batch_size: B, le nombre de fenêtres d'un lot.
        block_size: T, la longueur d'une fenêtre.
        lr: le taux d'apprentissage, le même à tous les pas.
        seed: la graine des fenêtres tirées : la même graine donne les mêmes lots, et une autre en donne
            d'autres.

    Returns:
        les pertes, une liste d'autant de floats qu'il y a de pas : celle du lot de chaque pas, avant le pas.

    Chaque pas tire un nouveau lot, de fenêtres de data et des identifiants qui les suivent, comme le fait
    get_batch. L'optimiseur est torch.optim.AdamW avec ses valeurs habituelles (Adam est accepté aussi) ; il
    n'y a ni variation du taux ni clipping. Le modèle est entraîné en mode entraînement, et il est ensuite
    dans le mode où il était avant. L'état aléatoire global de torch est ensuite tel qu'il était avant.
    Aucune perte ne garde son graphe : la mémoire ne croît pas avec le nombre de pas.
    """
    raise NotImplementedError
