# %% [markdown] lang="en"
# ## Byte-pair encoding: learning the merges
#
# Characters are many steps for little text, and words are too many. Between both lies byte-pair encoding:
# begin with the bytes of the text, and give the pair of neighbours that comes most often an id of its own,
# again and again.

# %% [markdown] lang="fr"
# ## Byte-pair encoding : apprendre les fusions
#
# Les caractères font beaucoup de pas pour peu de texte, et les mots sont trop nombreux. Entre les deux se
# trouve le byte-pair encoding : partir des octets du texte, et donner un identifiant à la paire de voisins
# la plus fréquente, encore et encore.

# %%
def train_bpe(text, num_merges):
    """Learn the merges of a byte-pair encoding from a text.

    Args:
        text: a str. It is taken as one sequence of bytes (UTF-8), and not split at words. It may be empty.
        num_merges: how many merges are learned, at most.

    Returns:
        the merges in their order: a list of pairs (a, b) of ids. An id below 256 is a byte; merge number n,
        counted from 0, makes the id 256 + n. Where the sequence has no pair left, the list is shorter.

    Each time: count how often each pair of neighbours stands in the sequence of ids, at every place, so that
    a a a holds the pair (a, a) twice. Take the pair that comes most often, even if it comes once; of pairs
    that come as often, the one that stands first in the sequence. Then replace it by its new id, from left
    to right: a a a becomes the new id and a.

    For "abcabd bc" the pairs (a, b) and (b, c) both come twice. (a, b) stands first: [(97, 98)] for one
    merge.

    fr: Apprend les fusions d'un byte-pair encoding à partir d'un texte.

    Args:
        text: un str. Il est pris comme une seule suite d'octets (UTF-8), sans découpe en mots. Il peut être
            vide.
        num_merges: le nombre de fusions à apprendre, au plus.

    Returns:
        les fusions dans leur ordre : une liste de paires (a, b) d'identifiants. Un identifiant inférieur à
        256 est un octet ; la fusion numéro n, comptée à partir de 0, crée l'identifiant 256 + n. Là où la
        suite n'a plus de paire, la liste est plus courte.

    À chaque fois : compter combien de fois chaque paire de voisins figure dans la suite d'identifiants, à
    chaque place, si bien que a a a contient deux fois la paire (a, a). Prendre la paire la plus fréquente,
    même si elle ne vient qu'une fois ; parmi des paires aussi fréquentes, celle qui vient en premier dans
    la suite. Puis la remplacer par son nouvel identifiant, de gauche à droite : a a a devient le nouvel
    identifiant et a.

    Pour "abcabd bc", les paires (a, b) et (b, c) viennent deux fois chacune. (a, b) vient en premier :
    [(97, 98)] pour une fusion.
    """
    raise NotImplementedError
