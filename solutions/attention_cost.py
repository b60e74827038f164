"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch


def attention_cost(seq_len, embed_dim, num_heads):
    head_dim = embed_dim // num_heads
    flops = num_heads * (2 * seq_len * head_dim * seq_len + 2 * seq_len * seq_len * head_dim)
    return flops, 4 * num_heads * seq_len * seq_len


def attention_cost__in_single_precision(seq_len, embed_dim, num_heads):
    """Large numbers are rounded: floats of 32 bits have 24 binary digits. Look for a tensor or a square root
    on the way to the int.

    fr: Les grands nombres sont arrondis : un flottant de 32 bits n'a que 24 chiffres binaires. Cherchez un
    tenseur ou une racine carrée sur le chemin vers l'int.
    """
    return tuple(int(torch.tensor(float(n))) for n in attention_cost(seq_len, embed_dim, num_heads))


def attention_cost__half_the_operations(seq_len, embed_dim, num_heads):
    """Half of the operations: there are two products, and in each a multiplication and an addition count as
    two. One of both is missing.

    fr: La moitié des opérations : il y a deux produits, et dans chacun une multiplication et une addition
    comptent pour deux. Il manque l'un ou l'autre.
    """
    flops, size = attention_cost(seq_len, embed_dim, num_heads)
    return flops // 2, size


def attention_cost__a_quarter_of_the_operations(seq_len, embed_dim, num_heads):
    """A quarter of the operations: there are two products, and in each a multiplication and an addition count
    as two.

    fr: Le quart des opérations : il y a deux produits, et dans chacun une multiplication et une addition
    comptent pour deux.
    """
    flops, size = attention_cost(seq_len, embed_dim, num_heads)
    return flops // 4, size


def attention_cost__heads_twice(seq_len, embed_dim, num_heads):
    """The heads are counted twice: E is already the width of all of them together.

    fr: Les têtes sont comptées deux fois : E est déjà la largeur de toutes ensemble.
    """
    flops, size = attention_cost(seq_len, embed_dim, num_heads)
    return flops * num_heads, size


def attention_cost__one_head(seq_len, embed_dim, num_heads):
    """The operations are those of one head. How many heads are there?

    fr: Les opérations sont celles d'une seule tête. Combien y a-t-il de têtes ?
    """
    flops, size = attention_cost(seq_len, embed_dim, num_heads)
    return flops // num_heads, size


def attention_cost__with_projections(seq_len, embed_dim, num_heads):
    """The four projections are counted too; here only the two products between positions count.

    fr: Les quatre projections sont comptées aussi ; ici, seuls comptent les deux produits entre positions.
    """
    flops, size = attention_cost(seq_len, embed_dim, num_heads)
    return flops + 8 * seq_len * embed_dim * embed_dim, size


def attention_cost__projections_alone(seq_len, embed_dim, num_heads):
    """The projections are counted, and not the products between positions, which are what grows with the
    square of the length.

    fr: Ce sont les projections qui sont comptées, et non les produits entre positions, qui sont ce qui croît
    comme le carré de la longueur.
    """
    return 8 * seq_len * embed_dim * embed_dim, attention_cost(seq_len, embed_dim, num_heads)[1]


def attention_cost__with_softmax(seq_len, embed_dim, num_heads):
    """More is counted than the two products: a softmax or a scale over all scores. Only the products count
    here.

    fr: Il est compté davantage que les deux produits : un softmax ou une échelle sur tous les scores. Seuls
    les produits comptent ici.
    """
    flops, size = attention_cost(seq_len, embed_dim, num_heads)
    return flops + num_heads * seq_len * seq_len, size


def attention_cost__width_squared(seq_len, embed_dim, num_heads):
    """The width is squared and the length is not. Which sizes have the two matrices of each product?

    fr: C'est la largeur qui est au carré, et non la longueur. Quelles tailles ont les deux matrices de chaque
    produit ?
    """
    return 4 * seq_len * embed_dim * embed_dim, attention_cost(seq_len, embed_dim, num_heads)[1]


def attention_cost__scores_of_one_head(seq_len, embed_dim, num_heads):
    """The memory is that of one head's scores: each head has a matrix of its own.

    fr: La mémoire est celle des scores d'une seule tête : chaque tête a sa propre matrice.
    """
    flops, size = attention_cost(seq_len, embed_dim, num_heads)
    return flops, size // num_heads


def attention_cost__numbers_not_bytes(seq_len, embed_dim, num_heads):
    """Numbers are counted, and not bytes. How many bytes takes a number in float32?

    fr: Ce sont des nombres qui sont comptés, et non des octets. Combien d'octets prend un nombre en float32 ?
    """
    flops, size = attention_cost(seq_len, embed_dim, num_heads)
    return flops, size // 4


def attention_cost__in_half_precision(seq_len, embed_dim, num_heads):
    """The memory is half of what it should be, as in float16. How many bytes takes a number in float32?

    fr: La mémoire vaut la moitié de ce qu'elle devrait, comme en float16. Combien d'octets prend un nombre en
    float32 ?
    """
    flops, size = attention_cost(seq_len, embed_dim, num_heads)
    return flops, size // 2


def attention_cost__twice_the_memory(seq_len, embed_dim, num_heads):
    """The memory is twice what it should be: that of float64, or the weights are counted beside the scores.

    fr: La mémoire est le double de ce qu'elle devrait : celle de float64, ou bien les poids sont comptés en
    plus des scores.
    """
    flops, size = attention_cost(seq_len, embed_dim, num_heads)
    return flops, 2 * size


def attention_cost__in_bits(seq_len, embed_dim, num_heads):
    """The memory is counted in bits. A byte has eight.

    fr: La mémoire est comptée en bits. Un octet en a huit.
    """
    flops, size = attention_cost(seq_len, embed_dim, num_heads)
    return flops, 8 * size


def attention_cost__memory_of_the_inputs(seq_len, embed_dim, num_heads):
    """The memory is that of Q, K and V, which grows with the length; the scores have S * S numbers for each
    head.

    fr: La mémoire est celle de Q, K et V, qui croît comme la longueur ; les scores ont S * S nombres par
    tête.
    """
    return attention_cost(seq_len, embed_dim, num_heads)[0], 3 * 4 * seq_len * embed_dim


def attention_cost__memory_of_inputs_and_output(seq_len, embed_dim, num_heads):
    """The memory is that of Q, K, V and the output, what is read and written; the scores have S * S numbers
    for each head.

    fr: La mémoire est celle de Q, K, V et de la sortie, ce qui est lu et écrit ; les scores ont S * S nombres
    par tête.
    """
    return attention_cost(seq_len, embed_dim, num_heads)[0], 4 * 4 * seq_len * embed_dim


def attention_cost__with_the_inputs(seq_len, embed_dim, num_heads):
    """The memory of Q, K and V is counted beside that of the scores, which alone is asked for.

    fr: La mémoire de Q, K et V est comptée en plus de celle des scores, seule demandée.
    """
    flops, size = attention_cost(seq_len, embed_dim, num_heads)
    return flops, size + 3 * 4 * seq_len * embed_dim


def attention_cost__swapped(seq_len, embed_dim, num_heads):
    """The bytes come first. The operations do.

    fr: Les octets viennent en premier. Ce sont les opérations qui devraient.
    """
    flops, size = attention_cost(seq_len, embed_dim, num_heads)
    return size, flops


def attention_cost__of_floats(seq_len, embed_dim, num_heads):
    """The numbers are floats. Look for a division with /.

    fr: Les nombres sont des float. Cherchez une division avec /.
    """
    flops, size = attention_cost(seq_len, embed_dim, num_heads)
    return float(flops), float(size)


def attention_cost__in_millions(seq_len, embed_dim, num_heads):
    """The numbers are in millions; the numbers themselves are due.

    fr: Les nombres sont en millions ; on attend les nombres eux-mêmes.
    """
    flops, size = attention_cost(seq_len, embed_dim, num_heads)
    return flops / 1e6, size / 1e6


def attention_cost__memory_in_megabytes(seq_len, embed_dim, num_heads):
    """The memory is in millions of bytes; bytes are due.

    fr: La mémoire est en millions d'octets ; on attend des octets.
    """
    flops, size = attention_cost(seq_len, embed_dim, num_heads)
    return flops, size / 1e6


def attention_cost__memory_in_kibibytes(seq_len, embed_dim, num_heads):
    """The memory is divided by 1024; bytes are due.

    fr: La mémoire est divisée par 1024 ; on attend des octets.
    """
    flops, size = attention_cost(seq_len, embed_dim, num_heads)
    return flops, size / 1024


def attention_cost__memory_in_mebibytes(seq_len, embed_dim, num_heads):
    """The memory is divided by 1024 twice; bytes are due.

    fr: La mémoire est divisée deux fois par 1024 ; on attend des octets.
    """
    flops, size = attention_cost(seq_len, embed_dim, num_heads)
    return flops, size / 1024**2


def attention_cost__memory_in_gibibytes(seq_len, embed_dim, num_heads):
    """The memory is divided by 1024 three times; bytes are due.

    fr: La mémoire est divisée trois fois par 1024 ; on attend des octets.
    """
    flops, size = attention_cost(seq_len, embed_dim, num_heads)
    return flops, size / 1024**3


def attention_cost__in_billions(seq_len, embed_dim, num_heads):
    """The numbers are in billions; the numbers themselves are due.

    fr: Les nombres sont en milliards ; on attend les nombres eux-mêmes.
    """
    flops, size = attention_cost(seq_len, embed_dim, num_heads)
    return flops / 1e9, size / 1e9


def attention_cost__operations_alone(seq_len, embed_dim, num_heads):
    """The operations alone come back. Look at what else the contract asks for.

    fr: Seules les opérations sont renvoyées. Regardez ce que l'énoncé demande de plus.
    """
    return attention_cost(seq_len, embed_dim, num_heads)[0]


def attention_cost__a_tensor(seq_len, embed_dim, num_heads):
    """The answer is a tensor; two ints are due.

    fr: La réponse est un tenseur ; deux int sont attendus.
    """
    return torch.tensor(attention_cost(seq_len, embed_dim, num_heads))
