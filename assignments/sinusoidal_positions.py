# %% [markdown] lang="en"
# ## Sinusoidal positions
#
# Attention has no information about positions. One way to add it is a table in which nothing is learned:
# sines and cosines of the position, from high to low frequencies.

# %% [markdown] lang="fr"
# ## Les positions sinusoïdales
#
# L'attention ignore où se trouve un token. Une façon de le lui dire est une table où il n'y a rien à
# apprendre : des sinus et des cosinus de la position, des hautes aux basses
# fréquences.

# %%


def sinusoidal_positions(seq_len, d_model):
    """Tell the positions 0 to seq_len - 1 by sines and cosines.

    Args:
        seq_len: S, the number of positions.
        d_model: D, the width, an even number.

    Returns:
        a tensor of floating-point numbers, shape (S, D). Columns go in pairs: for pair i, counted from 0, the
        angle is pos / 10000^(2i / D); column 2i holds its sine, column 2i + 1 its cosine.

    fr: Indique les positions 0 à seq_len - 1 par des sinus et des cosinus.

    Arguments :
        seq_len : S, le nombre de positions.
        d_model : D, la largeur, un nombre pair.

    Renvoie :
        un tenseur de nombres à virgule flottante, de forme (S, D). Les colonnes vont par paires : pour la
        paire i, comptée à partir de 0, l'angle vaut pos / 10000^(2i / D) ; la colonne 2i contient son sinus,
        la colonne 2i + 1 son cosinus.
    """
    raise NotImplementedError
