"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch
from torch import nn

from solutions.cross_attention import CrossAttention
from solutions.feed_forward import FeedForward
from solutions.multi_head_attention import MultiHeadAttention
from solutions.transformer_block import NormOfOneGain, gained

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
WHOLE = (
    "without_cross_attention",
    "always_causal",
)
HALF = (
    "without_self_attention",
    "without_feed_forward",
    "mask_lost",
    "cross_before_self",
)
SMALL = (
    "ff_dim_ignored",
    "twice_as_wide",
    "without_dropout",
    "detached",
    "returns_weights",
)


class DecoderLayer(nn.Module):
    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        self.self_attention = MultiHeadAttention(embed_dim, num_heads)
        self.cross_attention = CrossAttention(embed_dim, num_heads)
        self.feed_forward = FeedForward(embed_dim, ff_dim, dropout)
        self.norm1 = nn.LayerNorm(embed_dim)
        self.norm2 = nn.LayerNorm(embed_dim)
        self.norm3 = nn.LayerNorm(embed_dim)
        self.dropout = nn.Dropout(dropout)

    def normed(self, norm, x):
        return norm(x)

    def norms(self):
        return self.norm1, self.norm2, self.norm3

    def first_norm(self, x):
        return self.normed(self.norms()[0], x)

    def second_norm(self, x):
        return self.normed(self.norms()[1], x)

    def third_norm(self, x):
        return self.normed(self.norms()[2], x)

    def attend(self, x, mask):
        return self.dropout(self.self_attention(x, mask)[0])

    def look(self, x, memory, mask):
        return self.dropout(self.cross_attention(x, memory, mask)[0])

    def feed(self, x):
        return self.dropout(self.feed_forward(x))

    def first_sum(self, x, answer):
        return x + answer

    def second_sum(self, x, answer):
        return x + answer

    def third_sum(self, x, answer):
        return x + answer

    def attended(self, x, mask):
        return self.first_sum(x, self.attend(self.first_norm(x), mask))

    def looked(self, x, memory, mask):
        return self.second_sum(x, self.look(self.second_norm(x), memory, mask))

    def fed(self, x):
        return self.third_sum(x, self.feed(self.third_norm(x)))

    def forward(self, x, memory, mask=None, memory_mask=None):
        return self.fed(self.looked(self.attended(x, mask), memory, memory_mask))


class DecoderLayer__post_norm(DecoderLayer):
    """The norms stand after the sums (post-norm); here they belong before each part. Look at what each part
    gets as its input.

    fr: Les normes viennent après les sommes (post-norm) ; ici elles viennent avant chaque partie. Regardez ce
    que chaque partie reçoit en entrée.
    """

    def first_norm(self, x):
        return x

    def second_norm(self, x):
        return x

    def third_norm(self, x):
        return x

    def first_sum(self, x, answer):
        return self.normed(self.norms()[0], super().first_sum(x, answer))

    def second_sum(self, x, answer):
        return self.normed(self.norms()[1], super().second_sum(x, answer))

    def third_sum(self, x, answer):
        return self.normed(self.norms()[2], super().third_sum(x, answer))


class DecoderLayer__without_first_norm(DecoderLayer):
    """The self-attention gets the input without its norm. Look at where norm1 is applied.

    fr: L'auto-attention reçoit l'entrée sans sa norme. Regardez où norm1 est appliquée.
    """

    def first_norm(self, x):
        return x


class DecoderLayer__without_second_norm(DecoderLayer):
    """The cross-attention gets its queries without their norm. Look at where norm2 is applied.

    fr: L'attention croisée reçoit ses requêtes sans leur norme. Regardez où norm2 est appliquée.
    """

    def second_norm(self, x):
        return x


class DecoderLayer__without_third_norm(DecoderLayer):
    """The feed-forward network gets its input without its norm. Look at where norm3 is applied.

    fr: Le réseau feed-forward reçoit son entrée sans sa norme. Regardez où norm3 est appliquée.
    """

    def third_norm(self, x):
        return x


class DecoderLayer__memory_normalised(DecoderLayer):
    """The memory goes through norm2 too; only the queries do. The encoder has its own norms.

    fr: La mémoire passe aussi par norm2 ; seules les requêtes y passent. L'encodeur a ses propres normes.
    """

    def look(self, x, memory, mask):
        return super().look(x, self.normed(self.norm2, memory), mask)


class DecoderLayer__shared_norm(DecoderLayer):
    """All parts use the same norm. Look at which norm the cross-attention and the feed-forward network get
    their inputs from.

    fr: Toutes les parties utilisent la même norme. Regardez de quelle norme viennent les entrées de
    l'attention croisée et du réseau feed-forward.
    """

    def norms(self):
        return self.norm1, self.norm1, self.norm1


class DecoderLayer__two_norms(DecoderLayer):
    """There are two norms for three parts, as in an encoder's layer. Count the norms that __init__ makes.

    fr: Il y a deux normes pour trois parties, comme dans une couche d'encodeur. Comptez les normes que
    __init__ construit.
    """

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, num_heads, ff_dim, dropout)
        self.norm3 = self.norm2


class DecoderLayer__one_norm(DecoderLayer):
    """There is one norm for all three parts, and the parameters of the others are missing. Count the norms
    that __init__ makes.

    fr: Il y a une seule norme pour les trois parties, et les paramètres des autres manquent. Comptez les
    normes que __init__ construit.
    """

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, num_heads, ff_dim, dropout)
        self.norm3 = self.norm2 = self.norm1


class DecoderLayer__norms_exchanged(DecoderLayer):
    """norm2 and norm3 are exchanged: the feed-forward network's input goes through norm2. Look at the
    numbers.

    fr: norm2 et norm3 sont échangées : l'entrée du réseau feed-forward passe par norm2. Regardez les numéros.
    """

    def norms(self):
        return self.norm1, self.norm3, self.norm2


class DecoderLayer__norm_of_the_answers(DecoderLayer):
    """The norms act on what the parts answer, not on what they get. Look at the order of norm and part.

    fr: Les normes agissent sur ce que les parties répondent et non sur ce qu'elles reçoivent. Regardez
    l'ordre de la norme et de la partie.
    """

    def first_norm(self, x):
        return x

    def second_norm(self, x):
        return x

    def third_norm(self, x):
        return x

    def first_sum(self, x, answer):
        return super().first_sum(x, self.normed(self.norms()[0], answer))

    def second_sum(self, x, answer):
        return super().second_sum(x, self.normed(self.norms()[1], answer))

    def third_sum(self, x, answer):
        return super().third_sum(x, self.normed(self.norms()[2], answer))


class DecoderLayer__unbiased_norm(DecoderLayer):
    """The norm divides by the unbiased deviation (n - 1), not by that of the features (n). Look at the
    arguments of std or var.

    fr: La norme divise par l'écart-type non biaisé (n - 1), et non par celui des composantes (n). Regardez
    les arguments de std ou de var.
    """

    def normed(self, norm, x):
        centred = x - x.mean(-1, keepdim=True)
        deviation = (centred.square().sum(-1, keepdim=True) / max(x.shape[-1] - 1, 1) + norm.eps).sqrt()
        return gained(norm, centred / deviation)


class DecoderLayer__uncentred_norm(DecoderLayer):
    """The norms do not take away the mean (RMSNorm); a layer norm does. Look at what is divided by the
    deviation.

    fr: Les normes ne retirent pas la moyenne (RMSNorm) ; une layer norm le fait. Regardez ce qui est divisé
    par l'écart-type.
    """

    def normed(self, norm, x):
        return gained(norm, nn.functional.rms_norm(x, x.shape[-1:], eps=norm.eps))


class DecoderLayer__one_gain(DecoderLayer):
    """Each norm has one gain and one bias for all columns; there is one for each column. Look at the shapes
    of the norms' parameters.

    fr: Chaque norme a un seul gain et un seul biais pour toutes les colonnes ; il y en a un par colonne.
    Regardez les formes des paramètres des normes.
    """

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, num_heads, ff_dim, dropout)
        self.norm1, self.norm2, self.norm3 = (NormOfOneGain(embed_dim) for _ in range(3))


class DecoderLayer__norms_without_weights(DecoderLayer):
    """The norms have neither gain nor bias. Look at the arguments of nn.LayerNorm.

    fr: Les normes n'ont ni gain ni biais. Regardez les arguments de nn.LayerNorm.
    """

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, num_heads, ff_dim, dropout)
        self.norm1, self.norm2, self.norm3 = (
            nn.LayerNorm(embed_dim, elementwise_affine=False) for _ in range(3)
        )


class DecoderLayer__large_eps(DecoderLayer):
    """The norms' eps is 1e-3, far too large for small inputs. Look at the eps of the norms.

    fr: L'eps des normes est 1e-3, bien trop grand pour de petites entrées. Regardez l'eps des normes.
    """

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, num_heads, ff_dim, dropout)
        self.norm1.eps = self.norm2.eps = self.norm3.eps = 1e-3


class DecoderLayer__cross_before_self(DecoderLayer):
    """The memory is looked at before the self-attention. Look at the order of the first two parts.

    fr: La mémoire est regardée avant l'auto-attention. Regardez l'ordre des deux premières parties.
    """

    def forward(self, x, memory, mask=None, memory_mask=None):
        return self.fed(self.attended(self.looked(x, memory, memory_mask), mask))


class DecoderLayer__feed_forward_between(DecoderLayer):
    """The feed-forward network stands between the two attentions; it comes last.

    fr: Le réseau feed-forward se trouve entre les deux attentions ; il vient en dernier.
    """

    def forward(self, x, memory, mask=None, memory_mask=None):
        return self.looked(self.fed(self.attended(x, mask)), memory, memory_mask)


class DecoderLayer__side_by_side(DecoderLayer):
    """The cross-attention gets the layer's input, not what the self-attention has made of it. Look at what
    its queries are.

    fr: L'attention croisée reçoit l'entrée de la couche, et non ce que l'auto-attention en a fait. Regardez
    ce que sont ses requêtes.
    """

    def forward(self, x, memory, mask=None, memory_mask=None):
        seen = self.look(self.second_norm(x), memory, memory_mask)
        return self.fed(self.second_sum(self.attended(x, mask), seen))


class DecoderLayer__cross_attends_to_itself(DecoderLayer):
    """The second attention looks at its own queries, and the memory has no effect. What are its keys and
    values?

    fr: La seconde attention regarde ses propres requêtes, et la mémoire n'a aucun effet. Quelles sont ses
    clés et ses valeurs ?
    """

    def look(self, x, memory, mask):
        return super().look(x, x, None)


class DecoderLayer__self_attends_to_the_memory(DecoderLayer):
    """The first attention looks at the memory too: positions never see one another. What are its keys and
    values?

    fr: La première attention regarde aussi la mémoire : les positions ne se voient jamais entre elles.
    Quelles sont ses clés et ses valeurs ?
    """

    def forward(self, x, memory, mask=None, memory_mask=None):
        part = self.self_attention
        Q, K, V = (
            part.split(layer(source))
            for layer, source in ((part.W_q, self.first_norm(x)), (part.W_k, memory), (part.W_v, memory))
        )
        seen = part.project_back(part.join(part.attend(Q, K, V, memory_mask)[0]))
        return self.fed(self.looked(self.first_sum(x, seen), memory, memory_mask))


class DecoderLayer__one_attention(DecoderLayer):
    """Both attentions are one module with the same weights. Count the attentions that __init__ makes.

    fr: Les deux attentions sont un seul module, avec les mêmes poids. Comptez les attentions que __init__
    construit.
    """

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, num_heads, ff_dim, dropout)
        del self.self_attention

    def attend(self, x, mask):
        return self.dropout(self.cross_attention(x, x, mask)[0])


class DecoderLayer__attentions_exchanged(DecoderLayer):
    """self_attention looks at the memory, and cross_attention at x: their weights are exchanged. Look at
    which part does what.

    fr: self_attention regarde la mémoire, et cross_attention regarde x : leurs poids sont échangés. Regardez
    quelle partie fait quoi.
    """

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, num_heads, ff_dim, dropout)
        self.self_attention = CrossAttention(embed_dim, num_heads)

    def attend(self, x, mask):
        return self.dropout(self.cross_attention(x, x, mask)[0])

    def look(self, x, memory, mask):
        return self.dropout(self.self_attention(x, memory, mask)[0])


class DecoderLayer__without_self_attention(DecoderLayer):
    """The self-attention is missing from forward. Look at what happens before the memory is looked at.

    fr: L'auto-attention manque dans forward. Regardez ce qui se passe avant que la mémoire soit regardée.
    """

    def attended(self, x, mask):
        return x


class DecoderLayer__without_cross_attention(DecoderLayer):
    """The memory is never looked at. Look at what happens between the self-attention and the feed-forward
    network.

    fr: La mémoire n'est jamais regardée. Regardez ce qui se passe entre l'auto-attention et le réseau
    feed-forward.
    """

    def looked(self, x, memory, mask):
        return x


class DecoderLayer__without_feed_forward(DecoderLayer):
    """The feed-forward network is missing from forward. Look at what happens after the memory is looked at.

    fr: Le réseau feed-forward manque dans forward. Regardez ce qui se passe après que la mémoire est
    regardée.
    """

    def fed(self, x):
        return x


class DecoderLayer__without_first_residual(DecoderLayer):
    """The input is not added to the self-attention's answer. Look at what the first sum adds.

    fr: L'entrée n'est pas ajoutée à la réponse de l'auto-attention. Regardez ce qu'ajoute la première somme.
    """

    def first_sum(self, x, answer):
        return answer


class DecoderLayer__without_second_residual(DecoderLayer):
    """What went into the cross-attention is not added to its answer. Look at what the second sum adds.

    fr: Ce qui est entré dans l'attention croisée n'est pas ajouté à sa réponse. Regardez ce qu'ajoute la
    deuxième somme.
    """

    def second_sum(self, x, answer):
        return answer


class DecoderLayer__without_third_residual(DecoderLayer):
    """What went into the feed-forward network is not added to its answer. Look at what the third sum adds.

    fr: Ce qui est entré dans le réseau feed-forward n'est pas ajouté à sa réponse. Regardez ce qu'ajoute la
    troisième somme.
    """

    def third_sum(self, x, answer):
        return answer


class DecoderLayer__residuals_of_the_norms(DecoderLayer):
    """What the sums add is normalised, not what went into the norms. Look at whether a norm's answer replaces
    x.

    fr: Ce que les sommes ajoutent est normalisé, et non ce qui est entré dans les normes. Regardez si la
    réponse d'une norme remplace x.
    """

    def first_sum(self, x, answer):
        return super().first_sum(self.first_norm(x), answer)

    def second_sum(self, x, answer):
        return super().second_sum(self.second_norm(x), answer)

    def third_sum(self, x, answer):
        return super().third_sum(self.third_norm(x), answer)


class DecoderLayer__second_residual_from_the_start(DecoderLayer):
    """The second sum adds the layer's input, not what the first sum gave. Look at which x is added.

    fr: La deuxième somme ajoute l'entrée de la couche, et non ce que la première a donné. Regardez quel x est
    ajouté.
    """

    def forward(self, x, memory, mask=None, memory_mask=None):
        seen = self.look(self.second_norm(self.attended(x, mask)), memory, memory_mask)
        return self.fed(self.second_sum(x, seen))


class DecoderLayer__memory_added(DecoderLayer):
    """The second sum adds the memory's mean as well; only what went into the part and its answer are added.

    fr: La deuxième somme ajoute aussi la moyenne de la mémoire ; on n'ajoute que ce qui est entré dans la
    partie et sa réponse.
    """

    def looked(self, x, memory, mask):
        return super().looked(x, memory, mask) + memory.mean(1, keepdim=True)


class DecoderLayer__mask_lost(DecoderLayer):
    """The mask does not reach the self-attention. Look at what forward hands on.

    fr: Le masque n'arrive pas jusqu'à l'auto-attention. Regardez ce que forward transmet.
    """

    def attend(self, x, mask):
        return super().attend(x, None)


class DecoderLayer__memory_mask_lost(DecoderLayer):
    """memory_mask does not reach the cross-attention. Look at what forward hands on.

    fr: memory_mask n'arrive pas jusqu'à l'attention croisée. Regardez ce que forward transmet.
    """

    def look(self, x, memory, mask):
        return super().look(x, memory, None)


class DecoderLayer__masks_lost(DecoderLayer):
    """Neither mask reaches its attention. Look at what forward hands on.

    fr: Aucun des deux masques n'arrive jusqu'à son attention. Regardez ce que forward transmet.
    """

    def attend(self, x, mask):
        return super().attend(x, None)

    def look(self, x, memory, mask):
        return super().look(x, memory, None)


class DecoderLayer__masks_inverted(DecoderLayer):
    """The masks act the other way round: True should mean masked. Look at what forward hands on, and at
    which scores the attentions hide.

    fr: Les masques agissent à l'envers : True doit vouloir dire masqué. Regardez ce que forward transmet, et
    quels scores les attentions cachent.
    """

    def attend(self, x, mask):
        return super().attend(x, None if mask is None else ~mask)

    def look(self, x, memory, mask):
        return super().look(x, memory, None if mask is None else ~mask)


class DecoderLayer__memory_mask_inverted(DecoderLayer):
    """memory_mask acts the other way round: True should mean masked. Look at what forward hands on, and at
    which scores the cross-attention hides.

    fr: memory_mask agit à l'envers : True doit vouloir dire masqué. Regardez ce que forward transmet, et
    quels scores l'attention croisée cache.
    """

    def look(self, x, memory, mask):
        return super().look(x, memory, None if mask is None else ~mask)


class DecoderLayer__masks_swapped(DecoderLayer):
    """Each attention gets the other's mask. Which one is about the memory?

    fr: Chaque attention reçoit le masque de l'autre. Lequel concerne la mémoire ?
    """

    def forward(self, x, memory, mask=None, memory_mask=None):
        return super().forward(x, memory, memory_mask, mask)


class DecoderLayer__always_causal(DecoderLayer):
    """The future is always masked, also when no mask says so. Look at where the mask comes from.

    fr: Le futur est toujours masqué, même si aucun masque ne le demande. Regardez d'où vient le masque.
    """

    def attend(self, x, mask):
        future = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
        return super().attend(x, future if mask is None else mask | future)


class DecoderLayer__memory_causal(DecoderLayer):
    """What stands later in the memory is hidden from a position. The whole source is known: look for a
    triangle in the cross-attention.

    fr: Ce qui vient plus loin dans la mémoire est caché à une position. Toute la source est connue : cherchez
    un triangle dans l'attention croisée.
    """

    def look(self, x, memory, mask):
        later = torch.ones(x.shape[1], memory.shape[1], dtype=torch.bool).triu(1)
        return super().look(x, memory, later if mask is None else mask | later)


class DecoderLayer__returns_weights(DecoderLayer):
    """The layer returns attention weights too; one tensor is due. Look at your return.

    fr: La couche renvoie aussi des poids d'attention ; un seul tenseur est attendu. Regardez votre return.
    """

    def forward(self, x, memory, mask=None, memory_mask=None):
        weights = self.cross_attention(self.second_norm(x), memory, memory_mask)[1]
        return super().forward(x, memory, mask, memory_mask), weights


class DecoderLayer__dropout_in_evaluation(DecoderLayer):
    """Dropout acts in evaluation too. Look at what tells F.dropout that it is not training.

    fr: Le dropout agit aussi en évaluation. Regardez ce qui dit à F.dropout qu'on n'entraîne pas.
    """

    def attend(self, x, mask):
        return nn.functional.dropout(super().attend(x, mask), self.dropout.p)


class DecoderLayer__without_dropout(DecoderLayer):
    """Dropout never acts. Look at where the rate goes, in the layer and in its feed-forward network.

    fr: Le dropout n'agit jamais. Regardez où va le taux, dans la couche et dans son réseau feed-forward.
    """

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, num_heads, ff_dim, 0.0)


class DecoderLayer__rate_ignored(DecoderLayer):
    """The rate of the dropout is always 0.1, whatever is asked for. Look at whether the layer hands dropout
    on.

    fr: Le taux du dropout est toujours 0.1, quoi qu'on demande. Regardez si la couche transmet dropout.
    """

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, num_heads, ff_dim, 0.1)


class DecoderLayer__ff_dim_ignored(DecoderLayer):
    """The inner width is 4 * E, whatever ff_dim says. Look at whether the layer hands ff_dim on.

    fr: La largeur intérieure est 4 * E, quel que soit ff_dim. Regardez si la couche transmet ff_dim.
    """

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, num_heads, None, dropout)


class DecoderLayer__twice_as_wide(DecoderLayer):
    """The inner width is 2 * E by default, not 4 * E. Look at what ff_dim becomes when it is not given.

    fr: La largeur intérieure est 2 * E par défaut, et non 4 * E. Regardez ce que devient ff_dim s'il n'est
    pas donné.
    """

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, num_heads, 2 * embed_dim if ff_dim is None else ff_dim, dropout)


class DecoderLayer__memory_detached(DecoderLayer):
    """The memory is cut off from the gradients: the encoder would learn nothing. Look for .detach(), .data or
    no_grad.

    fr: La mémoire est coupée des gradients : l'encodeur n'apprendrait rien. Cherchez .detach(), .data ou
    no_grad.
    """

    def look(self, x, memory, mask):
        return super().look(x, memory.detach(), mask)


class DecoderLayer__detached(DecoderLayer):
    """The self-attention's answer is cut off from the gradients. Look for .detach(), .data, no_grad or a new
    tensor of numbers.

    fr: La réponse de l'auto-attention est coupée des gradients. Cherchez .detach(), .data, no_grad ou un
    tenseur refait à partir de nombres.
    """

    def attend(self, x, mask):
        return super().attend(x, mask).detach()


class DecoderLayer__half_precision(DecoderLayer):
    """The cross-attention's answer passes through half precision. Look for a cast (.half(), .bfloat16(),
    autocast).

    fr: La réponse de l'attention croisée passe par la demi-précision. Cherchez une conversion (.half(),
    .bfloat16(), autocast).
    """

    def look(self, x, memory, mask):
        return super().look(x, memory, mask).bfloat16().to(x.dtype)


class DecoderLayer__adds_in_place(DecoderLayer):
    """The first sum is written into x: the caller's tensor changes. Look for += and methods that end in an
    underscore.

    fr: La première somme est écrite dans x : le tenseur de l'appelant change. Cherchez += et les méthodes qui
    finissent par un tiret bas.
    """

    def attended(self, x, mask):
        middle = super().attended(x, mask)
        x.data.copy_(middle)
        return middle
