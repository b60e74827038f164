"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch
from torch import nn

from solutions.grouped_query_attention import GroupedQueryAttention
from solutions.rms_norm import RMSNorm
from solutions.swiglu import SwiGLU


class LlamaBlock(nn.Module):
    def __init__(self, dim, num_heads, num_kv_heads, hidden_dim):
        super().__init__()
        self.attention_norm = RMSNorm(dim, 1e-6)
        self.attention = GroupedQueryAttention(dim, num_heads, num_kv_heads)
        self.ffn_norm = RMSNorm(dim, 1e-6)
        self.feed_forward = SwiGLU(dim, hidden_dim)

    def attend(self, x):
        return self.attention(x)

    def feed(self, x):
        return self.feed_forward(x)

    def norm(self, part, x):
        return part(x)

    def first_norm(self, x):
        return self.norm(self.attention_norm, x)

    def second_norm(self, x):
        return self.norm(self.ffn_norm, x)

    def first_sum(self, x, answer):
        return x + answer

    def second_sum(self, x, answer):
        return x + answer

    def first(self, x):
        return self.first_sum(x, self.attend(self.first_norm(x)))

    def second(self, x):
        return self.second_sum(x, self.feed(self.second_norm(x)))

    def forward(self, x):
        return self.second(self.first(x))


class LlamaBlock__post_norm(LlamaBlock):
    """The norms come after the sums (post-norm); here one stands before each part. Look at what is added to
    what before a norm is called.

    fr: Les normes viennent après les sommes (post-norm) ; ici, une norme précède chaque partie. Regardez ce
    qui s'ajoute à quoi avant l'appel d'une norme.
    """

    def first(self, x):
        return self.first_norm(self.first_sum(x, self.attend(x)))

    def second(self, x):
        return self.second_norm(self.second_sum(x, self.feed(x)))


class LlamaBlock__norm_of_the_part(LlamaBlock):
    """Each part gets its input as it is, and its answer is normalised before it is added. The norm stands
    before the part.

    fr: Chaque partie reçoit son entrée telle quelle, et sa réponse est normalisée avant d'être ajoutée. La
    norme vient avant la partie.
    """

    def first(self, x):
        return self.first_sum(x, self.first_norm(self.attend(x)))

    def second(self, x):
        return self.second_sum(x, self.second_norm(self.feed(x)))


class LlamaBlock__adds_what_is_normalised(LlamaBlock):
    """What is added to a part's answer is the normalised input. It is the input as it was before the norm.

    fr: C'est l'entrée normalisée qui s'ajoute à la réponse de chaque partie. Il faut l'entrée telle qu'elle
    était avant la norme.
    """

    def first(self, x):
        normed = self.first_norm(x)
        return self.first_sum(normed, self.attend(normed))

    def second(self, x):
        normed = self.second_norm(x)
        return self.second_sum(normed, self.feed(normed))


class LlamaBlock__without_first_norm(LlamaBlock):
    """There is no norm before the attention.

    fr: Il n'y a pas de norme avant l'attention.
    """

    def first_norm(self, x):
        return x


class LlamaBlock__without_second_norm(LlamaBlock):
    """There is no norm before the gated network.

    fr: Il n'y a pas de norme avant le réseau à porte.
    """

    def second_norm(self, x):
        return x


class LlamaBlock__shared_norm(LlamaBlock):
    """Both parts get their input through the same norm, though there are two; each has its own.

    fr: Les deux parties reçoivent leur entrée par la même norme, alors qu'il y en a deux ; chacune a la
    sienne.
    """

    def second_norm(self, x):
        return self.norm(self.attention_norm, x)


class LlamaBlock__one_norm(LlamaBlock):
    """There is one norm for both parts, and the weight of the other is missing.

    fr: Il n'y a qu'une norme pour les deux parties, et le poids de l'autre manque.
    """

    def __init__(self, dim, num_heads, num_kv_heads, hidden_dim):
        super().__init__(dim, num_heads, num_kv_heads, hidden_dim)
        self.ffn_norm = self.attention_norm


class LlamaBlock__norms_exchanged(LlamaBlock):
    """The two norms are exchanged: ffn_norm stands before the attention.

    fr: Les deux normes sont échangées : ffn_norm précède l'attention.
    """

    def first_norm(self, x):
        return self.norm(self.ffn_norm, x)

    def second_norm(self, x):
        return self.norm(self.attention_norm, x)


class LlamaBlock__centred_norms(LlamaBlock):
    """The norms subtract the mean, as a LayerNorm does. RMSNorm leaves it where it is.

    fr: Les normes soustraient la moyenne, comme une LayerNorm. RMSNorm la laisse en place.
    """

    def norm(self, part, x):
        return part(x - x.mean(-1, keepdim=True))


class LlamaBlock__large_eps(LlamaBlock):
    """The norms' eps is 1e-3; that is large enough to be seen. Look at how the norms are made.

    fr: L'eps des normes vaut 1e-3, assez pour se voir. Regardez comment les normes sont construites.
    """

    def __init__(self, dim, num_heads, num_kv_heads, hidden_dim):
        super().__init__(dim, num_heads, num_kv_heads, hidden_dim)
        self.attention_norm.holder.eps = self.ffn_norm.holder.eps = 1e-3


class LlamaBlock__without_first_residual(LlamaBlock):
    """The input is not added to the attention's answer.

    fr: L'entrée n'est pas ajoutée à la réponse de l'attention.
    """

    def first_sum(self, x, answer):
        return answer


class LlamaBlock__without_second_residual(LlamaBlock):
    """The gated network's answer is not added to what went into its norm.

    fr: La réponse du réseau à porte n'est pas ajoutée à ce qui est entré dans sa norme.
    """

    def second_sum(self, x, answer):
        return answer


class LlamaBlock__second_residual_from_the_start(LlamaBlock):
    """The second sum adds the block's input, not what the first sum gave.

    fr: La seconde somme ajoute l'entrée du bloc, non ce qu'a donné la première.
    """

    def forward(self, x):
        return self.second_sum(x, self.feed(self.second_norm(self.first(x))))


class LlamaBlock__feeds_the_input(LlamaBlock):
    """The gated network gets the block's input, not what the attention made of it.

    fr: Le réseau à porte reçoit l'entrée du bloc, non ce que l'attention en a fait.
    """

    def forward(self, x):
        return self.second_sum(self.first(x), self.feed(self.second_norm(x)))


class LlamaBlock__feed_forward_first(LlamaBlock):
    """The gated network comes before the attention.

    fr: Le réseau à porte vient avant l'attention.
    """

    def forward(self, x):
        return self.first(self.second(x))


class LlamaBlock__without_feed_forward(LlamaBlock):
    """The gated network is not used: after the attention nothing follows.

    fr: Le réseau à porte ne sert pas : rien ne suit l'attention.
    """

    def forward(self, x):
        return self.first(x)


class LlamaBlock__hidden_dim_ignored(LlamaBlock):
    """The gated network is four times as wide inside, whatever hidden_dim says.

    fr: Le réseau à porte est quatre fois plus large à l'intérieur, quoi que dise hidden_dim.
    """

    def __init__(self, dim, num_heads, num_kv_heads, hidden_dim):
        super().__init__(dim, num_heads, num_kv_heads, 4 * dim)


class LlamaBlock__num_kv_heads_ignored(LlamaBlock):
    """The attention has as many heads of keys and values as of queries: num_kv_heads does not reach it.

    fr: L'attention a autant de têtes de clés et de valeurs que de requêtes : num_kv_heads ne lui parvient
    pas.
    """

    def __init__(self, dim, num_heads, num_kv_heads, hidden_dim):
        super().__init__(dim, num_heads, num_heads, hidden_dim)


class LlamaBlock__with_biases(LlamaBlock):
    """There are biases. Here no layer has one: look at the arguments of nn.Linear.

    fr: Il y a des biais. Ici, aucune couche n'en a : regardez les arguments de nn.Linear.
    """

    def __init__(self, dim, num_heads, num_kv_heads, hidden_dim):
        super().__init__(dim, num_heads, num_kv_heads, hidden_dim)
        for layer in self.modules():
            if isinstance(layer, nn.Linear):
                layer.bias = nn.Parameter(torch.zeros(layer.out_features))


class LlamaBlock__dropout_in_evaluation(LlamaBlock):
    """Something is dropped in evaluation too. Does the dropout know whether the module is in training?

    fr: Le dropout agit aussi en évaluation. Sait-il si le module est en entraînement ?
    """

    def feed(self, x):
        return nn.functional.dropout(super().feed(x), 0.1)


class LlamaBlock__detached(LlamaBlock):
    """The attention's answer is cut off from the gradients: its layers learn nothing.

    fr: La réponse de l'attention est coupée des gradients : ses couches n'apprennent rien.
    """

    def attend(self, x):
        return super().attend(x).detach()


class LlamaBlock__changes_its_input(LlamaBlock):
    """The caller's tensor is changed: the first sum is computed in place on the input.

    fr: Le tenseur de l'appelant est modifié : la première somme se fait en place sur l'entrée.
    """

    def forward(self, x):
        output = super().forward(x)
        x.data.add_(self.attend(self.first_norm(x)).data)
        return output


class LlamaBlock__batch_not_first(LlamaBlock):
    """The attention runs along the batch: the first two axes are taken for (S, B). Look for a transpose.

    fr: L'attention porte sur le lot : les deux premiers axes sont pris pour (S, B). Cherchez une
    transposition.
    """

    def attend(self, x):
        return super().attend(x.transpose(0, 1)).transpose(0, 1)


class LlamaBlock__returns_a_pair(LlamaBlock):
    """Something comes back beside the output; one tensor is due.

    fr: Quelque chose est rendu à côté de la sortie ; un seul tenseur est attendu.
    """

    def forward(self, x):
        return super().forward(x), x
