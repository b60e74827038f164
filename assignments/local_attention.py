# %% [markdown] lang="en"
# ## Attention that is really local
#
# A mask over the S x S scores gives the right values and saves nothing: all scores are computed, and most are
# thrown away. A text twice as long then takes four times the time and the memory. Local attention computes
# only the scores that count: 2 * window + 1 for each position, however long the text is.
#
# **What this costs is judged.** Time and peak memory are measured at several lengths, and both must grow
# as S.

# %% [markdown] lang="fr"
# ## Une attention vraiment locale
#
# Un masque sur les S x S scores donne les bonnes valeurs et n'économise rien : tous les scores sont calculés,
# et la plupart sont jetés. Un texte deux fois plus long coûte alors quatre fois plus de temps et de mémoire.
# L'attention locale ne calcule que les scores qui comptent : 2 * window + 1 par position, quelle que soit la
# longueur du texte.
#
# **Ce coût est jugé.** Le temps et le pic de mémoire sont mesurés à plusieurs longueurs, et tous deux doivent
# croître comme S.


# %%
def local_attention(Q, K, V, window):
    """Attend from each position to those at most `window` away, and build no S x S matrix.

    Args:
        Q: queries, shape (B, H, S, D).
        K: keys, shape (B, H, S, D).
        V: values, shape (B, H, S, D).
        window: how many positions are seen on each side, 0 or more: position i sees position j where
            abs(i - j) <= window. S may be shorter than window, and need not be a multiple of anything.

    Returns:
        shape (B, H, S, D): what attention gives if every other pair is masked. The scores are scaled by
        1 / sqrt(D); the weights of each position sum to one over the positions that it sees and that are
        there.

    Memory and time grow as S, not as S * S. Working in blocks of a fixed size, or in a Python loop over the
    positions, is fine.

    fr: Calcule l'attention de chaque position sur celles qui sont à une distance d'au plus `window`, sans
    construire de matrice S x S.

    Args:
        Q: les requêtes, de forme (B, H, S, D).
        K: les clés, de forme (B, H, S, D).
        V: les valeurs, de forme (B, H, S, D).
        window: combien de positions sont vues de chaque côté, 0 ou plus : la position i voit la position j
            si abs(i - j) <= window. S peut être inférieur à window, et n'est pas forcément un multiple de
            quoi que ce soit.

    Returns:
        la forme (B, H, S, D) : ce que donne l'attention si toutes les autres paires sont masquées. Les scores
        sont multipliés par 1 / sqrt(D) ; la somme des poids de chaque position vaut un sur les positions
        qu'elle voit et qui existent.

    La mémoire et le temps croissent comme S, et non comme S * S. Travailler par blocs de taille fixe, ou dans
    une boucle Python sur les positions, convient.
    """
    raise NotImplementedError
