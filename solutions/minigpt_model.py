"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch
from torch import nn
from torch.nn import functional

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
HALF = ("mixes_without_attention",)
TOLD = ("loss_first",)  # the check on the form says it; all others read both wherever they stand


class Attention(nn.Module):
    def __init__(self, n_embd, n_head, dropout):
        super().__init__()
        self.n_head, self.dropout = n_head, dropout
        self.qkv = nn.Linear(n_embd, 3 * n_embd)
        self.proj = nn.Linear(n_embd, n_embd)

    def attend(self, q, k, v):
        dropout = self.dropout if self.training else 0.0
        return functional.scaled_dot_product_attention(q, k, v, dropout_p=dropout, is_causal=True)

    def forward(self, x):
        q, k, v = (part.unflatten(-1, (self.n_head, -1)).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))
        return self.proj(self.attend(q, k, v).transpose(1, 2).flatten(2))


class Block(nn.Module):
    def __init__(self, n_embd, n_head, dropout, attention=Attention):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(n_embd), nn.LayerNorm(n_embd)
        self.attention = attention(n_embd, n_head, dropout)
        self.feed_forward = nn.Sequential(
            nn.Linear(n_embd, 4 * n_embd), nn.GELU(), nn.Linear(4 * n_embd, n_embd)
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        x = x + self.dropout(self.attention(self.norm1(x)))
        return x + self.dropout(self.feed_forward(self.norm2(x)))


class MiniGPT(nn.Module):
    attention = Attention

    def __init__(self, vocab_size, block_size, n_embd, n_head, n_layer, dropout=0.0):
        super().__init__()
        self.token_embedding = nn.Embedding(vocab_size, n_embd)
        self.position_embedding = nn.Embedding(block_size, n_embd)
        self.dropout = nn.Dropout(dropout)
        self.blocks = nn.ModuleList(Block(n_embd, n_head, dropout, self.attention) for _ in range(n_layer))
        self.norm = nn.LayerNorm(n_embd)
        self.lm_head = nn.Linear(n_embd, vocab_size)

    def positions(self, idx):
        return self.position_embedding(torch.arange(idx.shape[1], device=idx.device))

    def embed(self, idx):
        return self.dropout(self.token_embedding(idx) + self.positions(idx))

    def through(self, x):
        for block in self.blocks:
            x = block(x)
        return x

    def score(self, x):
        return self.lm_head(self.norm(x))

    def logits(self, idx):
        return self.score(self.through(self.embed(idx)))

    def entropy(self, logits, targets):
        return functional.cross_entropy(logits, targets)

    def loss(self, logits, targets):
        return self.entropy(logits.flatten(0, 1), targets.flatten())

    def give(self, logits):
        return logits

    def give_both(self, logits, loss):
        return self.give(logits), loss

    def forward(self, idx, targets=None):
        logits = self.logits(idx)
        return self.give(logits) if targets is None else self.give_both(logits, self.loss(logits, targets))


class _Masked(Attention):
    """An attention with replaceable masking, for the mistakes."""

    def attend(self, q, k, v):
        mask = self.allowed(torch.ones(q.shape[2], q.shape[2], dtype=torch.bool))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        return scores.masked_fill(~mask, -math.inf).softmax(-1) @ v


class _Unmasked(_Masked):
    def allowed(self, ones):
        return ones


class _Transposed(_Masked):
    def allowed(self, ones):
        return ones.triu()


class _Inverted(_Masked):
    def allowed(self, ones):
        return ones.triu(1)


class _OneAhead(_Masked):
    def allowed(self, ones):
        return ones.tril(1)


class _Blind(_Masked):
    def allowed(self, ones):
        return ones.tril(-1)


class _Present(_Masked):
    def allowed(self, ones):
        return ones.tril().triu()


class _Neighbours(_Masked):
    def allowed(self, ones):
        return ones.tril().triu(-1)


class _Mean(_Masked):
    def forward(self, x):
        allowed = torch.ones(x.shape[1], x.shape[1], dtype=x.dtype).tril()
        values = self.qkv(x).chunk(3, -1)[2]
        return self.proj(allowed / allowed.sum(-1, keepdim=True) @ values)


class _OverTheBatch(Attention):
    def forward(self, x):
        return super().forward(x.transpose(0, 1)).transpose(0, 1)


class MiniGPT__not_causal(MiniGPT):
    """Every position sees the future. Where are the later keys hidden from a query, and before the softmax?

    fr: Chaque position voit le futur. Où les clés ultérieures sont-elles cachées à une requête, et avant le
    softmax ?
    """

    attention = _Unmasked


class MiniGPT__causal_transposed(MiniGPT):
    """The mask is transposed: each position sees itself and the future, and not the past. Rows are queries,
    columns are keys.

    fr: Le masque est à l'envers : chaque position se voit et voit le futur, mais pas le passé. Les lignes
    sont les requêtes, les colonnes les clés.
    """

    attention = _Transposed


class MiniGPT__causal_inverted(MiniGPT):
    """The mask is inverted: the last position sees nothing at all, and the softmax over nothing is NaN. Which
    value of tril stands for hidden?

    fr: Le masque est inversé : la dernière position ne voit rien du tout, et le softmax sur rien donne NaN.
    Quelle valeur de tril veut dire caché ?
    """

    attention = _Inverted


class MiniGPT__sees_one_ahead(MiniGPT):
    """The mask is off by one: each position sees the next, which it should predict. Look at the triangle's
    diagonal.

    fr: Le masque est décalé d'un cran : chaque position voit la suivante, qu'elle doit justement prédire.
    Regardez la diagonale du triangle.
    """

    attention = _OneAhead


class MiniGPT__blind_to_itself(MiniGPT):
    """No position sees itself: the first one sees nothing at all, and the softmax over nothing is NaN. Look
    at the triangle's diagonal.

    fr: Aucune position ne se voit elle-même : la première ne voit rien du tout, et le softmax sur rien donne
    NaN. Regardez la diagonale du triangle.
    """

    attention = _Blind


class MiniGPT__sees_the_present_alone(MiniGPT):
    """A position sees itself alone, so that this is a bigram model with positions. Does the attention mix
    them at all?

    fr: Une position ne voit qu'elle-même : c'est un modèle bigramme avec des positions. L'attention les
    mélange-t-elle seulement ?
    """

    attention = _Present


class MiniGPT__sees_two_alone(MiniGPT):
    """A position sees itself and the one before, and no further back; the whole past is due.

    fr: Une position ne voit qu'elle-même et la précédente ; c'est tout le passé qui est attendu.
    """

    attention = _Neighbours


class MiniGPT__mixes_without_attention(MiniGPT):
    """The ids before a position are mixed with weights that do not depend on what they are: as a sum, a mean,
    or by their positions. Where is a query compared with the keys?

    fr: Les identifiants qui précèdent une position sont mélangés avec des poids qui ne dépendent pas de ce
    qu'ils sont : une somme, une moyenne, ou selon les positions. Où une requête est-elle comparée aux
    clés ?
    """

    attention = _Mean


class MiniGPT__attends_over_the_batch(MiniGPT):
    """The sequences of a batch attend to one another. Which axis does the attention take for positions?
    nn.MultiheadAttention wants batch_first=True here.

    fr: Les séquences d'un lot se prêtent attention entre elles. Quel axe l'attention prend-elle pour les
    positions ? nn.MultiheadAttention demande ici batch_first=True.
    """

    attention = _OverTheBatch


class MiniGPT__no_positions(MiniGPT):
    """The model has no information about positions: to the attention, earlier ids have no order.

    fr: Rien n'indique les positions : pour l'attention, les identifiants précédents sont un tas sans ordre.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        del self.position_embedding

    def positions(self, idx):
        return 0.0


class MiniGPT__positions_not_added(MiniGPT):
    """There is a table of positions, but it is not added to the embeddings of the tokens.

    fr: Il y a une table de positions, mais elle n'est pas ajoutée aux embeddings des tokens.
    """

    def positions(self, idx):
        return 0.0


class MiniGPT__positions_from_the_end(MiniGPT):
    """Positions are counted from the end, so that they change with the length. The first id stands at 0.

    fr: Les positions sont comptées depuis la fin, si bien qu'elles changent avec la longueur. Le premier
    identifiant est en 0.
    """

    def positions(self, idx):
        return super().positions(idx).flip(0)


class MiniGPT__one_position_short(MiniGPT):
    """There is one position too few: a sequence of block_size ids does not fit.

    fr: Il manque une position : une séquence de block_size identifiants ne passe pas.
    """

    def __init__(self, vocab_size, block_size, n_embd, n_head, n_layer, dropout=0.0):
        super().__init__(vocab_size, block_size - 1, n_embd, n_head, n_layer, dropout)


class MiniGPT__whole_blocks_only(MiniGPT):
    """Only sequences of exactly block_size ids fit. Cut positions and mask to T.

    fr: Seules passent les séquences d'exactement block_size identifiants. Coupez positions et masque à T.
    """

    def positions(self, idx):
        return self.position_embedding.weight


class MiniGPT__one_layer_short(MiniGPT):
    """There is one block too few. From where to where do you count them?

    fr: Il manque un bloc. D'où à où les comptez-vous ?
    """

    def __init__(self, vocab_size, block_size, n_embd, n_head, n_layer, dropout=0.0):
        super().__init__(vocab_size, block_size, n_embd, n_head, n_layer - 1, dropout)


class MiniGPT__last_block_unused(MiniGPT):
    """The last block is there but not used. Where does the loop over the blocks end?

    fr: Le dernier bloc existe mais ne sert pas. Où s'arrête la boucle sur les blocs ?
    """

    def through(self, x):
        for block in self.blocks[:-1]:
            x = block(x)
        return x


class MiniGPT__one_layer(MiniGPT):
    """There is always the same number of blocks, whatever n_layer says.

    fr: Il y a toujours le même nombre de blocs, quoi que dise n_layer.
    """

    def __init__(self, vocab_size, block_size, n_embd, n_head, n_layer, dropout=0.0):
        super().__init__(vocab_size, block_size, n_embd, n_head, 1, dropout)


class MiniGPT__blocks_share_weights(MiniGPT):
    """All blocks are the same one, with the same weights. How often is a block made?

    fr: Tous les blocs n'en font qu'un, avec les mêmes poids. Combien de fois un bloc est-il construit ?
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.blocks = nn.ModuleList([self.blocks[0]] * len(self.blocks))


class MiniGPT__one_head(MiniGPT):
    """There is always the same number of heads, whatever n_head says.

    fr: Il y a toujours le même nombre de têtes, quoi que dise n_head.
    """

    def __init__(self, vocab_size, block_size, n_embd, n_head, n_layer, dropout=0.0):
        super().__init__(vocab_size, block_size, n_embd, 1, n_layer, dropout)


class MiniGPT__fixed_width(MiniGPT):
    """The model always has the same width, whatever n_embd says.

    fr: Le modèle a toujours la même largeur, quoi que dise n_embd.
    """

    def __init__(self, vocab_size, block_size, n_embd, n_head, n_layer, dropout=0.0):
        super().__init__(vocab_size, block_size, 8 * n_head, n_head, n_layer, dropout)


class MiniGPT__fixed_vocabulary(MiniGPT):
    """There are scores for 65 ids, whatever vocab_size says.

    fr: Il y a des scores pour 65 identifiants, quoi que dise vocab_size.
    """

    def __init__(self, vocab_size, block_size, n_embd, n_head, n_layer, dropout=0.0):
        super().__init__(65, block_size, n_embd, n_head, n_layer, dropout)


class MiniGPT__without_head(MiniGPT):
    """The hidden states come back; a last layer should make a score for each id of them.

    fr: Ce sont les états cachés qui sont rendus ; une dernière couche doit en tirer un score par identifiant.
    """

    def logits(self, idx):
        return self.norm(self.through(self.embed(idx)))

    def loss(self, logits, targets):
        return super().loss(self.lm_head(logits), targets)


class MiniGPT__without_dropout(MiniGPT):
    """Nothing is dropped in training, whatever dropout says. Where does its rate go?

    fr: Aucune valeur n'est annulée à l'entraînement, quoi que dise dropout. Où va son taux ?
    """

    def __init__(self, vocab_size, block_size, n_embd, n_head, n_layer, dropout=0.0):
        super().__init__(vocab_size, block_size, n_embd, n_head, n_layer)


class MiniGPT__dropout_of_its_own_rate(MiniGPT):
    """Something is dropped in training where no dropout was asked for: the rate is a fixed one.

    fr: Des valeurs sont annulées à l'entraînement alors qu'aucun dropout n'est demandé : le taux est fixe.
    """

    def __init__(self, vocab_size, block_size, n_embd, n_head, n_layer, dropout=0.0):
        super().__init__(vocab_size, block_size, n_embd, n_head, n_layer, 0.2)


class MiniGPT__dropout_in_evaluation(MiniGPT):
    """Something is dropped in evaluation too. Does the dropout know whether the model is in training?

    fr: Le dropout agit aussi en évaluation. Sait-il si le modèle est en entraînement ?
    """

    def embed(self, idx):
        return functional.dropout(super().embed(idx), self.dropout.p)


class MiniGPT__softmax(MiniGPT):
    """Probabilities come back; logits are the scores before any softmax.

    fr: Ce sont des probabilités qui sont rendues ; les logits sont les scores avant tout softmax.
    """

    def give(self, logits):
        return logits.softmax(-1)


class MiniGPT__softmax_before_the_loss(MiniGPT):
    """Probabilities come back, and the loss is computed from them, though cross_entropy applies a softmax of
    its own.

    fr: Ce sont des probabilités qui sont rendues, et la perte en est tirée, alors que cross_entropy applique
    son propre softmax.
    """

    def score(self, x):
        return super().score(x).softmax(-1)


class MiniGPT__loss_of_probabilities(MiniGPT):
    """A softmax stands before cross_entropy, which applies its own: the loss is that of probabilities taken
    for scores.

    fr: Un softmax précède cross_entropy, qui applique le sien : la perte est celle de probabilités prises
    pour des scores.
    """

    def entropy(self, logits, targets):
        return super().entropy(logits.softmax(-1), targets)


class MiniGPT__loss_summed(MiniGPT):
    """The loss is summed over all positions; their mean is due.

    fr: La perte est sommée sur toutes les positions ; c'est leur moyenne qu'on attend.
    """

    def entropy(self, logits, targets):
        return functional.cross_entropy(logits, targets, reduction="sum")


class MiniGPT__loss_per_sequence(MiniGPT):
    """The loss is averaged over the sequences and summed over their positions; average over both.

    fr: La perte est une moyenne sur les séquences et une somme sur leurs positions ; faites la moyenne sur
    les deux.
    """

    def loss(self, logits, targets):
        return super().loss(logits, targets) * targets.shape[1]


class MiniGPT__loss_in_bits(MiniGPT):
    """The loss is in bits; nats are due, as cross_entropy gives them.

    fr: La perte est en bits ; on attend des nats, comme les donne cross_entropy.
    """

    def entropy(self, logits, targets):
        return super().entropy(logits, targets) / math.log(2)


class MiniGPT__loss_without_softmax(MiniGPT):
    """nll_loss is given raw scores; it expects log-probabilities, so a log_softmax is missing.

    fr: nll_loss reçoit des scores bruts ; il attend des log-probabilités, il manque donc un log_softmax.
    """

    def entropy(self, logits, targets):
        return functional.nll_loss(logits, targets)


class MiniGPT__read_in_another_shape(MiniGPT):
    """For the loss, the logits are read in another shape, which mixes positions and ids; two axes should
    change places, or the first two become one.

    fr: Pour la perte, les logits sont relus sous une autre forme, ce qui mélange positions et identifiants ;
    il faut échanger deux axes, ou réunir les deux premiers en un seul.
    """

    def loss(self, logits, targets):
        batch, length, words = logits.shape
        return functional.cross_entropy(logits.reshape(batch, words, length), targets)


class MiniGPT__targets_shifted_again(MiniGPT):
    """The targets are shifted once more: targets[t] already is what follows idx[t].

    fr: Les cibles sont décalées une fois de plus : targets[t] est déjà ce qui suit idx[t].
    """

    def loss(self, logits, targets):
        return super().loss(logits[:, :-1], targets[:, 1:])


class MiniGPT__loss_of_the_last(MiniGPT):
    """The loss counts the last position alone; every position counts.

    fr: La perte ne compte que la dernière position ; chaque position est une leçon.
    """

    def loss(self, logits, targets):
        return super().loss(logits[:, -1:], targets[:, -1:])


class MiniGPT__id_0_ignored(MiniGPT):
    """Targets of id 0 are left out of the loss, as if it were padding; here it is a character as any other.

    fr: Les cibles d'identifiant 0 sont exclues de la perte, comme si c'était du padding ; ici, c'est un
    caractère comme un autre.
    """

    def entropy(self, logits, targets):
        return functional.cross_entropy(logits, targets, ignore_index=0)


class MiniGPT__idx_as_targets(MiniGPT):
    """The loss is that of the input itself, not of what follows it: what is compared with what?

    fr: La perte est celle de l'entrée elle-même, non de ce qui la suit : qui est comparé à qui ?
    """

    def forward(self, idx, targets=None):
        return super().forward(idx, None if targets is None else idx)


class MiniGPT__loss_as_a_number(MiniGPT):
    """The loss comes back as a Python number, from which no gradient flows. Leave .item() to whoever prints
    it.

    fr: La perte est rendue comme un nombre Python, d'où aucun gradient ne part. Laissez .item() à qui
    l'affiche.
    """

    def loss(self, logits, targets):
        return super().loss(logits, targets).item()


class MiniGPT__loss_detached(MiniGPT):
    """The loss is cut off from the gradients, so that nothing can learn from it. What detaches it?

    fr: La perte est coupée des gradients, si bien que rien ne peut en apprendre. Qui la détache ?
    """

    def loss(self, logits, targets):
        return super().loss(logits, targets).detach()


class MiniGPT__loss_alone(MiniGPT):
    """With targets the loss alone comes back; the logits should come before it.

    fr: Avec des cibles, seule la perte est rendue ; on attend les logits devant elle.
    """

    def give_both(self, logits, loss):
        return loss


class MiniGPT__loss_first(MiniGPT):
    """The loss comes first; the pair is (logits, loss).

    fr: La perte vient en premier ; la paire est (logits, loss).
    """

    def give_both(self, logits, loss):
        return loss, self.give(logits)


class MiniGPT__targets_unused(MiniGPT):
    """There is no loss, whatever the targets. What should forward do where it gets some?

    fr: Il n'y a pas de perte, quelles que soient les cibles. Que doit faire forward quand il en reçoit ?
    """

    def give_both(self, logits, loss):
        return self.give(logits), None


class MiniGPT__always_a_loss(MiniGPT):
    """Without targets it fails: there is nothing to compute a loss from, and the logits alone are due.

    fr: Sans cibles, il échoue : rien ne permet de calculer une perte, et seuls les logits sont attendus.
    """

    def forward(self, idx, targets=None):
        logits = self.logits(idx)
        return self.give_both(logits, self.loss(logits, targets))


class MiniGPT__flat_without_targets(MiniGPT):
    """The logits are flattened to (B * T, V) also where no loss is computed; (B, T, V) is due.

    fr: Les logits sont aplatis en (B * T, V) même quand aucune perte n'est calculée ; on attend (B, T, V).
    """

    def give(self, logits):
        return logits.flatten(0, 1)


class MiniGPT__logits_of_the_last(MiniGPT):
    """Only the last position's logits come back; that is for generating, where the caller takes them.

    fr: Seuls les logits de la dernière position sont rendus ; c'est pour générer, et l'appelant s'en charge.
    """

    def give(self, logits):
        return logits[:, -1]


class MiniGPT__ids_before_positions(MiniGPT):
    """The logits come back as (B, V, T), as cross_entropy can take them; (B, T, V) is due.

    fr: Les logits sont rendus en (B, V, T), comme cross_entropy les accepte ; on attend (B, T, V).
    """

    def give(self, logits):
        return logits.transpose(1, 2)


class MiniGPT__embeddings_detached(MiniGPT):
    """The embeddings are cut off from the gradients: their tables learn nothing.

    fr: Les embeddings sont coupés des gradients : leurs tables n'apprennent rien.
    """

    def embed(self, idx):
        return super().embed(idx).detach()


class MiniGPT__without_gradients(MiniGPT):
    """No gradient is kept at all, so that nothing can learn. What switches gradients off, and when?

    fr: Aucun gradient n'est gardé, si bien que rien ne peut apprendre. Qui coupe les gradients, et quand ?
    """

    def forward(self, idx, targets=None):
        with torch.no_grad():
            return super().forward(idx, targets)


class MiniGPT__first_id_overwritten(MiniGPT):
    """The first id of each sequence is overwritten, in the caller's tensor too. Nothing starts a sequence
    here.

    fr: Le premier identifiant de chaque séquence est écrasé, y compris dans le tenseur de l'appelant. Ici,
    rien ne marque le début d'une séquence.
    """

    def embed(self, idx):
        idx[:, 0] = 0
        return super().embed(idx)
