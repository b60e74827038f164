"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch
from torch import nn


class BertEmbeddings(nn.Module):
    def __init__(self, vocab_size, hidden_size, max_position_embeddings, type_vocab_size):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocab_size, hidden_size)
        self.position_embeddings = nn.Embedding(max_position_embeddings, hidden_size)
        self.token_type_embeddings = nn.Embedding(type_vocab_size, hidden_size)
        self.LayerNorm = nn.LayerNorm(hidden_size, eps=1e-12)
        self.dropout = nn.Dropout(0.1)

    def words(self, input_ids):
        return self.word_embeddings(input_ids)

    def position_ids(self, input_ids):
        return torch.arange(input_ids.shape[1], device=input_ids.device)

    def positions(self, input_ids):
        return self.position_embeddings(self.position_ids(input_ids))

    def segments(self, input_ids, token_type_ids):
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        return self.token_type_embeddings(token_type_ids)

    def norm(self, x):
        return self.LayerNorm(x)

    def drop(self, x):
        return self.dropout(x)

    def forward(self, input_ids, token_type_ids=None):
        words = self.words(input_ids)  # (B, S, E)
        positions = self.positions(input_ids)  # (S, E), the same for all sequences
        segments = self.segments(input_ids, token_type_ids)  # (B, S, E)
        return self.drop(self.norm(words + positions + segments))


class BertEmbeddings__without_positions(BertEmbeddings):
    """The positions are not added: the same word is the same vector everywhere. Look at what the sum is made
    of.

    fr: Les positions ne sont pas ajoutées : un même mot donne partout le même vecteur. Regardez de quoi la
    somme est faite.
    """

    def positions(self, input_ids):
        return super().positions(input_ids) * 0


class BertEmbeddings__one_position(BertEmbeddings):
    """Every place gets the vector of position 0. Look at the numbers that go into position_embeddings.

    fr: Chaque place reçoit le vecteur de la position 0. Regardez les nombres donnés à position_embeddings.
    """

    def position_ids(self, input_ids):
        return super().position_ids(input_ids) * 0


class BertEmbeddings__positions_from_one(BertEmbeddings):
    """The positions are counted from 1, so that the longest sequences do not fit; the first position is 0.

    fr: Les positions sont comptées à partir de 1, et les plus longues séquences n'entrent plus ; la première
    position est 0.
    """

    def position_ids(self, input_ids):
        return super().position_ids(input_ids) + 1


class BertEmbeddings__positions_by_batch(BertEmbeddings):
    """The position is the sequence's number in the batch, not the place within the sequence. Look at which
    axis is counted.

    fr: La position est le numéro de la séquence dans le lot, et non la place dans la séquence. Regardez quel
    axe est compté.
    """

    def position_ids(self, input_ids):
        return torch.arange(input_ids.shape[0], device=input_ids.device).unsqueeze(1)


class BertEmbeddings__positions_reversed(BertEmbeddings):
    """The positions are counted from the end of the sequence; they begin with 0 at its start.

    fr: Les positions sont comptées depuis la fin de la séquence ; elles commencent par 0 à son début.
    """

    def position_ids(self, input_ids):
        return super().position_ids(input_ids).flip(-1)


class BertEmbeddings__sinusoidal_positions(BertEmbeddings):
    """The positions are sines and cosines; in BERT they are learned, in a table like that of the words.

    fr: Les positions sont des sinus et des cosinus ; dans BERT elles sont apprises, dans une table comme
    celle des mots.
    """

    def __init__(self, vocab_size, hidden_size, max_position_embeddings, type_vocab_size):
        super().__init__(vocab_size, hidden_size, max_position_embeddings, type_vocab_size)
        del self.position_embeddings
        self.width = hidden_size

    def positions(self, input_ids):
        column = torch.arange(self.width)
        rates = 10000.0 ** (-(column - column % 2) / self.width)
        angles = self.position_ids(input_ids).unsqueeze(1) * rates
        return torch.where(column % 2 == 0, angles.sin(), angles.cos()).to(self.word_embeddings.weight.dtype)


class BertEmbeddings__without_segments(BertEmbeddings):
    """The segments are not added. Look at what the sum is made of.

    fr: Les segments ne sont pas ajoutés. Regardez de quoi la somme est faite.
    """

    def segments(self, input_ids, token_type_ids):
        return super().segments(input_ids, token_type_ids) * 0


class BertEmbeddings__segments_missing(BertEmbeddings):
    """There is no table of segments at all. Look at what __init__ should make, and at what the sum has.

    fr: Il n'y a aucune table des segments. Regardez ce que __init__ doit construire, et de quoi la somme est
    faite.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        del self.token_type_embeddings

    def segments(self, input_ids, token_type_ids):
        return 0


class BertEmbeddings__always_first_segment(BertEmbeddings):
    """Every word counts as segment 0, whatever token_type_ids says. Look at what goes into
    token_type_embeddings.

    fr: Chaque mot compte comme segment 0, quoi que dise token_type_ids. Regardez ce que token_type_embeddings
    reçoit.
    """

    def segments(self, input_ids, token_type_ids):
        return super().segments(input_ids, None)


class BertEmbeddings__segment_one_by_default(BertEmbeddings):
    """Without token_type_ids, all words count as segment 1; they belong to segment 0.

    fr: Sans token_type_ids, tous les mots comptent comme segment 1 ; ils appartiennent au segment 0.
    """

    def segments(self, input_ids, token_type_ids):
        return super().segments(
            input_ids, torch.ones_like(input_ids) if token_type_ids is None else token_type_ids
        )


class BertEmbeddings__no_segment_by_default(BertEmbeddings):
    """Without token_type_ids, no segment is added at all; all words then belong to segment 0, whose vector
    counts.

    fr: Sans token_type_ids, aucun segment n'est ajouté ; tous les mots sont alors du segment 0, dont le
    vecteur compte.
    """

    def segments(self, input_ids, token_type_ids):
        return super().segments(input_ids, token_type_ids) * (token_type_ids is not None)


class BertEmbeddings__scaled_words(BertEmbeddings):
    """The words' vectors are multiplied by the root of the width, as in the first Transformer; BERT adds them
    as they are.

    fr: Les vecteurs des mots sont multipliés par la racine de la largeur, comme dans le premier Transformer ;
    BERT les ajoute tels quels.
    """

    def words(self, input_ids):
        words = super().words(input_ids)
        return words * math.sqrt(words.shape[-1])


class BertEmbeddings__without_norm(BertEmbeddings):
    """The sum is not normalised. Look at what happens to it before the dropout.

    fr: La somme n'est pas normalisée. Regardez ce qu'elle devient avant le dropout.
    """

    def norm(self, x):
        return x


class BertEmbeddings__norm_missing(BertEmbeddings):
    """There is no layer norm at all. Look at what __init__ should make, and at what happens to the sum.

    fr: Il n'y a aucune normalisation. Regardez ce que __init__ doit construire, et ce que devient la somme.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        del self.LayerNorm

    def norm(self, x):
        return x


class BertEmbeddings__norm_of_words_alone(BertEmbeddings):
    """Only the words' vectors are normalised, before the sum; the norm belongs after the sum of all three.

    fr: Seuls les vecteurs des mots sont normalisés, avant la somme ; la norme vient après la somme des trois.
    """

    def words(self, input_ids):
        return super().norm(super().words(input_ids))

    def norm(self, x):
        return x


class BertEmbeddings__norm_over_positions(BertEmbeddings):
    """The norm runs over the positions, not over the features of each. Look at the axis of mean and variance.

    fr: La norme porte sur les positions, et non sur les composantes de chacune. Regardez l'axe de la moyenne
    et de la variance.
    """

    def norm(self, x):
        normed = nn.functional.layer_norm(x.transpose(1, 2), x.shape[1:2], eps=1e-12).transpose(1, 2)
        return normed * self.LayerNorm.weight + self.LayerNorm.bias


class BertEmbeddings__unbiased_norm(BertEmbeddings):
    """The norm divides by the unbiased standard deviation (n - 1), not by that of the features (n).

    fr: La norme divise par l'écart-type non biaisé (n - 1), et non par celui des composantes (n).
    """

    def norm(self, x):
        width = x.shape[-1]
        normed = nn.functional.layer_norm(x, (width,), eps=self.LayerNorm.eps)
        return normed * math.sqrt((width - 1) / width) * self.LayerNorm.weight + self.LayerNorm.bias


class BertEmbeddings__large_eps(BertEmbeddings):
    """The norm's eps is 1e-3, far too large. Look at the arguments of the norm.

    fr: Le eps de la norme vaut 1e-3, bien trop grand. Regardez les arguments de la norme.
    """

    def __init__(self, vocab_size, hidden_size, max_position_embeddings, type_vocab_size):
        super().__init__(vocab_size, hidden_size, max_position_embeddings, type_vocab_size)
        self.LayerNorm.eps = 1e-3


class BertEmbeddings__without_dropout(BertEmbeddings):
    """Dropout never acts. Look at what stands after the norm in training.

    fr: Le dropout n'agit jamais. Regardez ce qui vient après la norme à l'entraînement.
    """

    def drop(self, x):
        return x


class BertEmbeddings__dropout_in_evaluation(BertEmbeddings):
    """Dropout acts in evaluation too. Look at how the dropout learns whether the model is training.

    fr: Le dropout agit aussi en évaluation. Regardez comment le dropout apprend si le modèle s'entraîne.
    """

    def drop(self, x):
        return nn.functional.dropout(x, self.dropout.p)


class BertEmbeddings__detached(BertEmbeddings):
    """The words are cut off from the gradients: their table learns nothing. Look for detach, data and
    no_grad.

    fr: Les mots sont coupés des gradients : leur table n'apprend rien. Cherchez detach, data et no_grad.
    """

    def words(self, input_ids):
        return super().words(input_ids).detach()
