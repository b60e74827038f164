"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch
from torch import nn

from solutions.concat_heads import concat_heads, concat_heads__interleaved
from solutions.scaled_dot_product_attention import scaled_dot_product_attention
from solutions.split_heads import split_heads, split_heads__strided, split_heads__without_transpose

# Layers that x alone passes have its width, whatever the memory's.
ALSO = {"self_attention": ("kv_dim_ignored",)}


class CrossAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, kv_dim=None):
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError(f"embed_dim {embed_dim} is not divisible by num_heads {num_heads}")
        kv_dim = embed_dim if kv_dim is None else kv_dim
        self.num_heads = num_heads
        self.W_q = nn.Linear(embed_dim, embed_dim)
        self.W_k = nn.Linear(kv_dim, embed_dim)
        self.W_v = nn.Linear(kv_dim, embed_dim)
        self.W_o = nn.Linear(embed_dim, embed_dim)

    def project(self, x, memory):
        return self.W_q(x), self.W_k(memory), self.W_v(memory)

    def split(self, x):
        return split_heads(x, self.num_heads)

    def attend(self, Q, K, V, mask):
        return scaled_dot_product_attention(Q, K, V, mask)

    def join(self, x):
        return concat_heads(x)

    def project_back(self, x):
        return self.W_o(x)

    def forward(self, x, memory, mask=None):
        Q, K, V = (self.split(projected) for projected in self.project(x, memory))  # (B, H, S, D) each
        heads, weights = self.attend(Q, K, V, mask)
        return self.project_back(self.join(heads)), weights


class CrossAttention__self_attention(CrossAttention):
    """Queries, keys and values all come from x, and the memory has no effect. Which of the three layers get
    the memory?

    fr: Requêtes, clés et valeurs viennent toutes de x, et la mémoire n'a aucun effet. Lesquelles des trois
    couches reçoivent la mémoire ?
    """

    def __init__(self, embed_dim, num_heads, kv_dim=None):
        super().__init__(embed_dim, num_heads)

    def project(self, x, memory):
        return super().project(x, x)

    def attend(self, Q, K, V, mask):
        return super().attend(Q, K, V, None)


class CrossAttention__memory_attends_to_x(CrossAttention):
    """The roles are exchanged: the queries come from the memory, so that the output has its length. Who looks
    at whom?

    fr: Les rôles sont échangés : les requêtes viennent de la mémoire, et la sortie a sa longueur. Qui regarde
    qui ?
    """

    def __init__(self, embed_dim, num_heads, kv_dim=None):
        super().__init__(embed_dim, num_heads, kv_dim)
        self.W_q, self.W_k, self.W_v = self.W_k, self.W_q, nn.Linear(embed_dim, embed_dim)

    def project(self, x, memory):
        return super().project(memory, x)

    def attend(self, Q, K, V, mask):
        return super().attend(Q, K, V, None if mask is None else mask.transpose(-2, -1))


class CrossAttention__one_projection(CrossAttention):
    """Keys and values come out of one layer. How many layers does the memory go through?

    fr: Clés et valeurs sortent d'une même couche. Par combien de couches passe la mémoire ?
    """

    def __init__(self, embed_dim, num_heads, kv_dim=None):
        super().__init__(embed_dim, num_heads, kv_dim)
        del self.W_v

    def project(self, x, memory):
        K = self.W_k(memory)
        return self.W_q(x), K, K


class CrossAttention__values_from_keys(CrossAttention):
    """The keys are taken as the values: W_v is there and is not used. Look at what the weights multiply.

    fr: Les clés servent de valeurs : W_v est là mais ne sert pas. Regardez ce que multiplient les poids.
    """

    def project(self, x, memory):
        Q, K, _ = super().project(x, memory)
        return Q, K, K


class CrossAttention__keys_and_values_swapped(CrossAttention):
    """Keys and values are exchanged. Look at the order in which they are handed on.

    fr: Clés et valeurs sont échangées. Regardez l'ordre dans lequel elles sont transmises.
    """

    def project(self, x, memory):
        Q, K, V = super().project(x, memory)
        return Q, V, K


class CrossAttention__kv_dim_ignored(CrossAttention):
    """W_k and W_v are E wide, whatever the memory is. Look at where kv_dim goes.

    fr: W_k et W_v ont la largeur E, quelle que soit la mémoire. Regardez où va kv_dim.
    """

    def __init__(self, embed_dim, num_heads, kv_dim=None):
        super().__init__(embed_dim, num_heads)


class CrossAttention__memory_of_the_first(CrossAttention):
    """All sequences look at the memory of the first one. Look at what you index, or expand, along the batch.

    fr: Toutes les séquences regardent la mémoire de la première. Regardez ce que vous indexez ou étendez le
    long du lot.
    """

    def project(self, x, memory):
        return super().project(x, memory[:1].expand_as(memory))


class CrossAttention__mean_of_the_memory(CrossAttention):
    """The memory is averaged over its positions first: there is nothing left to choose from.

    fr: La mémoire est d'abord moyennée sur ses positions : il ne reste rien à choisir.
    """

    def project(self, x, memory):
        return super().project(x, memory.mean(1, keepdim=True).expand_as(memory))


class CrossAttention__unscaled(CrossAttention):
    """The scores are not scaled. Look at what they should be divided by before the softmax.

    fr: Les scores ne sont pas mis à l'échelle. Regardez par quoi il faut les diviser avant le softmax.
    """

    def attend(self, Q, K, V, mask):
        return super().attend(Q * math.sqrt(Q.shape[-1]), K, V, mask)


class CrossAttention__scaled_by_head_width(CrossAttention):
    """The scores are divided by D itself. Compare your divisor with the one in the formula.

    fr: Les scores sont divisés par D lui-même. Comparez votre diviseur avec celui de la formule.
    """

    def attend(self, Q, K, V, mask):
        return super().attend(Q / math.sqrt(Q.shape[-1]), K, V, mask)


class CrossAttention__scaled_by_embed_dim(CrossAttention):
    """The scale is taken from the whole width E; it belongs to the width D of one head. Look at which width
    you take.

    fr: L'échelle vient de la largeur totale E ; elle vient de la largeur D d'une tête. Regardez quelle
    largeur vous prenez.
    """

    def attend(self, Q, K, V, mask):
        return super().attend(Q / math.sqrt(self.num_heads), K, V, mask)


class CrossAttention__scaled_by_kv_dim(CrossAttention):
    """The scale is taken from the width of the memory; it belongs to the width D of one head, after the
    projection.

    fr: L'échelle vient de la largeur de la mémoire ; elle vient de la largeur D d'une tête, après la
    projection.
    """

    def attend(self, Q, K, V, mask):
        width = self.W_k.in_features / self.num_heads
        return super().attend(Q * math.sqrt(Q.shape[-1] / width), K, V, mask)


class CrossAttention__scaled_by_length(CrossAttention):
    """The scale is taken from the number of keys; it belongs to the width D of one head. Look at which axis
    you measure.

    fr: L'échelle vient du nombre de clés ; elle vient de la largeur D d'une tête. Regardez quel axe vous
    mesurez.
    """

    def attend(self, Q, K, V, mask):
        return super().attend(Q * math.sqrt(Q.shape[-1] / K.shape[-2]), K, V, mask)


class CrossAttention__softmax_over_queries(CrossAttention):
    """The softmax runs over the queries; each query shares its weight among the keys. Look at the softmax's
    dim.

    fr: Le softmax porte sur les requêtes ; chaque requête répartit son poids entre les clés. Regardez le dim
    du softmax.
    """

    def attend(self, Q, K, V, mask):
        _, shares = super().attend(K, Q, Q, None if mask is None else mask.transpose(-2, -1))
        weights = shares.transpose(-2, -1)
        return weights @ V, weights


class CrossAttention__softmax_over_heads(CrossAttention):
    """The softmax runs over the heads; each query shares its weight among the keys. Look at the softmax's
    dim.

    fr: Le softmax porte sur les têtes ; chaque requête répartit son poids entre les clés. Regardez le dim du
    softmax.
    """

    def attend(self, Q, K, V, mask):
        scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask, -1e9)
        weights = scores.softmax(1)
        return weights @ V, weights


class CrossAttention__mask_inverted(CrossAttention):
    """The mask is read the other way round: True means masked. Look at which scores you fill.

    fr: Le masque est lu à l'envers : True veut dire masqué. Regardez quels scores vous remplissez.
    """

    def attend(self, Q, K, V, mask):
        return super().attend(Q, K, V, None if mask is None else ~mask)


class CrossAttention__mask_ignored(CrossAttention):
    """The mask has no effect. Look at whether forward hands it on, and at whether you keep what masked_fill
    returns.

    fr: Le masque n'a aucun effet. Regardez si forward le transmet, et si vous gardez ce que renvoie
    masked_fill.
    """

    def attend(self, Q, K, V, mask):
        return super().attend(Q, K, V, None)


class CrossAttention__weights_before_the_mask(CrossAttention):
    """The output is right, but the weights that come back are those before the mask: under a mask they are
    not the weights of the output. At which step are they kept?

    fr: La sortie est juste, mais les poids renvoyés sont ceux d'avant le masque : sous un masque, ce ne sont
    pas les poids de la sortie. À quelle étape sont-ils gardés ?
    """

    def attend(self, Q, K, V, mask):
        return super().attend(Q, K, V, mask)[0], super().attend(Q, K, V, None)[1]


class CrossAttention__mask_after_softmax(CrossAttention):
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


class CrossAttention__mask_zero(CrossAttention):
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


class CrossAttention__mask_too_weak(CrossAttention):
    """Masked scores are only made a little smaller; some weight is left on masked keys. Look at the value you
    fill in.

    fr: Les scores masqués ne sont qu'un peu plus petits ; il reste du poids sur les clés masquées. Regardez
    la valeur que vous y mettez.
    """

    def attend(self, Q, K, V, mask):
        scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask, -10.0)
        weights = scores.softmax(-1)
        return weights @ V, weights


class CrossAttention__mask_of_first_head(CrossAttention):
    """The mask only acts in the first head. Look at how it broadcasts over the axis of the heads.

    fr: Le masque n'agit que dans la première tête. Regardez comment il s'étend sur l'axe des têtes.
    """

    def attend(self, Q, K, V, mask):
        if mask is not None:
            mask = mask.expand(*Q.shape[:-1], K.shape[-2]).clone()
            mask[:, 1:] = False
        return super().attend(Q, K, V, mask)


class CrossAttention__always_causal(CrossAttention):
    """What stands later in the memory is always masked, as in a decoder's self-attention. Here the whole
    memory is known: look for a triangle.

    fr: Ce qui vient plus loin dans la mémoire est toujours masqué, comme dans l'auto-attention d'un décodeur.
    Ici, toute la mémoire est connue : cherchez un triangle.
    """

    def attend(self, Q, K, V, mask):
        later = torch.ones(Q.shape[-2], K.shape[-2], dtype=torch.bool).triu(1)
        return super().attend(Q, K, V, later if mask is None else mask | later)


class CrossAttention__split_strided(CrossAttention):
    """A head gets every H-th column instead of D columns in a row. Look at the order of H and D when you
    split.

    fr: Une tête reçoit une colonne sur H au lieu de D colonnes qui se suivent. Regardez l'ordre de H et D à
    la séparation.
    """

    def split(self, x):
        return split_heads__strided(x, self.num_heads)


class CrossAttention__split_without_transpose(CrossAttention):
    """The heads are cut by reading the memory in another shape: positions and heads mix. Look for a missing
    transpose.

    fr: Les têtes sont séparées en relisant la mémoire sous une autre forme : positions et têtes se mélangent.
    Cherchez un transpose qui manque.
    """

    def split(self, x):
        return split_heads__without_transpose(x, self.num_heads)


class CrossAttention__joined_without_transpose(CrossAttention):
    """The heads are joined by reading the memory in another shape: positions and heads mix. Look for a
    missing transpose.

    fr: Les têtes sont réunies en relisant la mémoire sous une autre forme : positions et têtes se mélangent.
    Cherchez un transpose qui manque.
    """

    def join(self, x):
        batch, heads, length, width = x.shape
        return super().join(x.reshape(batch, length, heads, width).transpose(1, 2))


class CrossAttention__joined_interleaved(CrossAttention):
    """The columns of the heads are interleaved when they are joined. Look at the order of H and D.

    fr: Les colonnes des têtes sont entrelacées à leur réunion. Regardez l'ordre de H et D.
    """

    def join(self, x):
        return concat_heads__interleaved(x)


class CrossAttention__without_last_projection(CrossAttention):
    """There is no W_o: the joined heads come back as they are. What mixes the heads?

    fr: Il n'y a pas de W_o : les têtes réunies sont renvoyées telles quelles. Qu'est-ce qui mélange les
    têtes ?
    """

    def __init__(self, embed_dim, num_heads, kv_dim=None):
        super().__init__(embed_dim, num_heads, kv_dim)
        del self.W_o

    def project_back(self, x):
        return x


class CrossAttention__shared_by_heads(CrossAttention):
    """One small projection of width D is shared by all heads. Look at the sizes of W_q, W_k and W_v.

    fr: Une petite projection de largeur D est partagée par toutes les têtes. Regardez les tailles de
    W_q, W_k et W_v.
    """

    def __init__(self, embed_dim, num_heads, kv_dim=None):
        super().__init__(embed_dim, num_heads, kv_dim)
        width = embed_dim // num_heads
        of_memory = (embed_dim if kv_dim is None else kv_dim) // num_heads
        self.W_q, self.W_k, self.W_v = (nn.Linear(n, width) for n in (width, of_memory, of_memory))

    def project(self, x, memory):
        of_heads = (states.unflatten(-1, (self.num_heads, -1)) for states in (x, memory))
        return tuple(part.flatten(-2) for part in super().project(*of_heads))


class CrossAttention__without_bias(CrossAttention):
    """The linear layers have no bias. Look at the arguments of nn.Linear.

    fr: Les couches linéaires n'ont pas de biais. Regardez les arguments de nn.Linear.
    """

    def __init__(self, embed_dim, num_heads, kv_dim=None):
        super().__init__(embed_dim, num_heads, kv_dim)
        for layer in (self.W_q, self.W_k, self.W_v, self.W_o):
            layer.bias = None


class CrossAttention__projections_without_bias(CrossAttention):
    """W_q, W_k and W_v have no bias, only W_o has one. Look at the arguments of nn.Linear.

    fr: W_q, W_k et W_v n'ont pas de biais, seule la couche W_o en a un. Regardez les arguments de
    nn.Linear.
    """

    def __init__(self, embed_dim, num_heads, kv_dim=None):
        super().__init__(embed_dim, num_heads, kv_dim)
        for layer in (self.W_q, self.W_k, self.W_v):
            layer.bias = None


class CrossAttention__one_head(CrossAttention):
    """There is one head as wide as the model, whatever num_heads says. Look at whether Q, K and V are split.

    fr: Il n'y a qu'une tête, aussi large que le modèle, quoi que dise num_heads. Regardez si Q, K et V sont
    séparés.
    """

    def __init__(self, embed_dim, num_heads, kv_dim=None):
        super().__init__(embed_dim, num_heads, kv_dim)
        self.num_heads = 1


class CrossAttention__without_weights(CrossAttention):
    """The output comes back alone; the weights should come after it.

    fr: La sortie est renvoyée seule ; les poids devraient la suivre.
    """

    def forward(self, x, memory, mask=None):
        return super().forward(x, memory, mask)[0]


class CrossAttention__swapped(CrossAttention):
    """The weights come first; the pair is (output, weights).

    fr: Les poids viennent en premier ; la paire est (sortie, poids).
    """

    def forward(self, x, memory, mask=None):
        return super().forward(x, memory, mask)[::-1]


class CrossAttention__mean_of_weights(CrossAttention):
    """The weights are averaged over the heads, as nn.MultiheadAttention does if it is not told otherwise.

    fr: Les poids sont moyennés sur les têtes, comme le fait nn.MultiheadAttention si on ne lui dit rien.
    """

    def forward(self, x, memory, mask=None):
        output, weights = super().forward(x, memory, mask)
        return output, weights.mean(1)


class CrossAttention__weights_transposed(CrossAttention):
    """The weights come back as (B, H, Sk, Sq). Rows are queries, columns are keys.

    fr: Les poids sont renvoyés en (B, H, Sk, Sq). Les lignes sont les requêtes, les colonnes les clés.
    """

    def forward(self, x, memory, mask=None):
        output, weights = super().forward(x, memory, mask)
        return output, weights.transpose(-2, -1)


class CrossAttention__residual(CrossAttention):
    """x is added to the output; the sum belongs to the layer around it.

    fr: x est ajouté à la sortie ; la somme revient à la couche qui l'entoure.
    """

    def forward(self, x, memory, mask=None):
        output, weights = super().forward(x, memory, mask)
        return x + output, weights


class CrossAttention__residual_and_norm(CrossAttention):
    """x is added to the output and the sum is normalised; both belong to the layer around it. Look at what
    happens after W_o.

    fr: x est ajouté à la sortie et la somme est normalisée ; les deux reviennent à la couche qui l'entoure.
    Regardez ce qui suit W_o.
    """

    def forward(self, x, memory, mask=None):
        output, weights = super().forward(x, memory, mask)
        return nn.functional.layer_norm(x + output, x.shape[-1:]), weights


class CrossAttention__accepts_any_width(CrossAttention):
    """A width that the heads do not divide is no error at construction. Look at what // does to the rest.

    fr: Une largeur que les têtes ne divisent pas n'est pas une erreur à la construction. Regardez ce que //
    fait du reste.
    """

    def __init__(self, embed_dim, num_heads, kv_dim=None):
        super().__init__(embed_dim, num_heads if embed_dim % num_heads == 0 else 1, kv_dim)


class CrossAttention__memory_detached(CrossAttention):
    """The memory is cut off from the gradients: the encoder would learn nothing. Look for .detach(), .data or
    no_grad.

    fr: La mémoire est coupée des gradients : l'encodeur n'apprendrait rien. Cherchez .detach(), .data ou
    no_grad.
    """

    def project(self, x, memory):
        return super().project(x, memory.detach())


class CrossAttention__detached(CrossAttention):
    """The weights are cut off from the gradients, so that queries and keys learn nothing. Look for .detach(),
    .data or no_grad.

    fr: Les poids sont coupés des gradients, si bien que requêtes et clés n'apprennent rien. Cherchez
    .detach(), .data ou no_grad.
    """

    def attend(self, Q, K, V, mask):
        _, weights = super().attend(Q.detach(), K.detach(), V, mask)
        return weights @ V, weights


class CrossAttention__half_precision(CrossAttention):
    """The scores pass through half precision. Look for a cast (.half(), .bfloat16(), autocast).

    fr: Les scores passent par la demi-précision. Cherchez une conversion (.half(), .bfloat16(), autocast).
    """

    def attend(self, Q, K, V, mask):
        return super().attend(Q.bfloat16().to(Q.dtype), K, V, mask)


class CrossAttention__changes_the_memory(CrossAttention):
    """The caller's memory is changed: something is computed in place on it.

    fr: La mémoire de l'appelant est modifiée : un calcul se fait en place sur elle.
    """

    def forward(self, x, memory, mask=None):
        answer = super().forward(x, memory, mask)
        memory.data.mul_(0.5)
        return answer
