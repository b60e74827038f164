"""Rien de fait."""


# %% [markdown] lang="en"
# ## The padding mask
#
# Sequences of a batch are filled up to one length. What fills them must not be looked at.

# %% [markdown] lang="fr"
# ## Le masque de padding
#
# Les séquences d'un lot sont complétées jusqu'à une même longueur. Ce qui les complète ne doit pas être
# regardé.

# %%
def padding_mask(attention_mask):
    """Which keys no query may see, in the shape that broadcasts to an attention's scores.

    Args:
        attention_mask: int64 of shape (B, S): 1 = a word, 0 = padding, wherever it stands.

    Returns:
        a bool tensor of shape (B, 1, 1, S), True where there is padding: True = masked. The axes of size 1
        stand for the heads and for the queries.

    fr: Les clés qu'aucune requête ne doit voir, sous la forme qui s'étend aux scores d'une attention.

    Args:
        attention_mask: int64 de forme (B, S) : 1 = un mot, 0 = du padding, où qu'il soit.

    Returns:
        un tenseur bool de forme (B, 1, 1, S), True là où il y a du padding : True = masqué. Les axes de
        taille 1 tiennent la place des têtes et des requêtes.
    """
    raise NotImplementedError


# %% [markdown] lang="en"
# ## Two masks in one
#
# A decoder must see neither what comes later nor the padding of its own sequence.

# %% [markdown] lang="fr"
# ## Deux masques en un
#
# Un décodeur ne doit voir ni ce qui vient après, ni le padding de sa propre séquence.

# %%
def combine_masks(causal, padding):
    """One mask from two: a key is masked if either of them masks it.

    Args:
        causal: bool of shape (S, S), True = masked: row i says which positions position i must not see.
        padding: bool of shape (B, 1, 1, S), True = masked: which keys of each sequence are padding.

    Returns:
        a bool tensor of shape (B, 1, S, S), True = masked.

    fr: Un masque fait de deux : une clé est masquée si l'un des deux la masque.

    Args:
        causal: bool de forme (S, S), True = masqué : la ligne i dit quelles positions la position i ne doit
            pas voir.
        padding: bool de forme (B, 1, 1, S), True = masqué : quelles clés de chaque séquence sont du padding.

    Returns:
        un tenseur bool de forme (B, 1, S, S), True = masqué.
    """
    raise NotImplementedError


# %% [markdown] lang="en"
# ## Shifting right
#
# In training, a decoder gets the right sequence one position late: at each position it knows what came
# before, and predicts what stands there (teacher forcing).

# %% [markdown] lang="fr"
# ## Décaler vers la droite
#
# À l'entraînement, un décodeur reçoit la bonne séquence avec une position de retard : à chaque position, il
# connaît ce qui précède et prédit ce qui s'y trouve (teacher forcing).

# %%
def shift_right(labels, start_id, pad_id):
    """What a decoder is given, from what it should predict.

    Args:
        labels: int64 of shape (B, S): the ids to predict, and -100 where nothing is to be predicted.
        start_id: the id with which every sequence begins for the decoder.
        pad_id: the id that stands for padding in what the decoder is given: a -100 has no embedding.

    Returns:
        int64 of shape (B, S): start_id, then the labels without the last, pad_id in the place of each -100.

    The labels keep their values.

    fr: Ce que reçoit un décodeur, à partir de ce qu'il doit prédire.

    Args:
        labels: int64 de forme (B, S) : les identifiants à prédire, et -100 là où il n'y a rien à prédire.
        start_id: l'identifiant par lequel toute séquence commence pour le décodeur.
        pad_id: l'identifiant du padding dans ce que reçoit le décodeur : un -100 n'a pas d'embedding.

    Returns:
        int64 de forme (B, S) : start_id, puis les labels sans le dernier, pad_id à la place de chaque -100.

    Les labels gardent leurs valeurs.
    """
    raise NotImplementedError


# %% [markdown] lang="en"
# ## Span corruption
#
# T5 is trained on text alone: spans of a text are taken out, and the decoder writes what was there. A
# sentinel, an id that is no word, stands where a span was, and in front of the span in the answer.

# %% [markdown] lang="fr"
# ## La corruption de segments
#
# T5 s'entraîne sur du texte seul : des segments d'un texte sont retirés, et le décodeur écrit ce qui s'y
# trouvait. Une sentinelle, un identifiant qui n'est pas un mot, prend la place du segment, et le précède dans
# la réponse.

# %%
def corrupt_spans(ids, spans, sentinel):
    """What the encoder is given and what the decoder should write, for a text with spans taken out.

    Args:
        ids: the text, int64 of shape (S,).
        spans: a list of pairs (start, end): ids[start:end] is taken out. They are in order and not empty, and
            they do not overlap; one may begin where the one before ends. There may be none.
        sentinel: the first span's sentinel. The second span's is sentinel - 1, and so on, counting down.

    Returns:
        (inputs, targets), both int64 with one axis: inputs is the text in which one sentinel stands for each
        span. targets is, for each span, its sentinel and its ids, and at the end one sentinel more, the next.

    For ids 5 6 7 8 9, spans [(1, 3), (4, 5)] and sentinel 99: inputs 5 99 8 98, targets 99 6 7 98 9 97.

    fr: Ce que reçoit l'encodeur et ce que doit écrire le décodeur, pour un texte dont on retire des segments.

    Args:
        ids: le texte, int64 de forme (S,).
        spans: une liste de paires (start, end) : ids[start:end] est retiré. Les segments sont dans l'ordre,
            non vides, et ne se chevauchent pas ; l'un peut commencer où finit le précédent. Il peut n'y en
            avoir aucun.
        sentinel: la sentinelle du premier segment. Celle du deuxième est sentinel - 1, et ainsi de suite, en
            décomptant.

    Returns:
        (inputs, targets), tous deux int64 à un axe : inputs est le texte où une sentinelle remplace chaque
        segment. targets est, pour chaque segment, sa sentinelle et ses identifiants, et à la fin une
        sentinelle de plus, la suivante.

    Pour les identifiants 5 6 7 8 9, les segments [(1, 3), (4, 5)] et la sentinelle 99 : inputs 5 99 8 98,
    targets 99 6 7 98 9 97.
    """
    raise NotImplementedError


# %% [markdown] lang="en"
# ## Cross-attention
#
# The queries come from one sequence, the keys and values from another: so a decoder looks at what the encoder
# has made of the source.

# %% [markdown] lang="fr"
# ## L'attention croisée
#
# Les requêtes viennent d'une séquence, les clés et les valeurs d'une autre : c'est ainsi qu'un décodeur
# regarde ce que l'encodeur a fait de la source.

# %%
import torch.nn as nn


class CrossAttention(nn.Module):
    """Attention with several heads, from a sequence to a memory.

    Args:
        embed_dim: E, the width of the input and of the output.
        num_heads: H, the number of heads; an E that H does not divide is an error at construction.
        kv_dim: Ek, the width of the memory; E if it is not given.

    The linear layers all have a bias: W_q and W_o from E to E, W_k and W_v from Ek to E.

    fr: Attention à plusieurs têtes, d'une séquence vers une mémoire.

    Args:
        embed_dim: E, la largeur de l'entrée et de la sortie.
        num_heads: H, le nombre de têtes ; un E que H ne divise pas est une erreur à la construction.
        kv_dim: Ek, la largeur de la mémoire ; E si elle n'est pas donnée.

    Les couches linéaires ont toutes un biais : W_q et W_o de E vers E, W_k et W_v de Ek vers E.
    """

    def __init__(self, embed_dim, num_heads, kv_dim=None):
        super().__init__()
        raise NotImplementedError

    def forward(self, x, memory, mask=None):
        """Attend from each position of x to all of the memory: W_q gets x, W_k and W_v get the memory.

        Args:
            x: shape (B, Sq, E).
            memory: shape (B, Sk, Ek).
            mask: None, or a bool tensor that broadcasts to (B, H, Sq, Sk); True = masked.

        Returns:
            (output, weights): shapes (B, Sq, E) and (B, H, Sq, Sk).

        fr: Calcule l'attention de chaque position de x sur toute la mémoire : W_q reçoit x, W_k et W_v
        reçoivent la mémoire.

        Args:
            x: de forme (B, Sq, E).
            memory: de forme (B, Sk, Ek).
            mask: None, ou un tenseur bool qui s'étend à (B, H, Sq, Sk) ; True = masqué.

        Returns:
            (sortie, poids) : de formes (B, Sq, E) et (B, H, Sq, Sk).
        """
        raise NotImplementedError


# %% [markdown] lang="en"
# ## A layer of the decoder
#
# Self-attention, then attention to what the encoder has made of the source, then the feed-forward network: a
# layer norm before each, and the output of each is added to its input.

# %% [markdown] lang="fr"
# ## Une couche du décodeur
#
# L'auto-attention, puis l'attention à ce que l'encodeur a fait de la source, puis le réseau feed-forward :
# une layer norm avant chacun, et la sortie de chacun s'ajoute à son entrée.

# %%
import torch.nn as nn


class DecoderLayer(nn.Module):
    """One layer of a decoder with the norms in front (pre-norm).

    Args:
        embed_dim: E, the width of the input, of the memory and of the output.
        num_heads: H, the number of heads of both attentions.
        ff_dim: the inner width of the feed-forward network; 4 * E if it is not given.
        dropout: the rate of the dropout, which acts in training only.

    Its parts are called self_attention, cross_attention, feed_forward, norm1, norm2 and norm3. First the
    self-attention of norm1(x) is added to x. Then the attention from norm2 of that sum to the memory is added
    to it, then the feed-forward network of norm3 of the new sum. The memory has no norm of its own here.

    fr: Une couche de décodeur dont les normes viennent avant les parties (pre-norm).

    Args:
        embed_dim: E, la largeur de l'entrée, de la mémoire et de la sortie.
        num_heads: H, le nombre de têtes des deux attentions.
        ff_dim: la largeur intérieure du réseau feed-forward ; 4 * E si elle n'est pas donnée.
        dropout: le taux du dropout, qui n'agit qu'à l'entraînement.

    Ses parties s'appellent self_attention, cross_attention, feed_forward, norm1, norm2 et norm3. D'abord,
    l'auto-attention de norm1(x) s'ajoute à x. Puis s'y ajoute l'attention de norm2 de cette somme vers la
    mémoire, puis le réseau feed-forward de norm3 de la nouvelle somme. Ici, la mémoire n'a pas de norme à
    elle.
    """

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        raise NotImplementedError

    def forward(self, x, memory, mask=None, memory_mask=None):
        """Apply the layer to x.

        Args:
            x: shape (B, St, E).
            memory: shape (B, Ss, E), the encoder's output.
            mask: None, or a bool tensor that broadcasts to (B, H, St, St), for the self-attention; True =
                masked. A causal mask is given here too: nothing is causal without one.
            memory_mask: None, or a bool tensor that broadcasts to (B, H, St, Ss), for the cross-attention;
                True = masked.

        Returns:
            shape (B, St, E).

        fr: Applique la couche à x.

        Args:
            x: de forme (B, St, E).
            memory: de forme (B, Ss, E), la sortie de l'encodeur.
            mask: None, ou un tenseur bool qui s'étend à (B, H, St, St), pour l'auto-attention ; True =
                masqué. C'est ici qu'on donne aussi un masque causal : rien n'est causal sans lui.
            memory_mask: None, ou un tenseur bool qui s'étend à (B, H, St, Ss), pour l'attention croisée ;
                True = masqué.

        Returns:
            un tenseur de forme (B, St, E).
        """
        raise NotImplementedError


# %% [markdown] lang="en"
# ## Greedy decoding
#
# A decoder writes one id after another: each time the likeliest one, until it writes the stop sign.

# %% [markdown] lang="fr"
# ## Le décodage glouton
#
# Un décodeur écrit un identifiant après l'autre : chaque fois le plus probable, jusqu'au signe d'arrêt.

# %%
def greedy_decode(model, src, start_id, stop_id, pad_id, max_len):
    """Decode each sequence of a batch by itself, until all have stopped.

    Args:
        model: model.encode(src) gives the memory of ids (B, S). model.decode(ids, memory) gives logits of
            shape (B, T, V) for the ids (B, T) written so far.
        src: the sources, int64 of shape (B, S), without padding.
        start_id: the id with which every sequence begins.
        stop_id: the id after which a sequence has ended.
        pad_id: the id that fills up a sequence that ended before others.
        max_len: at most so many ids are written after start_id, whether the model stops or not.

    Returns:
        int64 of shape (B, T): start_id, then the likeliest id at each step, by the logits at the last
        position. A sequence ends with its stop_id, which stays in the answer; after it comes pad_id up to the
        end of the longest. Nothing more is decoded once all have stopped.

    The source is encoded once.

    fr: Décode chaque séquence d'un lot pour elle-même, jusqu'à ce que toutes se soient arrêtées.

    Args:
        model: model.encode(src) donne la mémoire d'identifiants (B, S). model.decode(ids, memory) donne des
            logits de forme (B, T, V) pour les identifiants (B, T) écrits jusque-là.
        src: les sources, int64 de forme (B, S), sans padding.
        start_id: l'identifiant par lequel commence chaque séquence.
        stop_id: l'identifiant après lequel une séquence est finie.
        pad_id: l'identifiant qui complète une séquence finie avant d'autres.
        max_len: le nombre maximal d'identifiants écrits après start_id, que le modèle s'arrête ou non.

    Returns:
        int64 de forme (B, T) : start_id, puis à chaque pas l'identifiant le plus probable, selon les logits à
        la dernière position. Une séquence finit par son stop_id, qui reste dans la réponse ; après lui vient
        pad_id jusqu'à la fin de la plus longue. Rien n'est décodé une fois que toutes se sont arrêtées.

    La source est encodée une seule fois.
    """
    raise NotImplementedError


# %% [markdown] lang="en"
# ## The whole model
#
# An encoder reads the source, and a decoder writes the target: at each position it sees what it has written
# so far, and all that the encoder has made of the source.
#
# The architecture is free: norms before or after, learned or sinusoidal positions, layers of your own or of
# PyTorch. What is judged is what the model does.

# %% [markdown] lang="fr"
# ## Le modèle entier
#
# Un encodeur lit la source, et un décodeur écrit la cible : à chaque position, il voit ce qu'il a écrit
# jusque-là, et tout ce que l'encodeur a fait de la source.
#
# L'architecture est libre : normes avant ou après, positions apprises ou sinusoïdales, couches à vous ou de
# PyTorch. Ce qui est jugé, c'est ce que fait le modèle.

# %%
import torch.nn as nn


class Seq2Seq(nn.Module):
    """A small encoder-decoder Transformer over ids.

    Args:
        src_vocab: the number of ids of the source.
        tgt_vocab: V, the number of ids of the target. The two vocabularies have nothing to do with each
            other.
        embed_dim: E, the width of the model, an even number for each head.
        num_heads: H, the number of heads of each attention.
        num_layers: the number of the encoder's layers, and of the decoder's, each with weights of its own.
        max_len: the longest source and the longest target that will come.
        dropout: the rate of dropout, in training.

    Each position of the memory has seen the whole source. The logits at a position know the whole source, and
    the target up to that position but not behind it. Both know in which order ids came. All parameters take
    part.

    fr: Un petit Transformer encodeur-décodeur sur des identifiants.

    Args:
        src_vocab: le nombre d'identifiants de la source.
        tgt_vocab: V, le nombre d'identifiants de la cible. Les deux vocabulaires n'ont rien à voir l'un avec
            l'autre.
        embed_dim: E, la largeur du modèle, un nombre pair pour chaque tête.
        num_heads: H, le nombre de têtes de chaque attention.
        num_layers: le nombre de couches de l'encodeur, et du décodeur, chacune avec ses propres poids.
        max_len: la longueur de la plus longue source et de la plus longue cible qui viendront.
        dropout: le taux de dropout, à l'entraînement.

    Chaque position de la mémoire a vu toute la source. Les logits d'une position connaissent toute la source,
    et la cible jusqu'à cette position mais pas au-delà. Les deux savent dans quel ordre les identifiants sont
    venus. Tous les paramètres servent.
    """

    def __init__(self, src_vocab, tgt_vocab, embed_dim, num_heads, num_layers, max_len, dropout=0.0):
        super().__init__()
        raise NotImplementedError

    def encode(self, src, src_mask=None):
        """Read the source.

        Args:
            src: ids, shape (B, Ss).
            src_mask: None, or a bool tensor of shape (B, 1, 1, Ss), True = masked: what is padding in the
                source.

        Returns:
            the memory, shape (B, Ss, E).

        fr: Lit la source.

        Args:
            src: des identifiants, de forme (B, Ss).
            src_mask: None, ou un tenseur bool de forme (B, 1, 1, Ss), True = masqué : ce qui est du padding
                dans la source.

        Returns:
            la mémoire, de forme (B, Ss, E).
        """
        raise NotImplementedError

    def decode(self, tgt, memory, src_mask=None):
        """Score every id as the next one, at each position of the target.

        Args:
            tgt: ids, shape (B, St). They are shifted right already: the logits at a position are for what
                follows the id there.
            memory: shape (B, Ss, E), from encode.
            src_mask: as for encode.

        Returns:
            the logits, shape (B, St, V), as they are before any softmax.

        fr: Donne à chaque identifiant un score de suivant, à chaque position de la cible.

        Args:
            tgt: des identifiants, de forme (B, St). Ils sont déjà décalés vers la droite : les logits d'une
                position portent sur ce qui suit l'identifiant qui s'y trouve.
            memory: de forme (B, Ss, E), rendue par encode.
            src_mask: comme pour encode.

        Returns:
            les logits, de forme (B, St, V), tels qu'ils sont avant tout softmax.
        """
        raise NotImplementedError

    def forward(self, src, tgt, src_mask=None):
        """Encode the source and decode the target.

        Returns:
            the logits of decode, shape (B, St, V). What src_mask hides of the source has no influence on
            them.

        fr: Encode la source et décode la cible.

        Returns:
            les logits de decode, de forme (B, St, V). Ce que src_mask cache de la source n'a aucune influence
            sur eux.
        """
        raise NotImplementedError
