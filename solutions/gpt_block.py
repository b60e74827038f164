"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

from torch import nn

from solutions.gpt_attention import CausalMultiHeadSelfAttention
from solutions.gpt_embeddings import over_positions, unbiased
from solutions.gpt_feed_forward import PositionwiseFeedForward
from solutions.transformer_block import NormOfOneGain, gained


class GPTBlock(nn.Module):
    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__()
        self.attn = CausalMultiHeadSelfAttention(hidden_size, num_heads)
        self.attn_layer_norm = nn.LayerNorm(hidden_size, eps=1e-5)
        self.ff = PositionwiseFeedForward(hidden_size, intermediate_size)
        self.ff_layer_norm = nn.LayerNorm(hidden_size, eps=1e-5)
        self.dropout = nn.Dropout(0.1)

    def drop(self, x):
        return self.dropout(x)

    def attend(self, x, mask):
        return self.drop(self.attn(x, mask))

    def feed(self, x):
        return self.drop(self.ff(x))

    def norm(self, layer_norm, x):
        return layer_norm(x)

    def first_norm(self, x):
        return self.norm(self.attn_layer_norm, x)

    def second_norm(self, x):
        return self.norm(self.ff_layer_norm, x)

    def first_sum(self, x, answer):
        return x + answer

    def second_sum(self, x, answer):
        return x + answer

    def first(self, x, mask):
        return self.first_norm(self.first_sum(x, self.attend(x, mask)))

    def second(self, x):
        return self.second_norm(self.second_sum(x, self.feed(x)))

    def forward(self, hidden_states, attention_mask=None):
        return self.second(self.first(hidden_states, attention_mask))


class GPTBlock__pre_norm(GPTBlock):
    """The norms stand before the parts (pre-norm); here they belong after each sum. Look at what is added to
    what before a norm is called.

    fr: Les normes viennent avant chaque partie (pre-norm) ; ici elles viennent après chaque somme. Regardez
    ce qui s'ajoute à quoi avant l'appel d'une norme.
    """

    def first(self, x, mask):
        return self.first_sum(x, self.attend(self.first_norm(x), mask))

    def second(self, x):
        return self.second_sum(x, self.feed(self.second_norm(x)))


class GPTBlock__norm_of_the_part(GPTBlock):
    """Only a part's answer is normalised, and then added; the norm belongs after the sum.

    fr: Seule la réponse de chaque partie est normalisée, puis ajoutée ; la norme vient après la somme.
    """

    def first(self, x, mask):
        return self.first_sum(x, self.first_norm(self.attend(x, mask)))

    def second(self, x):
        return self.second_sum(x, self.second_norm(self.feed(x)))


class GPTBlock__without_first_norm(GPTBlock):
    """There is no norm behind the attention's sum.

    fr: Il n'y a pas de norme après la somme de l'attention.
    """

    def first_norm(self, x):
        return x


class GPTBlock__without_second_norm(GPTBlock):
    """There is no norm behind the feed-forward network's sum.

    fr: Il n'y a pas de norme après la somme du réseau feed-forward.
    """

    def second_norm(self, x):
        return x


class GPTBlock__shared_norm(GPTBlock):
    """Both sums go through the same norm; each has its own.

    fr: Les deux sommes passent par la même norme ; chacune a la sienne.
    """

    def second_norm(self, x):
        return self.norm(self.attn_layer_norm, x)


class GPTBlock__one_norm(GPTBlock):
    """There is one norm for both sums, and the parameters of the other are missing.

    fr: Il n'y a qu'une norme pour les deux sommes, et les paramètres de l'autre manquent.
    """

    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__(hidden_size, num_heads, intermediate_size)
        self.ff_layer_norm = self.attn_layer_norm


class GPTBlock__large_eps(GPTBlock):
    """The norms' eps is 1e-3; that is large enough to be seen. Look at how the norms are made.

    fr: L'eps des normes vaut 1e-3, assez pour se voir. Regardez comment les normes sont construites.
    """

    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__(hidden_size, num_heads, intermediate_size)
        self.attn_layer_norm.eps = self.ff_layer_norm.eps = 1e-3


class GPTBlock__norm_over_positions(GPTBlock):
    """The norms run over the positions, not over the features of each. So the future leaks into the past.

    fr: Les normes portent sur les positions, non sur les composantes de chacune. Le futur fuit ainsi vers le
    passé.
    """

    def norm(self, layer_norm, x):
        return over_positions(layer_norm, x)


class GPTBlock__unbiased_norm(GPTBlock):
    """The norms divide by the unbiased standard deviation (n - 1); a layer norm divides by n.

    fr: Les normes divisent par l'écart-type non biaisé (n - 1) ; une normalisation de couche divise par n.
    """

    def norm(self, layer_norm, x):
        return unbiased(layer_norm, x)


class GPTBlock__uncentred_norm(GPTBlock):
    """The norms do not take away the mean (RMSNorm); a layer norm does. Look at what is divided by the
    deviation.

    fr: Les normes ne retirent pas la moyenne (RMSNorm) ; une normalisation de couche le fait. Regardez ce qui
    est divisé par l'écart-type.
    """

    def norm(self, layer_norm, x):
        return gained(layer_norm, nn.functional.rms_norm(x, x.shape[-1:], eps=layer_norm.eps))


class GPTBlock__one_gain(GPTBlock):
    """Each norm has one gain and one bias for all columns; there is one for each column. Look at the shapes
    of the norms' parameters.

    fr: Chaque norme a un seul gain et un seul biais pour toutes les colonnes ; il y en a un par colonne.
    Regardez les formes des paramètres des normes.
    """

    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__(hidden_size, num_heads, intermediate_size)
        self.attn_layer_norm, self.ff_layer_norm = (NormOfOneGain(hidden_size) for _ in range(2))


class GPTBlock__norms_without_weights(GPTBlock):
    """The norms have neither gain nor bias. Look at how the norms are made.

    fr: Les normes n'ont ni gain ni biais. Regardez comment les normes sont construites.
    """

    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__(hidden_size, num_heads, intermediate_size)
        self.attn_layer_norm, self.ff_layer_norm = (
            nn.LayerNorm(hidden_size, elementwise_affine=False) for _ in range(2)
        )


class GPTBlock__without_first_residual(GPTBlock):
    """The input is not added to the attention's answer.

    fr: L'entrée n'est pas ajoutée à la réponse de l'attention.
    """

    def first_sum(self, x, answer):
        return answer


class GPTBlock__without_second_residual(GPTBlock):
    """The feed-forward network's answer is not added to what went into it.

    fr: La réponse du réseau feed-forward n'est pas ajoutée à ce qui y est entré.
    """

    def second_sum(self, x, answer):
        return answer


class GPTBlock__residual_twice(GPTBlock):
    """What goes into the attention is added to its answer twice. Does the attention add it already?

    fr: Ce qui entre dans l'attention est ajouté deux fois à sa réponse. L'attention l'ajoute-t-elle déjà ?
    """

    def attend(self, x, mask):
        return x + super().attend(x, mask)


class GPTBlock__second_residual_from_the_start(GPTBlock):
    """The second sum adds the block's input, not what the first norm gave.

    fr: La seconde somme ajoute l'entrée du bloc, non ce qu'a donné la première norme.
    """

    def forward(self, hidden_states, attention_mask=None):
        middle = self.first(hidden_states, attention_mask)
        return self.second_norm(self.second_sum(hidden_states, self.feed(middle)))


class GPTBlock__second_residual_before_the_norm(GPTBlock):
    """The second sum adds the first sum as it was before its norm.

    fr: La seconde somme ajoute la première somme telle qu'elle était avant sa norme.
    """

    def forward(self, hidden_states, attention_mask=None):
        added = self.first_sum(hidden_states, self.attend(hidden_states, attention_mask))
        return self.second_norm(self.second_sum(added, self.feed(self.first_norm(added))))


class GPTBlock__feeds_the_input(GPTBlock):
    """The feed-forward network gets the block's input, not what the attention made of it.

    fr: Le réseau feed-forward reçoit l'entrée du bloc, non ce que l'attention en a fait.
    """

    def forward(self, hidden_states, attention_mask=None):
        middle = self.first(hidden_states, attention_mask)
        return self.second_norm(self.second_sum(middle, self.feed(hidden_states)))


class GPTBlock__parallel(GPTBlock):
    """Both parts work on the input side by side and are added at once; one comes after the other.

    fr: Les deux parties traitent l'entrée côte à côte et sont ajoutées d'un coup ; l'une vient après l'autre.
    """

    def forward(self, hidden_states, attention_mask=None):
        added = hidden_states + self.attend(hidden_states, attention_mask) + self.feed(hidden_states)
        return self.second_norm(self.first_norm(added))


class GPTBlock__feed_forward_first(GPTBlock):
    """The feed-forward network comes before the attention.

    fr: Le réseau feed-forward vient avant l'attention.
    """

    def forward(self, hidden_states, attention_mask=None):
        return self.first(self.second(hidden_states), attention_mask)


class GPTBlock__mask_lost(GPTBlock):
    """attention_mask does not reach the attention. Follow it from forward on.

    fr: attention_mask n'atteint pas l'attention. Suivez-le depuis forward.
    """

    def attend(self, x, mask):
        return super().attend(x, None)


class GPTBlock__intermediate_size_ignored(GPTBlock):
    """The feed-forward network is four times as wide inside, whatever intermediate_size says.

    fr: Le réseau feed-forward est quatre fois plus large à l'intérieur, quoi que dise intermediate_size.
    """

    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__(hidden_size, num_heads, 4 * hidden_size)


class GPTBlock__without_dropout(GPTBlock):
    """Dropout never acts. Is it called on the answers of both parts, with a rate above 0?

    fr: Le dropout n'agit jamais. Est-il appelé sur les réponses des deux parties, avec un taux supérieur à
    0 ?
    """

    def drop(self, x):
        return x


class GPTBlock__dropout_in_evaluation(GPTBlock):
    """Dropout acts in evaluation too. Does it know whether the module is in training?

    fr: Le dropout agit aussi en évaluation. Sait-il si le module est en entraînement ?
    """

    def drop(self, x):
        return nn.functional.dropout(x, self.dropout.p)


class GPTBlock__detached(GPTBlock):
    """The attention's answer is cut off from the gradients: its layers learn nothing.

    fr: La réponse de l'attention est coupée des gradients : ses couches n'apprennent rien.
    """

    def attend(self, x, mask):
        return super().attend(x, mask).detach()


class GPTBlock__changes_its_input(GPTBlock):
    """The caller's tensor is changed: the first sum is computed in place on the input.

    fr: Le tenseur de l'appelant est modifié : la première somme se fait en place sur l'entrée.
    """

    def first(self, x, mask):
        output = super().first(x, mask)
        x.data.add_(self.attn(x, mask).data)
        return output


class GPTBlock__returns_a_pair(GPTBlock):
    """Something comes back beside the hidden states; one tensor is due.

    fr: Quelque chose est rendu à côté des états cachés ; un seul tenseur est attendu.
    """

    def forward(self, hidden_states, attention_mask=None):
        return super().forward(hidden_states, attention_mask), attention_mask
