"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch
from torch import nn

F = nn.functional


class SpanHead(nn.Module):
    stacked = False  # whether both come as one tensor (B, S, 2), which is compared at once

    def __init__(self, hidden_size):
        super().__init__()
        self.start = nn.Linear(hidden_size, 1)
        self.end = nn.Linear(hidden_size, 1)

    def score(self, hidden_states):
        return torch.cat([self.start(hidden_states), self.end(hidden_states)], -1)

    def hide(self, logits, attention_mask):
        return logits.masked_fill(attention_mask == 0, -math.inf)

    def split(self, scores):
        return scores[..., 0], scores[..., 1]

    def finish(self, logits):
        return logits

    def give(self, start, end):
        return start, end

    def forward(self, hidden_states, attention_mask=None):
        pair = [self.finish(logits) for logits in self.split(self.score(hidden_states))]
        if attention_mask is not None:
            pair = [self.hide(logits, attention_mask) for logits in pair]
        return torch.stack(pair, -1) if self.stacked else self.give(*pair)


class SpanHead__swapped(SpanHead):
    """The ends come first; the pair is (start_logits, end_logits).

    fr: Les fins viennent en premier ; la paire est (start_logits, end_logits).
    """

    def give(self, start, end):
        return end, start


class SpanHead__one_tensor(SpanHead):
    """One tensor (B, S, 2) comes back; it should be split into two of shape (B, S).

    fr: Un seul tenseur (B, S, 2) est rendu ; il faut le séparer en deux, de forme (B, S).
    """

    def give(self, start, end):
        return torch.stack([start, end], -1)


class SpanHead__by_name(SpanHead):
    """The logits come back in a dictionary; the pair (start_logits, end_logits) is due.

    fr: Les logits sont rendus dans un dictionnaire ; on attend la paire (start_logits, end_logits).
    """

    def give(self, start, end):
        return {"start_logits": start, "end_logits": end}


class SpanHead__keeps_an_axis(SpanHead):
    """Both have shape (B, S, 1): the last axis is still there after the split.

    fr: Les deux ont la forme (B, S, 1) : le dernier axe est encore là après la séparation.
    """

    def give(self, start, end):
        return start.unsqueeze(-1), end.unsqueeze(-1)


class SpanHead__same_scores(SpanHead):
    """Starts and ends have the same scores: each needs a layer, or a column, of its own.

    fr: Les débuts et les fins ont les mêmes scores : chacun a besoin de sa propre couche, ou colonne.
    """

    def split(self, scores):
        return scores[..., 0], scores[..., 0]


class SpanHead__padding_not_hidden(SpanHead):
    """The mask is not used: an answer may lie in the padding.

    fr: Le masque ne sert pas : une réponse peut se trouver dans le remplissage.
    """

    def hide(self, logits, attention_mask):
        return logits


class SpanHead__padding_gets_0(SpanHead):
    """The logits at padding are 0, which is more than many others have. Which number can no score be below?

    fr: Les logits du remplissage valent 0, ce qui est plus que beaucoup d'autres. Sous quel nombre aucun
    score ne peut-il être ?
    """

    def hide(self, logits, attention_mask):
        return logits * attention_mask


class SpanHead__padding_lowered_a_little(SpanHead):
    """The logits at padding are 10 lower. That is little where scores are large: -inf hides for certain.

    fr: Les logits du remplissage sont plus bas de 10. C'est peu quand les scores sont grands : -inf cache à
    coup sûr.
    """

    def hide(self, logits, attention_mask):
        return logits - 10 * (attention_mask == 0)


class SpanHead__mask_inverted(SpanHead):
    """The mask is read the other way round: 1 = kept, and padding is 0.

    fr: Le masque est lu à l'envers : 1 = gardé, et le remplissage vaut 0.
    """

    def hide(self, logits, attention_mask):
        return super().hide(logits, 1 - attention_mask)


class SpanHead__starts_alone_hidden(SpanHead):
    """Only the starts are hidden at padding; ends may still lie there.

    fr: Seuls les débuts sont cachés au remplissage ; des fins peuvent encore s'y trouver.
    """

    def forward(self, hidden_states, attention_mask=None):
        start, _ = super().forward(hidden_states, attention_mask)
        return start, super().forward(hidden_states)[1]


class SpanHead__probabilities(SpanHead):
    """A softmax acts over the positions; logits are due.

    fr: Un softmax agit sur les positions ; on attend des logits.
    """

    def finish(self, logits):
        return logits.softmax(-1)


class SpanHead__log_probabilities(SpanHead):
    """A log-softmax acts over the positions; logits are due: cross-entropy takes it itself.

    fr: Un log-softmax agit sur les positions ; on attend des logits : l'entropie croisée le prend elle-même.
    """

    def finish(self, logits):
        return logits.log_softmax(-1)


class SpanHead__sigmoid(SpanHead):
    """A sigmoid acts on the scores; logits are due.

    fr: Une sigmoïde agit sur les scores ; on attend des logits.
    """

    def finish(self, logits):
        return logits.sigmoid()


class SpanHead__tanh_first(SpanHead):
    """tanh acts on the input, as in the pooler. Here the layers take each position as it is.

    fr: tanh agit sur l'entrée, comme dans le pooler. Ici, les couches prennent chaque position telle
    quelle.
    """

    def score(self, hidden_states):
        return super().score(hidden_states.tanh())


class SpanHead__normalised(SpanHead):
    """A layer norm acts on the input; the encoder has normalised it already.

    fr: Une normalisation de couche agit sur l'entrée ; l'encodeur l'a déjà normalisée.
    """

    def score(self, hidden_states):
        return super().score(F.layer_norm(hidden_states, hidden_states.shape[-1:]))


class SpanHead__hidden_layer(SpanHead):
    """There is a layer more before the scores. One layer is due.

    fr: Il y a une couche de plus avant les scores. On en attend une.
    """

    def __init__(self, hidden_size):
        super().__init__(hidden_size)
        self.between = nn.Linear(hidden_size, hidden_size)

    def score(self, hidden_states):
        return super().score(self.between(hidden_states))


class SpanHead__without_bias(SpanHead):
    """The layers have no bias.

    fr: Les couches n'ont pas de biais.
    """

    def __init__(self, hidden_size):
        super().__init__(hidden_size)
        self.start.bias = self.end.bias = None


class SpanHead__dropout_in_evaluation(SpanHead):
    """Something is dropped in evaluation too. Does the dropout know whether the module is in training?

    fr: Le dropout agit aussi en évaluation. Sait-il si le module est en entraînement ?
    """

    def score(self, hidden_states):
        return super().score(F.dropout(hidden_states, 0.1))


class SpanHead__detached(SpanHead):
    """The input is cut off from the gradients: the encoder learns nothing.

    fr: L'entrée est coupée des gradients : l'encodeur n'apprend rien.
    """

    def score(self, hidden_states):
        return super().score(hidden_states.detach())


class SpanHead__changes_its_input(SpanHead):
    """The caller's tensor is changed: something is computed in place on the input.

    fr: Le tenseur de l'appelant est modifié : un calcul se fait en place sur l'entrée.
    """

    def forward(self, hidden_states, attention_mask=None):
        answer = super().forward(hidden_states, attention_mask)
        hidden_states.data.mul_(0.5)
        return answer
