# %% [markdown] lang="en"
# ## Shifting right
#
# In training, a decoder gets the right sequence one position late: at each position it knows what came
# before, and predicts what stands there (teacher forcing).

# %% [markdown] lang="fr"
# ## Décaler vers la droite
#
# À l'entraînement, un décodeur reçoit la bonne séquence avec une position de retard : à chaque position, il
# connaît ce qui précède et prédit ce qui s'y trouve (teacher forcing).

# %%
def shift_right(labels, start_id, pad_id):
    """What a decoder is given, from what it should predict.

    Args:
        labels: int64 of shape (B, S): the ids to predict, and -100 where nothing is to be predicted.
        start_id: the id with which every sequence begins for the decoder.
        pad_id: the id that stands for padding in what the decoder is given: a -100 has no embedding.

    Returns:
        int64 of shape (B, S): start_id, then the labels without the last, pad_id in the place of each -100.

    The labels keep their values.

    fr: Ce que reçoit un décodeur, à partir de ce qu'il doit prédire.

    Args:
        labels: int64 de forme (B, S) : les identifiants à prédire, et -100 là où il n'y a rien à prédire.
        start_id: l'identifiant par lequel toute séquence commence pour le décodeur.
        pad_id: l'identifiant du padding dans ce que reçoit le décodeur : un -100 n'a pas d'embedding.

    Returns:
        int64 de forme (B, S) : start_id, puis les labels sans le dernier, pad_id à la place de chaque -100.

    Les labels gardent leurs valeurs.
    """
    raise NotImplementedError
