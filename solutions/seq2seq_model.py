"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch
from torch import nn
from torch.nn import functional

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
WHOLE = (
    "source_ignored",
    "encodes_the_target",
    "without_head",
)
HALF = ("target_sees_the_future",)
SMALL = (
    "no_source_positions",
    "no_target_positions",
    "layers_share_weights",
    "one_head",
    "without_dropout",
    "dropout_in_evaluation",
    "memory_detached",
)


class Attention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.q = nn.Linear(embed_dim, embed_dim)
        self.kv = nn.Linear(embed_dim, 2 * embed_dim)
        self.proj = nn.Linear(embed_dim, embed_dim)

    def split(self, x):
        return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def forward(self, x, memory, mask):
        k, v = self.kv(memory).chunk(2, -1)
        q, k, v = self.split(self.q(x)), self.split(k), self.split(v)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask, -math.inf)
        return self.proj((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))


class Layer(nn.Module):
    def __init__(self, embed_dim, num_heads, dropout, looks):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(embed_dim), nn.LayerNorm(embed_dim)
        self.attention = Attention(embed_dim, num_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(embed_dim, 4 * embed_dim), nn.GELU(), nn.Linear(4 * embed_dim, embed_dim)
        )
        self.dropout = nn.Dropout(dropout)
        if looks:
            self.norm3, self.look = nn.LayerNorm(embed_dim), Attention(embed_dim, num_heads)

    def forward(self, x, mask, memory=None, memory_mask=None):
        y = self.norm1(x)
        x = x + self.dropout(self.attention(y, y, mask))
        if memory is not None:
            x = x + self.dropout(self.look(self.norm3(x), memory, memory_mask))
        return x + self.dropout(self.feed_forward(self.norm2(x)))


class Seq2Seq(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, embed_dim, num_heads, num_layers, max_len, dropout=0.0):
        super().__init__()
        self.src_embedding, self.tgt_embedding = (nn.Embedding(n, embed_dim) for n in (src_vocab, tgt_vocab))
        self.src_positions, self.tgt_positions = (nn.Embedding(max_len, embed_dim) for _ in range(2))
        self.dropout = nn.Dropout(dropout)
        self.encoder, self.decoder = (
            nn.ModuleList(Layer(embed_dim, num_heads, dropout, looks) for _ in range(num_layers))
            for looks in (False, True)
        )
        self.encoder_norm, self.decoder_norm = nn.LayerNorm(embed_dim), nn.LayerNorm(embed_dim)
        self.head = nn.Linear(embed_dim, tgt_vocab)

    def embed_source(self, src):
        return self.src_embedding(src)

    def embed_target(self, tgt):
        return self.tgt_embedding(tgt)

    def places(self, table, words):
        return table(torch.arange(words.shape[1]))

    def source_places(self, src):
        return self.places(self.src_positions, src)

    def target_places(self, tgt):
        return self.places(self.tgt_positions, tgt)

    def source_mask(self, src_mask, length):
        return src_mask

    def target_mask(self, length):
        return torch.ones(length, length, dtype=torch.bool).triu(1)

    def memory_mask(self, src_mask, queries, keys):
        return src_mask

    def drop(self, x):
        return self.dropout(x)

    def encoded(self, x, mask):
        for layer in self.encoder:
            x = layer(x, mask)
        return self.encoder_norm(x)

    def decoded(self, x, mask, memory, memory_mask):
        for layer in self.decoder:
            x = layer(x, mask, memory, memory_mask)
        return self.decoder_norm(x)

    def encode(self, src, src_mask=None):
        x = self.drop(self.embed_source(src) + self.source_places(src))
        return self.encoded(x, self.source_mask(src_mask, src.shape[1]))

    def score(self, x):
        return self.head(x)

    def decode(self, tgt, memory, src_mask=None):
        x = self.drop(self.embed_target(tgt) + self.target_places(tgt))
        memory_mask = self.memory_mask(src_mask, tgt.shape[1], memory.shape[1])
        return self.score(self.decoded(x, self.target_mask(tgt.shape[1]), memory, memory_mask))

    def forward(self, src, tgt, src_mask=None):
        return self.decode(tgt, self.encode(src, src_mask), src_mask)


class Seq2Seq__target_sees_the_future(Seq2Seq):
    """The decoder sees the whole target, also what it should predict. Which attention needs a causal mask?

    fr: Le décodeur voit toute la cible, y compris ce qu'il doit prédire. Quelle attention a besoin d'un
    masque causal ?
    """

    def target_mask(self, length):
        return None


class Seq2Seq__sees_one_ahead(Seq2Seq):
    """Each position of the target sees the next one, which it should predict. Look at the diagonal at which
    the triangle begins.

    fr: Chaque position de la cible voit la suivante, qu'elle doit prédire. Regardez à quelle diagonale
    commence le triangle.
    """

    def target_mask(self, length):
        return super().target_mask(length).triu(2)


class Seq2Seq__target_sees_itself_alone(Seq2Seq):
    """A position of the target sees itself alone, and not what was written before it.

    fr: Une position de la cible ne voit qu'elle-même, et pas ce qui a été écrit avant elle.
    """

    def target_mask(self, length):
        return ~torch.eye(length, dtype=torch.bool)


class Seq2Seq__causal_transposed(Seq2Seq):
    """The causal mask is transposed: the target sees its future and not its past. Rows are queries.

    fr: Le masque causal est transposé : la cible voit son futur et non son passé. Les lignes sont les
    requêtes.
    """

    def target_mask(self, length):
        return super().target_mask(length).T


class Seq2Seq__encoder_causal(Seq2Seq):
    """The encoder is causal: a position of the memory has not seen what follows in the source. The whole
    source is known from the beginning.

    fr: L'encodeur est causal : une position de la mémoire n'a pas vu la suite de la source. Toute la source
    est connue dès le début.
    """

    def source_mask(self, src_mask, length):
        later = self.target_mask(length)
        return later if src_mask is None else later | src_mask


class Seq2Seq__encoder_mixes_nothing(Seq2Seq):
    """Each position of the memory has seen its own id alone: nothing attends in the encoder.

    fr: Chaque position de la mémoire n'a vu que son propre identifiant : rien ne fait attention dans
    l'encodeur.
    """

    def source_mask(self, src_mask, length):
        return ~torch.eye(length, dtype=torch.bool)


class _Mean(Attention):
    """What is not masked, with equal weights."""

    def forward(self, x, memory, mask):
        shown = torch.zeros(x.shape[1], memory.shape[1])
        if mask is not None:
            shown = (
                shown.masked_fill(mask, -math.inf)[:, 0]
                if mask.dim() > 2
                else shown.masked_fill(mask, -math.inf)
            )
        return self.proj(shown.softmax(-1).to(x.dtype) @ self.kv(memory).chunk(2, -1)[1])


class Seq2Seq__target_mixed_without_attention(Seq2Seq):
    """Within the target, earlier ids are mixed with weights that do not depend on what they are: as a sum, a
    mean, or by their positions. Where is a query compared with the keys?

    fr: Dans la cible, les identifiants précédents sont mélangés avec des poids qui ne dépendent pas de ce
    qu'ils sont : une somme, une moyenne, ou selon les positions. Où une requête est-elle comparée aux
    clés ?
    """

    def __init__(self, src_vocab, tgt_vocab, embed_dim, num_heads, *others, **named):
        super().__init__(src_vocab, tgt_vocab, embed_dim, num_heads, *others, **named)
        for layer in self.decoder:
            layer.attention = _Mean(embed_dim, num_heads)


class Seq2Seq__source_mixed_without_attention(Seq2Seq):
    """The decoder gets the same mixture of the memory, whichever id of the target looks at it. Where is a
    query of the target compared with the keys of the memory?

    fr: Le décodeur reçoit le même mélange de la mémoire, quel que soit l'identifiant de la cible qui la
    regarde. Où une requête de la cible est-elle comparée aux clés de la mémoire ?
    """

    def __init__(self, src_vocab, tgt_vocab, embed_dim, num_heads, *others, **named):
        super().__init__(src_vocab, tgt_vocab, embed_dim, num_heads, *others, **named)
        for layer in self.decoder:
            layer.look = _Mean(embed_dim, num_heads)


class Seq2Seq__encoder_mixes_without_attention(Seq2Seq):
    """In the encoder, ids are mixed with weights that do not depend on what they are: as a sum, a mean, or by
    their positions. Where is a query compared with the keys?

    fr: Dans l'encodeur, les identifiants sont mélangés avec des poids qui ne dépendent pas de ce qu'ils
    sont : une somme, une moyenne, ou selon les positions. Où une requête est-elle comparée aux clés ?
    """

    def __init__(self, src_vocab, tgt_vocab, embed_dim, num_heads, *others, **named):
        super().__init__(src_vocab, tgt_vocab, embed_dim, num_heads, *others, **named)
        for layer in self.encoder:
            layer.attention = _Mean(embed_dim, num_heads)


class Seq2Seq__looks_causally(Seq2Seq):
    """The decoder's t-th position sees the source up to its t-th position. The cross-attention has no causal
    mask.

    fr: La t-ième position du décodeur voit la source jusqu'à sa t-ième position. L'attention croisée n'a pas
    de masque causal.
    """

    def memory_mask(self, src_mask, queries, keys):
        later = torch.ones(queries, keys, dtype=torch.bool).triu(1)
        return later if src_mask is None else later | src_mask


class Seq2Seq__source_ignored(Seq2Seq):
    """The logits do not depend on the source: nothing looks at the memory. Where is the cross-attention?

    fr: Les logits ne dépendent pas de la source : rien ne regarde la mémoire. Où est l'attention croisée ?
    """

    def decode(self, tgt, memory, src_mask=None):
        return super().decode(tgt, torch.zeros_like(memory), src_mask)


class Seq2Seq__first_of_the_memory(Seq2Seq):
    """The decoder sees the first position of the memory alone. The whole memory is there for the
    cross-attention.

    fr: Le décodeur ne voit que la première position de la mémoire. Toute la mémoire est là pour l'attention
    croisée.
    """

    def decode(self, tgt, memory, src_mask=None):
        return super().decode(tgt, memory[:, :1], None)

    def source_mask(self, src_mask, length):
        return ~torch.eye(length, dtype=torch.bool) if src_mask is None else src_mask


class Seq2Seq__encodes_the_target(Seq2Seq):
    """The memory is made of the target, not of the source: it shows what should be predicted. What does
    encode get?

    fr: La mémoire est faite de la cible, non de la source : elle montre ce qu'il faut prédire. Que reçoit
    encode ?
    """

    def forward(self, src, tgt, src_mask=None):
        return self.decode(tgt, self.encode(tgt % self.src_embedding.num_embeddings))


class Seq2Seq__mask_lost(Seq2Seq):
    """src_mask has no effect: what is padding in the source is read. Which attentions should get it?

    fr: src_mask n'a aucun effet : le padding de la source est lu. Quelles attentions devraient le recevoir ?
    """

    def source_mask(self, src_mask, length):
        return None

    def memory_mask(self, src_mask, queries, keys):
        return None


class Seq2Seq__mask_in_the_encoder_alone(Seq2Seq):
    """src_mask acts in the encoder alone: the decoder still looks at the padding's places in the memory.

    fr: src_mask n'agit que dans l'encodeur : le décodeur regarde encore les places du padding dans la
    mémoire.
    """

    def memory_mask(self, src_mask, queries, keys):
        return None


class Seq2Seq__mask_in_the_decoder_alone(Seq2Seq):
    """src_mask acts in the decoder alone: in the encoder, words still look at the padding.

    fr: src_mask n'agit que dans le décodeur : dans l'encodeur, les mots regardent encore le padding.
    """

    def source_mask(self, src_mask, length):
        return None


class Seq2Seq__mask_inverted(Seq2Seq):
    """src_mask is read the other way round: here True means masked.

    fr: src_mask est lu à l'envers : ici True veut dire masqué.
    """

    def source_mask(self, src_mask, length):
        return None if src_mask is None else ~src_mask

    def memory_mask(self, src_mask, queries, keys):
        return None if src_mask is None else ~src_mask


class Seq2Seq__no_positions(Seq2Seq):
    """Nothing tells positions, neither in the source nor in the target.

    fr: Rien n'indique les positions, ni dans la source, ni dans la cible.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        del self.src_positions, self.tgt_positions

    def source_places(self, src):
        return 0.0

    def target_places(self, tgt):
        return 0.0


class Seq2Seq__no_source_positions(Seq2Seq):
    """Nothing tells positions in the source: to the encoder it is a heap of words without order.

    fr: Rien n'indique les positions dans la source : pour l'encodeur, c'est un tas de mots sans ordre.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        del self.src_positions

    def source_places(self, src):
        return 0.0


class Seq2Seq__no_target_positions(Seq2Seq):
    """Nothing tells positions in the target: the decoder does not know in which order it wrote.

    fr: Rien n'indique les positions dans la cible : le décodeur ne sait pas dans quel ordre il a écrit.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        del self.tgt_positions

    def target_places(self, tgt):
        return 0.0


class Seq2Seq__one_position_short(Seq2Seq):
    """There is one position too few: a sequence of max_len ids does not fit.

    fr: Il manque une position : une séquence de max_len identifiants ne passe pas.
    """

    def __init__(self, src_vocab, tgt_vocab, embed_dim, num_heads, num_layers, max_len, dropout=0.0):
        super().__init__(src_vocab, tgt_vocab, embed_dim, num_heads, num_layers, max_len - 1, dropout)


class Seq2Seq__one_table(Seq2Seq):
    """The target's ids are looked up in the source's table, which is too small for them, or has other words.

    fr: Les identifiants de la cible sont cherchés dans la table de la source, qui est trop petite pour eux,
    ou contient d'autres mots.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        del self.tgt_embedding

    def embed_target(self, tgt):
        return self.src_embedding(tgt)


class Seq2Seq__scores_the_source_vocabulary(Seq2Seq):
    """There is a score for each id of the source's vocabulary; the target's is due. Look at the last layer.

    fr: Il y a un score par identifiant du vocabulaire de la source ; on attend celui de la cible. Regardez la
    dernière couche.
    """

    def __init__(self, src_vocab, tgt_vocab, embed_dim, num_heads, num_layers, max_len, dropout=0.0):
        super().__init__(src_vocab, tgt_vocab, embed_dim, num_heads, num_layers, max_len, dropout)
        self.head = nn.Linear(embed_dim, src_vocab)


class Seq2Seq__softmax(Seq2Seq):
    """Probabilities come back; logits are the scores before any softmax.

    fr: Ce sont des probabilités qui sont renvoyées ; les logits sont les scores avant tout softmax.
    """

    def score(self, x):
        return super().score(x).softmax(-1)


class Seq2Seq__without_head(Seq2Seq):
    """The hidden states come back; a last layer should make a score for each id of them.

    fr: Ce sont les états cachés qui sont renvoyés ; une dernière couche doit en tirer un score par
    identifiant.
    """

    def score(self, x):
        return x


class Seq2Seq__head_in_forward(Seq2Seq):
    """decode gives hidden states, and forward makes scores of them. Whoever decodes step by step gets no
    scores.

    fr: decode rend des états cachés, et forward en tire des scores. Qui décode pas à pas n'obtient aucun
    score.
    """

    def score(self, x):
        return x

    def forward(self, src, tgt, src_mask=None):
        return self.head(super().forward(src, tgt, src_mask))


class Seq2Seq__logits_of_the_last(Seq2Seq):
    """Only the last position's logits come back; all are due, and whoever decodes takes the last.

    fr: Seuls les logits de la dernière position sont renvoyés ; on les attend tous, et qui décode prend le
    dernier.
    """

    def score(self, x):
        return super().score(x)[:, -1]


class Seq2Seq__arguments_swapped(Seq2Seq):
    """forward takes the target first. The order is (src, tgt, src_mask).

    fr: forward prend d'abord la cible. L'ordre est (src, tgt, src_mask).
    """

    def forward(self, src, tgt, src_mask=None):
        return super().forward(tgt % self.src_embedding.num_embeddings, src, None)


class Seq2Seq__shifts_again(Seq2Seq):
    """The target is shifted right once more inside: no position sees the id that stands at it.

    fr: La cible est encore décalée vers la droite à l'intérieur : aucune position ne voit l'identifiant qui
    s'y trouve.
    """

    def embed_target(self, tgt):
        return super().embed_target(torch.cat([torch.zeros_like(tgt[:, :1]), tgt[:, :-1]], 1))


class Seq2Seq__last_encoder_layer_unused(Seq2Seq):
    """The encoder's last layer is there but not used. Where does the loop over the layers end?

    fr: La dernière couche de l'encodeur existe mais ne sert pas. Où s'arrête la boucle sur les couches ?
    """

    def encoded(self, x, mask):
        for layer in self.encoder[:-1]:
            x = layer(x, mask)
        return self.encoder_norm(x)


class Seq2Seq__last_decoder_layer_unused(Seq2Seq):
    """The decoder's last layer is there but not used. Where does the loop over the layers end?

    fr: La dernière couche du décodeur existe mais ne sert pas. Où s'arrête la boucle sur les couches ?
    """

    def decoded(self, x, mask, memory, memory_mask):
        for layer in self.decoder[:-1]:
            x = layer(x, mask, memory, memory_mask)
        return self.decoder_norm(x)


class Seq2Seq__one_layer(Seq2Seq):
    """There is always one layer, whatever num_layers says.

    fr: Il y a toujours une couche, quoi que dise num_layers.
    """

    def __init__(self, src_vocab, tgt_vocab, embed_dim, num_heads, num_layers, max_len, dropout=0.0):
        super().__init__(src_vocab, tgt_vocab, embed_dim, num_heads, 1, max_len, dropout)


class Seq2Seq__layers_share_weights(Seq2Seq):
    """All layers of the encoder are one and the same, and so are the decoder's. How often is a layer made?

    fr: Toutes les couches de l'encodeur n'en font qu'une, et celles du décodeur aussi. Combien de fois une
    couche est-elle construite ?
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.encoder = nn.ModuleList([self.encoder[0]] * len(self.encoder))
        self.decoder = nn.ModuleList([self.decoder[0]] * len(self.decoder))


class Seq2Seq__decoder_layers_share_weights(Seq2Seq):
    """All layers of the decoder are one and the same; the encoder's are not. How often is a layer made?

    fr: Toutes les couches du décodeur n'en font qu'une ; celles de l'encodeur, non. Combien de fois une
    couche est-elle construite ?
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.decoder = nn.ModuleList([self.decoder[0]] * len(self.decoder))


class Seq2Seq__encoder_layers_share_weights(Seq2Seq):
    """All layers of the encoder are one and the same; the decoder's are not. How often is a layer made?

    fr: Toutes les couches de l'encodeur n'en font qu'une ; celles du décodeur, non. Combien de fois une
    couche est-elle construite ?
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.encoder = nn.ModuleList([self.encoder[0]] * len(self.encoder))


class Seq2Seq__one_head(Seq2Seq):
    """There is always one head, whatever num_heads says.

    fr: Il y a toujours une tête, quoi que dise num_heads.
    """

    def __init__(self, src_vocab, tgt_vocab, embed_dim, num_heads, num_layers, max_len, dropout=0.0):
        super().__init__(src_vocab, tgt_vocab, embed_dim, 1, num_layers, max_len, dropout)


class Seq2Seq__attends_over_the_batch(Seq2Seq):
    """In the encoder, the sequences of a batch attend to one another. Which axis does the attention take for
    positions? nn.Transformer wants batch_first=True here.

    fr: Dans l'encodeur, les séquences d'un lot se prêtent attention entre elles. Quel axe l'attention
    prend-elle pour les positions ? nn.Transformer demande ici batch_first=True.
    """

    def encoded(self, x, mask):
        return super().encoded(x.transpose(0, 1), None).transpose(0, 1)


class Seq2Seq__memory_of_the_first(Seq2Seq):
    """All targets look at the memory of the first source. Look at what you index along the batch.

    fr: Toutes les cibles regardent la mémoire de la première source. Regardez ce que vous indexez le long du
    lot.
    """

    def decode(self, tgt, memory, src_mask=None):
        return super().decode(tgt, memory[:1].expand_as(memory), None if src_mask is None else src_mask[:1])


class Seq2Seq__without_dropout(Seq2Seq):
    """Nothing is dropped in training, whatever dropout says. Where does its rate go?

    fr: Aucune valeur n'est annulée à l'entraînement, quoi que dise dropout. Où va son taux ?
    """

    def __init__(self, src_vocab, tgt_vocab, embed_dim, num_heads, num_layers, max_len, dropout=0.0):
        super().__init__(src_vocab, tgt_vocab, embed_dim, num_heads, num_layers, max_len)


class Seq2Seq__dropout_of_its_own_rate(Seq2Seq):
    """Something is dropped in training where no dropout was asked for: the rate is a fixed one, as that of
    nn.Transformer if it is not told otherwise.

    fr: Des valeurs sont annulées à l'entraînement alors qu'aucun dropout n'est demandé : le taux est fixe,
    comme celui de nn.Transformer si on ne lui dit rien.
    """

    def __init__(self, src_vocab, tgt_vocab, embed_dim, num_heads, num_layers, max_len, dropout=0.0):
        super().__init__(src_vocab, tgt_vocab, embed_dim, num_heads, num_layers, max_len, 0.2)


class Seq2Seq__dropout_in_evaluation(Seq2Seq):
    """Something is dropped in evaluation too. Does the dropout know whether the model is in training?

    fr: Le dropout agit aussi en évaluation. Sait-il si le modèle est en entraînement ?
    """

    def drop(self, x):
        return functional.dropout(x, self.dropout.p)


class Seq2Seq__memory_detached(Seq2Seq):
    """The memory is cut off from the gradients: the encoder learns nothing.

    fr: La mémoire est coupée des gradients : l'encodeur n'apprend rien.
    """

    def encode(self, src, src_mask=None):
        return super().encode(src, src_mask).detach()


class Seq2Seq__without_gradients(Seq2Seq):
    """No gradient is kept at all, so that nothing can learn. What switches gradients off, and when?

    fr: Aucun gradient n'est gardé, si bien que rien ne peut apprendre. Qui coupe les gradients, et quand ?
    """

    def forward(self, src, tgt, src_mask=None):
        with torch.no_grad():
            return super().forward(src, tgt, src_mask)


class Seq2Seq__first_id_overwritten(Seq2Seq):
    """The first id of each target is overwritten, in the caller's tensor too: the target begins with a start
    id already.

    fr: Le premier identifiant de chaque cible est écrasé, y compris dans le tenseur de l'appelant : la cible
    commence déjà par un identifiant de départ.
    """

    def embed_target(self, tgt):
        tgt[:, 0] = 1
        return super().embed_target(tgt)
