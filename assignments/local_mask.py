# %% [markdown] lang="en"
# ## The local mask
#
# Full attention compares each position with every other: the matrix of scores is square, and long texts make
# it huge. Often the neighbours are enough. Longformer's local attention shows each position a window around
# itself.

# %% [markdown] lang="fr"
# ## Le masque local
#
# L'attention complète compare chaque position à toutes les autres : la matrice des scores est carrée, et
# devient énorme pour un texte long. Souvent, les voisins suffisent. L'attention locale de Longformer montre à
# chaque position une fenêtre autour d'elle.


# %%
def local_mask(seq_len, window):
    """Which positions each position must not see: all that are more than `window` away.

    Args:
        seq_len: S, the number of positions.
        window: the number of positions that are seen on EACH side. With 2, a position sees the two to its
            left, the two to its right, and itself; with 0, itself alone. The window ends where the sequence
            ends.

    Returns:
        a bool tensor of shape (S, S), True = masked: row i says which positions position i must not see.

    fr: Les positions que chaque position ne doit pas voir : toutes celles qui sont à plus de `window` d'elle.

    Args:
        seq_len: S, le nombre de positions.
        window: le nombre de positions vues de CHAQUE côté. Avec 2, une position voit les deux à sa gauche,
            les deux à sa droite, et elle-même ; avec 0, elle seule. La fenêtre s'arrête où la séquence
            s'arrête.

    Returns:
        un tenseur bool de forme (S, S), True = masqué : la ligne i dit quelles positions la position i ne
        doit pas voir.
    """
    raise NotImplementedError
