"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch
from torch import nn

from solutions.scaled_dot_product_attention import scaled_dot_product_attention


class SelfAttention(nn.Module):
    def __init__(self, embed_dim):
        super().__init__()
        self.W_q = nn.Linear(embed_dim, embed_dim)
        self.W_k = nn.Linear(embed_dim, embed_dim)
        self.W_v = nn.Linear(embed_dim, embed_dim)

    def project(self, x):
        return self.W_q(x), self.W_k(x), self.W_v(x)

    def attend(self, Q, K, V, mask):
        return scaled_dot_product_attention(Q, K, V, mask)

    def forward(self, x, mask=None):
        return self.attend(*self.project(x), mask)


def scores(Q, K, mask, value=-math.inf):
    raw = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    return raw if mask is None else raw.masked_fill(mask, value)


class SelfAttention__unscaled(SelfAttention):
    """The scores are not scaled. Look at what they should be divided by before the softmax.

    fr: Les scores ne sont pas mis à l'échelle. Regardez par quoi il faut les diviser avant le softmax.
    """

    def attend(self, Q, K, V, mask):
        return super().attend(Q * math.sqrt(Q.shape[-1]), K, V, mask)


class SelfAttention__scaled_without_root(SelfAttention):
    """The scores are divided by E itself. Compare your divisor with the one in the formula.

    fr: Les scores sont divisés par E lui-même. Comparez votre diviseur avec celui de la formule.
    """

    def attend(self, Q, K, V, mask):
        return super().attend(Q / math.sqrt(Q.shape[-1]), K, V, mask)


class SelfAttention__multiplied_by_the_root(SelfAttention):
    """The scores are multiplied by sqrt(E), not divided by it. Look at the exponent's sign.

    fr: Les scores sont multipliés par sqrt(E), et non divisés. Regardez le signe de l'exposant.
    """

    def attend(self, Q, K, V, mask):
        return super().attend(Q * Q.shape[-1], K, V, mask)


class SelfAttention__scaled_by_length(SelfAttention):
    """The scale is taken from the number of positions; it belongs to the width E. Look at which axis you
    measure.

    fr: L'échelle vient du nombre de positions ; elle vient de la largeur E. Regardez quel axe vous mesurez.
    """

    def attend(self, Q, K, V, mask):
        return super().attend(Q * math.sqrt(Q.shape[-1] / K.shape[-2]), K, V, mask)


class SelfAttention__scaled_after_softmax(SelfAttention):
    """The weights are divided by sqrt(E) after the softmax, and no longer sum to one. Look at what the
    softmax gets.

    fr: Ce sont les poids qui sont divisés par sqrt(E), après le softmax, et leur somme ne vaut plus un.
    Regardez ce que reçoit le softmax.
    """

    def attend(self, Q, K, V, mask):
        root = math.sqrt(Q.shape[-1])
        output, weights = super().attend(Q * root, K, V, mask)
        return output / root, weights / root


class SelfAttention__without_softmax(SelfAttention):
    """There is no softmax: the scores themselves weigh the values, with those that are masked at 0.

    fr: Il n'y a pas de softmax : ce sont les scores eux-mêmes qui pondèrent les valeurs, ceux qui sont
    masqués valant 0.
    """

    def attend(self, Q, K, V, mask):
        weights = scores(Q, K, mask, 0.0)
        return weights @ V, weights


class SelfAttention__softmax_over_queries(SelfAttention):
    """The softmax runs over the queries; each query shares its weight among the keys. Look at the softmax's
    dim.

    fr: Le softmax porte sur les requêtes ; chaque requête répartit son poids entre les clés. Regardez le dim
    du softmax.
    """

    def attend(self, Q, K, V, mask):
        weights = scores(Q, K, mask).softmax(-2).nan_to_num()
        return weights @ V, weights


class SelfAttention__softmax_over_the_batch(SelfAttention):
    """The softmax runs over the batch, so that sequences share their weight. Look at the softmax's dim.

    fr: Le softmax porte sur le lot, si bien que les séquences se partagent leur poids. Regardez le dim du
    softmax.
    """

    def attend(self, Q, K, V, mask):
        weights = scores(Q, K, mask, -1e9).softmax(0)
        return weights @ V, weights


class SelfAttention__mask_inverted(SelfAttention):
    """The mask is read the other way round: True means masked. Look at which scores you fill.

    fr: Le masque est lu à l'envers : True veut dire masqué. Regardez quels scores vous remplissez.
    """

    def attend(self, Q, K, V, mask):
        return super().attend(Q, K, V, None if mask is None else ~mask)


class SelfAttention__mask_ignored(SelfAttention):
    """The mask has no effect. Look at whether forward hands it on, and at whether you keep what masked_fill
    returns.

    fr: Le masque n'a aucun effet. Regardez si forward le transmet, et si vous gardez ce que renvoie
    masked_fill.
    """

    def attend(self, Q, K, V, mask):
        return super().attend(Q, K, V, None)


class SelfAttention__weights_before_the_mask(SelfAttention):
    """The output is right, but the weights that come back are those before the mask: under a mask they are
    not the weights of the output. At which step are they kept?

    fr: La sortie est juste, mais les poids renvoyés sont ceux d'avant le masque : sous un masque, ce ne sont
    pas les poids de la sortie. À quelle étape sont-ils gardés ?
    """

    def attend(self, Q, K, V, mask):
        return super().attend(Q, K, V, mask)[0], super().attend(Q, K, V, None)[1]


class SelfAttention__mask_after_softmax(SelfAttention):
    """The mask acts after the softmax, so that the weights no longer sum to one. Look at the order of the two
    steps.

    fr: Le masque agit après le softmax, si bien que la somme des poids ne vaut plus un. Regardez l'ordre des
    deux étapes.
    """

    def attend(self, Q, K, V, mask):
        _, weights = super().attend(Q, K, V, None)
        weights = weights if mask is None else weights.masked_fill(mask, 0.0)
        return weights @ V, weights


class SelfAttention__mask_zero(SelfAttention):
    """Masked scores are set to zero, which is a score like any other. Look at what the softmax makes of zero.

    fr: Les scores masqués valent zéro, qui est un score comme un autre. Regardez ce que le softmax fait de
    zéro.
    """

    def attend(self, Q, K, V, mask):
        weights = scores(Q, K, mask, 0.0).softmax(-1)
        return weights @ V, weights


class SelfAttention__mask_too_weak(SelfAttention):
    """Masked scores are only made a little smaller; some weight is left on masked keys. Look at the value you
    fill in.

    fr: Les scores masqués ne sont qu'un peu plus petits ; il reste du poids sur les clés masquées. Regardez
    la valeur que vous y mettez.
    """

    def attend(self, Q, K, V, mask):
        weights = scores(Q, K, mask, -10.0).softmax(-1)
        return weights @ V, weights


class SelfAttention__mask_on_queries(SelfAttention):
    """The mask hides queries (rows) where it should hide keys (columns). Look at the mask's last two axes.

    fr: Le masque cache des requêtes (lignes) au lieu de cacher des clés (colonnes). Regardez les deux
    derniers axes du masque.
    """

    def attend(self, Q, K, V, mask):
        if mask is not None and mask.shape[-2] == mask.shape[-1]:
            mask = mask.transpose(-2, -1) & ~torch.eye(mask.shape[-1], dtype=torch.bool)
        return super().attend(Q, K, V, mask)


class SelfAttention__always_causal(SelfAttention):
    """The future is always masked, also when no mask says so. Look at where the mask comes from.

    fr: Le futur est toujours masqué, même si aucun masque ne le demande. Regardez d'où vient le masque.
    """

    def attend(self, Q, K, V, mask):
        future = torch.ones(Q.shape[-2], K.shape[-2], dtype=torch.bool).triu(1)
        return super().attend(Q, K, V, future if mask is None else mask | future)


class SelfAttention__keys_for_queries(SelfAttention):
    """Queries and keys have changed places: a row of the scores belongs to a query.

    fr: Les requêtes et les clés sont interverties : une ligne des scores correspond à une requête.
    """

    def project(self, x):
        Q, K, V = super().project(x)
        return K, Q, V


class SelfAttention__keys_from_queries(SelfAttention):
    """Queries and keys come from the same projection. Look at which layer makes the keys.

    fr: Les requêtes et les clés viennent de la même projection. Regardez quelle couche produit les clés.
    """

    def project(self, x):
        Q, _, V = super().project(x)
        return Q, Q, V


class SelfAttention__values_from_keys(SelfAttention):
    """Keys and values come from the same projection. Look at which layer makes the values.

    fr: Les clés et les valeurs viennent de la même projection. Regardez quelle couche produit les valeurs.
    """

    def project(self, x):
        Q, K, _ = super().project(x)
        return Q, K, K


class SelfAttention__values_not_projected(SelfAttention):
    """The input itself is averaged, not its projection by W_v. Look at what the weights are multiplied with.

    fr: C'est l'entrée elle-même qui est moyennée, et non sa projection par W_v. Regardez ce que les poids
    multiplient.
    """

    def project(self, x):
        Q, K, _ = super().project(x)
        return Q, K, x


class SelfAttention__shared_projection(SelfAttention):
    """One layer makes queries, keys and values; there should be a layer for each. Count the layers that
    __init__ makes.

    fr: Une seule couche produit requêtes, clés et valeurs ; il en faut une pour chacune. Comptez les couches
    que __init__ construit.
    """

    def __init__(self, embed_dim):
        super().__init__(embed_dim)
        self.W_k = self.W_v = self.W_q


class SelfAttention__without_projections(SelfAttention):
    """Queries, keys and values are the input itself: W_q, W_k and W_v are missing.

    fr: Les requêtes, les clés et les valeurs sont l'entrée elle-même : W_q, W_k et W_v manquent.
    """

    def __init__(self, embed_dim):
        super().__init__(embed_dim)
        del self.W_q, self.W_k, self.W_v

    def project(self, x):
        return x, x, x


class SelfAttention__without_bias(SelfAttention):
    """The linear layers have no bias. Look at the arguments of nn.Linear.

    fr: Les couches linéaires n'ont pas de biais. Regardez les arguments de nn.Linear.
    """

    def __init__(self, embed_dim):
        super().__init__(embed_dim)
        for layer in (self.W_q, self.W_k, self.W_v):
            layer.bias = None


class SelfAttention__projected_again(SelfAttention):
    """A last linear layer follows; that is for joining several heads. Here there is one head.

    fr: Une dernière couche linéaire suit ; elle sert à réunir plusieurs têtes. Ici, il n'y en a qu'une.
    """

    def __init__(self, embed_dim):
        super().__init__(embed_dim)
        self.W_o = nn.Linear(embed_dim, embed_dim)

    def attend(self, Q, K, V, mask):
        output, weights = super().attend(Q, K, V, mask)
        return self.W_o(output), weights


class SelfAttention__in_a_list(SelfAttention):
    """The layers are kept in a plain list, where PyTorch does not find their parameters. Look at
    nn.ModuleList.

    fr: Les couches sont gardées dans une simple liste, où PyTorch ne trouve pas leurs paramètres. Regardez
    nn.ModuleList.
    """

    def __init__(self, embed_dim):
        super().__init__(embed_dim)
        self.layers = [self.W_q, self.W_k, self.W_v]
        del self.W_q, self.W_k, self.W_v

    def project(self, x):
        return tuple(layer(x) for layer in self.layers)


class SelfAttention__without_weights(SelfAttention):
    """Only the output comes back. Look at what else the contract asks you to return.

    fr: Seule la sortie est renvoyée. Regardez ce que l'énoncé demande de renvoyer avec elle.
    """

    def forward(self, x, mask=None):
        return super().forward(x, mask)[0]


class SelfAttention__swapped(SelfAttention):
    """Output and weights come back in the wrong order. Look at your return.

    fr: La sortie et les poids sont renvoyés dans le mauvais ordre. Regardez votre return.
    """

    def forward(self, x, mask=None):
        return super().forward(x, mask)[::-1]


class SelfAttention__returns_scores(SelfAttention):
    """The scores come back in the place of the weights. Look at what your return names: before or after the
    softmax?

    fr: Ce sont les scores qui sont renvoyés à la place des poids. Regardez ce que votre return nomme : avant
    ou après le softmax ?
    """

    def attend(self, Q, K, V, mask):
        return super().attend(Q, K, V, mask)[0], scores(Q, K, mask, -1e9)


class SelfAttention__residual(SelfAttention):
    """The input is added to the output; that is the block's work. Look at what is added at the end.

    fr: L'entrée est ajoutée à la sortie ; c'est le travail du bloc. Regardez ce qui est ajouté à la fin.
    """

    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return x + output, weights


class SelfAttention__first_sequence_only(SelfAttention):
    """All sequences of the batch get the first one's answer. Look for an index 0 or a 1 where B should stand.

    fr: Toutes les séquences du lot reçoivent la réponse de la première. Cherchez un indice 0 ou un 1 à la
    place de B.
    """

    def project(self, x):
        return super().project(x[:1].expand_as(x))


class SelfAttention__detached(SelfAttention):
    """The weights are cut off from the gradients: queries and keys learn nothing. Look for .detach(), .data
    or no_grad.

    fr: Les poids sont coupés des gradients : requêtes et clés n'apprennent rien. Cherchez .detach(), .data ou
    no_grad.
    """

    def attend(self, Q, K, V, mask):
        _, weights = super().attend(Q, K, V, mask)
        return weights.detach() @ V, weights


class SelfAttention__changes_its_input(SelfAttention):
    """The caller's x is changed. Look for assignments into x and for methods that end in an underscore.

    fr: Le x de l'appelant est modifié. Cherchez les affectations dans x et les méthodes qui finissent par un
    tiret bas.
    """

    def forward(self, x, mask=None):
        answer = super().forward(x, mask)
        x.data.mul_(2)
        return answer


class SelfAttention__changes_the_mask(SelfAttention):
    """The caller's mask is inverted in place. Look for methods of the mask that end in an underscore.

    fr: Le masque de l'appelant est inversé sur place. Cherchez les méthodes du masque qui finissent par un
    tiret bas.
    """

    def forward(self, x, mask=None):
        answer = super().forward(x, mask)
        if mask is not None:
            mask.logical_not_()
        return answer


class SelfAttention__dropout(SelfAttention):
    """Dropout acts in evaluation too; the contract asks for none. Look for F.dropout.

    fr: Le dropout agit aussi en évaluation ; l'énoncé n'en demande aucun. Cherchez F.dropout.
    """

    def attend(self, Q, K, V, mask):
        output, weights = super().attend(Q, K, V, mask)
        return nn.functional.dropout(output, 0.1), weights
