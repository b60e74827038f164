# %% [markdown] lang="en"
# ## Rotary positions
#
# No table of positions is added: the queries and the keys of each head are turned, by an angle that grows
# with the position. The product of a query and a key then depends on how far they are from one another, and
# on nothing else of their positions.
#
# Two columns are turned together, as the two coordinates of a point. Which two these are is a convention, and
# there are two in public: the first half of the columns with the second half (transformers), or neighbours
# (Llama's own code, with complex numbers). Here it is the halves: column i goes with column i + D/2.

# %% [markdown] lang="fr"
# ## Les positions rotatives
#
# Aucune table de positions n'est ajoutée : les requêtes et les clés de chaque tête sont tournées, d'un angle
# qui croît avec la position. Le produit d'une requête et d'une clé ne dépend alors que de la distance qui les
# sépare, et de rien d'autre dans leurs positions.
#
# Deux colonnes tournent ensemble, comme les deux coordonnées d'un point. Lesquelles, c'est une convention, et
# il en existe deux : la première moitié des colonnes avec la seconde (transformers), ou les voisines (le code
# de Llama lui-même, avec des nombres complexes). Ici, ce sont les moitiés : la colonne i va avec la colonne
# i + D/2.

# %%
import torch


def rotary(x, base=10000.0, offset=0):
    """Turn each position of the queries or of the keys by its angles.

    Args:
        x: queries or keys, shape (B, H, S, D); the positions lie on the axis of S, and D is even.
        base: sets how fast the angles of later columns fall.
        offset: the position of the first entry; entry s has the position offset + s.

    Returns:
        the same shape and dtype. With angle(p, i) = p * base^(-2i/D) for the position p and a column i < D/2:
        column i becomes       x_i * cos(angle) - x_(i+D/2) * sin(angle),
        column i + D/2 becomes x_(i+D/2) * cos(angle) + x_i * sin(angle).
        Position 0 stays as it is. x itself is not changed. A table in float32 is accepted.

    fr: Tourne chaque position des requêtes ou des clés de ses angles.

    Args:
        x: des requêtes ou des clés, de forme (B, H, S, D) ; les positions sont sur l'axe de S, et D est pair.
        base: règle la vitesse à laquelle les angles des colonnes suivantes diminuent.
        offset: la position de la première entrée ; l'entrée s a la position offset + s.

    Renvoie :
        la même forme et le même dtype. Avec angle(p, i) = p * base^(-2i/D) pour la position p et une colonne
        i < D/2 :
        la colonne i devient       x_i * cos(angle) - x_(i+D/2) * sin(angle),
        la colonne i + D/2 devient x_(i+D/2) * cos(angle) + x_i * sin(angle).
        La position 0 reste telle quelle. x lui-même n'est pas modifié. Une table en float32 est acceptée.
    """
    raise NotImplementedError
