# %% [markdown] lang="en"
# ## Heads, drawn
#
# What do heads look at in « Le chat dort sur le canapé car il est fatigué »? A map for each head shows
# it: dark where a token looks. A model of the transformers library gives its attention weights with
# output_attentions=True.

# %% [markdown] lang="fr"
# ## Des têtes, dessinées
#
# Que regardent les têtes dans « Le chat dort sur le canapé car il est fatigué » ? Une carte par tête le
# montre : sombre là où un token regarde. Un modèle de la bibliothèque transformers donne ses poids
# d'attention avec output_attentions=True.

# %%
import matplotlib.pyplot as plt
import torch


def plot_heads(attentions, tokens, layer, heads):
    """Draw the attention weights of some heads of one layer, an image for each head.

    Args:
        attentions: a tuple with a tensor for each layer, shape (1, H, S, S), as output_attentions gives it;
            row i of a head is what token i gives to each token.
        tokens: the S tokens, as strings; a token may come twice.
        layer: the index of the layer, from 0: the fifth layer is 4.
        heads: a list of indices of heads, from 0; one or more.

    Each head has axes of its own, in the order of heads, read row by row from the left. They show its S x S
    weights as an image (imshow) or as a mesh (pcolormesh), rows from token 0: whoever looks is a row, what is
    looked at a column. Each row and each column is labelled with its token. Titles, colours and a scale of
    colours are up to you.

    Returns:
        the figure (matplotlib.figure.Figure). plt.show() is not needed.

    fr: Dessine les poids d'attention de quelques têtes d'une couche, une image par tête.

    Args:
        attentions: un tuple avec un tenseur par couche, de forme (1, H, S, S), tel que le donne
            output_attentions ; la ligne i d'une tête est ce que le token i donne à chaque token.
        tokens: les S tokens, des chaînes ; un token peut apparaître deux fois.
        layer: l'indice de la couche, à partir de 0 : la cinquième couche est 4.
        heads: une liste d'indices de têtes, à partir de 0 ; une ou plusieurs.

    Chaque tête a ses propres axes, dans l'ordre de heads, lus ligne par ligne depuis la gauche. Ils montrent
    ses S x S poids comme une image (imshow) ou un maillage (pcolormesh), les lignes à partir du token 0 : qui
    regarde est une ligne, ce qui est regardé une colonne. Chaque ligne et chaque colonne porte son token
    comme étiquette. Titres, couleurs et échelle de couleurs sont libres.

    Returns:
        la figure (matplotlib.figure.Figure). plt.show() n'est pas nécessaire.
    """
    raise NotImplementedError
