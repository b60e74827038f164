# %% [markdown] lang="en"
# ## Temperature, top-k and top-p
#
# Before the next id is drawn, its logits can be changed: a temperature below 1 makes likely ids likelier;
# top-k drops all but the k likeliest; top-p keeps as few as together have the probability p. What is dropped
# gets the logit minus infinity, which a softmax turns into 0.

# %% [markdown] lang="fr"
# ## Température, top-k et top-p
#
# Avant de tirer l'identifiant suivant, on peut changer ses logits : une température inférieure à 1 rend
# encore plus probables ceux qui le sont déjà ; top-k écarte tous les identifiants sauf les k plus probables ;
# top-p n'en garde qu'autant qu'il faut pour réunir la probabilité p. Ce qui est écarté reçoit le logit moins
# l'infini, dont un softmax fait 0.

# %%
import torch


def adjust_logits(logits, temperature=1.0, top_k=None, top_p=None):
    """The logits from which the next ids are to be drawn, one row for each sequence.

    First the logits are divided by the temperature. Of these top_k are kept, then top_p is applied to the
    probabilities that a softmax gives to those that are left.

    Args:
        logits: shape (B, V), finite.
        temperature: above 0.
        top_k: how many ids of each row are kept, those with the largest logits; from 1 on, and all of them
            where it is V or more. None: all are kept. Which of equal logits are kept is undefined.
        top_p: of each row the likeliest ids are kept, as few as reach this probability together: the id that
            reaches it is kept, so that there is always one. Above 0, and up to 1, which keeps all. None: all
            are kept.

    Returns:
        shape (B, V), at the same places: the logits divided by the temperature, -inf where an id is dropped.
        Neither probabilities, nor ids in another order.

    The caller's logits keep their values.

    fr: Les logits selon lesquels tirer les identifiants suivants, une ligne par séquence.

    D'abord, les logits sont divisés par la température. De ceux-ci, top_k sont gardés, puis top_p s'applique
    aux probabilités qu'un softmax donne à ceux qui restent.

    Args:
        logits: de forme (B, V), finis.
        temperature: supérieure à 0.
        top_k: combien d'identifiants sont gardés dans chaque ligne, ceux des plus grands logits ; à partir de
            1, et tous s'il vaut V ou davantage. None : tous sont gardés. Lesquels de logits égaux sont gardés
            n'est pas défini.
        top_p: dans chaque ligne, les identifiants les plus probables sont gardés, aussi peu qu'il en faut
            pour atteindre ensemble cette probabilité : celui qui l'atteint est gardé, si bien qu'il en reste
            toujours un. Supérieur à 0, et jusqu'à 1, qui les garde tous. None : tous sont gardés.

    Returns:
        de forme (B, V), aux mêmes places : les logits divisés par la température, -inf là où un identifiant
        est écarté. Ni des probabilités, ni des identifiants dans un autre ordre.

    Les logits de l'appelant gardent leurs valeurs.
    """
    raise NotImplementedError
