"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch
from torch import nn


class MultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        if hidden_size % num_heads:
            raise ValueError(f"hidden_size {hidden_size} is not divisible by num_heads {num_heads}")
        self.num_heads = num_heads
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.out = nn.Linear(hidden_size, hidden_size)

    def project(self, x):
        return self.query(x), self.key(x), self.value(x)

    def split(self, x):
        return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)  # (B, H, S, D)

    def join(self, x):
        return x.transpose(1, 2).flatten(2)  # (B, S, E)

    def scores(self, Q, K):
        return Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])

    def masked(self, scores, mask):
        return scores if mask is None else scores + mask

    def share(self, scores):
        return scores.softmax(-1)

    def weigh(self, Q, K, mask):
        return self.share(self.masked(self.scores(Q, K), mask))

    def finish(self, x):
        return self.out(x)

    def forward(self, hidden_states, attention_mask=None):
        Q, K, V = (self.split(x) for x in self.project(hidden_states))
        return self.finish(self.join(self.weigh(Q, K, attention_mask) @ V))


class MultiHeadSelfAttention__unscaled(MultiHeadSelfAttention):
    """The scores are not scaled. Look at what they should be divided by before the softmax.

    fr: Les scores ne sont pas mis à l'échelle. Regardez par quoi les diviser avant le softmax.
    """

    def scores(self, Q, K):
        return super().scores(Q, K) * math.sqrt(Q.shape[-1])


class MultiHeadSelfAttention__scaled_by_hidden_size(MultiHeadSelfAttention):
    """The scale is taken from the whole width E; it belongs to the width D of one head.

    fr: L'échelle est prise sur toute la largeur E ; c'est la largeur D d'une tête qui compte.
    """

    def scores(self, Q, K):
        return super().scores(Q, K) / math.sqrt(self.num_heads)


class MultiHeadSelfAttention__scaled_without_root(MultiHeadSelfAttention):
    """The scores are divided by D itself, not by its square root.

    fr: Les scores sont divisés par D lui-même, et non par sa racine carrée.
    """

    def scores(self, Q, K):
        return super().scores(Q, K) / math.sqrt(Q.shape[-1])


class MultiHeadSelfAttention__scale_multiplied(MultiHeadSelfAttention):
    """The scores are multiplied by the square root of D; they should be divided by it.

    fr: Les scores sont multipliés par la racine carrée de D ; il faut les diviser par elle.
    """

    def scores(self, Q, K):
        return super().scores(Q, K) * Q.shape[-1]


class MultiHeadSelfAttention__scaled_after_softmax(MultiHeadSelfAttention):
    """The scale comes after the softmax, where the weights no longer sum to one; it belongs to the scores.

    fr: L'échelle vient après le softmax, où la somme des poids ne vaut plus un ; elle appartient aux scores.
    """

    def scores(self, Q, K):
        return super().scores(Q, K) * math.sqrt(Q.shape[-1])

    def weigh(self, Q, K, mask):
        return super().weigh(Q, K, mask) / math.sqrt(Q.shape[-1])


class MultiHeadSelfAttention__weights_scaled_by_hidden_size(MultiHeadSelfAttention):
    """The scores are not scaled; the weights are divided by the root of the whole width after the softmax.

    fr: Les scores ne sont pas mis à l'échelle ; ce sont les poids qui sont divisés par la racine de la
    largeur totale, après le softmax.
    """

    def scores(self, Q, K):
        return super().scores(Q, K) * math.sqrt(Q.shape[-1])

    def weigh(self, Q, K, mask):
        return super().weigh(Q, K, mask) / math.sqrt(self.num_heads * Q.shape[-1])


class MultiHeadSelfAttention__without_softmax(MultiHeadSelfAttention):
    """The scores weigh the values as they are; a softmax should make weights of them.

    fr: Les scores pondèrent les valeurs tels quels ; un softmax doit en faire des poids.
    """

    def share(self, scores):
        return scores


class MultiHeadSelfAttention__softmax_overflows(MultiHeadSelfAttention):
    """Large scores overflow: exp alone becomes infinite where a softmax does not.

    fr: De grands scores débordent : exp seule devient infinie là où un softmax ne le devient pas.
    """

    def share(self, scores):
        return scores.exp() / scores.exp().sum(-1, keepdim=True)


class MultiHeadSelfAttention__softmax_over_queries(MultiHeadSelfAttention):
    """The softmax runs over the queries; each query shares its weight among the keys. Look at its axis.

    fr: Le softmax porte sur les requêtes ; chaque requête partage son poids entre les clés. Regardez son axe.
    """

    def share(self, scores):
        return scores.softmax(-2)


class MultiHeadSelfAttention__softmax_over_heads(MultiHeadSelfAttention):
    """The softmax runs over the heads; each query shares its weight among the keys. Look at its axis.

    fr: Le softmax porte sur les têtes ; chaque requête partage son poids entre les clés. Regardez son axe.
    """

    def share(self, scores):
        return scores.softmax(1)


class MultiHeadSelfAttention__mask_ignored(MultiHeadSelfAttention):
    """The mask has no effect. Look at where it meets the scores.

    fr: Le masque n'a pas d'effet. Regardez où il rencontre les scores.
    """

    def masked(self, scores, mask):
        return super().masked(scores, None)


class MultiHeadSelfAttention__mask_multiplied(MultiHeadSelfAttention):
    """The scores are multiplied by the mask; this mask is to be added to them.

    fr: Les scores sont multipliés par le masque ; ce masque doit leur être ajouté.
    """

    def masked(self, scores, mask):
        return scores if mask is None else scores * mask


class MultiHeadSelfAttention__mask_inverted(MultiHeadSelfAttention):
    """The mask is read the other way round: 0 means visible here, a large negative number hidden.

    fr: Le masque est lu à l'envers : ici 0 veut dire visible, un grand nombre négatif caché.
    """

    def masked(self, scores, mask):
        return scores if mask is None else super().masked(scores, (mask == 0) * -1e9)


class MultiHeadSelfAttention__mask_added_after_softmax(MultiHeadSelfAttention):
    """The mask is added to the weights, after the softmax; it belongs to the scores before it.

    fr: Le masque est ajouté aux poids, après le softmax ; il appartient aux scores, avant lui.
    """

    def weigh(self, Q, K, mask):
        weights = super().weigh(Q, K, None)
        return weights if mask is None else weights + mask


class MultiHeadSelfAttention__hidden_after_softmax(MultiHeadSelfAttention):
    """What is masked is set to zero after the softmax, so that the weights no longer sum to one.

    fr: Ce qui est masqué est mis à zéro après le softmax, et la somme des poids ne vaut plus un.
    """

    def weigh(self, Q, K, mask):
        weights = super().weigh(Q, K, None)
        return weights if mask is None else weights * (mask == 0)


class MultiHeadSelfAttention__mask_on_queries(MultiHeadSelfAttention):
    """The mask is transposed: its columns are applied to queries instead of keys. Look at its last two axes.

    fr: Le masque est retourné : ses colonnes s'appliquent aux requêtes et non aux clés. Regardez ses deux
    derniers axes.
    """

    def masked(self, scores, mask):
        return super().masked(scores, None if mask is None else mask.transpose(-2, -1))


class MultiHeadSelfAttention__mask_of_first_head(MultiHeadSelfAttention):
    """The mask only acts in the first head.

    fr: Le masque n'agit que dans la première tête.
    """

    def masked(self, scores, mask):
        return torch.cat([super().masked(scores, mask)[:, :1], scores[:, 1:]], 1)


class MultiHeadSelfAttention__mask_of_first_sequence(MultiHeadSelfAttention):
    """The mask of the first sequence serves the whole batch; each sequence has its own.

    fr: Le masque de la première séquence sert à tout le lot ; chaque séquence a le sien.
    """

    def masked(self, scores, mask):
        own = mask is None or mask.dim() < 4
        return super().masked(scores, mask if own else mask[:1])


class MultiHeadSelfAttention__always_causal(MultiHeadSelfAttention):
    """What comes later is always hidden, as in a decoder; BERT reads in both directions.

    fr: Ce qui suit est toujours caché, comme dans un décodeur ; BERT lit dans les deux sens.
    """

    def masked(self, scores, mask):
        later = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).triu(1)
        return super().masked(scores, mask).masked_fill(later, -math.inf)


class MultiHeadSelfAttention__split_without_transpose(MultiHeadSelfAttention):
    """The heads are split by reading the memory in another shape: positions and heads mix. Look at the order
    of the axes.

    fr: Les têtes sont séparées en lisant la mémoire sous une autre forme : positions et têtes se mélangent.
    Regardez l'ordre des axes.
    """

    def split(self, x):
        return x.reshape(x.shape[0], self.num_heads, x.shape[1], -1)


class MultiHeadSelfAttention__joined_without_transpose(MultiHeadSelfAttention):
    """The heads are joined by reading the memory in another shape: positions and heads mix. Look at the order
    of the axes.

    fr: Les têtes sont recollées en lisant la mémoire sous une autre forme : positions et têtes se mélangent.
    Regardez l'ordre des axes.
    """

    def join(self, x):
        return x.reshape(x.shape[0], x.shape[2], -1)


class MultiHeadSelfAttention__strided_heads(MultiHeadSelfAttention):
    """A head takes every H-th column, when splitting and when joining; it should take D columns side by side.

    fr: Une tête prend une colonne sur H, en séparant comme en recollant ; elle doit prendre D colonnes
    voisines.
    """

    def split(self, x):
        return x.unflatten(-1, (-1, self.num_heads)).permute(0, 3, 1, 2)

    def join(self, x):
        return x.permute(0, 2, 3, 1).flatten(2)


class MultiHeadSelfAttention__joined_interleaved(MultiHeadSelfAttention):
    """The columns of the heads are interleaved when they are joined; the heads belong side by side.

    fr: Les colonnes des têtes sont entrelacées en les recollant ; les têtes se mettent côte à côte.
    """

    def join(self, x):
        return x.permute(0, 2, 3, 1).flatten(2)


class MultiHeadSelfAttention__one_head(MultiHeadSelfAttention):
    """There is one head of the whole width, whatever num_heads says.

    fr: Il n'y a qu'une tête de toute la largeur, quoi que dise num_heads.
    """

    def __init__(self, hidden_size, num_heads):
        super().__init__(hidden_size, num_heads)
        self.num_heads = 1


class MultiHeadSelfAttention__keys_from_queries(MultiHeadSelfAttention):
    """Queries and keys come from the same projection. Look at which layer makes the keys.

    fr: Requêtes et clés viennent de la même projection. Regardez quelle couche fait les clés.
    """

    def project(self, x):
        Q, _, V = super().project(x)
        return Q, Q, V


class MultiHeadSelfAttention__keys_and_values_swapped(MultiHeadSelfAttention):
    """Keys and values are mixed up: the values are compared, the keys are added up.

    fr: Clés et valeurs sont interverties : les valeurs sont comparées, les clés sommées.
    """

    def project(self, x):
        Q, K, V = super().project(x)
        return Q, V, K


class MultiHeadSelfAttention__queries_not_projected(MultiHeadSelfAttention):
    """The queries are the input itself, not its projection by query. Look at what is split into the queries'
    heads.

    fr: Les requêtes sont l'entrée elle-même et non sa projection par query. Regardez ce qui est séparé en
    têtes de requêtes.
    """

    def project(self, x):
        _, K, V = super().project(x)
        return x, K, V


class MultiHeadSelfAttention__keys_not_projected(MultiHeadSelfAttention):
    """The keys are the input itself, not its projection by key. Look at what is split into the keys' heads.

    fr: Les clés sont l'entrée elle-même et non sa projection par key. Regardez ce qui est séparé en têtes de
    clés.
    """

    def project(self, x):
        Q, _, V = super().project(x)
        return Q, x, V


class MultiHeadSelfAttention__queries_from_values(MultiHeadSelfAttention):
    """Queries and values come from the same projection. Look at which layer makes the queries.

    fr: Les requêtes et les valeurs viennent de la même projection. Regardez quelle couche produit les
    requêtes.
    """

    def project(self, x):
        _, K, V = super().project(x)
        return V, K, V


class MultiHeadSelfAttention__shared_by_heads(MultiHeadSelfAttention):
    """One small projection as wide as a head is shared by all heads. Look at the sizes of query, key and
    value.

    fr: Une petite projection, large comme une tête, est partagée par toutes les têtes. Regardez les tailles
    de query, key et value.
    """

    def __init__(self, hidden_size, num_heads):
        super().__init__(hidden_size, num_heads)
        width = hidden_size // num_heads
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))

    def project(self, x):
        return tuple(part.flatten(-2) for part in super().project(x.unflatten(-1, (self.num_heads, -1))))


class MultiHeadSelfAttention__values_not_projected(MultiHeadSelfAttention):
    """The values are the input itself, not its projection.

    fr: Les valeurs sont l'entrée elle-même, et non sa projection.
    """

    def project(self, x):
        Q, K, _ = super().project(x)
        return Q, K, x


class MultiHeadSelfAttention__one_projection_for_all(MultiHeadSelfAttention):
    """Queries, keys and values share one layer: there are parameters for one projection only.

    fr: Requêtes, clés et valeurs partagent une couche : il n'y a de paramètres que pour une projection.
    """

    def __init__(self, hidden_size, num_heads):
        super().__init__(hidden_size, num_heads)
        self.key = self.value = self.query


class MultiHeadSelfAttention__without_out(MultiHeadSelfAttention):
    """The joined heads come back without the last projection.

    fr: Les têtes recollées sont rendues sans la dernière projection.
    """

    def finish(self, x):
        return x


class MultiHeadSelfAttention__without_output_projection(MultiHeadSelfAttention):
    """There is no last projection: the layer out is missing, and the joined heads come back as they are.

    fr: Il n'y a pas de dernière projection : la couche out manque, et les têtes recollées sont rendues telles
    quelles.
    """

    def __init__(self, hidden_size, num_heads):
        super().__init__(hidden_size, num_heads)
        del self.out

    def finish(self, x):
        return x


class MultiHeadSelfAttention__output_layer_made_in_forward(MultiHeadSelfAttention):
    """The last layer is made anew at each call, with other random weights, and learns nothing. Look at which
    layers forward makes.

    fr: La dernière couche est refaite à chaque appel, avec d'autres poids au hasard, et n'apprend rien.
    Regardez quelles couches forward construit.
    """

    def __init__(self, hidden_size, num_heads):
        super().__init__(hidden_size, num_heads)
        del self.out

    def finish(self, x):
        return nn.Linear(x.shape[-1], x.shape[-1])(x)


class MultiHeadSelfAttention__without_bias(MultiHeadSelfAttention):
    """The linear layers have no bias. Look at their arguments.

    fr: Les couches linéaires n'ont pas de biais. Regardez leurs arguments.
    """

    def __init__(self, hidden_size, num_heads):
        super().__init__(hidden_size, num_heads)
        for layer in (self.query, self.key, self.value, self.out):
            layer.bias = None


class MultiHeadSelfAttention__projections_without_bias(MultiHeadSelfAttention):
    """query, key and value have no bias, only out has one. Look at the arguments of nn.Linear.

    fr: query, key et value n'ont pas de biais, seule la couche out en a un. Regardez les arguments de
    nn.Linear.
    """

    def __init__(self, hidden_size, num_heads):
        super().__init__(hidden_size, num_heads)
        for layer in (self.query, self.key, self.value):
            layer.bias = None


class MultiHeadSelfAttention__accepts_any_width(MultiHeadSelfAttention):
    """A width that the heads do not divide is not refused at construction.

    fr: Une largeur que les têtes ne divisent pas n'est pas refusée à la construction.
    """

    def __init__(self, hidden_size, num_heads):
        super().__init__(hidden_size, math.gcd(hidden_size, num_heads))
        self.num_heads = num_heads


class MultiHeadSelfAttention__batch_of_one(MultiHeadSelfAttention):
    """The shape is written for a batch of one sequence. Look at where a size stands as a number.

    fr: La forme est écrite pour un lot d'une seule séquence. Regardez où une taille est écrite en dur.
    """

    def split(self, x):
        return super().split(x.reshape(1, x.shape[1], self.query.in_features))


class MultiHeadSelfAttention__residual(MultiHeadSelfAttention):
    """The input is added to the output; that is the layer's work, where both parts are put together.

    fr: L'entrée est ajoutée à la sortie ; c'est le travail de la couche, qui assemble les deux parties.
    """

    def forward(self, hidden_states, attention_mask=None):
        return hidden_states + super().forward(hidden_states, attention_mask)


class MultiHeadSelfAttention__residual_and_norm(MultiHeadSelfAttention):
    """The input is added to the output and the sum is normalised; both are the work of the layer around it.

    fr: L'entrée est ajoutée à la sortie et la somme est normalisée ; les deux sont le travail de la couche
    qui l'entoure.
    """

    def forward(self, hidden_states, attention_mask=None):
        output = super().forward(hidden_states, attention_mask)
        return nn.functional.layer_norm(hidden_states + output, hidden_states.shape[-1:])


class MultiHeadSelfAttention__normalises_its_input(MultiHeadSelfAttention):
    """The input is normalised before it is projected; norms are the work of the layer around it.

    fr: L'entrée est normalisée avant d'être projetée ; les normes sont le travail de la couche qui l'entoure.
    """

    def project(self, x):
        return super().project(nn.functional.layer_norm(x, x.shape[-1:]))


class MultiHeadSelfAttention__batch_not_first(MultiHeadSelfAttention):
    """The attention runs along the batch: the first two axes are taken for (S, B). Look for batch_first, or a
    transpose.

    fr: L'attention porte sur le lot : les deux premiers axes sont pris pour (S, B). Regardez batch_first, ou
    cherchez une transposition.
    """

    def forward(self, hidden_states, attention_mask=None):
        return super().forward(hidden_states.transpose(0, 1), attention_mask).transpose(0, 1)


class MultiHeadSelfAttention__returns_weights(MultiHeadSelfAttention):
    """The attention weights come back too; one tensor is due.

    fr: Les poids d'attention sont rendus aussi ; un seul tenseur est attendu.
    """

    def forward(self, hidden_states, attention_mask=None):
        Q, K, _ = (self.split(x) for x in self.project(hidden_states))
        return super().forward(hidden_states, attention_mask), self.weigh(Q, K, attention_mask)


class MultiHeadSelfAttention__dropout_in_evaluation(MultiHeadSelfAttention):
    """Dropout acts in evaluation too: two calls answer differently. Look for a dropout that is always on.

    fr: Le dropout agit aussi en évaluation : deux appels répondent différemment. Cherchez un dropout toujours
    actif.
    """

    def finish(self, x):
        return nn.functional.dropout(super().finish(x), 0.1)


class MultiHeadSelfAttention__half_precision(MultiHeadSelfAttention):
    """The weights are computed in half precision, whatever the input has.

    fr: Les poids sont calculés en demi-précision, quelle que soit celle de l'entrée.
    """

    def weigh(self, Q, K, mask):
        half = None if mask is None else mask.bfloat16()
        return super().weigh(Q.bfloat16(), K.bfloat16(), half).to(Q.dtype)


class MultiHeadSelfAttention__detached(MultiHeadSelfAttention):
    """The weights are cut off from the gradients: queries and keys learn nothing. Look for detach, data and
    no_grad.

    fr: Les poids sont coupés des gradients : requêtes et clés n'apprennent rien. Cherchez detach, data et
    no_grad.
    """

    def weigh(self, Q, K, mask):
        return super().weigh(Q, K, mask).detach()


class MultiHeadSelfAttention__changes_its_input(MultiHeadSelfAttention):
    """The caller's tensor is changed: something works in place on the input.

    fr: Le tenseur de l'appelant est modifié : une opération travaille en place sur l'entrée.
    """

    def forward(self, hidden_states, attention_mask=None):
        output = super().forward(hidden_states, attention_mask)
        hidden_states.data.copy_(output)
        return output
