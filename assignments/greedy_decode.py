# %% [markdown] lang="en"
# ## Greedy decoding
#
# A decoder writes one id after another: each time the likeliest one, until it writes the stop sign.

# %% [markdown] lang="fr"
# ## Le décodage glouton
#
# Un décodeur écrit un identifiant après l'autre : chaque fois le plus probable, jusqu'au signe d'arrêt.

# %%
def greedy_decode(model, src, start_id, stop_id, pad_id, max_len):
    """Decode each sequence of a batch by itself, until all have stopped.

    Args:
        model: model.encode(src) gives the memory of ids (B, S). model.decode(ids, memory) gives logits of
            shape (B, T, V) for the ids (B, T) written so far.
        src: the sources, int64 of shape (B, S), without padding.
        start_id: the id with which every sequence begins.
        stop_id: the id after which a sequence has ended.
        pad_id: the id that fills up a sequence that ended before others.
        max_len: at most so many ids are written after start_id, whether the model stops or not.

    Returns:
        int64 of shape (B, T): start_id, then the likeliest id at each step, by the logits at the last
        position. A sequence ends with its stop_id, which stays in the answer; after it comes pad_id up to the
        end of the longest. Nothing more is decoded once all have stopped.

    The source is encoded once.

    fr: Décode chaque séquence d'un lot pour elle-même, jusqu'à ce que toutes se soient arrêtées.

    Args:
        model: model.encode(src) donne la mémoire d'identifiants (B, S). model.decode(ids, memory) donne des
            logits de forme (B, T, V) pour les identifiants (B, T) écrits jusque-là.
        src: les sources, int64 de forme (B, S), sans padding.
        start_id: l'identifiant par lequel commence chaque séquence.
        stop_id: l'identifiant après lequel une séquence est finie.
        pad_id: l'identifiant qui complète une séquence finie avant d'autres.
        max_len: le nombre maximal d'identifiants écrits après start_id, que le modèle s'arrête ou non.

    Returns:
        int64 de forme (B, T) : start_id, puis à chaque pas l'identifiant le plus probable, selon les logits à
        la dernière position. Une séquence finit par son stop_id, qui reste dans la réponse ; après lui vient
        pad_id jusqu'à la fin de la plus longue. Rien n'est décodé une fois que toutes se sont arrêtées.

    La source est encodée une seule fois.
    """
    raise NotImplementedError
