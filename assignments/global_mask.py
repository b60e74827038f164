# %% [markdown] lang="en"
# ## Global tokens
#
# With windows alone, the ends of a long text never meet. Longformer lets some tokens chosen in advance see
# all others, and all others see them: the question of a reader, say, or the first token that stands for the
# whole text.

# %% [markdown] lang="fr"
# ## Les tokens globaux
#
# Avec les seules fenêtres, les deux bouts d'un long texte ne se rencontrent jamais. Longformer laisse
# quelques tokens choisis à l'avance voir tous les autres, et tous les autres les voir : la question d'un
# lecteur par exemple, ou le premier token, qui représente tout le texte.

# %%
def global_mask(local, is_global):
    """The local mask with global tokens: they see all positions, and all positions see them.

    Args:
        local: bool of shape (S, S), True = masked: row i says which positions position i must not see.
        is_global: bool of shape (B, S), True = a global token. Each sequence has its own, or none.

    Returns:
        a bool tensor of shape (B, S, S), True = masked: what `local` masks, unless the query or the key is
        global.

    fr: Le masque local avec des tokens globaux, qui voient toutes les positions et que toutes voient.

    Args:
        local: bool de forme (S, S), True = masqué : la ligne i dit quelles positions la position i ne doit
            pas voir.
        is_global: bool de forme (B, S), True = un token global. Chaque séquence a les siens, ou aucun.

    Returns:
        un tenseur bool de forme (B, S, S), True = masqué : ce que masque `local`, sauf si la requête ou la
        clé est globale.
    """
    raise NotImplementedError
