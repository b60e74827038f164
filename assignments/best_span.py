# %% [markdown] lang="en"
# ## The best span
#
# To answer a question, BERT gives each position a score as the first of the answer, and one as the last. The
# answer is the span whose two scores are highest together, among those that are spans at all.

# %% [markdown] lang="fr"
# ## Le meilleur segment
#
# Pour répondre à une question, BERT donne à chaque position un score comme première de la réponse, et un
# autre comme dernière. La réponse est le segment dont les deux scores sont ensemble les plus élevés, parmi
# ceux qui sont vraiment des segments.

# %%
def best_span(start_logits, end_logits, max_len):
    """The span with the highest sum of start_logits at its first and end_logits at its last position.

    A span begins at or before its end, both of which belong to it: its length is end - start + 1, at least 1
    and at most max_len. Of several that are equal, the one that begins first is taken, and of these the
    shortest.

    Args:
        start_logits: shape (S,), a score for each position as the first; -inf where no answer may be, in the
            question and in padding.
        end_logits: the same for the last position; -inf at the same positions, but not at all.
        max_len: the greatest length, at least 1; it may be greater than S.

    Returns:
        (start, end), two ints.

    For start_logits 1 0 5, end_logits 2 4 0 and max_len 2: (0, 1), with the sum 5. The sum of 5 at position 2
    and 4 at position 1 is higher, but that is no span; and (2, 2), of sum 5 as well, begins later.

    fr: Le segment dont la somme de start_logits à sa première position et de end_logits à sa dernière est la
    plus élevée.

    Un segment commence à sa fin ou avant, et ces deux positions en font partie : sa longueur est
    end - start + 1, au moins 1 et au plus max_len. Parmi plusieurs qui sont égaux, on prend celui qui
    commence le premier, et parmi ceux-là le plus court.

    Args:
        start_logits: de forme (S,), un score pour chaque position comme première ; -inf là où ne peut être la
            réponse, dans la question et dans le remplissage.
        end_logits: de même pour la dernière position ; -inf aux mêmes positions, mais pas à toutes.
        max_len: la plus grande longueur, au moins 1 ; elle peut dépasser S.

    Returns:
        (start, end), deux entiers.

    Pour start_logits 1 0 5, end_logits 2 4 0 et max_len 2 : (0, 1), de somme 5. La somme de 5 à la position 2
    et de 4 à la position 1 est plus élevée, mais ce n'est pas un segment ; et (2, 2), de somme 5 aussi,
    commence plus tard.
    """
    raise NotImplementedError
