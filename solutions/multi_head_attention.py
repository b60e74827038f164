"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch
from torch import nn

from solutions.concat_heads import concat_heads, concat_heads__interleaved
from solutions.scaled_dot_product_attention import scaled_dot_product_attention
from solutions.split_heads import split_heads, split_heads__strided, split_heads__without_transpose


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError(f"embed_dim {embed_dim} is not divisible by num_heads {num_heads}")
        self.num_heads = num_heads
        self.W_q = nn.Linear(embed_dim, embed_dim)
        self.W_k = nn.Linear(embed_dim, embed_dim)
        self.W_v = nn.Linear(embed_dim, embed_dim)
        self.W_o = nn.Linear(embed_dim, embed_dim)

    def project(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)

    def split(self, x):
        return split_heads(x, self.num_heads)

    def attend(self, Q, K, V, mask):
        return scaled_dot_product_attention(Q, K, V, mask)

    def join(self, x):
        return concat_heads(x)

    def project_back(self, x):
        return self.W_o(x)

    def forward(self, x, mask=None):
        Q, K, V = (self.split(projected) for projected in self.project(x))  # (B, H, S, D) each
        heads, weights = self.attend(Q, K, V, mask)
        return self.project_back(self.join(heads)), weights


class MultiHeadAttention__unscaled(MultiHeadAttention):
    """The scores are not scaled. Look at what they should be divided by before the softmax.

    fr: Les scores ne sont pas mis à l'échelle. Regardez par quoi il faut les diviser avant le softmax.
    """

    def attend(self, Q, K, V, mask):
        return super().attend(Q * math.sqrt(Q.shape[-1]), K, V, mask)


class MultiHeadAttention__scaled_by_head_width(MultiHeadAttention):
    """The scores are divided by D itself. Compare your divisor with the one in the formula.

    fr: Les scores sont divisés par D lui-même. Comparez votre diviseur avec celui de la formule.
    """

    def attend(self, Q, K, V, mask):
        return super().attend(Q / math.sqrt(Q.shape[-1]), K, V, mask)


class MultiHeadAttention__scaled_by_embed_dim(MultiHeadAttention):
    """The scale is taken from the whole width E; it belongs to the width D of one head. Look at which width
    you take.

    fr: L'échelle vient de la largeur totale E ; elle vient de la largeur D d'une tête. Regardez quelle
    largeur vous prenez.
    """

    def attend(self, Q, K, V, mask):
        return super().attend(Q / math.sqrt(self.num_heads), K, V, mask)


class MultiHeadAttention__weights_scaled_by_embed_dim(MultiHeadAttention):
    """The scores are not scaled; the weights are divided by the root of E after the softmax, and no longer
    sum to one. Look at what the softmax gets.

    fr: Les scores ne sont pas mis à l'échelle ; ce sont les poids qui sont divisés par la racine de E après
    le softmax, et leur somme ne vaut plus un. Regardez ce que reçoit le softmax.
    """

    def attend(self, Q, K, V, mask):
        heads, weights = super().attend(Q * math.sqrt(Q.shape[-1]), K, V, mask)
        root = math.sqrt(self.num_heads * Q.shape[-1])
        return heads / root, weights / root


class MultiHeadAttention__scaled_by_length(MultiHeadAttention):
    """The scale is taken from the number of keys; it belongs to the width D of one head. Look at which axis
    you measure.

    fr: L'échelle vient du nombre de clés ; elle vient de la largeur D d'une tête. Regardez quel axe vous
    mesurez.
    """

    def attend(self, Q, K, V, mask):
        return super().attend(Q * math.sqrt(Q.shape[-1] / K.shape[-2]), K, V, mask)


class MultiHeadAttention__softmax_over_queries(MultiHeadAttention):
    """The softmax runs over the queries; each query shares its weight among the keys. Look at the softmax's
    dim.

    fr: Le softmax porte sur les requêtes ; chaque requête répartit son poids entre les clés. Regardez le dim
    du softmax.
    """

    def attend(self, Q, K, V, mask):
        _, shares = super().attend(K, Q, Q, None if mask is None else mask.transpose(-2, -1))
        weights = shares.transpose(-2, -1)
        return weights @ V, weights


class MultiHeadAttention__softmax_over_heads(MultiHeadAttention):
    """The softmax runs over the heads; each query shares its weight among the keys. Look at the softmax's
    dim.

    fr: Le softmax porte sur les têtes ; chaque requête répartit son poids entre les clés. Regardez le dim du
    softmax.
    """

    def attend(self, Q, K, V, mask):
        scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask, -1e9)
        weights = scores.softmax(1)
        return weights @ V, weights


class MultiHeadAttention__softmax_over_the_batch(MultiHeadAttention):
    """The softmax runs over the batch, so that sequences share their weight. Look at the softmax's dim.

    fr: Le softmax porte sur le lot, si bien que les séquences se partagent leur poids. Regardez le dim du
    softmax.
    """

    def attend(self, Q, K, V, mask):
        scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask, -1e9)
        weights = scores.softmax(0)
        return weights @ V, weights


class MultiHeadAttention__mask_inverted(MultiHeadAttention):
    """The mask is read the other way round: True means masked. Look at which scores you fill.

    fr: Le masque est lu à l'envers : True veut dire masqué. Regardez quels scores vous remplissez.
    """

    def attend(self, Q, K, V, mask):
        return super().attend(Q, K, V, None if mask is None else ~mask)


class MultiHeadAttention__mask_ignored(MultiHeadAttention):
    """The mask has no effect. Look at whether forward hands it on, and at whether you keep what masked_fill
    returns.

    fr: Le masque n'a aucun effet. Regardez si forward le transmet, et si vous gardez ce que renvoie
    masked_fill.
    """

    def attend(self, Q, K, V, mask):
        return super().attend(Q, K, V, None)


class MultiHeadAttention__weights_before_the_mask(MultiHeadAttention):
    """The output is right, but the weights that come back are those before the mask: under a mask they are
    not the weights of the output. At which step are they kept?

    fr: La sortie est juste, mais les poids renvoyés sont ceux d'avant le masque : sous un masque, ce ne sont
    pas les poids de la sortie. À quelle étape sont-ils gardés ?
    """

    def attend(self, Q, K, V, mask):
        return super().attend(Q, K, V, mask)[0], super().attend(Q, K, V, None)[1]


class MultiHeadAttention__mask_after_softmax(MultiHeadAttention):
    """The mask acts after the softmax, so that the weights no longer sum to one. Look at the order of the two
    steps.

    fr: Le masque agit après le softmax, si bien que la somme des poids ne vaut plus un. Regardez l'ordre des
    deux étapes.
    """

    def attend(self, Q, K, V, mask):
        _, weights = super().attend(Q, K, V, None)
        if mask is not None:
            weights = weights.masked_fill(mask, 0.0)
        return weights @ V, weights


class MultiHeadAttention__mask_too_weak(MultiHeadAttention):
    """Masked scores are only made a little smaller; some weight is left on masked keys. Look at the value you
    fill in.

    fr: Les scores masqués ne sont qu'un peu plus petits ; il reste du poids sur les clés masquées. Regardez
    la valeur que vous y mettez.
    """

    def attend(self, Q, K, V, mask):
        scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask, -10.0)
        weights = scores.softmax(-1)
        return weights @ V, weights


class MultiHeadAttention__mask_zero(MultiHeadAttention):
    """Masked scores are set to zero, which is a score like any other. Look at what the softmax makes of zero.

    fr: Les scores masqués valent zéro, qui est un score comme un autre. Regardez ce que le softmax fait de
    zéro.
    """

    def attend(self, Q, K, V, mask):
        scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask, 0.0)
        weights = scores.softmax(-1)
        return weights @ V, weights


class MultiHeadAttention__mask_on_queries(MultiHeadAttention):
    """The mask hides queries (rows) where it should hide keys (columns). Look at the mask's last two axes.

    fr: Le masque cache des requêtes (lignes) au lieu de cacher des clés (colonnes). Regardez les deux
    derniers axes du masque.
    """

    def attend(self, Q, K, V, mask):
        if mask is not None and mask.shape[-2] == mask.shape[-1]:
            mask = mask.transpose(-2, -1) & ~torch.eye(mask.shape[-1], dtype=torch.bool)
        return super().attend(Q, K, V, mask)


class MultiHeadAttention__mask_of_first_head(MultiHeadAttention):
    """The mask only acts in the first head. Look at how it broadcasts over the axis of the heads.

    fr: Le masque n'agit que dans la première tête. Regardez comment il s'étend sur l'axe des têtes.
    """

    def attend(self, Q, K, V, mask):
        if mask is not None:
            mask = mask.expand(*Q.shape[:-1], K.shape[-2]).clone()
            mask[:, 1:] = False
        return super().attend(Q, K, V, mask)


class MultiHeadAttention__always_causal(MultiHeadAttention):
    """The future is always masked, also when no mask says so. Look at where the mask comes from.

    fr: Le futur est toujours masqué, même si aucun masque ne le demande. Regardez d'où vient le masque.
    """

    def attend(self, Q, K, V, mask):
        future = torch.ones(Q.shape[-2], K.shape[-2], dtype=torch.bool).triu(1)
        return super().attend(Q, K, V, future if mask is None else mask | future)


class MultiHeadAttention__joined_without_transpose(MultiHeadAttention):
    """The heads are joined by reading the memory in another shape: positions and heads mix. Look at
    concat_heads.

    fr: Les têtes sont réunies en relisant la mémoire sous une autre forme : positions et têtes se mélangent.
    Regardez concat_heads.
    """

    def join(self, x):
        batch, heads, length, width = x.shape
        return super().join(x.reshape(batch, length, heads, width).transpose(1, 2))


class MultiHeadAttention__joined_interleaved(MultiHeadAttention):
    """The columns of the heads are interleaved when they are joined. Look at the order of H and D in
    concat_heads.

    fr: Les colonnes des têtes sont entrelacées à leur réunion. Regardez l'ordre de H et D dans concat_heads.
    """

    def join(self, x):
        return concat_heads__interleaved(x)


class MultiHeadAttention__joined_reversed(MultiHeadAttention):
    """The heads are joined in reverse order. Look at where head 0 ends up before W_o.

    fr: Les têtes sont réunies dans l'ordre inverse. Regardez où arrive la tête 0 avant W_o.
    """

    def join(self, x):
        return super().join(x.flip(1))


class MultiHeadAttention__joined_along_positions(MultiHeadAttention):
    """The heads are put one after the other along the sequence, and W_o gets D columns instead of E. Look at
    concat_heads.

    fr: Les têtes sont mises bout à bout le long de la séquence, et W_o reçoit D colonnes au lieu de E.
    Regardez concat_heads.
    """

    def join(self, x):
        return x.flatten(1, 2)


class MultiHeadAttention__split_without_transpose(MultiHeadAttention):
    """The heads are split by reading the memory in another shape: positions and heads mix. Look at
    split_heads.

    fr: Les têtes sont séparées en relisant la mémoire sous une autre forme : positions et têtes se mélangent.
    Regardez split_heads.
    """

    def split(self, x):
        return split_heads__without_transpose(x, self.num_heads)


class MultiHeadAttention__never_transposed(MultiHeadAttention):
    """The heads are split and joined by reading the memory in another shape; both times an axis should move.
    Look there.

    fr: Les têtes sont séparées puis réunies en relisant la mémoire sous une autre forme ; chaque fois, un axe
    doit changer de place. Regardez là.
    """

    def split(self, x):
        return split_heads__without_transpose(x, self.num_heads)

    def join(self, x):
        batch, heads, length, width = x.shape
        return super().join(x.reshape(batch, length, heads, width).transpose(1, 2))


class MultiHeadAttention__strided_heads(MultiHeadAttention):
    """The heads take every H-th column, both when they are split and when they are joined. Look at which
    columns are a head's.

    fr: Les têtes prennent une colonne sur H, à la séparation comme à la réunion. Regardez quelles colonnes
    sont celles d'une tête.
    """

    def split(self, x):
        return split_heads__strided(x, self.num_heads)

    def join(self, x):
        return concat_heads__interleaved(x)


class MultiHeadAttention__one_head(MultiHeadAttention):
    """There is one head of the whole width, whatever num_heads says. Look at whether the projections are
    split at all.

    fr: Il n'y a qu'une tête de toute la largeur, quel que soit num_heads. Regardez si les projections sont
    bien séparées.
    """

    def split(self, x):
        return split_heads(x, 1)

    def attend(self, Q, K, V, mask):
        if mask is not None and mask.dim() == 4:
            mask = mask[:, :1]
        heads, weights = super().attend(Q, K, V, mask)
        return heads, weights.expand(-1, self.num_heads, -1, -1)


class MultiHeadAttention__without_output_projection(MultiHeadAttention):
    """There is no last projection W_o. Look at what should happen to the heads once they are joined.

    fr: Il n'y a pas de dernière projection W_o. Regardez ce qu'il faut faire des têtes une fois réunies.
    """

    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        del self.W_o

    def project_back(self, x):
        return x


class MultiHeadAttention__output_projection_unused(MultiHeadAttention):
    """W_o is there, but never applied. Look at what you return: is it the joined heads themselves?

    fr: W_o existe mais n'est jamais appliquée. Regardez ce que vous renvoyez : est-ce les têtes réunies
    telles quelles ?
    """

    def project_back(self, x):
        return x


class MultiHeadAttention__output_layer_made_in_forward(MultiHeadAttention):
    """The last layer is made anew at each call, with other random weights, and learns nothing. Look at which
    layers forward makes.

    fr: La dernière couche est refaite à chaque appel, avec d'autres poids au hasard, et n'apprend rien.
    Regardez quelles couches forward construit.
    """

    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        del self.W_o

    def project_back(self, x):
        return nn.Linear(x.shape[-1], x.shape[-1])(x)


class MultiHeadAttention__projected_back_twice(MultiHeadAttention):
    """W_o is applied twice. Look at where it is called.

    fr: W_o est appliquée deux fois. Regardez où elle est appelée.
    """

    def project_back(self, x):
        return super().project_back(super().project_back(x))


class MultiHeadAttention__keys_from_queries(MultiHeadAttention):
    """Queries and keys come from the same projection. Look at which layer makes the keys.

    fr: Les requêtes et les clés viennent de la même projection. Regardez quelle couche produit les clés.
    """

    def project(self, x):
        Q, _, V = super().project(x)
        return Q, Q, V


class MultiHeadAttention__values_from_keys(MultiHeadAttention):
    """Keys and values come from the same projection. Look at which layer makes the values.

    fr: Les clés et les valeurs viennent de la même projection. Regardez quelle couche produit les valeurs.
    """

    def project(self, x):
        Q, K, _ = super().project(x)
        return Q, K, K


class MultiHeadAttention__one_projection(MultiHeadAttention):
    """Queries, keys and values all come from W_q. Look at which layer makes each of the three.

    fr: Les requêtes, les clés et les valeurs viennent toutes de W_q. Regardez quelle couche produit chacune
    des trois.
    """

    def project(self, x):
        Q, _, _ = super().project(x)
        return Q, Q, Q


class MultiHeadAttention__values_not_projected(MultiHeadAttention):
    """The values are the input itself, not its projection by W_v. Look at what is split into the values'
    heads.

    fr: Les valeurs sont l'entrée elle-même et non sa projection par W_v. Regardez ce qui est séparé en têtes
    de valeurs.
    """

    def project(self, x):
        Q, K, _ = super().project(x)
        return Q, K, x


class MultiHeadAttention__queries_not_projected(MultiHeadAttention):
    """The queries are the input itself, not its projection by W_q. Look at what is split into the queries'
    heads.

    fr: Les requêtes sont l'entrée elle-même et non sa projection par W_q. Regardez ce qui est séparé en têtes
    de requêtes.
    """

    def project(self, x):
        _, K, V = super().project(x)
        return x, K, V


class MultiHeadAttention__keys_not_projected(MultiHeadAttention):
    """The keys are the input itself, not its projection by W_k. Look at what is split into the keys' heads.

    fr: Les clés sont l'entrée elle-même et non sa projection par W_k. Regardez ce qui est séparé en têtes de
    clés.
    """

    def project(self, x):
        Q, _, V = super().project(x)
        return Q, x, V


class MultiHeadAttention__queries_from_values(MultiHeadAttention):
    """Queries and values come from the same projection. Look at which layer makes the queries.

    fr: Les requêtes et les valeurs viennent de la même projection. Regardez quelle couche produit les
    requêtes.
    """

    def project(self, x):
        _, K, V = super().project(x)
        return V, K, V


class MultiHeadAttention__projected_in_turn(MultiHeadAttention):
    """Each projection gets what the one before made. Look at what W_k and W_v are applied to.

    fr: Chaque projection reçoit ce que la précédente a produit. Regardez à quoi W_k et W_v sont appliquées.
    """

    def project(self, x):
        Q, _, _ = super().project(x)
        _, K, _ = super().project(Q)
        _, _, V = super().project(K)
        return Q, K, V


class MultiHeadAttention__shared_projection(MultiHeadAttention):
    """One layer makes queries, keys and values; there should be a layer for each. Count the layers that
    __init__ makes.

    fr: Une seule couche produit requêtes, clés et valeurs ; il en faut une pour chacune. Comptez les couches
    que __init__ construit.
    """

    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        self.W_k = self.W_v = self.W_q


class MultiHeadAttention__without_projections(MultiHeadAttention):
    """Queries, keys and values are the input itself: W_q, W_k and W_v are missing. Look at what is split into
    heads.

    fr: Les requêtes, les clés et les valeurs sont l'entrée elle-même : W_q, W_k et W_v manquent. Regardez ce
    qui est séparé en têtes.
    """

    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        del self.W_q, self.W_k, self.W_v

    def project(self, x):
        return x, x, x


class MultiHeadAttention__heads_of_the_whole_width(MultiHeadAttention):
    """Every head is as wide as the whole model: the projections have H * E columns, not E. Look at the sizes
    of the layers.

    fr: Chaque tête est aussi large que le modèle entier : les projections ont H * E colonnes au lieu de E.
    Regardez les tailles des couches.
    """

    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        wide = num_heads * embed_dim
        self.W_q, self.W_k, self.W_v = (nn.Linear(embed_dim, wide) for _ in range(3))
        self.W_o = nn.Linear(wide, embed_dim)


class MultiHeadAttention__shared_by_heads(MultiHeadAttention):
    """One small projection of width D is shared by all heads. Look at the sizes of W_q, W_k and W_v.

    fr: Une petite projection de largeur D est partagée par toutes les têtes. Regardez les tailles de W_q, W_k
    et W_v.
    """

    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        width = embed_dim // num_heads
        self.W_q, self.W_k, self.W_v = (nn.Linear(width, width) for _ in range(3))

    def project(self, x):
        return tuple(part.flatten(-2) for part in super().project(x.unflatten(-1, (self.num_heads, -1))))


class MultiHeadAttention__without_bias(MultiHeadAttention):
    """The linear layers have no bias. Look at the arguments of nn.Linear.

    fr: Les couches linéaires n'ont pas de biais. Regardez les arguments de nn.Linear.
    """

    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        for layer in (self.W_q, self.W_k, self.W_v, self.W_o):
            layer.bias = None


class MultiHeadAttention__projections_without_bias(MultiHeadAttention):
    """W_q, W_k and W_v have no bias, only W_o has one. Look at the arguments of nn.Linear.

    fr: W_q, W_k et W_v n'ont pas de biais, seule W_o en a un. Regardez les arguments de nn.Linear.
    """

    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        for layer in (self.W_q, self.W_k, self.W_v):
            layer.bias = None


class MultiHeadAttention__in_a_list(MultiHeadAttention):
    """The layers are kept in a plain list, where PyTorch does not find their parameters. Look at
    nn.ModuleList.

    fr: Les couches sont gardées dans une simple liste, où PyTorch ne trouve pas leurs paramètres. Regardez
    nn.ModuleList.
    """

    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        self.layers = [self.W_q, self.W_k, self.W_v]
        del self.W_q, self.W_k, self.W_v

    def project(self, x):
        return tuple(layer(x) for layer in self.layers)


class MultiHeadAttention__without_weights(MultiHeadAttention):
    """Only the output comes back. Look at what else the contract asks you to return.

    fr: Seule la sortie est renvoyée. Regardez ce que l'énoncé demande de renvoyer avec elle.
    """

    def forward(self, x, mask=None):
        return super().forward(x, mask)[0]


class MultiHeadAttention__swapped(MultiHeadAttention):
    """Output and weights come back in the wrong order. Look at your return.

    fr: La sortie et les poids sont renvoyés dans le mauvais ordre. Regardez votre return.
    """

    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return weights, output


class MultiHeadAttention__mean_of_weights(MultiHeadAttention):
    """The weights that come back are averaged over the heads. Look at average_attn_weights, or for a mean
    before the return.

    fr: Les poids renvoyés sont moyennés sur les têtes. Regardez average_attn_weights, ou cherchez une moyenne
    avant le return.
    """

    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return output, weights.mean(1)


class MultiHeadAttention__residual(MultiHeadAttention):
    """The input is added to the output; that is the block's work. Look at what is added at the end.

    fr: L'entrée est ajoutée à la sortie ; c'est le travail du bloc. Regardez ce qui est ajouté à la fin.
    """

    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return x + output, weights


class MultiHeadAttention__residual_and_norm(MultiHeadAttention):
    """The input is added to the output and the sum is normalised; both are the block's work. Look at what
    happens after W_o.

    fr: L'entrée est ajoutée à la sortie et la somme est normalisée ; les deux sont le travail du bloc.
    Regardez ce qui suit W_o.
    """

    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return nn.functional.layer_norm(x + output, x.shape[-1:]), weights


class MultiHeadAttention__normalises_its_input(MultiHeadAttention):
    """The input is normalised before it is projected; that is the block's work. Look at what W_q, W_k and W_v
    get.

    fr: L'entrée est normalisée avant d'être projetée ; c'est le travail du bloc. Regardez ce que reçoivent
    W_q, W_k et W_v.
    """

    def project(self, x):
        return super().project(nn.functional.layer_norm(x, x.shape[-1:]))


class MultiHeadAttention__normalises_queries_and_keys(MultiHeadAttention):
    """The queries and keys of each head are normalised before they are compared, as in some newer models.
    Look at what stands between the projections and the scores.

    fr: Les requêtes et les clés de chaque tête sont normalisées avant d'être comparées, comme dans certains
    modèles plus récents. Regardez ce qui se trouve entre les projections et les scores.
    """

    def project(self, x):
        Q, K, V = super().project(x)
        return self.normalise(Q), self.normalise(K), V

    def normalise(self, projected):
        heads = projected.unflatten(-1, (self.num_heads, -1))
        return nn.functional.rms_norm(heads, heads.shape[-1:]).flatten(-2)


class MultiHeadAttention__mixes_the_heads(MultiHeadAttention):
    """The weights of all heads are mixed by a learned matrix and normalised over the heads, as in DeepViT;
    each head attends by its own weights. Look at what follows the softmax.

    fr: Les poids de toutes les têtes sont mélangés par une matrice apprise et normalisés sur les têtes, comme
    dans DeepViT ; chaque tête se sert de ses propres poids. Regardez ce qui suit le softmax.
    """

    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, num_heads)
        self.W_heads = nn.Linear(num_heads, num_heads, bias=False)

    def attend(self, Q, K, V, mask):
        _, weights = super().attend(Q, K, V, mask)
        mixed = self.W_heads(weights.movedim(1, -1))
        weights = nn.functional.layer_norm(mixed, mixed.shape[-1:]).movedim(-1, 1)
        return weights @ V, weights


class MultiHeadAttention__activated_projections(MultiHeadAttention):
    """An activation (ReLU) acts on queries, keys and values; the projections are linear. Look at what follows
    W_q, W_k and W_v.

    fr: Une activation (ReLU) agit sur les requêtes, les clés et les valeurs ; les projections sont linéaires.
    Regardez ce qui suit W_q, W_k et W_v.
    """

    def project(self, x):
        return tuple(projected.relu() for projected in super().project(x))


class MultiHeadAttention__activated_output(MultiHeadAttention):
    """An activation (ReLU) acts on the output; the last projection is linear. Look at what follows W_o.

    fr: Une activation (ReLU) agit sur la sortie ; la dernière projection est linéaire. Regardez ce qui suit
    W_o.
    """

    def project_back(self, x):
        return super().project_back(x).relu()


class MultiHeadAttention__dropout(MultiHeadAttention):
    """Dropout acts in evaluation too. Look at what tells F.dropout that it is not training.

    fr: Le dropout agit aussi en évaluation. Regardez ce qui dit à F.dropout qu'on n'entraîne pas.
    """

    def project_back(self, x):
        return nn.functional.dropout(super().project_back(x), 0.1)


class MultiHeadAttention__accepts_any_width(MultiHeadAttention):
    """A width that the heads do not divide is not refused at construction. Look at what __init__ should ask
    first.

    fr: Une largeur que les têtes ne divisent pas n'est pas refusée à la construction. Regardez ce que
    __init__ doit d'abord vérifier.
    """

    def __init__(self, embed_dim, num_heads):
        super().__init__(embed_dim, 1)
        self.num_heads = num_heads


class MultiHeadAttention__first_sequence_only(MultiHeadAttention):
    """All sequences of the batch get the first one's answer. Look for an index 0 or a 1 where B should stand.

    fr: Toutes les séquences du lot reçoivent la réponse de la première. Cherchez un indice 0 ou un 1 à la
    place de B.
    """

    def project(self, x):
        return super().project(x[:1].expand_as(x))


class MultiHeadAttention__batch_not_first(MultiHeadAttention):
    """The attention runs along the batch: the first two axes of x are taken for (S, B). Look for batch_first,
    or a transpose.

    fr: L'attention porte sur le lot : les deux premiers axes de x sont pris pour (S, B). Regardez
    batch_first, ou cherchez une transposition.
    """

    def forward(self, x, mask=None):
        output, weights = super().forward(x.transpose(0, 1), mask)
        return output.transpose(0, 1), weights


class MultiHeadAttention__half_precision(MultiHeadAttention):
    """The attention is computed in half precision. Look for a cast (.half(), .bfloat16(), autocast).

    fr: L'attention est calculée en demi-précision. Cherchez une conversion (.half(), .bfloat16(), autocast).
    """

    def attend(self, Q, K, V, mask):
        output, weights = super().attend(Q.bfloat16(), K.bfloat16(), V.bfloat16(), mask)
        return output.to(Q.dtype), weights.to(Q.dtype)


class MultiHeadAttention__detached(MultiHeadAttention):
    """The weights are cut off from the gradients: queries and keys learn nothing. Look for .detach(), .data
    or no_grad.

    fr: Les poids sont coupés des gradients : requêtes et clés n'apprennent rien. Cherchez .detach(), .data ou
    no_grad.
    """

    def attend(self, Q, K, V, mask):
        _, weights = super().attend(Q, K, V, mask)
        return weights.detach() @ V, weights


class MultiHeadAttention__changes_its_input(MultiHeadAttention):
    """The caller's x is changed. Look for assignments into x and for methods that end in an underscore.

    fr: Le x de l'appelant est modifié. Cherchez les affectations dans x et les méthodes qui finissent par un
    tiret bas.
    """

    def forward(self, x, mask=None):
        answer = super().forward(x, mask)
        x.data.mul_(2)
        return answer


class MultiHeadAttention__changes_the_mask(MultiHeadAttention):
    """The caller's mask is inverted in place. Look for methods of the mask that end in an underscore.

    fr: Le masque de l'appelant est inversé sur place. Cherchez les méthodes du masque qui finissent par un
    tiret bas.
    """

    def forward(self, x, mask=None):
        answer = super().forward(x, mask)
        if mask is not None:
            mask.logical_not_()
        return answer


class MultiHeadAttention__any_mask_is_causal(MultiHeadAttention__always_causal):
    """Whatever mask is given, the causal one is applied instead. Look at where the mask's values are used.

    fr: Quel que soit le masque donné, c'est le masque causal qui est appliqué à sa place. Regardez où les
    valeurs du masque servent.
    """

    # A subclass, so that nothing is called both: code that is always causal does the same under any mask.
    def attend(self, Q, K, V, mask):
        if mask is None:
            return super(MultiHeadAttention__always_causal, self).attend(Q, K, V, None)
        return super().attend(Q, K, V, torch.zeros(Q.shape[-2], K.shape[-2], dtype=torch.bool))
