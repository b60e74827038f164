# %% [markdown] lang="en"
# ## Hashing into buckets
#
# In a softmax only the largest scores count. Reformer looks for them by a hash that puts vectors of nearly
# one direction into one bucket: random directions are drawn, and a vector goes to the one with which its
# product is largest. A single hash may separate neighbours, so there are several rounds, each with directions
# of its own.

# %% [markdown] lang="fr"
# ## Répartir par hachage
#
# Dans un softmax, seuls comptent les plus grands scores. Reformer les cherche par un hachage qui met dans un
# même seau les vecteurs de directions proches : on tire des directions au hasard, et un vecteur va à celle
# avec laquelle son produit est le plus grand. Un seul hachage peut séparer des voisins ; il y a donc
# plusieurs tours, chacun avec ses propres directions.

# %%
def lsh_buckets(x, rotations):
    """The bucket of each vector in each round: the index of its largest product with a direction.

    In a round, a vector x is multiplied by the n / 2 directions R of that round, and [xR, -xR] has n entries:
    the products first, then their opposites. The bucket is the index of the largest one. So that buckets of
    different rounds have different numbers, those of round r are r * n up to r * n + n - 1; the first round
    is 0.

    Args:
        x: (..., S, D), a vector for each position, with any number of leading axes. No vector is zero.
        rotations: (D, n_rounds, n / 2), the directions, drawn before: here nothing is random.

    Returns:
        an int64 tensor of shape (..., n_rounds, S).

    fr: Le seau de chaque vecteur à chaque tour : l'indice de son plus grand produit avec une direction.

    À chaque tour, un vecteur x est multiplié par les n / 2 directions R de ce tour, et [xR, -xR] a n
    éléments : les produits d'abord, puis leurs opposés. Le seau est l'indice du plus grand. Pour que les
    seaux de tours différents aient des numéros différents, ceux du tour r vont de r * n à
    r * n + n - 1 ; le premier tour est 0.

    Args:
        x: (..., S, D), un vecteur par position, avec un nombre quelconque de premiers axes. Aucun vecteur
            n'est nul.
        rotations: (D, n_rounds, n / 2), les directions, tirées d'avance : rien n'est aléatoire ici.

    Returns:
        un tenseur int64 de forme (..., n_rounds, S).
    """
    raise NotImplementedError
