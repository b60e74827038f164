# %% [markdown] lang="en"
# ## Span corruption
#
# T5 is trained on text alone: spans of a text are taken out, and the decoder writes what was there. A
# sentinel, an id that is no word, stands where a span was, and in front of the span in the answer.

# %% [markdown] lang="fr"
# ## La corruption de segments
#
# T5 s'entraîne sur du texte seul : des segments d'un texte sont retirés, et le décodeur écrit ce qui s'y
# trouvait. Une sentinelle, un identifiant qui n'est pas un mot, prend la place du segment, et le précède dans
# la réponse.

# %%
def corrupt_spans(ids, spans, sentinel):
    """What the encoder is given and what the decoder should write, for a text with spans taken out.

    Args:
        ids: the text, int64 of shape (S,).
        spans: a list of pairs (start, end): ids[start:end] is taken out. They are in order and not empty, and
            they do not overlap; one may begin where the one before ends. There may be none.
        sentinel: the first span's sentinel. The second span's is sentinel - 1, and so on, counting down.

    Returns:
        (inputs, targets), both int64 with one axis: inputs is the text in which one sentinel stands for each
        span. targets is, for each span, its sentinel and its ids, and at the end one sentinel more, the next.

    For ids 5 6 7 8 9, spans [(1, 3), (4, 5)] and sentinel 99: inputs 5 99 8 98, targets 99 6 7 98 9 97.

    fr: Ce que reçoit l'encodeur et ce que doit écrire le décodeur, pour un texte dont on retire des segments.

    Args:
        ids: le texte, int64 de forme (S,).
        spans: une liste de paires (start, end) : ids[start:end] est retiré. Les segments sont dans l'ordre,
            non vides, et ne se chevauchent pas ; l'un peut commencer où finit le précédent. Il peut n'y en
            avoir aucun.
        sentinel: la sentinelle du premier segment. Celle du deuxième est sentinel - 1, et ainsi de suite, en
            décomptant.

    Returns:
        (inputs, targets), tous deux int64 à un axe : inputs est le texte où une sentinelle remplace chaque
        segment. targets est, pour chaque segment, sa sentinelle et ses identifiants, et à la fin une
        sentinelle de plus, la suivante.

    Pour les identifiants 5 6 7 8 9, les segments [(1, 3), (4, 5)] et la sentinelle 99 : inputs 5 99 8 98,
    targets 99 6 7 98 9 97.
    """
    raise NotImplementedError
