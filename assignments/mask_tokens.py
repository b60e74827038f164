# %% [markdown] lang="en"
# ## Masking words at random
#
# What BERT is trained on: some words of a text are hidden, and it guesses them from both sides. Not all of
# them become [MASK], since a text that it reads later has none.

# %% [markdown] lang="fr"
# ## Masquer des mots au hasard
#
# Ce sur quoi BERT s'entraîne : des mots d'un texte sont cachés, et il les devine des deux côtés. Tous ne
# deviennent pas [MASK], car un texte lu plus tard n'en contient pas.

# %%
import torch


def mask_tokens(ids, special, vocab_size, mask_id, share=0.15):
    """Hide some ids of a batch at random, and say what they were.

    Each position that is not special is chosen with the probability share, by itself, whatever happens at the
    others. Of the chosen positions, again each by itself, 80 % become mask_id, 10 % become an id that is
    drawn at random from all below vocab_size, each equally likely, and 10 % stay as they are.

    Args:
        ids: int64 of shape (B, S). It keeps its values.
        special: bool of shape (B, S), True at [CLS], [SEP] and padding, which are never chosen.
        vocab_size: the number of ids.
        mask_id: the id of [MASK].
        share: the probability of being chosen, from 0 to 1.

    Returns:
        (inputs, labels), both int64 of shape (B, S): inputs is ids with the changes; labels is the old id at
        each chosen position, those that stay too, and -100 everywhere else.

    All chance comes from PyTorch's own generator: after torch.manual_seed the same answer comes again.

    fr: Cache au hasard des identifiants d'un lot, et dit ce qu'ils étaient.

    Chaque position qui n'est pas spéciale est choisie avec la probabilité share, indépendamment des autres.
    Parmi les positions choisies, là encore indépendamment, 80 % deviennent mask_id, 10 % deviennent un
    identifiant tiré au hasard parmi tous ceux en dessous de vocab_size, équiprobables, et 10 % restent tels
    quels.

    Args:
        ids: int64 de forme (B, S). Il garde ses valeurs.
        special: bool de forme (B, S), True pour [CLS], [SEP] et le remplissage, qui ne sont jamais choisis.
        vocab_size: le nombre d'identifiants.
        mask_id: l'identifiant de [MASK].
        share: la probabilité d'être choisi, de 0 à 1.

    Returns:
        (inputs, labels), tous deux int64 de forme (B, S) : inputs est ids avec les changements ; labels est
        l'ancien identifiant à chaque position choisie, y compris celles qui restent, et -100 partout
        ailleurs.

    Tout le hasard vient du générateur de PyTorch : après torch.manual_seed, la même réponse revient.
    """
    raise NotImplementedError
