"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch
from torch import nn
from torch.nn import functional


class Head(nn.Module):
    def __init__(self, n_embd, head_size, block_size, dropout=0.0):
        super().__init__()
        self.n_embd, self.block_size = n_embd, block_size
        self.key = nn.Linear(n_embd, head_size, bias=False)
        self.query = nn.Linear(n_embd, head_size, bias=False)
        self.value = nn.Linear(n_embd, head_size, bias=False)
        self.dropout = nn.Dropout(dropout)

    def project(self, x):
        return self.query(x), self.key(x), self.value(x)

    def scores(self, q, k):
        return q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])

    def allowed(self, length):
        return torch.ones(length, length, dtype=torch.bool).tril()

    def block(self, scores, allowed):
        return scores.masked_fill(~allowed, -math.inf)

    def share(self, scores):
        return scores.softmax(-1)

    def weigh(self, scores, allowed):
        return self.share(self.block(scores, allowed))

    def drop(self, weights):
        return self.dropout(weights)

    def attend(self, q, k, v):
        return self.drop(self.weigh(self.scores(q, k), self.allowed(q.shape[1]))) @ v

    def forward(self, x):
        return self.attend(*self.project(x))


class Head__not_causal(Head):
    """Every position sees the future. Where are the later keys hidden from a query?

    fr: Chaque position voit le futur. Où les clés ultérieures sont-elles cachées à une requête ?
    """

    def allowed(self, length):
        return torch.ones(length, length, dtype=torch.bool)


class Head__causal_transposed(Head):
    """The mask is the upper triangle, diagonal included: each position sees itself and the future. Rows are
    queries, columns are keys.

    fr: Le masque est le triangle supérieur, diagonale comprise : chaque position se voit et voit le futur.
    Les lignes sont les requêtes, les colonnes les clés.
    """

    def allowed(self, length):
        return super().allowed(length).T


class Head__causal_inverted(Head):
    """The mask is inverted: the past and the present are hidden, and the last position sees nothing at all.
    Which value of tril stands for hidden?

    fr: Le masque est inversé : le passé et le présent sont cachés, et la dernière position ne voit rien du
    tout. Quelle valeur de tril veut dire caché ?
    """

    def allowed(self, length):
        return ~super().allowed(length)


class Head__sees_one_ahead(Head):
    """The mask is off by one: each position sees the next. Look at the triangle's diagonal.

    fr: Le masque est décalé d'un cran : chaque position voit la suivante. Regardez la diagonale du triangle.
    """

    def allowed(self, length):
        return torch.ones(length, length, dtype=torch.bool).tril(1)


class Head__blind_to_itself(Head):
    """No position sees itself: the first one sees nothing at all, and the softmax over nothing is NaN. Look
    at the triangle's diagonal.

    fr: Aucune position ne se voit elle-même : la première ne voit rien du tout, et le softmax sur rien donne
    NaN. Regardez la diagonale du triangle.
    """

    def allowed(self, length):
        return torch.ones(length, length, dtype=torch.bool).tril(-1)


class Head__sees_the_present_alone(Head):
    """A position sees itself alone: the mask is a diagonal and no triangle.

    fr: Une position ne voit qu'elle-même : le masque est une diagonale et non un triangle.
    """

    def allowed(self, length):
        return torch.eye(length, dtype=torch.bool)


class Head__whole_blocks_only(Head):
    """The mask has always block_size rows and columns, so that shorter sequences do not fit. Cut it to T.

    fr: Le masque a toujours block_size lignes et colonnes, si bien que les séquences plus courtes ne passent
    pas. Coupez-le à T.
    """

    def allowed(self, length):
        return super().allowed(self.block_size)


class Head__masked_with_zero(Head):
    """Hidden scores become 0, which is no small score for a softmax. How small must a score be to count for
    nothing?

    fr: Les scores cachés deviennent 0, ce qui n'a rien de petit pour un softmax. À quel point un score
    doit-il être petit pour ne plus compter ?
    """

    def block(self, scores, allowed):
        return scores.masked_fill(~allowed, 0.0)


class Head__masked_with_minus_one(Head):
    """Hidden scores become -1, which still leaves them some weight. How small must a score be to count for
    nothing?

    fr: Les scores cachés deviennent -1, ce qui leur laisse du poids. À quel point un score doit-il être petit
    pour ne plus compter ?
    """

    def block(self, scores, allowed):
        return scores.masked_fill(~allowed, -1.0)


class Head__mask_added(Head):
    """The mask of ones and zeros is added to the scores as it is: that hides nothing.

    fr: Le masque de uns et de zéros est ajouté tel quel aux scores : cela ne cache rien.
    """

    def block(self, scores, allowed):
        return scores + allowed.to(scores.dtype)


class Head__masked_after_softmax(Head):
    """The mask acts after the softmax, so that the weights of a query no longer sum to one.

    fr: Le masque agit après le softmax, si bien que la somme des poids d'une requête ne vaut plus un.
    """

    def weigh(self, scores, allowed):
        return self.share(scores) * allowed


class Head__masked_to_infinity_after_softmax(Head):
    """The weights are masked with minus infinity, after the softmax; that is a matter for the scores, before
    it.

    fr: Ce sont les poids qui sont masqués par moins l'infini, après le softmax ; cela concerne les scores,
    avant lui.
    """

    def weigh(self, scores, allowed):
        return self.share(scores).masked_fill(~allowed, -math.inf)


class Head__mask_discarded(Head):
    """masked_fill returns another tensor; here its answer is thrown away, and nothing is hidden. The scores
    are then shared out twice.

    fr: masked_fill renvoie un autre tenseur ; ici sa réponse est jetée, et rien n'est caché. Les scores
    passent ensuite deux fois par le softmax.
    """

    def weigh(self, scores, allowed):
        return self.share(self.share(scores))


class Head__softmax_over_queries(Head):
    """The softmax runs over the queries; each query shares its weight among the keys. Look at its axis.

    fr: Le softmax porte sur les requêtes ; chaque requête partage son poids entre les clés. Regardez son axe.
    """

    def share(self, scores):
        return scores.softmax(1).nan_to_num()


class Head__softmax_over_the_batch(Head):
    """The softmax runs over the sequences of the batch; each query shares its weight among the keys. Look at
    its axis.

    fr: Le softmax porte sur les séquences du lot ; chaque requête partage son poids entre les clés. Regardez
    son axe.
    """

    def share(self, scores):
        return scores.softmax(0)


class Head__without_softmax(Head):
    """There is no softmax: the scores themselves weigh the values, with those that are hidden at 0.

    fr: Il n'y a pas de softmax : ce sont les scores eux-mêmes qui pondèrent les valeurs, ceux qui sont cachés
    valant 0.
    """

    def weigh(self, scores, allowed):
        return scores * allowed


class Head__unscaled(Head):
    """The scores are not scaled; look at what they should be divided by before the softmax.

    fr: Les scores ne sont pas mis à l'échelle ; regardez par quoi les diviser avant le softmax.
    """

    def scores(self, q, k):
        return super().scores(q, k) * math.sqrt(k.shape[-1])


class Head__scaled_by_n_embd(Head):
    """The scale is taken from n_embd, the width of the input; the head's own width counts.

    fr: L'échelle est tirée de n_embd, la largeur de l'entrée ; c'est celle de la tête qui compte.
    """

    def scores(self, q, k):
        return super().scores(q, k) * math.sqrt(k.shape[-1] / self.n_embd)


class Head__scaled_without_root(Head):
    """The scores are divided by the width of the head, not by its square root.

    fr: Les scores sont divisés par la largeur de la tête, non par sa racine carrée.
    """

    def scores(self, q, k):
        return super().scores(q, k) / math.sqrt(k.shape[-1])


class Head__multiplied_by_the_root(Head):
    """The scores are multiplied by sqrt(D), not divided by it. Look at the exponent's sign.

    fr: Les scores sont multipliés par sqrt(D), et non divisés. Regardez le signe de l'exposant.
    """

    def scores(self, q, k):
        return super().scores(q, k) * k.shape[-1]


class Head__scaled_after_softmax(Head):
    """The scale acts on the weights, after the softmax; it belongs to the scores.

    fr: L'échelle agit sur les poids, après le softmax ; elle concerne les scores.
    """

    def attend(self, q, k, v):
        root = math.sqrt(q.shape[-1])
        return super().attend(q * root, k, v / root)


class Head__keys_for_queries(Head):
    """Queries and keys have changed places: a row of the scores belongs to a query.

    fr: Les requêtes et les clés sont interverties : une ligne des scores correspond à une requête.
    """

    def project(self, x):
        q, k, v = super().project(x)
        return k, q, v


class Head__keys_from_queries(Head):
    """Queries and keys come from the same layer. Look at which layer makes the keys.

    fr: Requêtes et clés viennent de la même couche. Regardez quelle couche produit les clés.
    """

    def project(self, x):
        q, _, v = super().project(x)
        return q, q, v


class Head__queries_from_values(Head):
    """Queries and values come from the same layer. Look at which layer makes the queries.

    fr: Requêtes et valeurs viennent de la même couche. Regardez quelle couche produit les requêtes.
    """

    def project(self, x):
        _, k, v = super().project(x)
        return v, k, v


class Head__keys_as_values(Head):
    """The keys are averaged, and the layer of the values is not used.

    fr: Ce sont les clés qui sont moyennées, et la couche des valeurs ne sert pas.
    """

    def project(self, x):
        q, k, _ = super().project(x)
        return q, k, k


class Head__values_not_projected(Head):
    """The input itself is averaged; the output of the layer value is due.

    fr: C'est l'entrée elle-même qui est moyennée ; on attend ce que value en fait.
    """

    def project(self, x):
        q, k, _ = super().project(x)
        return q, k, x


class Head__shared_projection(Head):
    """One layer makes queries, keys and values; there should be a layer for each.

    fr: Une seule couche produit requêtes, clés et valeurs ; il en faut une pour chacune.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.key = self.value = self.query


class Head__with_bias(Head):
    """The layers have biases; here they should have none.

    fr: Les couches ont des biais ; ici, elles ne doivent pas en avoir.
    """

    def __init__(self, n_embd, head_size, block_size, dropout=0.0):
        super().__init__(n_embd, head_size, block_size, dropout)
        for name in ("key", "query", "value"):
            setattr(self, name, nn.Linear(n_embd, head_size))


class Head__projected_again(Head):
    """A last linear layer follows; that is for joining several heads, and not a part of one.

    fr: Une dernière couche linéaire suit ; elle sert à réunir plusieurs têtes, et ne fait pas partie d'une
    seule.
    """

    def __init__(self, n_embd, head_size, block_size, dropout=0.0):
        super().__init__(n_embd, head_size, block_size, dropout)
        self.proj = nn.Linear(head_size, head_size)

    def forward(self, x):
        return self.proj(super().forward(x))


class Head__as_wide_as_the_input(Head):
    """The head is as wide as its input, whatever head_size says.

    fr: La tête est aussi large que son entrée, quoi que dise head_size.
    """

    def __init__(self, n_embd, head_size, block_size, dropout=0.0):
        super().__init__(n_embd, n_embd, block_size, dropout)


class Head__without_dropout(Head):
    """Nothing is dropped in training. Where do the attention weights go through the dropout?

    fr: Aucune valeur n'est annulée à l'entraînement. Où les poids d'attention passent-ils par le dropout ?
    """

    def drop(self, weights):
        return weights


class Head__dropout_in_evaluation(Head):
    """Something is dropped in evaluation too. Does the dropout know whether the module is in training?

    fr: Le dropout agit aussi en évaluation. Sait-il si le module est en entraînement ?
    """

    def __init__(self, n_embd, head_size, block_size, dropout=0.0):
        super().__init__(n_embd, head_size, block_size, dropout)
        self.rate = dropout

    def drop(self, weights):
        return functional.dropout(weights, self.rate)


class Head__dropout_of_its_own_rate(Head):
    """The rate of dropout is 0.2, whatever dropout says.

    fr: Le taux de dropout est de 0.2, quoi que dise dropout.
    """

    def __init__(self, n_embd, head_size, block_size, dropout=0.0):
        super().__init__(n_embd, head_size, block_size, 0.2)


class Head__returns_weights(Head):
    """The attention weights come back too; one tensor is due.

    fr: Les poids d'attention sont rendus aussi ; un seul tenseur est attendu.
    """

    def forward(self, x):
        q, k, v = self.project(x)
        return self.attend(q, k, v), self.weigh(self.scores(q, k), self.allowed(x.shape[1]))


class Head__weights_alone(Head):
    """The attention weights come back; they should still average the values.

    fr: Ce sont les poids d'attention qui sont rendus ; il leur reste à moyenner les valeurs.
    """

    def attend(self, q, k, v):
        return self.drop(self.weigh(self.scores(q, k), self.allowed(q.shape[1])))


class Head__without_gradients(Head):
    """No gradient is kept at all, so that nothing can learn. What switches gradients off, and when?

    fr: Aucun gradient n'est gardé, si bien que rien ne peut apprendre. Qui coupe les gradients, et quand ?
    """

    def forward(self, x):
        with torch.no_grad():
            return super().forward(x)


class Head__weights_detached(Head):
    """The attention weights are cut off from the gradients: key and query learn nothing.

    fr: Les poids d'attention sont coupés des gradients : key et query n'apprennent rien.
    """

    def drop(self, weights):
        return super().drop(weights).detach()


class Head__input_overwritten(Head):
    """The input is changed in place, in the caller's tensor too.

    fr: L'entrée est modifiée sur place, y compris dans le tenseur de l'appelant.
    """

    def forward(self, x):
        with torch.no_grad():
            x /= math.sqrt(x.shape[-1])
        return super().forward(x)
