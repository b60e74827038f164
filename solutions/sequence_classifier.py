"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

from torch import nn

from solutions.bert_pooler import BertPooler

F = nn.functional


class SequenceClassifier(nn.Module):
    def __init__(self, hidden_size, num_labels, dropout=0.1):
        super().__init__()
        self.pooler = BertPooler(hidden_size)
        self.dropout = nn.Dropout(dropout)
        self.classifier = nn.Linear(hidden_size, num_labels)

    def pool(self, hidden_states):
        return self.pooler(hidden_states)

    def drop(self, pooled):
        return self.dropout(pooled)

    def classify(self, pooled):
        return self.classifier(pooled)

    def forward(self, hidden_states):
        return self.classify(self.drop(self.pool(hidden_states)))


class SequenceClassifier__last_position(SequenceClassifier):
    """The pooler is given the last position in front: it should find [CLS] there.

    fr: Le pooler reçoit la dernière position en tête : il devrait y trouver [CLS].
    """

    def pool(self, hidden_states):
        return super().pool(hidden_states.flip(1))


class SequenceClassifier__mean_of_positions(SequenceClassifier):
    """The mean of all positions is classified; BERT takes the first, through the pooler.

    fr: C'est la moyenne de toutes les positions qui est classée ; BERT prend la première, à travers le
    pooler.
    """

    def pool(self, hidden_states):
        return super().pool(hidden_states.mean(1, keepdim=True))


class SequenceClassifier__without_pooler(SequenceClassifier):
    """The first position is classified as it is: the pooler is not used.

    fr: La première position est classée telle quelle : le pooler ne sert pas.
    """

    def pool(self, hidden_states):
        return hidden_states[:, 0]


class SequenceClassifier__no_pooler(SequenceClassifier):
    """The first position is classified as it is: there is no pooler, with its layer and its tanh.

    fr: La première position est classée telle quelle : il n'y a pas de pooler, avec sa couche et sa tanh.
    """

    def __init__(self, hidden_size, num_labels, dropout=0.1):
        super().__init__(hidden_size, num_labels, dropout)
        del self.pooler

    def pool(self, hidden_states):
        return hidden_states[:, 0]


class SequenceClassifier__mean_without_pooler(SequenceClassifier__no_pooler):
    """The mean of all positions is classified, without a pooler; BERT takes the first, through the pooler.

    fr: C'est la moyenne de toutes les positions qui est classée, sans pooler ; BERT prend la première, à
    travers le pooler.
    """

    def pool(self, hidden_states):
        return hidden_states.mean(1)


class SequenceClassifier__pools_every_position(SequenceClassifier):
    """Each position gets a class, (B, S, C); one for each sequence is due.

    fr: Chaque position reçoit une classe, (B, S, C) ; on en attend une par séquence.
    """

    def pool(self, hidden_states):
        return self.pooler.activate(self.pooler.project(hidden_states))


class SequenceClassifier__probabilities(SequenceClassifier):
    """A softmax acts on the scores. Logits are due: cross-entropy takes the softmax itself.

    fr: Un softmax agit sur les scores. On attend des logits : l'entropie croisée prend elle-même le softmax.
    """

    def classify(self, pooled):
        return super().classify(pooled).softmax(-1)


class SequenceClassifier__log_probabilities(SequenceClassifier):
    """A log-softmax acts on the scores. Logits are due: cross-entropy takes it itself.

    fr: Un log-softmax agit sur les scores. On attend des logits : l'entropie croisée le prend elle-même.
    """

    def classify(self, pooled):
        return super().classify(pooled).log_softmax(-1)


class SequenceClassifier__sigmoid(SequenceClassifier):
    """A sigmoid acts on the scores; logits are due.

    fr: Une sigmoïde agit sur les scores ; on attend des logits.
    """

    def classify(self, pooled):
        return super().classify(pooled).sigmoid()


class SequenceClassifier__relu_between(SequenceClassifier):
    """A ReLU stands between the pooler and the layer: the pooler's tanh is all.

    fr: Une ReLU se trouve entre le pooler et la couche : la tanh du pooler suffit.
    """

    def drop(self, pooled):
        return super().drop(pooled).relu()


class SequenceClassifier__tanh_twice(SequenceClassifier):
    """tanh acts again behind the pooler, which has it already.

    fr: tanh agit encore une fois derrière le pooler, qui l'a déjà.
    """

    def drop(self, pooled):
        return super().drop(pooled).tanh()


class SequenceClassifier__hidden_layer(SequenceClassifier):
    """There is a layer more between the pooler and the scores. One layer is due.

    fr: Il y a une couche de plus entre le pooler et les scores. On en attend une.
    """

    def __init__(self, hidden_size, num_labels, dropout=0.1):
        super().__init__(hidden_size, num_labels, dropout)
        self.between = nn.Linear(hidden_size, hidden_size)

    def drop(self, pooled):
        return super().drop(self.between(pooled))


class SequenceClassifier__normalised(SequenceClassifier):
    """A layer norm acts on the pooled vector; none is due.

    fr: Une normalisation de couche agit sur le vecteur du pooler ; on n'en attend aucune.
    """

    def drop(self, pooled):
        return super().drop(F.layer_norm(pooled, pooled.shape[-1:]))


class SequenceClassifier__num_labels_ignored(SequenceClassifier):
    """The number of classes is fixed, whatever num_labels says.

    fr: Le nombre de classes est fixé, quoi que dise num_labels.
    """

    def __init__(self, hidden_size, num_labels, dropout=0.1):
        super().__init__(hidden_size, 2, dropout)


class SequenceClassifier__without_bias(SequenceClassifier):
    """The layer of the classes has no bias.

    fr: La couche des classes n'a pas de biais.
    """

    def __init__(self, hidden_size, num_labels, dropout=0.1):
        super().__init__(hidden_size, num_labels, dropout)
        self.classifier.bias = None


class SequenceClassifier__without_dropout(SequenceClassifier):
    """Nothing is dropped in training.

    fr: Rien n'est effacé à l'entraînement.
    """

    def drop(self, pooled):
        return pooled


class SequenceClassifier__dropout_always_a_tenth(SequenceClassifier):
    """The rate is 0.1, whatever the argument dropout says.

    fr: Le taux vaut 0.1, quoi que dise l'argument dropout.
    """

    def __init__(self, hidden_size, num_labels, dropout=0.1):
        super().__init__(hidden_size, num_labels)


class SequenceClassifier__dropout_in_evaluation(SequenceClassifier):
    """Something is dropped in evaluation too. Does the dropout know whether the module is in training?

    fr: Le dropout agit aussi en évaluation. Sait-il si le module est en entraînement ?
    """

    def drop(self, pooled):
        return F.dropout(pooled, self.dropout.p)


class SequenceClassifier__pooler_detached(SequenceClassifier):
    """What the pooler gives is cut off from the gradients: pooler and encoder learn nothing.

    fr: Ce que donne le pooler est coupé des gradients : le pooler et l'encodeur n'apprennent rien.
    """

    def drop(self, pooled):
        return super().drop(pooled.detach())


class SequenceClassifier__changes_its_input(SequenceClassifier):
    """The caller's tensor is changed: something is computed in place on the input.

    fr: Le tenseur de l'appelant est modifié : un calcul se fait en place sur l'entrée.
    """

    def forward(self, hidden_states):
        logits = super().forward(hidden_states)
        hidden_states.data[:, 0] = self.pool(hidden_states).data
        return logits
