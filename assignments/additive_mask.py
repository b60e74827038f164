# %% [markdown] lang="en"
# ## Three senses of a mask
#
# In nn.MultiheadAttention, True hides a key; in F.scaled_dot_product_attention, True shows it; and
# nn.Transformer.generate_square_subsequent_mask gives numbers that are added to the scores. What is added
# means the same everywhere: this function makes it of all three.

# %% [markdown] lang="fr"
# ## Trois sens d'un masque
#
# Dans nn.MultiheadAttention, True cache une clé ; dans F.scaled_dot_product_attention, True la montre ; et
# nn.Transformer.generate_square_subsequent_mask donne des nombres qui s'ajoutent aux scores. Ce qui
# s'ajoute a partout le même sens : cette fonction en fait à partir des trois.

# %%
import torch


def to_additive(mask, sense="hides"):
    """A mask as numbers to be added to the scores: 0 where a key is seen, -inf where it is hidden.

    Args:
        mask: any shape. Of bools, or of the integers 1 and 0, for the first two senses; of floats for the
            third.
        sense: "hides" (True or 1 hides a key, as in nn.MultiheadAttention), "shows" (True or 1 shows it, as
            in F.scaled_dot_product_attention), or "adds" (the mask is added already: it stays as it is).

    Returns:
        a tensor of floats, of the mask's shape. In the place of -inf, any number from -1e9 downwards is
        accepted.

    fr: Un masque comme des nombres à ajouter aux scores : 0 là où une clé est vue, -inf là où elle est
    cachée.

    Args:
        mask: de forme quelconque. De bools, ou des entiers 1 et 0, pour les deux premiers sens ; de flottants
            pour le troisième.
        sense: "hides" (True ou 1 cache une clé, comme dans nn.MultiheadAttention), "shows" (True ou 1 la
            montre, comme dans F.scaled_dot_product_attention), ou "adds" (le masque s'ajoute déjà : il reste
            tel quel).

    Returns:
        un tenseur de flottants, de la forme du masque. À la place de -inf, tout nombre à partir de -1e9 vers
        le bas est accepté.
    """
    raise NotImplementedError
