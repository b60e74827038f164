# %% [markdown] 
# ## Self-attention with one head
#
# A class that keeps its three projections: queries, keys and values all come from the same input, and each
# position takes a weighted mean of the values of all positions.

# %% [markdown] 
# ## L'auto-attention à une tête
#
# Une classe qui garde ses trois projections : requêtes, clés et valeurs viennent toutes de la même entrée, et
# chaque position prend une moyenne pondérée des valeurs de toutes les positions.

# %%
import torch.nn as nn


class SelfAttention(nn.Module):
    """Self-attention with one head as wide as its input.

    Args:
        embed_dim: E, the width of the input and of the output.

    The linear layers W_q, W_k and W_v, all from E to E, have a bias. No projection follows the attention. The
    scores are scaled by 1/sqrt(E).

    fr: Auto-attention à une tête, aussi large que son entrée.

    Args:
        embed_dim: E, la largeur de l'entrée et de la sortie.

    Les couches linéaires W_q, W_k et W_v, toutes de E vers E, ont un biais. Aucune projection ne suit
    l'attention. Les scores sont mis à l'échelle par 1/sqrt(E).
    """

    def __init__(self, embed_dim):
        super().__init__()
        raise NotImplementedError

    def forward(self, x, mask=None):
        """Attend from each position of x to all of them.

        Args:
            x: shape (B, S, E).
            mask: None, or a bool tensor that broadcasts to (B, S, S); True = masked.

        Returns:
            (output, weights): shapes (B, S, E) and (B, S, S).

        fr: Calcule l'attention de chaque position de x sur toutes les positions.

        Args:
            x: de forme (B, S, E).
            mask: None, ou un tenseur bool qui s'étend à (B, S, S) ; True = masqué.

        Returns:
            (sortie, poids) : de formes (B, S, E) et (B, S, S).
        """
        raise NotImplementedError


# %% [markdown] 
# ## Many heads, as a list
#
# Several small causal heads side by side, each with projections of its own; what they answer is put side by
# side and projected back to the width of the model.

# %% [markdown] 
# ## Plusieurs têtes, en liste
#
# Plusieurs petites têtes causales côte à côte, chacune avec ses propres projections ; leurs réponses sont
# mises bout à bout, puis projetées à la largeur du modèle.

# %%
import torch
import torch.nn as nn


class MultiHead(nn.Module):
    """Causal self-attention as a list of heads and a last projection.

    Args:
        num_heads: H, the number of heads.
        head_size: D, the width of each head; H * D need not be E.
        n_embd: E, the width of the input and of the output.
        block_size: the longest sequence that will come.
        dropout: the rate of dropout on the output, in training; on the attention weights too, if you like.

    Each head has linear layers key, query and value from E to D, without bias; no position sees a later one,
    and the scores are scaled by 1/sqrt(D). The heads' answers, head 0 first, go through one linear layer with
    bias from H * D to E. Keep the heads in an nn.ModuleList; one layer for all heads is accepted too.

    fr: Auto-attention causale, comme liste de têtes suivie d'une projection.

    Args:
        num_heads: H, le nombre de têtes.
        head_size: D, la largeur de chaque tête ; H * D n'est pas forcément E.
        n_embd: E, la largeur de l'entrée et de la sortie.
        block_size: la longueur de la plus longue séquence qui viendra.
        dropout: le taux de dropout sur la sortie, à l'entraînement ; sur les poids d'attention aussi, si vous
            voulez.

    Chaque tête a des couches linéaires key, query et value de E vers D, sans biais ; aucune position n'en
    voit une ultérieure, et les scores sont mis à l'échelle par 1/sqrt(D). Les réponses des têtes, la tête
    0 d'abord, passent par une seule couche linéaire avec biais de H * D vers E. Gardez les têtes dans une
    nn.ModuleList ; une couche pour toutes les têtes est acceptée aussi.
    """

    def __init__(self, num_heads, head_size, n_embd, block_size, dropout=0.0):
        super().__init__()
        raise NotImplementedError

    def forward(self, x):
        """Let every position attend to itself and to earlier ones, with all heads.

        Args:
            x: shape (B, T, E), with T from 1 to block_size.

        Returns:
            shape (B, T, E), one tensor.

        fr: Laisse chaque position prêter attention à elle-même et aux précédentes, avec toutes les têtes.

        Args:
            x: de forme (B, T, E), avec T de 1 à block_size.

        Returns:
            la forme (B, T, E), un seul tenseur.
        """
        raise NotImplementedError


# %% [markdown] 
# ## PyTorch's attention, compared
#
# nn.MultiheadAttention computes what your attention of several heads computes, but keeps its weights in
# another way. With the same weights both give the same outputs: here you copy them.

# %% [markdown] 
# ## L'attention de PyTorch, comparée
#
# nn.MultiheadAttention calcule ce que calcule votre attention à plusieurs têtes, mais range ses poids
# autrement. Avec les mêmes poids, les deux donnent les mêmes sorties : ici, vous les copiez.

# %%
import torch


def from_torch(theirs, mine):
    """Copy the weights of theirs into mine, so that mine(x) gives the output of theirs(x, x, x).

    Args:
        theirs: an nn.MultiheadAttention(embed_dim, num_heads, batch_first=True). Look at its parameters
            in_proj_weight, in_proj_bias and at its out_proj; with bias=False it has no biases.
        mine: an attention with four linear layers with bias, W_q, W_k, W_v and W_o, and as many heads, which
            are consecutive columns. It is changed in place; where theirs has no bias, its biases become 0.

    The values are copied: later changes of mine leave theirs as it is, and mine can still be trained.

    Returns:
        mine, or nothing.

    fr: Copie les poids de theirs dans mine, pour que mine(x) donne la sortie de theirs(x, x, x).

    Args:
        theirs: un nn.MultiheadAttention(embed_dim, num_heads, batch_first=True). Regardez ses paramètres
            in_proj_weight et in_proj_bias, et son out_proj ; avec bias=False, il n'a pas de biais.
        mine: une attention à quatre couches linéaires avec biais, W_q, W_k, W_v et W_o, et autant de têtes,
            qui sont des colonnes consécutives. Elle est modifiée sur place ; là où theirs n'a pas de biais,
            ses biais deviennent 0.

    Les valeurs sont copiées : des changements ultérieurs de mine laissent theirs tel quel, et mine peut
    encore être entraînée.

    Returns:
        mine, ou rien.
    """
    raise NotImplementedError


# %% [markdown] 
# ## Three senses of a mask
#
# In nn.MultiheadAttention, True hides a key; in F.scaled_dot_product_attention, True shows it; and
# nn.Transformer.generate_square_subsequent_mask gives numbers that are added to the scores. What is added
# means the same everywhere: this function makes it of all three.

# %% [markdown] 
# ## Trois sens d'un masque
#
# Dans nn.MultiheadAttention, True cache une clé ; dans F.scaled_dot_product_attention, True la montre ; et
# nn.Transformer.generate_square_subsequent_mask donne des nombres qui s'ajoutent aux scores. Ce qui
# s'ajoute a partout le même sens : cette fonction en fait à partir des trois.

# %%
import torch


def to_additive(mask, sense="hides"):
    """A mask as numbers to be added to the scores: 0 where a key is seen, -inf where it is hidden.

    Args:
        mask: any shape. Of bools, or of the integers 1 and 0, for the first two senses; of floats for the
        third. sense: "hides" (True or 1 hides a key, as in nn.MultiheadAttention), "shows" (True or 1
        shows it, as in F.scaled_dot_product_attention), or "adds" (the mask is added already: it stays as
        it is).

    Returns:
        a tensor of the mask's shape, float32 for the first two senses. In the place of -inf, any number from
        -1e9 downwards is accepted.

    fr: Un masque comme des nombres à ajouter aux scores : 0 là où une clé est vue, -inf là où elle est
    cachée.

    Args:
        mask: de forme quelconque. De bools, ou des entiers 1 et 0, pour les deux premiers sens ; de flottants
            pour le troisième.
        sense: "hides" (True ou 1 cache une clé, comme dans nn.MultiheadAttention), "shows" (True ou 1 la
            montre, comme dans F.scaled_dot_product_attention), ou "adds" (le masque s'ajoute déjà : il reste
            tel quel).

    Returns:
        un tenseur de la forme du masque, float32 pour les deux premiers sens. À la place de -inf, tout nombre
        à partir de -1e9 vers le bas est accepté.
    """
    raise NotImplementedError


# %% [markdown] 
# ## Layer normalisation by hand
#
# Each position is normalised by itself: its mean becomes 0 and its variance 1, then a learned gain and a
# learned shift act on each column. A batch norm would take mean and variance over the batch instead.

# %% [markdown] 
# ## La normalisation de couche, à la main
#
# Chaque position est normalisée pour elle-même : sa moyenne devient 0 et sa variance 1, puis un gain et un
# décalage appris agissent sur chaque colonne. Une batch norm prendrait moyenne et variance sur le lot.

# %%
import torch
import torch.nn as nn


class LayerNorm(nn.Module):
    """gamma * (x - mean) / sqrt(variance + eps) + beta, with mean and variance of each position.

    Args:
        dim: E, the width of the input and of the output.
        eps: what is added to the variance, under the root.

    The variance is the mean of the squared differences: it divides by E. The parameters are gamma, shape
    (E,), ones at the beginning, and beta, shape (E,), zeros at the beginning. To add eps to the standard
    deviation, as some texts write it, is accepted too.

    fr: gamma * (x - moyenne) / sqrt(variance + eps) + beta, avec moyenne et variance de chaque position.

    Args:
        dim: E, la largeur de l'entrée et de la sortie.
        eps: ce qui est ajouté à la variance, sous la racine.

    La variance est la moyenne des carrés des écarts : elle divise par E. Les paramètres sont gamma, de forme
    (E,), des uns au départ, et beta, de forme (E,), des zéros au départ. Ajouter eps à l'écart type, comme
    l'écrivent certains textes, est accepté aussi.
    """

    def __init__(self, dim, eps=1e-5):
        super().__init__()
        raise NotImplementedError

    def forward(self, x):
        """Apply the norm to x, shape (B, S, E), and return the same shape.

        fr: Applique la norme à x, de forme (B, S, E), et renvoie la même forme.
        """
        raise NotImplementedError


# %% [markdown] 
# ## A residual around a layer
#
# What stands around attention and around the feed-forward network in every block: the layer's answer is added
# to its input, so that gradients have a way past it, and a layer norm keeps the numbers at one scale.

# %% [markdown] 
# ## Un résidu autour d'une couche
#
# Ce qui entoure l'attention et le réseau feed-forward dans chaque bloc : la réponse de la couche est
# ajoutée à son entrée, si bien que les gradients ont un chemin à côté d'elle, et une norme garde les
# nombres à une même échelle.

# %%
import torch.nn as nn


class Residual(nn.Module):
    """A layer with a residual connection and a layer norm around it.

    Args:
        layer: a module from (B, S, E) to (B, S, E); use it as it is.
        dim: E, the width of the layer norm (nn.LayerNorm or one of your own, eps at most 1e-5).
        dropout: the rate of dropout on what the layer answers, in training.
        pre: whether the norm comes before the layer, x + layer(norm(x)), as in GPT-2 and in the course's
            block; otherwise it comes after the sum, norm(x + layer(x)), as in the first Transformer and
            in BERT.

    fr: Une couche entourée d'une connexion résiduelle et d'une norme.

    Args:
        layer: un module de (B, S, E) vers (B, S, E) ; utilisez-le tel quel.
        dim: E, la largeur de la norme (nn.LayerNorm ou la vôtre, eps d'au plus 1e-5).
        dropout: le taux de dropout sur la réponse de la couche, à l'entraînement.
        pre: si la norme vient avant la couche, x + layer(norm(x)), comme dans GPT-2 et dans le bloc du
            cours ; sinon elle vient après la somme, norm(x + layer(x)), comme dans le premier Transformer
            et dans BERT.
    """

    def __init__(self, layer, dim, dropout=0.0, pre=True):
        super().__init__()
        raise NotImplementedError

    def forward(self, x):
        """From x, shape (B, S, E), to the same shape.

        fr: De x, de forme (B, S, E), vers la même forme.
        """
        raise NotImplementedError


# %% [markdown] 
# ## Cross-entropy by hand
#
# What a language model is trained on: minus the logarithm of the probability that it gives to the id that
# really comes. The numbers that it gets are logits, which a softmax turns into probabilities; they can be so
# large that their exponential has no place in a float.

# %% [markdown] 
# ## L'entropie croisée, à la main
#
# Ce sur quoi un modèle de langage est entraîné : l'opposé du logarithme de la probabilité qu'il donne à
# l'identifiant qui vient vraiment. Les nombres reçus sont des logits, dont un softmax fait des probabilités ;
# ils peuvent être si grands que leur exponentielle ne tient pas dans un flottant.

# %%
import torch


def cross_entropy(logits, targets, ignore_index=-100):
    """The mean of -log softmax(logits)[target] over the rows whose target is not ignore_index.

    Args:
        logits: shape (N, C), any finite numbers, also +-1e4.
        targets: shape (N,), integers from 0 to C - 1, or ignore_index; at least one row counts.
        ignore_index: rows with this target count neither in the sum nor in the number of rows.

    Returns:
        a tensor of shape (), with a gradient; the logarithm is the natural one.

    fr: La moyenne de -log softmax(logits)[cible] sur les lignes dont la cible n'est pas ignore_index.

    Args:
        logits: de forme (N, C), des nombres finis quelconques, aussi +-1e4.
        targets: de forme (N,), des entiers de 0 à C - 1, ou ignore_index ; au moins une ligne compte.
        ignore_index: les lignes de cette cible ne comptent ni dans la somme ni dans le nombre de lignes.

    Returns:
        un tenseur de forme (), avec un gradient ; le logarithme est le logarithme naturel.
    """
    raise NotImplementedError


# %% [markdown] 
# ## A causal convolution
#
# The other way to look back: not by the content of positions, as attention does, but by how far away they
# are. Each output is a weighted sum of the last K positions, with the same weights everywhere; before the
# first position there are zeros.

# %% [markdown] 
# ## Une convolution causale
#
# L'autre façon de regarder en arrière : non d'après le contenu des positions, comme l'attention, mais d'après
# leur distance. Chaque sortie est une somme pondérée des K dernières positions, avec les mêmes poids
# partout ; avant la première position, il y a des zéros.

# %%
import torch


def causal_conv1d(x, weight, bias=None):
    """out[b, t, o] = bias[o] + the sum over i and k of weight[o, i, k] * x[b, t - (K - 1) + k, i].

    Args:
        x: shape (B, S, I); positions before the first are zeros.
        weight: shape (O, I, K), in the layout of nn.Conv1d; the last of the K taps acts on position t itself,
            the first on the oldest. The kernel is not flipped. K may exceed S.
        bias: None, or shape (O,).

    Returns:
        shape (B, S, O): as many positions as x, none of which depends on a later one.

    fr: sortie[b, t, o] = bias[o] + la somme sur i et k de weight[o, i, k] * x[b, t - (K - 1) + k, i].

    Args:
        x: de forme (B, S, I) ; les positions avant la première sont des zéros.
        weight: de forme (O, I, K), rangé comme dans nn.Conv1d ; le dernier des K coefficients agit sur la
            position t elle-même, le premier sur la plus ancienne. Le noyau n'est pas retourné. K peut
            dépasser S.
        bias: None, ou de forme (O,).

    Returns:
        la forme (B, S, O) : autant de positions que x, dont aucune ne dépend d'une position ultérieure.
    """
    raise NotImplementedError


# %% [markdown] 
# ## What heads look at
#
# Some heads of a trained model look at the word before, some at the first token, some at the word itself;
# some spread their attention over everything. Four numbers per head tell which is which.

# %% [markdown] 
# ## Ce que regardent les têtes
#
# Certaines têtes d'un modèle entraîné regardent le mot précédent, d'autres le premier token, d'autres le mot
# lui-même ; d'autres encore répandent leur attention sur tout. Quatre nombres par tête disent lesquelles.

# %%
import torch


def head_scores(weights):
    """Four scores of each head, from its attention weights.

    Args:
        weights: shape (H, S, S) with S of at least 2; weights[h, i, j] is what query i gives to key j,
            and each row sums to 1. Some weights may be exactly 0.

    Returns:
        a dict of four tensors of shape (H,):
        "previous": the mean weight that a query gives to the key just before it, over the S - 1 queries that
            have one;
        "first": the mean weight on key 0, over all S queries;
        "self": the mean weight that a query gives to itself, over all S queries;
        "entropy": the mean over all S queries of -sum_j w ln(w), in nats, where 0 ln(0) counts as 0.

    fr: Quatre scores de chaque tête, d'après ses poids d'attention.

    Args:
        weights: de forme (H, S, S) avec S d'au moins 2 ; weights[h, i, j] est ce que la requête i donne à la
            clé j, et chaque ligne a pour somme 1. Certains poids peuvent valoir exactement 0.

    Returns:
        un dict de quatre tenseurs de forme (H,) :
        "previous" : le poids moyen qu'une requête donne à la clé juste avant elle, sur les S - 1 requêtes qui
            en ont une ;
        "first" : le poids moyen sur la clé 0, sur les S requêtes ;
        "self" : le poids moyen qu'une requête se donne à elle-même, sur les S requêtes ;
        "entropy" : la moyenne sur les S requêtes de -somme_j w ln(w), en nats, où 0 ln(0) compte pour 0.
    """
    raise NotImplementedError


# %% [markdown] 
# ## The head that does it most
#
# Twelve layers of twelve heads: which one looks at the word before, which one at the first token? With a
# score for each head, the question has one answer.

# %% [markdown] 
# ## La tête qui le fait le plus
#
# Douze couches de douze têtes : laquelle regarde le mot précédent, laquelle le premier token ? Avec un score
# par tête, la question a une seule réponse.

# %%
import torch


def strongest(attentions, kind):
    """Find the head of a model that does one thing most.

    Args:
        attentions: a tuple with a tensor for each layer, shape (B, H, S, S) with S of at least 2, as
            output_attentions gives it for B sequences; each row sums to 1.
        kind: "previous", "first", "self" or "entropy": which of the four scores of head_scores counts. The
            score of a head is its mean over the B sequences.

    Returns:
        the pair (layer, head), two ints, both from 0: the head with the highest score; for "entropy", the one
        with the lowest, which is surest of where it looks. Among equal heads, the one in the lowest layer
        counts, and in that layer the first.

    fr: Trouve la tête d'un modèle qui fait le plus une chose donnée.

    Args:
        attentions: un tuple avec un tenseur par couche, de forme (B, H, S, S) avec S d'au moins 2, tel que le
            donne output_attentions pour B séquences ; chaque ligne a pour somme 1.
        kind: "previous", "first", "self" ou "entropy" : lequel des quatre scores de head_scores compte. Le
            score d'une tête est sa moyenne sur les B séquences.

    Returns:
        la paire (layer, head), deux int, à partir de 0 : la tête de plus haut score ; pour "entropy", celle
        de plus bas score, la plus sûre de ce qu'elle regarde. Entre têtes égales, celle de la couche la plus
        basse compte, et dans cette couche la première.
    """
    raise NotImplementedError


# %% [markdown] 
# ## Heads, drawn
#
# What do heads look at in « Le chat dort sur le canapé car il est fatigué »? A map for each head shows
# it: dark where a token looks. A model of the transformers library gives its attention weights with
# output_attentions=True.

# %% [markdown] 
# ## Des têtes, dessinées
#
# Que regardent les têtes dans « Le chat dort sur le canapé car il est fatigué » ? Une carte par tête le
# montre : sombre là où un token regarde. Un modèle de la bibliothèque transformers donne ses poids
# d'attention avec output_attentions=True.

# %%
import matplotlib.pyplot as plt
import torch


def plot_heads(attentions, tokens, layer, heads):
    """Draw the attention weights of some heads of one layer, an image for each head.

    Args:
        attentions: a tuple with a tensor for each layer, shape (1, H, S, S), as output_attentions gives it;
            row i of a head is what token i gives to each token.
        tokens: the S tokens, as strings; a token may come twice.
        layer: the index of the layer, from 0: the fifth layer is 4.
        heads: a list of indices of heads, from 0; one or more.

    Each head has axes of its own, in the order of heads, read row by row from the left. They show its S x S
    weights as an image (imshow) or as a mesh (pcolormesh), rows from token 0: whoever looks is a row, what is
    looked at a column. Each row and each column is labelled with its token. Titles, colours and a scale of
    colours are up to you.

    Returns:
        the figure (matplotlib.figure.Figure). plt.show() is not needed.

    fr: Dessine les poids d'attention de quelques têtes d'une couche, une image par tête.

    Args:
        attentions: un tuple avec un tenseur par couche, de forme (1, H, S, S), tel que le donne
            output_attentions ; la ligne i d'une tête est ce que le token i donne à chaque token.
        tokens: les S tokens, des chaînes ; un token peut apparaître deux fois.
        layer: l'indice de la couche, à partir de 0 : la cinquième couche est 4.
        heads: une liste d'indices de têtes, à partir de 0 ; une ou plusieurs.

    Chaque tête a ses propres axes, dans l'ordre de heads, lus ligne par ligne depuis la gauche. Ils montrent
    ses S x S poids comme une image (imshow) ou un maillage (pcolormesh), les lignes à partir du token 0 : qui
    regarde est une ligne, ce qui est regardé une colonne. Chaque ligne et chaque colonne porte son token
    comme étiquette. Titres, couleurs et échelle de couleurs sont libres.

    Returns:
        la figure (matplotlib.figure.Figure). plt.show() n'est pas nécessaire.
    """
    raise NotImplementedError


# %% [markdown] 
# ## The parameters of a whole model
#
# Tables, layers, norms, last layer: where the 109 million parameters of BERT base are, and what a shared
# table saves.

# %% [markdown] 
# ## Les paramètres d'un modèle entier
#
# Tables, couches, normes, dernière couche : où sont les 109 millions de paramètres de BERT base, et ce
# qu'économise une table partagée.


# %%
def count_model(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    """The number of parameters of a Transformer, from its embeddings to its logits.

    Args:
        vocab_size: V, the number of words, each with a row of the words' table.
        dim: E, the width of the model.
        layers: the number of layers. Each has four linear layers of attention from E to E, two of the
            feed-forward network from E to F and back, all with bias, and two layer norms with gain and shift.
        ff_dim: F, the inner width of the feed-forward network.
        positions: the number of rows of the positions' table, which is learned.
        types: the number of rows of the table of segment types; 0 where there is none, as in GPT.
        tied: whether the last layer, from E to V without bias, shares its weights with the words' table;
            shared weights count once. Without it, the last layer has V * E weights of its own.

    One layer norm follows the embeddings. There is no norm after the last layer, and no pooler.

    Returns:
        an int: for BERT base, count_model(30522, 768, 12, 3072, 512, types=2) is 108891648.

    fr: Le nombre de paramètres d'un Transformer, des embeddings aux logits.

    Args:
        vocab_size: V, le nombre de mots, chacun ayant une ligne dans la table des mots.
        dim: E, la largeur du modèle.
        layers: le nombre de couches. Chacune a quatre couches linéaires d'attention de E vers E, deux du
            réseau feed-forward de E vers F et retour, toutes avec biais, et deux normes avec gain et
            décalage.
        ff_dim: F, la largeur intérieure du réseau feed-forward.
        positions: le nombre de lignes de la table des positions, qui est apprise.
        types: le nombre de lignes de la table des types de segment ; 0 s'il n'y en a pas, comme dans GPT.
        tied: si la dernière couche, de E vers V sans biais, partage ses poids avec la table des mots ; des
            poids partagés comptent une fois. Sinon, la dernière couche a V * E poids à elle.

    Une norme suit les embeddings. Il n'y a pas de norme après la dernière couche, ni de pooler.

    Returns:
        un int : pour BERT base, count_model(30522, 768, 12, 3072, 512, types=2) vaut 108891648.
    """
    raise NotImplementedError
