"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint.

The reference keeps all heads in one layer: lists of heads are matched with it head by head.
"""

import math

import torch
from torch import nn
from torch.nn import functional


class MultiHead(nn.Module):
    def __init__(self, num_heads, head_size, n_embd, block_size, dropout=0.0):
        super().__init__()
        self.num_heads, self.block_size = num_heads, block_size
        wide = num_heads * head_size
        self.key, self.query, self.value = (nn.Linear(n_embd, wide, bias=False) for _ in range(3))
        self.proj = nn.Linear(wide, n_embd)
        self.dropout = nn.Dropout(dropout)

    def split(self, projected):
        return projected.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def project(self, x):
        return self.query(x), self.key(x), self.value(x)

    def scale(self, q):
        return 1 / math.sqrt(q.shape[-1])

    def allowed(self, length):
        return torch.ones(length, length, dtype=torch.bool).tril()

    def weigh(self, scores):
        return scores.masked_fill(~self.allowed(scores.shape[-1]), -math.inf).softmax(-1)

    def attend(self, q, k, v):
        return self.weigh(q @ k.transpose(-2, -1) * self.scale(q)) @ v

    def join(self, heads):
        return heads.transpose(1, 2).flatten(2)

    def project_back(self, joined):
        return self.dropout(self.proj(joined))

    def forward(self, x):
        return self.project_back(self.join(self.attend(*map(self.split, self.project(x)))))


class MultiHead__not_causal(MultiHead):
    """Every position sees the future. Where are the later keys hidden from a query?

    fr: Chaque position voit le futur. Où les clés ultérieures sont-elles cachées à une requête ?
    """

    def allowed(self, length):
        return torch.ones(length, length, dtype=torch.bool)


class MultiHead__sees_one_ahead(MultiHead):
    """The mask is off by one: each position sees the next. Look at the triangle's diagonal.

    fr: Le masque est décalé d'un cran : chaque position voit la suivante. Regardez la diagonale du triangle.
    """

    def allowed(self, length):
        return torch.ones(length, length, dtype=torch.bool).tril(1)


class MultiHead__whole_blocks_only(MultiHead):
    """The mask has always block_size rows and columns, so that shorter sequences do not fit. Cut it to T.

    fr: Le masque a toujours block_size lignes et colonnes, si bien que les séquences plus courtes ne passent
    pas. Coupez-le à T.
    """

    def allowed(self, length):
        return super().allowed(self.block_size)


class MultiHead__masked_after_softmax(MultiHead):
    """The mask acts after the softmax, so that the weights of a query no longer sum to one.

    fr: Le masque agit après le softmax, si bien que la somme des poids d'une requête ne vaut plus un.
    """

    def weigh(self, scores):
        return scores.softmax(-1) * self.allowed(scores.shape[-1])


class MultiHead__softmax_over_queries(MultiHead):
    """The softmax runs over the queries; each query shares its weight among the keys. Look at its axis.

    fr: Le softmax porte sur les requêtes ; chaque requête partage son poids entre les clés. Regardez son axe.
    """

    def weigh(self, scores):
        return scores.masked_fill(~self.allowed(scores.shape[-1]), -math.inf).softmax(-2)


class MultiHead__unscaled(MultiHead):
    """The scores are not scaled; look at what they should be divided by before the softmax.

    fr: Les scores ne sont pas mis à l'échelle ; regardez par quoi les diviser avant le softmax.
    """

    def scale(self, q):
        return 1.0


class MultiHead__scaled_by_all_heads(MultiHead):
    """The scale is taken from all heads together; it belongs to the width D of one.

    fr: L'échelle vient de toutes les têtes ensemble ; elle vient de la largeur D d'une seule.
    """

    def scale(self, q):
        return super().scale(q) / math.sqrt(self.num_heads)


class MultiHead__scaled_by_n_embd(MultiHead):
    """The scale is taken from n_embd, the width of the input; the head's own width counts.

    fr: L'échelle est tirée de n_embd, la largeur de l'entrée ; c'est celle de la tête qui compte.
    """

    def scale(self, q):
        return 1 / math.sqrt(self.query.in_features)


class MultiHead__scaled_without_root(MultiHead):
    """The scores are divided by the width of the head, not by its square root.

    fr: Les scores sont divisés par la largeur de la tête, non par sa racine carrée.
    """

    def scale(self, q):
        return 1 / q.shape[-1]


class MultiHead__keys_for_queries(MultiHead):
    """Queries and keys have changed places: a row of the scores belongs to a query.

    fr: Les requêtes et les clés sont interverties : une ligne des scores correspond à une requête.
    """

    def attend(self, q, k, v):
        return super().attend(k, q, v)


class MultiHead__queries_from_values(MultiHead):
    """Queries and values come from the same layer. Look at which layer makes the queries.

    fr: Requêtes et valeurs viennent de la même couche. Regardez quelle couche produit les requêtes.
    """

    def attend(self, q, k, v):
        return super().attend(v, k, v)


class MultiHead__keys_as_values(MultiHead):
    """The keys are averaged, and the layer of the values is not used.

    fr: Ce sont les clés qui sont moyennées, et la couche des valeurs ne sert pas.
    """

    def attend(self, q, k, v):
        return super().attend(q, k, k)


class MultiHead__one_head(MultiHead):
    """There is one head of the whole width H * D. Where do the heads come apart?

    fr: Il n'y a qu'une tête de toute la largeur H * D. Où les têtes se séparent-elles ?
    """

    def split(self, projected):
        return projected[:, None]


class MultiHead__same_head_each_time(MultiHead):
    """The list holds one head H times, so that all have the same weights. How often is Head(...) called?

    fr: La liste contient H fois une même tête, si bien que toutes ont les mêmes poids. Combien de fois
    Head(...) est-il appelé ?
    """

    def __init__(self, num_heads, head_size, n_embd, block_size, dropout=0.0):
        super().__init__(num_heads, head_size, n_embd, block_size, dropout)
        self.key, self.query, self.value = (nn.Linear(n_embd, head_size, bias=False) for _ in range(3))

    def split(self, projected):
        return projected[:, None].expand(-1, self.num_heads, -1, -1)


class MultiHead__first_head_alone(MultiHead):
    """All heads answer as the first does. Look for an index 0 in the loop.

    fr: Toutes les têtes répondent comme la première. Cherchez un indice 0 dans la boucle.
    """

    def attend(self, q, k, v):
        heads = super().attend(q, k, v)
        return heads[:, :1].expand_as(heads)


class MultiHead__summed(MultiHead):
    """The heads are added; they should stand side by side, D columns each.

    fr: Les têtes sont additionnées ; elles doivent se tenir côte à côte, D colonnes chacune.
    """

    def __init__(self, num_heads, head_size, n_embd, block_size, dropout=0.0):
        super().__init__(num_heads, head_size, n_embd, block_size, dropout)
        self.proj = nn.Linear(head_size, n_embd)

    def join(self, heads):
        return heads.sum(1)


class MultiHead__joined_reversed(MultiHead):
    """The heads are joined in reverse order. Head 0 comes first.

    fr: Les têtes sont réunies dans l'ordre inverse. La tête 0 vient d'abord.
    """

    def join(self, heads):
        return super().join(heads.flip(1))


class MultiHead__joined_interleaved(MultiHead):
    """The columns of the heads are interleaved when they are joined. Look at stack and at its dim.

    fr: Les colonnes des têtes sont entrelacées à leur réunion. Regardez stack et son dim.
    """

    def join(self, heads):
        return heads.permute(0, 2, 3, 1).flatten(2)


class MultiHead__joined_without_transpose(MultiHead):
    """The heads are joined by reading the memory in another shape: positions and heads mix.

    fr: Les têtes sont réunies en relisant la mémoire sous une autre forme : positions et têtes se mélangent.
    """

    def join(self, heads):
        return heads.reshape(heads.shape[0], heads.shape[2], -1)


class MultiHead__without_projection(MultiHead):
    """What the heads answer is not projected back to the width E.

    fr: La réponse des têtes n'est pas projetée à la largeur E.
    """

    def __init__(self, num_heads, head_size, n_embd, block_size, dropout=0.0):
        super().__init__(num_heads, head_size, n_embd, block_size, dropout)
        self.proj = nn.Identity()


class MultiHead__projection_without_bias(MultiHead):
    """The last projection has no bias.

    fr: La dernière projection n'a pas de biais.
    """

    def __init__(self, num_heads, head_size, n_embd, block_size, dropout=0.0):
        super().__init__(num_heads, head_size, n_embd, block_size, dropout)
        self.proj.bias = None


class MultiHead__heads_with_bias(MultiHead):
    """The layers key, query and value have biases; here they should have none.

    fr: Les couches key, query et value ont des biais ; ici, elles ne doivent pas en avoir.
    """

    def __init__(self, num_heads, head_size, n_embd, block_size, dropout=0.0):
        super().__init__(num_heads, head_size, n_embd, block_size, dropout)
        wide = num_heads * head_size
        self.key, self.query, self.value = (nn.Linear(n_embd, wide) for _ in range(3))


class MultiHead__in_a_plain_list(MultiHead):
    """The heads are kept in a plain list, where PyTorch does not find their parameters. Look at
    nn.ModuleList.

    fr: Les têtes sont gardées dans une simple liste, où PyTorch ne trouve pas leurs paramètres. Regardez
    nn.ModuleList.
    """

    def __init__(self, num_heads, head_size, n_embd, block_size, dropout=0.0):
        super().__init__(num_heads, head_size, n_embd, block_size, dropout)
        self.heads = [self.query, self.key, self.value]
        del self.query, self.key, self.value

    def project(self, x):
        return tuple(layer(x) for layer in self.heads)


class MultiHead__residual(MultiHead):
    """The input is added to the output; that is the block's work.

    fr: L'entrée est ajoutée à la sortie ; c'est le travail du bloc.
    """

    def forward(self, x):
        return x + super().forward(x)


class MultiHead__activated(MultiHead):
    """An activation (ReLU) acts on the output; the last projection is linear.

    fr: Une activation (ReLU) agit sur la sortie ; la dernière projection est linéaire.
    """

    def project_back(self, joined):
        return super().project_back(joined).relu()


class MultiHead__without_dropout(MultiHead):
    """Nothing is dropped in training. Where does the output go through the dropout?

    fr: Aucune valeur n'est annulée à l'entraînement. Où la sortie passe-t-elle par le dropout ?
    """

    def project_back(self, joined):
        return self.proj(joined)


class MultiHead__dropout_in_evaluation(MultiHead):
    """Something is dropped in evaluation too. Does the dropout know whether the module is in training?

    fr: Le dropout agit aussi en évaluation. Sait-il si le module est en entraînement ?
    """

    def project_back(self, joined):
        return functional.dropout(self.proj(joined), self.dropout.p)


class MultiHead__returns_a_pair(MultiHead):
    """Two things come back; one tensor is due.

    fr: Deux choses sont rendues ; un seul tenseur est attendu.
    """

    def forward(self, x):
        return super().forward(x), x


class MultiHead__detached(MultiHead):
    """The weights are cut off from the gradients: queries and keys learn nothing.

    fr: Les poids sont coupés des gradients : requêtes et clés n'apprennent rien.
    """

    def weigh(self, scores):
        return super().weigh(scores).detach()


class MultiHead__changes_its_input(MultiHead):
    """The caller's x is changed. Look for assignments into x.

    fr: Le x de l'appelant est modifié. Cherchez les affectations dans x.
    """

    def forward(self, x):
        output = super().forward(x)
        x.data.mul_(2)
        return output
