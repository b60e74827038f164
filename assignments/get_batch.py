# %% [markdown] lang="en"
# ## A batch of windows
#
# A language model learns from pieces of one long text. A batch holds some of them, cut out at random, and for
# each position of each piece the id that comes next.

# %% [markdown] lang="fr"
# ## Un lot de fenêtres
#
# Un modèle de langage apprend sur des morceaux d'un long texte. Un lot en contient quelques-uns, découpés au
# hasard, et pour chaque position de chaque morceau l'identifiant qui vient ensuite.

# %%
def get_batch(data, block_size, batch_size):
    """Cut windows out of a text at random, each with the ids that follow its positions.

    Args:
        data: the text as ids, an int64 tensor of shape (N,), N greater than block_size.
        block_size: T, the length of a window.
        batch_size: B, the number of windows.

    Returns:
        x and y, both int64 of shape (B, T). Each row of x is a window of data, and the same row of y the
        window that begins one id later.

    Each of the N - block_size windows that have a next id is equally likely, for each row anew, whatever the
    other rows are. The randomness is torch's: after torch.manual_seed with the same seed, the same batch
    comes.

    fr: Découpe au hasard des fenêtres dans un texte, chacune avec les identifiants qui suivent ses positions.

    Arguments :
        data : le texte en identifiants, un tenseur int64 de forme (N,), N plus grand que block_size.
        block_size : T, la longueur d'une fenêtre.
        batch_size : B, le nombre de fenêtres.

    Renvoie :
        x et y, tous deux int64 de forme (B, T). Chaque ligne de x est une fenêtre de data, et la même ligne
        de y la fenêtre qui commence un identifiant plus loin.

    Chacune des N - block_size fenêtres qui ont un identifiant suivant est également probable, pour chaque
    ligne à nouveau, quelles que soient les autres. Le hasard est celui de torch : après torch.manual_seed
    avec la même graine vient le même lot.
    """
    raise NotImplementedError
