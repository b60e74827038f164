# %% [markdown] lang="en"
# ## A tokenizer of characters
#
# A model reads numbers. The simplest way from text to numbers: every character of the corpus gets an id,
# its place in the sorted list of all characters. The corpus alone makes this list, since the same ids are
# needed for every text from then on.

# %% [markdown] lang="fr"
# ## Un tokenizer de caractères
#
# Un modèle lit des nombres. Le chemin le plus simple du texte aux nombres : chaque caractère du corpus
# reçoit un identifiant, sa place dans la liste triée de tous les caractères. Seul le corpus détermine cette
# liste, car il faut ensuite les mêmes identifiants pour tous les textes.

# %%
def char_tokenizer(corpus, text, ids):
    """Make the vocabulary of a corpus, then encode a text with it and decode ids with it.

    Args:
        corpus: a str, from which the vocabulary is made. It is not empty.
        text: a str that is to be encoded. It may be empty.
        ids: a list of ints that are to be decoded: places in the vocabulary. It may be empty.

    Returns:
        (chars, encoded, decoded): chars is the list of the different characters of the corpus, each once
        and in the order of Python's sorted. encoded is the list of the ids of the characters of text: the
        place of each in chars, counted from 0. decoded is the str that ids stand for. A str is accepted for
        the list chars, and a tensor of int64 for the list encoded.

    Every character counts, spaces, newlines and capitals too. A character of text that the corpus does not
    have raises an error, whichever.

    For the corpus "banana", the text "nab" and the ids [1, 0, 2]: ["a", "b", "n"], [2, 0, 1] and "ban".

    fr: Construit le vocabulaire d'un corpus, puis s'en sert pour encoder un texte et décoder des
    identifiants.

    Args:
        corpus: un str, dont on tire le vocabulaire. Il n'est pas vide.
        text: un str à encoder. Il peut être vide.
        ids: une liste d'int à décoder : des places dans le vocabulaire. Elle peut être vide.

    Returns:
        (chars, encoded, decoded) : chars est la liste des différents caractères du corpus, chacun une fois
        et dans l'ordre de sorted en Python. encoded est la liste des identifiants des caractères de text :
        la place de chacun dans chars, comptée à partir de 0. decoded est le str que représentent ids. Un
        str est accepté à la place de la liste chars, et un tenseur int64 à la place de la liste encoded.

    Chaque caractère compte, les espaces, les sauts de ligne et les majuscules aussi. Un caractère de text
    absent du corpus lève une erreur, quelle qu'elle soit.

    Pour le corpus "banana", le texte "nab" et les identifiants [1, 0, 2] : ["a", "b", "n"], [2, 0, 1] et
    "ban".
    """
    raise NotImplementedError
