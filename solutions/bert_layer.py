"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch
from torch import nn

from solutions.bert_attention import MultiHeadSelfAttention
from solutions.bert_feed_forward import PositionwiseFeedForward, PositionwiseFeedForward__relu
from solutions.transformer_block import NormOfOneGain, gained


class BertLayer(nn.Module):
    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__()
        self.attention = MultiHeadSelfAttention(hidden_size, num_heads)
        self.attention_layer_norm = nn.LayerNorm(hidden_size, eps=1e-12)
        self.ff = PositionwiseFeedForward(hidden_size, intermediate_size)
        self.ff_layer_norm = nn.LayerNorm(hidden_size, eps=1e-12)
        self.dropout = nn.Dropout(0.1)

    def drop(self, x):
        return self.dropout(x)

    def attend(self, x, mask):
        return self.drop(self.attention(x, mask))

    def feed(self, x):
        return self.drop(self.ff(x))

    def normed(self, norm, x):
        return norm(x)

    def first_norm(self, x):
        return self.normed(self.attention_layer_norm, x)

    def second_norm(self, x):
        return self.normed(self.ff_layer_norm, x)

    def first_half(self, x, mask):
        return self.first_norm(x + self.attend(x, mask))

    def second_half(self, x):
        return self.second_norm(x + self.feed(x))

    def forward(self, hidden_states, attention_mask=None):
        return self.second_half(self.first_half(hidden_states, attention_mask))


class BertLayer__pre_norm(BertLayer):
    """The norms stand before the parts (pre-norm); in BERT they stand after the sums. Look at what each norm
    gets.

    fr: Les normes viennent avant les parties (pre-norm) ; dans BERT elles viennent après les sommes. Regardez
    ce que chaque norme reçoit.
    """

    def first_half(self, x, mask):
        return x + self.attend(self.first_norm(x), mask)

    def second_half(self, x):
        return x + self.feed(self.second_norm(x))


class BertLayer__sum_behind_the_norm(BertLayer):
    """The part's answer is normalised and then added; the sum comes first, and the norm takes the sum.

    fr: La réponse de la partie est normalisée puis ajoutée ; la somme vient d'abord, et la norme porte sur la
    somme.
    """

    def first_half(self, x, mask):
        return x + self.first_norm(self.attend(x, mask))

    def second_half(self, x):
        return x + self.second_norm(self.feed(x))


class BertLayer__without_first_norm(BertLayer):
    """The sum of the input and the attention's answer is not normalised.

    fr: La somme de l'entrée et de la réponse de l'attention n'est pas normalisée.
    """

    def first_norm(self, x):
        return x


class BertLayer__without_second_norm(BertLayer):
    """The last sum is not normalised: the layer ends with a norm.

    fr: La dernière somme n'est pas normalisée : la couche finit par une norme.
    """

    def second_norm(self, x):
        return x


class BertLayer__shared_norm(BertLayer):
    """Both sums go through the same norm; each has its own.

    fr: Les deux sommes passent par la même norme ; chacune a la sienne.
    """

    def second_norm(self, x):
        return self.normed(self.attention_layer_norm, x)


class BertLayer__one_norm(BertLayer):
    """There is one norm for both sums, and the parameters of the other are missing.

    fr: Il n'y a qu'une norme pour les deux sommes, et les paramètres de l'autre manquent.
    """

    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__(hidden_size, num_heads, intermediate_size)
        self.ff_layer_norm = self.attention_layer_norm


class BertLayer__large_eps(BertLayer):
    """The norms' eps is 1e-3, far too large. Look at the arguments of the norms.

    fr: Le eps des normes vaut 1e-3, bien trop grand. Regardez les arguments des normes.
    """

    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__(hidden_size, num_heads, intermediate_size)
        self.attention_layer_norm.eps = self.ff_layer_norm.eps = 1e-3


class BertLayer__norm_over_positions(BertLayer):
    """The norms run over the positions, not over the features of each. Look at the axis of mean and variance.

    fr: Les normes portent sur les positions, et non sur les composantes de chacune. Regardez l'axe de la
    moyenne et de la variance.
    """

    def normed(self, norm, x):
        normalised = nn.functional.layer_norm(x.transpose(1, 2), x.shape[1:2], eps=1e-12).transpose(1, 2)
        return gained(norm, normalised)


class BertLayer__uncentred_norm(BertLayer):
    """The norms do not take away the mean (RMSNorm); a layer norm does. Look at what is divided by the
    deviation.

    fr: Les normes ne retirent pas la moyenne (RMSNorm) ; une layer norm le fait. Regardez ce qui est divisé
    par l'écart-type.
    """

    def normed(self, norm, x):
        return gained(norm, nn.functional.rms_norm(x, x.shape[-1:], eps=norm.eps))


class BertLayer__one_gain(BertLayer):
    """Each norm has one gain and one bias for all columns; there is one for each column. Look at the shapes
    of the norms' parameters.

    fr: Chaque norme a un seul gain et un seul biais pour toutes les colonnes ; il y en a un par colonne.
    Regardez les formes des paramètres des normes.
    """

    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__(hidden_size, num_heads, intermediate_size)
        self.attention_layer_norm, self.ff_layer_norm = (
            NormOfOneGain(hidden_size, eps=1e-12) for _ in range(2)
        )


class BertLayer__norms_without_weights(BertLayer):
    """The norms have neither gain nor bias. Look at the arguments of nn.LayerNorm.

    fr: Les normes n'ont ni gain ni biais. Regardez les arguments de nn.LayerNorm.
    """

    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__(hidden_size, num_heads, intermediate_size)
        self.attention_layer_norm, self.ff_layer_norm = (
            nn.LayerNorm(hidden_size, eps=1e-12, elementwise_affine=False) for _ in range(2)
        )


class BertLayer__unbiased_norm(BertLayer):
    """The norms divide by the unbiased standard deviation (n - 1), not by that of the features (n).

    fr: Les normes divisent par l'écart-type non biaisé (n - 1), et non par celui des composantes (n).
    """

    def normed(self, norm, x):
        width = x.shape[-1]
        normed = nn.functional.layer_norm(x, (width,), eps=norm.eps)
        return gained(norm, normed * math.sqrt((width - 1) / width))


class BertLayer__without_first_residual(BertLayer):
    """The input is not added to the attention's answer.

    fr: L'entrée n'est pas ajoutée à la réponse de l'attention.
    """

    def first_half(self, x, mask):
        return self.first_norm(self.attend(x, mask))


class BertLayer__without_second_residual(BertLayer):
    """What went into the feed-forward network is not added to its answer.

    fr: Ce qui entre dans le réseau feed-forward n'est pas ajouté à sa réponse.
    """

    def second_half(self, x):
        return self.second_norm(self.feed(x))


class BertLayer__second_residual_from_the_start(BertLayer):
    """The second sum adds the layer's input; it should add what the first half gave.

    fr: La deuxième somme ajoute l'entrée de la couche ; elle doit ajouter ce que la première moitié a donné.
    """

    def forward(self, hidden_states, attention_mask=None):
        middle = self.first_half(hidden_states, attention_mask)
        return self.second_norm(hidden_states + self.feed(middle))


class BertLayer__feed_forward_of_the_start(BertLayer):
    """The feed-forward network gets the layer's input; it should get what the first half gave.

    fr: Le réseau feed-forward reçoit l'entrée de la couche ; il doit recevoir ce que la première moitié a
    donné.
    """

    def forward(self, hidden_states, attention_mask=None):
        middle = self.first_half(hidden_states, attention_mask)
        return self.second_norm(middle + self.feed(hidden_states))


class BertLayer__residual_doubled(BertLayer):
    """What goes into a part is added twice to its answer. Look for a second sum inside the part.

    fr: Ce qui entre dans une partie est ajouté deux fois à sa réponse. Cherchez une deuxième somme dans la
    partie.
    """

    def attend(self, x, mask):
        return x + super().attend(x, mask)

    def feed(self, x):
        return x + super().feed(x)


class BertLayer__feed_forward_first(BertLayer):
    """The feed-forward network comes before the attention.

    fr: Le réseau feed-forward vient avant l'attention.
    """

    def forward(self, hidden_states, attention_mask=None):
        return self.first_half(self.second_half(hidden_states), attention_mask)


class BertLayer__without_feed_forward(BertLayer):
    """The feed-forward network is built but never used.

    fr: Le réseau feed-forward est construit mais jamais utilisé.
    """

    def second_half(self, x):
        return x


class BertLayer__relu(BertLayer):
    """The activation of the feed-forward network is ReLU; BERT's is GELU. Look at what stands between the two
    linear layers.

    fr: L'activation du réseau feed-forward est ReLU ; celle de BERT est GELU. Regardez ce qui se trouve entre
    les deux couches linéaires.
    """

    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__(hidden_size, num_heads, intermediate_size)
        self.ff = PositionwiseFeedForward__relu(hidden_size, intermediate_size)


class BertLayer__mask_lost(BertLayer):
    """The mask does not reach the attention. Look at what the attention is called with.

    fr: Le masque n'arrive pas à l'attention. Regardez avec quoi l'attention est appelée.
    """

    def attend(self, x, mask):
        return super().attend(x, None)


class BertLayer__always_causal(BertLayer):
    """What comes later is always hidden, as in a decoder; BERT reads in both directions.

    fr: Ce qui suit est toujours caché, comme dans un décodeur ; BERT lit dans les deux sens.
    """

    def attend(self, x, mask):
        later = torch.full((x.shape[1], x.shape[1]), -1e9, dtype=x.dtype).triu(1)
        return super().attend(x, later if mask is None else mask + later)


class BertLayer__without_dropout(BertLayer):
    """Dropout never acts. Look at what each part's answer goes through before it is added.

    fr: Le dropout n'agit jamais. Regardez ce que traverse la réponse de chaque partie avant d'être ajoutée.
    """

    def drop(self, x):
        return x


class BertLayer__dropout_in_evaluation(BertLayer):
    """Dropout acts in evaluation too. Look at how the dropout learns whether the model is training.

    fr: Le dropout agit aussi en évaluation. Regardez comment le dropout apprend si le modèle s'entraîne.
    """

    def drop(self, x):
        return nn.functional.dropout(x, self.dropout.p)


class BertLayer__detached(BertLayer):
    """The attention's answer is cut off from the gradients. Look for detach, data and no_grad.

    fr: La réponse de l'attention est coupée des gradients. Cherchez detach, data et no_grad.
    """

    def attend(self, x, mask):
        return super().attend(x, mask).detach()


class BertLayer__returns_a_pair(BertLayer):
    """The layer returns a pair; one tensor is due, which the next layer can take.

    fr: La couche rend une paire ; un seul tenseur est attendu, que la couche suivante puisse prendre.
    """

    def forward(self, hidden_states, attention_mask=None):
        return super().forward(hidden_states, attention_mask), attention_mask
