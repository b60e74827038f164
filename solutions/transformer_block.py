"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch
from torch import nn

from solutions.feed_forward import FeedForward
from solutions.multi_head_attention import MultiHeadAttention


def gained(norm, normed):
    """What a norm makes of normalised values; it may have neither gain nor bias."""
    return normed if norm.weight is None else normed * norm.weight + norm.bias


class NormOfOneGain(nn.LayerNorm):
    """A layer norm with one gain and one bias for all columns."""

    def __init__(self, width, eps=1e-5):
        super().__init__(width, eps)
        self.weight, self.bias = nn.Parameter(torch.ones(1)), nn.Parameter(torch.zeros(1))

    def forward(self, x):
        return nn.functional.layer_norm(x, x.shape[-1:], eps=self.eps) * self.weight + self.bias


class TransformerBlock(nn.Module):
    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        self.attention = MultiHeadAttention(embed_dim, num_heads)
        self.feed_forward = FeedForward(embed_dim, ff_dim, dropout)
        self.norm1 = nn.LayerNorm(embed_dim)
        self.norm2 = nn.LayerNorm(embed_dim)
        self.dropout = nn.Dropout(dropout)

    def normed(self, norm, x):
        return norm(x)

    def norms(self):
        return self.norm1, self.norm2

    def first_norm(self, x):
        return self.normed(self.norms()[0], x)

    def second_norm(self, x):
        return self.normed(self.norms()[1], x)

    def attend(self, x, mask):
        return self.dropout(self.attention(x, mask)[0])

    def feed(self, x):
        return self.dropout(self.feed_forward(x))

    def first_sum(self, x, answer):
        return x + answer

    def second_sum(self, x, answer):
        return x + answer

    def first_half(self, x, mask):
        return self.first_sum(x, self.attend(self.first_norm(x), mask))

    def second_half(self, x):
        return self.second_sum(x, self.feed(self.second_norm(x)))

    def forward(self, x, mask=None):
        return self.second_half(self.first_half(x, mask))


class TransformerBlock__post_norm(TransformerBlock):
    """The norms stand after the sums (post-norm); here they belong before each part. Look at what each part
    gets as its input.

    fr: Les normes viennent après les sommes (post-norm) ; ici elles viennent avant chaque partie. Regardez ce
    que chaque partie reçoit en entrée.
    """

    def first_norm(self, x):
        return x

    def second_norm(self, x):
        return x

    def first_sum(self, x, answer):
        return self.normed(self.norms()[0], super().first_sum(x, answer))

    def second_sum(self, x, answer):
        return self.normed(self.norms()[1], super().second_sum(x, answer))


class TransformerBlock__without_first_norm(TransformerBlock):
    """The attention gets the input without its norm. Look at where norm1 is applied.

    fr: L'attention reçoit l'entrée sans sa norme. Regardez où norm1 est appliquée.
    """

    def first_norm(self, x):
        return x


class TransformerBlock__without_second_norm(TransformerBlock):
    """The feed-forward network gets its input without its norm. Look at where norm2 is applied.

    fr: Le réseau feed-forward reçoit son entrée sans sa norme. Regardez où norm2 est appliquée.
    """

    def second_norm(self, x):
        return x


class TransformerBlock__shared_norm(TransformerBlock):
    """Both parts use the same norm. Look at which norm the feed-forward network gets its input from.

    fr: Les deux parties utilisent la même norme. Regardez de quelle norme vient l'entrée du réseau
    feed-forward.
    """

    def norms(self):
        return self.norm1, self.norm1


class TransformerBlock__one_norm(TransformerBlock):
    """There is one norm for both parts, and the parameters of the other are missing. Count the norms that
    __init__ makes.

    fr: Il n'y a qu'une norme pour les deux parties, et les paramètres de l'autre manquent. Comptez les normes
    que __init__ construit.
    """

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, num_heads, ff_dim, dropout)
        self.norm2 = self.norm1


class TransformerBlock__norm_of_the_answers(TransformerBlock):
    """The norms act on what the parts answer, not on what they get. Look at the order of norm and part.

    fr: Les normes agissent sur ce que les parties répondent et non sur ce qu'elles reçoivent. Regardez
    l'ordre de la norme et de la partie.
    """

    def first_norm(self, x):
        return x

    def second_norm(self, x):
        return x

    def first_sum(self, x, answer):
        return super().first_sum(x, self.normed(self.norms()[0], answer))

    def second_sum(self, x, answer):
        return super().second_sum(x, self.normed(self.norms()[1], answer))


class TransformerBlock__norm_over_positions(TransformerBlock):
    """The norm runs over the positions, not over the features of each. Look at which axis mean and variance
    are taken over.

    fr: La norme porte sur les positions, et non sur les composantes de chacune. Regardez selon quel axe sont
    prises la moyenne et la variance.
    """

    def first_norm(self, x):
        normed = nn.functional.layer_norm(x.transpose(1, 2), x.shape[1:2]).transpose(1, 2)
        return normed * self.norm1.weight + self.norm1.bias


class TransformerBlock__norm_over_the_sequence(TransformerBlock):
    """The norms run over positions and features together. Look at which axes mean and variance are taken
    over.

    fr: Les normes portent à la fois sur les positions et les composantes. Regardez selon quels axes sont
    prises la moyenne et la variance.
    """

    def normed(self, norm, x):
        return gained(norm, nn.functional.layer_norm(x, x.shape[1:]))


class TransformerBlock__unbiased_norm(TransformerBlock):
    """The norm divides by the unbiased deviation (n - 1), not by that of the features (n). Look at the
    arguments of std or var.

    fr: La norme divise par l'écart-type non biaisé (n - 1), et non par celui des composantes (n). Regardez
    les arguments de std ou de var.
    """

    def normed(self, norm, x):
        centred = x - x.mean(-1, keepdim=True)
        deviation = (centred.square().sum(-1, keepdim=True) / max(x.shape[-1] - 1, 1) + norm.eps).sqrt()
        return gained(norm, centred / deviation)


class TransformerBlock__uncentred_norm(TransformerBlock):
    """The norms do not take away the mean (RMSNorm); a layer norm does. Look at what is divided by the
    deviation.

    fr: Les normes ne retirent pas la moyenne (RMSNorm) ; une layer norm le fait. Regardez ce qui est divisé
    par l'écart-type.
    """

    def normed(self, norm, x):
        return gained(norm, nn.functional.rms_norm(x, x.shape[-1:], eps=norm.eps))


class TransformerBlock__one_gain(TransformerBlock):
    """Each norm has one gain and one bias for all columns; there is one for each column. Look at the shapes
    of the norms' parameters.

    fr: Chaque norme a un seul gain et un seul biais pour toutes les colonnes ; il y en a un par colonne.
    Regardez les formes des paramètres des normes.
    """

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, num_heads, ff_dim, dropout)
        self.norm1, self.norm2 = (NormOfOneGain(embed_dim) for _ in range(2))


class TransformerBlock__norms_without_weights(TransformerBlock):
    """The norms have neither gain nor bias. Look at the arguments of nn.LayerNorm.

    fr: Les normes n'ont ni gain ni biais. Regardez les arguments de nn.LayerNorm.
    """

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, num_heads, ff_dim, dropout)
        self.norm1 = nn.LayerNorm(embed_dim, elementwise_affine=False)
        self.norm2 = nn.LayerNorm(embed_dim, elementwise_affine=False)


class TransformerBlock__large_eps(TransformerBlock):
    """The norms' eps is 1e-3, far too large for small inputs. Look at the eps of the norms.

    fr: L'eps des normes est 1e-3, bien trop grand pour de petites entrées. Regardez l'eps des normes.
    """

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, num_heads, ff_dim, dropout)
        self.norm1.eps = self.norm2.eps = 1e-3


class TransformerBlock__without_first_residual(TransformerBlock):
    """The input is not added to the attention's answer. Look at what the first sum adds.

    fr: L'entrée n'est pas ajoutée à la réponse de l'attention. Regardez ce qu'ajoute la première somme.
    """

    def first_sum(self, x, answer):
        return answer


class TransformerBlock__without_second_residual(TransformerBlock):
    """What went into the feed-forward network is not added to its answer. Look at what the second sum adds.

    fr: Ce qui est entré dans le réseau feed-forward n'est pas ajouté à sa réponse. Regardez ce qu'ajoute la
    deuxième somme.
    """

    def second_sum(self, x, answer):
        return answer


class TransformerBlock__first_residual_twice(TransformerBlock):
    """The input is added to the attention's answer twice. Look at whether the attention adds it already.

    fr: L'entrée est ajoutée deux fois à la réponse de l'attention. Regardez si l'attention l'ajoute déjà.
    """

    def first_sum(self, x, answer):
        return super().first_sum(x, x + answer)


class TransformerBlock__second_residual_twice(TransformerBlock):
    """The feed-forward network's answer gets its sum twice. Look at whether the network adds something
    already.

    fr: La réponse du réseau feed-forward est sommée deux fois. Regardez si le réseau ajoute déjà quelque
    chose.
    """

    def second_sum(self, x, answer):
        return super().second_sum(x, x + answer)


class TransformerBlock__residual_of_the_norm(TransformerBlock):
    """What the first sum adds is the normalised input, not the input itself. Look at whether norm1's answer
    replaces x.

    fr: La première somme ajoute l'entrée normalisée au lieu de l'entrée elle-même. Regardez si la réponse de
    norm1 remplace x.
    """

    def first_sum(self, x, answer):
        return super().first_sum(self.first_norm(x), answer)


class TransformerBlock__second_residual_of_the_norm(TransformerBlock):
    """What the second sum adds is normalised, not what the first sum gave. Look at whether norm2's answer
    replaces x.

    fr: La deuxième somme ajoute une valeur normalisée au lieu de ce que la première a donné. Regardez si la
    réponse de norm2 remplace x.
    """

    def second_sum(self, x, answer):
        return super().second_sum(self.second_norm(x), answer)


class TransformerBlock__second_residual_from_the_start(TransformerBlock):
    """The second sum adds the block's input, not what the first sum gave. Look at which x is added at the
    end.

    fr: La deuxième somme ajoute l'entrée du bloc, et non ce que la première a donné. Regardez quel x est
    ajouté à la fin.
    """

    def forward(self, x, mask=None):
        middle = self.first_half(x, mask)
        return self.second_sum(x, self.feed(self.second_norm(middle)))


class TransformerBlock__parallel(TransformerBlock):
    """Both parts work on the input side by side, not one after the other. Look at what the feed-forward
    network gets.

    fr: Les deux parties travaillent côte à côte sur l'entrée, et non l'une après l'autre. Regardez ce que
    reçoit le réseau feed-forward.
    """

    def forward(self, x, mask=None):
        return self.second_sum(self.first_half(x, mask), self.feed(self.second_norm(x)))


class TransformerBlock__feed_forward_first(TransformerBlock):
    """The feed-forward network comes before the attention. Look at the order of the two halves.

    fr: Le réseau feed-forward vient avant l'attention. Regardez l'ordre des deux moitiés.
    """

    def forward(self, x, mask=None):
        return self.first_half(self.second_half(x), mask)


class TransformerBlock__without_attention(TransformerBlock):
    """The attention's half is missing. Look at what happens before the feed-forward network.

    fr: La moitié de l'attention manque. Regardez ce qui se passe avant le réseau feed-forward.
    """

    def first_half(self, x, mask):
        return x


class TransformerBlock__without_feed_forward(TransformerBlock):
    """The feed-forward network's half is missing. Look at what happens after the attention.

    fr: La moitié du réseau feed-forward manque. Regardez ce qui se passe après l'attention.
    """

    def second_half(self, x):
        return x


class TransformerBlock__mask_lost(TransformerBlock):
    """The mask does not reach the attention. Look at what forward hands on.

    fr: Le masque n'arrive pas jusqu'à l'attention. Regardez ce que forward transmet.
    """

    def attend(self, x, mask):
        return super().attend(x, None)


class TransformerBlock__mask_inverted(TransformerBlock):
    """The mask acts the other way round: True should mean masked. Look at what forward hands on, and at which
    scores the attention hides.

    fr: Le masque agit à l'envers : True doit vouloir dire masqué. Regardez ce que forward transmet, et quels
    scores l'attention cache.
    """

    def attend(self, x, mask):
        return super().attend(x, None if mask is None else ~mask)


class TransformerBlock__always_causal(TransformerBlock):
    """The future is always masked, also when no mask says so. Look at where the mask comes from.

    fr: Le futur est toujours masqué, même si aucun masque ne le demande. Regardez d'où vient le masque.
    """

    def attend(self, x, mask):
        future = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
        return super().attend(x, future if mask is None else mask | future)


class TransformerBlock__returns_weights(TransformerBlock):
    """The block returns the attention weights too; one tensor is due. Look at your return.

    fr: Le bloc renvoie aussi les poids d'attention ; un seul tenseur est attendu. Regardez votre return.
    """

    def forward(self, x, mask=None):
        return super().forward(x, mask), self.attention(self.first_norm(x), mask)[1]


class TransformerBlock__dropout_in_evaluation(TransformerBlock):
    """Dropout acts in evaluation too. Look at what tells F.dropout that it is not training.

    fr: Le dropout agit aussi en évaluation. Regardez ce qui dit à F.dropout qu'on n'entraîne pas.
    """

    def attend(self, x, mask):
        return nn.functional.dropout(super().attend(x, mask), self.dropout.p)


class TransformerBlock__without_dropout(TransformerBlock):
    """Dropout never acts. Look at where the rate goes, in the block and in its feed-forward network.

    fr: Le dropout n'agit jamais. Regardez où va le taux, dans le bloc et dans son réseau feed-forward.
    """

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, num_heads, ff_dim, 0.0)


class TransformerBlock__rate_ignored(TransformerBlock):
    """The rate of the dropout is always 0.1, whatever is asked for. Look at whether the block hands dropout
    on.

    fr: Le taux du dropout est toujours 0.1, quoi qu'on demande. Regardez si le bloc transmet dropout.
    """

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, num_heads, ff_dim, 0.1)


class TransformerBlock__ff_dim_ignored(TransformerBlock):
    """The inner width is 4 * E, whatever ff_dim says. Look at whether the block hands ff_dim on.

    fr: La largeur intérieure est 4 * E, quel que soit ff_dim. Regardez si le bloc transmet ff_dim.
    """

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, num_heads, None, dropout)


class TransformerBlock__twice_as_wide(TransformerBlock):
    """The inner width is 2 * E by default, not 4 * E. Look at what ff_dim becomes when it is not given.

    fr: La largeur intérieure est 2 * E par défaut, et non 4 * E. Regardez ce que devient ff_dim s'il n'est
    pas donné.
    """

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, num_heads, 2 * embed_dim if ff_dim is None else ff_dim, dropout)


class TransformerBlock__half_precision(TransformerBlock):
    """The attention's answer passes through half precision. Look for a cast (.half(), .bfloat16(), autocast).

    fr: La réponse de l'attention passe par la demi-précision. Cherchez une conversion (.half(), .bfloat16(),
    autocast).
    """

    def attend(self, x, mask):
        return super().attend(x, mask).bfloat16().to(x.dtype)


class TransformerBlock__detached(TransformerBlock):
    """The attention's answer is cut off from the gradients. Look for .detach(), .data, no_grad or a new
    tensor of numbers.

    fr: La réponse de l'attention est coupée des gradients. Cherchez .detach(), .data, no_grad ou un tenseur
    refait à partir de nombres.
    """

    def attend(self, x, mask):
        return super().attend(x, mask).detach()


class TransformerBlock__adds_in_place(TransformerBlock):
    """The first sum is written into x: the caller's tensor changes. Look for += and methods that end in an
    underscore.

    fr: La première somme est écrite dans x : le tenseur de l'appelant change. Cherchez += et les méthodes qui
    finissent par un tiret bas.
    """

    def first_half(self, x, mask):
        middle = super().first_half(x, mask)
        x.data.copy_(middle)
        return middle
