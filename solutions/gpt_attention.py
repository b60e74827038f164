"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch
from torch import nn

from solutions.concat_heads import concat_heads, concat_heads__interleaved, concat_heads__without_transpose
from solutions.split_heads import split_heads, split_heads__strided, split_heads__without_transpose


class CausalMultiHeadSelfAttention(nn.Module):
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
        return split_heads(x, self.num_heads)

    def causal(self, length):
        return torch.ones(length, length, dtype=torch.bool).tril()

    def combine(self, causal, given):
        return causal & given

    def allowed(self, length, attention_mask):
        causal = self.causal(length)
        return causal if attention_mask is None else self.combine(causal, attention_mask != 0)

    def scores(self, Q, K):
        return Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])

    def block(self, scores, allowed):
        return scores.masked_fill(~allowed, -1e9)

    def weigh(self, scores, allowed):
        return self.block(scores, allowed).softmax(-1)

    def attend(self, Q, K, V, allowed):
        return self.weigh(self.scores(Q, K), allowed) @ V

    def join(self, context):
        return concat_heads(context)

    def close(self, context):
        return self.out(context)

    def forward(self, hidden_states, attention_mask=None):
        Q, K, V = map(self.split, self.project(hidden_states))  # (B, H, S, D) each
        context = self.attend(Q, K, V, self.allowed(hidden_states.shape[1], attention_mask))
        return self.close(self.join(context))


class CausalMultiHeadSelfAttention__not_causal(CausalMultiHeadSelfAttention):
    """Every position sees the future. Where are the later keys hidden from a query?

    fr: Chaque position voit le futur. Où les clés ultérieures sont-elles cachées à une requête ?
    """

    def causal(self, length):
        return torch.ones(length, length, dtype=torch.bool)


class CausalMultiHeadSelfAttention__causal_inverted(CausalMultiHeadSelfAttention):
    """The causal mask is inverted: the past and the present are hidden, and the future is seen.
    Print the mask of three positions.

    fr: Le masque causal est inversé : le passé et le présent sont cachés, et le futur est vu. Affichez le
    masque de trois positions.
    """

    def causal(self, length):
        return ~super().causal(length)


class CausalMultiHeadSelfAttention__causal_inverted_to_nan(CausalMultiHeadSelfAttention__causal_inverted):
    """The causal mask is inverted: the last position sees nothing at all, and the softmax over nothing is
    NaN.

    fr: Le masque causal est inversé : la dernière position ne voit rien du tout, et le softmax sur rien donne
    NaN.
    """

    def block(self, scores, allowed):
        return scores.masked_fill(~allowed, -math.inf)


class CausalMultiHeadSelfAttention__causal_transposed(CausalMultiHeadSelfAttention):
    """The causal mask is the upper triangle, diagonal included: each position sees itself and the future.
    Rows are queries, columns are keys.

    fr: Le masque causal est le triangle supérieur, diagonale comprise : chaque position se voit et voit le
    futur. Les lignes sont les requêtes, les colonnes les clés.
    """

    def causal(self, length):
        return super().causal(length).T


class CausalMultiHeadSelfAttention__sees_one_ahead(CausalMultiHeadSelfAttention):
    """The causal mask is off by one: each position sees the next. Look at the triangle's diagonal.

    fr: Le masque causal est décalé d'un cran : chaque position voit la suivante. Regardez la diagonale du
    triangle.
    """

    def causal(self, length):
        return torch.ones(length, length, dtype=torch.bool).tril(1)


class CausalMultiHeadSelfAttention__blind_to_itself(CausalMultiHeadSelfAttention):
    """The causal mask is off by one: no position sees itself. Look at the triangle's diagonal.

    fr: Le masque causal est décalé d'un cran : aucune position ne se voit elle-même. Regardez la diagonale du
    triangle.
    """

    def causal(self, length):
        return torch.ones(length, length, dtype=torch.bool).tril(-1)


class CausalMultiHeadSelfAttention__blind_to_itself_to_nan(CausalMultiHeadSelfAttention__blind_to_itself):
    """No position sees itself: the first one sees nothing at all, and the softmax over nothing is NaN.
    Look at the triangle's diagonal.

    fr: Aucune position ne se voit elle-même : la première ne voit rien du tout, et le softmax sur rien donne
    NaN. Regardez la diagonale du triangle.
    """

    def block(self, scores, allowed):
        return scores.masked_fill(~allowed, -math.inf)


class CausalMultiHeadSelfAttention__causal_in_first_head(CausalMultiHeadSelfAttention):
    """Only the first head is causal; the others see the future. The mask should reach all heads.

    fr: Seule la première tête est causale ; les autres voient le futur. Le masque doit atteindre toutes les
    têtes.
    """

    def causal(self, length):
        heads = torch.ones(self.num_heads, length, length, dtype=torch.bool)
        heads[0] = super().causal(length)
        return heads


class CausalMultiHeadSelfAttention__mask_of_fixed_length(CausalMultiHeadSelfAttention):
    """The causal mask has one fixed length and does not follow the sequence. Where does its size come from?

    fr: Le masque causal a une longueur fixe et ne suit pas la séquence. D'où vient sa taille ?
    """

    def causal(self, length):
        return super().causal(6)


class CausalMultiHeadSelfAttention__mask_after_softmax(CausalMultiHeadSelfAttention):
    """The mask acts after the softmax, so that the weights of a query no longer sum to one.

    fr: Le masque agit après le softmax, si bien que la somme des poids d'une requête ne vaut plus un.
    """

    def weigh(self, scores, allowed):
        return scores.softmax(-1) * allowed


class CausalMultiHeadSelfAttention__masked_with_minus_one(CausalMultiHeadSelfAttention):
    """Hidden scores become -1, which still leaves them some weight. How small must a score be to count for
    nothing?

    fr: Les scores cachés deviennent -1, ce qui leur laisse du poids. À quel point un score doit-il être petit
    pour ne plus compter ?
    """

    def block(self, scores, allowed):
        return scores.masked_fill(~allowed, -1.0)


class CausalMultiHeadSelfAttention__scores_multiplied(CausalMultiHeadSelfAttention):
    """The scores are multiplied by the mask: a hidden score becomes 0, which is no small score for a softmax.

    fr: Les scores sont multipliés par le masque : un score caché devient 0, ce qui n'a rien de petit pour un
    softmax.
    """

    def block(self, scores, allowed):
        return scores * allowed


class CausalMultiHeadSelfAttention__zero_times_infinity(CausalMultiHeadSelfAttention):
    """Infinity is multiplied by the mask's zeros, and that is NaN. How else can a score be hidden?

    fr: L'infini est multiplié par les zéros du masque, ce qui donne NaN. Comment cacher un score autrement ?
    """

    def block(self, scores, allowed):
        return scores + (~allowed).to(scores.dtype) * -math.inf


class CausalMultiHeadSelfAttention__given_mask_ignored(CausalMultiHeadSelfAttention):
    """attention_mask has no effect: only the causal mask acts.

    fr: attention_mask n'a aucun effet : seul le masque causal agit.
    """

    def combine(self, causal, given):
        return causal


class CausalMultiHeadSelfAttention__given_mask_replaces_the_causal(CausalMultiHeadSelfAttention):
    """A given attention_mask takes the place of the causal mask, and the future is seen; both should act.

    fr: Un attention_mask donné remplace le masque causal, et le futur est vu ; les deux doivent agir.
    """

    def combine(self, causal, given):
        return given


class CausalMultiHeadSelfAttention__given_mask_inverted(CausalMultiHeadSelfAttention):
    """attention_mask is read the other way round: here 1 means allowed, 0 hidden.

    fr: attention_mask est lu à l'envers : ici, 1 veut dire autorisé, 0 caché.
    """

    def combine(self, causal, given):
        return causal & ~given


class CausalMultiHeadSelfAttention__masks_ored(CausalMultiHeadSelfAttention):
    """A key is seen if one of the two masks allows it; both masks must allow it.

    fr: Une clé est vue si l'un des deux masques l'autorise ; il faut que les deux l'autorisent.
    """

    def combine(self, causal, given):
        return causal | given


class CausalMultiHeadSelfAttention__given_mask_transposed(CausalMultiHeadSelfAttention):
    """Rows and columns of attention_mask are mixed up: rows are queries, columns are keys.

    fr: Les lignes et les colonnes d'attention_mask sont confondues : les lignes sont les requêtes, les
    colonnes les clés.
    """

    def combine(self, causal, given):
        return causal & given.transpose(-2, -1)


class CausalMultiHeadSelfAttention__given_mask_added(CausalMultiHeadSelfAttention):
    """attention_mask is added to the scores as it is, ones and zeros: that hides nothing.

    fr: attention_mask est ajouté tel quel aux scores, avec ses uns et ses zéros : cela ne cache rien.
    """

    def combine(self, causal, given):
        return causal, given

    def weigh(self, scores, allowed):
        if isinstance(allowed, tuple):
            allowed, given = allowed
            scores = scores + given.to(scores.dtype)
        return super().weigh(scores, allowed)


class CausalMultiHeadSelfAttention__unscaled(CausalMultiHeadSelfAttention):
    """The scores are not scaled; look at what they should be divided by before the softmax.

    fr: Les scores ne sont pas mis à l'échelle ; regardez par quoi les diviser avant le softmax.
    """

    def scores(self, Q, K):
        return super().scores(Q * math.sqrt(Q.shape[-1]), K)


class CausalMultiHeadSelfAttention__scaled_by_hidden_size(CausalMultiHeadSelfAttention):
    """The scale is taken from the whole width; it belongs to the width of one head.

    fr: L'échelle est tirée de la largeur totale ; c'est celle d'une tête qui compte.
    """

    def scores(self, Q, K):
        return super().scores(Q / math.sqrt(self.num_heads), K)


class CausalMultiHeadSelfAttention__scaled_without_root(CausalMultiHeadSelfAttention):
    """The scores are divided by the width of a head, not by its square root.

    fr: Les scores sont divisés par la largeur d'une tête, non par sa racine carrée.
    """

    def scores(self, Q, K):
        return super().scores(Q / math.sqrt(Q.shape[-1]), K)


class CausalMultiHeadSelfAttention__softmax_over_queries(CausalMultiHeadSelfAttention):
    """The softmax runs over the queries; each query shares its weight among the keys. Look at its axis.

    fr: Le softmax porte sur les requêtes ; chaque requête partage son poids entre les clés. Regardez son axe.
    """

    def weigh(self, scores, allowed):
        return self.block(scores, allowed).softmax(-2)


class CausalMultiHeadSelfAttention__softmax_over_heads(CausalMultiHeadSelfAttention):
    """The softmax runs over the heads; each query shares its weight among the keys. Look at its axis.

    fr: Le softmax porte sur les têtes ; chaque requête partage son poids entre les clés. Regardez son axe.
    """

    def weigh(self, scores, allowed):
        return self.block(scores, allowed).softmax(1)


class CausalMultiHeadSelfAttention__split_without_transpose(CausalMultiHeadSelfAttention):
    """The heads are split by reading the memory in another shape: positions and heads mix.

    fr: Les têtes sont séparées en relisant la mémoire sous une autre forme : positions et têtes se mélangent.
    """

    def split(self, x):
        return split_heads__without_transpose(x, self.num_heads)


class CausalMultiHeadSelfAttention__joined_without_transpose(CausalMultiHeadSelfAttention):
    """The heads are joined by reading the memory in another shape: positions and heads mix.

    fr: Les têtes sont réunies en relisant la mémoire sous une autre forme : positions et têtes se mélangent.
    """

    def join(self, context):
        return concat_heads__without_transpose(context)


class CausalMultiHeadSelfAttention__strided_heads(CausalMultiHeadSelfAttention):
    """The heads take every H-th column, consistently when splitting and joining; each takes a block of
    columns.

    fr: Les têtes prennent une colonne sur H, de même à la séparation et à la réunion ; chacune prend un bloc
    de colonnes.
    """

    def split(self, x):
        return split_heads__strided(x, self.num_heads)

    def join(self, context):
        return concat_heads__interleaved(context)


class CausalMultiHeadSelfAttention__joined_interleaved(CausalMultiHeadSelfAttention):
    """The columns of the heads are interleaved when they are joined; they belong side by side.

    fr: Les colonnes des têtes sont entrelacées à la réunion ; elles vont côte à côte.
    """

    def join(self, context):
        return concat_heads__interleaved(context)


class CausalMultiHeadSelfAttention__output_layer_made_in_forward(CausalMultiHeadSelfAttention):
    """The last layer is made anew at each call, with other random weights, and learns nothing. Look at which
    layers forward makes.

    fr: La dernière couche est refaite à chaque appel, avec d'autres poids au hasard, et n'apprend rien.
    Regardez quelles couches forward construit.
    """

    def __init__(self, hidden_size, num_heads):
        super().__init__(hidden_size, num_heads)
        del self.out

    def close(self, context):
        return nn.Linear(context.shape[-1], context.shape[-1])(context)


class CausalMultiHeadSelfAttention__one_head(CausalMultiHeadSelfAttention):
    """There is one head of the whole width, whatever num_heads says.

    fr: Il y a une seule tête de toute la largeur, quoi que dise num_heads.
    """

    def split(self, x):
        return x.unsqueeze(1)


class CausalMultiHeadSelfAttention__shared_projection(CausalMultiHeadSelfAttention):
    """One layer makes queries, keys and values; there should be a layer for each.

    fr: Une seule couche produit requêtes, clés et valeurs ; il en faut une pour chacune.
    """

    def __init__(self, hidden_size, num_heads):
        super().__init__(hidden_size, num_heads)
        self.key = self.value = self.query


class CausalMultiHeadSelfAttention__keys_from_queries(CausalMultiHeadSelfAttention):
    """Queries and keys come from the same projection. Look at which layer makes the keys.

    fr: Requêtes et clés viennent de la même projection. Regardez quelle couche produit les clés.
    """

    def project(self, x):
        Q, _, V = super().project(x)
        return Q, Q, V


class CausalMultiHeadSelfAttention__queries_not_projected(CausalMultiHeadSelfAttention):
    """The queries are the input itself, not its projection by query. Look at what is split into the queries'
    heads.

    fr: Les requêtes sont l'entrée elle-même et non sa projection par query. Regardez ce qui est séparé en
    têtes de requêtes.
    """

    def project(self, x):
        _, K, V = super().project(x)
        return x, K, V


class CausalMultiHeadSelfAttention__keys_not_projected(CausalMultiHeadSelfAttention):
    """The keys are the input itself, not its projection by key. Look at what is split into the keys' heads.

    fr: Les clés sont l'entrée elle-même et non sa projection par key. Regardez ce qui est séparé en têtes de
    clés.
    """

    def project(self, x):
        Q, _, V = super().project(x)
        return Q, x, V


class CausalMultiHeadSelfAttention__queries_from_values(CausalMultiHeadSelfAttention):
    """Queries and values come from the same projection. Look at which layer makes the queries.

    fr: Les requêtes et les valeurs viennent de la même projection. Regardez quelle couche produit les
    requêtes.
    """

    def project(self, x):
        _, K, V = super().project(x)
        return V, K, V


class CausalMultiHeadSelfAttention__shared_by_heads(CausalMultiHeadSelfAttention):
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


class CausalMultiHeadSelfAttention__values_not_projected(CausalMultiHeadSelfAttention):
    """The values are the input itself, not its projection.

    fr: Les valeurs sont l'entrée elle-même, non sa projection.
    """

    def project(self, x):
        Q, K, _ = super().project(x)
        return Q, K, x


class CausalMultiHeadSelfAttention__keys_and_values_swapped(CausalMultiHeadSelfAttention):
    """Keys and values are mixed up. Which of the two is compared with the queries?

    fr: Clés et valeurs sont interverties. Lesquelles sont comparées aux requêtes ?
    """

    def project(self, x):
        Q, K, V = super().project(x)
        return Q, V, K


class CausalMultiHeadSelfAttention__without_out(CausalMultiHeadSelfAttention):
    """The joined heads come back without the last projection.

    fr: Les têtes réunies sont rendues sans la dernière projection.
    """

    def close(self, context):
        return context


class CausalMultiHeadSelfAttention__without_output_projection(CausalMultiHeadSelfAttention):
    """There is no last projection: the layer out is missing, and the joined heads come back as they are.

    fr: Il n'y a pas de dernière projection : la couche out manque, et les têtes réunies sont rendues telles
    quelles.
    """

    def __init__(self, hidden_size, num_heads):
        super().__init__(hidden_size, num_heads)
        del self.out

    def close(self, context):
        return context


class CausalMultiHeadSelfAttention__without_bias(CausalMultiHeadSelfAttention):
    """The linear layers have no bias.

    fr: Les couches linéaires n'ont pas de biais.
    """

    def __init__(self, hidden_size, num_heads):
        super().__init__(hidden_size, num_heads)
        for layer in (self.query, self.key, self.value, self.out):
            layer.bias = None


class CausalMultiHeadSelfAttention__projections_without_bias(CausalMultiHeadSelfAttention):
    """query, key and value have no bias, only out has one. Look at the arguments of nn.Linear.

    fr: query, key et value n'ont pas de biais, seule la couche out en a un. Regardez les arguments de
    nn.Linear.
    """

    def __init__(self, hidden_size, num_heads):
        super().__init__(hidden_size, num_heads)
        for layer in (self.query, self.key, self.value):
            layer.bias = None


class CausalMultiHeadSelfAttention__in_a_list(CausalMultiHeadSelfAttention):
    """The layers are kept in a plain list, where PyTorch does not find their parameters.

    fr: Les couches sont rangées dans une liste ordinaire, où PyTorch ne trouve pas leurs paramètres.
    """

    def __init__(self, hidden_size, num_heads):
        super().__init__(hidden_size, num_heads)
        self.layers = [self.query, self.key, self.value]
        del self.query, self.key, self.value

    def project(self, x):
        return [layer(x) for layer in self.layers]


class CausalMultiHeadSelfAttention__detached(CausalMultiHeadSelfAttention):
    """The weights are cut off from the gradients: queries and keys learn nothing.

    fr: Les poids d'attention sont coupés des gradients : requêtes et clés n'apprennent rien.
    """

    def weigh(self, scores, allowed):
        return super().weigh(scores, allowed).detach()


class CausalMultiHeadSelfAttention__half_precision(CausalMultiHeadSelfAttention):
    """The attention is computed in half precision; it should keep the precision of its input.

    fr: L'attention est calculée en demi-précision ; elle doit garder la précision de son entrée.
    """

    def attend(self, Q, K, V, allowed):
        return super().attend(Q.bfloat16(), K.bfloat16(), V.bfloat16(), allowed).to(Q.dtype)


class CausalMultiHeadSelfAttention__changes_its_input(CausalMultiHeadSelfAttention):
    """The caller's tensor is changed: something is computed in place on the input.

    fr: Le tenseur de l'appelant est modifié : un calcul se fait en place sur l'entrée.
    """

    def project(self, x):
        projected = super().project(x)
        x.data.mul_(0.5)
        return projected


class CausalMultiHeadSelfAttention__residual(CausalMultiHeadSelfAttention):
    """The input is added to the output; that is the block's work.

    fr: L'entrée est ajoutée à la sortie ; c'est le travail du bloc.
    """

    def forward(self, hidden_states, attention_mask=None):
        return hidden_states + super().forward(hidden_states, attention_mask)


class CausalMultiHeadSelfAttention__dropout_in_evaluation(CausalMultiHeadSelfAttention):
    """Something is dropped in evaluation too. Does the dropout know whether the module is in training?

    fr: Le dropout agit aussi en évaluation. Sait-il si le module est en entraînement ?
    """

    def close(self, context):
        return nn.functional.dropout(super().close(context), 0.1)


class CausalMultiHeadSelfAttention__accepts_any_width(CausalMultiHeadSelfAttention):
    """A width that the heads do not divide is not refused at construction.

    fr: Une largeur que le nombre de têtes ne divise pas n'est pas refusée à la construction.
    """

    def __init__(self, hidden_size, num_heads):
        super().__init__(hidden_size, 1)
        self.num_heads = num_heads


class CausalMultiHeadSelfAttention__residual_and_norm(CausalMultiHeadSelfAttention):
    """The input is added to the output and the sum is normalised; both are the work of the layer around it.

    fr: L'entrée est ajoutée à la sortie et la somme est normalisée ; les deux sont le travail de la couche
    qui l'entoure.
    """

    def forward(self, hidden_states, attention_mask=None):
        output = super().forward(hidden_states, attention_mask)
        return nn.functional.layer_norm(hidden_states + output, hidden_states.shape[-1:])


class CausalMultiHeadSelfAttention__normalises_its_input(CausalMultiHeadSelfAttention):
    """The input is normalised before it is projected; norms are the work of the layer around it.

    fr: L'entrée est normalisée avant d'être projetée ; les normes sont le travail de la couche qui l'entoure.
    """

    def project(self, x):
        return super().project(nn.functional.layer_norm(x, x.shape[-1:]))


class CausalMultiHeadSelfAttention__batch_not_first(CausalMultiHeadSelfAttention):
    """The attention runs along the batch: the first two axes are taken for (S, B). Look for batch_first, or a
    transpose.

    fr: L'attention porte sur le lot : les deux premiers axes sont pris pour (S, B). Regardez batch_first, ou
    cherchez une transposition.
    """

    def forward(self, hidden_states, attention_mask=None):
        return super().forward(hidden_states.transpose(0, 1), attention_mask).transpose(0, 1)


class CausalMultiHeadSelfAttention__returns_weights(CausalMultiHeadSelfAttention):
    """The attention weights come back too; one tensor is due.

    fr: Les poids d'attention sont rendus aussi ; un seul tenseur est attendu.
    """

    def forward(self, hidden_states, attention_mask=None):
        Q, K, _ = map(self.split, self.project(hidden_states))
        allowed = self.allowed(hidden_states.shape[1], attention_mask)
        return super().forward(hidden_states, attention_mask), self.weigh(self.scores(Q, K), allowed)


class CausalMultiHeadSelfAttention__scale_multiplied(CausalMultiHeadSelfAttention):
    """The scores are multiplied by the root of a head's width, not divided by it. Look at the sign of the
    exponent.

    fr: Les scores sont multipliés par la racine de la largeur d'une tête, et non divisés. Regardez le signe
    de l'exposant.
    """

    def scores(self, Q, K):
        return super().scores(Q * Q.shape[-1], K)


class CausalMultiHeadSelfAttention__multiplied_by_the_root_of_hidden_size(CausalMultiHeadSelfAttention):
    """The scores are multiplied by the root of the whole width; they should be divided, by the root of one
    head's width. Look at the sign of the exponent and at the width.

    fr: Les scores sont multipliés par la racine de la largeur totale ; il faut les diviser, par la racine de
    la largeur d'une tête. Regardez le signe de l'exposant et la largeur.
    """

    def scores(self, Q, K):
        return super().scores(Q * (Q.shape[-1] * math.sqrt(self.num_heads)), K)
