"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch
from torch import nn

from solutions.transformer_block import gained


class GPTEmbeddings(nn.Module):
    def __init__(self, vocab_size, hidden_size, max_position_embeddings=512):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocab_size, hidden_size)
        self.position_embeddings = nn.Embedding(max_position_embeddings, hidden_size)
        self.layer_norm = nn.LayerNorm(hidden_size, eps=1e-5)
        self.dropout = nn.Dropout(0.1)

    def words(self, input_ids):
        return self.word_embeddings(input_ids)

    def numbers(self, input_ids):
        return torch.arange(input_ids.shape[1]).expand_as(input_ids)

    def positions(self, input_ids):
        return self.position_embeddings(self.numbers(input_ids))

    def sum(self, input_ids):
        return self.words(input_ids) + self.positions(input_ids)

    def norm(self, x):
        return self.layer_norm(x)

    def drop(self, x):
        return self.dropout(x)

    def forward(self, input_ids):
        return self.drop(self.norm(self.sum(input_ids)))


class GPTEmbeddings__without_positions(GPTEmbeddings):
    """The positions have no part in the result: the same word gets the same vector everywhere.
    Look at what is added to the word's vector.

    fr: Les positions n'entrent pas dans le résultat : le même mot reçoit partout le même vecteur.
    Regardez ce qui s'ajoute au vecteur du mot.
    """

    def sum(self, input_ids):
        return self.words(input_ids)


class GPTEmbeddings__sinusoidal_positions(GPTEmbeddings):
    """The positions are sines and cosines; here they are learned, in a table like that of the words.

    fr: Les positions sont des sinus et des cosinus ; ici elles sont apprises, dans une table comme celle des
    mots.
    """

    def __init__(self, vocab_size, hidden_size, max_position_embeddings=512):
        super().__init__(vocab_size, hidden_size, max_position_embeddings)
        del self.position_embeddings
        self.width = hidden_size

    def positions(self, input_ids):
        column = torch.arange(self.width)
        rates = 10000.0 ** (-(column - column % 2) / self.width)
        angles = self.numbers(input_ids).unsqueeze(-1) * rates
        return torch.where(column % 2 == 0, angles.sin(), angles.cos()).to(self.word_embeddings.weight.dtype)


class GPTEmbeddings__constant_position(GPTEmbeddings):
    """Every word gets the vector of position 0. Print the position numbers of a short sequence.

    fr: Chaque mot reçoit le vecteur de la position 0. Affichez les numéros de position d'une courte séquence.
    """

    def numbers(self, input_ids):
        return torch.zeros_like(input_ids)


class GPTEmbeddings__positions_from_one(GPTEmbeddings):
    """The positions are counted from 1; the first one is 0, and so the last row of the table is in reach.

    fr: Les positions sont comptées à partir de 1 ; la première est 0, ainsi la dernière ligne de la table
    reste accessible.
    """

    def numbers(self, input_ids):
        return super().numbers(input_ids) + 1


class GPTEmbeddings__positions_by_batch(GPTEmbeddings):
    """The number of the sequence in the batch stands where the position in the sequence should.
    Which axis of input_ids do you count along?

    fr: Le numéro de la séquence dans le lot tient lieu de position dans la séquence. Le long de quel axe de
    input_ids comptez-vous ?
    """

    def numbers(self, input_ids):
        return torch.arange(input_ids.shape[0]).unsqueeze(1).expand_as(input_ids)


class GPTEmbeddings__positions_reversed(GPTEmbeddings):
    """The positions are counted from the end of the sequence; the first word stands at position 0.

    fr: Les positions sont comptées depuis la fin de la séquence ; le premier mot est à la position 0.
    """

    def numbers(self, input_ids):
        return super().numbers(input_ids).flip(1)


class GPTEmbeddings__positions_of_ids(GPTEmbeddings):
    """The table of positions is read at the words' ids, not at their positions. Look at its argument.

    fr: La table des positions est lue aux identifiants des mots, non à leurs positions. Regardez son
    argument.
    """

    def numbers(self, input_ids):
        return input_ids


class GPTEmbeddings__multiplied(GPTEmbeddings):
    """The vectors of word and position are multiplied, not added.

    fr: Les vecteurs du mot et de la position sont multipliés, au lieu d'être additionnés.
    """

    def sum(self, input_ids):
        return self.words(input_ids) * self.positions(input_ids)


class GPTEmbeddings__scaled_words(GPTEmbeddings):
    """The words' vectors are scaled by the root of the width, as in the first Transformer; here nothing is.

    fr: Les vecteurs des mots sont multipliés par la racine de la largeur, comme dans le premier Transformer ;
    ici, rien ne l'est.
    """

    def words(self, input_ids):
        return super().words(input_ids) * math.sqrt(self.layer_norm.weight.shape[0])


class GPTEmbeddings__with_segments(GPTEmbeddings):
    """There is a table for segments too, as in BERT; GPT has words and positions only.

    fr: Il y a aussi une table de segments, comme dans BERT ; GPT n'a que des mots et des positions.
    """

    def __init__(self, vocab_size, hidden_size, max_position_embeddings=512):
        super().__init__(vocab_size, hidden_size, max_position_embeddings)
        self.token_type_embeddings = nn.Embedding(2, hidden_size)

    def sum(self, input_ids):
        return super().sum(input_ids) + self.token_type_embeddings(torch.zeros_like(input_ids))


class GPTEmbeddings__without_norm(GPTEmbeddings):
    """The sum goes out without its layer norm. Is the norm called in forward?

    fr: La somme sort sans sa normalisation. La norme est-elle appelée dans forward ?
    """

    def norm(self, x):
        return x


class GPTEmbeddings__norm_missing(GPTEmbeddings):
    """There is no layer norm at all, as in GPT-2; here the sum of word and position goes through one.

    fr: Il n'y a aucune normalisation, comme dans GPT-2 ; ici, la somme du mot et de la position passe par une
    norme.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        del self.layer_norm

    def norm(self, x):
        return x


class GPTEmbeddings__norm_before_positions(GPTEmbeddings):
    """Only the words are normalised, before the positions are added; the norm belongs after the sum.

    fr: Seuls les mots sont normalisés, avant l'ajout des positions ; la norme vient après la somme.
    """

    def sum(self, input_ids):
        return self.layer_norm(self.words(input_ids)) + self.positions(input_ids)

    def norm(self, x):
        return x


def over_positions(norm, x):
    normed = nn.functional.layer_norm(x.transpose(1, 2), x.shape[1:2], eps=norm.eps).transpose(1, 2)
    return gained(norm, normed)


def unbiased(norm, x):
    centred = x - x.mean(-1, keepdim=True)
    variance = centred.square().sum(-1, keepdim=True) / max(x.shape[-1] - 1, 1)
    return gained(norm, centred / (variance + norm.eps).sqrt())


class GPTEmbeddings__norm_over_positions(GPTEmbeddings):
    """The norm runs over the positions, not over the features of each. Which axis is the mean taken along?

    fr: La norme porte sur les positions, non sur les composantes de chacune. Le long de quel axe la moyenne
    est-elle prise ?
    """

    def norm(self, x):
        return over_positions(self.layer_norm, x)


class GPTEmbeddings__norm_over_everything(GPTEmbeddings):
    """One mean and one variance serve the whole sequence; each position is normalised by itself.

    fr: Une seule moyenne et une seule variance servent pour toute la séquence ; chaque position se normalise
    à part.
    """

    def norm(self, x):
        normed = nn.functional.layer_norm(x, x.shape[1:], eps=self.layer_norm.eps)
        return normed * self.layer_norm.weight + self.layer_norm.bias


class GPTEmbeddings__unbiased_norm(GPTEmbeddings):
    """The norm divides by the unbiased standard deviation (n - 1); a layer norm divides by n.

    fr: La norme divise par l'écart-type non biaisé (n - 1) ; une normalisation de couche divise par n.
    """

    def norm(self, x):
        return unbiased(self.layer_norm, x)


class GPTEmbeddings__rms_norm(GPTEmbeddings):
    """The norm does not take the mean away (RMSNorm); a layer norm centres first, then scales.

    fr: La norme ne retire pas la moyenne (RMSNorm) ; une normalisation de couche centre d'abord, puis réduit.
    """

    def norm(self, x):
        root = (x.square().mean(-1, keepdim=True) + self.layer_norm.eps).sqrt()
        return x / root * self.layer_norm.weight + self.layer_norm.bias


class GPTEmbeddings__large_eps(GPTEmbeddings):
    """The norm's eps is 1e-3; that is large enough to be seen. Look at how the norm is made.

    fr: L'eps de la norme vaut 1e-3, assez pour se voir. Regardez comment la norme est construite.
    """

    def __init__(self, vocab_size, hidden_size, max_position_embeddings=512):
        super().__init__(vocab_size, hidden_size, max_position_embeddings)
        self.layer_norm.eps = 1e-3


class GPTEmbeddings__without_dropout(GPTEmbeddings):
    """Dropout never acts. Is it called in forward, and with a rate above 0?

    fr: Le dropout n'agit jamais. Est-il appelé dans forward, avec un taux supérieur à 0 ?
    """

    def drop(self, x):
        return x


class GPTEmbeddings__dropout_in_evaluation(GPTEmbeddings):
    """Dropout acts in evaluation too. Does it know whether the module is in training?

    fr: Le dropout agit aussi en évaluation. Sait-il si le module est en entraînement ?
    """

    def drop(self, x):
        return nn.functional.dropout(x, self.dropout.p)


class GPTEmbeddings__as_many_positions_as_words(GPTEmbeddings):
    """The table of positions has a row for each word of the vocabulary. Look at its two sizes.

    fr: La table des positions a une ligne par mot du vocabulaire. Regardez ses deux tailles.
    """

    def __init__(self, vocab_size, hidden_size, max_position_embeddings=512):
        super().__init__(vocab_size, hidden_size, vocab_size)


class GPTEmbeddings__default_of_1024(GPTEmbeddings):
    """There are 1024 positions where nothing else is asked for, as in GPT-2; 512 are due.

    fr: Il y a 1024 positions quand rien n'est précisé, comme dans GPT-2 ; il en faut 512.
    """

    def __init__(self, vocab_size, hidden_size, max_position_embeddings=1024):
        super().__init__(vocab_size, hidden_size, max_position_embeddings)


class GPTEmbeddings__detached(GPTEmbeddings):
    """The positions are cut off from the gradients: their table learns nothing.

    fr: Les positions sont coupées des gradients : leur table n'apprend rien.
    """

    def positions(self, input_ids):
        return super().positions(input_ids).detach()


class GPTEmbeddings__overwrites_the_first_id(GPTEmbeddings):
    """The first id of each sequence is overwritten, in the caller's tensor too. Nothing starts a sequence
    here.

    fr: Le premier identifiant de chaque séquence est écrasé, y compris dans le tenseur de l'appelant. Ici,
    rien ne marque le début d'une séquence.
    """

    def words(self, input_ids):
        input_ids[:, 0] = 0
        return super().words(input_ids)
