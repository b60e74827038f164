"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch
from torch import nn

from solutions.grouped_query_attention import GroupedQueryAttention__without_rotary
from solutions.llama_block import LlamaBlock, LlamaBlock__post_norm
from solutions.rms_norm import RMSNorm
from solutions.rotary import rotary


class LlamaModel(nn.Module):
    def __init__(self, vocab_size, dim, num_layers, num_heads, num_kv_heads, hidden_dim):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocab_size, dim)
        self.layers = nn.ModuleList(
            LlamaBlock(dim, num_heads, num_kv_heads, hidden_dim) for _ in range(num_layers)
        )
        self.norm = RMSNorm(dim, 1e-6)
        self.lm_head = nn.Linear(dim, vocab_size, bias=False)

    def embed(self, input_ids):
        return self.word_embeddings(input_ids)

    def through(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def finish(self, x):
        return self.norm(x)

    def score(self, x):
        return self.lm_head(x)

    def give(self, logits):
        return logits

    def forward(self, input_ids):
        return self.give(self.score(self.finish(self.through(self.embed(input_ids)))))


class LlamaModel__without_final_norm(LlamaModel):
    """The last norm is not used: with the norms before the parts, nothing has normalised the sum that reaches
    lm_head.

    fr: La dernière norme ne sert pas : quand les normes précèdent les parties, rien n'a normalisé la somme
    qui arrive à lm_head.
    """

    def finish(self, x):
        return x


class LlamaModel__final_norm_missing(LlamaModel):
    """There is no norm between the last block and lm_head, and its weight is missing. Where the norms stand
    before the parts, one more is due at the end.

    fr: Il n'y a pas de norme entre le dernier bloc et lm_head, et son poids manque. Quand les normes
    précèdent les parties, il en faut une de plus à la fin.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.norm = nn.Identity()


class LlamaModel__norm_at_the_bottom(LlamaModel):
    """The norm stands behind the words' table, and none before lm_head.

    fr: La norme suit la table des mots, et aucune ne précède lm_head.
    """

    def embed(self, input_ids):
        return self.norm(super().embed(input_ids))

    def finish(self, x):
        return x


class LlamaModel__centred_final_norm(LlamaModel):
    """The last norm subtracts the mean, as a LayerNorm does. RMSNorm leaves it where it is.

    fr: La dernière norme soustrait la moyenne, comme une LayerNorm. RMSNorm la laisse en place.
    """

    def finish(self, x):
        return super().finish(x - x.mean(-1, keepdim=True))


class LlamaModel__post_norm(LlamaModel):
    """In the blocks the norms come after the sums (post-norm); one stands before each part.

    fr: Dans les blocs, les normes viennent après les sommes (post-norm) ; une norme précède chaque partie.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for layer in self.layers:
            layer.__class__ = LlamaBlock__post_norm


class LlamaModel__without_positions(LlamaModel):
    """No position shows anywhere: queries and keys are turned in no block.

    fr: Aucune position ne se voit nulle part : les requêtes et les clés ne sont tournées dans aucun bloc.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for layer in self.layers:
            layer.attention.__class__ = GroupedQueryAttention__without_rotary


class LlamaModel__turned_once_at_the_bottom(LlamaModel__without_positions):
    """The words are turned once, before the first block, and no queries and keys. Each block turns its
    queries and keys.

    fr: Les mots sont tournés une fois, avant le premier bloc, et aucune requête ni clé ne l'est. Chaque bloc
    tourne ses requêtes et ses clés.
    """

    def embed(self, input_ids):
        return rotary(super().embed(input_ids)[:, None])[:, 0]


class LlamaModel__turned_in_the_first_block_alone(LlamaModel):
    """Queries and keys are turned in the first block alone; each block turns its own.

    fr: Les requêtes et les clés ne sont tournées que dans le premier bloc ; chaque bloc tourne les siennes.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for layer in self.layers[1:]:
            layer.attention.__class__ = GroupedQueryAttention__without_rotary


class LlamaModel__sinusoids_added(LlamaModel):
    """A table of positions is added to the words as well. The turned queries and keys tell all positions.

    fr: Une table de positions est ajoutée aux mots en plus. Les requêtes et les clés tournées disent toutes
    les positions.
    """

    def embed(self, input_ids):
        words = super().embed(input_ids)
        speeds = 10000.0 ** (-torch.arange(0, words.shape[-1], 2, dtype=words.dtype) / words.shape[-1])
        angles = torch.arange(words.shape[1], dtype=words.dtype)[:, None] * speeds
        return words + torch.stack([angles.sin(), angles.cos()], -1).flatten(-2)


class LlamaModel__words_scaled(LlamaModel):
    """The words are multiplied by the root of dim, as in the first Transformer. Llama takes them as they are.

    fr: Les mots sont multipliés par la racine de dim, comme dans le premier Transformer. Llama les prend tels
    quels.
    """

    def embed(self, input_ids):
        return super().embed(input_ids) * math.sqrt(self.lm_head.in_features)


class LlamaModel__blocks_share_weights(LlamaModel):
    """All blocks are the same one, with the same weights. How often is a block made?

    fr: Tous les blocs n'en font qu'un, avec les mêmes poids. Combien de fois un bloc est-il construit ?
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.layers = nn.ModuleList([self.layers[0]] * len(self.layers))


class LlamaModel__blocks_not_chained(LlamaModel):
    """Every block gets the words, and only the last one's answer is used; each should get the one before's.

    fr: Chaque bloc reçoit les mots, et seule la réponse du dernier sert ; chacun doit recevoir celle du
    précédent.
    """

    def through(self, x):
        return self.layers[-1](x)


class LlamaModel__blocks_in_a_list(LlamaModel):
    """The blocks are kept in a plain list, where PyTorch does not find their parameters.

    fr: Les blocs sont rangés dans une liste ordinaire, où PyTorch ne trouve pas leurs paramètres.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        layers = list(self.layers)
        del self.layers
        self.layers = layers


class LlamaModel__one_block_too_few(LlamaModel):
    """There is one block too few. From where to where do you count them?

    fr: Il manque un bloc. D'où à où les comptez-vous ?
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.layers = self.layers[1:]


class LlamaModel__last_block_unused(LlamaModel):
    """The last block is there but not used. Where does the loop over the blocks end?

    fr: Le dernier bloc existe mais ne sert pas. Où s'arrête la boucle sur les blocs ?
    """

    def through(self, x):
        for layer in self.layers[:-1]:
            x = layer(x)
        return x


class LlamaModel__blocks_backwards(LlamaModel):
    """The blocks are used from the last to the first.

    fr: Les blocs sont utilisés du dernier au premier.
    """

    def through(self, x):
        for layer in reversed(self.layers):
            x = layer(x)
        return x


class LlamaModel__words_added_again(LlamaModel):
    """The words are added once more to what the last block gave; the blocks hold all the sums there are.

    fr: Les mots sont ajoutés une fois de plus à ce qu'a donné le dernier bloc ; toutes les sommes sont dans
    les blocs.
    """

    def through(self, x):
        return x + super().through(x)


class LlamaModel__without_head(LlamaModel):
    """The hidden states come back; the last layer should make a score for each word of the vocabulary of
    them.

    fr: Ce sont les états cachés qui sont rendus ; la dernière couche doit en tirer un score par mot du
    vocabulaire.
    """

    def score(self, x):
        return x


class LlamaModel__softmax(LlamaModel):
    """Probabilities come back; logits are the scores before any softmax, and the loss applies its own.

    fr: Ce sont des probabilités qui sont rendues ; les logits sont les scores avant tout softmax, et la perte
    applique le sien.
    """

    def give(self, logits):
        return logits.softmax(-1)


class LlamaModel__log_softmax(LlamaModel):
    """Log-probabilities come back; logits are the scores before any softmax, and the loss applies its own.

    fr: Ce sont des log-probabilités qui sont rendues ; les logits sont les scores avant tout softmax, et la
    perte applique le sien.
    """

    def give(self, logits):
        return logits.log_softmax(-1)


class LlamaModel__returns_words(LlamaModel):
    """The most likely words come back; the scores of all words are due.

    fr: Ce sont les mots les plus probables qui sont rendus ; on attend les scores de tous les mots.
    """

    def give(self, logits):
        return logits.argmax(-1)


class LlamaModel__last_position_only(LlamaModel):
    """Only the last position's logits come back; training needs those of every position.

    fr: Seuls les logits de la dernière position sont rendus ; l'entraînement demande ceux de chaque position.
    """

    def give(self, logits):
        return logits[:, -1:]


class LlamaModel__logits_shifted(LlamaModel):
    """The logits are shifted by one position; it is the loss that compares each with the next word.

    fr: Les logits sont décalés d'une position ; c'est la perte qui compare chacun au mot suivant.
    """

    def give(self, logits):
        return logits.roll(1, 1)


class LlamaModel__returns_a_dict(LlamaModel):
    """A dict comes back; the logits themselves are due.

    fr: C'est un dictionnaire qui est rendu ; on attend les logits eux-mêmes.
    """

    def give(self, logits):
        return {"logits": logits}


class LlamaModel__words_detached(LlamaModel):
    """The words are cut off from the gradients: their table learns nothing.

    fr: Les mots sont coupés des gradients : leur table n'apprend rien.
    """

    def embed(self, input_ids):
        return super().embed(input_ids).detach()


class LlamaModel__without_gradients(LlamaModel):
    """No gradient is kept at all, so that nothing can learn. What switches gradients off, and when?

    fr: Aucun gradient n'est gardé, si bien que rien ne peut apprendre. Qui coupe les gradients, et quand ?
    """

    def forward(self, input_ids):
        with torch.no_grad():
            return super().forward(input_ids)


class LlamaModel__num_kv_heads_ignored(LlamaModel):
    """The blocks have as many heads of keys and values as of queries: num_kv_heads does not reach them.

    fr: Les blocs ont autant de têtes de clés et de valeurs que de requêtes : num_kv_heads ne leur parvient
    pas.
    """

    def __init__(self, vocab_size, dim, num_layers, num_heads, num_kv_heads, hidden_dim):
        super().__init__(vocab_size, dim, num_layers, num_heads, num_heads, hidden_dim)


class LlamaModel__with_biases(LlamaModel):
    """There are biases. Here no layer has one: look at the arguments of nn.Linear.

    fr: Il y a des biais. Ici, aucune couche n'en a : regardez les arguments de nn.Linear.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for layer in self.layers.modules():
            if isinstance(layer, nn.Linear):
                layer.bias = nn.Parameter(torch.zeros(layer.out_features))


class LlamaModel__overwrites_the_first_word(LlamaModel):
    """The first id of each sequence is overwritten, in the caller's tensor too. Nothing starts a sequence
    here.

    fr: Le premier identifiant de chaque séquence est écrasé, y compris dans le tenseur de l'appelant. Ici,
    rien ne marque le début d'une séquence.
    """

    def embed(self, input_ids):
        input_ids[:, 0] = 0
        return super().embed(input_ids)


class LlamaModel__batch_not_first(LlamaModel):
    """The blocks run along the batch: the first two axes are taken for (S, B). Look for a transpose.

    fr: Les blocs portent sur le lot : les deux premiers axes sont pris pour (S, B). Cherchez une
    transposition.
    """

    def through(self, x):
        return super().through(x.transpose(0, 1)).transpose(0, 1)
