# %% [markdown] lang="en"
# ## How far a stack of windows sees
#
# One layer sees its window alone. But what it sees has seen windows of its own in the layer below.

# %% [markdown] lang="fr"
# ## Jusqu'où voit une pile de fenêtres
#
# Une seule couche ne voit que sa fenêtre. Mais ce qu'elle voit a vu ses propres fenêtres dans la couche du
# dessous.

# %%
def receptive_field(layers, window):
    """How many positions of the input a position of the last layer depends on, far from both ends.

    Args:
        layers: the number of layers of local attention, one upon the other; 0 is the input itself.
        window: the number of positions that each layer sees on EACH side of a position, beside the position
            itself.

    Returns:
        an int. The position itself counts: receptive_field(1, 2) is 5.

    fr: De combien de positions de l'entrée dépend une position de la dernière couche, loin des bouts.

    Args:
        layers: le nombre de couches d'attention locale, l'une sur l'autre ; 0 est l'entrée elle-même.
        window: le nombre de positions que chaque couche voit de CHAQUE côté d'une position, outre la position
            elle-même.

    Returns:
        un int. La position elle-même compte : receptive_field(1, 2) vaut 5.
    """
    raise NotImplementedError
