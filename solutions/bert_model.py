"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch
from torch import nn

from solutions.bert_embeddings import BertEmbeddings
from solutions.bert_encoder import BertEncoder


class SimpleBertModel(nn.Module):
    def __init__(
        self,
        vocab_size=30522,
        hidden_size=128,
        num_heads=4,
        num_layers=4,
        intermediate_size=256,
        max_position_embeddings=512,
        type_vocab_size=2,
    ):
        super().__init__()
        self.embeddings = BertEmbeddings(vocab_size, hidden_size, max_position_embeddings, type_vocab_size)
        self.encoder = BertEncoder(num_layers, hidden_size, num_heads, intermediate_size)

    def placed(self, mask):
        return mask[:, None, None, :]  # (B, 1, 1, S): for all heads and all queries

    def numbers(self, mask):
        return (1.0 - mask) * -1e9

    def added(self, mask, dtype):
        return self.numbers(self.placed(mask).to(dtype))

    def embed(self, input_ids, token_type_ids, attention_mask):
        return self.embeddings(input_ids, token_type_ids)

    def encode(self, states, attention_mask):
        added = None if attention_mask is None else self.added(attention_mask, states.dtype)
        return self.encoder(states, added)

    def forward(self, input_ids, token_type_ids=None, attention_mask=None):
        return self.encode(self.embed(input_ids, token_type_ids, attention_mask), attention_mask)


class SimpleBertModel__mask_inverted(SimpleBertModel):
    """The mask is read the other way round: 1 means kept, 0 means padding. Look at what the blocks are given,
    and at which scores they hide.

    fr: Le masque est lu à l'envers : 1 veut dire gardé, 0 remplissage. Regardez ce que les blocs reçoivent,
    et quels scores ils cachent.
    """

    def numbers(self, mask):
        return super().numbers(1.0 - mask)


class SimpleBertModel__mask_ignored(SimpleBertModel):
    """The mask has no effect: padding is attended to. Look at what the encoder gets.

    fr: Le masque n'a pas d'effet : l'attention porte aussi sur le remplissage. Regardez ce que reçoit
    l'encodeur.
    """

    def encode(self, states, attention_mask):
        return super().encode(states, None)


class SimpleBertModel__mask_as_it_is(SimpleBertModel):
    """The ones and zeros are added to the scores as they are, or -1 for padding; padding needs a large
    negative number.

    fr: Les uns et les zéros sont ajoutés aux scores tels quels, ou -1 pour le remplissage ; celui-ci demande
    un grand nombre négatif.
    """

    def numbers(self, mask):
        return mask


class SimpleBertModel__mask_too_small(SimpleBertModel):
    """What is added for padding is too small, so that a little of it is still attended to. Look at the
    negative number.

    fr: Ce qui est ajouté pour le remplissage est trop petit, et l'attention en voit encore un peu. Regardez
    le nombre négatif.
    """

    def numbers(self, mask):
        return super().numbers(mask) / 1e8


class SimpleBertModel__mask_on_queries(SimpleBertModel):
    """The mask lies along the queries, so that padding is attended to all the same; it belongs on the keys'
    axis, the last.

    fr: Le masque est placé le long des requêtes, et l'attention porte quand même sur le remplissage ; sa
    place est l'axe des clés, le dernier.
    """

    def placed(self, mask):
        return mask[:, None, :, None]

    def numbers(self, mask):
        return torch.zeros_like(mask).masked_fill(super().numbers(mask) < 0, torch.finfo(mask.dtype).min)


class SimpleBertModel__mask_of_first_sequence(SimpleBertModel):
    """The mask of the first sequence serves the whole batch; each sequence has its own.

    fr: Le masque de la première séquence sert à tout le lot ; chaque séquence a le sien.
    """

    def placed(self, mask):
        return super().placed(mask[:1])


class SimpleBertModel__padding_set_to_zero(SimpleBertModel):
    """The embeddings of padding are set to zero instead of being masked: the attention still gives them
    weight.

    fr: Les embeddings du remplissage sont mis à zéro au lieu d'être masqués : l'attention leur donne encore
    du poids.
    """

    def encode(self, states, attention_mask):
        if attention_mask is not None:
            states = states * attention_mask.unsqueeze(-1)
        return super().encode(states, None)


class SimpleBertModel__mask_as_segments(SimpleBertModel):
    """The embeddings get the attention mask in the place of the segments. Look at the order of the arguments.

    fr: Les embeddings reçoivent le masque d'attention à la place des segments. Regardez l'ordre des
    arguments.
    """

    def embed(self, input_ids, token_type_ids, attention_mask):
        return super().embed(input_ids, attention_mask, None)


class SimpleBertModel__segments_lost(SimpleBertModel):
    """The segments do not reach the embeddings. Look at what these are called with.

    fr: Les segments n'arrivent pas aux embeddings. Regardez avec quoi ceux-ci sont appelés.
    """

    def embed(self, input_ids, token_type_ids, attention_mask):
        return super().embed(input_ids, None, attention_mask)


class SimpleBertModel__always_causal(SimpleBertModel):
    """What comes later is always hidden, as in a decoder; BERT reads in both directions.

    fr: Ce qui suit est toujours caché, comme dans un décodeur ; BERT lit dans les deux sens.
    """

    def encode(self, states, attention_mask):
        length = states.shape[1]
        added = torch.full((length, length), -1e9, dtype=states.dtype).triu(1)
        if attention_mask is not None:
            added = added + self.added(attention_mask, states.dtype)
        return self.encoder(states, added)


class SimpleBertModel__final_norm(SimpleBertModel):
    """A further norm follows the encoder; in BERT each layer ends with its own.

    fr: Une norme de plus suit l'encodeur ; dans BERT chaque couche finit par la sienne.
    """

    def encode(self, states, attention_mask):
        return nn.functional.layer_norm(super().encode(states, attention_mask), states.shape[-1:], eps=1e-12)


class SimpleBertModel__embeddings_added_again(SimpleBertModel):
    """The embeddings are added to what the encoder gives; the encoder's output is the model's.

    fr: Les embeddings sont ajoutés à ce que donne l'encodeur ; la sortie de l'encodeur est celle du modèle.
    """

    def encode(self, states, attention_mask):
        return states + super().encode(states, attention_mask)


class SimpleBertModel__positions_added_twice(SimpleBertModel):
    """The positions are added once more before the encoder; they are in the embeddings already.

    fr: Les positions sont ajoutées une fois de plus avant l'encodeur ; elles sont déjà dans les embeddings.
    """

    def encode(self, states, attention_mask):
        positions = self.embeddings.position_embeddings.weight[: states.shape[1]]
        return super().encode(states + positions, attention_mask)


class SimpleBertModel__scaled_embeddings(SimpleBertModel):
    """The embeddings are multiplied by the root of the width, as in the first Transformer; BERT takes them as
    they are.

    fr: Les embeddings sont multipliés par la racine de la largeur, comme dans le premier Transformer ; BERT
    les prend tels quels.
    """

    def encode(self, states, attention_mask):
        return super().encode(states * math.sqrt(states.shape[-1]), attention_mask)


class SimpleBertModel__encoder_twice(SimpleBertModel):
    """The states go through the encoder twice.

    fr: Les états traversent l'encodeur deux fois.
    """

    def encode(self, states, attention_mask):
        return super().encode(super().encode(states, attention_mask), attention_mask)


class SimpleBertModel__without_encoder(SimpleBertModel):
    """The embeddings come back as they are: the encoder is built but not used.

    fr: Les embeddings sont rendus tels quels : l'encodeur est construit mais pas utilisé.
    """

    def encode(self, states, attention_mask):
        return states


class SimpleBertModel__with_the_words_head(SimpleBertModel):
    """Scores of all words come back: the head that guesses hidden words follows the encoder. It is no part of
    this model, whose output is the encoder's.

    fr: Ce sont les scores de tous les mots qui sont rendus : la tête qui devine les mots cachés suit
    l'encodeur. Elle ne fait pas partie de ce modèle, dont la sortie est celle de l'encodeur.
    """

    def __init__(self, vocab_size=30522, hidden_size=128, *args, **kwargs):
        super().__init__(vocab_size, hidden_size, *args, **kwargs)
        self.head = nn.Sequential(
            nn.Linear(hidden_size, hidden_size),
            nn.GELU(),
            nn.LayerNorm(hidden_size),
            nn.Linear(hidden_size, vocab_size),
        )

    def encode(self, states, attention_mask):
        return self.head(super().encode(states, attention_mask))


class SimpleBertModel__first_position_alone(SimpleBertModel):
    """Only the first position comes back, as for a classification; the output of every position is due.

    fr: Seule la première position est rendue, comme pour une classification ; la sortie de chaque position
    est attendue.
    """

    def encode(self, states, attention_mask):
        return super().encode(states, attention_mask)[:, 0]


class SimpleBertModel__returns_a_pair(SimpleBertModel):
    """The model returns a pair; one tensor (B, S, E) is due.

    fr: Le modèle rend une paire ; un seul tenseur (B, S, E) est attendu.
    """

    def forward(self, input_ids, token_type_ids=None, attention_mask=None):
        states = super().forward(input_ids, token_type_ids, attention_mask)
        return states, states[:, 0]


class SimpleBertModel__tables_swapped(SimpleBertModel):
    """The tables of positions and of segments have each other's size. Look at the order of the embeddings'
    arguments.

    fr: Les tables des positions et des segments ont chacune la taille de l'autre. Regardez l'ordre des
    arguments des embeddings.
    """

    def __init__(self, *args, max_position_embeddings=512, type_vocab_size=2, **kwargs):
        super().__init__(
            *args, max_position_embeddings=type_vocab_size, type_vocab_size=max_position_embeddings, **kwargs
        )


class SimpleBertModel__eight_heads_by_default(SimpleBertModel):
    """There are eight heads if num_heads is not given; the default is four.

    fr: Il y a huit têtes si num_heads n'est pas donné ; la valeur par défaut est quatre.
    """

    def __init__(self, vocab_size=30522, hidden_size=128, num_heads=8, *others, **kwargs):
        super().__init__(vocab_size, hidden_size, num_heads, *others, **kwargs)


class SimpleBertModel__sizes_of_bert_base(SimpleBertModel):
    """The default sizes are those of BERT base; here the defaults are smaller, as the contract says.

    fr: Les tailles par défaut sont celles de BERT base ; ici elles sont plus petites, comme le dit l'énoncé.
    """

    def __init__(
        self,
        vocab_size=30522,
        hidden_size=768,
        num_heads=12,
        num_layers=12,
        intermediate_size=3072,
        *others,
        **kwargs,
    ):
        super().__init__(vocab_size, hidden_size, num_heads, num_layers, intermediate_size, *others, **kwargs)


class SimpleBertModel__intermediate_size_ignored(SimpleBertModel):
    """The inner width of the layers is 4 * hidden_size, whatever intermediate_size says.

    fr: La largeur intérieure des couches est 4 * hidden_size, quoi que dise intermediate_size.
    """

    def __init__(
        self,
        vocab_size=30522,
        hidden_size=128,
        num_heads=4,
        num_layers=4,
        intermediate_size=256,
        *others,
        **kwargs,
    ):
        super().__init__(vocab_size, hidden_size, num_heads, num_layers, 4 * hidden_size, *others, **kwargs)


class SimpleBertModel__dropout_in_evaluation(SimpleBertModel):
    """Dropout acts in evaluation too: two calls answer differently. Look for a dropout that is always on.

    fr: Le dropout agit aussi en évaluation : deux appels répondent différemment. Cherchez un dropout toujours
    actif.
    """

    def embed(self, input_ids, token_type_ids, attention_mask):
        return nn.functional.dropout(super().embed(input_ids, token_type_ids, attention_mask), 0.1)


class SimpleBertModel__detached(SimpleBertModel):
    """The embeddings are cut off from the gradients and learn nothing. Look for detach, data and no_grad.

    fr: Les embeddings sont coupés des gradients et n'apprennent rien. Cherchez detach, data et no_grad.
    """

    def embed(self, input_ids, token_type_ids, attention_mask):
        return super().embed(input_ids, token_type_ids, attention_mask).detach()
