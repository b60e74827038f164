# %% [markdown] lang="en"
# ## Writing text
#
# A language model gives each id its probability of being the next one. To write text, draw an id with these
# probabilities, append it, and call the model again.

# %% [markdown] lang="fr"
# ## Écrire du texte
#
# Un modèle de langage donne à chaque identifiant sa probabilité de venir ensuite. Pour écrire, on en tire un
# selon ces probabilités, on l'ajoute à la fin, et on interroge à nouveau le modèle.

# %%
def generate(model, idx, max_new_tokens, block_size):
    """Continue sequences of ids, one id after another.

    Args:
        model: model(ids) gives logits of shape (B, T, V), or a tuple (logits, loss) whose loss may be None.
        idx: the beginnings, int64 of shape (B, T).
        max_new_tokens: how many ids are added to each.
        block_size: the model is never given more ids in a row than this, but the last ones.

    Returns:
        int64 of shape (B, T + max_new_tokens): idx, and after it the new ids.

    Each new id is drawn by the softmax of the logits at the last position, for each sequence by itself. The
    randomness is torch's: after torch.manual_seed with the same seed, the same ids come.

    fr: Prolonge des suites d'identifiants, un identifiant après l'autre.

    Arguments :
        model : model(ids) donne des logits de forme (B, T, V), ou un tuple (logits, loss) dont loss peut être
            None.
        idx : les débuts, int64 de forme (B, T).
        max_new_tokens : le nombre d'identifiants ajoutés à chacun.
        block_size : le modèle ne reçoit jamais plus d'identifiants à la fois, mais les derniers.

    Renvoie :
        int64 de forme (B, T + max_new_tokens) : idx, et après lui les nouveaux identifiants.

    Chaque nouvel identifiant est tiré selon le softmax des logits à la dernière position, pour chaque suite
    séparément. Le hasard est celui de torch : après torch.manual_seed avec la même graine viennent les mêmes
    identifiants.
    """
    raise NotImplementedError
