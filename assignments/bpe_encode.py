# %% [markdown] lang="en"
# ## Byte-pair encoding: a text in ids
#
# The merges are learned once. A new text is encoded by making the same merges in it, in the order in which
# they were learned: that is how a text which nobody has seen before is made of known pieces.

# %% [markdown] lang="fr"
# ## Byte-pair encoding : un texte en identifiants
#
# Les fusions sont apprises une fois. Un nouveau texte s'encode en y faisant les mêmes fusions, dans l'ordre
# où elles ont été apprises : c'est ainsi qu'un texte que personne n'a vu est fait de morceaux connus.

# %%
def bpe_encode(text, merges):
    """Encode a text by the merges of a byte-pair encoding.

    Args:
        text: a str. It is taken as one sequence of bytes (UTF-8). It may be empty.
        merges: the merges in the order in which they were learned, a list of pairs (a, b) of ids, as
            train_bpe gives
            them: an id below 256 is a byte, and merge number n, counted from 0, makes the id 256 + n. It
                may be
            empty.

    Returns:
        the ids, a list of ints. Begin with the bytes. As long as a pair of neighbours is among the merges:
        take the one of those that was learned first, and replace it by its id wherever it stands, from left
        to right.

    The longest piece does not count: with the merges [(98, 99), (97, 98), (257, 100)], "abcd" is [97, 256,
    100], for (b, c) was learned first.

    fr: Encode un texte selon les fusions d'un byte-pair encoding.

    Args:
        text: un str. Il est pris comme une seule suite d'octets (UTF-8). Il peut être vide.
        merges: les fusions dans l'ordre où elles ont été apprises, une liste de paires (a, b)
            d'identifiants, telles que les donne train_bpe : un identifiant inférieur à 256 est un octet, et
            la fusion numéro n, comptée à partir de 0, crée l'identifiant 256 + n. Elle peut être vide.

    Returns:
        les identifiants, une liste d'int. Partir des octets. Tant qu'une paire de voisins fait partie des
        fusions : prendre celle de ces paires qui a été apprise en premier, et la remplacer par son
            identifiant partout où elle
        figure, de gauche à droite.

    Le morceau le plus long ne compte pas : avec les fusions [(98, 99), (97, 98), (257, 100)], "abcd" donne
    [97, 256, 100], car (b, c) a été apprise en premier.
    """
    raise NotImplementedError
