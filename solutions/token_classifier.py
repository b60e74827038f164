"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

from torch import nn

F = nn.functional


class TokenClassifier(nn.Module):
    def __init__(self, hidden_size, num_labels, dropout=0.1):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.classifier = nn.Linear(hidden_size, num_labels)

    def prepare(self, hidden_states):
        return self.dropout(hidden_states)

    def classify(self, hidden_states):
        return self.classifier(self.prepare(hidden_states))

    def measure(self, logits, labels):
        return F.cross_entropy(logits.flatten(0, 1), labels.flatten())

    def give(self, logits, loss):
        return logits, loss

    def forward(self, hidden_states, labels=None):
        logits = self.classify(hidden_states)
        return logits if labels is None else self.give(logits, self.measure(logits, labels))


class TokenClassifier__first_position_alone(TokenClassifier):
    """All positions get the class of the first, as for a sentence. Each word has its own.

    fr: Toutes les positions reçoivent la classe de la première, comme pour une phrase. Chaque mot a la
    sienne.
    """

    def prepare(self, hidden_states):
        return super().prepare(hidden_states[:, :1].expand_as(hidden_states))


class TokenClassifier__probabilities(TokenClassifier):
    """A softmax acts on the scores. Logits are due: cross-entropy takes the softmax itself.

    fr: Un softmax agit sur les scores. On attend des logits : l'entropie croisée prend elle-même le softmax.
    """

    def classify(self, hidden_states):
        return super().classify(hidden_states).softmax(-1)


class TokenClassifier__log_probabilities(TokenClassifier):
    """A log-softmax acts on the scores; logits are due. The loss stays the same, and one log-softmax is idle.

    fr: Un log-softmax agit sur les scores ; on attend des logits. La perte reste la même, et un log-softmax
    ne sert à rien.
    """

    def classify(self, hidden_states):
        return super().classify(hidden_states).log_softmax(-1)


class TokenClassifier__sigmoid(TokenClassifier):
    """A sigmoid acts on the scores; logits are due.

    fr: Une sigmoïde agit sur les scores ; on attend des logits.
    """

    def classify(self, hidden_states):
        return super().classify(hidden_states).sigmoid()


class TokenClassifier__tanh_first(TokenClassifier):
    """tanh acts on the input, as in the pooler. Here the layer takes each position as it is.

    fr: tanh agit sur l'entrée, comme dans le pooler. Ici, la couche prend chaque position telle quelle.
    """

    def prepare(self, hidden_states):
        return super().prepare(hidden_states.tanh())


class TokenClassifier__normalised(TokenClassifier):
    """A layer norm acts on the input; the encoder has normalised it already.

    fr: Une normalisation de couche agit sur l'entrée ; l'encodeur l'a déjà normalisée.
    """

    def prepare(self, hidden_states):
        return super().prepare(F.layer_norm(hidden_states, hidden_states.shape[-1:]))


class TokenClassifier__hidden_layer(TokenClassifier):
    """There is a layer more before the scores. One layer is due.

    fr: Il y a une couche de plus avant les scores. On en attend une.
    """

    def __init__(self, hidden_size, num_labels, dropout=0.1):
        super().__init__(hidden_size, num_labels, dropout)
        self.between = nn.Linear(hidden_size, hidden_size)

    def prepare(self, hidden_states):
        return super().prepare(self.between(hidden_states))


class TokenClassifier__num_labels_ignored(TokenClassifier):
    """The number of classes is fixed, whatever num_labels says.

    fr: Le nombre de classes est fixé, quoi que dise num_labels.
    """

    def __init__(self, hidden_size, num_labels, dropout=0.1):
        super().__init__(hidden_size, 2, dropout)


class TokenClassifier__without_bias(TokenClassifier):
    """The layer has no bias.

    fr: La couche n'a pas de biais.
    """

    def __init__(self, hidden_size, num_labels, dropout=0.1):
        super().__init__(hidden_size, num_labels, dropout)
        self.classifier.bias = None


class TokenClassifier__missing_labels_as_class_0(TokenClassifier):
    """Positions without a label are learned as class 0. -100 says that they do not count.

    fr: Les positions sans label sont apprises comme classe 0. -100 dit qu'elles ne comptent pas.
    """

    def measure(self, logits, labels):
        return super().measure(logits, labels.clamp(min=0))


class TokenClassifier__missing_labels_in_the_mean(TokenClassifier):
    """The sum is divided by the number of all positions. Only those that have a label count.

    fr: La somme est divisée par le nombre de toutes les positions. Seules comptent celles qui ont un label.
    """

    def measure(self, logits, labels):
        return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), reduction="sum") / labels.numel()


class TokenClassifier__mean_of_sequences(TokenClassifier):
    """Each sequence has its mean, and the loss is the mean of these: a word in a short sequence counts more.
    Each word should count alike.

    fr: Chaque séquence a sa moyenne, et la perte est la moyenne de celles-ci : un mot d'une courte séquence
    compte davantage. Chaque mot devrait compter autant.
    """

    def measure(self, logits, labels):
        losses = [F.cross_entropy(row, due) for row, due in zip(logits, labels, strict=True)]
        return sum(losses) / len(losses)


class TokenClassifier__divided_by_the_batch(TokenClassifier):
    """The mean over the words is divided by the number of sequences as well. Cross-entropy has taken the mean
    already.

    fr: La moyenne sur les mots est encore divisée par le nombre de séquences. L'entropie croisée a déjà pris
    la moyenne.
    """

    def measure(self, logits, labels):
        return super().measure(logits, labels) / len(labels)


class TokenClassifier__summed(TokenClassifier):
    """The loss is a sum; the mean is due.

    fr: La perte est une somme ; on attend la moyenne.
    """

    def measure(self, logits, labels):
        return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), reduction="sum")


class TokenClassifier__softmax_twice(TokenClassifier):
    """The loss is computed from probabilities. Cross-entropy takes the softmax itself.

    fr: La perte est calculée à partir de probabilités. L'entropie croisée prend elle-même le softmax.
    """

    def measure(self, logits, labels):
        return super().measure(logits.softmax(-1), labels)


class TokenClassifier__shifted(TokenClassifier):
    """Each position is compared with the label of the next, as in a language model. Here it has its own.

    fr: Chaque position est comparée au label de la suivante, comme dans un modèle de langage. Ici, elle a le
    sien.
    """

    def measure(self, logits, labels):
        if labels.shape[1] == 1:
            return super().measure(logits, labels)
        return super().measure(logits[:, :-1], labels[:, 1:])


class TokenClassifier__loss_first(TokenClassifier):
    """The loss comes first; the pair is (logits, loss).

    fr: La perte vient en premier ; la paire est (logits, loss).
    """

    def give(self, logits, loss):
        return loss, logits


class TokenClassifier__loss_alone(TokenClassifier):
    """With labels the loss alone comes back; the pair (logits, loss) is due.

    fr: Avec des labels, seule la perte est rendue ; on attend la paire (logits, loss).
    """

    def give(self, logits, loss):
        return loss


class TokenClassifier__without_loss(TokenClassifier):
    """With labels the logits alone come back too: the labels are not used. The pair (logits, loss) is due.

    fr: Avec des labels aussi, seuls les logits sont rendus : les labels ne servent pas. On attend la paire
    (logits, loss).
    """

    def give(self, logits, loss):
        return logits


class TokenClassifier__pair_without_labels(TokenClassifier):
    """Without labels a pair comes back too, with None for the loss; the logits alone are due.

    fr: Sans labels, c'est aussi une paire qui est rendue, avec None pour la perte ; on attend les logits
    seuls.
    """

    def forward(self, hidden_states, labels=None):
        answer = super().forward(hidden_states, labels)
        return (answer, None) if labels is None else answer


class TokenClassifier__without_dropout(TokenClassifier):
    """Nothing is dropped in training.

    fr: Rien n'est effacé à l'entraînement.
    """

    def prepare(self, hidden_states):
        return hidden_states


class TokenClassifier__dropout_always_a_tenth(TokenClassifier):
    """The rate is 0.1, whatever the argument dropout says.

    fr: Le taux vaut 0.1, quoi que dise l'argument dropout.
    """

    def __init__(self, hidden_size, num_labels, dropout=0.1):
        super().__init__(hidden_size, num_labels)


class TokenClassifier__dropout_in_evaluation(TokenClassifier):
    """Something is dropped in evaluation too. Does the dropout know whether the module is in training?

    fr: Le dropout agit aussi en évaluation. Sait-il si le module est en entraînement ?
    """

    def prepare(self, hidden_states):
        return F.dropout(hidden_states, self.dropout.p)


class TokenClassifier__detached(TokenClassifier):
    """The input is cut off from the gradients: the encoder learns nothing.

    fr: L'entrée est coupée des gradients : l'encodeur n'apprend rien.
    """

    def prepare(self, hidden_states):
        return super().prepare(hidden_states.detach())


class TokenClassifier__changes_its_input(TokenClassifier):
    """The caller's tensor is changed: something is computed in place on the input.

    fr: Le tenseur de l'appelant est modifié : un calcul se fait en place sur l'entrée.
    """

    def forward(self, hidden_states, labels=None):
        answer = super().forward(hidden_states, labels)
        hidden_states.data.mul_(0.5)
        return answer
