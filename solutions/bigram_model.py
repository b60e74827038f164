"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch
from torch import nn
from torch.nn import functional

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
WHOLE = ("returns_ids",)
HALF = (
    "targets_unused",
    "loss_over_positions",
    "loss_summed",
    "columns_for_rows",
)
SMALL = ("without_gradients",)


class BigramLanguageModel(nn.Module):
    def __init__(self, vocab_size):
        super().__init__()
        self.token_embedding_table = nn.Embedding(vocab_size, vocab_size)

    def look_up(self, idx):
        return self.token_embedding_table(idx)

    def flat(self, logits, targets):
        return logits.reshape(-1, logits.shape[-1]), targets.reshape(-1)

    def entropy(self, logits, targets):
        return functional.cross_entropy(logits, targets)

    def loss(self, logits, targets):
        return self.entropy(*self.flat(logits, targets))

    def give(self, logits):
        return logits

    def give_both(self, logits, loss):
        return self.give(logits), loss

    def forward(self, idx, targets=None):
        logits = self.look_up(idx)
        return self.give(logits) if targets is None else self.give_both(logits, self.loss(logits, targets))


class BigramLanguageModel__loss_summed(BigramLanguageModel):
    """The loss is summed over all positions; their mean is due.

    fr: La perte est sommée sur toutes les positions ; c'est leur moyenne qu'on attend.
    """

    def entropy(self, logits, targets):
        return functional.cross_entropy(logits, targets, reduction="sum")


class BigramLanguageModel__loss_per_sequence(BigramLanguageModel):
    """The loss is averaged over the sequences and summed over their positions; average over both.

    fr: La perte est une moyenne sur les séquences et une somme sur leurs positions ; faites la moyenne sur
    les deux.
    """

    def loss(self, logits, targets):
        return super().loss(logits, targets) * targets.shape[1]


class BigramLanguageModel__loss_of_each_position(BigramLanguageModel):
    """There is a loss for each position; their mean, one number, is due.

    fr: Il y a une perte par position ; on attend leur moyenne, un seul nombre.
    """

    def entropy(self, logits, targets):
        return functional.cross_entropy(logits, targets, reduction="none")


class BigramLanguageModel__loss_in_bits(BigramLanguageModel):
    """The loss is in bits; nats are due, as cross_entropy gives them.

    fr: La perte est en bits ; on attend des nats, comme les donne cross_entropy.
    """

    def entropy(self, logits, targets):
        return super().entropy(logits, targets) / math.log(2)


class BigramLanguageModel__loss_negative(BigramLanguageModel):
    """The loss has the wrong sign: it is the mean log-probability, not its negative.

    fr: La perte est du mauvais signe : c'est la log-probabilité moyenne, et non son opposé.
    """

    def entropy(self, logits, targets):
        return -super().entropy(logits, targets)


class BigramLanguageModel__loss_of_probabilities(BigramLanguageModel):
    """A softmax stands before cross_entropy, which applies its own: the loss is that of probabilities taken
    for scores.

    fr: Un softmax précède cross_entropy, qui applique le sien : la perte est celle de probabilités prises
    pour des scores.
    """

    def entropy(self, logits, targets):
        return super().entropy(logits.softmax(-1), targets)


class BigramLanguageModel__loss_without_softmax(BigramLanguageModel):
    """nll_loss is given raw scores; it expects log-probabilities, so a log_softmax is missing.

    fr: nll_loss reçoit des scores bruts ; il attend des log-probabilités, il manque donc un log_softmax.
    """

    def entropy(self, logits, targets):
        return functional.nll_loss(logits, targets)


class BigramLanguageModel__loss_over_positions(BigramLanguageModel):
    """The softmax of the loss runs over the positions, not over the ids. Which axis does cross_entropy take
    for the classes?

    fr: Le softmax de la perte porte sur les positions, non sur les identifiants. Quel axe cross_entropy
    prend-elle pour les classes ?
    """

    def entropy(self, logits, targets):
        return functional.nll_loss(logits.log_softmax(0), targets)


class BigramLanguageModel__read_in_another_shape(BigramLanguageModel):
    """For the loss, the logits are read in another shape, which mixes positions and ids; two axes should
    change places, or the first two become one.

    fr: Pour la perte, les logits sont relus sous une autre forme, ce qui mélange positions et identifiants ;
    il faut échanger deux axes, ou réunir les deux premiers en un seul.
    """

    def loss(self, logits, targets):
        batch, length, words = logits.shape
        return functional.cross_entropy(logits.reshape(batch, words, length), targets)


class BigramLanguageModel__targets_shifted_again(BigramLanguageModel):
    """The targets are shifted once more: targets[t] already is what follows idx[t].

    fr: Les cibles sont décalées une fois de plus : targets[t] est déjà ce qui suit idx[t].
    """

    def loss(self, logits, targets):
        return super().loss(logits[:, :-1], targets[:, 1:])


class BigramLanguageModel__last_position_only(BigramLanguageModel):
    """The loss counts the last position alone; every position counts.

    fr: La perte ne compte que la dernière position ; chaque position est une leçon.
    """

    def loss(self, logits, targets):
        return super().loss(logits[:, -1:], targets[:, -1:])


class BigramLanguageModel__id_0_ignored(BigramLanguageModel):
    """Targets of id 0 are left out of the loss, as if it were padding; here it is a character as any other.

    fr: Les cibles d'identifiant 0 sont exclues de la perte, comme si c'était du padding ; ici, c'est un
    caractère comme un autre.
    """

    def entropy(self, logits, targets):
        return functional.cross_entropy(logits, targets, ignore_index=0)


class BigramLanguageModel__targets_overwritten(BigramLanguageModel):
    """The targets are changed in place, in the caller's tensor too: id 0 becomes -100 and is left out.

    fr: Les cibles sont modifiées sur place, y compris dans le tenseur de l'appelant : l'identifiant 0 devient
    -100 et est exclu.
    """

    def loss(self, logits, targets):
        targets[targets == 0] = -100
        return super().loss(logits, targets)


class BigramLanguageModel__idx_as_targets(BigramLanguageModel):
    """The loss is that of the input itself, not of what follows it: what is compared with what?

    fr: La perte est celle de l'entrée elle-même, non de ce qui la suit : qui est comparé à qui ?
    """

    def forward(self, idx, targets=None):
        return super().forward(idx, None if targets is None else idx)


class BigramLanguageModel__loss_as_a_number(BigramLanguageModel):
    """The loss comes back as a Python number, from which no gradient flows. Leave .item() to whoever prints
    it.

    fr: La perte est rendue comme un nombre Python, d'où aucun gradient ne part. Laissez .item() à qui
    l'affiche.
    """

    def loss(self, logits, targets):
        return super().loss(logits, targets).item()


class BigramLanguageModel__loss_alone(BigramLanguageModel):
    """With targets the loss alone comes back; the logits should come before it.

    fr: Avec des cibles, seule la perte est rendue ; on attend les logits devant elle.
    """

    def give_both(self, logits, loss):
        return loss


class BigramLanguageModel__loss_first(BigramLanguageModel):
    """The loss comes first; the pair is (logits, loss).

    fr: La perte vient en premier ; la paire est (logits, loss).
    """

    def give_both(self, logits, loss):
        return loss, self.give(logits)


class BigramLanguageModel__targets_unused(BigramLanguageModel):
    """There is no loss, whatever the targets. What should forward do where it gets some?

    fr: Il n'y a pas de perte, quelles que soient les cibles. Que doit faire forward quand il en reçoit ?
    """

    def give_both(self, logits, loss):
        return self.give(logits), None


class BigramLanguageModel__always_a_loss(BigramLanguageModel):
    """Without targets it fails: there is nothing to compute a loss from, and the logits alone are due.

    fr: Sans cibles, il échoue : rien ne permet de calculer une perte, et seuls les logits sont attendus.
    """

    def forward(self, idx, targets=None):
        logits = self.look_up(idx)
        return self.give_both(logits, self.loss(logits, targets))


class BigramLanguageModel__flat_without_targets(BigramLanguageModel):
    """The logits are flattened to (B * T, V) also where no loss is computed; (B, T, V) is due.

    fr: Les logits sont aplatis en (B * T, V) même quand aucune perte n'est calculée ; on attend (B, T, V).
    """

    def give(self, logits):
        return logits.flatten(0, 1)


class BigramLanguageModel__probabilities(BigramLanguageModel):
    """Probabilities come back; logits are the scores before any softmax.

    fr: Ce sont des probabilités qui sont rendues ; les logits sont les scores avant tout softmax.
    """

    def give(self, logits):
        return logits.softmax(-1)


class BigramLanguageModel__log_probabilities(BigramLanguageModel):
    """Log-probabilities come back; the rows of the table are due as they are.

    fr: Ce sont des log-probabilités qui sont rendues ; on attend les lignes de la table telles quelles.
    """

    def give(self, logits):
        return logits.log_softmax(-1)


class BigramLanguageModel__returns_ids(BigramLanguageModel):
    """The likeliest ids come back; the scores of all ids are due.

    fr: Ce sont les identifiants les plus probables qui sont rendus ; on attend les scores de tous.
    """

    def give(self, logits):
        return logits.argmax(-1)


class BigramLanguageModel__logits_of_the_last(BigramLanguageModel):
    """Only the last position's logits come back; that is for generating, where the caller takes them.

    fr: Seuls les logits de la dernière position sont rendus ; c'est pour générer, et l'appelant s'en charge.
    """

    def give(self, logits):
        return logits[:, -1]


class BigramLanguageModel__ids_before_positions(BigramLanguageModel):
    """The logits come back as (B, V, T), as cross_entropy can take them; (B, T, V) is due.

    fr: Les logits sont rendus en (B, V, T), comme cross_entropy les accepte ; on attend (B, T, V).
    """

    def give(self, logits):
        return logits.transpose(1, 2)


class BigramLanguageModel__columns_for_rows(BigramLanguageModel):
    """The columns of the table are looked up; an id's scores are its row.

    fr: Ce sont les colonnes de la table qui sont lues ; les scores d'un identifiant sont sa ligne.
    """

    def look_up(self, idx):
        return self.token_embedding_table.weight.T[idx]


class BigramLanguageModel__average_of_the_past(BigramLanguageModel):
    """A position gets the average over all ids up to it; a bigram model knows the current one alone.

    fr: Une position reçoit la moyenne de tous les identifiants jusqu'à elle ; un modèle bigramme ne connaît
    que l'actuel.
    """

    def look_up(self, idx):
        rows = super().look_up(idx)
        return rows.cumsum(1) / torch.arange(1, idx.shape[1] + 1, dtype=rows.dtype)[:, None]


class BigramLanguageModel__with_a_last_layer(BigramLanguageModel):
    """A linear layer follows the table; the row of the table is the answer already.

    fr: Une couche linéaire suit la table ; la ligne de la table est déjà la réponse.
    """

    def __init__(self, vocab_size):
        super().__init__(vocab_size)
        self.lm_head = nn.Linear(vocab_size, vocab_size)

    def look_up(self, idx):
        return self.lm_head(super().look_up(idx))


class BigramLanguageModel__fixed_vocabulary(BigramLanguageModel):
    """The table has 65 rows and columns, whatever vocab_size says.

    fr: La table a 65 lignes et colonnes, quoi que dise vocab_size.
    """

    def __init__(self, vocab_size):
        super().__init__(65)


class BigramLanguageModel__without_gradients(BigramLanguageModel):
    """No gradient is kept, so that the table cannot learn. What switches gradients off, and when?

    fr: Aucun gradient n'est gardé, si bien que la table ne peut rien apprendre. Qui coupe les gradients, et
    quand ?
    """

    def forward(self, idx, targets=None):
        with torch.no_grad():
            return super().forward(idx, targets)
