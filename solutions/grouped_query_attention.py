"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch
from torch import nn

from solutions.rotary import (
    rotary,
    rotary__exponent_by_half_the_width,
    rotary__exponent_by_the_width,
    rotary__halves_with_angles_of_neighbours,
    rotary__neighbours_as_pairs,
    rotary__neighbours_with_angles_of_halves,
    rotary__positions_along_the_heads,
    rotary__positions_from_1,
    rotary__same_angle_for_all_columns,
    rotary__turned_backwards,
)

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
HALF = (
    "not_causal",
    "without_rotary",
    "unscaled",
    "heads_repeated_in_turn",
    "values_turned",
)
SMALL = ("with_biases", "detached", "changes_its_input", "accepts_any_heads")


class GroupedQueryAttention(nn.Module):
    def __init__(self, dim, num_heads, num_kv_heads):
        super().__init__()
        if dim % num_heads or num_heads % num_kv_heads:
            raise ValueError(f"{dim} columns, {num_heads} heads and {num_kv_heads} of keys do not fit")
        self.num_heads, self.num_kv_heads, self.width = num_heads, num_kv_heads, dim // num_heads
        self.q_proj = nn.Linear(dim, num_heads * self.width, bias=False)
        self.k_proj = nn.Linear(dim, num_kv_heads * self.width, bias=False)
        self.v_proj = nn.Linear(dim, num_kv_heads * self.width, bias=False)
        self.o_proj = nn.Linear(num_heads * self.width, dim, bias=False)

    def project(self, x):
        return self.q_proj(x), self.k_proj(x), self.v_proj(x)

    def split(self, x):
        return x.unflatten(-1, (-1, self.width)).transpose(1, 2)

    def rotate(self, x):
        return rotary(x)

    def place(self, Q, K, V):
        return self.rotate(Q), self.rotate(K), V

    def share(self, x):
        """(B, G, S, D) -> (B, H, S, D)."""
        return x.repeat_interleave(self.num_heads // self.num_kv_heads, 1)

    def scores(self, Q, K):
        return Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])

    def seen(self, length):
        return torch.ones(length, length, dtype=torch.bool).tril()

    def weigh(self, scores, seen):
        return scores.masked_fill(~seen, -math.inf).softmax(-1)

    def attend(self, Q, K, V):
        return self.weigh(self.scores(Q, K), self.seen(Q.shape[-2])) @ V

    def join(self, context):
        return context.transpose(1, 2).flatten(2)

    def close(self, context):
        return self.o_proj(context)

    def forward(self, x):
        Q, K, V = self.place(*map(self.split, self.project(x)))
        return self.close(self.join(self.attend(Q, self.share(K), self.share(V))))


class GroupedQueryAttention__heads_repeated_in_turn(GroupedQueryAttention):
    """The heads of keys and values are repeated in turn (0, 1, 0, 1), so that a query head uses head h % G.
    Neighbouring query heads share one: 0, 0, 1, 1. Look at repeat, or at the order of the axes in expand.

    fr: Les têtes de clés et de valeurs sont répétées à tour de rôle (0, 1, 0, 1), si bien qu'une tête de
    requêtes utilise la tête h % G. Des têtes de requêtes voisines en partagent une : 0, 0, 1, 1. Regardez
    repeat, ou l'ordre des axes dans expand.
    """

    def share(self, x):
        return x.repeat(1, self.num_heads // self.num_kv_heads, 1, 1)


class GroupedQueryAttention__first_head_for_all(GroupedQueryAttention):
    """All query heads use the first head of keys and values. Look at what you index, or expand.

    fr: Toutes les têtes de requêtes utilisent la première tête de clés et de valeurs. Regardez ce que vous
    indexez, ou étendez.
    """

    def share(self, x):
        return x[:, :1].expand(-1, self.num_heads, -1, -1)


class GroupedQueryAttention__heads_averaged(GroupedQueryAttention):
    """The heads of keys and values are averaged, and all query heads use the mean. Each group has its own
    head.

    fr: Les têtes de clés et de valeurs sont moyennées, et toutes les têtes de requêtes utilisent la moyenne.
    Chaque groupe a sa propre tête.
    """

    def share(self, x):
        return x.mean(1, keepdim=True).expand(-1, self.num_heads, -1, -1)


class GroupedQueryAttention__number_taken_for_the_group(GroupedQueryAttention):
    """num_kv_heads is taken for how many query heads share one head of keys and values. It is how many heads
    of keys and values there are.

    fr: num_kv_heads est pris pour le nombre de têtes de requêtes qui partagent une tête de clés et de
    valeurs. C'est le nombre de têtes de clés et de valeurs.
    """

    def __init__(self, dim, num_heads, num_kv_heads):
        super().__init__(dim, num_heads, num_heads // num_kv_heads)


class GroupedQueryAttention__as_many_keys_as_queries(GroupedQueryAttention):
    """There are as many heads of keys and values as of queries: k_proj and v_proj are of full width, and
    nothing is shared.

    fr: Il y a autant de têtes de clés et de valeurs que de requêtes : k_proj et v_proj sont de pleine
    largeur, et rien n'est partagé.
    """

    def __init__(self, dim, num_heads, num_kv_heads):
        super().__init__(dim, num_heads, num_heads)


class GroupedQueryAttention__one_head_of_keys(GroupedQueryAttention):
    """There is a single head of keys and values, whatever num_kv_heads says: that is multi-query attention.

    fr: Il y a une seule tête de clés et de valeurs, quoi que dise num_kv_heads : c'est l'attention
    multi-query.
    """

    def __init__(self, dim, num_heads, num_kv_heads):
        super().__init__(dim, num_heads, 1)


class GroupedQueryAttention__without_rotary(GroupedQueryAttention):
    """Queries and keys are not turned: no position shows. Where is rotary called?

    fr: Les requêtes et les clés ne sont pas tournées : aucune position ne se voit. Où rotary est-il appelé ?
    """

    def rotate(self, x):
        return x


class GroupedQueryAttention__values_turned(GroupedQueryAttention):
    """The values are turned too. Only queries and keys are, whose products tell the distance.

    fr: Les valeurs sont tournées aussi. Seules les requêtes et les clés le sont : leurs produits disent la
    distance.
    """

    def place(self, Q, K, V):
        return self.rotate(Q), self.rotate(K), self.rotate(V)


class GroupedQueryAttention__queries_alone_turned(GroupedQueryAttention):
    """The queries are turned, and the keys are not: the products then depend on the query's position alone.

    fr: Les requêtes sont tournées, et les clés ne le sont pas : les produits dépendent alors de la seule
    position de la requête.
    """

    def place(self, Q, K, V):
        return self.rotate(Q), K, V


class GroupedQueryAttention__keys_alone_turned(GroupedQueryAttention):
    """The keys are turned, and the queries are not: the products then depend on the key's position alone.

    fr: Les clés sont tournées, et les requêtes ne le sont pas : les produits dépendent alors de la seule
    position de la clé.
    """

    def place(self, Q, K, V):
        return Q, self.rotate(K), V


class GroupedQueryAttention__turned_before_the_split(GroupedQueryAttention):
    """Queries and keys are turned over their whole width, before they are split into heads. Each head is
    turned by itself, with angles for its own D columns.

    fr: Les requêtes et les clés sont tournées sur toute leur largeur, avant d'être séparées en têtes. Chaque
    tête tourne pour elle-même, avec des angles pour ses propres D colonnes.
    """

    def project(self, x):
        Q, K, V = super().project(x)
        return rotary(Q[:, None])[:, 0], rotary(K[:, None])[:, 0], V

    def rotate(self, x):
        return x


class GroupedQueryAttention__neighbours_as_pairs(GroupedQueryAttention):
    """Neighbouring columns are turned together, as Llama's own code does with complex numbers. Here column i
    goes with column i + D/2.

    fr: Ce sont des colonnes voisines qui tournent ensemble, comme dans le code de Llama, avec des nombres
    complexes. Ici, la colonne i va avec la colonne i + D/2.
    """

    def rotate(self, x):
        return rotary__neighbours_as_pairs(x)


class GroupedQueryAttention__halves_with_angles_of_neighbours(GroupedQueryAttention):
    """The halves are turned, but with angles in the order of neighbours: the two columns of a pair need the
    same angle.

    fr: Les moitiés tournent, mais avec des angles rangés pour des voisines : les deux colonnes d'une paire
    ont besoin du même angle.
    """

    def rotate(self, x):
        return rotary__halves_with_angles_of_neighbours(x)


class GroupedQueryAttention__neighbours_with_angles_of_halves(GroupedQueryAttention):
    """Neighbouring columns are exchanged, but the angles are in the order of halves. Take the halves in both.

    fr: Ce sont les colonnes voisines qui sont échangées, mais les angles sont rangés pour les moitiés. Prenez
    les moitiés dans les deux.
    """

    def rotate(self, x):
        return rotary__neighbours_with_angles_of_halves(x)


class GroupedQueryAttention__exponent_by_the_width(GroupedQueryAttention):
    """The angles of later columns fall half as fast as they should: the exponent is 2i/D.

    fr: Les angles des colonnes suivantes diminuent deux fois moins vite qu'il ne faut : l'exposant est 2i/D.
    """

    def rotate(self, x):
        return rotary__exponent_by_the_width(x)


class GroupedQueryAttention__exponent_by_half_the_width(GroupedQueryAttention):
    """The angles of later columns fall twice as fast as they should: the exponent is 2i/D.

    fr: Les angles des colonnes suivantes diminuent deux fois trop vite : l'exposant est 2i/D.
    """

    def rotate(self, x):
        return rotary__exponent_by_half_the_width(x)


class GroupedQueryAttention__same_angle_for_all_columns(GroupedQueryAttention):
    """All columns are turned by the same angle, the position. Where does the base come in?

    fr: Toutes les colonnes tournent du même angle, la position. Où intervient la base ?
    """

    def rotate(self, x):
        return rotary__same_angle_for_all_columns(x)


class GroupedQueryAttention__positions_along_the_heads(GroupedQueryAttention):
    """Positions are counted along the heads. Look at the order of the axes where queries and keys are turned.

    fr: Les positions sont comptées le long des têtes. Regardez l'ordre des axes là où requêtes et clés sont
    tournées.
    """

    def rotate(self, x):
        return rotary__positions_along_the_heads(x)


class GroupedQueryAttention__queries_turned_backwards(GroupedQueryAttention):
    """Queries and keys are turned in opposite directions: the products depend on the sum of both positions.

    fr: Les requêtes et les clés sont tournées dans des sens opposés : les produits dépendent de la somme des
    deux positions.
    """

    def place(self, Q, K, V):
        return rotary__turned_backwards(Q), self.rotate(K), V


class GroupedQueryAttention__turned_backwards(GroupedQueryAttention):
    """Everything turns backwards: the sine has the other sign. Which half gets the minus?

    fr: Tout tourne à l'envers : le sinus a l'autre signe. Quelle moitié reçoit le moins ?
    """

    def rotate(self, x):
        return rotary__turned_backwards(x)


class GroupedQueryAttention__queries_one_further(GroupedQueryAttention):
    """The queries' positions are one further than the keys'. Both begin at 0.

    fr: Les positions des requêtes ont un cran d'avance sur celles des clés. Les deux commencent à 0.
    """

    def place(self, Q, K, V):
        return rotary__positions_from_1(Q), self.rotate(K), V


class GroupedQueryAttention__base_500000(GroupedQueryAttention):
    """The base of the angles is 500000, as in Llama 3. Here it is 10000.

    fr: La base des angles est 500000, comme dans Llama 3. Ici, c'est 10000.
    """

    def rotate(self, x):
        return rotary(x, 500000.0)


class GroupedQueryAttention__not_causal(GroupedQueryAttention):
    """Every position sees the future. Where are the later keys hidden from a query?

    fr: Chaque position voit le futur. Où les clés ultérieures sont-elles cachées à une requête ?
    """

    def seen(self, length):
        return torch.ones(length, length, dtype=torch.bool)


class GroupedQueryAttention__causal_inverted(GroupedQueryAttention):
    """The causal mask is the upper triangle: each position sees itself and the future. Rows are queries,
    columns are keys.

    fr: Le masque causal est le triangle supérieur : chaque position se voit et voit le futur. Les lignes sont
    les requêtes, les colonnes les clés.
    """

    def seen(self, length):
        return super().seen(length).T


class GroupedQueryAttention__sees_one_ahead(GroupedQueryAttention):
    """The causal mask is off by one: each position sees the next. Look at the triangle's diagonal.

    fr: Le masque causal est décalé d'un cran : chaque position voit la suivante. Regardez la diagonale du
    triangle.
    """

    def seen(self, length):
        return torch.ones(length, length, dtype=torch.bool).tril(1)


class GroupedQueryAttention__masked_with_0(GroupedQueryAttention):
    """Hidden scores become 0, which is no small score for a softmax.

    fr: Les scores cachés deviennent 0, ce qui n'a rien de petit pour un softmax.
    """

    def weigh(self, scores, seen):
        return scores.masked_fill(~seen, 0.0).softmax(-1)


class GroupedQueryAttention__mask_after_softmax(GroupedQueryAttention):
    """The mask acts after the softmax, so that the weights of a query no longer sum to one.

    fr: Le masque agit après le softmax, si bien que la somme des poids d'une requête ne vaut plus un.
    """

    def weigh(self, scores, seen):
        return scores.softmax(-1) * seen


class GroupedQueryAttention__unscaled(GroupedQueryAttention):
    """The scores are not scaled; look at what they should be divided by before the softmax.

    fr: Les scores ne sont pas mis à l'échelle ; regardez par quoi les diviser avant le softmax.
    """

    def scores(self, Q, K):
        return super().scores(Q * math.sqrt(Q.shape[-1]), K)


class GroupedQueryAttention__scaled_by_dim(GroupedQueryAttention):
    """The scale is taken from the whole width; it belongs to the width of one head.

    fr: L'échelle est tirée de la largeur totale ; c'est celle d'une tête qui compte.
    """

    def scores(self, Q, K):
        return super().scores(Q / math.sqrt(self.num_heads), K)


class GroupedQueryAttention__scaled_without_root(GroupedQueryAttention):
    """The scores are divided by the width of a head, not by its square root.

    fr: Les scores sont divisés par la largeur d'une tête, non par sa racine carrée.
    """

    def scores(self, Q, K):
        return super().scores(Q / math.sqrt(Q.shape[-1]), K)


class GroupedQueryAttention__softmax_over_queries(GroupedQueryAttention):
    """The softmax runs over the queries; each query shares its weight among the keys. Look at its axis.

    fr: Le softmax porte sur les requêtes ; chaque requête partage son poids entre les clés. Regardez son axe.
    """

    def weigh(self, scores, seen):
        return scores.masked_fill(~seen, -math.inf).softmax(-2)


class GroupedQueryAttention__split_without_transpose(GroupedQueryAttention):
    """The heads are split by reading the memory in another shape: positions and heads mix.

    fr: Les têtes sont séparées en relisant la mémoire sous une autre forme : positions et têtes se mélangent.
    """

    def split(self, x):
        return x.reshape(len(x), -1, x.shape[1], self.width)


class GroupedQueryAttention__joined_without_transpose(GroupedQueryAttention):
    """The heads are joined by reading the memory in another shape: positions and heads mix.

    fr: Les têtes sont réunies en relisant la mémoire sous une autre forme : positions et têtes se mélangent.
    """

    def join(self, context):
        return context.reshape(len(context), context.shape[2], -1)


class GroupedQueryAttention__keys_and_values_swapped(GroupedQueryAttention):
    """Keys and values are mixed up. Which of the two is compared with the queries?

    fr: Clés et valeurs sont interverties. Lesquelles sont comparées aux requêtes ?
    """

    def project(self, x):
        Q, K, V = super().project(x)
        return Q, V, K


class GroupedQueryAttention__without_output_projection(GroupedQueryAttention):
    """There is no last projection: the layer o_proj is missing, and the joined heads come back as they are.

    fr: Il n'y a pas de dernière projection : la couche o_proj manque, et les têtes réunies sont rendues
    telles quelles.
    """

    def __init__(self, dim, num_heads, num_kv_heads):
        super().__init__(dim, num_heads, num_kv_heads)
        del self.o_proj

    def close(self, context):
        return context


class GroupedQueryAttention__with_biases(GroupedQueryAttention):
    """There are biases. Here no layer has one: look at the arguments of nn.Linear.

    fr: Il y a des biais. Ici, aucune couche n'en a : regardez les arguments de nn.Linear.
    """

    def __init__(self, dim, num_heads, num_kv_heads):
        super().__init__(dim, num_heads, num_kv_heads)
        for layer in (self.q_proj, self.k_proj, self.v_proj, self.o_proj):
            layer.bias = nn.Parameter(torch.zeros(layer.out_features))


class GroupedQueryAttention__accepts_any_heads(GroupedQueryAttention):
    """Heads that do not fit are not refused at construction: H has to divide E, and G has to divide H.

    fr: Des têtes qui ne conviennent pas ne sont pas refusées à la construction : H doit diviser E, et G doit
    diviser H.
    """

    def __init__(self, dim, num_heads, num_kv_heads):
        fits = dim % num_heads == 0 and num_heads % num_kv_heads == 0
        super().__init__(dim, *((num_heads, num_kv_heads) if fits else (1, 1)))


class GroupedQueryAttention__residual(GroupedQueryAttention):
    """The input is added to the output; that is the block's work.

    fr: L'entrée est ajoutée à la sortie ; c'est le travail du bloc.
    """

    def forward(self, x):
        return x + super().forward(x)


class GroupedQueryAttention__half_precision(GroupedQueryAttention):
    """The attention is computed in half precision; it should keep the precision of its input.

    fr: L'attention est calculée en demi-précision ; elle doit garder la précision de son entrée.
    """

    def attend(self, Q, K, V):
        return super().attend(Q.bfloat16(), K.bfloat16(), V.bfloat16()).to(Q.dtype)


class GroupedQueryAttention__detached(GroupedQueryAttention):
    """The weights are cut off from the gradients: queries and keys learn nothing.

    fr: Les poids d'attention sont coupés des gradients : requêtes et clés n'apprennent rien.
    """

    def weigh(self, scores, seen):
        return super().weigh(scores, seen).detach()


class GroupedQueryAttention__returns_weights(GroupedQueryAttention):
    """The attention weights come back too; one tensor is due.

    fr: Les poids d'attention sont rendus aussi ; un seul tenseur est attendu.
    """

    def forward(self, x):
        Q, K, _ = self.place(*map(self.split, self.project(x)))
        return super().forward(x), self.weigh(self.scores(Q, self.share(K)), self.seen(x.shape[1]))


class GroupedQueryAttention__changes_its_input(GroupedQueryAttention):
    """The caller's tensor is changed: something is computed in place on the input.

    fr: Le tenseur de l'appelant est modifié : un calcul se fait en place sur l'entrée.
    """

    def project(self, x):
        projected = super().project(x)
        x.data.mul_(0.5)
        return projected


class GroupedQueryAttention__batch_not_first(GroupedQueryAttention):
    """The attention runs along the batch: the first two axes are taken for (S, B). Look for a transpose.

    fr: L'attention porte sur le lot : les deux premiers axes sont pris pour (S, B). Cherchez une
    transposition.
    """

    def forward(self, x):
        return super().forward(x.transpose(0, 1)).transpose(0, 1)
